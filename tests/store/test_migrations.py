"""Numbered migrations: applied once each, refused when newer, backed up before, the same on both engines."""

import gzip
import shutil
import subprocess
import uuid
from pathlib import Path
from typing import Any

import apsw
import pytest
from tests.conformance.store.build import home, memory

from commonplace.errors import SchemaTooNew, SchemaTooOld, StoreError
from commonplace.store import migrate
from commonplace.store.open import migrate_store, open_store
from commonplace.store.ports import Store
from commonplace.store.postgres.store import PostgresStore, bring_up
from commonplace.store.rows import Filter

RELEASED = Path(__file__).parent / "released"
NEXT = {
    "sqlite": "alter table usage add column cents integer not null default 0;",
    "postgres": "alter table usage add column cents bigint not null default 0;",
}


@pytest.fixture
def next_release(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The migrations of a release to come, with one more number; returns their folder, in force."""
    folder = tmp_path / "migrations"
    shutil.copytree(migrate.FOLDER, folder)
    number = migrate.known("sqlite") + 1
    for engine, text in NEXT.items():
        (folder / engine / f"{number:04}_cents.sql").write_text(text)
    monkeypatch.setattr(migrate, "FOLDER", folder)
    return folder


def schema_of(path: Path) -> list[tuple[Any, ...]]:
    raw = apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READONLY)
    found = raw.execute("select type, name, tbl_name, sql from sqlite_schema order by type, name").fetchall()
    raw.close()
    return found


def ids(store: Store) -> list[str]:
    with store.read("ada") as tx:
        return [row.id for row in tx.memories.find(Filter())]


def written(path: Path) -> None:
    store = open_store(path)
    with store.write("ada") as tx:
        home(tx)
        tx.memories.put(memory("m1", 1))
    store.close()


def test_the_same_numbers_and_names_stand_on_both_engines() -> None:
    names = {engine: [(step.number, step.name) for step in migrate.steps(engine)] for engine in NEXT}
    assert names["sqlite"] == names["postgres"]
    assert [number for number, _ in names["sqlite"]] == list(range(1, migrate.known("sqlite") + 1))


def test_the_same_tables_and_columns_stand_on_both_engines(
    tmp_path: Path, postgres_server: Any, postgres_url: str
) -> None:
    open_store(tmp_path / "book.db").close()
    raw = apsw.Connection(str(tmp_path / "book.db"))
    tables = [
        name
        for (name,) in raw.execute("select name from sqlite_schema where type = 'table' and name not like 'sqlite%'")
    ]
    sqlite = {(table, row[1]) for table in tables for row in raw.execute(f"pragma table_info({table})")}
    raw.close()
    database = postgres_url.partition("@/")[2].partition("?")[0]
    text = """
        select c.relname, a.attname from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0
        where c.relnamespace = 'commonplace'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
            and not a.attisdropped
    """
    postgres = set(postgres_server.run(text, database=database))
    assert postgres - sqlite == {("vector", "indexed")}
    assert sqlite <= postgres


@pytest.mark.one_engine("the file; PostgreSQL's own follow below")
@pytest.mark.parametrize("file", sorted(RELEASED.glob("schema-*.gz")), ids=lambda file: file.name)
def test_a_book_of_every_release_still_opens(file: Path, tmp_path: Path) -> None:
    path = tmp_path / "book.db"
    path.write_bytes(gzip.decompress(file.read_bytes()))
    store = open_store(path)
    assert "m1" in ids(store)
    with store.write("ada") as tx:
        tx.memories.put(memory("m9", tx.owners.take_docs(1)))
    assert store.check() == []
    store.close()
    open_store(tmp_path / "fresh.db").close()
    assert schema_of(path) == schema_of(tmp_path / "fresh.db")


def test_a_release_of_every_schema_is_kept() -> None:
    kept = {int(file.name.removeprefix("schema-").partition(".")[0]) for file in RELEASED.glob("schema-*.gz")}
    assert kept == set(range(1, migrate.known("sqlite") + 1))


@pytest.mark.one_engine("the file; PostgreSQL's own follow below")
def test_a_fresh_file_equals_a_migrated_one(
    tmp_path: Path, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    written(tmp_path / "old.db")
    request.getfixturevalue("next_release")
    open_store(tmp_path / "old.db").close()
    open_store(tmp_path / "fresh.db").close()
    assert schema_of(tmp_path / "old.db") == schema_of(tmp_path / "fresh.db")
    assert any("cents" in str(row[3]) for row in schema_of(tmp_path / "fresh.db"))


@pytest.mark.one_engine("the file; PostgreSQL's own follow below")
def test_migrating_a_file_takes_a_backup_and_names_the_way_back(
    tmp_path: Path, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "it's a book.db"
    written(path)
    known = migrate.known("sqlite")
    before, present = schema_of(path), migrate.FOLDER
    request.getfixturevalue("next_release")
    done = migrate_store(path)
    assert (done.found, done.now) == (known, known + 1)
    assert done.backup is not None
    assert done.backup.exists()
    assert done.way_back is not None
    assert schema_of(path) != before
    again = migrate_store(path)
    assert (again.found, again.backup) == (known + 1, None)

    subprocess.run(done.way_back, shell=True, check=True)
    monkeypatch.setattr(migrate, "FOLDER", present)
    store = open_store(path)
    assert store.migrated is None
    assert ids(store) == ["m1"]
    store.close()
    assert schema_of(path) == before


@pytest.mark.one_engine("the file; PostgreSQL's own follow below")
def test_a_migration_that_fails_leaves_the_file_as_it_was(tmp_path: Path, request: pytest.FixtureRequest) -> None:
    path = tmp_path / "book.db"
    written(path)
    before = schema_of(path)
    folder: Path = request.getfixturevalue("next_release")
    number = migrate.known("sqlite")
    (folder / "sqlite" / f"{number:04}_cents.sql").write_text("create table half (a); create table owner (b);")
    with pytest.raises(StoreError, match=r"book\.db"):
        open_store(path)
    assert schema_of(path) == before


@pytest.mark.one_engine("the file; PostgreSQL's own follow below")
def test_a_newer_file_is_refused_and_left_alone(
    tmp_path: Path, next_release: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "book.db"
    written(path)
    data = path.read_bytes()
    shutil.rmtree(next_release / "sqlite")
    (next_release / "sqlite").mkdir()
    real = Path(migrate.__file__).parent / "migrations" / "sqlite"
    for file in real.glob("*.sql"):
        shutil.copy(file, next_release / "sqlite")
    with pytest.raises(SchemaTooNew) as told:
        open_store(path)
    assert (told.value.found, told.value.known) == (migrate.known("sqlite") + 1, migrate.known("sqlite"))
    assert path.read_bytes() == data


def _columns(server: Any, database: str) -> list[tuple[Any, ...]]:
    """All that makes a schema: columns, indexes, constraints, policies, functions, grants."""
    found: list[tuple[Any, ...]] = server.run(
        """
        select c.relname, a.attname, format_type(a.atttypid, a.atttypmod), a.attnotnull from pg_class c
            join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
            where c.relnamespace = 'commonplace'::regnamespace
        union all select tablename, indexname, indexdef, false from pg_indexes where schemaname = 'commonplace'
        union all select conrelid::regclass::text, conname, pg_get_constraintdef(oid), convalidated
            from pg_constraint where connamespace = 'commonplace'::regnamespace
        union all select tablename, policyname, qual || coalesce(with_check, ''), false from pg_policies
            where schemaname = 'commonplace'
        union all select proname, '', pg_get_functiondef(oid), false from pg_proc
            where pronamespace = 'commonplace'::regnamespace
        union all select table_name, grantee, privilege_type, false from information_schema.table_privileges
            where table_schema = 'commonplace'
        order by 1, 2, 3
        """,
        database=database,
    )
    return found


@pytest.mark.postgres
def test_on_postgres_an_older_schema_waits_until_it_is_asked_for(
    postgres_server: Any, postgres_url: str, request: pytest.FixtureRequest
) -> None:
    database = postgres_url.partition("@/")[2].partition("?")[0]
    admin = postgres_server.url(database)
    PostgresStore(postgres_url).close()
    known = migrate.known("postgres")
    request.getfixturevalue("next_release")
    with pytest.raises(SchemaTooOld, match="commonplace migrate"):
        PostgresStore(postgres_url)
    done = bring_up(admin, partitions=2)
    assert (done.found, done.now) == (known, known + 1)
    PostgresStore(postgres_url).close()

    fresh = f"fresh_{uuid.uuid4().hex[:8]}"
    postgres_server.run(f"create database {fresh}")
    try:
        PostgresStore(postgres_server.url(fresh), partitions=2).close()
        assert _columns(postgres_server, fresh) == _columns(postgres_server, database)
        assert ("usage", "cents", "bigint", True) in _columns(postgres_server, fresh)
    finally:
        postgres_server.run(f"drop database {fresh} with (force)")


@pytest.mark.postgres
def test_on_postgres_a_newer_schema_is_refused(postgres_server: Any, postgres_url: str) -> None:
    database = postgres_url.partition("@/")[2].partition("?")[0]
    postgres_server.run("insert into commonplace.schema_version values (99, 0)", database=database)
    with pytest.raises(SchemaTooNew):
        PostgresStore(postgres_url)
    with pytest.raises(SchemaTooNew):
        migrate_store(postgres_server.url(database))


@pytest.mark.postgres
def test_on_postgres_a_migration_that_fails_changes_nothing(
    postgres_server: Any, postgres_url: str, request: pytest.FixtureRequest
) -> None:
    database = postgres_url.partition("@/")[2].partition("?")[0]
    before = _columns(postgres_server, database)
    folder: Path = request.getfixturevalue("next_release")
    number = migrate.known("postgres")
    (folder / "postgres" / f"{number:04}_cents.sql").write_text(
        "create table half (a int); create table owner (b int);"
    )
    with pytest.raises(StoreError):
        migrate_store(postgres_server.url(database))
    assert _columns(postgres_server, database) == before
