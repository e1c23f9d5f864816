"""SQL is SQL: named statements in ``sql/*.sql``, read on first use and shared by both engines.

The dialect is what SQLite and PostgreSQL have in common, with ``:name`` for a value, ``in (:names*)`` for a list of
them, and ``{braces}`` for the few words that an engine says in its own way. ``:owner`` is always bound by the
transaction.
"""

from functools import cache
from pathlib import Path
from typing import Any, Protocol

FOLDER = Path(__file__).parent / "sql"
MARK = "-- name:"

Cells = tuple[Any, ...]


class Connection(Protocol):
    """What the tables ask of an engine: run one statement for the transaction's owner, inside its transaction."""

    owner: str

    def run(self, text: str, /, **values: Any) -> list[Cells]:
        """Every row of the answer. ``:owner`` is added."""

    def run_many(self, text: str, values: list[dict[str, Any]], /) -> None:
        """The same statement once per set of values, answers thrown away."""

    def changed(self, text: str, /, **values: Any) -> int:
        """Run it and say how many rows it touched."""


@cache
def _statements(noun: str) -> dict[str, str]:
    found: dict[str, str] = {}
    for part in (FOLDER / f"{noun}.sql").read_text(encoding="utf-8").split(MARK)[1:]:
        name, _, text = part.partition("\n")
        found[name.strip()] = text.strip().removesuffix(";")
    return found


@cache
def sql(noun: str, name: str) -> str:
    return _statements(noun)[name]
