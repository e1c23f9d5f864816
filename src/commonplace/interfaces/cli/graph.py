"""``relate``, ``walk``, ``entity`` and ``predicate``."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from commonplace.interfaces.cli.call import Call
from commonplace.interfaces.cli.show import Paper

if TYPE_CHECKING:
    from commonplace.memories.graph import Walk


def relate(call: Call) -> None:
    if call.given.declare:
        call.book.graph.declare(call.given.predicate)
    call.receipt(call.book.relate(**call.keywords("declare")))


def walk_lines(paper: Paper, walk: "Walk") -> Iterator[str]:
    for entity in sorted(walk.entities, key=lambda entity: (walk.distance[entity.id], entity.label)):
        yield f"{'  ' * walk.distance[entity.id]}{entity.label} {paper.paint(f'({entity.type})', 'dim')}"
    yield ""
    for tie in walk.relations:
        yield f"{tie.subject.label} --{tie.predicate}--> {tie.object.label}"


def _id(call: Call, name: str) -> str:
    return call.book.graph.entity(name).id


def merge(call: Call) -> None:
    call.receipt(call.book.graph.merge(_id(call, call.given.keep), _id(call, call.given.absorb)))


def revise_entity(call: Call) -> None:
    call.receipt(call.book.graph.revise_entity(_id(call, call.given.name), **call.keywords("name")))


def split(call: Call) -> None:
    call.receipt(call.book.graph.split(_id(call, call.given.name), **call.keywords("name")))


def predicates(call: Call) -> None:
    predicates = call.book.graph.predicates()
    call.answer(
        [{"id": name, "built_in": built_in} for name, built_in in predicates],
        [name if built_in else f"{name} (declared here)" for name, built_in in predicates],
    )
