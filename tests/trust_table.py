"""Every act on a memory, every rank of who acts, every kind of memory: what must come of it.

Interfaces use the same table and only say how an act is done there.
"""

from collections.abc import Callable
from dataclasses import dataclass

from commonplace import Commonplace
from commonplace.model import Receipt, Source

TOOL, AGENT, WORDS, PERSON = 0, 1, 2, 3
KINDS = ("plain", "confirmed", "pinned", "core", "relation")
"""What a person stated; ``confirmed`` was an agent's until a person confirmed it."""


def acting(book: Commonplace, rank: int, name: str = "other") -> Commonplace:
    """The book as somebody of that rank holds it."""
    interfaces: dict[int, tuple[Source, bool]] = {TOOL: ("tool", False), AGENT: ("assistant", False)}
    source, person = interfaces.get(rank, ("user", True))
    actor = {TOOL: "tool", AGENT: "agent", WORDS: "words", PERSON: "person"}[rank]
    held = book.acting_as(f"{actor}:{name}", source=source, person=person)
    if rank == WORDS:
        return type(book)(held._parts, held._scope.acting_as("words", source="user", person=True, rank_limit=WORDS))
    return held


def made(book: Commonplace, rank: int, kind: str) -> str:
    """The id of a memory of that kind, by somebody of that rank."""
    writer = acting(book, rank, "writer")
    if kind == "core":
        return str(writer.core.set("editor", "vim with many plugins").id)
    if kind == "relation":
        return str(writer.relate("Ada", "works_at", "Initech", object_type="company").id)
    if kind == "pinned":
        return str(writer.remember("Ada parks on the third deck", pinned=True).id)
    if kind == "confirmed":
        id = str(acting(book, min(rank, AGENT), "writer").remember("Ada parks on the third deck").id)
        if rank == PERSON:
            book.confirm(id)
        return id
    return str(writer.remember("Ada parks on the third deck").id)


@dataclass(frozen=True)
class Act:
    """One verb on a memory; ``kinds`` are those it fits."""

    name: str
    run: Callable[[Commonplace, str], Receipt]
    kinds: tuple[str, ...] = KINDS
    before: Callable[[Commonplace, str], object] = lambda book, id: None
    """What the memory's own writer does first, so that there is something to go back to."""


def _revise(book: Commonplace, id: str) -> Receipt:
    if book.get(id).kind == "relational":
        return book.graph.revise(id, object="Hooli")
    return book.revise(id, "Ada parks in the street")


ACTS = (
    Act("revise", _revise),
    Act("pin", lambda book, id: book.revise(id, pinned=not book.get(id).pinned)),
    Act("weigh", lambda book, id: book.revise(id, importance=0.01)),
    Act("reject", lambda book, id: book.reject(id)),
    Act("end", lambda book, id: book.end(id)),
    Act("archive", lambda book, id: book.archive(id)),
    Act(
        "rollback",
        lambda book, id: book.rollback(id, to=1),
        before=lambda book, id: book.revise(id, importance=0.9),
    ),
    Act("forget", lambda book, id: book.forget(id)),
    Act("move", lambda book, id: book.namespaces.move([id], to="elsewhere")),
    Act("re-key", lambda book, id: book.core.set("editor", "emacs with evil mode"), kinds=("core",)),
    Act("bulk reject", lambda book, id: book.bulk.reject([id])),
    Act(
        "rename",
        lambda book, id: book.graph.revise_entity(book.graph.entity("Initech").id, label="Hooli"),
        kinds=("relation",),
    ),
)


def is_done(act: Act, *, actor: int, writer: int) -> bool:
    """Whether an act is done, or only proposed. Forgetting by id: a person, or whoever wrote it (not in this table)."""
    if act.name == "forget":
        return actor >= WORDS
    return actor >= writer
