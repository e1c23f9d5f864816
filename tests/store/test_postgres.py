"""What only a server can do or suffer. Everything connects as a plain role, unless the test says otherwise."""

import os
import subprocess
import threading
import uuid
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import psycopg
import pytest
from tests.conformance.store import CHECKS
from tests.conformance.store.build import HOME, audit, home, memory

from commonplace import Commonplace, Settings
from commonplace.errors import NotFound, StoreBusy, StoreError
from commonplace.runtime import open_parts
from commonplace.store.open import open_store
from commonplace.store.ports import Store
from commonplace.store.postgres import store as store_module
from commonplace.store.postgres import vectors as vectors_module
from commonplace.store.postgres.store import PostgresStore
from commonplace.store.rows import Filter, VectorRow
from commonplace.store.statements import sql

pytestmark = pytest.mark.postgres

MODEL = "static-256"


@pytest.fixture
def book(postgres_url: str) -> Iterator[PostgresStore]:
    store = PostgresStore(postgres_url, connections=4, patience=0.3)
    for owner in ("ada", "bob"):
        with store.write(owner) as tx:
            home(tx)
            tx.memories.put(memory("m1", 1, sealed=owner.encode()))
    yield store
    store.close()


def ask(url: str, *texts: str, owner: str | None = None) -> list[tuple[Any, ...]]:
    """Run texts on a connection of our own, in one transaction, as whoever the URL says."""
    with psycopg.connect(url) as raw:
        raw.execute("select set_config('search_path', 'commonplace, public', false)")
        if owner is not None:
            raw.execute("select set_config('commonplace.owner', %s, true)", [owner])
        for text in texts[:-1]:
            raw.execute(text.encode())
        cursor = raw.execute(texts[-1].encode())
        return cursor.fetchall() if cursor.description else []


def relations(url: str) -> list[tuple[str, bool]]:
    """Every table and partition of the book, and whether it is a partition."""
    text = """
        select c.oid::regclass::text, c.relispartition from pg_class c
        where c.relnamespace in ('commonplace'::regnamespace, 'commonplace_keys'::regnamespace)
            and c.relkind in ('r', 'p') and c.relname <> 'schema_version'
    """
    return [(name, part) for name, part in ask(url, text)]


def test_we_are_a_plain_role(postgres_url: str, book: Store) -> None:
    assert ask(postgres_url, "select rolsuper, rolbypassrls from pg_roles where rolname = current_user") == [
        (False, False)
    ]


def test_every_table_and_every_partition_is_locked(postgres_url: str) -> None:
    text = """
        select c.oid::regclass::text from pg_class c
        where c.relnamespace in ('commonplace'::regnamespace, 'commonplace_keys'::regnamespace)
            and c.relkind in ('r', 'p') and c.relname <> 'schema_version'
            and (not c.relrowsecurity or not c.relforcerowsecurity
                or not exists (select from pg_policy p where p.polrelid = c.oid))
    """
    assert ask(postgres_url, text) == []
    found = relations(postgres_url)
    assert len([name for name, part in found if part]) > 40


def test_the_owner_is_in_every_key(postgres_url: str) -> None:
    """Unique and foreign keys stay within an owner, so that owners can be spread over several servers.

    docs/internals/citus.md says why four keys have no owner.
    """
    schemas = "c.relnamespace in ('commonplace'::regnamespace, 'commonplace_keys'::regnamespace)"
    unique = f"""
        select i.indexrelid::regclass::text, array(
            select a.attname::text from pg_attribute a where a.attrelid = i.indrelid and a.attnum = any (i.indkey))
        from pg_index i join pg_class c on c.oid = i.indrelid
        where {schemas} and i.indisunique and not c.relispartition
    """
    keys = dict(ask(postgres_url, unique))
    assert len(keys) > 30
    without_owner = {name.rpartition(".")[2] for name, columns in keys.items() if "owner" not in columns}
    assert without_owner == {"lease_pkey", "ledger_pkey", "schema_version_pkey", "token_hash"}
    foreign = f"""
        select k.conname, (
            select count(*) from unnest(k.conkey, k.confkey) as pair (here, there)
            join pg_attribute a on a.attrelid = k.conrelid and a.attnum = pair.here and a.attname = 'owner'
            join pg_attribute b on b.attrelid = k.confrelid and b.attnum = pair.there and b.attname = 'owner')
        from pg_constraint k join pg_class c on c.oid = k.conrelid
        where {schemas} and k.contype = 'f' and k.conparentid = 0 and not c.relispartition
    """
    pairs = ask(postgres_url, foreign)
    assert len(pairs) > 10
    assert [name for name, owners in pairs if owners != 1] == []


def test_without_an_owner_nothing_is_seen(postgres_url: str, book: Store) -> None:
    for name, part in relations(postgres_url):
        if part or name.endswith("lease"):
            continue
        assert ask(postgres_url, f"select * from {name}") == [], name
        assert ask(postgres_url, f"select * from {name}", owner="") == [], name
    assert len(ask(postgres_url, "select * from memory", owner="ada")) == 1


def test_no_partition_can_be_read_past_its_parent(postgres_url: str, book: Store) -> None:
    partitions = [name for name, part in relations(postgres_url) if part]
    for name in partitions:
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            ask(postgres_url, f"select * from {name}", owner="ada")


def test_a_partition_is_locked_even_with_a_grant(postgres_url: str, postgres_server: Any, book: Store) -> None:
    database = postgres_url.partition("@/")[2].partition("?")[0]
    for name in ("memory_0", "memory_1"):
        postgres_server.run(f"grant select on commonplace.{name} to commonplace_tester", database=database)
    read = [row for name in ("memory_0", "memory_1") for row in ask(postgres_url, f"select owner from {name}")]
    assert read == []
    read = [
        row for name in ("memory_0", "memory_1") for row in ask(postgres_url, f"select owner from {name}", owner="ada")
    ]
    assert read == [("ada",)]


def test_a_forgotten_where_stays_with_the_owner(postgres_url: str, book: Store) -> None:
    assert ask(postgres_url, "select owner from memory", owner="ada") == [("ada",)]
    ask(postgres_url, "update memory set status = 'stale'", owner="ada")
    ask(postgres_url, "delete from attribute", "delete from memory", owner="bob")
    with book.read("ada") as tx:
        assert [row.status for row in tx.memories.find(Filter())] == ["stale"]
    with book.read("bob") as tx:
        assert tx.memories.find(Filter()) == []


def test_a_row_cannot_be_written_in_anothers_name(postgres_url: str, book: Store) -> None:
    insert = "insert into usage (owner, day, what, calls, tokens) values ('{}', '2026-01-01', 'llm', 1, 1)"
    ask(postgres_url, insert.format("ada"), owner="ada")
    with pytest.raises(psycopg.errors.InsufficientPrivilege, match="row-level security"):
        ask(postgres_url, insert.format("bob"), owner="ada")
    with pytest.raises(psycopg.errors.InsufficientPrivilege, match="row-level security"):
        ask(postgres_url, "update usage set owner = 'bob'", owner="ada")


def test_the_owner_does_not_outlive_its_transaction(book: PostgresStore) -> None:
    with book.read("ada") as tx:
        assert len(tx.memories.find(Filter())) == 1
    with book._connection_pool().connection() as raw:
        assert raw.execute("select count(*) from memory").fetchall() == [(0,)]


def test_the_definers_function_opens_for_nobody_else(postgres_url: str, book: Store) -> None:
    book.accounts.lease("schedule", holder="a", now=1, until=2)
    ask(postgres_url, "select set_config('commonplace.definer', 'on', true)", "select 1")
    forced = "select set_config('commonplace.definer', 'on', true)"
    assert ask(postgres_url, forced, "select * from owner") == []
    with pytest.raises(psycopg.errors.InsufficientPrivilege):
        ask(postgres_url, forced, "select * from lease")
    assert len(book.accounts.owners()) == 2


def test_the_application_role_changes_no_line_of_the_audit(postgres_url: str, book: Store) -> None:
    """Forgetting and a new key change reasons, by functions that do nothing else; an erasure takes all lines."""
    with book.write("ada") as tx:
        tx.audit.append([audit(1, target="m", reason=b"words", reason_digest=b"d"), audit(2, target="n", reason=b"w")])
    assert ask(postgres_url, "select pg_has_role('commonplace_app', 'member')") == [(True,)]
    changes = (
        "update audit set actor = 'eve'",
        "update audit set reason = null",
        "delete from audit",
        "truncate audit",
    )
    for change in changes:
        with pytest.raises(psycopg.errors.InsufficientPrivilege, match="permission denied"):
            ask(postgres_url, change, owner="ada")
    with pytest.raises(psycopg.errors.InsufficientPrivilege, match="after everything else"):
        ask(postgres_url, "select commonplace.audit_drop()", owner="ada")
    ask(postgres_url, "select commonplace.audit_drop_reasons('{m,n}')", owner="bob")  # another's are not reached
    with book.write("ada") as tx:
        tx.audit.drop_reasons(["m"])
        tx.audit.reseal(1, b"back")
        tx.audit.reseal(2, b"again")
    with book.read("ada") as tx:
        assert [(row.reason, row.reason_digest) for row in tx.audit.page()] == [(None, b"d"), (b"again", None)]
    with book.write("ada") as tx:
        tx.owners.drop()
        assert tx.audit.page() == []


def test_forgetting_as_the_application_role_takes_the_words_out_of_the_audit(postgres_url: str, tmp_path: Path) -> None:
    with Commonplace.open(postgres_url, owner="ada", settings=Settings(home=tmp_path)) as book:
        id = book.remember("the harbour freezes").id
        book.revise(id, "the harbour never freezes", reason="the harbourmaster Olaf said so")
        assert "Olaf" in str(book.audit.list())
        book.forget(id)
        assert "Olaf" not in str(book.audit.list()) and book.audit.verify().ok
        book.rotate_keys()
        assert book.audit.verify().ok


def test_a_superuser_gives_up_its_power(postgres_server: Any) -> None:
    with postgres_server.database() as name:
        store = PostgresStore(postgres_server.url(name))
        for owner in ("ada", "bob"):
            with store.write(owner) as tx:
                home(tx)
        with store._transaction(store_module.SNAPSHOT, "ada") as db:
            assert db.run("select owner from namespace") == [("ada",)]
            assert db.run("select current_user") == [("commonplace_app",)]
        store.close()


def test_a_plain_role_can_own_the_book(postgres_server: Any) -> None:
    """No superuser made it, no application role exists for it: the policies hold for the owner of the tables too."""
    role, name = f"keeper_{uuid.uuid4().hex[:8]}", f"kept_{uuid.uuid4().hex[:8]}"
    postgres_server.run(f"create role {role} login")
    postgres_server.run(f"create database {name} owner {role}")
    try:
        postgres_server.run("create extension vector with schema public", database=name)
        url = postgres_server.url(name, user=role)
        store = PostgresStore(url, schema="kept", partitions=3)
        for check in CHECKS:
            check(store, f"owner-{uuid.uuid4()}")
        store.close()
        assert ask(url, "select * from kept.memory") == []
        assert ask(url, "select count(*) from kept.memory_0 m, kept.memory_1, kept.memory_2") == [(0,)]
    finally:
        postgres_server.run(f"drop database {name} with (force)")
        postgres_server.run(f"drop role {role}")


def test_a_missing_book_is_not_made_unasked(postgres_server: Any) -> None:
    name = f"empty_{uuid.uuid4().hex[:8]}"
    postgres_server.run(f"create database {name}")
    try:
        with pytest.raises(NotFound):
            open_store(postgres_server.url(name), create=False)
    finally:
        postgres_server.run(f"drop database {name} with (force)")


def test_starters_do_not_trip_over_each_other(postgres_server: Any) -> None:
    name = f"start_{uuid.uuid4().hex[:8]}"
    postgres_server.run(f"create database {name}")
    failures: list[BaseException] = []

    def start(number: int) -> None:
        try:
            store = PostgresStore(postgres_server.url(name), partitions=2)
            with store.write(f"owner-{number}") as tx:
                home(tx)
            store.close()
        except StoreError as error:
            failures.append(error)

    try:
        threads = [threading.Thread(target=start, args=(number,)) for number in range(5)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert failures == []
        store = PostgresStore(postgres_server.url(name))
        assert len(store.accounts.owners()) == 5
        store.close()
    finally:
        postgres_server.run(f"drop database {name} with (force)")


def test_when_every_connection_is_in_use_it_says_so_and_recovers(postgres_url: str) -> None:
    store = PostgresStore(postgres_url, connections=1, patience=0.2)
    with store.read("ada"), pytest.raises(StoreBusy, match=r"every connection .* stayed in use"), store.read("bob"):
        pass
    with store.read("bob") as tx:
        assert tx.namespaces.all() == []
    store.close()


def test_a_writer_that_waits_too_long_is_told(postgres_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(store_module.LIMITS, "lock_timeout", "100ms")
    store = PostgresStore(postgres_url)
    told: list[BaseException] = []

    def wait() -> None:
        try:
            with store.write("ada"):
                pass
        except StoreBusy as error:
            told.append(error)

    with store.write("ada") as tx:
        home(tx)
        thread = threading.Thread(target=wait)
        thread.start()
        thread.join()
    assert len(told) == 1
    with store.write("ada") as tx:
        assert len(tx.namespaces.all()) == 1
    store.close()


def test_connections_that_died_in_the_pool_are_passed_over(
    book: PostgresStore, postgres_server: Any, postgres_url: str
) -> None:
    with book.read("ada"), book.read("bob"):
        pass
    _hang_up(postgres_server, postgres_url)
    with book.write("ada") as tx:
        tx.memories.put(memory("m2", 2))
    with book.read("ada") as tx:
        assert len(tx.memories.find(Filter())) == 2


def test_a_connection_that_breaks_in_the_middle_is_told_and_nothing_is_written(
    book: PostgresStore, postgres_server: Any, postgres_url: str
) -> None:
    with pytest.raises(StoreError, match="nothing was written"), book.write("ada") as tx:
        tx.memories.put(memory("m2", 2))
        _hang_up(postgres_server, postgres_url)
        tx.memories.put(memory("m3", 3))
    with book.read("ada") as tx:
        assert len(tx.memories.find(Filter())) == 1
    with book.write("ada") as tx:
        tx.memories.put(memory("m2", 2))


def _hang_up(server: Any, url: str) -> None:
    database = url.partition("@/")[2].partition("?")[0]
    server.run(f"select pg_terminate_backend(pid) from pg_stat_activity where datname = '{database}'")


def test_a_server_that_is_not_there_is_named_without_the_password() -> None:
    with pytest.raises(StoreError) as told:
        PostgresStore("postgresql://ada:hunter2@127.0.0.1:1/book?connect_timeout=1")
    assert "ada@127.0.0.1:1/book" in str(told.value)
    assert "hunter2" not in str(told.value)


def test_owners_do_not_wait_for_each_other(book: PostgresStore) -> None:
    done: list[str] = []

    def write() -> None:
        with book.write("bob") as tx:
            tx.memories.touch(["m1"], at=1)
        done.append("bob")

    with book.write("ada") as tx:
        tx.memories.touch(["m1"], at=1)
        thread = threading.Thread(target=write)
        thread.start()
        thread.join(timeout=20)
        assert done == ["bob"]


def test_a_documented_dump_leaves_the_keys_out_and_comes_back(
    book: PostgresStore, postgres_server: Any, tmp_path: Path, postgres_url: str
) -> None:
    dump, restore = postgres_server.program("pg_dump"), postgres_server.program("pg_restore")
    book.keyrings.put("ada", b"wrapped-key-of-ada", expected=None)
    with pytest.raises(StoreError, match="pg_dump --schema=commonplace --exclude-schema=commonplace_keys") as told:
        book.backup(tmp_path / "book.dump")
    asked = str(told.value)
    assert str(tmp_path / "book.dump") in asked
    database = postgres_url.partition("@/")[2].partition("?")[0]
    file = tmp_path / "book.dump"
    flags = ["--schema=commonplace", "--exclude-schema=commonplace_keys", "--format=custom", f"--file={file}"]
    subprocess.run([dump, *flags, postgres_server.url(database)], check=True)
    name = f"restored_{uuid.uuid4().hex[:8]}"
    postgres_server.run(f"create database {name}")
    try:
        postgres_server.run("create extension vector with schema public", database=name)
        subprocess.run([restore, f"--dbname={postgres_server.url(name)}", str(file)], check=True)
        copy = PostgresStore(postgres_server.url(name))
        with copy.read("ada") as tx:
            assert [row.sealed for row in tx.memories.find(Filter())] == [b"ada"]
        assert copy.keyrings.owners() == []
        assert book.keyrings.owners() == ["ada"]
        assert copy.check() == []
        copy.close()
    finally:
        postgres_server.run(f"drop database {name} with (force)")


@pytest.fixture
def many(book: PostgresStore, monkeypatch: pytest.MonkeyPatch) -> PostgresStore:
    """Ada has 3,000 vectors, above a limit lowered to 500; Bob a few of his own."""
    monkeypatch.setattr(vectors_module, "EXACT", 500)
    monkeypatch.setattr(vectors_module, "HELD", 10)
    with book.write("ada") as tx:
        tx.vectors.put(HOME, MODEL, [VectorRow(doc=doc, part=0, data=_vector(doc)) for doc in range(1, 3_001)])
        while tx.vectors.index(HOME, MODEL, limit=1_000):
            pass
    with book.write("bob") as tx:
        tx.vectors.put(HOME, MODEL, [VectorRow(doc=doc, part=0, data=_vector(doc)) for doc in range(1, 30)])
    return book


def _vector(seed: int) -> bytes:
    state = seed * 2_654_435_761 % 2**32
    out = bytearray()
    for _ in range(32):
        state = (state * 1_664_525 + 1_013_904_223) % 2**32
        out.append((state >> 16) % 256)
    return bytes(out)


def _exact(docs: range, question: bytes, limit: int) -> list[tuple[int, int]]:
    def signed(data: bytes) -> list[int]:
        return [byte - 256 if byte > 127 else byte for byte in data]

    asked = signed(question)
    products = [(doc, sum(a * b for a, b in zip(signed(_vector(doc)), asked, strict=True))) for doc in docs]
    return sorted(products, key=lambda one: (-one[1], one[0]))[:limit]


def test_the_index_finds_nearly_what_the_scan_finds(many: PostgresStore) -> None:
    found = right = 0
    with many.read("ada") as tx:
        for seed in range(10_000, 10_030):
            near = tx.vectors.nearest(HOME, MODEL, _vector(seed), limit=10)
            expected = dict(_exact(range(1, 3_001), _vector(seed), 10))
            assert near is not None
            assert len(near) == 10
            assert all(product == expected.get(doc, product) for doc, product in near)
            right += len(expected.keys() & dict(near).keys())
            found += 10
    assert right / found >= 0.97


def test_the_index_is_really_used_and_only_by_who_is_in_it(many: PostgresStore) -> None:
    text = sql("postgres", "nearest_indexed").replace("{dimension}", "32")
    named = {"namespace": HOME, "model": MODEL, "question": str([1] * 32), "limit": 10}
    with many.read("ada") as tx:
        db = tx._db
        db.run(sql("postgres", "nearest_settings"), breadth="200")
        plan = "\n".join(line for (line,) in db.run_planned(f"explain {text}", **named))  # type: ignore[attr-defined]
        assert "Order By: ((data)::halfvec(32) <#>" in plan, plan
    with many.read("bob") as tx:
        near = tx.vectors.nearest(HOME, MODEL, _vector(77), limit=10)
        assert near == _exact(range(1, 30), _vector(77), 10)


def test_a_few_vectors_are_left_to_who_holds_them(many: PostgresStore, monkeypatch: pytest.MonkeyPatch) -> None:
    with many.read("bob") as tx:
        assert tx.vectors.nearest(HOME, MODEL, _vector(77), limit=10) is not None
        monkeypatch.setattr(vectors_module, "HELD", 29)
        assert tx.vectors.nearest(HOME, MODEL, _vector(77), limit=10) is None


def test_what_waits_for_the_index_is_found_all_the_same(many: PostgresStore) -> None:
    with many.write("ada") as tx:
        tx.vectors.put(HOME, MODEL, [VectorRow(doc=9_999, part=0, data=bytes([127] * 32))])
        tx.vectors.delete([9_998])
    with many.write("ada") as tx:
        near = tx.vectors.nearest(HOME, MODEL, bytes([127] * 32), limit=3)
        assert near is not None
        assert near[0] == (9_999, 127 * 127 * 32)
        assert tx.vectors.index(HOME, MODEL, limit=10) == 1
        again = tx.vectors.nearest(HOME, MODEL, bytes([127] * 32), limit=3)
        assert again == near
        tx.vectors.delete([9_999])
        gone = tx.vectors.nearest(HOME, MODEL, bytes([127] * 32), limit=3)
        assert gone is not None
        assert 9_999 not in dict(gone)


def test_a_page_is_never_shorter_than_the_scan_would_fill(many: PostgresStore) -> None:
    with many.read("ada") as tx:
        near = tx.vectors.nearest(HOME, MODEL, _vector(5), limit=2_900)
        assert near is not None
        assert len(near) == 2_900


def test_a_server_that_went_away_is_told_from_a_busy_one(postgres_server: Any) -> None:
    with postgres_server.database() as name:
        store = PostgresStore(postgres_server.url(name, user="commonplace_tester"), patience=0.5)
        with store.read("ada") as tx:
            assert tx.namespaces.all() == []
        _hang_up(postgres_server, postgres_server.url(name))
        postgres_server.run(f"alter database {name} rename to {name}_away")
        try:
            with pytest.raises(StoreError, match="cannot be reached") as told, store.read("ada"):
                pass
            assert not isinstance(told.value, StoreBusy)
        finally:
            postgres_server.run(f"alter database {name}_away rename to {name}")
        assert _recovers(store)
        store.close()


def _recovers(store: Store) -> bool:
    """By itself, once the pool tries again."""
    for _ in range(40):
        try:
            with store.read("ada") as tx:
                return tx.namespaces.all() == []
        except StoreError:
            continue
    return False


@pytest.mark.skipif(os.name == "nt", reason="fork is POSIX")
def test_a_forked_child_makes_a_pool_of_its_own(book: PostgresStore) -> None:
    with book.read("ada"):
        child = os.fork()
        if child == 0:
            status = 1
            try:
                with book.write("ada") as tx:
                    tx.memories.put(memory("m2", 2))
                status = 0
            finally:
                os._exit(status)
        assert os.waitpid(child, 0)[1] == 0
    with book.read("ada") as tx:
        assert len(tx.memories.find(Filter())) == 2


@pytest.mark.parametrize("size", [2, 5])
def test_pool_size_is_the_most_connections_of_a_process(postgres_url: str, tmp_path: Path, size: int):
    with closing(open_parts(postgres_url, Settings(home=tmp_path, pool_size=size))) as parts:
        assert isinstance(parts.store, PostgresStore)
        assert parts.store._pool.max_size == size
