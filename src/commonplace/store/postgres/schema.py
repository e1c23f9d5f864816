"""The book's schemas: found, made, brought up."""

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import psycopg
from psycopg import errors, sql

from commonplace.clock import Clock, micros
from commonplace.errors import NotFound, SchemaTooOld, StoreBusy, StoreError
from commonplace.store import migrate
from commonplace.store.statements import Cells

ENGINE = "postgres"
Raw = psycopg.Connection[Cells]
PARTITIONS = 8
OLDEST = 150000
LOCK = 0x636F6D6D6F6E
"""The advisory lock that starters take turns on."""
PATIENCE, PAUSE = 120.0, 0.1
"""Seconds that a starter waits for its turn, or a step for its locks, in all; and between two looks, on average."""
LOCK_TIMEOUT = "300ms"
"""Whoever reads or writes queues behind a step that waits for a lock: so it waits shortly, gives way, tries again."""
OUTSIDE = "-- outside a transaction"
"""How a step begins that PostgreSQL runs in no transaction (an index made concurrently). Each of its statements can be
run twice, and one that says ``{partition}`` is run for the number of every partition."""
CONCURRENTLY = " concurrently "
KEYS = migrate.FOLDER / ENGINE / "keys.sql"


class Schema:
    """One book's schema by name, on one connection in autocommit mode."""

    def __init__(self, raw: Raw, name: str, *, partitions: int = PARTITIONS) -> None:
        if not name.isidentifier() or name != name.lower():
            raise StoreError(f"{name!r} cannot name a schema; use small letters, digits and _")
        self._raw, self._name, self._partitions = raw, name, partitions

    @property
    def role(self) -> str:
        return f"{self._name}_app"

    def found(self) -> int:
        """The schema version that stands there: 0 for none."""
        table = f"{self._name}.schema_version"
        if self._answer("select to_regclass(%s)", table) is None:
            return 0
        return int(self._answer(f"select coalesce(max(number), 0) from {table}"))

    def open(self, clock: Clock, *, create: bool) -> None:
        """Make a book where there is none, if ``create``; refuse an older or newer schema."""
        if self._raw.info.server_version < OLDEST:
            raise StoreError(f"PostgreSQL 15 or newer is needed, this one is {self._raw.info.server_version // 10000}")
        version = self.found()
        migrate.refuse_newer(ENGINE, version)
        if not version:
            if not create:
                raise NotFound("book", self._name)
            if self._has_owners() and not self.found():
                raise StoreError(
                    f"the schema {self._name} is missing, but its keys in {self._name}_keys are here. Restore a dump "
                    "with pg_restore; to start an empty book on purpose, run `commonplace migrate`"
                )
            self.bring_up(clock)
        elif version < migrate.known(ENGINE):
            raise SchemaTooOld(version, migrate.known(ENGINE))
        elif not self._has_keys():
            self.bring_up(clock)

    def bring_up(self, clock: Clock) -> migrate.Migrated:
        """Run what is missing; starters take turns, and the second one finds it done. Where nothing is, nothing is
        asked of the role either.

        A new book is made in one transaction. A book in use is brought up step by step, each step in a transaction of
        its own that gives way to those who use the book.
        """
        version = self.found()
        if version == migrate.known(ENGINE) and self._has_keys():
            return migrate.Migrated(version, version, None, None)
        with self._turn():
            version = self.found()
            migrate.refuse_newer(ENGINE, version)
            if not version:
                with self._raw.transaction():
                    self._make(clock)
            else:
                for step in migrate.steps(ENGINE)[version:]:
                    self._giving_way(step.text, step.number, clock)
                self._giving_way(KEYS.read_text(encoding="utf-8"))
        return migrate.Migrated(version, self.found(), None, None)

    def _make(self, clock: Clock) -> None:
        self._make_role()
        self._run("create schema if not exists {schema}")
        self._run("set local search_path = {schema}, public")
        self._run(migrate.VERSION_TABLE)
        for step in migrate.steps(ENGINE):
            if step.text.startswith(OUTSIDE):
                self._run_each(step.text.replace(CONCURRENTLY, " "))
            else:
                self._run(step.text)
            self._mark(step.number, clock)
        self._run(KEYS.read_text(encoding="utf-8"))

    def _giving_way(self, text: str, number: int | None = None, clock: Clock | None = None) -> None:
        """Run one step under live traffic: no wait for a lock lasts long enough to hold others up."""
        deadline = time.monotonic() + PATIENCE
        while True:
            try:
                if text.startswith(OUTSIDE):
                    self._outside(text)
                with self._raw.transaction():
                    self._run("set local search_path = {schema}, public")
                    self._raw.execute("select set_config('lock_timeout', %s, true)", [LOCK_TIMEOUT])
                    if not text.startswith(OUTSIDE):
                        self._run(text)
                    if number is not None and clock is not None:
                        self._mark(number, clock)
                return
            except (errors.LockNotAvailable, errors.DeadlockDetected) as error:
                if time.monotonic() > deadline:
                    raise StoreBusy("a table of the book stayed locked; the schema is unchanged, try again") from error
                _pause()

    def _outside(self, text: str) -> None:
        self._run("set search_path = {schema}, public")
        broken = "select indexrelid::regclass::text from pg_index i join pg_class c on c.oid = indexrelid"
        broken += " where not indisvalid and relkind = 'i' and relnamespace = %s::regnamespace"
        for (name,) in self._raw.execute(broken.encode(), [self._name]).fetchall():
            self._run(f"drop index concurrently {name}")
        self._run_each(text)

    def _run_each(self, text: str) -> None:
        rows = self._raw.execute("select count(*) from pg_inherits where inhparent = 'owner'::regclass").fetchall()
        for statement in text.removeprefix(OUTSIDE).split(";\n"):
            # What is made concurrently holds nobody up while it waits, and must not give up half-way.
            patience = "0" if CONCURRENTLY in statement else LOCK_TIMEOUT
            self._raw.execute("select set_config('lock_timeout', %s, false)", [patience])
            if "{partition}" in statement:
                for number in range(rows[0][0]):
                    self._run(statement.replace("{partition}", str(number)))
            elif statement.strip():
                self._run(statement)

    def _mark(self, number: int, clock: Clock) -> None:
        mark = "insert into schema_version (number, applied_at) values (%s, %s)"
        self._raw.execute(mark, [number, micros(clock.now())])

    @contextmanager
    def _turn(self) -> Iterator[None]:
        """Asked for again and again, not waited for: who waits in the server holds a snapshot, and an index that is
        made concurrently waits for every snapshot to end."""
        key = [LOCK % 2**31, self._name]
        deadline = time.monotonic() + PATIENCE
        while not self._answer("select pg_try_advisory_lock(%s, hashtext(%s))", *key):
            if time.monotonic() > deadline:
                raise StoreBusy("another starter is still bringing the book's schema up; try again when it is done")
            _pause()
        try:
            yield
        finally:
            if not self._raw.broken:
                self._raw.execute("select pg_advisory_unlock(%s, hashtext(%s))", key)

    def _run(self, text: str) -> None:
        for word, meaning in (
            ("{schema}", self._name),
            ("{partitions}", str(self._partitions)),
            ("{role}", self.role),
        ):
            text = text.replace(word, meaning)
        self._raw.execute(text.encode())

    def _has_keys(self) -> bool:
        return bool(self._answer("select to_regnamespace(%s) is not null", f"{self._name}_keys"))

    def _has_owners(self) -> bool:
        owners = f"select exists (select {self._name}_keys.keyring_owners())"
        return self._has_keys() and bool(self._answer(owners))

    def _make_role(self) -> None:
        """The application role, where we may; without it the connecting role must own the tables."""
        try:
            with self._raw.transaction():
                if not self._raw.execute("select from pg_roles where rolname = %s", [self.role]).fetchall():
                    self._raw.execute(sql.SQL("create role {} nologin").format(sql.Identifier(self.role)))
        except psycopg.errors.InsufficientPrivilege:
            return

    def acts_as(self) -> str | None:
        """The role to take in every transaction: a superuser would walk past row level security."""
        above = "select rolsuper or rolbypassrls from pg_roles where rolname = current_user"
        return self.role if self._answer(above) else None

    def _answer(self, text: str, *values: object) -> Any:
        return self._raw.execute(text.encode(), values or None).fetchall()[0][0]


def _pause() -> None:
    """Of random length, so that two who wait for each other stop doing so."""
    time.sleep(PAUSE * 2 * os.urandom(1)[0] / 255)
