"""``history``, ``undo`` and ``receipts``."""

from collections.abc import Iterator, Sequence
from contextlib import suppress

from commonplace.errors import NotFound
from commonplace.interfaces.cli.call import Call, listed
from commonplace.interfaces.cli.parsing import Parser, positive, several
from commonplace.interfaces.cli.progress import progress
from commonplace.model import Receipt

FINAL = ("FORGET", "ERASE", "UNDO")
"""Actions that are not undone."""
LOOKED_AT, LISTED = 50, 10


def history(parser: Parser) -> None:
    parser.add_argument("id")
    parser.runs(_history)


def undo(parser: Parser) -> None:
    parser.add_argument(
        "receipt", nargs="?", metavar="RECEIPT", help="what to undo; `@` is the latest; none: list what can be undone"
    )
    parser.runs(_undo)


def receipts(parser: Parser) -> None:
    several(parser, "--action", "only of this action, such as REMEMBER or FORGET")
    parser.add_argument("--limit", type=positive, default=20, metavar="N", help="maximum (default 20)")
    parser.add_argument("--before", metavar="RECEIPT", help="the last receipt of the previous page")
    parser.runs(_receipts)


def _history(call: Call) -> None:
    versions = call.book.history(call.id(call.given.id))
    call.answer(
        [{"id": version.memory.id, **_fields(version)} for version in versions],
        lambda paper: paper.versions(versions, call.actor),
    )


def _fields(version: object) -> dict[str, object]:
    names = ("version", "recorded_at", "superseded_at", "actor", "action", "reason", "memory")
    return {name: getattr(version, name) for name in names}


def _undo(call: Call) -> None:
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


def _receipts(call: Call) -> None:
    arguments = call.given
    actions = [action.upper() for action in listed(arguments.action)]
    receipts = call.book.receipts.list(actions=actions, before=arguments.before, limit=arguments.limit)
    call.answer(
        receipts,
        lambda paper: [*_receipt_table(call, receipts), *paper.more(receipts, arguments.limit, "--before")],
    )


def _receipt_table(call: Call, receipts: Sequence[Receipt]) -> Iterator[str]:
    paper = call.paper
    rows = (
        (row.ref, paper.time(row.at), row.action, row.state, call.actor(row.actor), " ".join(row.ids))
        for row in receipts
    )
    return paper.table(("receipt", "at", "action", "state", "by", "about"), rows, spare=("by", "state"))
