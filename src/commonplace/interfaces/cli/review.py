"""``review``: what waits for a person."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from commonplace.interfaces.cli.call import Call, Run
from commonplace.interfaces.cli.parsing import Parser, positive
from commonplace.interfaces.cli.show import Paper

if TYPE_CHECKING:
    from commonplace.memories.review import Waiting


def review(parser: Parser) -> None:
    group = parser.group()
    one = group.command("list", "what waits, oldest first", _list)
    one.add_argument("--limit", type=positive, default=20, metavar="N", help="at most so many (20)")
    one.add_argument("--after", metavar="ID", help="where the last page ended")
    group.command("approve", "it is right", _decide("approve")).add_argument("id")
    one = group.command("correct", "it is nearly right: say what is", _decide("correct"))
    one.add_argument("id")
    one.add_argument("text", nargs="+", help="what is right; `-` reads it from standard input")
    one.add_argument("--reason", metavar="TEXT", help="why, for the history")
    one = group.command("reject", "it is wrong", _decide("reject"))
    one.add_argument("id")
    one.add_argument("--reason", metavar="TEXT", help="why, for the history")
    one = group.command("lift", "let a rejected or forgotten value be stated again", _lift)
    one.add_argument("text", nargs="+", help="the value; `-` reads it from standard input")


def _list(call: Call) -> None:
    waiting = call.book.review.list(limit=call.given.limit, after=call.given.after)
    call.answer(waiting_json(waiting), lambda paper: _lines(paper, waiting))


def waiting_json(waiting: "Sequence[Waiting]") -> list[dict[str, object]]:
    return [
        {
            "id": one.memory.id,
            "memory": one.memory,
            "reason": one.reason,
            "evidence": [{"episode": episode, "quote": quote} for episode, quote in one.quotes],
            "conflict": one.conflict,
        }
        for one in waiting
    ]


def _lines(paper: Paper, waiting: "Sequence[Waiting]") -> Iterator[str]:
    if not waiting:
        yield paper.paint("nothing waits", "dim")
    for one in waiting:
        yield paper.paint(one.memory.text, "bold")
        yield "    " + paper.paint(f"{one.reason} · {paper.about(one.memory)}", "dim")
        yield from (f"    said: {quote or episode.text}" for episode, quote in one.quotes)
        if one.conflict is not None:
            yield f"    against: {one.conflict.text}  {paper.paint(one.conflict.id, 'dim')}"


def _decide(decision: str) -> Run:
    def run(call: Call) -> None:
        given = call.given
        text = call.text(given.text) if decision == "correct" else None
        reason = getattr(given, "reason", None)
        call.receipt(call.book.review.decide(call.id(given.id), decision, text=text, reason=reason))

    return run


def _lift(call: Call) -> None:
    lifted = call.book.review.lift(call.text(call.given.text))
    call.answer({"lifted": lifted}, [f"{lifted} lifted"])
