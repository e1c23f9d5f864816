"""A book in one SQLite file."""

import os
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import apsw

from commonplace.clock import Clock, SystemClock
from commonplace.errors import StoreError
from commonplace.store.frozen import changed
from commonplace.store.migrate import Migrated
from commonplace.store.rows import LedgerEntry
from commonplace.store.sqlite import files
from commonplace.store.sqlite.connection import SqliteConnection, connect, patient, prepare
from commonplace.store.sqlite.errors import translated
from commonplace.store.sqlite.forks import GATE
from commonplace.store.sqlite.ledger import FileLedger
from commonplace.store.sqlite.words import SqliteWords
from commonplace.store.sqlite.writer_queue import turn
from commonplace.store.statements import BoundQuery, TableConnection, sql
from commonplace.store.tables.account import AccountTable
from commonplace.store.tables.vector import AsBytes, VectorTable
from commonplace.store.transaction import OpenTransactions, Transaction

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

    def __init__(
        self, path: Path, *, clock: Clock | None = None, create: bool = True, to_restore: bool = False
    ) -> None:
        self._path = path.expanduser().absolute()
        self._clock = clock or SystemClock()
        self._transactions = OpenTransactions()
        self._lock = threading.Lock()
        self._idle: list[apsw.Connection] = []
        self._process = os.getpid()
        self._closed = False
        self._awaits_restore = to_restore and _size(self._path) == 0
        """Whether the file was made by this opening, for a restore that has not happened."""
        self.migrated: Migrated | None = files.open_file(self._path, self._clock, create=create, to_restore=to_restore)
        self.keyrings = files.keyring_of(self._path)
        self.ledger = FileLedger(self._beside(files.LEDGER), self._committed_mark)
        self.ledger.settle()
        self.accounts = AccountTable(self._durably, lambda name: sql("account", name))

    @property
    def place(self) -> str:
        return str(self._path)

    @contextmanager
    def write(self, owner: str, *, synced: bool = True, prefetch: Sequence[BoundQuery] = ()) -> Iterator[Transaction]:
        self._transactions.refuse_second_write(self.place)
        with self._connection() as raw, _synced(raw, synced), turn(self._beside(".lock")):
            acts = ActsToRecord(owner)
            transaction = self._ports(raw, owner, acts, writing=True)
            recording = partial(self.ledger.recording, acts.entries, transaction.owners.mark_ledger)
            with self._transaction(raw, "begin immediate", committing=recording):
                before = raw.total_changes()
                transaction.owners.make()
                with self._transactions.opened(owner, transaction):
                    yield transaction
                if writes := raw.total_changes() - before:
                    SqliteConnection(raw, owner, self.place).run(sql("owner", "bump"))
                    raw.wal_autocheckpoint(RARELY if writes > MANY else OFTEN)

    @contextmanager
    def read(self, owner: str) -> Iterator[Transaction]:
        with self.read_together([owner]) as (transaction,):
            yield transaction

    def read_together(self, owners: Sequence[str]) -> AbstractContextManager[list[Transaction]]:
        return self._transactions.together(owners, self._snapshot)

    @contextmanager
    def _snapshot(self, owners: Sequence[str], joined: Transaction | None) -> Iterator[list[Transaction]]:
        if joined is not None:
            yield [self._ports(_raw_of(joined), owner, ActsToRecord(owner), writing=False) for owner in owners]
            return
        with self._connection() as raw, self._transaction(raw, "begin"):
            yield [self._ports(raw, owner, ActsToRecord(owner), writing=False) for owner in owners]

    def revision(self, owner: str) -> int:
        with self._connection() as raw:
            rows = SqliteConnection(raw, owner, self.place).run(sql("owner", "revision"))
        return int(rows[0][0]) if rows else 0

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
        self._awaits_restore = False

    def check(self) -> list[str]:
        with self._connection() as raw:
            try:
                problems = [str(line) for (line,) in raw.execute("pragma integrity_check").fetchall() if line != "ok"]
                broken = raw.execute("pragma foreign_key_check").fetchall()
            except apsw.CorruptError as error:
                return [str(translated(error, self.place))]
        return problems + [
            f"a row of {child} names a row of {parent} that is not there" for child, _, parent, _ in broken
        ]

    def sizes(self) -> Mapping[str, int]:
        parts = {"book": "", "wal": "-wal", "keyring": ".keyring", "ledger": ".ledger"}
        return {part: _size(self._beside(ending)) for part, ending in parts.items()}

    def close(self) -> None:
        """Idle connections close now, those in use by other threads when they are given back.

        An empty file that was made for a restore goes again if the restore was refused.
        """
        refused = self._awaits_restore and not self._closed and not self.accounts.owners()
        with self._lock:
            self._closed = True
            idle, self._idle = self._idle, []
        if self._process == os.getpid():
            for raw in idle:
                raw.close()
            if refused:
                files.remove(self._path)

    def _beside(self, ending: str) -> Path:
        return self._path.with_name(self._path.name + ending)

    def _ports(self, raw: apsw.Connection, owner: str, acts: "ActsToRecord", *, writing: bool) -> Transaction:
        db = SqliteConnection(raw, owner, self.place)
        return Transaction(
            db,
            self._clock,
            vectors=VectorTable(db, AsBytes()),
            words=SqliteWords(db),
            final_acts=lambda owners: acts,
            key_record=partial(self.keyrings.get, owner),
            writing=writing,
        )

    def _committed_mark(self, owner: str) -> str | None:
        with self._connection() as raw:
            rows = SqliteConnection(raw, owner, self.place).run(sql("owner", "ledger"))
        return rows[0][0] if rows else None

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
        """Ctrl-C can come between a statement and the clause that would undo it: no transaction is given back open."""
        if raw.in_transaction:
            raw.execute("rollback").fetchall()
        with self._lock:
            if not self._closed:
                self._idle.append(raw)
                return
        raw.close()

    @contextmanager
    def _transaction(
        self, raw: apsw.Connection, begin: str, *, committing: Callable[[], AbstractContextManager[None]] = nullcontext
    ) -> Iterator[None]:
        """``committing`` is entered around the commit."""
        try:
            raw.execute(begin).fetchall()
            yield
            with committing():
                raw.execute("commit").fetchall()
        except BaseException:
            if raw.in_transaction:
                raw.execute("rollback").fetchall()
            raise

    @contextmanager
    def _durably(self, owner: str) -> Iterator[TableConnection]:
        """For one statement: a question takes no write lock, and an act takes it as its first step."""
        with self._connection() as raw, self._transaction(raw, "begin"):
            yield SqliteConnection(raw, owner, self.place)


class ActsToRecord:
    """Implements ``ports.FinalActs``: collected here, recorded when the transaction commits."""

    def __init__(self, owner: str) -> None:
        self._owner = owner
        self.entries: list[LedgerEntry] = []

    def append(self, entries: Sequence[LedgerEntry]) -> None:
        self.entries += [changed(entry, owner=self._owner) for entry in entries]


@contextmanager
def _synced(raw: apsw.Connection, synced: bool) -> Iterator[None]:
    """Without ``synced`` a commit does not wait for the disk; the next synced commit makes it durable."""
    if synced:
        yield
        return
    raw.execute("pragma synchronous = normal").fetchall()
    try:
        yield
    finally:
        raw.execute("pragma synchronous = full").fetchall()


def _size(path: Path) -> int:
    return path.stat().st_size if path.exists() else 0


def _abandon(connections: list[apsw.Connection]) -> None:
    """Never let go of connections that came over a fork: closing one here would break the parent's locks."""
    if connections:
        import ctypes  # noqa: PLC0415  only a forked child needs it

        for raw in connections:
            ctypes.pythonapi.Py_IncRef(ctypes.py_object(raw))


def _raw_of(transaction: Transaction) -> apsw.Connection:
    db = transaction.connection
    assert isinstance(db, SqliteConnection)
    return db.raw
