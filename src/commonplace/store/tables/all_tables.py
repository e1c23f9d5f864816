"""Every table of an owner, row by row, for work that does not depend on their meaning: copying and re-sealing."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from commonplace.store import rows
from commonplace.store.rows import VectorRow
from commonplace.store.statements import TableConnection
from commonplace.store.tables.vector import Codec

Cell = Any
Whole = dict[str, Cell]


@dataclass(frozen=True, slots=True)
class Columns:
    """The primary key without the owner, and what else a row holds."""

    key: tuple[str, ...]
    rest: tuple[str, ...]

    @property
    def all(self) -> tuple[str, ...]:
        return (*self.key, *self.rest)


def _columns(key: str, rest: str = "") -> Columns:
    return Columns(tuple(key.split()), tuple(rest.split()))


def _of(table: str) -> Columns:
    key = rows.TABLES[table].key.split()
    return Columns(tuple(key), tuple(name for name in rows.TABLES[table].columns if name not in key))


TABLES: dict[str, Columns] = {
    **{name: _of(name) for name in ("namespace", "session", "memory")},
    "attribute": _columns("hash memory"),
    **{name: _of(name) for name in ("version", "evidence", "tag")},
    "tag_label": _columns("namespace label", "tag rank"),
    "tag_link": _columns("noun id tag", "rank"),
    "entity": _of("entity"),
    "entity_label": _columns("namespace label entity", "rank"),
    **{name: _of(name) for name in ("relation", "tombstone", "directive", "step", "job", "audit", "receipt", "trace")},
    "usage": _of("usage"),
    "word": _columns("namespace term first", "data"),
    "fresh": _columns("namespace term doc", "tf length"),
    "vector_set": _columns("namespace model", "documents"),
    "vector": _columns("namespace model doc part", "data"),
    **{name: _of(name) for name in ("passage", "change", "token")},
}
"""In an order in which they can be written. The owner's own row is apart."""
FLAGS = {
    name
    for table in rows.TABLES.values()
    for name, field in table.row.__dataclass_fields__.items()
    if field.type is bool
}
ACCOUNT = ("plan", "timezone", "language", "created_at", "sequence", "next_doc", "ledger", "revision")


class WholeTable:
    """Every row of the owner as stored, for copying and re-sealing."""

    def __init__(self, db: TableConnection, codec: Codec, *, afterwards: Callable[[], None]) -> None:
        """``afterwards`` is called when rows were written, for what other tables remember of theirs."""
        self._db, self._codec, self._afterwards = db, codec, afterwards

    def names(self) -> tuple[str, ...]:
        """All tables but the owner's own row, in an order in which they can be written."""
        return tuple(TABLES)

    def key(self, table: str, row: Mapping[str, Cell]) -> tuple[Cell, ...]:
        return tuple(row[name] for name in TABLES[table].key)

    def page(self, table: str, *, after: Sequence[Cell] | None, limit: int) -> list[Whole]:
        """Rows by column, in the order of their keys, after the key given."""
        columns = TABLES[table]
        selected = ", ".join("{vector out}" if (table, name) == ("vector", "data") else name for name in columns.all)
        keys = ", ".join(columns.key)
        where, values = "", dict[str, Cell]()
        if after is not None:
            where = f" and ({keys}) > ({', '.join(f':{name}' for name in columns.key)})"
            values = dict(zip(columns.key, after, strict=True))
        text = f"select {selected} from {table} where owner = :owner{where} order by {keys} limit :limit"
        answer = self._db.run(text, **values, limit=limit)
        return [self._read(table, dict(zip(columns.all, cells, strict=True))) for cells in answer]

    def put(self, table: str, rows: Sequence[Whole]) -> None:
        """Insert, or replace what has the same key. Says nothing in the change table."""
        columns = TABLES[table]
        places = ", ".join("{vector in}" if (table, name) == ("vector", "data") else f":{name}" for name in columns.all)
        # A line of the audit that is there stays as it is: ``audit.reseal`` changes its reason.
        change = ", ".join(f"{name} = excluded.{name}" for name in columns.rest if table != "audit")
        text = (
            f"insert into {table} (owner, {', '.join(columns.all)}) values (:owner, {places})"
            f" on conflict (owner, {', '.join(columns.key)}) do {'update set ' + change if change else 'nothing'}"
        )
        self._db.run_many(text, [self._written(table, row) for row in rows])
        self._afterwards()

    def count(self, table: str) -> int:
        return int(self._db.run(f"select count(*) from {table} where owner = :owner")[0][0])

    def account(self) -> Whole | None:
        """The owner's own row, if there is one."""
        rows = self._db.run(f"select {', '.join(ACCOUNT)} from owner where owner = :owner")
        return dict(zip(ACCOUNT, rows[0], strict=True)) if rows else None

    def put_account(self, row: Whole) -> None:
        change = ", ".join(f"{name} = :{name}" for name in ACCOUNT)
        self._db.run(f"update owner set {change} where owner = :owner", **{name: row[name] for name in ACCOUNT})
        self._afterwards()

    def _read(self, table: str, row: Whole) -> Whole:
        for name in FLAGS:
            if name in row:
                row[name] = bool(row[name])
        if table == "vector":
            row["data"] = self._codec.read([(row["doc"], row["part"], row["data"])])[0].data
        return row

    def _written(self, table: str, row: Whole) -> Whole:
        if table != "vector":
            return row
        return {**row, "data": self._codec.write(VectorRow(doc=row["doc"], part=row["part"], data=row["data"]).data)}
