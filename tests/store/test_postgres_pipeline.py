"""A write says most of what it has to say without waiting; a failure is told all the same, and nothing is kept."""

import threading
from collections.abc import Iterator, Sequence
from contextlib import suppress

import psycopg
import pytest
from tests.conformance.store.build import HOME, audit, home, memory

from commonplace.errors import StoreError
from commonplace.store.postgres.store import PostgresStore
from commonplace.store.postgres.wire import ServerAnswer, Statement, Wire
from commonplace.store.rows import Filter, LedgerEntry

pytestmark = pytest.mark.postgres

WRITERS = 2


@pytest.fixture
def book(postgres_url: str) -> Iterator[PostgresStore]:
    store = PostgresStore(postgres_url, connections=WRITERS, patience=2.0)
    for owner in ("ada", "bob"):
        with store.write(owner) as tx:
            home(tx)
            tx.audit.append([audit(1)])
    yield store
    store.close()


def ids(book: PostgresStore, owner: str) -> list[str]:
    with book.read(owner) as tx:
        return [row.id for row in tx.memories.find(Filter())]


def test_a_statement_that_nobody_waited_for_still_undoes_the_write(book: PostgresStore) -> None:
    for turn in range(12):
        with pytest.raises(StoreError, match="refused a row"), book.write("ada") as tx:
            tx.memories.put_many([memory(f"m{turn}", turn + 1)])
            tx.audit.append([audit(1)])
        assert ids(book, "ada") == []
    with book.write("ada") as tx:
        tx.memories.put_many([memory("m", 1)])
        tx.audit.append([audit(2)])
    assert ids(book, "ada") == ["m"]


def test_the_next_question_tells_of_a_failure_before_it(book: PostgresStore) -> None:
    with pytest.raises(StoreError, match="refused a row"), book.write("ada") as tx:
        tx.audit.append([audit(1)])
        tx.namespaces.get(HOME)
    with book.write("ada") as tx:
        assert tx.namespaces.get(HOME) is not None


def test_a_failure_that_was_caught_still_undoes_the_write(book: PostgresStore) -> None:
    with pytest.raises(StoreError, match="division by zero"), book.write("ada") as tx:
        tx.memories.put_many([memory("m1", 1)])
        with suppress(StoreError):
            tx._db.changed("update namespace set documents = documents / 0")
    assert ids(book, "ada") == []
    with pytest.raises(StoreError, match="division by zero"), book.write("ada") as tx:
        with suppress(StoreError):
            tx._db.changed("update namespace set documents = documents / 0")
        tx.memories.put_many([memory("m1", 1)])
        tx.namespaces.all()
    assert ids(book, "ada") == []


def test_a_commit_that_undid_instead_is_told(book: PostgresStore) -> None:
    with pytest.raises(StoreError, match="nothing was written"), book.write("ada") as tx:
        tx.memories.put_many([memory("m1", 1)])
        tx._db.flush()  # type: ignore[attr-defined]
        with suppress(psycopg.Error):
            tx._db._raw.execute("select 1 / 0")  # type: ignore[attr-defined]
            tx._db._pipeline.sync()  # type: ignore[attr-defined]
    assert ids(book, "ada") == []


def test_what_is_asked_for_later_sees_what_was_written_before_it_and_nothing_after(book: PostgresStore) -> None:
    count = "select count(*) from memory where owner = :owner"
    with book.write("ada") as tx:
        tx.memories.put_many([memory("m1", 1)])
        first = tx._db.later(count)
        tx.memories.put_many([memory("m2", 2)])
        second = tx._db.later(count)
        assert (first(), second()) == ([(1,)], [(2,)])
        tx.memories.put_many([memory("m3", 3)])
        unasked = tx._db.later(count)
    assert unasked() == [(3,)]
    assert ids(book, "ada") == ["m1", "m2", "m3"]


def test_what_is_asked_for_later_goes_with_the_next_question(
    book: PostgresStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    trips: list[int] = []
    ask = Wire.ask

    def counted(wire: Wire, statements: Sequence[Statement], *, planned: bool = False) -> list[ServerAnswer]:
        trips.append(len(statements))
        return ask(wire, statements, planned=planned)

    monkeypatch.setattr(Wire, "ask", counted)
    with book.read("ada") as tx:
        trips.clear()
        label = tx._db.later("select label from namespace where owner = :owner")
        assert trips == []
        tx.memories.find(Filter())
        assert trips == [2]
        assert label() == label() == [(tx.namespaces.all()[0].label,)]
        never = tx._db.later("select 1 / 0")
    assert trips == [2, 1], "the namespaces came when it was begun; nobody asked the last question"
    with pytest.raises(StoreError, match="division by zero"), book.read("ada") as tx:
        never = tx._db.later("select 1 / 0")
        never()


def test_an_error_of_the_callers_undoes_what_was_on_its_way(book: PostgresStore) -> None:
    with pytest.raises(KeyError), book.write("ada") as tx:
        tx.memories.put_many([memory("m1", 1)])
        raise KeyError("not ours")
    assert ids(book, "ada") == []
    with book.write("ada") as tx:
        tx.memories.put_many([memory("m1", 1)])
    assert ids(book, "ada") == ["m1"]


def test_a_write_reads_its_keys_as_others_left_them(book: PostgresStore) -> None:
    with book.write("ada"):
        assert book.keyrings.get("ada") is None
        thread = threading.Thread(target=lambda: book.keyrings.put("ada", b"made by another", expected=None))
        thread.start()
        thread.join()
        assert book.keyrings.get("ada") == b"made by another"


def test_a_write_reads_the_keys_that_it_put_itself(book: PostgresStore) -> None:
    with book.write("ada"):
        assert book.keyrings.put("ada", b"made here", expected=None)
        assert book.keyrings.get("ada") == b"made here"
    with book.write("ada"):
        book.keyrings.drop("ada")
        assert book.keyrings.get("ada") is None


def test_as_many_writers_as_connections_still_reach_keyring_and_ledger(book: PostgresStore) -> None:
    together = threading.Barrier(WRITERS)
    done: list[str] = []

    def write(owner: str) -> None:
        with book.write(owner) as tx:
            together.wait()
            assert book.keyrings.put(owner, b"record", expected=None)
            tx.final_acts.append([_act(owner)])
            tx.memories.put_many([memory("m1", 1)])
        done.append(owner)

    threads = [threading.Thread(target=write, args=(owner,)) for owner in ("ada", "bob")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(done) == ["ada", "bob"]
    assert [entry.target for entry in book.ledger.entries()] == ["m1", "m1"]


def _act(owner: str) -> LedgerEntry:
    return LedgerEntry(owner=owner, at=1, act="forget", target="m1", namespace=HOME, fingerprints=(b"f",), reason=None)
