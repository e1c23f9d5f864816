"""``review``: what waits for a person."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from commonplace.interfaces.cli.call import Call, Run
from commonplace.interfaces.cli.parsing import Parser, positive
from commonplace.interfaces.cli.show import MARGIN, Paper, author

if TYPE_CHECKING:
    from commonplace.memories.review import Decision, Waiting


def review(parser: Parser) -> None:
    group = parser.group()
    command = group.command("list", "memories to decide about, oldest first", _list)
    command.add_argument("--limit", type=positive, default=20, metavar="N", help="maximum (default 20)")
    command.add_argument("--after", metavar="ID", help="the last id of the previous page")
    group.command("approve", "confirm a memory", _decide("approve")).add_argument("id")
    command = group.command("correct", "confirm a memory with corrected text", _decide("correct"))
    command.add_argument("id")
    command.add_argument("text", nargs="+", help="what is right; `-` reads it from standard input")
    command.add_argument("--reason", metavar="TEXT", help="why, for the history")
    command = group.command("reject", "reject a memory", _decide("reject"))
    command.add_argument("id")
    command.add_argument("--reason", metavar="TEXT", help="why, for the history")
    command = group.command("lift", "allow a rejected or forgotten value again", _lift)
    command.add_argument("text", nargs="+", help="the value; `-` reads it from standard input")


def _list(call: Call) -> None:
    waiting = call.book.review.list(limit=call.given.limit, after=call.after())
    limit = call.given.limit
    total = call.book.review.count() if len(waiting) >= limit and not call.given.after else None
    call.answer(
        waiting_json(waiting),
        lambda paper: [*_lines(paper, waiting), *paper.more(waiting, limit, "--after", total=total)],
    )


def waiting_json(waiting: "Sequence[Waiting]") -> list[dict[str, object]]:
    return [
        {
            "id": candidate.memory.id,
            "memory": candidate.memory,
            "reason": candidate.reason,
            "evidence": [{"episode": episode, "quote": quote} for episode, quote in candidate.quotes],
            "conflict": candidate.conflict,
        }
        for candidate in waiting
    ]


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


def _decide(decision: "Decision") -> Run:
    def run(call: Call) -> None:
        arguments = call.given
        text = call.text(arguments.text) if decision == "correct" else None
        reason = getattr(arguments, "reason", None)
        call.receipt(call.book.review.decide(call.id(arguments.id), decision, text=text, reason=reason))

    return run


def _lift(call: Call) -> None:
    lifted = call.book.review.lift(call.text(call.given.text))
    call.answer({"lifted": lifted}, [f"{lifted} lifted"])
