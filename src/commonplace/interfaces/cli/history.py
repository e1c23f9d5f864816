"""``history``, ``undo`` and ``receipts``."""

from collections.abc import Iterator, Sequence
from contextlib import suppress

from commonplace.errors import NotFound
from commonplace.interfaces.cli.call import Call, named
from commonplace.interfaces.cli.progress import progress
from commonplace.model import Receipt

FINAL = ("FORGET", "ERASE", "UNDO")
"""Actions that are not undone."""
LOOKED_AT, LISTED = 50, 10


def history(call: Call) -> None:
    versions = call.book.history(call.id(call.given.id))
    call.answer(
        [named(version.memory.id, version) for version in versions],
        lambda paper: paper.versions(versions, call.actor),
    )


def undo(call: Call) -> None:
    if call.given.receipt is None:
        _undoable(call)
        return
    ref = call.ref(call.given.receipt)
    with progress("undoing") as show:
        receipt = call.book.undo(ref, progress=show)
    call.receipt(receipt)


def _undoable(call: Call) -> None:
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


def _last_changes(receipts: Sequence[Receipt]) -> Iterator[Receipt]:
    """Those, newest first, since which nothing they are about was changed or forgotten: an undo refuses the others."""
    versions: dict[str, int | None] = {}
    for receipt in receipts:
        after = {change.id: change.after for change in receipt.changes if change.noun == "memory"}
        if all(versions.setdefault(id, version) == version for id, version in after.items()):
            yield receipt


def _text(call: Call, receipt: Receipt) -> str:
    """What a change was about: the memory's text, or how many things it touched."""
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
