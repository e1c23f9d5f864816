"""The conversations of a namespace."""

import builtins
from dataclasses import dataclass
from datetime import datetime

from commonplace.memories.admission import page_size
from commonplace.memories.reading import Reader
from commonplace.memories.scope import Scope
from commonplace.store.rows import from_row


@dataclass(frozen=True, slots=True, kw_only=True)
class Session:
    id: str
    name: str
    namespace: str
    started_at: datetime
    turns: int


class Sessions:
    def __init__(self, scope: Scope) -> None:
        self._scope = scope

    def list(self, *, limit: int = 100) -> builtins.list[Session]:
        """Readable conversations, most recently started first."""
        limit = page_size(limit)
        with self._scope.store.read(self._scope.owner) as tx:
            names = Reader(self._scope).namespaces(tx)
            rows = [row for id in names for row in tx.sessions.all(namespace=id)]
        rows.sort(key=lambda row: row.started_at, reverse=True)
        return [
            from_row(
                Session, row, name=self._scope.opened(row)["name"], namespace=names[row.namespace], turns=row.position
            )
            for row in rows[:limit]
        ]
