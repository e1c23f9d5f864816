"""`commonplace migrate` while others read and write: nobody fails, nobody waits behind it for long."""

import re
import shutil
import subprocess
import sys
import threading
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psycopg
import pytest
from tests.conformance.store.build import home, memory

from commonplace.errors import SchemaTooOld, StoreBusy, StoreError
from commonplace.store import migrate
from commonplace.store.postgres import schema as schema_module
from commonplace.store.postgres.store import PostgresStore, bring_up
from commonplace.store.rows import Filter

pytestmark = pytest.mark.postgres

STEPS = {
    "cents": """
        alter table usage add column cents bigint not null default 0;
        alter table memory add column mood text;
        alter table memory add constraint memory_mood check (mood <> '') not valid;
    """,
    "by_mood": """-- outside a transaction
create index if not exists memory_by_mood on only memory (owner, mood);
create index concurrently if not exists memory_{partition}_by_mood on memory_{partition} (owner, mood);
alter index memory_by_mood attach partition memory_{partition}_by_mood;
""",
}


@pytest.fixture
def later(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Bring the migrations of a later release into force, by name."""

    def bring(*names: str) -> None:
        folder = tmp_path / "migrations"
        shutil.copytree(migrate.FOLDER, folder)
        for number, name in enumerate(names, migrate.known("postgres") + 1):
            (folder / "postgres" / f"{number:04}_{name}.sql").write_text(STEPS[name])
        monkeypatch.setattr(migrate, "FOLDER", folder)

    return bring


@pytest.fixture
def database(postgres_server: Any) -> Iterator[str]:
    with postgres_server.database() as name:
        yield name


@pytest.fixture
def book(postgres_server: Any, database: str) -> Iterator[PostgresStore]:
    store = PostgresStore(postgres_server.url(database, user="commonplace_tester"))
    for owner in ("ada", "bob"):
        with store.write(owner) as tx:
            home(tx)
            tx.memories.put(memory("m1", tx.owners.take_docs(1)))
    yield store
    store.close()


class Traffic:
    """Readers and writers who do not stop before they are told to; what went wrong is kept."""

    def __init__(self, book: PostgresStore) -> None:
        self._book, self._ending = book, threading.Event()
        self.failures: list[StoreError] = []
        self.reads, self.written = 0, {"ada": 0, "bob": 0}

    def write(self, owner: str) -> None:
        while not self._ending.is_set():
            try:
                with self._book.write(owner) as tx:
                    doc = tx.owners.take_docs(1)
                    tx.memories.put(memory(f"m{doc}", doc))
                    tx.usage.add("2026-01-01", "llm", calls=1, tokens=1)
                self.written[owner] += 1
            except StoreError as error:
                self.failures.append(error)
                return

    def read(self, owner: str) -> None:
        while not self._ending.is_set():
            try:
                with self._book.read(owner) as tx:
                    assert tx.memories.find(Filter(), limit=5)
                    tx.usage.of("2026-01-01")
                self.reads += 1
            except StoreError as error:
                self.failures.append(error)
                return

    @contextmanager
    def flowing(self) -> Iterator["Traffic"]:
        acts = [(act, owner) for act in (self.write, self.read) for owner in ("ada", "bob")]
        threads = [threading.Thread(target=act, args=(owner,)) for act, owner in acts]
        for thread in threads:
            thread.start()
        try:
            yield self
        finally:
            self._ending.set()
            for thread in threads:
                thread.join()


def wait_for(done: Callable[[], bool]) -> None:
    pause = threading.Event()
    for _ in range(3_000):
        if done():
            return
        pause.wait(0.01)
    raise AssertionError("it never came")


def indexes(server: Any, database: str) -> list[tuple[Any, ...]]:
    text = "select relname, indisvalid from pg_index join pg_class on oid = indexrelid where relname ~ 'by_mood'"
    return sorted(server.run(text, database=database))


def test_readers_and_writers_go_on_while_a_migration_runs(
    book: PostgresStore, postgres_server: Any, database: str, later: Callable[..., None]
) -> None:
    known = migrate.known("postgres")
    with Traffic(book).flowing() as traffic:
        wait_for(lambda: traffic.reads > 20)
        later("cents", "by_mood")
        done = bring_up(postgres_server.url(database), partitions=2)
        seen = traffic.reads
        wait_for(lambda: traffic.reads > seen + 20 or bool(traffic.failures))
    assert (done.found, done.now) == (known, known + 2)
    assert traffic.failures == []
    for owner, written in traffic.written.items():
        with book.read(owner) as tx:
            assert len(tx.memories.find(Filter(), limit=10_000)) == written + 1
    assert indexes(postgres_server, database) == [
        ("memory_0_by_mood", True),
        ("memory_1_by_mood", True),
        ("memory_by_mood", True),
    ]
    assert book.check() == ["rule memory_mood of commonplace.memory was never checked"] + [
        f"rule memory_mood of commonplace.memory_{number} was never checked" for number in range(2)
    ]


def test_a_migration_that_waits_for_a_slow_reader_holds_nobody_up(
    book: PostgresStore, postgres_server: Any, database: str, later: Callable[..., None]
) -> None:
    """Were its lock waited for as long as it takes, everybody after it would stand in the queue behind it."""
    slow = psycopg.connect(postgres_server.url(database))
    slow.execute("select count(*) from commonplace.usage, commonplace.memory")
    tries = []
    real = schema_module._pause

    def counted() -> None:
        tries.append(1)
        real()

    with pytest.MonkeyPatch.context() as patch, Traffic(book).flowing() as traffic:
        patch.setattr(schema_module, "_pause", counted)
        later("cents")
        thread = threading.Thread(target=lambda: bring_up(postgres_server.url(database), partitions=2))
        thread.start()
        wait_for(lambda: len(tries) >= 2)
        reads, written = traffic.reads, sum(traffic.written.values())
        wait_for(lambda: traffic.reads > reads + 10 and sum(traffic.written.values()) > written + 3)
        assert thread.is_alive(), "the slow reader is still there"
        slow.close()
        thread.join()
    assert traffic.failures == []
    assert postgres_server.run("select cents from commonplace.usage limit 1", database=database) == [(0,)]


def test_a_migration_that_never_gets_its_lock_says_so_and_changes_nothing(
    book: PostgresStore,
    postgres_server: Any,
    database: str,
    later: Callable[..., None],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(schema_module, "PATIENCE", 0.5)
    later("cents")
    with psycopg.connect(postgres_server.url(database)) as slow:
        slow.execute("select count(*) from commonplace.usage, commonplace.memory")
        with pytest.raises(StoreBusy, match="a table of the book stayed locked"):
            bring_up(postgres_server.url(database), partitions=2)
    with pytest.raises(SchemaTooOld):
        PostgresStore(postgres_server.url(database))
    assert bring_up(postgres_server.url(database), partitions=2).now == migrate.known("postgres")


def test_an_index_left_half_made_by_a_killed_migration_is_made_again(
    book: PostgresStore, postgres_server: Any, database: str, later: Callable[..., None]
) -> None:
    for text in ("alter table memory add column mood text", "create index memory_0_by_mood on memory_0 (owner, mood)"):
        postgres_server.run(f"set search_path = commonplace; {text}", database=database)
    spoil = "update pg_index set indisvalid = false where indexrelid = 'commonplace.memory_0_by_mood'::regclass"
    postgres_server.run(spoil, database=database)
    assert book.check() == [
        "index commonplace.memory_0_by_mood is not valid; run `reindex index commonplace.memory_0_by_mood`"
    ]
    later("by_mood")
    bring_up(postgres_server.url(database), partitions=2)
    assert [valid for _, valid in indexes(postgres_server, database)] == [True] * 3
    assert book.check() == []


def test_a_fresh_book_equals_a_migrated_one_with_such_steps(
    book: PostgresStore, postgres_server: Any, database: str, later: Callable[..., None]
) -> None:
    later("cents", "by_mood")
    bring_up(postgres_server.url(database), partitions=2)
    fresh = f"fresh_{uuid.uuid4().hex[:8]}"
    postgres_server.run(f"create database {fresh}")
    try:
        PostgresStore(postgres_server.url(fresh), partitions=2).close()
        text = "select tablename, indexname, indexdef from pg_indexes where schemaname = 'commonplace' order by 1, 2"
        assert postgres_server.run(text, database=fresh) == postgres_server.run(text, database=database)
        assert indexes(postgres_server, fresh) == indexes(postgres_server, database)
    finally:
        postgres_server.run(f"drop database {fresh} with (force)")


def test_a_role_that_may_only_use_the_book_can_ask_where_it_stands(postgres_url: str) -> None:
    known = migrate.known("postgres")
    done = bring_up(postgres_url)
    assert (done.found, done.now) == (known, known)


START = """
import sys
from commonplace.store.postgres.store import PostgresStore
from tests.conformance.store.build import home
sys.stdin.readline()
store = PostgresStore(sys.argv[1], partitions=2)
with store.write(sys.argv[2]) as tx:
    home(tx)
store.close()
"""


def test_eight_processes_start_on_an_empty_database_at_once(postgres_server: Any) -> None:
    name = f"start_{uuid.uuid4().hex[:8]}"
    postgres_server.run(f"create database {name}")
    try:
        starters = [
            subprocess.Popen(
                [sys.executable, "-c", START, postgres_server.url(name), f"owner-{number}"],
                stdin=subprocess.PIPE,
                stderr=subprocess.PIPE,
                text=True,
            )
            for number in range(8)
        ]
        for one in starters:
            assert one.stdin is not None
            one.stdin.write("go\n")
            one.stdin.flush()
        said = [one.communicate(timeout=120)[1] for one in starters]
        assert [one.returncode for one in starters] == [0] * 8, said
        store = PostgresStore(postgres_server.url(name))
        assert len(store.accounts.owners()) == 8
        store.close()
        applied = postgres_server.run("select number from commonplace.schema_version order by 1", database=name)
        assert applied == [(number,) for number in range(1, migrate.known("postgres") + 1)]
    finally:
        postgres_server.run(f"drop database {name} with (force)")


HARMFUL = {
    "an index on a table in use": r"create (unique )?index (?!concurrently)(?!.*\bon only\b)",
    "a rule that is checked at once": r"add constraint (?!.*(not valid|using index))",
    "a column rewritten": r"alter column \w+ (set data )?type",
    "every row checked": r"alter column \w+ set not null",
    "a column without a default": r"add column (?!.*default).*not null",
    "a whole table rewritten or locked": r"\b(vacuum full|cluster|lock table|truncate)\b",
    "all rows of all owners in one act": r"^\s*(update|delete from) (?!.*\blimit\b)",
}


def harms(text: str) -> list[str]:
    """What a migration of a book in use must not do, in the statements of one step."""
    text = re.sub(r"\bas \$\$.*?\$\$", "", text, flags=re.DOTALL)  # what a function does later
    new = set(re.findall(r"create table (?:if not exists )?(\w+)", text))
    found = []
    for statement in re.sub(r"--.*", "", text).lower().split(";"):
        on = re.search(r"(?:\bon|alter table) (?:only )?(\w+)", statement)
        if on and on[1] in new:
            continue
        found += [name for name, form in HARMFUL.items() if re.search(form, " ".join(statement.split()), re.MULTILINE)]
    return found


def test_no_migration_of_a_book_in_use_locks_it_for_long() -> None:
    for step in migrate.steps("postgres")[1:]:
        assert harms(step.text) == [], step.name


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("create index a on memory (owner)", 1),
        ("create function f() returns void language sql as $$ delete from memory $$", 0),
        ("create function f() returns void language sql as $$ select 1 $$; delete from memory", 1),
        ("create index concurrently a on memory_0 (owner)", 0),
        ("create table new (a int); create index b on new (a)", 0),
        ("alter table memory add constraint a check (doc > 0)", 1),
        ("alter table memory add constraint a check (doc > 0) not valid", 0),
        ("alter table memory add column a int not null", 1),
        ("alter table memory add column a int not null default 0", 0),
        ("alter table memory alter column doc type bigint", 1),
        ("update memory set status = 'stale'", 1),
    ],
)
def test_a_harmful_statement_is_noticed(text: str, wrong: int) -> None:
    assert len(harms(text)) == wrong
