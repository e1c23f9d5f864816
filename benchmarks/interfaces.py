"""What an interface costs: recall and remember through the library, REST and MCP, with 1 to 32 clients at once.

    python benchmarks/interfaces.py [--seconds 3] [--memories 2000] [--clients 1,8,32] [--starts 7]

Everything runs on one machine against one SQLite book: the server is a process of its own, the clients are threads (the
library, REST) or tasks (MCP) of this one, so they take processor time from it too. Read the ratios, not the numbers.
"""

import argparse
import json
import os
import platform
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path

import anyio
import httpx2
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

sys.path[:0] = ["."]

from benchmarks.apart import server  # noqa: E402

from commonplace import Commonplace, Settings  # noqa: E402

QUESTIONS = [f"what is known about subject {number}?" for number in range(97)]
Took = list[float]


def threads(count: int, seconds: float, call: Callable[[int, int], object]) -> Took:
    """Call from ``count`` threads until the time is over; seconds of each call."""
    end = time.perf_counter() + seconds
    took: list[Took] = [[] for _ in range(count)]

    def work(who: int) -> None:
        turn = 0
        while (began := time.perf_counter()) < end:
            call(who, turn)
            took[who].append(time.perf_counter() - began)
            turn += 1

    running = [threading.Thread(target=work, args=(who,)) for who in range(count)]
    for one in running:
        one.start()
    for one in running:
        one.join()
    return [one for each in took for one in each]


def library(home: Path, verb: str, count: int, seconds: float) -> Took:
    with Commonplace.open(settings=Settings(home=home)) as book:
        book.recall("warm")

        def call(who: int, turn: int) -> object:
            if verb == "recall":
                return book.recall(QUESTIONS[turn % len(QUESTIONS)])
            return book.remember(statement("library", count, who, turn))

        return threads(count, seconds, call)


def rest(url: str, token: str, verb: str, count: int, seconds: float) -> Took:
    clients = [
        httpx2.Client(base_url=url, headers={"Authorization": f"Bearer {token}"}, timeout=60) for _ in range(count)
    ]
    try:

        def call(who: int, turn: int) -> object:
            if verb == "recall":
                answer = clients[who].post("/v1/recall", json={"query": QUESTIONS[turn % len(QUESTIONS)]})
            else:
                answer = clients[who].post("/v1/memories", json={"text": statement("rest", count, who, turn)})
            return answer.raise_for_status()

        call(0, -1)
        return threads(count, seconds, call)
    finally:
        for one in clients:
            one.close()


async def mcp(url: str, token: str, verb: str, count: int, seconds: float) -> Took:
    took: Took = []

    async def work(who: int) -> None:
        headers = {"Authorization": f"Bearer {token}"}
        async with (
            httpx2.AsyncClient(headers=headers, timeout=60) as http,
            Client(streamable_http_client(f"{url}/mcp", http_client=http)) as client,
        ):
            await client.call_tool("recall", {"query": "warm"})
            end, turn = time.perf_counter() + seconds, 0
            while (began := time.perf_counter()) < end:
                if verb == "recall":
                    answer = await client.call_tool("recall", {"query": QUESTIONS[turn % len(QUESTIONS)]})
                else:
                    answer = await client.call_tool("memorize", {"text": statement("mcp", count, who, turn)})
                assert not answer.is_error
                took.append(time.perf_counter() - began)
                turn += 1

    async with anyio.create_task_group() as group:
        for who in range(count):
            group.start_soon(work, who)
    return took


def starts(home: Path, count: int) -> Took:
    """Seconds from starting ``commonplace mcp`` to its answer to ``initialize``, each time anew."""
    asked = {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "initialize",
        "params": {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "b", "version": "1"}},
    }
    command = [sys.executable, "-c", "from commonplace.interfaces.cli import main; main()", "mcp"]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL, "text": True}
    took = []
    for _ in range(count):
        began = time.perf_counter()
        with subprocess.Popen(command, env={**os.environ, "COMMONPLACE_HOME": str(home)}, **pipes) as running:
            print(json.dumps(asked), file=running.stdin, flush=True)
            assert "protocolVersion" in running.stdout.readline()
            took.append(time.perf_counter() - began)
            running.stdin.close()
    return took


def statement(interface: str, count: int, who: int, turn: int) -> str:
    return f"Through {interface} with {count} clients number {who} states fact {turn}"


def row(interface: str, verb: str, count: int, took: Took, seconds: float, library_p50: float | None) -> float:
    took.sort()

    def at(share: float) -> float:
        return took[min(len(took) - 1, int(len(took) * share))] * 1000

    p50 = at(0.5)
    ratio = "" if library_p50 is None else f"{p50 / library_p50:6.1f}×"
    times = " ".join(f"{one:9.2f}" for one in (p50, at(0.95), at(0.99)))
    print(f"{verb:9} {interface:8} {count:3} {len(took) / seconds:9.0f}/s {times} {ratio:>8}", flush=True)
    return p50


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=3.0)
    parser.add_argument("--memories", type=int, default=2000)
    parser.add_argument("--clients", default="1,2,8,32")
    parser.add_argument("--starts", type=int, default=7, help="how often an MCP server is started")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        with Commonplace.open(settings=Settings(home=home)) as book:
            book.remember_many(
                [f"Subject {n % 97} has property {n} and colour {n % 13}" for n in range(given.memories)]
            )
        print(f"{platform.platform()}, {os.cpu_count()} cores, {given.memories} memories, {given.seconds:g} s each")
        if given.starts:
            took = sorted(starts(home, given.starts))
            # Windows keeps no such figure
            load = f", load {os.getloadavg()[0]:.1f}" if hasattr(os, "getloadavg") else ""
            middle = took[len(took) // 2]
            print(f"mcp: start to initialize, best {took[0]:.2f} s, middle {middle:.2f} s of {len(took)}{load}")
        print("verb      door       n    requests    p50 ms    p95 ms    p99 ms  p50 ratio")
        with server(home) as (url, token, _):
            for verb in ("recall", "remember"):
                for count in (int(one) for one in given.clients.split(",")):
                    base = row("library", verb, count, library(home, verb, count, given.seconds), given.seconds, None)
                    row("rest", verb, count, rest(url, token, verb, count, given.seconds), given.seconds, base)
                    took = anyio.run(mcp, url, token, verb, count, given.seconds)
                    row("mcp", verb, count, took, given.seconds, base)


if __name__ == "__main__":
    main()
