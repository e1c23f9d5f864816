"""What was done, newest first: every receipt that was handed out."""

from collections.abc import Sequence

from commonplace.clock import moment
from commonplace.errors import NotFound
from commonplace.memories.scope import Scope
from commonplace.model import Change, Receipt
from commonplace.store.rows import ReceiptRow

PART = "part"
"""The state of the receipt of one transaction of an act that took many."""


class Receipts:
    def __init__(self, scope: Scope) -> None:
        self._scope = scope

    def list(self, *, actions: Sequence[str] = (), before: str | None = None, limit: int = 100) -> list[Receipt]:
        """A page, newest first, one for each act; ``before`` is the ref that the last page ended with."""
        found: list[ReceiptRow] = []
        with self._scope.store.read(self._scope.owner) as tx:
            while page := tx.receipts.page(before=before, limit=limit, actions=actions):
                found += [row for row in page if row.state != PART]
                before = page[-1].ref
                if len(found) >= limit:
                    break
        return [self._receipt(row) for row in found[:limit]]

    def get(self, ref: str) -> Receipt:
        """One receipt. It names ids and versions; the words themselves are with the memories."""
        with self._scope.store.read(self._scope.owner) as tx:
            row = tx.receipts.get(ref)
            if row is None:
                raise NotFound("receipt", ref)
            return self._receipt(row)

    def _receipt(self, row: ReceiptRow) -> Receipt:
        kept = self._scope.open_json("receipt", row.ref, row.sealed)
        return Receipt(
            ref=row.ref,
            action=row.action,
            at=moment(row.at),
            actor=row.actor,
            ids=tuple(kept["ids"]),
            changes=tuple(Change(**one) for one in kept["changes"]),
            state=row.state,
            trace=kept.get("trace"),
            notes=tuple(kept["notes"]),
        )
