"""How often a write to PostgreSQL waits for the server: counted on the wire, so that it cannot creep back."""

import socket
import threading
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from psycopg.conninfo import conninfo_to_dict

from commonplace import Commonplace, Message, Settings
from commonplace.retrieval import matrices
from commonplace.runtime import open_parts

pytestmark = pytest.mark.postgres

WARM = 8
"""Calls before the counted ones: by then connections are open, keys are made and statements are prepared."""
COUNTED = 5


class Wire:
    """Stands between a client and the server, and counts how often the server speaks after the client did."""

    def __init__(self, url: str) -> None:
        parts = {name: str(value) for name, value in conninfo_to_dict(url).items() if value}
        self._host, self._port = parts["host"], int(parts.get("port", 5432))
        self._listener = socket.create_server(("127.0.0.1", 0))
        secret = f":{parts['password']}" if "password" in parts else ""
        port = self._listener.getsockname()[1]
        self.url = f"postgresql://{parts['user']}{secret}@127.0.0.1:{port}/{parts['dbname']}"
        self.trips = 0
        threading.Thread(target=self._accept, daemon=True).start()

    def counted(self, call: Callable[[], object]) -> int:
        before = self.trips
        call()
        return self.trips - before

    def close(self) -> None:
        self._listener.close()

    def _accept(self) -> None:
        while True:
            try:
                client, _ = self._listener.accept()
            except OSError:
                return
            server = self._connected()
            said = threading.Event()
            threading.Thread(target=self._carry, args=(client, server, said.set), daemon=True).start()
            threading.Thread(target=self._carry, args=(server, client, self._answering(said)), daemon=True).start()

    def _connected(self) -> socket.socket:
        if not self._host.startswith("/"):
            return socket.create_connection((self._host, self._port))
        server = socket.socket(socket.AF_UNIX)
        server.connect(f"{self._host}/.s.PGSQL.{self._port}")
        return server

    def _answering(self, said: threading.Event) -> Callable[[], None]:
        def answer() -> None:
            if said.is_set():
                said.clear()
                self.trips += 1

        return answer

    @staticmethod
    def _carry(source: socket.socket, target: socket.socket, heard: Callable[[], None]) -> None:
        try:
            while data := source.recv(1 << 16):
                heard()
                target.sendall(data)
        except OSError:
            pass
        finally:
            for one in (source, target):
                one.close()


@pytest.fixture
def wire(postgres_url: str) -> Iterator[Wire]:
    wire = Wire(postgres_url)
    yield wire
    wire.close()


@pytest.fixture
def book(wire: Wire, tmp_path: Path) -> Iterator[Commonplace]:
    with Commonplace.open(wire.url, owner="ada", settings=Settings(home=tmp_path)) as book:
        yield book


def fewest(wire: Wire, call: Callable[[int], object]) -> int:
    """Of several calls: a server that answers early, or a pause of ours, may split one trip in two."""
    for number in range(WARM):
        call(number)
    return min(wire.counted(lambda number=number: call(number)) for number in range(WARM, WARM + COUNTED))  # type: ignore[misc]


def turns(number: int) -> list[Message]:
    return [Message(role="user", text=f"the train number {number} stops at platform {turn}") for turn in range(10)]


def questions(number: int) -> list[Message]:
    return [Message(role="user", text=f"does train number {number} stop at platform {turn}?") for turn in range(10)]


def test_remember_waits_twice(wire: Wire, book: Commonplace) -> None:
    """To begin and ask what it always asks and what stands of the value, and for the commit."""
    trips = fewest(wire, lambda number: book.remember(f"shelf {number} holds the books on birds"))
    assert 2 <= trips <= 3


def test_recall_waits_four_times(wire: Wire, book: Commonplace, monkeypatch: pytest.MonkeyPatch) -> None:
    """To begin, for the words and with them for the products, for the memories, and to end."""
    monkeypatch.setattr(matrices, "MISSES", 1_000)
    book.remember_many([f"shelf {number} holds the maps of valley {number}" for number in range(100)])
    trips = fewest(wire, lambda number: book.recall(f"which shelf holds the maps of valley {7 * number}?"))
    assert 2 <= trips <= 4


def test_recall_over_shared_namespaces_waits_no_longer(
    wire: Wire, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The person's own book and two shared ones are asked in the same trips."""
    monkeypatch.setattr(matrices, "MISSES", 1_000)
    parts = open_parts(wire.url, Settings(home=tmp_path, plan="team"))
    ada, ben = (Commonplace(parts, parts.scope(name, "default")) for name in ("ada", "ben"))
    for team in ("red", "blue"):
        ben.sharing.join(str(ada.sharing.share(team, person="ben").code))
        ada.within(team).remember_many([f"{team} shelf {number} holds the maps of valley" for number in range(50)])
    ben.remember_many([f"own shelf {number} holds the maps of valley {number}" for number in range(50)])
    hits = ben.recall("which shelf holds the maps of valley?", limit=60)
    assert {hit.memory.namespace for hit in hits} == {"default", "red", "blue"}, "the control"
    trips = fewest(wire, lambda number: ben.recall(f"which shelf holds the maps of valley {7 * number}?"))
    parts.close()
    assert 2 <= trips <= 4


def test_names_in_a_question_are_looked_up_on_the_same_way(
    wire: Wire, book: Commonplace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(matrices, "MISSES", 1_000)
    book.remember_many([f"shelf {number} holds the maps of valley {number}" for number in range(100)])
    trips = fewest(wire, lambda number: book.recall(f"which shelf did Sara and Ben Okafor show to Ida {7 * number}?"))
    assert 2 <= trips <= 4


def test_many_wait_no_longer_than_one(wire: Wire, book: Commonplace) -> None:
    trips = fewest(wire, lambda number: book.remember_many([f"box {number} holds map {one}" for one in range(20)]))
    assert 2 <= trips <= 6


def test_a_conversation_waits_as_often_as_one_turn(wire: Wire, book: Commonplace) -> None:
    """A conversation that teaches nothing: what is learned is counted below."""
    trips = fewest(wire, lambda number: book.observe(questions(number), session="station"))
    assert 2 <= trips <= 12


def test_a_sentence_that_is_learned_waits_a_dozen_times(wire: Wire, book: Commonplace) -> None:
    """Each has a transaction of its own, and sees what those before it changed."""
    trips = fewest(wire, lambda number: book.observe(turns(number), session="station"))
    assert book.recall("train", kinds=["associative"]), "nothing was learned"
    assert 20 <= trips <= 12 + 12 * len(turns(0))


def test_what_was_asked_ahead_is_asked_again_after_a_write(book: Commonplace) -> None:
    """Positive control: the answer is kept as long as nothing is written there."""
    id = book.remember("the harbour freezes").id
    with book._scope.store.write("ada") as tx:
        tx.ahead(lambda: tx.memories.get([id]))
        (row,) = tx.memories.get([id])
        assert tx.memories.get([id]) == [row]
        tx.memories.put(replace(row, importance=0.25, version=2), expected=1)
        assert [row.importance for row in tx.memories.get([id])] == [0.25]
        tx.memories.delete([id])
        assert tx.memories.get([id]) == []
        tx.memories.put(row)
