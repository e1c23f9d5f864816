"""``audit``: who did what."""

from commonplace.interfaces.cli.call import Call
from commonplace.interfaces.cli.parsing import Parser, positive

BROKEN = 1


def audit(parser: Parser) -> None:
    group = parser.group()
    command = group.command("list", "entries, newest first", _list)
    command.add_argument("--before", type=positive, metavar="NUMBER", help="only entries before this one")
    command.add_argument("--limit", type=positive, default=50, metavar="N", help="maximum (default 50)")
    group.command("verify", "check the whole chain; exit code 1 if an entry was changed, removed or inserted", _verify)


def _list(call: Call) -> None:
    lines = call.book.audit.list(after=call.given.before or 0, newest=True, limit=call.given.limit)
    columns = {
        "number": "sequence",
        "at": "at",
        "by": lambda line: call.actor(line.actor),
        "action": "action",
        "of": "noun",
    }
    fields = ("at", "actor", "action", "noun", "target", "reason")
    value = [{"id": line.sequence, **{name: getattr(line, name) for name in fields}} for line in lines]
    call.table(lines, columns | {"target": "target", "reason": "reason"}, value=value, more="--before", spare=("of",))


def _verify(call: Call) -> None:
    check = call.book.audit.verify()
    call.given.exit_code = 0 if check.ok else BROKEN
    verdict = f"OK: {check.lines} entries checked" if check.ok else f"broken: {check.problem}"
    call.answer({"ok": check.ok, "lines": check.lines, "problem": check.problem}, [verdict])
