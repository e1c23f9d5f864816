"""The change feed for pages, caches and other followers. It has ids only, never text."""

from dataclasses import dataclass
from datetime import datetime

from commonplace.memories.admission import page_size
from commonplace.memories.scope import Scope
from commonplace.store.rows import from_row


@dataclass(frozen=True, slots=True, kw_only=True)
class Signal:
    """A write or deletion. ``namespace`` is an id."""

    sequence: int
    at: datetime
    noun: str
    id: str
    operation: str
    namespace: str | None


class Feed:
    def __init__(self, scope: Scope) -> None:
        self._scope = scope

    def last(self) -> int:
        with self._scope.store.read(self._scope.owner) as tx:
            return tx.changes.last()

    def since(self, sequence: int, *, limit: int = 1000) -> list[Signal]:
        """Changes after a sequence number, in order."""
        with self._scope.store.read(self._scope.owner) as tx:
            rows = tx.changes.since(sequence, limit=page_size(limit))
        return [from_row(Signal, row) for row in rows]

    def revision(self) -> int:
        """A cheap counter: it differs after every write."""
        return self._scope.store.revision(self._scope.owner)
