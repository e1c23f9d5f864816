"""``audit``: who did what."""

from commonplace.interfaces.cli.call import Call
from commonplace.interfaces.cli.parsing import Parser, positive

BROKEN = 1


def audit(parser: Parser) -> None:
    group = parser.group()
    one = group.command("list", "the lines in order", _list)
    one.add_argument("--after", type=int, default=0, metavar="NUMBER", help="begin behind this line")
    one.add_argument("--limit", type=positive, default=50, metavar="N", help="at most so many (50)")
    group.command("verify", "walk the whole chain; ends with 1 if a line was changed, removed or inserted", _verify)


def _list(call: Call) -> None:
    lines = call.book.audit.list(after=call.given.after, limit=call.given.limit)
    call.answer(
        [
            {"id": one.sequence, "at": one.at, "actor": one.actor, "action": one.action, "noun": one.noun}
            | {"target": one.target, "reason": one.reason}
            for one in lines
        ],
        lambda paper: paper.table(
            ("line", "at", "by", "action", "of", "target", "reason"),
            (
                (one.sequence, paper.time(one.at), one.actor, one.action, one.noun, one.target, one.reason)
                for one in lines
            ),
        ),
    )


def _verify(call: Call) -> None:
    check = call.book.audit.verify()
    call.given.exit_code = 0 if check.ok else BROKEN
    said = f"{check.lines} lines, unbroken" if check.ok else f"broken: {check.problem}"
    call.answer({"ok": check.ok, "lines": check.lines, "problem": check.problem}, [said])
