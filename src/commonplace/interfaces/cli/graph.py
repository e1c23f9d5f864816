"""``relate``, ``relations``, ``walk``, ``entity`` and ``predicate``."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from commonplace.interfaces.cli.call import Call, listed
from commonplace.interfaces.cli.parsing import Parser, again, moments, positive, several, share
from commonplace.interfaces.cli.show import Paper
from commonplace.model import Receipt

if TYPE_CHECKING:
    from commonplace.memories.graph import Walk


def relate(parser: Parser) -> None:
    parser.add_argument("subject")
    parser.add_argument("predicate", help="such as works_at; `commonplace predicate list` shows all")
    parser.add_argument("object")
    parser.add_argument("--subject-type", default="person", metavar="TYPE", help="person, company, project, topic …")
    parser.add_argument("--object-type", default="topic", metavar="TYPE", help="person, company, project, topic …")
    parser.add_argument("--confidence", type=share, default=0.7, metavar="0…1", help="how sure (default 0.7)")
    parser.add_argument("--notes", metavar="TEXT")
    parser.add_argument("--declare", action="store_true", help="allow a new predicate in the namespace")
    parser.add_argument("--valid-from", metavar="TIME", help="true since")
    parser.add_argument("--valid-to", metavar="TIME", help="true until")
    again(parser)
    parser.runs(_relate)


def relations(parser: Parser) -> None:
    parser.add_argument("--subject", metavar="NAME")
    parser.add_argument("--predicate", metavar="NAME")
    parser.add_argument("--object", metavar="NAME")
    parser.add_argument("--limit", type=positive, default=20, metavar="N", help="maximum (default 20)")
    parser.add_argument("--after", metavar="ID", help="the last id of the previous page")
    moments(parser)
    parser.runs(_relations)


def walk(parser: Parser) -> None:
    parser.add_argument("entity")
    parser.add_argument("--depth", type=positive, default=2, metavar="N", help="maximum steps (default 2)")
    moments(parser)
    parser.runs(_walk)


def entity(parser: Parser) -> None:
    group = parser.group()
    command = group.command("list", "every entity", _entities)
    command.add_argument("--type", metavar="TYPE", help="only of this type")
    command.add_argument("--tag", metavar="TAG", help="only with this tag")
    command.add_argument("--limit", type=positive, default=100, metavar="N", help="maximum (default 100)")
    command.add_argument("--after", metavar="ID", help="the last id of the previous page")
    group.command("show", "one entity, by id, name or alias", _entity).add_argument("name")
    command = group.write("revise", "rename, describe or tag an entity", _revise_entity)
    command.add_argument("name", help="its id, name or alias")
    command.add_argument("--label", metavar="NAME", help="what it is called from now on")
    command.add_argument("--type", metavar="TYPE")
    several(command, "--alias", "other names, instead of the ones it has")
    command.add_argument("--notes", metavar="TEXT")
    several(command, "--tag", "tags, instead of the ones it has")
    command = group.write(
        "merge",
        "merge two entities",
        lambda call: call.book.graph.merge(_id(call, call.given.keep), _id(call, call.given.absorb)),
    )
    command.add_argument("keep", help="the one that stays")
    command.add_argument("absorb", help="the one whose relations move")
    command = group.write("split", "split one entity into two", _split)
    command.add_argument("name")
    command.add_argument("--label", required=True, metavar="NAME", help="what the other one is called")
    several(command, "--relation", "a relation of the other one, by id")
    several(command, "--alias", "an alias of the other one")


def predicate(parser: Parser) -> None:
    group = parser.group()
    group.command("list", "every predicate of the namespace", _predicates)
    help = "allow another predicate"
    group.write("declare", help, lambda call: call.book.graph.declare(call.given.name)).add_argument("name")


def _relate(call: Call) -> None:
    arguments = call.given
    if arguments.declare:
        call.book.graph.declare(arguments.predicate)
    names = ("subject", "predicate", "object", "subject_type", "object_type", "confidence", "notes")
    start, end = call.time("valid_from"), call.time("valid_to")
    words = call.arguments(*names)
    call.receipt(call.book.relate(**words, valid_from=start, valid_to=end, confirm=arguments.again))


def _relations(call: Call) -> None:
    arguments = call.given
    words = call.arguments("subject", "predicate", "object", "limit", "after")
    relations = call.book.relations(**words, as_of=call.time("as_of"), known_at=call.time("known_at"))
    call.answer(
        relations, lambda paper: [*paper.relations(relations), *paper.more(relations, arguments.limit, "--after")]
    )


def _walk(call: Call) -> None:
    when = {"as_of": call.time("as_of"), "known_at": call.time("known_at")}
    walk = call.book.walk(call.given.entity, depth=call.given.depth, **when)
    call.answer(walk, lambda paper: _steps(paper, walk))


def _steps(paper: Paper, walk: "Walk") -> Iterator[str]:
    for entity in sorted(walk.entities, key=lambda entity: (walk.distance[entity.id], entity.label)):
        yield f"{'  ' * walk.distance[entity.id]}{entity.label} {paper.paint(f'({entity.type})', 'dim')}"
    yield ""
    for tie in walk.relations:
        yield f"{tie.subject.label} --{tie.predicate}--> {tie.object.label}"


def _entities(call: Call) -> None:
    entities = call.book.graph.entities(**call.arguments("type", "tag", "limit", "after"))
    call.table(entities, {"id": "id", "type": "type", "name": "label", "aliases": "aliases", "tags": "tags"})


def _entity(call: Call) -> None:
    entity = call.book.graph.entity(call.given.name)
    call.answer(
        entity,
        lambda paper: paper.facts(
            {
                "name": entity.label,
                "type": entity.type,
                "id": entity.id,
                "aliases": ", ".join(entity.aliases),
                "tags": ", ".join(entity.tags),
                "notes": entity.notes,
                "recorded": paper.time(entity.recorded_at),
                "version": entity.version,
            }
        ),
    )


def _id(call: Call, name: str) -> str:
    return call.book.graph.entity(name).id


def _revise_entity(call: Call) -> Receipt:
    fields = call.arguments("label", "type", "notes")
    fields |= {"aliases": listed(call.given.alias) or None, "tags": listed(call.given.tag) or None}
    return call.book.graph.revise_entity(_id(call, call.given.name), **fields)


def _split(call: Call) -> Receipt:
    given = {"relations": listed(call.given.relation), "aliases": listed(call.given.alias)}
    return call.book.graph.split(_id(call, call.given.name), label=call.given.label, **given)


def _predicates(call: Call) -> None:
    predicates = call.book.graph.predicates()
    call.answer(
        [{"id": name, "built_in": built_in} for name, built_in in predicates],
        [name if built_in else f"{name} (declared here)" for name, built_in in predicates],
    )
