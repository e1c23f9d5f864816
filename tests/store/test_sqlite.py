"""What only a file can do or suffer."""

import multiprocessing
import os
import shutil
import stat
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import apsw
import pytest
from tests.conformance.store.build import home, memory

from commonplace.errors import Invalid, NotFound, StoreBusy, StoreError, StoreFull
from commonplace.store.open import open_store, sqlite_path
from commonplace.store.ports import Store
from commonplace.store.rows import Filter
from commonplace.store.sqlite import connection
from commonplace.store.sqlite.store import MANY, OFTEN, SqliteStore

pytestmark = pytest.mark.one_engine("what only a file can do or suffer; test_postgres.py has the server's")

POSIX = pytest.mark.skipif(os.name == "nt", reason="file modes and fork are POSIX")
MARK = b"zanzibar-quokka-marker"

Opens = Callable[[str], Store]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "shelf" / "book.db"


@pytest.fixture
def book(path: Path, opened: Opens) -> Store:
    store = opened(str(path))
    with store.write("ada") as tx:
        home(tx)
        tx.memories.put(memory("m1", 1))
    return store


def ids(store: Store, owner: str = "ada") -> list[str]:
    with store.read(owner) as tx:
        return [row.id for row in tx.memories.find(Filter(), limit=10_000)]


def test_every_connection_has_every_pragma(book: Store) -> None:
    with book.read("ada"), book.read("bob"):
        pass
    wanted = {
        "journal_mode": "wal",
        "synchronous": 2,
        "secure_delete": 1,
        "foreign_keys": 1,
        "page_size": connection.PAGE,
    }
    raws: list[apsw.Connection] = book._idle  # type: ignore[attr-defined]
    assert len(raws) == 2
    for raw in raws:
        assert {name: raw.pragma(name) for name in wanted} == wanted


@POSIX
def test_the_files_are_for_their_owner_only(book: Store, path: Path) -> None:
    book.keyrings.put("ada", b"key", expected=None)
    book.backup(path.parent / "copy.db")
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    modes = {one.name: stat.S_IMODE(one.stat().st_mode) for one in path.parent.iterdir()}
    assert {"book.db", "book.db-wal", "book.db.keyring", "copy.db"} <= set(modes)
    assert set(modes.values()) == {0o600}


def test_closing_leaves_one_file(path: Path) -> None:
    store = open_store(path)
    threads = [threading.Thread(target=ids, args=(store,)) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert Path(f"{path}-wal").exists()
    store.close()
    assert [one.name for one in path.parent.iterdir()] == ["book.db"]
    with pytest.raises(StoreError, match="closed"):
        ids(store)


def test_a_connection_in_use_closes_when_it_is_given_back(path: Path) -> None:
    store = open_store(path)
    with store.write("ada") as tx:
        home(tx)
        store.close()
    again = open_store(path)
    with again.read("ada") as tx:
        assert len(tx.namespaces.all()) == 1
    again.close()
    assert not Path(f"{path}-wal").exists()


def test_ctrl_c_between_two_statements_leaves_no_transaction_open(path: Path) -> None:
    store = open_store(path)
    assert isinstance(store, SqliteStore)
    with pytest.raises(KeyboardInterrupt), store._connection() as raw:
        raw.execute("begin immediate").fetchall()
        raise KeyboardInterrupt
    with store.write("ada") as tx:
        home(tx)
    with store.read("ada") as tx:
        assert len(tx.namespaces.all()) == 1
    store.close()


def test_a_missing_book_is_not_made_unasked(path: Path) -> None:
    with pytest.raises(NotFound):
        open_store(path, create=False)
    assert not path.exists()
    open_store(path).close()
    open_store(path, create=False).close()


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("sqlite:///book.db", "book.db"),
        ("sqlite:////var/book.db", "/var/book.db"),
        ("book.db", "book.db"),
        ("C:/books/book.db", "C:/books/book.db"),
    ],
)
def test_a_url_names_a_file(url: str, expected: str) -> None:
    assert sqlite_path(url) == Path(expected)


@pytest.mark.parametrize("url", ["mysql://host/book", "sqlite:///", ""])
def test_a_url_that_names_none_is_refused(url: str) -> None:
    with pytest.raises(Invalid):
        open_store(url)


@pytest.mark.parametrize("content", [b"Dear diary,\n" * 999, b"x"], ids=["a letter", "one byte"])
def test_a_file_that_is_no_database_is_named_and_left_alone(tmp_path: Path, content: bytes) -> None:
    letter = tmp_path / "letter.txt"
    letter.write_bytes(content)
    with pytest.raises(StoreError, match=r"letter\.txt is not a book"):
        open_store(letter)
    assert letter.read_bytes() == content


def test_a_database_that_is_no_book_is_named_and_left_alone(tmp_path: Path) -> None:
    other = tmp_path / "other.db"
    raw = apsw.Connection(str(other))
    raw.execute("create table owner (name)")
    raw.close()
    before = other.read_bytes()
    with pytest.raises(StoreError, match=r"other\.db is a database, but not a book"):
        open_store(other)
    assert other.read_bytes() == before


def test_a_folder_is_not_a_book(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="is not a file"):
        open_store(tmp_path)


def test_a_locked_book_says_so_and_works_afterwards(
    book: Store, path: Path, monkeypatch: pytest.MonkeyPatch, opened: Opens
) -> None:
    monkeypatch.setattr(connection, "PATIENCE", 0.05)
    other = opened(str(path))
    blocker = apsw.Connection(str(path))
    blocker.execute("begin immediate")
    with pytest.raises(StoreBusy, match=r"book\.db stayed locked"), other.write("ada"):
        pass
    assert ids(other) == ["m1"]
    blocker.execute("rollback")
    blocker.close()
    with other.write("ada") as tx:
        tx.memories.put(memory("m2", 2))
    assert ids(book) == ["m1", "m2"]


def test_a_full_disk_says_so_and_nothing_is_half_written(
    path: Path, monkeypatch: pytest.MonkeyPatch, opened: Opens
) -> None:
    open_store(path).close()
    pages = path.stat().st_size // connection.PAGE
    monkeypatch.setattr(connection, "PRAGMAS", (*connection.PRAGMAS, f"max_page_count = {pages + 20}"))
    small = opened(str(path))
    with small.write("ada") as tx:
        home(tx)
        tx.memories.put(memory("m0", 1))
    with pytest.raises(StoreFull, match="no room is left"), small.write("ada") as tx:
        tx.memories.put_many([memory(f"m{number}", number, sealed=bytes(4_000)) for number in range(2, 200)])
    assert ids(small) == ["m0"]
    with small.write("ada") as tx:
        tx.memories.put(memory("m1", 2))
    assert ids(small) == ["m0", "m1"]
    assert small.check() == []


@POSIX
def test_a_disk_that_takes_no_more_bytes_says_so(book: Store, path: Path) -> None:
    script = """
import resource, sys
from commonplace.errors import StoreError
from commonplace.store.open import open_store
from tests.conformance.store.build import memory
store = open_store(sys.argv[1])
resource.setrlimit(resource.RLIMIT_FSIZE, (600_000, 600_000))
kept = 0
try:
    for number in range(2, 500):
        with store.write("ada") as tx:
            tx.memories.put(memory(f"n{number:04}", number, sealed=bytes(8_000)))
        kept += 1
except StoreError as error:
    assert "the disk takes no more" in str(error) or "no room" in str(error), error
    print(kept)
"""
    done = subprocess.run(
        [sys.executable, "-c", script, str(path)], capture_output=True, text=True, check=True, env=_environment()
    )
    kept = int(done.stdout)
    assert kept > 0
    assert len(ids(book)) == kept + 1
    assert book.check() == []


@POSIX
@pytest.mark.parametrize("mode", [0o555, 0o000], ids=["read only", "closed"])
def test_a_book_that_may_not_be_written_says_so(mode: int) -> None:
    # Not below pytest's own folder: another user may not enter it, and as root we must become one.
    folder = Path(tempfile.mkdtemp())
    path = folder / "shelf" / "book.db"
    open_store(path).close()
    path.chmod(0o444)
    path.parent.chmod(mode)
    folder.chmod(0o755)
    script = """
import os, sys
from commonplace.errors import StoreError
from commonplace.store.open import open_store
import commonplace.store.sqlite.store
from tests.conformance.store.build import memory
if os.getuid() == 0:
    os.setuid(65534)
try:
    store = open_store(sys.argv[1])
    with store.write("ada") as tx:
        tx.memories.put(memory("m2", 2))
except StoreError as error:
    print(error)
"""
    done = subprocess.run(
        [sys.executable, "-c", script, str(path)], capture_output=True, text=True, check=False, env=_environment()
    )
    path.parent.chmod(0o700)
    shutil.rmtree(folder)
    assert "book.db cannot be" in done.stdout, (done.stdout, done.stderr)


def test_a_damaged_page_is_told_from_a_sound_book(path: Path) -> None:
    store = open_store(path)
    with store.write("ada") as tx:
        home(tx)
        tx.memories.put_many([memory(f"m{number:04}", number, sealed=bytes(500)) for number in range(1, 400)])
    assert store.check() == []
    store.close()
    data = bytearray(path.read_bytes())
    for page in range(60, len(data) // connection.PAGE):
        data[page * connection.PAGE : page * connection.PAGE + 100] = b"\xff" * 100
    path.write_bytes(data)
    damaged = open_store(path)
    assert damaged.check()
    with pytest.raises(StoreError, match=r"book\.db is damaged; .* restore a backup"):
        ids(damaged)
    damaged.close()


def test_a_cell_that_is_no_text_any_more_is_damage(path: Path) -> None:
    store = open_store(path)
    with store.write("ada") as tx:
        home(tx)
        tx.memories.put(memory("m1", 1))
    assert ids(store) == ["m1"]
    with closing(apsw.Connection(str(path))) as raw:
        raw.execute("update memory set kind = cast(x'ff' as text)").fetchall()
    with pytest.raises(StoreError, match=r"book\.db is damaged; .* restore a backup"):
        ids(store)
    store.close()


def test_the_pages_of_many_rows_wait_for_more_or_for_a_small_write(path: Path) -> None:
    store = open_store(path)
    with store.write("ada") as tx:
        home(tx)
    empty = path.stat().st_size
    with store.write("ada") as tx:
        tx.memories.put_many([memory(f"m{number:05}", number, sealed=bytes(2_000)) for number in range(1, MANY + 2)])
    assert path.stat().st_size == empty
    assert store.sizes()["wal"] > OFTEN * connection.PAGE
    with store.write("ada") as tx:
        tx.memories.touch(["m00001"], at=1)
    assert path.stat().st_size > empty + OFTEN * connection.PAGE
    store.close()


def test_starters_do_not_trip_over_each_other(path: Path) -> None:
    context = multiprocessing.get_context("spawn")
    with context.Pool(6) as pool:
        found = pool.map(_start, [(str(path), number) for number in range(6)])
    assert found == list(range(6))
    store = open_store(path)
    assert ids(store) == [f"m{number}" for number in range(6)]
    store.close()


def _start(given: tuple[str, int]) -> int:
    path, number = given
    store = open_store(path)
    with store.write("ada") as tx:
        if not tx.namespaces.all():
            home(tx)
        tx.memories.put(memory(f"m{number}", number))
    store.close()
    return number


@POSIX
def test_a_forked_child_opens_its_own_connections(book: Store) -> None:
    with book.read("ada") as tx:
        assert len(tx.memories.find(Filter())) == 1
        child = os.fork()
        if child == 0:
            status = 1
            try:
                with book.write("ada") as tx:
                    tx.memories.put(memory("m2", 2))
                status = 0 if ids(book) == ["m1", "m2"] else 2
            finally:
                os._exit(status)
        assert os.waitpid(child, 0)[1] == 0
        assert len(tx.memories.find(Filter())) == 1
    assert ids(book) == ["m1", "m2"]
    with book.write("ada") as tx:
        tx.memories.put(memory("m3", 3))
    assert book.check() == []


@pytest.mark.parametrize("way", ["delete", "drop"])
def test_deleted_bytes_are_gone_from_every_file_once_scrubbed(book: Store, path: Path, way: str) -> None:
    with book.write("ada") as tx:
        tx.memories.put(memory("m2", 2, sealed=MARK * 1_000))
        tx.memories.put(memory("m3", 3, sealed=MARK))
    book.scrub()
    assert holders(path, MARK) == ["book.db"]
    with book.write("ada") as tx:
        if way == "delete":
            tx.memories.delete(["m2", "m3"])
        else:
            tx.owners.drop()
    assert book.scrub()
    assert holders(path, MARK) == []
    assert ids(book) == (["m1"] if way == "delete" else [])


def test_a_scrub_is_honest_while_a_reader_holds_the_log(book: Store, path: Path, opened: Opens) -> None:
    reader = opened(str(path))
    with book.write("ada") as tx:
        tx.memories.put(memory("m2", 2, sealed=MARK))
    with reader.read("ada") as tx:
        assert len(tx.memories.find(Filter())) == 2
        with book.write("ada") as writing:
            writing.memories.delete(["m2"])
        assert not book.scrub()
        assert holders(path, MARK)
    assert book.scrub()
    assert holders(path, MARK) == []


def test_a_backup_is_whole_while_others_write(book: Store, path: Path, opened: Opens) -> None:
    stop = threading.Event()
    book.keyrings.put("ada", b"key", expected=None)

    def write() -> None:
        number = 2
        while not stop.is_set():
            with book.write("ada") as tx:
                tx.memories.put(memory(f"m{number:06}", number, sealed=bytes(2_000)))
                tx.changes.record([("memory", f"m{number:06}", "put", number, None)], at=1)
            number += 1

    writer = threading.Thread(target=write)
    writer.start()
    seen: list[tuple[int, int | None]] = []
    try:
        while len(ids(book)) < 100:
            pass
        book.backup(path.parent / "copy.db", progress=lambda done, total: seen.append((done, total)))
    finally:
        stop.set()
        writer.join()
    copy = opened(str(path.parent / "copy.db"))
    assert copy.check() == []
    assert len(ids(copy)) >= 100
    with copy.read("ada") as tx:
        assert tx.changes.last() == len(ids(copy)) - 1
    assert copy.keyrings.owners() == []
    assert seen
    assert seen[-1][0] == seen[-1][1]
    assert not Path(f"{path.parent / 'copy.db'}.part").exists()


def test_the_parts_on_disk_are_measured(book: Store, path: Path) -> None:
    sizes = book.sizes()
    assert sizes["book"] + sizes["wal"] > 0
    assert sizes["ledger"] == 0
    assert sizes["book"] == path.stat().st_size


def holders(path: Path, mark: bytes) -> list[str]:
    return sorted(one.name for one in path.parent.iterdir() if mark in one.read_bytes())


def _environment() -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}


def test_the_most_important_decisions_are_found_without_looking_at_all_notes(
    book: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[tuple[str, dict[str, object]]] = []
    run = connection.SqliteConnection.run

    def noted(db: connection.SqliteConnection, text: str, /, **values: object) -> list[connection.Cells]:
        asked.append((text, values))
        return run(db, text, **values)

    monkeypatch.setattr(connection.SqliteConnection, "run", noted)
    filter = Filter(namespaces=("n1",), kinds=("associative",), statuses=("verified", "candidate"))
    with book.read("ada") as tx:
        for categories in (("fact",), ("decision",)):
            tx.memories.important(replace(filter, categories=categories), limit=9)
        important = [(text, values) for text, values in asked if "importance desc" in text]
        plans = [str(run(tx.memories._db, f"explain query plan {text}", **values)) for text, values in important]
    assert ["memory_decision" in plan for plan in plans] == [False, True]
