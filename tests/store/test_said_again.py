"""What the server undoes for another's sake (a deadlock, a serialisation failure) is said again, unseen.

The collisions are real: a second connection of the keeper's takes locks, or changes rows, at the wrong moment.
"""

import threading
from collections.abc import Iterator
from contextlib import nullcontext, suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import psycopg
import pytest
from tests.conformance.store.build import HOME, audit, home, memory

from commonplace import Commonplace, Settings
from commonplace.errors import StoreBusy, StoreError
from commonplace.memories import unit_of_work as work
from commonplace.memories.gateway import Gateway
from commonplace.model import NewMemory, Receipt
from commonplace.store.postgres import journal
from commonplace.store.postgres import store as store_module
from commonplace.store.postgres.store import PostgresStore
from commonplace.store.rows import Filter

pytestmark = pytest.mark.postgres

SERIALIZABLE = "begin isolation level serializable, read write"


@pytest.fixture
def database(postgres_server: Any) -> Iterator[str]:
    with postgres_server.database() as name:
        postgres_server.run(f"alter database {name} set deadlock_timeout = '50ms'")
        yield name


@pytest.fixture
def book(postgres_server: Any, database: str) -> Iterator[PostgresStore]:
    store = PostgresStore(postgres_server.url(database, user="commonplace_tester"))
    with store.write("ada") as tx:
        home(tx)
        tx.memories.put(memory("m1", tx.owners.take_docs(1)))
        tx.usage.add("2026-01-01", "llm", calls=1, tokens=1)
    yield store
    store.close()


class Other:
    """The keeper's own connection: holds one table, then waits for a second, and never gives way."""

    def __init__(self, server: Any, database: str) -> None:
        self._raw = psycopg.connect(server.url(database), autocommit=False)
        self._raw.execute("set deadlock_timeout = '60s'")
        self._raw.execute("set search_path = commonplace, public")
        self._thread: threading.Thread | None = None

    def hold(self, table: str) -> None:
        self._raw.execute(f"lock table {table} in access exclusive mode".encode())

    def want(self, table: str) -> None:
        """In the background, until it is got; then both are given back."""

        def wait() -> None:
            self.hold(table)
            self._raw.commit()

        self._thread = threading.Thread(target=wait)
        self._thread.start()

    def wait(self) -> None:
        if self._thread:
            self._thread.join()

    def do(self, text: str) -> None:
        self._raw.execute(text.encode())
        self._raw.commit()

    def end(self) -> None:
        self.wait()
        self._raw.close()


@pytest.fixture
def other(postgres_server: Any, database: str) -> Iterator[Other]:
    made = Other(postgres_server, database)
    yield made
    made.end()


@pytest.fixture
def undone(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Grows by one for each time that a transaction was begun anew."""
    counted: list[int] = []
    real = PostgresStore._open_again

    def counting(self: PostgresStore, *given: Any, **named: Any) -> None:
        counted.append(1)
        real(self, *given, **named)

    monkeypatch.setattr(PostgresStore, "_open_again", counting)
    return counted


def kept(book: PostgresStore) -> tuple[list[str], list[tuple[str, int]]]:
    with book.read("ada") as tx:
        return [row.id for row in tx.memories.find(Filter())], [(u.what, u.calls) for u in tx.usage.of("2026-01-01")]


def test_a_write_that_lost_a_deadlock_is_written_all_the_same(
    book: PostgresStore, other: Other, undone: list[int]
) -> None:
    other.hold("usage")
    with book.write("ada") as tx:
        doc = tx.owners.take_docs(1)
        tx.memories.put(memory("m2", doc))
        other.want("memory")
        tx.usage.add("2026-01-01", "llm", calls=1, tokens=1)
        assert [row.id for row in tx.memories.get(["m2"])] == ["m2"]
        tx.audit.append([audit(1)])
    assert undone
    assert kept(book) == (["m1", "m2"], [("llm", 2)])
    assert book.check() == []


def test_writes_after_it_say_the_same_statements_as_before(
    book: PostgresStore, other: Other, undone: list[int]
) -> None:
    """psycopg takes for prepared what it said between a rollback in a pipeline and the rollback's answer."""
    for turn in range(1, 9):
        other.hold("usage")
        with book.write("ada") as tx:
            tx.memories.put(memory(f"n{turn}", tx.owners.take_docs(1)))
            other.want("memory")
            tx.usage.add("2026-01-01", "llm", calls=1, tokens=1)
            assert tx.memories.get([f"n{turn}"]) and tx.usage.of("2026-01-01")
        other.wait()
        with book.write("ada") as tx:
            tx.memories.put(memory(f"o{turn}", tx.owners.take_docs(1)))
            tx.usage.add("2026-01-01", "llm", calls=1, tokens=1)
            assert tx.memories.get([f"o{turn}"]) and tx.usage.of("2026-01-01")
    assert undone
    assert kept(book)[1] == [("llm", 17)]


def test_a_deadlock_that_only_the_commit_tells_of_is_made_good_too(
    book: PostgresStore, other: Other, undone: list[int]
) -> None:
    other.hold("usage")
    with book.write("ada") as tx:
        tx.memories.put(memory("m2", tx.owners.take_docs(1)))
        other.want("memory")
        tx.usage.add("2026-01-01", "llm", calls=1, tokens=1)
    assert undone
    assert kept(book) == (["m1", "m2"], [("llm", 2)])


def test_a_read_that_lost_a_deadlock_is_read_again(book: PostgresStore, other: Other, undone: list[int]) -> None:
    other.hold("usage")
    with book.read("ada") as tx:
        assert tx.memories.counts()
        other.want("memory")
        assert [one.calls for one in tx.usage.of("2026-01-01")] == [1]
    assert undone


def test_a_read_of_several_owners_that_lost_a_deadlock_is_read_again(
    book: PostgresStore, other: Other, undone: list[int]
) -> None:
    with book.write("eve") as tx:
        tx.usage.add("2026-01-01", "llm", calls=7, tokens=1)
    other.hold("usage")
    with book.read_together(["ada", "eve"]) as (ada, eve):
        assert ada.memories.counts() and not eve.memories.counts()
        other.want("memory")
        assert [row.calls for row in eve.usage.of("2026-01-01")] == [7]
        assert [row.calls for row in ada.usage.of("2026-01-01")] == [1]
    assert undone


def test_a_serialisation_failure_is_said_again(
    book: PostgresStore, other: Other, undone: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(store_module, "WRITING", SERIALIZABLE)
    with book.write("ada") as tx:
        tx.usage.add("2026-01-01", "embed", calls=1, tokens=1)
        assert tx.namespaces.get(HOME) is not None
        other.do("update memory set last_used_at = 77 where owner = 'ada'")
        tx.memories.touch(["m1"], at=99)
    assert undone
    with book.read("ada") as tx:
        assert tx.memories.get(["m1"])[0].last_used_at == 99
        assert {one.what for one in tx.usage.of("2026-01-01")} == {"embed", "llm"}


def test_writers_that_fail_to_serialise_at_the_very_start_all_come_through(
    book: PostgresStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(store_module, "WRITING", SERIALIZABLE)
    monkeypatch.setattr(journal, "TRIES", 40)
    monkeypatch.setattr(store_module, "TRIES", 40)
    together, failed = threading.Barrier(4), []

    def write() -> None:
        together.wait()
        try:
            with book.write("ada") as tx:
                tx.usage.add("2026-01-01", "llm", calls=1, tokens=1)
        except StoreError as error:
            failed.append(error)

    threads = [threading.Thread(target=write) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failed == []
    assert kept(book)[1] == [("llm", 5)]


def test_where_an_answer_is_another_than_before_the_caller_is_told_and_nothing_is_written(
    book: PostgresStore, other: Other, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(store_module, "WRITING", SERIALIZABLE)
    with pytest.raises(StoreBusy, match="nothing was written"), book.write("ada") as tx:
        assert tx.memories.get(["m1"])[0].last_used_at != 77
        tx.usage.add("2026-01-01", "llm", calls=1, tokens=1)
        other.do("update memory set last_used_at = 77 where owner = 'ada'")
        tx.memories.touch(["m1"], at=99)
    assert kept(book)[1] == [("llm", 1)]


@pytest.mark.parametrize("tries", [0, 1])
def test_a_verb_whose_answers_have_changed_is_done_anew_from_its_beginning(
    postgres_server: Any, database: str, other: Other, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, tries: int
) -> None:
    monkeypatch.setattr(store_module, "WRITING", SERIALIZABLE)
    monkeypatch.setattr(work, "TRIES", tries)
    url = postgres_server.url(database, user="commonplace_tester")
    meddled: list[int] = []

    def meddle(_: object, tx: object, receipt: Receipt) -> None:
        if not meddled:
            meddled.append(1)
            other.do("update namespace set length = length + 1 where owner = 'eve'")

    with Commonplace.open(url, owner="eve", settings=Settings(home=tmp_path)) as book:
        book.remember("the ladder stands in the shed")
        gateway = Gateway(replace(book._scope, settle=meddle))
        with suppress(StoreBusy) if not tries else nullcontext():
            gateway.remember(NewMemory(text="the ladder has twelve rungs"))
        texts = [memory.text for memory in book.browse(newest=False)]
        assert texts == ["the ladder stands in the shed", "the ladder has twelve rungs"][: tries + 1]
        assert meddled


def test_who_goes_on_after_a_failure_does_not_keep_the_half_that_came_after_it(
    book: PostgresStore, other: Other, monkeypatch: pytest.MonkeyPatch, undone: list[int]
) -> None:
    monkeypatch.setattr(store_module, "WRITING", SERIALIZABLE)
    with pytest.raises(StoreBusy, match="nothing was written"), book.write("ada") as tx:
        before = tx.memories.get(["m1"])[0]
        tx.memories.put(memory("m2", tx.owners.take_docs(1)))
        other.do("update memory set last_used_at = 77 where owner = 'ada'")
        with suppress(StoreBusy):
            tx.memories.touch([before.id], at=99)
            tx.memories.get(["m1"])
        tx.usage.add("2026-01-01", "llm", calls=1, tokens=1)
    assert undone
    assert kept(book) == (["m1"], [("llm", 1)])


def test_a_transaction_too_long_to_be_remembered_is_not_said_again(
    book: PostgresStore, other: Other, monkeypatch: pytest.MonkeyPatch, undone: list[int]
) -> None:
    monkeypatch.setattr(journal, "MOST", 2)
    other.hold("usage")
    with pytest.raises(StoreBusy), book.write("ada") as tx:
        tx.memories.put(memory("m2", tx.owners.take_docs(1)))
        other.want("memory")
        tx.usage.add("2026-01-01", "llm", calls=1, tokens=1)
        tx.memories.get(["m2"])
    assert undone == []
    assert kept(book) == (["m1"], [("llm", 1)])


def test_tries_end(book: PostgresStore, other: Other, monkeypatch: pytest.MonkeyPatch, undone: list[int]) -> None:
    monkeypatch.setattr(journal, "TRIES", 0)
    other.hold("usage")
    with pytest.raises(StoreBusy), book.write("ada") as tx:
        tx.memories.put(memory("m2", tx.owners.take_docs(1)))
        other.want("memory")
        tx.usage.add("2026-01-01", "llm", calls=1, tokens=1)
    assert undone == []


def test_other_failures_are_not_said_again(book: PostgresStore, undone: list[int]) -> None:
    with book.write("ada") as tx:
        tx.audit.append([audit(1)])
    with pytest.raises(StoreError, match="refused a row"), book.write("ada") as tx:
        tx.audit.append([audit(1)])
    assert undone == []
