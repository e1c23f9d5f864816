"""A book behind an MCP server: in this process, over stdio, over HTTP."""

import sys
import threading
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any

import httpx2
import pytest
from mcp import Client, StdioServerParameters
from mcp.client.streamable_http import streamable_http_client

from commonplace import Commonplace
from commonplace.interfaces.mcp.server import server
from commonplace.interfaces.mcp.stdio import OneBook
from commonplace.interfaces.rest import app
from commonplace.interfaces.rest.service import Service
from commonplace.interfaces.rest.serving import Server, _config, bound
from commonplace.runtime import open_parts
from commonplace.security.tokens import Accounts
from commonplace.settings import Settings

START = """
import sys
from pathlib import Path
from commonplace import Commonplace, Settings
from commonplace.interfaces.mcp import run_stdio
run_stdio(Commonplace.open(settings=Settings(home=Path(sys.argv[1]), url=sys.argv[3])), sys.argv[2])
"""
MODES = ("auto", "legacy")


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(params=MODES)
def mode(request: pytest.FixtureRequest) -> str:
    """Both eras of the protocol."""
    found: str = request.param
    return found


@pytest.fixture
def book(tmp_path: Path, book_url: str) -> Iterator[Commonplace]:
    with Commonplace.open(settings=Settings(home=tmp_path / "home", url=book_url)) as opened:
        yield opened


def serving(book: Commonplace, tools: Any = "default") -> Any:
    return server(OneBook(book.acting_as("mcp", source="assistant", person=False)), tools)


def command(home: Path, url: str, tools: str = "default") -> StdioServerParameters:
    return StdioServerParameters(command=sys.executable, args=["-c", START, str(home), tools, url])


@contextmanager
def listening(home: Path, book_url: str) -> Iterator[tuple[str, Accounts]]:
    """The REST server with ``/mcp``, on a port; and its accounts."""
    parts = open_parts(book_url, Settings(home=home, rate_limit=0))
    made = app(parts)
    service: Service = made.state.service
    config = _config("127.0.0.1", 0, made)
    socket = bound("127.0.0.1", 0)
    running = Server(config, service)
    thread = threading.Thread(target=running.run, kwargs={"sockets": [socket]})
    thread.start()
    try:
        yield f"http://127.0.0.1:{socket.getsockname()[1]}/mcp", service.accounts
    finally:
        service.stopping.set()
        running.should_exit = True
        thread.join(20)
        socket.close()
        parts.close()


@asynccontextmanager
async def signed(url: str, secret: str, mode: Any) -> AsyncIterator[Client]:
    headers = {"Authorization": f"Bearer {secret}"}
    async with (
        httpx2.AsyncClient(headers=headers, timeout=30) as http,
        Client(streamable_http_client(url, http_client=http), mode=mode) as client,
    ):
        yield client


async def said(client: Client, tool: str, **arguments: Any) -> str:
    """The text a tool answers with; an error fails the test."""
    answer = await client.call_tool(tool, arguments)
    text: str = answer.content[0].text  # type: ignore[union-attr]
    assert not answer.is_error, text
    return text


async def refused(client: Client, tool: str, **arguments: Any) -> str:
    answer = await client.call_tool(tool, arguments)
    assert answer.is_error
    text: str = answer.content[0].text  # type: ignore[union-attr]
    return text
