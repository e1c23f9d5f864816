"""Cells of an answer become frozen rows, and frozen rows become values to bind."""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from operator import attrgetter
from typing import Any, Generic, TypeVar

from commonplace.errors import Conflict
from commonplace.store.frozen import maker
from commonplace.store.rows import TABLES, Table
from commonplace.store.statements import Cells, TableConnection, sql

Row = TypeVar("Row")
Turn = Callable[[Any], Any]


class Shape(Generic[Row]):
    """How one kind of row lies in its table: the columns are the fields of the class, in their order.

    ``read`` and ``write`` turn the cells that differ from the field's value.
    """

    def __init__(
        self,
        row: type[Row],
        *,
        read: Mapping[str, Turn] | None = None,
        write: Mapping[str, Turn] | None = None,
    ) -> None:
        self.name, table = next((item for item in TABLES.items() if item[1].row is row), ("", Table(row, elsewhere="")))
        elsewhere = "" if table.elsewhere == "owner" else table.elsewhere
        fields: Any = row.__dataclass_fields__  # type: ignore[attr-defined]
        flags = {name: bool for name, field in fields.items() if field.type is bool}
        self._row = row
        self._fields = [name for name in fields if name != elsewhere]
        self._read = [(self._fields.index(name), turn) for name, turn in {**flags, **(read or {})}.items()]
        self._write = [(self._fields.index(name), turn) for name, turn in {**flags, **(write or {})}.items()]
        self.columns = tuple(table.renamed.get(name, name) for name in self._fields)
        self._cells = attrgetter(*self._fields)

    @cached_property
    def _make(self) -> Callable[[tuple[Any, ...]], Row]:
        return maker(self._row)

    def one(self, cells: Cells, **beside: Any) -> Row:
        if self._read:
            turned = list(cells)
            for place, turn in self._read:
                turned[place] = turn(cells[place])
            cells = tuple(turned)
        return self._row(**dict(zip(self._fields, cells, strict=True)), **beside) if beside else self._make(cells)

    def all(self, answer: Iterable[Cells]) -> list[Row]:
        return [self.one(cells) for cells in answer]

    def first(self, answer: list[Cells]) -> Row | None:
        return self.one(answer[0]) if answer else None

    def values(self, row: Row) -> dict[str, Any]:
        """What to bind, by column."""
        return dict(zip(self.columns, self.cells(row), strict=True))

    def cells(self, row: Row) -> Cells:
        """What to bind, in the order of ``columns``."""
        cells: Cells = self._cells(row)
        if not self._write:
            return cells
        turned = list(cells)
        for place, turn in self._write:
            turned[place] = turn(turned[place])
        return tuple(turned)


class OwnedRows(Generic[Row]):
    """The rows of one table that belong to the one owner that a connection is for."""

    shape: Shape[Any]

    def __init__(self, db: TableConnection) -> None:
        self._db = db

    def _select(self, where: str = "", **values: Any) -> list[Row]:
        return self._rows(self._db.run(f"{sql(self.shape.name, 'select')} {where}", **values))

    def _first(self, where: str, **values: Any) -> Row | None:
        return next(iter(self._select(where, **values)), None)

    def _rows(self, answer: list[Cells]) -> list[Row]:
        return self.shape.all(answer)

    def _put_many(self, statement: str, rows: Iterable[Row], *, taken: Conflict | None = None) -> None:
        text, shape = sql(self.shape.name, statement), self.shape
        self._db.run_rows(text, shape.columns, [shape.cells(row) for row in rows], taken=taken)

    def _drop(self, ids: Sequence[str]) -> list[str]:
        """Delete dependent rows in tables without a foreign key: versions, evidence, tag links."""
        for table, statement in (("version", "delete"), ("evidence", "delete"), ("tag", "links_clear")):
            self._db.run(sql(table, statement), noun=self.shape.name, ids=list(ids))
        return list(ids)


class KeyedRows(OwnedRows[Row]):
    """Rows with an id of their own."""

    def get(self, ids: Sequence[str]) -> list[Row]:
        """The rows that exist, in the order asked."""
        rows: Any = self._select("and id in (:ids*)", ids=list(ids)) if ids else ()
        by_id = {row.id: row for row in rows}
        return [by_id[id] for id in ids if id in by_id]


class VersionedRows(OwnedRows[Row]):
    """Rows of which each write makes the next version."""

    def put(self, row: Row, *, expected: int | None = None) -> None:
        """Insert (``expected`` None), or replace the row that stands at version ``expected``; else ``Conflict``."""
        noun, values = self.shape.name, self.shape.values(row)
        if expected is None:
            changed = self._db.changed(sql(noun, "insert"), **values)
        else:
            changed = self._db.changed(sql(noun, "replace"), **values, expected=expected)
        if not changed:
            rows = self._db.run(sql(noun, "version"), id=values["id"])
            raise Conflict(noun, values["id"], expected=expected or 0, found=rows[0][0] if rows else 0)


def only(conditions: Mapping[str, Any]) -> tuple[str, dict[str, Any]]:
    """The conditions that were given a value, as SQL, and what they bind: ``{"ref < :before": before}``."""
    held = {text: value for text, value in conditions.items() if value is not None and value != []}
    values = {text.partition(":")[2].rstrip("*)"): value for text, value in held.items()}
    return "".join(f" and {text}" for text in held), values


def read_list(text: str) -> tuple[str, ...]:
    return tuple(json.loads(text))


def write_list(values: Iterable[str]) -> str:
    return json.dumps(list(values))
