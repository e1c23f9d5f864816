"""A book in one SQLite file."""

import os
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import apsw

from commonplace.clock import Clock, SystemClock
from commonplace.errors import StoreError
from commonplace.store.migrate import Migrated
from commonplace.store.sqlite import files
from commonplace.store.sqlite.beside import FileKeyring, FileLedger
from commonplace.store.sqlite.connection import OwnerConnection, connect, patient, prepare
from commonplace.store.sqlite.errors import translated
from commonplace.store.sqlite.forks import GATE
from commonplace.store.sqlite.turns import turn
from commonplace.store.sqlite.words import SqliteWords
from commonplace.store.statements import Asked, Connection, sql
from commonplace.store.tables.accounts import AccountTable
from commonplace.store.tables.vector import AsBytes, VectorTable
from commonplace.store.transaction import OpenTransaction

if TYPE_CHECKING:
    from commonplace.store.ports import Progress

SCRUB_PATIENCE = 0.5
"""Seconds a scrub waits for readers before it says that it is pending."""

OFTEN, RARELY = 1_000, 16_000
"""Pages in the WAL from which on a commit brings them into the book; ``RARELY`` for one of more than ``MANY`` rows.

Of a batch the next one writes most pages again: brought over after three of them, they are written once, not thrice.
"""
MANY = 5_000


class SqliteStore:
    """Implements ``ports.Store``. ``migrated`` says what opening it changed in an older file, if anything."""

    engine = "sqlite"

    def __init__(self, path: Path, *, clock: Clock | None = None, create: bool = True) -> None:
        self._path = path.expanduser().absolute()
        self._clock = clock or SystemClock()
        self._here = threading.local()
        self._lock = threading.Lock()
        self._idle: list[apsw.Connection] = []
        self._process = os.getpid()
        self._closed = False
        self.migrated: Migrated | None = files.open_file(self._path, self._clock, create=create)
        self.keyrings = FileKeyring(self._beside(".keyring"))
        self.ledger = FileLedger(self._beside(".ledger"))
        self.accounts = AccountTable(self._durably, lambda name: sql("account", name))

    @property
    def place(self) -> str:
        return str(self._path)

    @contextmanager
    def write(self, owner: str, *, synced: bool = True, foreseen: Sequence[Asked] = ()) -> Iterator[OpenTransaction]:
        open_here = self._open_here()
        if any(one.writing for one in open_here.values()):
            raise StoreError(f"{self.place}: this thread is writing already; a write cannot hold another")
        with self._connection() as raw, _synced(raw, synced), self._turn(), self._transaction(raw, "begin immediate"):
            before = raw.total_changes()
            transaction = self._ports(raw, owner, writing=True)
            transaction.owners.make()
            shadowed = open_here.get(owner)
            open_here[owner] = transaction
            try:
                yield transaction
            finally:
                _restore(open_here, owner, shadowed)
            if changed := raw.total_changes() - before:
                OwnerConnection(raw, owner, self.place).run(sql("owner", "bump"))
                raw.wal_autocheckpoint(RARELY if changed > MANY else OFTEN)

    @contextmanager
    def read(self, owner: str) -> Iterator[OpenTransaction]:
        open_here = self._open_here()
        if owner in open_here:
            yield open_here[owner]
            return
        with self._connection() as raw, self._transaction(raw, "begin"):
            open_here[owner] = self._ports(raw, owner, writing=False)
            try:
                yield open_here[owner]
            finally:
                del open_here[owner]

    def revision(self, owner: str) -> int:
        with self._connection() as raw:
            found = OwnerConnection(raw, owner, self.place).run(sql("owner", "revision"))
        return int(found[0][0]) if found else 0

    def scrub(self) -> bool:
        """Deleted rows are zeroed as they go; this empties the WAL, where older pages may still stand."""
        with self._connection() as raw:
            raw.set_busy_handler(patient(SCRUB_PATIENCE))
            try:
                busy, _, _ = raw.execute("pragma wal_checkpoint(truncate)").fetchall()[0]
            except apsw.BusyError:
                return False
            finally:
                raw.set_busy_handler(patient())
        return not busy

    def backup(self, target: Path, *, progress: "Progress | None" = None) -> None:
        with self._connection() as raw:
            files.copy(raw, target.expanduser().absolute(), progress=progress)

    def replace_with(self, source: Path) -> None:
        """One transaction for all: others see the old book or the new one, and a kill leaves the old."""
        with self._connection() as raw:
            files.put_in_place(source, raw)

    def check(self) -> list[str]:
        with self._connection() as raw:
            try:
                found = [str(line) for (line,) in raw.execute("pragma integrity_check").fetchall() if line != "ok"]
                broken = raw.execute("pragma foreign_key_check").fetchall()
            except apsw.CorruptError as error:
                return [str(translated(error, self.place))]
        return found + [f"a row of {child} names a row of {parent} that is not there" for child, _, parent, _ in broken]

    def sizes(self) -> Mapping[str, int]:
        parts = {"book": "", "wal": "-wal", "keyring": ".keyring", "ledger": ".ledger"}
        return {part: _size(self._beside(ending)) for part, ending in parts.items()}

    def close(self) -> None:
        """Idle connections close now, those in use by other threads when they are given back."""
        with self._lock:
            self._closed = True
            idle, self._idle = self._idle, []
        if self._process == os.getpid():
            for raw in idle:
                raw.close()

    def _turn(self) -> AbstractContextManager[None]:
        return turn(self._beside(".lock"))

    def _beside(self, ending: str) -> Path:
        return self._path.with_name(self._path.name + ending)

    def _ports(self, raw: apsw.Connection, owner: str, *, writing: bool) -> OpenTransaction:
        db = OwnerConnection(raw, owner, self.place)
        return OpenTransaction(db, self._clock, VectorTable(db, AsBytes()), SqliteWords(db), writing=writing)

    def _open_here(self) -> dict[str, OpenTransaction]:
        """The transactions of this thread; a forked child starts without any."""
        if getattr(self._here, "process", None) != os.getpid():
            self._here.process = os.getpid()
            self._here.open = {}
        found: dict[str, OpenTransaction] = self._here.open
        return found

    @contextmanager
    def _connection(self) -> Iterator[apsw.Connection]:
        with GATE.inside():
            raw = self._take()
            try:
                yield raw
            except apsw.Error as error:
                raise translated(error, self.place) from error
            finally:
                self._give_back(raw)

    def _take(self) -> apsw.Connection:
        if self._process != os.getpid():
            _abandon(self._idle)
            self._idle, self._process = [], os.getpid()
            self._lock = threading.Lock()  # a thread of the parent may have held it at the fork
        with self._lock:
            if self._closed:
                raise StoreError(f"{self.place} is closed; open the book again")
            if self._idle:
                return self._idle.pop()
        try:
            raw = connect(self.place, files.READ_WRITE)
            prepare(raw)
        except apsw.Error as error:
            raise translated(error, self.place) from error
        return raw

    def _give_back(self, raw: apsw.Connection) -> None:
        with self._lock:
            if not self._closed:
                self._idle.append(raw)
                return
        raw.close()

    @contextmanager
    def _transaction(self, raw: apsw.Connection, begin: str) -> Iterator[None]:
        raw.execute(begin).fetchall()
        try:
            yield
            raw.execute("commit").fetchall()
        except BaseException:
            if raw.in_transaction:
                raw.execute("rollback").fetchall()
            raise

    @contextmanager
    def _durably(self, owner: str) -> Iterator[Connection]:
        """For one statement: a question takes no write lock, and an act takes it as its first step."""
        with self._connection() as raw, self._transaction(raw, "begin"):
            yield OwnerConnection(raw, owner, self.place)


@contextmanager
def _synced(raw: apsw.Connection, synced: bool) -> Iterator[None]:
    """Without ``synced`` a commit is written and left to the next one that waits for the disk."""
    if synced:
        yield
        return
    raw.execute("pragma synchronous = normal").fetchall()
    try:
        yield
    finally:
        raw.execute("pragma synchronous = full").fetchall()


def _restore(open_here: dict[str, OpenTransaction], owner: str, shadowed: OpenTransaction | None) -> None:
    if shadowed is None:
        del open_here[owner]
    else:
        open_here[owner] = shadowed


def _size(path: Path) -> int:
    return path.stat().st_size if path.exists() else 0


def _abandon(connections: list[apsw.Connection]) -> None:
    """Never let go of connections that came over a fork: closing one here would break the parent's locks."""
    if connections:
        import ctypes  # noqa: PLC0415  only a forked child needs it

        for raw in connections:
            ctypes.pythonapi.Py_IncRef(ctypes.py_object(raw))
