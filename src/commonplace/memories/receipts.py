"""Receipts of everything that was done, newest first."""

import builtins
from collections.abc import Sequence

from commonplace.errors import NotFound
from commonplace.memories.admission import page_size
from commonplace.memories.scope import Scope
from commonplace.model import Change, Receipt
from commonplace.store.rows import ReceiptRow, from_row

PART = "part"
"""The state of a receipt for one transaction of an act that took many."""


class Receipts:
    def __init__(self, scope: Scope) -> None:
        self._scope = scope

    def list(
        self, *, actions: Sequence[str] = (), before: str | None = None, limit: int = 100
    ) -> builtins.list[Receipt]:
        """A page, newest first, one receipt per act; ``before`` is the last ref of the previous page."""
        limit = page_size(limit)
        receipt_rows: list[ReceiptRow] = []
        with self._scope.store.read(self._scope.owner) as tx:
            while page := tx.receipts.page(before=before, limit=limit, actions=actions):
                receipt_rows += [row for row in page if row.state != PART]
                before = page[-1].ref
                if len(receipt_rows) >= limit:
                    break
        return [self._receipt(row) for row in receipt_rows[:limit]]

    def get(self, ref: str) -> Receipt:
        """One receipt. It has ids and versions; the texts are in the memories."""
        with self._scope.store.read(self._scope.owner) as tx:
            row = tx.receipts.get(ref)
            if row is None:
                raise NotFound("receipt", ref)
            return self._receipt(row)

    def _receipt(self, row: ReceiptRow) -> Receipt:
        plain = self._scope.opened(row)
        changes = tuple(Change(**change) for change in plain["changes"])
        ids, notes = tuple(plain["ids"]), tuple(plain["notes"])
        return from_row(Receipt, row, ids=ids, changes=changes, trace=plain.get("trace"), notes=notes)
