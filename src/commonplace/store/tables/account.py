"""The owner's own row, the changes, and what one used."""

from collections.abc import Sequence
from typing import Any

from commonplace.clock import Clock, micros
from commonplace.store.rows import ChangeRow, OwnerRow, UsageRow
from commonplace.store.statements import Connection, sql
from commonplace.store.tables.shape import Shape

OWNER = Shape(OwnerRow)
CHANGE = Shape(ChangeRow)
USAGE = Shape(UsageRow)

DEFAULT_PLAN = ""
"""None chosen: the book decides by its settings."""

OWNED = (
    *("change", "attribute", "tag_link", "tag_label", "entity_label", "relation", "entity", "tag", "step"),
    *("directive", "session", "memory", "version", "evidence", "tombstone", "job", "audit", "receipt", "trace"),
    *("word", "fresh", "vector", "vector_set", "namespace"),
)
"""Every table that ``drop`` empties: all but owner, token and usage."""


class OwnerTable:
    def __init__(self, db: Connection, clock: Clock, *, steady: bool = False) -> None:
        """``steady``: in a snapshot, where a row once read stays as it is."""
        self._db, self._clock, self._steady = db, clock, steady
        self._seen: OwnerRow | None = None

    def get(self) -> OwnerRow:
        """Inside ``read`` an owner without a row looks like a new one, made at 0; nothing is written."""
        if self._steady and self._seen is not None:
            return self._seen
        found = OWNER.first(self._db.run(sql("owner", "get")))
        self._seen = found or OwnerRow(
            owner=self._db.owner, plan=DEFAULT_PLAN, timezone=None, language=None, created_at=0, sequence=0, next_doc=1
        )
        return self._seen

    def make(self) -> None:
        self._db.run(sql("owner", "make"), plan=DEFAULT_PLAN, at=micros(self._clock.now()))

    def put(self, *, plan: str, timezone: str | None, language: str | None) -> None:
        self._db.run(sql("owner", "put"), plan=plan, timezone=timezone, language=language)

    def take_docs(self, count: int) -> int:
        return int(self._db.run(sql("owner", "take_docs"), count=count)[0][0])

    def drop(self) -> None:
        for table in OWNED:
            self._db.run(f"delete from {table} where owner = :owner")


class ChangeTable:
    def __init__(self, db: Connection, owners: OwnerTable) -> None:
        self._db, self._owners = db, owners

    def record(self, rows: Sequence[tuple[str, str, str, int | None, str | None]], *, at: int) -> int:
        last = int(self._db.run(sql("owner", "take_sequence"), count=len(rows))[0][0])
        values: list[dict[str, Any]] = [
            {
                "sequence": number,
                "at": at,
                "noun": noun,
                "id": id,
                "operation": what,
                "doc": doc,
                "namespace": namespace,
            }
            for number, (noun, id, what, doc, namespace) in enumerate(rows, start=last - len(rows) + 1)
        ]
        self._db.run_many(sql("change", "add"), values)
        return last

    def since(self, sequence: int, *, limit: int = 1000) -> list[ChangeRow]:
        return CHANGE.all(self._db.run(sql("change", "since"), sequence=sequence, limit=limit))

    def last(self) -> int:
        return self._owners.get().sequence

    def trim(self, *, before: int) -> int:
        return self._db.changed(sql("change", "trim"), before=before)


class UsageTable:
    def __init__(self, db: Connection) -> None:
        self._db = db

    def add(self, day: str, what: str, *, calls: int, tokens: int) -> None:
        self._db.run(sql("usage", "add"), day=day, what=what, calls=calls, tokens=tokens)

    def of(self, day: str) -> list[UsageRow]:
        return USAGE.all(self._db.run(sql("usage", "of"), day=day))

    def page(self, *, since: str) -> list[UsageRow]:
        return USAGE.all(self._db.run(sql("usage", "page"), since=since))
