"""The ledger of final acts: a table in the schema that a dump of the book leaves out."""

import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from typing import Any

from commonplace.store.ledger import NAMES, chained, from_line, lost, to_line
from commonplace.store.postgres.connection import PostgresConnection
from commonplace.store.rows import LedgerEntry
from commonplace.store.statements import Cells, TableConnection
from commonplace.store.tables.account import OwnerTable

Opens = Callable[[str], AbstractContextManager[PostgresConnection]]

COLUMNS = ", ".join(NAMES)
VALUES = ", ".join(f":{name}" for name in NAMES)


class TableLedger:
    """Written in the same transaction as the rows it speaks of, so that both are committed or neither is."""

    def __init__(self, opens: Opens, schema: str) -> None:
        self._opens, self._table, self._schema = opens, f"{schema}_keys.ledger", schema
        self._select = f"select {COLUMNS} from {self._table} where owner = :owner order by number"

    def entries(self, owner: str | None = None) -> Iterator[LedgerEntry]:
        with self._opens(owner or "") as db:
            if owner is None:
                rows = db.run(f"select {COLUMNS} from {self._schema}_keys.ledger_all() order by number")
            else:
                rows = db.run(self._select)
        return (from_line(_line(cells)) for cells in rows)

    def exists(self) -> bool:
        return True

    def problem(self, mark: str | None) -> str | None:
        """A mark is the owner, how many entries they had, and the hash that chains those."""
        if mark is None:
            return None
        count, hash, owner = mark.split(":", 2)
        with self._opens(owner) as db:
            lines = [_line(cells) for cells in db.run(self._select)]
        if len(lines) < int(count):
            return f"the ledger {self._table} lost rows: a restore could bring back what was forgotten"
        if _chain(lines[: int(count)]) != hash:
            return f"the ledger {self._table} is not the one that belongs to this book, or it was changed"
        return None

    def within(self, db: TableConnection, owners: OwnerTable) -> "ActsInTable":
        return ActsInTable(db, owners, self._table, self._select)


class ActsInTable:
    """Implements ``ports.FinalActs``: written at once, in the transaction."""

    def __init__(self, db: TableConnection, owners: OwnerTable, table: str, select: str) -> None:
        self._db, self._owners, self._select = db, owners, select
        self._count = f"select count(*) from {table} where owner = :owner"
        self._insert = f"insert into {table} ({COLUMNS}) values ({VALUES})"

    def append(self, entries: Sequence[LedgerEntry]) -> None:
        if not entries:
            return
        mark = self._owners.get().ledger
        count, hash = self._end(mark)
        if mark is not None and count < int(mark.split(":")[0]):
            entries = [lost(self._db.owner, entries[0].at), *entries]
        lines = [to_line(entry) for entry in entries]
        self._db.run_many(self._insert, [{**line, "fingerprints": json.dumps(line["fingerprints"])} for line in lines])
        self._owners.mark_ledger(f"{count + len(lines)}:{_chain(lines, hash)}:{self._db.owner}")

    def _end(self, mark: str | None) -> tuple[int, str]:
        """How many entries the owner has now, and their hash: the mark's, unless a dump was restored since."""
        count = int(self._db.run(self._count)[0][0])
        if mark is not None and mark.startswith(f"{count}:"):
            return count, mark.split(":")[1]
        return count, _chain([_line(cells) for cells in self._db.run(self._select)])


def _line(cells: Cells) -> dict[str, Any]:
    line = dict(zip(NAMES, cells, strict=True))
    return {**line, "fingerprints": json.loads(line["fingerprints"])}


def _chain(lines: Sequence[dict[str, Any]], hash: str = "") -> str:
    for line in lines:
        hash = chained(hash, line)
    return hash
