"""The keyring: a table in the schema that a dump of the book leaves out."""

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager

from commonplace.store.postgres.connection import PostgresConnection
from commonplace.store.statements import Cells

Opens = Callable[[str], AbstractContextManager[PostgresConnection]]
Asks = Callable[[Sequence[str], str], list[list[Cells]]]
"""Owners and a text to the rows of each."""


def record_in(rows: list[Cells]) -> bytes | None:
    return rows[0][0] if rows else None


class TableKeyring:
    """Compare-and-set on one row. A destroyed record leaves dead bytes until vacuum and in the WAL."""

    def __init__(self, opens: Opens, asks: Asks, schema: str) -> None:
        self._opens, self._asks, self._table, self._schema = opens, asks, f"{schema}_keys.keyring", schema
        self.question = f"select record from {self._table} where owner = :owner"
        """What ``get`` asks."""

    def get(self, owner: str) -> bytes | None:
        return self.get_all([owner])[0]

    def get_all(self, owners: Sequence[str]) -> list[bytes | None]:
        return [record_in(rows) for rows in self._asks(owners, self.question)]

    def put(self, owner: str, record: bytes, *, expected: bytes | None, shred: bool = False) -> bool:
        with self._opens(owner) as db:
            if expected is None:
                text = f"insert into {self._table} (owner, record) values (:owner, :record) on conflict do nothing"
                return db.changed(text, record=record) > 0
            text = f"update {self._table} set record = :record where owner = :owner and record = :expected"
            return db.changed(text, record=record, expected=expected) > 0

    def drop(self, owner: str) -> None:
        with self._opens(owner) as db:
            db.run(f"delete from {self._table} where owner = :owner")

    def owners(self) -> list[str]:
        with self._opens("") as db:
            return [owner for (owner,) in db.run(f"select {self._schema}_keys.keyring_owners()")]
