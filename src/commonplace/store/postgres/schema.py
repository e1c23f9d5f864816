"""The book's schemas: found, made, brought up."""

import psycopg
from psycopg import sql

from commonplace.clock import Clock, micros
from commonplace.errors import NotFound, SchemaTooOld, StoreError
from commonplace.store import migrate
from commonplace.store.postgres.connection import Raw

ENGINE = "postgres"
PARTITIONS = 8
OLDEST = 150000
LOCK = 0x636F6D6D6F6E
"""The advisory lock that starters take turns on."""
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
        if self._raw.execute("select to_regclass(%s)", [table]).fetchall()[0][0] is None:
            return 0
        select = sql.SQL("select coalesce(max(number), 0) from {}.schema_version").format(sql.Identifier(self._name))
        return int(self._raw.execute(select).fetchall()[0][0])

    def open(self, clock: Clock, *, create: bool) -> None:
        """Make a book where there is none, if ``create``; refuse an older or newer schema."""
        if self._raw.info.server_version < OLDEST:
            raise StoreError(f"PostgreSQL 15 or newer is needed, this one is {self._raw.info.server_version // 10000}")
        found = self.found()
        migrate.refuse_newer(ENGINE, found)
        if not found:
            if not create:
                raise NotFound("book", self._name)
            self.bring_up(clock)
        elif found < migrate.known(ENGINE):
            raise SchemaTooOld(found, migrate.known(ENGINE))
        elif not self._has_keys():
            self.bring_up(clock)

    def bring_up(self, clock: Clock) -> migrate.Migrated:
        """Run what is missing; starters take turns, and the second one finds it done."""
        with self._raw.transaction():
            self._raw.execute("set local lock_timeout = '10s'")
            self._raw.execute("select pg_advisory_xact_lock(%s, hashtext(%s))", [LOCK % 2**31, self._name])
            found = self.found()
            migrate.refuse_newer(ENGINE, found)
            if not found:
                self._make_role()
                self._run("create schema if not exists {schema}")
            self._run("set local search_path = {schema}, public")
            self._run(migrate.VERSION_TABLE)
            mark = "insert into schema_version (number, applied_at) values (%s, %s)"
            now = migrate.apply(
                ENGINE,
                found,
                self._run,
                lambda number: self._raw.execute(mark, [number, micros(clock.now())]),
            )
            self._run(KEYS.read_text(encoding="utf-8"))
        return migrate.Migrated(found, now, None, None)

    def _run(self, text: str) -> None:
        for word, meaning in (
            ("{schema}", self._name),
            ("{partitions}", str(self._partitions)),
            ("{role}", self.role),
        ):
            text = text.replace(word, meaning)
        self._raw.execute(text.encode())

    def _has_keys(self) -> bool:
        found = self._raw.execute("select to_regnamespace(%s) is not null", [f"{self._name}_keys"])
        return bool(found.fetchall()[0][0])

    def _make_role(self) -> None:
        """The application role, where we may; without it whoever connects must own the tables."""
        try:
            with self._raw.transaction():
                if not self._raw.execute("select from pg_roles where rolname = %s", [self.role]).fetchall():
                    self._raw.execute(sql.SQL("create role {} nologin").format(sql.Identifier(self.role)))
        except psycopg.errors.InsufficientPrivilege:
            return

    def acts_as(self) -> str | None:
        """The role to take in every transaction: a superuser would walk past row level security."""
        found = self._raw.execute("select rolsuper or rolbypassrls from pg_roles where rolname = current_user")
        return self.role if found.fetchall()[0][0] else None
