"""One apsw connection with the pragmas a book needs, and statements run on it for one owner."""

import os
import re
import time
from array import array
from collections.abc import Callable, Sequence
from functools import cache, partial
from operator import itemgetter
from typing import Any

import apsw

from commonplace.errors import Conflict, StoreError
from commonplace.store.sqlite.errors import DAMAGED, translated
from commonplace.store.statements import Answer, Cells, cells_storable, storable

PAGE = 4096
PATIENCE = 30.0
"""Seconds a statement waits for a lock."""
SHORTEST, LONGEST = 0.0005, 0.003
"""Bounds of one wait. SQLite's own back-off grows to 100 ms, which starves some of many writers for seconds."""

PRAGMAS = (
    "synchronous = full",
    "secure_delete = on",
    "foreign_keys = on",
    "cache_size = -8000",
    "journal_size_limit = 67108864",
    "temp_store = memory",
)

LIST = re.compile(r"in \(:(\w+)\*\)")
NAMED = re.compile(r":(\w+)")
TAKEN = (apsw.SQLITE_CONSTRAINT_PRIMARYKEY, apsw.SQLITE_CONSTRAINT_UNIQUE)
WORDS = {
    "{vector in}": ":data",
    "{vector out}": "data",
    "{skip locked}": "",
    "{each term}": "select value from carray(:terms)",
    "{drop reasons}": "update audit set reason = null where owner = :owner and target in (:ids*)"
    " and reason is not null",
    "{reseal reason}": "update audit set reason = :reason where owner = :owner and sequence = :sequence"
    " and reason is not null",
    "{drop audit}": "delete from audit where owner = :owner",
}


@cache
def native(text: str) -> str:
    """Our dialect in SQLite's words: a list is a ``carray``, so that one text serves lists of any length."""
    for word, meaning in WORDS.items():
        text = text.replace(word, meaning)
    return LIST.sub(r"in carray(:\1)", text)


@cache
def parameters(text: str) -> list[str]:
    """The names in the order in which SQLite numbers them: binding many rows by place costs less than by name."""
    return list(dict.fromkeys(NAMED.findall(native(text))))


def bound(value: Any) -> Any:
    if not isinstance(value, list):
        return value
    if not value:
        return None
    return apsw.carray(array("q", value) if isinstance(value[0], int) else tuple(value))


def patient(seconds: float | None = None) -> Callable[[int], bool]:
    """A busy handler with short random waits, ``seconds`` (else ``PATIENCE``) in all."""
    limit = PATIENCE if seconds is None else seconds
    deadline = 0.0

    def wait(tries: int) -> bool:
        nonlocal deadline
        now = time.monotonic()
        if tries == 0:
            deadline = now + limit
        if now >= deadline:
            return False
        time.sleep(SHORTEST + (LONGEST - SHORTEST) * os.urandom(1)[0] / 255)
        return True

    return wait


def connect(path: str, flags: int) -> apsw.Connection:
    connection = apsw.Connection(path, flags=flags, statementcachesize=256)
    connection.set_busy_handler(patient())
    return connection


def prepare(connection: apsw.Connection) -> None:
    """Set what holds per connection. One pragma a call: apsw stops at the first statement that answers a row."""
    for pragma in PRAGMAS:
        connection.execute(f"pragma {pragma}").fetchall()


class SqliteConnection:
    """Runs the statements of one transaction; implements ``statements.Connection``."""

    def __init__(self, raw: apsw.Connection, owner: str, place: str) -> None:
        self.raw, self.owner, self._place = raw, owner, place
        storable({"owner": owner})

    def run(self, text: str, /, **values: Any) -> list[Cells]:
        parameters = {name: bound(value) for name, value in storable(values).items()}
        parameters["owner"] = self.owner
        try:
            return self.raw.execute(native(text), parameters).fetchall()
        except apsw.Error as error:
            raise translated(error, self._place) from error
        except UnicodeDecodeError:
            raise StoreError(f"{self._place} {DAMAGED}") from None  # what stands there is no text any more

    def later(self, text: str, /, **values: Any) -> Callable[[], list[Cells]]:
        return partial(self.run, text, **values)

    def soon(self, read: Callable[[], Answer]) -> Callable[[], Answer]:
        return read

    def run_many(self, text: str, values: list[dict[str, Any]], /, *, taken: Conflict | None = None) -> None:
        cells = itemgetter(*parameters(text))
        self.run_bound(text, [cells({**row, "owner": self.owner}) for row in values], taken=taken)

    def run_rows(
        self, text: str, names: Sequence[str], rows: Sequence[Cells], /, *, taken: Conflict | None = None
    ) -> None:
        owner = self.owner
        if parameters(text) == ["owner", *names]:
            self.run_bound(text, [(owner, *row) for row in rows], taken=taken)
        else:
            self.run_many(text, [dict(zip(names, row, strict=True)) for row in rows], taken=taken)

    def run_bound(self, text: str, rows: list[Cells], /, *, taken: Conflict | None = None) -> None:
        """As ``run_many``, the values of each in the order of ``parameters``."""
        cells_storable(rows)
        try:
            self.raw.executemany(native(text), rows)
        except apsw.Error as error:
            if taken is not None and getattr(error, "extendedresult", None) in TAKEN:
                raise taken from error
            raise translated(error, self._place) from error

    def changed(self, text: str, /, **values: Any) -> int:
        self.run(text, **values)
        return self.raw.changes()

    def ahead(self, *reads: Callable[[], object]) -> None:
        """A question costs no trip here."""

    def leave(self, text: str, /, **values: Any) -> None:
        self.run(text, **values)
