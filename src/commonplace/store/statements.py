"""SQL is SQL: named statements in ``sql/*.sql``, read on first use and shared by both engines.

The dialect is what SQLite and PostgreSQL have in common, with ``:name`` for a value, ``in (:names*)`` for a list of
them, and ``{braces}`` for the few words that an engine says in its own way. ``{memory columns}``, ``values``,
``changes`` and ``excluded`` are the columns of a table as its rows have them (``rows.TABLES``): plain, as values to
bind, and as assignments of all but the key. ``:owner`` is always bound by the transaction.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple, Protocol, TypeVar

from commonplace.errors import Conflict, Invalid
from commonplace.store.rows import TABLES

FOLDER = Path(__file__).parent / "sql"
MARK = "-- name:"
COLUMN_LIST = re.compile(r"\{(\w+) (columns|values|changes|excluded)\}")

Cells = tuple[Any, ...]
Answer = TypeVar("Answer")


class BoundQuery(NamedTuple):
    """A statement that asks, with its values; the owner is added when it is run."""

    text: str
    values: dict[str, Any]


class TableConnection(Protocol):
    """What the tables ask of an engine: run one statement for the transaction's owner, inside its transaction."""

    owner: str

    def run(self, text: str, /, **values: Any) -> list[Cells]:
        """Every row of the answer. ``:owner`` is added."""

    def run_many(self, text: str, values: list[dict[str, Any]], /, *, taken: Conflict | None = None) -> None:
        """The same statement once per set of values, answers thrown away.

        ``taken`` is raised, at the latest when the transaction ends, if a row with such a key is there already.
        """

    def run_rows(
        self, text: str, names: Sequence[str], rows: Sequence[Cells], /, *, taken: Conflict | None = None
    ) -> None:
        """As ``run_many``, each set of values in the order of ``names``."""

    def changed(self, text: str, /, **values: Any) -> int:
        """Run it and say how many rows it touched."""

    def later(self, text: str, /, **values: Any) -> Callable[[], list[Cells]]:
        """As ``run``, the answer when it is asked for: until then it may wait for something else to go the same way."""

    def soon(self, read: Callable[[], Answer]) -> Callable[[], Answer]:
        """What ``read`` would return, when it is asked for: its questions go the same way as the next ones do.

        It is called twice, at first with empty answers, and must ask without looking at an answer.
        """

    def ahead(self, *reads: Callable[[], object]) -> None:
        """Answer what these calls will ask, in as few trips as their questions depend on each other.

        Each is called several times, at first with empty answers, and must only read. An engine without a wire does
        nothing.
        """

    def leave(self, text: str, /, **values: Any) -> None:
        """Run it at the latest when the transaction ends or somebody asks its table; the same text left twice may be
        run with its last values alone.
        """


def storable(values: dict[str, Any]) -> dict[str, Any]:
    """The values, none of which holds text that an engine cannot keep; else ``Invalid``.

    PostgreSQL has no NUL in its texts, SQLite cuts a listed one there, and neither takes half a surrogate pair.
    """
    for value in values.values():
        if isinstance(value, str):
            _refuse_unstorable(value)
        elif isinstance(value, list) and value and isinstance(value[0], str):
            _refuse_unstorable("".join(value))
    return values


def all_storable(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """As ``storable``, for many rows without lists."""
    cells_storable([row.values() for row in rows])
    return rows


def cells_storable(rows: Iterable[Iterable[Any]]) -> None:
    """One look at the texts of all rows together."""
    _refuse_unstorable("".join([cell for row in rows for cell in row if cell.__class__ is str]))


def _refuse_unstorable(text: str) -> None:
    if not text.isprintable() and ("\0" in text or any("\ud800" <= letter <= "\udfff" for letter in text)):
        raise Invalid("a text holds a NUL or half a character, which cannot be kept; take it out and try again")


@cache
def _statements(noun: str) -> dict[str, str]:
    statements: dict[str, str] = {}
    for part in (FOLDER / f"{noun}.sql").read_text(encoding="utf-8").split(MARK)[1:]:
        name, *lines = part.splitlines()
        text = "\n".join(line for line in lines if not line.startswith("--"))
        statements[name.strip()] = text.strip().removesuffix(";")
    return statements


def _column_list(match: re.Match[str]) -> str:
    table, form = TABLES[match[1]], match[2]
    if form in ("columns", "values"):
        return ", ".join(table.columns if form == "columns" else [f":{name}" for name in table.columns])
    sign = ":" if form == "changes" else "excluded."
    return ", ".join(f"{name} = {sign}{name}" for name in table.columns if name not in table.key.split())


@cache
def sql(noun: str, name: str) -> str:
    return COLUMN_LIST.sub(_column_list, _statements(noun)[name])
