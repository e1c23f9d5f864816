"""``relate``, ``relations``, ``walk``, ``entity`` and ``predicate``."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from commonplace.interfaces.cli.call import Call, listed
from commonplace.interfaces.cli.parsing import Parser, moments, positive, several, share
from commonplace.interfaces.cli.show import Paper

if TYPE_CHECKING:
    from commonplace.memories.graph import Walk


def relate(parser: Parser) -> None:
    parser.add_argument("subject")
    parser.add_argument("predicate", help="such as works_at; `commonplace predicate list` shows all")
    parser.add_argument("object")
    parser.add_argument("--subject-type", default="person", metavar="TYPE", help="person, company, project, topic …")
    parser.add_argument("--object-type", default="topic", metavar="TYPE", help="likewise")
    parser.add_argument("--confidence", type=share, default=0.7, metavar="0…1", help="how sure (0.7)")
    parser.add_argument("--notes", metavar="TEXT")
    parser.add_argument("--declare", action="store_true", help="let the namespace use the predicate, if it is new")
    parser.add_argument("--valid-from", metavar="TIME", help="true since")
    parser.add_argument("--valid-to", metavar="TIME", help="true until")
    parser.runs(_relate)


def relations(parser: Parser) -> None:
    parser.add_argument("--subject", metavar="NAME")
    parser.add_argument("--predicate", metavar="NAME")
    parser.add_argument("--object", metavar="NAME")
    parser.add_argument("--limit", type=positive, default=20, metavar="N", help="at most so many (20)")
    parser.add_argument("--after", metavar="ID", help="where the last page ended")
    moments(parser)
    parser.runs(_relations)


def walk(parser: Parser) -> None:
    parser.add_argument("entity")
    parser.add_argument("--depth", type=positive, default=2, metavar="N", help="how many steps (2)")
    parser.add_argument("--as-of", metavar="TIME", help="as it was true then")
    parser.runs(_walk)


def entity(parser: Parser) -> None:
    group = parser.group()
    one = group.command("list", "every entity", _entities)
    one.add_argument("--type", metavar="TYPE", help="only of this type")
    one.add_argument("--limit", type=positive, default=100, metavar="N", help="at most so many (100)")
    one.add_argument("--after", metavar="ID", help="where the last page ended")
    group.command("show", "one entity, by id, name or alias", _entity).add_argument("name")
    one = group.command("revise", "rename, describe or tag an entity", _revise_entity)
    one.add_argument("name", help="its id, name or alias")
    one.add_argument("--label", metavar="NAME", help="what it is called from now on")
    one.add_argument("--type", metavar="TYPE")
    several(one, "--alias", "other names, instead of the ones it has")
    one.add_argument("--notes", metavar="TEXT")
    several(one, "--tag", "tags, instead of the ones it has")
    one = group.command("merge", "two entities are one", _merge)
    one.add_argument("keep", help="the one that stays")
    one.add_argument("absorb", help="the one whose relations move")
    one = group.command("split", "one entity was two", _split)
    one.add_argument("name")
    one.add_argument("--label", required=True, metavar="NAME", help="what the other one is called")
    several(one, "--relation", "a relation that is the other's, by id")
    several(one, "--alias", "an alias that is the other's")


def predicate(parser: Parser) -> None:
    group = parser.group()
    group.command("list", "every predicate of the namespace", _predicates)
    group.command("declare", "let the namespace use one more", _declare).add_argument("name")


def _relate(call: Call) -> None:
    given = call.given
    if given.declare:
        call.book.graph.declare(given.predicate)
    call.receipt(
        call.book.relate(
            given.subject,
            given.predicate,
            given.object,
            subject_type=given.subject_type,
            object_type=given.object_type,
            confidence=given.confidence,
            notes=given.notes,
            valid_from=call.time("valid_from"),
            valid_to=call.time("valid_to"),
        )
    )


def _relations(call: Call) -> None:
    given = call.given
    found = call.book.relations(
        given.subject,
        given.predicate,
        given.object,
        limit=given.limit,
        after=given.after,
        as_of=call.time("as_of"),
        known_at=call.time("known_at"),
    )
    call.answer(found, lambda paper: paper.relations(found))


def _walk(call: Call) -> None:
    found = call.book.walk(call.given.entity, depth=call.given.depth, as_of=call.time("as_of"))
    call.answer(found, lambda paper: _steps(paper, found))


def _steps(paper: Paper, found: "Walk") -> Iterator[str]:
    for one in sorted(found.entities, key=lambda one: (found.distance[one.id], one.label)):
        yield f"{'  ' * found.distance[one.id]}{one.label} {paper.paint(f'({one.type})', 'dim')}"
    yield ""
    for tie in found.relations:
        yield f"{tie.subject.label} --{tie.predicate}--> {tie.object.label}"


def _entities(call: Call) -> None:
    given = call.given
    found = call.book.graph.entities(type=given.type, limit=given.limit, after=given.after)
    call.answer(
        found,
        lambda paper: paper.table(
            ("id", "type", "name", "aliases", "tags"),
            ((one.id, one.type, one.label, ", ".join(one.aliases), ", ".join(one.tags)) for one in found),
        ),
    )


def _entity(call: Call) -> None:
    found = call.book.graph.entity(call.given.name)
    call.answer(
        found,
        lambda paper: paper.facts(
            {
                "name": found.label,
                "type": found.type,
                "id": found.id,
                "aliases": ", ".join(found.aliases),
                "tags": ", ".join(found.tags),
                "notes": found.notes,
                "recorded": paper.time(found.recorded_at),
                "version": found.version,
            }
        ),
    )


def _revise_entity(call: Call) -> None:
    given = call.given
    fields: dict[str, Any] = {name: getattr(given, name) for name in ("label", "type", "notes")}
    fields |= {"aliases": listed(given.alias) or None, "tags": listed(given.tag) or None}
    call.receipt(call.book.graph.revise_entity(call.book.graph.entity(given.name).id, **fields))


def _merge(call: Call) -> None:
    graph = call.book.graph
    call.receipt(graph.merge(graph.entity(call.given.keep).id, graph.entity(call.given.absorb).id))


def _split(call: Call) -> None:
    given, graph = call.given, call.book.graph
    call.receipt(
        graph.split(
            graph.entity(given.name).id,
            label=given.label,
            relations=listed(given.relation),
            aliases=listed(given.alias),
        )
    )


def _predicates(call: Call) -> None:
    found = call.book.graph.predicates()
    call.answer(
        [{"id": name, "built_in": built_in} for name, built_in in found],
        [name if built_in else f"{name} (declared here)" for name, built_in in found],
    )


def _declare(call: Call) -> None:
    call.receipt(call.book.graph.declare(call.given.name))
