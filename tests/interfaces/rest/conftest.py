"""A server on an empty book, with tokens of two owners; in this process, or live on a port."""

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from commonplace.interfaces.rest import app
from commonplace.interfaces.rest.service import Service, Verifier
from commonplace.interfaces.rest.serving import Server, _config, bound
from commonplace.runtime import Parts, open_parts
from commonplace.security.tokens import Accounts
from commonplace.settings import Settings


@dataclass
class Caller:
    """A client that carries one token."""

    client: TestClient
    secret: str
    headers: dict[str, str] = field(default_factory=dict)

    def __call__(self, method: str, path: str, body: Any = None, **headers: str) -> Any:
        sent = {"Authorization": f"Bearer {self.secret}", **self.headers}
        sent |= {name.replace("_", "-"): value for name, value in headers.items()}
        return self.client.request(method, path, json=body, headers=sent)

    def remember(self, text: str, **fields: Any) -> str:
        answer = self("POST", "/v1/memories", {"text": text, **fields})
        assert answer.status_code == 201, answer.text
        id: str = answer.json()["id"]
        return id


class Site:
    """One server and its accounts."""

    def __init__(self, parts: Parts, issuer: Verifier | None = None) -> None:
        self.parts = parts
        self.accounts = Accounts(parts.store, parts.keychain, parts.clock)
        self.app = app(parts, issuer=issuer, mcp=False)
        self.client = TestClient(self.app, base_url="http://localhost", raise_server_exceptions=False)

    def caller(self, owner: str = "ada", scope: str = "write", *, person: bool = True, **options: Any) -> Caller:
        return Caller(self.client, self.accounts.issue(owner, scope=scope, person=person, **options).secret)


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings(home=tmp_path / "home", owner="root", rate_limit=0)


@pytest.fixture
def site(book_url: str, settings: Settings) -> Iterator[Site]:
    """A server on an empty book, once per engine."""
    parts = open_parts(book_url, settings)
    yield Site(parts)
    parts.close()


@pytest.fixture
def either_site(site: Site) -> Site:
    return site


@pytest.fixture
def ada(site: Site) -> Caller:
    return site.caller("ada")


@pytest.fixture
def bob(site: Site) -> Caller:
    return site.caller("bob")


@contextmanager
def listening(
    parts: Parts, *, issuer: Verifier | None = None, mcp: bool = False, proxies: tuple[str, ...] = ()
) -> Iterator[str]:
    """A server on a real port of this machine."""
    made = app(parts, issuer=issuer, mcp=mcp)
    service: Service = made.state.service
    config = _config("127.0.0.1", 0, made, proxies)
    socket = bound("127.0.0.1", 0)
    server = Server(config, service)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [socket]})
    thread.start()
    try:
        yield f"http://127.0.0.1:{socket.getsockname()[1]}"
    finally:
        service.stopping.set()
        server.should_exit = True
        thread.join(20)
        socket.close()


@pytest.fixture
def live(book_url: str, settings: Settings) -> Iterator[Callable[..., Any]]:
    """Start servers that end with the test: ``url, parts = live()``."""
    with_parts = open_parts(book_url, settings)
    stack: list[Any] = []

    def start(**options: Any) -> tuple[str, Parts]:
        running = listening(with_parts, **options)
        stack.append(running)
        return running.__enter__(), with_parts

    yield start
    for one in stack:
        one.__exit__(None, None, None)
    with_parts.close()


def events(lines: Iterator[str], wanted: int) -> list[dict[str, Any]]:
    """The data of so many change events of a stream."""
    found = []
    for line in lines:
        if line.startswith("data: "):
            found.append(json.loads(line.removeprefix("data: ")))
            if len(found) == wanted:
                break
    return found
