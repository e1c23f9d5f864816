"""Every table of an owner as it lies there, for work that does not care what a row means: copying, sealing anew."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from commonplace.store.rows import VectorRow
from commonplace.store.statements import Connection
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


TABLES: dict[str, Columns] = {
    "namespace": _columns("id", "label sealed created_at documents length"),
    "session": _columns("id", "namespace label sealed started_at position next_doc end_doc"),
    "memory": _columns(
        "id",
        "namespace kind category status source importance confidence recorded_at fingerprint sealed doc version key"
        " pinned valid_from valid_to retired_at last_confirmed_at last_used_at uses expires_at directive step session"
        " role said_at position",
    ),
    "attribute": _columns("hash memory"),
    "version": _columns("noun id version", "recorded_at superseded_at actor action sealed doc"),
    "evidence": _columns("noun id episode", "sealed"),
    "tag": _columns("id", "namespace label sealed created_at"),
    "tag_label": _columns("namespace label", "tag rank"),
    "tag_link": _columns("noun id tag", "rank"),
    "entity": _columns("id", "namespace type label sealed status recorded_at version retired_at"),
    "entity_label": _columns("namespace label entity", "rank"),
    "relation": _columns(
        "id",
        "namespace subject predicate object status source confidence fingerprint sealed recorded_at version pinned"
        " valid_from valid_to retired_at last_confirmed_at",
    ),
    "tombstone": _columns("namespace fingerprint", "reason at target"),
    "directive": _columns(
        "id",
        "namespace status created_at sealed version memory_enabled goal_updated_at started_at lease_until lease_holder",
    ),
    "step": _columns(
        "id",
        "directive status order_index generation sealed version attempts run lease_until lease_holder depends_on",
    ),
    "job": _columns(
        "id", "kind state due_at created_at sealed attempts lease_until lease_holder finished_at error wish"
    ),
    "audit": _columns("sequence", "at actor action noun target before after hash reason reason_digest"),
    "receipt": _columns("ref", "action at actor state sealed"),
    "trace": _columns("id", "kind at sealed target"),
    "usage": _columns("day what", "calls tokens"),
    "word": _columns("namespace term first", "data"),
    "fresh": _columns("namespace term doc", "tf length"),
    "vector_set": _columns("namespace model", "documents"),
    "vector": _columns("namespace model doc part", "data"),
    "change": _columns("sequence", "at noun id operation doc namespace"),
    "token": _columns("id", "hash scope created_at expires_at revoked_at namespaces sealed"),
}
"""In an order in which they can be written. The owner's own row is apart."""
TRUTHS = ("pinned", "memory_enabled")
ACCOUNT = ("plan", "timezone", "language", "created_at", "sequence", "next_doc", "revision")


class WholeTable:
    """Implements ``ports.Tables``."""

    def __init__(self, db: Connection, codec: Codec, *, afterwards: Callable[[], None]) -> None:
        """``afterwards`` is called when rows were written, for what other tables remember of theirs."""
        self._db, self._codec, self._afterwards = db, codec, afterwards

    def names(self) -> tuple[str, ...]:
        return tuple(TABLES)

    def key(self, table: str, row: Mapping[str, Cell]) -> tuple[Cell, ...]:
        return tuple(row[name] for name in TABLES[table].key)

    def page(self, table: str, *, after: Sequence[Cell] | None, limit: int) -> list[Whole]:
        columns = TABLES[table]
        shown = ", ".join("{vector out}" if (table, name) == ("vector", "data") else name for name in columns.all)
        keys = ", ".join(columns.key)
        where, values = "", dict[str, Cell]()
        if after is not None:
            where = f" and ({keys}) > ({', '.join(f':{name}' for name in columns.key)})"
            values = dict(zip(columns.key, after, strict=True))
        text = f"select {shown} from {table} where owner = :owner{where} order by {keys} limit :limit"
        answer = self._db.run(text, **values, limit=limit)
        return [self._read(table, dict(zip(columns.all, cells, strict=True))) for cells in answer]

    def put(self, table: str, rows: Sequence[Whole]) -> None:
        columns = TABLES[table]
        places = ", ".join("{vector in}" if (table, name) == ("vector", "data") else f":{name}" for name in columns.all)
        change = ", ".join(f"{name} = excluded.{name}" for name in columns.rest)
        text = (
            f"insert into {table} (owner, {', '.join(columns.all)}) values (:owner, {places})"
            f" on conflict (owner, {', '.join(columns.key)}) do {'update set ' + change if change else 'nothing'}"
        )
        self._db.run_many(text, [self._written(table, row) for row in rows])
        self._afterwards()

    def count(self, table: str) -> int:
        return int(self._db.run(f"select count(*) from {table} where owner = :owner")[0][0])

    def account(self) -> Whole | None:
        found = self._db.run(f"select {', '.join(ACCOUNT)} from owner where owner = :owner")
        return dict(zip(ACCOUNT, found[0], strict=True)) if found else None

    def put_account(self, row: Whole) -> None:
        change = ", ".join(f"{name} = :{name}" for name in ACCOUNT)
        self._db.run(f"update owner set {change} where owner = :owner", **{name: row[name] for name in ACCOUNT})
        self._afterwards()

    def _read(self, table: str, row: Whole) -> Whole:
        for name in TRUTHS:
            if name in row:
                row[name] = bool(row[name])
        if table == "vector":
            row["data"] = self._codec.read([(row["doc"], row["part"], row["data"])])[0].data
        return row

    def _written(self, table: str, row: Whole) -> Whole:
        if table != "vector":
            return row
        return {**row, "data": self._codec.write(VectorRow(doc=row["doc"], part=row["part"], data=row["data"]).data)}
