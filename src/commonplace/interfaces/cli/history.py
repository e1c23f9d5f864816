"""``history``, ``undo``, ``receipts``, ``audit``, ``usage`` and ``jobs``."""

from collections.abc import Iterator, Sequence
from contextlib import suppress

from commonplace.errors import Invalid, NotFound
from commonplace.interfaces.cli.call import Call, named
from commonplace.interfaces.cli.progress import progress
from commonplace.model import Receipt

FINAL = ("FORGET", "ERASE", "UNDO")
"""Actions that are not offered for undo."""
LOOKED_AT, LISTED = 50, 10


def history(call: Call) -> None:
    versions = call.book.history(call.id(call.given.id))
    call.answer(
        [named(version.memory.id, version) for version in versions],
        lambda paper: paper.versions(versions, call.actor),
    )


def undo(call: Call) -> None:
    if call.given.receipt is None:
        receipts = [row for row in _last_changes(call.book.receipts.list(limit=LOOKED_AT)) if row.action not in FINAL]
        receipts = receipts[:LISTED]
        texts = {row.ref: _text(call, row) for row in receipts}
        call.answer(
            receipts,
            lambda paper: paper.table(
                ("receipt", "at", "action", "about"),
                ((row.ref, paper.time(row.at), row.action, texts[row.ref]) for row in receipts),
            ),
        )
        if not call.json and receipts:
            print("Undo one of these with: commonplace undo RECEIPT")
        return
    ref = call.ref(call.given.receipt)
    with progress("undoing") as show:
        receipt = call.book.undo(ref, progress=show)
    call.receipt(receipt)


def _last_changes(receipts: Sequence[Receipt]) -> Iterator[Receipt]:
    """The receipts, newest first, whose memories were not changed or forgotten since: undo refuses the others."""
    versions: dict[str, int | None] = {}
    for receipt in receipts:
        after = {change.id: change.after for change in receipt.changes if change.noun == "memory"}
        if all(versions.setdefault(id, version) == version for id, version in after.items()):
            yield receipt


def _text(call: Call, receipt: Receipt) -> str:
    """What a change was about: the memory's text, or the number of items."""
    if len(receipt.ids) == 1:
        with suppress(NotFound):
            return call.book.get(receipt.ids[0]).text
    return f"{len(receipt.ids):,} changes" if len(receipt.ids) > 1 else " ".join(receipt.ids)


def receipts(call: Call) -> None:
    keywords = call.keywords()
    keywords["actions"] = [action.upper() for action in keywords.get("actions", ())]
    columns = {"receipt": "ref", "at": "at", "action": "action", "state": "state"}
    further = {"by": lambda receipt: call.actor(receipt.actor), "about": lambda receipt: _text(call, receipt)}
    call.table(call.book.receipts.list(**keywords), {**columns, **further}, more="--before", spare=("by", "state"))


BROKEN = 1


def audit(call: Call) -> None:
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


def verify_audit(call: Call) -> None:
    check = call.book.audit.verify()
    call.given.exit_code = 0 if check.ok else BROKEN
    verdict = f"OK: {check.lines} entries checked" if check.ok else f"broken: {check.problem}"
    call.answer(check, [verdict])


def usage(call: Call) -> None:
    since = call.time("since")
    days = call.book.timeline.usage(since="" if since is None else since.date().isoformat())
    columns = {"day": "day", "what": "what", "calls": "calls", "tokens": "tokens"}
    call.table(days, columns, value=[named(day.day, day) for day in days])


def job_counts(call: Call) -> None:
    counts = call.book.jobs.counts()
    rows = [(kind, state, number) for kind, states in counts.items() for state, number in states.items()]
    call.answer(counts, lambda paper: paper.table(("kind", "state", "jobs"), rows))


def replay_jobs(call: Call) -> None:
    arguments = call.given
    if (arguments.id is None) != arguments.all:
        raise Invalid("pass a job's id, or --all")
    ids = [job.id for job in call.book.jobs.list(states=["dead"], limit=10_000)] if arguments.all else [arguments.id]
    replayed = [call.book.jobs.replay(id) for id in ids]
    call.answer(replayed, [f"{len(replayed)} waiting again"])
