"""Real clients over stdio and HTTP."""

import os
import signal
import subprocess
import sys
import time

import anyio
import httpx2
import pytest
from mcp import Client
from mcp_types import Implementation

from commonplace import Commonplace, Settings

from .conftest import START, command, listening, refused, said, signed

pytestmark = pytest.mark.anyio


async def test_over_stdio(tmp_path, book_url, mode):
    who = Implementation(name="claude-code", version="2")
    async with Client(command(tmp_path, book_url), mode=mode, client_info=who) as client:
        await said(client, "recall", query="what does Ada play?")
        with Commonplace.open(settings=Settings(home=tmp_path, url=book_url)) as book:
            lines = [(line.actor, line.action, line.target) for line in book.audit.list()]
            assert lines == [("mcp", "CALL", "memory_recall")], "a first call that only reads is seen"
        await said(client, "memorize", text="Ada plays chess")
        assert "chess" in await said(client, "recall", query="what does Ada play?")
    with Commonplace.open(settings=Settings(home=tmp_path, url=book_url)) as book:
        assert [(memory.text, memory.agent) for memory in book.browse()] == [("Ada plays chess", "claude-code")]
        assert sum(line.action == "CALL" for line in book.audit.list()) == 1 and book.audit.verify().ok


async def test_several_servers_on_one_book_at_once(tmp_path, book_url):
    async def work(number: int) -> None:
        async with Client(command(tmp_path, book_url), mode="legacy") as client:
            for turn in range(5):
                await said(client, "memorize", text=f"Server {number} states fact {turn}")

    async with anyio.create_task_group() as group:
        for number in range(3):
            group.start_soon(work, number)
    with Commonplace.open(settings=Settings(home=tmp_path, url=book_url)) as book:
        assert len(book.browse(limit=100)) == 15
        assert book.audit.verify().ok


HELLO = (
    b'{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18",'
    b'"capabilities":{},"clientInfo":{"name":"t","version":"1"}}}\n'
)


def test_nothing_but_protocol_on_standard_output(tmp_path, sqlite_url):
    hello = HELLO + (
        b'{"jsonrpc":"2.0","method":"notifications/initialized"}\n'
        b'{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"memorize","arguments":{"text":"A fact"}}}\n'
        b"this is not json\n"
    )
    with subprocess.Popen(
        [sys.executable, "-c", "print = None\n" + START, str(tmp_path), "default", sqlite_url],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as running:
        running.stdin.write(hello)
        running.stdin.flush()
        lines = [running.stdout.readline() for _ in range(2)]
        running.stdin.close()
        rest = running.stdout.read().splitlines()
        running.wait(timeout=20)
    import json

    answers = [json.loads(line) for line in [*lines, *rest] if line.strip()]
    assert {1, 2} <= {one.get("id") for one in answers}
    assert all(one["jsonrpc"] == "2.0" for one in answers)
    assert running.returncode == 0, "the end of its input is the end of the server"


PARENT = """
import subprocess, sys, time
child = subprocess.Popen([sys.executable, "-c", sys.argv[1], sys.argv[2], "default", sys.argv[3]], stdin=sys.stdin)
print(child.pid, flush=True)
time.sleep(60)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="there, the end of the input is the only sign")
def test_the_server_ends_when_its_parent_dies_though_its_input_stays_open(tmp_path, sqlite_url):
    read, write = os.pipe()
    try:
        parent = subprocess.Popen(
            [sys.executable, "-c", PARENT, START, str(tmp_path), sqlite_url],
            stdin=read,
            stdout=subprocess.PIPE,
            text=True,
        )
        child = int(parent.stdout.readline())
        os.write(write, HELLO)
        assert '"id":1' in parent.stdout.readline(), "the server is up and speaks"
        parent.send_signal(signal.SIGKILL)
        parent.wait()
        parent.stdout.close()
        for _ in range(200):
            if not alive(child):
                break
            time.sleep(0.1)
        assert not alive(child)
    finally:
        os.close(read)
        os.close(write)


def alive(process: int) -> bool:
    """Running, and not merely waiting to be buried."""
    import psutil

    try:
        return psutil.Process(process).status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


async def test_over_http_each_token_is_its_owner(tmp_path, book_url, mode):
    with listening(tmp_path, book_url) as (url, accounts):
        ada = accounts.issue("ada", scope="write").secret
        bob = accounts.issue("bob", scope="write").secret
        reader = accounts.issue("ada", scope="read").secret
        async with signed(url, ada, mode) as client:
            saved = await client.call_tool("memorize", {"text": "Ada plays chess"})
            assert not saved.is_error
            id = saved.structured_content["id"]
            assert "chess" in await said(client, "recall", query="chess")
            profile = (await client.read_resource("commonplace://profile")).contents[0].text
            assert "chess" not in profile, "what an agent noted is not in the profile before a person confirms it"
        with Commonplace.open(book_url, owner="ada", settings=Settings(home=tmp_path)) as book:
            book.confirm(id)
        async with signed(url, ada, mode) as client:
            assert "chess" in (await client.read_resource("commonplace://profile")).contents[0].text
        async with signed(url, bob, mode) as client:
            assert "Nothing is known" in await said(client, "recall", query="chess")
            assert "no memory" in await refused(client, "revise", id=id, text="x")
            assert "no memory" in await refused(client, "forget", id=id, confirm=True)
            assert "chess" not in (await client.read_resource("commonplace://profile")).contents[0].text
        async with signed(url, reader, mode) as client:
            assert "chess" in await said(client, "recall", query="chess")
            assert "needs scope" in await refused(client, "memorize", text="x")


async def test_over_http_a_narrow_token_stays_in_its_namespace(tmp_path, book_url):
    with listening(tmp_path, book_url) as (url, accounts):
        admin = accounts.issue("ada", scope="admin", person=True).secret
        headers = {"Authorization": f"Bearer {admin}"}
        base = url.removesuffix("/mcp")
        made = httpx2.post(f"{base}/v1/tokens", json={"namespaces": ["work"]}, headers=headers).json()
        httpx2.post(f"{base}/v1/memories?namespace=home", json={"text": "The key is hidden"}, headers=headers)
        async with signed(f"{url}/all", made["secret"], "auto") as client:
            await said(client, "memorize", text="The build is green")
            assert "green" in await said(client, "recall", query="build", namespace="work")
            for tool, arguments in (
                ("recall", {"query": "key", "namespace": "home"}),
                ("memorize", {"text": "x", "namespace": "home"}),
                ("receipts", {}),
                ("audit", {}),
                ("namespaces", {}),
            ):
                assert "token" in await refused(client, tool, **arguments), tool


@pytest.mark.parametrize("secret", [None, "cpl_nonsense"])
def test_over_http_nobody_without_a_token(tmp_path, book_url, secret):
    with listening(tmp_path, book_url) as (url, accounts):
        body = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
        headers = {"Accept": "application/json, text/event-stream"}
        if secret:
            headers["Authorization"] = f"Bearer {secret}"
        assert httpx2.post(url, json=body, headers=headers).status_code == 401
        good = {**headers, "Authorization": f"Bearer {accounts.issue('ada').secret}"}
        assert httpx2.post(url, json=body, headers=good).status_code != 401
        assert httpx2.post(url, json=body, headers={**good, "Host": "evil.example"}).status_code == 421
        assert httpx2.post(url, json=body, headers={**good, "Origin": "http://evil.example"}).status_code == 403
