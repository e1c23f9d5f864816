"""A book in a PostgreSQL schema."""

import os
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from functools import cached_property, partial
from pathlib import Path

import psycopg
from psycopg.conninfo import conninfo_to_dict
from psycopg_pool import ConnectionPool, PoolTimeout

from commonplace.clock import Clock, SystemClock, micros
from commonplace.errors import StoreError
from commonplace.store.migrate import Migrated
from commonplace.store.ports import Progress
from commonplace.store.postgres.adapt import register
from commonplace.store.postgres.connection import (
    OwnerConnection,
    PostgresConnection,
    PrefetchedAnswer,
    connection_of,
    naming,
)
from commonplace.store.postgres.dialect import native
from commonplace.store.postgres.errors import UNDONE, translated
from commonplace.store.postgres.journal import TRIES, waits
from commonplace.store.postgres.keyring_store import TableKeyring, record_in
from commonplace.store.postgres.ledger import TableLedger
from commonplace.store.postgres.schema import PARTITIONS, Raw, Schema
from commonplace.store.postgres.vectors import PostgresVectors
from commonplace.store.postgres.wire import Statement, Wired
from commonplace.store.postgres.words import PostgresWords
from commonplace.store.statements import BoundQuery, Cells, sql, storable
from commonplace.store.tables.account import DEFAULT_PLAN, AccountTable
from commonplace.store.transaction import OpenTransactions, Transaction

SNAPSHOT = "begin isolation level repeatable read, read only"
READING = "begin isolation level read committed, read only"
WRITING = "begin isolation level read committed, read write"
UNSYNCED = "; set local synchronous_commit = off"
LIMITS = {"statement_timeout": "60s", "lock_timeout": "30s", "idle_in_transaction_session_timeout": "300s"}
PLANS = {"enable_seqscan": "off", "jit": "off", "plan_cache_mode": "force_generic_plan"}
"""Every statement has its index, but statistics of a small or busy table may tell the planner otherwise, and then it
would walk over the rows of other owners. To plan a statement anew for each owner, with partitions to choose from, costs
more than to run it."""
AHEAD = (("owner", "get"), ("namespace", "few"), ("vector", "sets"))
"""What nearly every read asks first: sent along when its snapshot is taken, and answered in the same trip."""
AHEAD_OF_WRITES = (("namespace", "few"), ("audit", "last"))
"""The same for writes; they ask for the owner's keys too."""
BESIDE = 2
"""Connections for keyring and ledger while the thread that asks holds one of the others for its write: were they of
the same pool, as many writers as it has connections would wait for each other."""
FAILURES = "connections_errors"
"""What the pool calls its count of connections that could not be made."""
ACCOUNTS = ("token", "owners", "due_owners", "lease", "release")
"""What is asked of functions, which may look at every owner."""


class PostgresStore:
    """Implements ``ports.Store``. One owner's writes take turns on the owner's row; owners do not wait for another."""

    engine = "postgres"

    def __init__(
        self,
        url: str,
        *,
        clock: Clock | None = None,
        create: bool = True,
        schema: str = "commonplace",
        partitions: int = PARTITIONS,
        connections: int = 10,
        patience: float = 10.0,
    ) -> None:
        self._url, self._schema = url, schema
        self._connections, self._patience = connections, patience
        self._clock = clock or SystemClock()
        self._transactions, self._here = OpenTransactions(), threading.local()
        self._process = os.getpid()
        self._closed = False
        self._failures = 0
        self.migrated: Migrated | None = None
        with connected(url) as raw:
            database_schema = Schema(raw, schema, partitions=partitions)
            database_schema.open(self._clock, create=create)
            self._role = database_schema.acts_as()
        self._pool = self._new_pool(self._connections)
        self._beside: ConnectionPool[Wired] | None = None
        self._turn = threading.Lock()
        self.keyrings = TableKeyring(self._durably, self._asked, schema)
        self.ledger = TableLedger(self._durably, schema)
        self.accounts = AccountTable(
            self._durably, lambda name: sql("postgres" if name in ACCOUNTS else "account", name)
        )

    @cached_property
    def place(self) -> str:
        return shown(self._url)

    @contextmanager
    def write(self, owner: str, *, synced: bool = True, prefetch: Sequence[BoundQuery] = ()) -> Iterator[Transaction]:
        self._transactions.refuse_second_write(self.place)
        with self._transaction(WRITING if synced else WRITING + UNSYNCED, owner, lock=True, prefetch=prefetch) as db:
            self._here.writing = db, os.getpid()
            try:
                with self._transactions.opened(owner, self._ports(db, writing=True)) as transaction:
                    yield transaction
            finally:
                self._here.writing = None

    @contextmanager
    def read(self, owner: str) -> Iterator[Transaction]:
        with self.read_together([owner]) as (transaction,):
            yield transaction

    def read_together(self, owners: Sequence[str]) -> AbstractContextManager[list[Transaction]]:
        return self._transactions.together(owners, self._reads)

    @contextmanager
    def _reads(self, owners: Sequence[str], joined: Transaction | None) -> Iterator[list[Transaction]]:
        if joined is not None:
            db = self._joining(connection_of(joined), owners)
            yield [self._ports(OwnerConnection(db, owner), writing=False) for owner in owners]
            return
        with self._snapshot(owners) as db:
            others = [self._ports(OwnerConnection(db, owner), writing=False) for owner in owners[1:]]
            yield [self._ports(db, writing=False), *others]

    def _joining(self, db: PostgresConnection, owners: Sequence[str]) -> PostgresConnection:
        """A snapshot on which further owners are asked now what is always asked."""
        texts = [*(sql(*name) for name in AHEAD), self.keyrings.question]
        db.ask_ahead([BoundQuery(text, {"owner": owner}) for owner in owners for text in texts])
        return db

    def revision(self, owner: str) -> int:
        with self._transaction(SNAPSHOT, owner) as db:
            rows = db.run(sql("owner", "revision"))
        return int(rows[0][0]) if rows else 0

    def scrub(self) -> bool:
        """Dead rows leave with vacuum, and the WAL with its archive: out of our reach, so never claimed."""
        return False

    def backup(self, target: Path, *, progress: Progress | None = None) -> None:
        raise StoreError(
            "a PostgreSQL book is backed up by its server: "
            f"pg_dump --schema={self._schema} --exclude-schema={self._schema}_keys --format=custom "
            f"--file={target} {self.place}"
        )

    def replace_with(self, source: Path) -> None:
        raise StoreError(
            f"a PostgreSQL book is restored by its server: drop schema {self._schema} cascade, then "
            f"pg_restore --single-transaction --dbname={self.place} {source}; then run `commonplace restore --replay`, "
            "so that what was forgotten since stays so"
        )

    def check(self) -> list[str]:
        with connected(self._url) as raw:
            unchecked = raw.execute(sql("postgres", "unchecked_rules").encode(), [self._schema]).fetchall()
            invalid = raw.execute(sql("postgres", "invalid_indexes").encode(), [self._schema]).fetchall()
        problems = [problem for (problem,) in unchecked]
        return problems + [f"index {name} is not valid; run `reindex index {name}`" for (name,) in invalid]

    def sizes(self) -> Mapping[str, int]:
        text = (
            "select n.nspname, coalesce(sum(pg_total_relation_size(c.oid)), 0)::bigint from pg_namespace n"
            " left join pg_class c on c.relnamespace = n.oid and c.relkind = 'r' where n.nspname = any(%s)"
            " group by n.nspname"
        )
        with connected(self._url) as raw:
            sizes = dict(raw.execute(text, [[self._schema, f"{self._schema}_keys"]]).fetchall())
        return {"book": sizes.get(self._schema, 0), "keys": sizes.get(f"{self._schema}_keys", 0)}

    def close(self) -> None:
        """Connections in use by other threads close when they are given back."""
        self._closed = True
        if self._process == os.getpid():
            self._pool.close()
            if self._beside is not None:
                self._beside.close()

    def _ports(self, db: PostgresConnection | OwnerConnection, *, writing: bool) -> Transaction:
        return Transaction(
            db,
            self._clock,
            vectors=PostgresVectors(db),
            words=PostgresWords(db),
            final_acts=lambda owners: self.ledger.within(db, owners),
            key_record=lambda: record_in(db.run(self.keyrings.question)),
            writing=writing,
        )

    @property
    def _writing(self) -> PostgresConnection | None:
        """The write that this thread has open; a forked child has none."""
        db, process = getattr(self._here, "writing", None) or (None, 0)
        return db if process == os.getpid() else None

    def _new_pool(self, connections: int) -> ConnectionPool[Wired]:
        return ConnectionPool(
            self._url,
            connection_class=Wired,
            kwargs={"autocommit": True, "prepare_threshold": None},
            min_size=0,
            max_size=connections,
            timeout=self._patience,
            configure=self._configure,
            open=True,
            name="commonplace",
        )

    def _configure(self, raw: Wired) -> None:
        register(raw)
        for name, setting in {"search_path": f"{self._schema}, public", **LIMITS, **PLANS}.items():
            raw.execute("select set_config(%s, %s, false)", [name, setting])

    def _connection_pool(self) -> ConnectionPool[Wired]:
        if self._closed:
            raise StoreError(f"{self.place} is closed; open the book again")
        if self._process != os.getpid():
            self._process = os.getpid()
            self._pool, self._beside = self._new_pool(self._connections), None
        return self._pool

    def _pool_beside(self) -> ConnectionPool[Wired]:
        self._connection_pool()
        with self._turn:
            if self._beside is None:
                self._beside = self._new_pool(BESIDE)
            return self._beside

    @contextmanager
    def _transaction(
        self, begin: str, owner: str, *, lock: bool = False, prefetch: Sequence[BoundQuery] = ()
    ) -> Iterator[PostgresConnection]:
        storable({"owner": owner})
        pool = self._connection_pool() if self._writing is None else self._pool_beside()
        ahead: list[PrefetchedAnswer] = []
        raw = self._begun(pool, lambda raw: ahead.extend(self._open(raw, begin, owner, lock=lock, prefetch=prefetch)))
        retry_on_conflict = partial(self._open_again, raw, begin, owner, lock=lock)
        try:
            db = PostgresConnection(
                raw, owner, self.place, retry_on_conflict=retry_on_conflict, writing=lock, ahead=ahead
            )
            yield db
            db.commit()
        except psycopg.Error as error:
            raise translated(error, self.place) from error
        finally:
            _settle(raw)
            pool.putconn(raw)

    @contextmanager
    def _snapshot(self, owners: Sequence[str]) -> Iterator[PostgresConnection]:
        """Of the first owner; the others are asked on it too."""
        storable({"owners": list(owners)})
        pool = self._connection_pool() if self._writing is None else self._pool_beside()
        ahead: list[PrefetchedAnswer] = []
        owner, *others = owners
        raw = self._begun(pool, lambda raw: ahead.extend(self._open(raw, SNAPSHOT, owner, others=others)))
        try:
            retry_on_conflict = partial(self._open_again, raw, SNAPSHOT, owner)
            db = PostgresConnection(raw, owner, self.place, retry_on_conflict=retry_on_conflict, ahead=ahead)
            db.named_owner = owners[-1]
            yield db
            raw.wire.ask([(native("commit"), ())])
        except psycopg.Error as error:
            raise translated(error, self.place) from error
        finally:
            _settle(raw)
            pool.putconn(raw)

    def _begun(self, pool: ConnectionPool[Wired], opening: Callable[[Wired], None]) -> Wired:
        """A connection with its transaction open. A connection that died in the pool is passed over."""
        tries = waits()
        for _ in range(self._connections + TRIES + 1):
            raw = self._taken(pool)
            try:
                opening(raw)
            except psycopg.Error as error:
                dead = raw.broken
                _settle(raw)
                pool.putconn(raw)
                if not dead and (not isinstance(error, UNDONE) or not next(tries, False)):
                    raise translated(error, self.place) from error
            else:
                self._failures = pool.get_stats().get(FAILURES, 0)
                return raw
        raise StoreError(f"{self.place} cannot be reached; check the server and try again")

    def _taken(self, pool: ConnectionPool[Wired]) -> Wired:
        try:
            return pool.getconn()
        except PoolTimeout as error:
            if pool.get_stats().get(FAILURES, 0) > self._failures:
                raise StoreError(f"{self.place} cannot be reached; check the server and try again") from error
            raise translated(error, self.place) from error
        except psycopg.Error as error:
            raise translated(error, self.place) from error

    def _open(
        self,
        raw: Wired,
        begin: str,
        owner: str,
        *,
        lock: bool = False,
        prefetch: Sequence[BoundQuery] = (),
        others: Sequence[str] = (),
    ) -> list[PrefetchedAnswer]:
        """Begin, name the owner, lock its row if it is to be, and ask what is always asked, in one round trip.

        ``others`` are asked the same after it, and all of them for the record of their keys.
        """
        texts = [sql(*name) for name in (AHEAD_OF_WRITES if lock else AHEAD if begin == SNAPSHOT else ())]
        if lock or others:
            texts.append(self.keyrings.question)
        statements = self._begun_with(begin, owner, lock=lock)
        questions = [*(BoundQuery(text, {}) for text in texts), *prefetch]
        asked = [(len(statements) + place, question) for place, question in enumerate(questions)]
        statements += [_placed(question, owner) for question in questions]
        for other in others:
            statements.append(naming(other))
            for question in [BoundQuery(text, {"owner": other}) for text in texts]:
                asked.append((len(statements), question))
                statements.append(_placed(question, other))
        answers = raw.wire.ask(statements)
        ahead = [PrefetchedAnswer(question, answers[place].rows) for place, question in asked]
        return (
            [PrefetchedAnswer(BoundQuery(sql("owner", "get"), {}), answers[asked[0][0] - 1].rows), *ahead]
            if lock
            else ahead
        )

    def _open_again(self, raw: Wired, begin: str, owner: str, *, lock: bool = False) -> None:
        """As ``_open``; who says all again asks what was asked ahead by itself."""
        raw.wire.ask(self._begun_with(begin, owner, lock=lock))

    def _begun_with(self, begin: str, owner: str, *, lock: bool = False) -> list[Statement]:
        statements: list[Statement] = [(native(text), ()) for text in begin.split("; ")]
        statements.append((native(sql("postgres", "named")), [self._role or "none", owner]))
        if lock:
            statements.append((native(sql("postgres", "locked")), [owner, DEFAULT_PLAN, micros(self._clock.now())]))
        return statements

    @contextmanager
    def _durably(self, owner: str) -> Iterator[PostgresConnection]:
        try:
            with self._transaction(WRITING, owner) as db:
                yield db
        finally:
            if (writing := self._writing) is not None:
                writing.look_again()

    def _asked(self, owners: Sequence[str], text: str) -> list[list[Cells]]:
        """The rows of each owner as others left them, in one round trip.

        For the owner whose write this thread has open, they are read on that write, which sees the same.
        """
        writing = self._writing
        others = [owner for owner in owners if writing is None or owner != writing.owner]
        rows: dict[str, list[Cells]] = {}
        if writing is not None and writing.owner in owners:
            rows[writing.owner] = writing.run(text)

        def ask(raw: Wired) -> None:
            statements: list[Statement] = []
            for owner in others:
                storable({"owner": owner})
                statements += [*self._begun_with(READING, owner), (native(text), [owner]), (native("commit"), ())]
            answers = raw.wire.ask(statements)
            size = len(statements) // len(others)
            rows.update({owner: answer.rows for owner, answer in zip(others, answers[size - 2 :: size], strict=True)})

        if others:
            pool = self._connection_pool() if writing is None else self._pool_beside()
            pool.putconn(self._begun(pool, ask))
        return [rows[owner] for owner in owners]


def _placed(question: BoundQuery, owner: str) -> Statement:
    text, values = native(question.text), {**storable(question.values), "owner": owner}
    return text, [values[name] for name in text.names]


@contextmanager
def connected(url: str) -> Iterator[Raw]:
    try:
        with psycopg.connect(url, autocommit=True) as raw:
            yield raw
    except psycopg.Error as error:
        raise translated(error, shown(url)) from error


def bring_up(
    url: str, *, clock: Clock | None = None, schema: str = "commonplace", partitions: int = PARTITIONS
) -> Migrated:
    """Make the book's schema, or run the migrations that it is missing; others may go on reading and writing."""
    with connected(url) as raw:
        return Schema(raw, schema, partitions=partitions).bring_up(clock or SystemClock())


def _settle(raw: Wired) -> None:
    """Leave no transaction open; a connection that cannot say so is broken, and the pool replaces it."""
    if raw.info.transaction_status != psycopg.pq.TransactionStatus.IDLE and not raw.broken:
        try:
            raw.execute("rollback")
        except psycopg.Error:
            raw.close()


def shown(url: str) -> str:
    """The URL without its password."""
    try:
        parts: dict[str, object] = dict(conninfo_to_dict(url))
    except psycopg.Error as error:
        raise StoreError("the book's URL cannot be read; it looks like postgresql://user@host/database") from error
    user = f"{parts['user']}@" if parts.get("user") else ""
    port = f":{parts['port']}" if parts.get("port") else ""
    return f"postgresql://{user}{parts.get('host', '')}{port}/{parts.get('dbname', '')}"
