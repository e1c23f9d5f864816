"""``review``: what waits for a person."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from commonplace.interfaces.cli.call import Call, named
from commonplace.interfaces.cli.show import MARGIN, Paper, author

if TYPE_CHECKING:
    from commonplace.memories.review import Waiting


def list_(call: Call) -> None:
    waiting = call.book.review.list(**call.keywords())
    limit = call.given.limit
    total = call.book.review.count() if len(waiting) >= limit and not call.given.after else None
    call.answer(
        [named(candidate.memory.id, candidate) for candidate in waiting],
        lambda paper: [*_lines(paper, waiting), *paper.more(waiting, limit, "--after", total=total)],
    )


def _lines(paper: Paper, waiting: "Sequence[Waiting]") -> Iterator[str]:
    if not waiting:
        yield paper.paint("All caught up.", "dim")
    for candidate in waiting:
        yield paper.paint(candidate.memory.text, "bold")
        yield "    " + paper.paint(paper.joined([candidate.reason, *paper.about(candidate.memory)], MARGIN), "dim")
        yield from (f"    said: {quote or episode.text}" for episode, quote in candidate.quotes)
        if candidate.conflict is not None:
            by = f" ({who})" if (who := author(candidate.conflict)) else ""
            id = paper.paint(paper.id(candidate.conflict.id), "dim")
            yield f"    against: {candidate.conflict.text}{by}  {id}"


def lift(call: Call) -> None:
    lifted = call.book.review.lift(call.text(call.given.text))
    call.answer({"lifted": lifted}, [f"{lifted} lifted"])
