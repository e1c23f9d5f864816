"""The command line, MCP and REST from outside: cold starts, and one call at a time against a running server.

Milliseconds depend on the machine; a bare Python started in the same minutes stands beside them.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

PROGRAM = [str(Path(sys.executable).with_name("commonplace"))]
COMMANDS = {
    "bare python": [sys.executable, "-c", "pass"],
    "commonplace --help": [*PROGRAM, "--help"],
    "commonplace recall --help": [*PROGRAM, "recall", "--help"],
    "commonplace completion bash": [*PROGRAM, "completion", "bash"],
    "commonplace status": [*PROGRAM, "status"],
    "commonplace remember": [*PROGRAM, "remember", "the importer waits for ticket 7"],
    "commonplace recall": [*PROGRAM, "recall", "what waits for the night job?"],
}
HELLO = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "bench", "version": "1"}},
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--memories", type=int, default=1_000)
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--write", type=Path, default=Path("benchmarks/results/doors.md"))
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        environ = {**os.environ, "COMMONPLACE_HOME": folder, "COMMONPLACE_NAMESPACE": "bench"}
        lines = "\n".join(
            f"the importer of part {number} waits for ticket {number}" for number in range(given.memories)
        )
        subprocess.run([*PROGRAM, "remember", "--lines", "-"], input=lines, text=True, env=environ, check=True)
        rows = dict(cold(given.rounds, environ))
        rows["MCP: start to initialize"] = figures(lambda: mcp(environ), given.rounds)
        rows |= rest(given.rounds, Path(folder), environ)
    table = [f"| {name} | {p50:.1f} | {p95:.1f} |" for name, (p50, p95) in rows.items()]
    text = "\n".join(["| | p50 ms | p95 ms |", "|---|---|---|", *table])
    print(text)
    given.write.parent.mkdir(parents=True, exist_ok=True)
    given.write.write_text(f"# The doors\n\n`make bench-doors`, {given.memories:,} memories\n\n{text}\n", "utf-8")


def figures(call: Callable[[], object], rounds: int) -> tuple[float, float]:
    took = []
    for _ in range(rounds):
        started = time.perf_counter()
        call()
        took.append((time.perf_counter() - started) * 1000)
    return statistics.median(took), sorted(took)[int(len(took) * 0.95)]


def cold(rounds: int, environ: dict[str, str]) -> Iterator[tuple[str, tuple[float, float]]]:
    for name, words in COMMANDS.items():
        yield (
            name,
            figures(lambda words=words: subprocess.run(words, env=environ, capture_output=True, check=True), rounds),
        )


def mcp(environ: dict[str, str]) -> None:
    server = subprocess.Popen([*PROGRAM, "mcp"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environ)
    assert server.stdin is not None
    assert server.stdout is not None
    server.stdin.write(json.dumps(HELLO) + "\n")
    server.stdin.flush()
    assert "result" in server.stdout.readline()
    server.kill()
    server.communicate()


def rest(rounds: int, home: Path, environ: dict[str, str]) -> dict[str, tuple[float, float]]:
    with served(home, environ) as ask:
        return {
            "REST: remember": figures(
                lambda: ask("memories", {"text": f"part {time.monotonic_ns()} waits"}), rounds * 10
            ),
            "REST: recall": figures(lambda: ask("recall", {"query": "what waits for ticket 77?"}), rounds * 10),
        }


@contextmanager
def served(home: Path, environ: dict[str, str]) -> Iterator[Callable[[str, object], object]]:
    environ = {**environ, "COMMONPLACE_RATE_LIMIT": "0"}
    words = [*PROGRAM, "serve", "--port", "0"]
    server = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env=environ)
    assert server.stdout is not None
    address = server.stdout.readline().split()[-1]
    server.stdout.readline()
    token = (home / "server.token").read_text("utf-8").strip()

    def ask(path: str, body: object) -> object:
        headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
        asked = urllib.request.Request(f"{address}/v1/{path}", json.dumps(body).encode(), headers)
        with urllib.request.urlopen(asked, timeout=30) as answer:
            return json.load(answer)

    try:
        _wait(lambda: ask("recall", {"query": "warm"}))
        yield ask
    finally:
        server.terminate()
        server.communicate()


def _wait(call: Callable[[], object]) -> None:
    for _ in range(100):
        try:
            call()
        except urllib.error.URLError as fault:
            if not isinstance(fault.reason, ConnectionRefusedError):
                raise
            time.sleep(0.1)
        else:
            return
    raise TimeoutError("the server never listened")


if __name__ == "__main__":
    main()
