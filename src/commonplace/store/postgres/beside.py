"""Keyring and ledger in the schema that a dump of the book leaves out."""

import base64
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager

from commonplace.store.postgres.connection import OwnerConnection
from commonplace.store.rows import LedgerEntry
from commonplace.store.statements import Cells
from commonplace.store.tables.shape import read_list, write_list

Opens = Callable[[str], AbstractContextManager[OwnerConnection]]
Asks = Callable[[str, str], list[Cells]]
"""An owner and a text to what is found."""

COLUMNS = "owner, at, act, target, namespace, fingerprints, reason"


class TableKeyring:
    """Compare-and-set on one row. A destroyed record leaves dead bytes until vacuum and in the WAL."""

    def __init__(self, opens: Opens, asks: Asks, schema: str) -> None:
        self._opens, self._asks, self._table, self._schema = opens, asks, f"{schema}_keys.keyring", schema
        self.question = f"select record from {self._table} where owner = :owner"
        """What ``get`` asks."""

    def get(self, owner: str) -> bytes | None:
        found = self._asks(owner, self.question)
        return found[0][0] if found else None

    def put(self, owner: str, record: bytes, *, expected: bytes | None) -> bool:
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


class TableLedger:
    def __init__(self, opens: Opens, schema: str) -> None:
        self._opens, self._table, self._schema = opens, f"{schema}_keys.ledger", schema

    def append(self, entries: Sequence[LedgerEntry]) -> None:
        for owner in dict.fromkeys(entry.owner for entry in entries):
            with self._opens(owner) as db:
                db.run_many(
                    f"insert into {self._table} ({COLUMNS})"
                    " values (:owner, :at, :act, :target, :namespace, :fingerprints, :reason)",
                    [_values(entry) for entry in entries if entry.owner == owner],
                )

    def entries(self, owner: str | None = None) -> Iterator[LedgerEntry]:
        with self._opens(owner or "") as db:
            if owner is None:
                found = db.run(f"select {COLUMNS} from {self._schema}_keys.ledger_all() order by number")
            else:
                found = db.run(f"select {COLUMNS} from {self._table} where owner = :owner order by number")
        for cells in found:
            names = dict(zip(COLUMNS.split(", "), cells, strict=True))
            prints = tuple(base64.b64decode(one) for one in read_list(names["fingerprints"]))
            yield LedgerEntry(**{**names, "fingerprints": prints})

    def exists(self) -> bool:
        return True


def _values(entry: LedgerEntry) -> dict[str, object]:
    return {
        "at": entry.at,
        "act": entry.act,
        "target": entry.target,
        "namespace": entry.namespace,
        "fingerprints": write_list(base64.b64encode(one).decode() for one in entry.fingerprints),
        "reason": entry.reason,
    }
