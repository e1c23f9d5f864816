"""The connection breaks between a commit and its answer: the caller is told that nobody knows, and nothing is doubled.

What stands between is real: it hands on every byte, and hangs up when the server answers the commit.
"""

import os
import socket
import threading
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from psycopg.conninfo import conninfo_to_dict
from tests.conformance.store.build import home

from commonplace.errors import StoreError
from commonplace.store.postgres.store import PostgresStore

pytestmark = [
    pytest.mark.postgres,
    pytest.mark.skipif(os.name != "posix", reason="speaks to the server through its socket"),
]


class Between:
    """Listens on this machine for clients of the server at ``url``."""

    def __init__(self, url: str) -> None:
        self._parts: dict[str, Any] = dict(conninfo_to_dict(url))
        self._listens = socket.create_server(("127.0.0.1", 0))
        self._ends: list[socket.socket] = []
        self.hangs_up = False
        """When the next commit is answered."""
        self.commits = 0
        threading.Thread(target=self._serve, daemon=True).start()

    @property
    def url(self) -> str:
        secret = f":{self._parts['password']}" if self._parts.get("password") else ""
        port = self._listens.getsockname()[1]
        return f"postgresql://{self._parts['user']}{secret}@127.0.0.1:{port}/{self._parts['dbname']}"

    def close(self) -> None:
        for one in (self._listens, *self._ends):
            one.close()

    def _serve(self) -> None:
        with suppress(OSError):
            while True:
                client = self._listens.accept()[0]
                server = self._server()
                self._ends += [client, server]
                said = threading.Event()
                threading.Thread(target=self._there, args=(client, server, said), daemon=True).start()
                threading.Thread(target=self._back, args=(server, client, said), daemon=True).start()

    def _server(self) -> socket.socket:
        host, port = str(self._parts["host"]), int(self._parts.get("port") or 5432)
        if not host.startswith("/"):
            return socket.create_connection((host, port))
        server = socket.socket(socket.AF_UNIX)
        server.connect(str(Path(host) / f".s.PGSQL.{port}"))
        return server

    def _there(self, client: socket.socket, server: socket.socket, said: threading.Event) -> None:
        with suppress(OSError):
            while data := client.recv(65_536):
                if self.hangs_up and b"commit\0" in data:
                    self.commits += 1
                    said.set()
                server.sendall(data)

    def _back(self, server: socket.socket, client: socket.socket, said: threading.Event) -> None:
        with suppress(OSError):
            while data := server.recv(65_536):
                if said.is_set() and b"COMMIT\0" in data:
                    client.shutdown(socket.SHUT_RDWR)
                    return
                client.sendall(data)


@pytest.fixture
def between(postgres_url: str) -> Iterator[Between]:
    made = Between(postgres_url)
    yield made
    made.close()


@pytest.fixture
def book(between: Between) -> Iterator[PostgresStore]:
    store = PostgresStore(between.url)
    with store.write("ada") as tx:
        home(tx)
    yield store
    store.close()


def calls(book: PostgresStore) -> list[int]:
    with book.read("ada") as tx:
        return [one.calls for one in tx.usage.of("2026-01-01")]


def test_a_commit_that_was_heard_and_not_answered_is_not_said_again(book: PostgresStore, between: Between) -> None:
    between.hangs_up = True
    with pytest.raises(StoreError, match="it may be there or not"), book.write("ada") as tx:
        tx.usage.add("2026-01-01", "llm", calls=1, tokens=1)
    between.hangs_up = False
    assert between.commits == 1
    assert calls(book) == [1], "the server heard it"


def test_nor_is_that_of_the_keys(book: PostgresStore, between: Between) -> None:
    between.hangs_up = True
    with pytest.raises(StoreError, match="it may be there or not"):
        book.keyrings.put("ada", b"record", expected=None)
    between.hangs_up = False
    assert between.commits == 1
    assert book.keyrings.get("ada") == b"record"


def test_a_connection_that_breaks_before_the_commit_has_written_nothing(book: PostgresStore, between: Between) -> None:
    with pytest.raises(StoreError, match="nothing was written"), book.write("ada") as tx:
        tx.usage.add("2026-01-01", "llm", calls=1, tokens=1)
        for end in between._ends:
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
        tx.usage.of("2026-01-01")
    assert calls(book) == []
