"""Undoes an act of many transactions in as many, last one first; after an interruption the next call continues.

No writer waits longer than for one of them. Readers meanwhile see each memory as the act left it or as it was before.
"""

from collections.abc import Sequence
from dataclasses import asdict, replace
from typing import TYPE_CHECKING, Any

from commonplace.batches.report import SHOWN
from commonplace.batches.runs import COPIED, PART, PURGED, TAKEN, copy_again, undo_copy, undo_part, undo_purge
from commonplace.errors import Conflict, Invalid
from commonplace.lazy import LazyModule
from commonplace.learning.apply import EVIDENCE
from commonplace.learning.learn import undo_evidence, undo_learned
from commonplace.learning.trace import LEARNED
from commonplace.memories import receipts
from commonplace.memories.gateway import UNDOERS, Gateway
from commonplace.memories.graph import undo_entity
from commonplace.memories.namespaces import GONE, undo_gone, undo_namespace
from commonplace.memories.scope import Scope
from commonplace.memories.unit_of_work import Work, write_transaction
from commonplace.model import Change, Receipt
from commonplace.store.ports import Progress
from commonplace.store.rows import ReceiptRow, from_row

if TYPE_CHECKING:
    from commonplace.directives import records
else:  # loaded when first used
    records = LazyModule("commonplace.directives.records")

UNFINISHED = "unfinished"

UNDOERS |= {
    "entity": undo_entity,
    "namespace": undo_namespace,
    GONE: undo_gone,
    "directive": lambda *state: records.undo_directive(*state),  # noqa: PLW0108  # loads the module when called
    "step": lambda *state: records.undo_step(*state),  # noqa: PLW0108
    LEARNED: undo_learned,
    EVIDENCE: undo_evidence,
    PART: lambda gateway, work, ref, before, after: undo_part(gateway, work, ref),
    COPIED: undo_copy,
    TAKEN: copy_again,
    PURGED: undo_purge,
}
"""How nouns other than memories and tags are undone."""


def undo(scope: Scope, ref: str, *, progress: Progress | None = None) -> Receipt:
    """Undo everything that a receipt did; undoing the new receipt does it again.

    A single transaction is undone in one, or raises ``Conflict`` and changes nothing. In an act of many, what changed
    since is left and listed; of its changes the first thousand are listed.
    """
    gateway = Gateway(scope)
    with scope.store.read(scope.owner) as tx:
        snapshot = gateway.undoable(tx, ref)
        row = tx.receipts.get(ref)
        unfinished = tx.receipts.get(snapshot["undoing"]) if "undoing" in snapshot else None
    if row is not None and row.state == UNFINISHED:
        raise Invalid(f"this undo was interrupted; run `undo {snapshot['undoes']}` again first")
    parts = [id for noun, id, *_ in snapshot["touched"] if noun == PART]
    if len(parts) < 2 or len(parts) < len(snapshot["touched"]):
        return gateway.undo(ref)
    undoing = _Undoing(scope, ref, unfinished if unfinished is not None and unfinished.state == UNFINISHED else None)
    for part in reversed(parts[: len(parts) - undoing.done]):
        undoing.take_back(part, last=undoing.done + 1 == len(parts))
        if progress is not None:
            progress(undoing.done, len(parts))
    return undoing.receipt()


class _Undoing:
    def __init__(self, scope: Scope, undoes: str, receipt_row: ReceiptRow | None) -> None:
        self._scope, self._undoes = scope, undoes
        self._own = replace(scope, settle=None)  # recorded with the last part, not with the first
        self._ref = scope.clock.new_id() if receipt_row is None else receipt_row.ref
        progress: dict[str, Any] = {} if receipt_row is None else scope.opened(receipt_row)
        self.done: int = progress.get("done", 0)
        self._made: list[str] = [id for _, id, *_ in progress.get("touched", ())]
        self._changes = [Change(**change) for change in progress.get("changes", ())]
        self._count: int = progress.get("count", 0)
        self._row = receipt_row

    def take_back(self, part: str, *, last: bool) -> None:
        with write_transaction(self._own, "UNDO") as work:
            self._mark(work)
            undo_part(Gateway(self._own), work, part)
            part_receipt = work.receipt(state=receipts.PART, keep=bool(work.touched))
            if work.touched:
                self._made.append(part_receipt.ref)
            self._count += len(work.changes)
            self._changes += work.changes[: SHOWN - len(self._changes)]
            self.done += 1
            self._keep(work, "done" if last else UNFINISHED)
            if last and self._scope.settle is not None:
                self._scope.settle(self._scope, work.tx, self.receipt())

    def receipt(self) -> Receipt:
        changes = tuple(self._changes)
        return from_row(Receipt, self._row, ids=_ids(changes), changes=changes, notes=self._notes())

    def _notes(self) -> tuple[str, ...]:
        if self._count <= len(self._changes):
            return ()
        return (f"{self._count:,} changes, of which the first {len(self._changes):,} are listed",)

    def _mark(self, work: Work) -> None:
        """Record in the act's receipt who undoes it. Raises ``Conflict`` if another process does."""
        row = work.tx.receipts.get(self._undoes)
        assert row is not None
        if self._row is not None:
            own = work.tx.receipts.get(self._ref)
            finished = 0 if own is None else self._scope.opened(own)["done"]
            if finished != self.done:
                raise Conflict("receipt", self._undoes, expected=self.done, found=finished)
            return
        snapshot = self._scope.opened(row)
        before = work.tx.receipts.get(snapshot["undoing"]) if "undoing" in snapshot else None
        if before is not None and before.state == UNFINISHED:
            raise Conflict("receipt", self._undoes, expected=0, found=1)
        work.tx.receipts.put(work.vault.sealed(row, snapshot | {"undoing": self._ref}))

    def _keep(self, work: Work, state: str) -> None:
        last = work.tx.audit.last()
        plain = {
            "ids": list(_ids(self._changes)),
            "changes": [asdict(change) for change in self._changes],
            "notes": list(self._notes()),
            "trace": None,
            "audited": last.sequence if last else 0,
            "touched": [[PART, ref, None, 0] for ref in self._made],
            "tombstones": [],
            "undoes": self._undoes,
            "done": self.done,
            "count": self._count,
        }
        at = None if self._row is None else self._row.at
        self._row = work.receipt_row(self._ref, state, plain, action="UNDO", at=at)
        work.tx.receipts.put(self._row)


def _ids(changes: Sequence[Change]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(change.id for change in changes))
