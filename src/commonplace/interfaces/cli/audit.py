"""``audit`` and ``usage``: who did what, and what models were asked."""

from commonplace.interfaces.cli.call import Call, named

BROKEN = 1


def list_(call: Call) -> None:
    lines = call.book.audit.list(after=call.given.before or 0, newest=True, limit=call.given.limit)
    columns = {"number": "sequence", "at": "at", "by": lambda line: call.actor(line.actor), "action": "action"}
    fields = ("at", "actor", "action", "noun", "target", "reason")
    value = [{"id": line.sequence, **{name: getattr(line, name) for name in fields}} for line in lines]
    call.table(
        lines,
        columns | {"of": "noun", "target": "target", "reason": "reason"},
        value=value,
        more="--before",
        spare=("of",),
    )


def verify(call: Call) -> None:
    check = call.book.audit.verify()
    call.given.exit_code = 0 if check.ok else BROKEN
    verdict = f"OK: {check.lines} entries checked" if check.ok else f"broken: {check.problem}"
    call.answer(check, [verdict])


def usage(call: Call) -> None:
    since = call.time("since")
    days = call.book.timeline.usage(since="" if since is None else since.date().isoformat())
    columns = {"day": "day", "what": "what", "calls": "calls", "tokens": "tokens"}
    call.table(days, columns, value=[named(day.day, day) for day in days])
