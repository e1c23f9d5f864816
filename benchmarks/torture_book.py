"""python -m benchmarks.torture_book --rounds 200 --engine sqlite

Kills a process with SIGKILL while it remembers and observes through the book, round after round, and looks for every
memory that was acknowledged: there, whole, once, found by recall, in the audit. On PostgreSQL the server is killed too,
in every tenth round. Then a crowd of processes on one book, each remembering, observing and recalling. Exits with 1 if
a promise was broken.
"""

import argparse
import json
import multiprocessing
import os
import random
import signal
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from multiprocessing.connection import Connection
from pathlib import Path

from tests.torture_server import KillableServer, killable

from commonplace import Commonplace, Settings
from commonplace.errors import CommonplaceError

FORK = multiprocessing.get_context("fork" if hasattr(os, "fork") else "spawn")
LINGER = 0.06
"""Seconds a writer lives on at most after its first word."""
WARM = 3
"""Writes after which a process of the crowd has loaded what it loads once; then its time begins."""
ASKED = 5
"""Acknowledged memories a round that recall is asked for; every one is read."""


@dataclass(frozen=True)
class Place:
    url: str
    home: Path
    server: KillableServer | None = None

    def open(self) -> Commonplace:
        # Without vectors: what is proved is the writing, and a model would take most of a round to load.
        return Commonplace.open(self.url, settings=Settings(home=self.home, embedder="none"))


@dataclass
class Outcome:
    rounds: int = 0
    acknowledged: int = 0
    wrong: list[str] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    worst_wait: float = 0.0
    seconds: float = 0.0


def one_write(book: Commonplace, name: str, number: int) -> tuple[str, str]:
    """Remember, or observe every third time; the id and the text, known to the caller only once it is durable."""
    text = f"the {name} saw lantern{name}x{number} at the pier"
    kept = book.observe(text, session=name) if number % 3 == 2 else book.remember(text, tags=[name])
    assert kept.id is not None
    return kept.id, text


def _storm(place: Place, name: str, acks: Connection) -> None:
    book = place.open()
    number = 0
    while True:
        try:
            acks.send(one_write(book, name, number))
        except CommonplaceError as error:
            acks.send(str(error))
        number += 1


def kill_round(
    place: Place, name: str, chance: random.Random, outcome: Outcome, since: int, *, with_server: bool = False
) -> int:
    """One writer killed, or the server under it; the last line of the audit afterwards."""
    ours, theirs = FORK.Pipe(duplex=False)
    process = FORK.Process(target=_storm, args=(place, name, theirs))
    process.start()
    theirs.close()
    ours.poll(60)
    time.sleep(chance.random() * LINGER)
    if with_server and place.server:
        place.server.kill()
    os.kill(process.pid or 0, signal.SIGKILL)
    process.join()
    said = list(_drained(ours))
    acknowledged = dict(one for one in said if not isinstance(one, str))
    if with_server and place.server:
        place.server.start()
    else:
        outcome.errors += [one for one in said if isinstance(one, str)]
    with place.open() as book:
        outcome.wrong += problems(book, acknowledged, chance, since=since)
        lines = book.audit.list(after=since, limit=100_000)
    outcome.rounds += 1
    outcome.acknowledged += len(acknowledged)
    return lines[-1].sequence if lines else since


def _drained(pipe: Connection) -> Iterator[tuple[str, str] | str]:
    try:
        while pipe.poll():
            yield pipe.recv()
    except (EOFError, OSError):
        return


def _audited(book: Commonplace, since: int) -> set[str]:
    found: set[str] = set()
    while page := book.audit.list(after=since, limit=1000):
        found.update(line.target for line in page)
        since = page[-1].sequence
    return found


def problems(book: Commonplace, acknowledged: dict[str, str], chance: random.Random, *, since: int = 0) -> list[str]:
    """What is missing, changed or not found of what was acknowledged after a line of the audit."""
    found = []
    audited = _audited(book, since)
    for id, text in acknowledged.items():
        try:
            kept = book.get(id).text
        except CommonplaceError:
            found.append(f"lost: {id}")
            continue
        if kept != text:
            found.append(f"changed: {id}")
        if id not in audited:
            found.append(f"not in the audit: {id}")
    sample = chance.sample(sorted(acknowledged), min(ASKED, len(acknowledged)))
    return found + [f"not found: {id}" for id in sample if not finds(book, acknowledged[id])]


def finds(book: Commonplace, text: str) -> bool:
    """Whether the first hits say it: the memory itself, or a conclusion in the same words, which recall puts first."""
    lantern = text.split()[3]
    return any(lantern in hit.memory.text.split() for hit in book.recall(lantern, limit=3))


def whole(book: Commonplace) -> list[str]:
    """What is wrong with the book as a whole: doubled memories, the audit's chain, indexes out of step."""
    found, after = [], None
    texts: Counter[str] = Counter()
    while page := book.browse(after=after, limit=1000, newest=False, statuses=("verified", "candidate")):
        texts.update(one.text for one in page if "lantern" in one.text)
        after = page[-1].id
    found += [f"{times} times: {text}" for text, times in texts.items() if times > 1]
    if problem := book.audit.verify().problem:
        found.append(f"audit: {problem}")
    found += [one.what for one in book.doctor(full=True).symptoms if one.grade != "warning"]
    return found


def _guest(place: Place, name: str, seconds: float, results: Connection) -> None:
    written: dict[str, str] = {}
    worst, errors, number = 0.0, [], 0
    with place.open() as book:
        until = time.monotonic() + seconds
        while number <= WARM or time.monotonic() < until:
            began = time.monotonic()
            if number == WARM:
                until, worst = began + seconds, 0.0
            try:
                id, text = one_write(book, name, number)
                worst = max(worst, time.monotonic() - began)
                written[id] = text
                if not finds(book, text):
                    errors.append(f"{name} does not find what it wrote")
            except CommonplaceError as error:
                errors.append(str(error))
            number += 1
    results.send((written, worst, errors))


def crowd(place: Place, *, processes: int, seconds: float) -> Outcome:
    outcome, running = Outcome(), []
    began = time.monotonic()
    for number in range(processes):
        ours, theirs = FORK.Pipe(duplex=False)
        process = FORK.Process(target=_guest, args=(place, f"g{number:02}", seconds, theirs))
        process.start()
        running.append((process, ours))
    acknowledged: dict[str, str] = {}
    for process, ours in running:
        written, worst, errors = ours.recv()
        process.join()
        acknowledged |= written
        outcome.errors += errors
        outcome.worst_wait = max(outcome.worst_wait, round(worst, 3))
    with place.open() as book:
        outcome.wrong += problems(book, acknowledged, random.Random(1)) + whole(book)
    outcome.acknowledged = len(acknowledged)
    outcome.seconds = round(time.monotonic() - began, 1)
    return outcome


def killed(place: Place, *, rounds: int, chance: random.Random, progress: bool = False) -> Outcome:
    outcome, began = Outcome(), time.monotonic()
    with place.open() as book:
        book.remember("the pier is old")
        book.observe("the pier is very old indeed")
        since = book.audit.verify().lines
    for number in range(rounds):
        since = kill_round(place, f"r{number:05}", chance, outcome, since, with_server=number % 10 == 9)
        if progress and number % 50 == 49:
            print(f"round {number + 1}: {outcome.acknowledged} acknowledged", file=sys.stderr)
    with place.open() as book:
        outcome.wrong += whole(book)
    outcome.seconds = round(time.monotonic() - began, 1)
    return outcome


@contextmanager
def books(engine: str) -> Iterator[tuple[Place, Place]]:
    """A book to kill in, and one for the crowd."""
    with tempfile.TemporaryDirectory() as folder, killable(engine, Path(folder)) as server:
        one, two = Path(folder) / "one", Path(folder) / "two"
        if server is not None:
            yield Place(server.url, one, server), Place(server.url, one)
        else:
            yield Place(f"sqlite:///{one}/book.db", one), Place(f"sqlite:///{two}/book.db", two)


def main() -> int:
    parser = argparse.ArgumentParser(prog="benchmarks.torture_book")
    parser.add_argument("--engine", choices=["sqlite", "postgres"], default="sqlite")
    parser.add_argument("--rounds", type=int, default=200)
    parser.add_argument("--crowd", type=int, default=16, help="processes of the crowd; 0 for none")
    parser.add_argument("--seconds", type=float, default=20.0)
    parser.add_argument("--seed", type=int, default=random.randrange(2**32))
    parser.add_argument("--progress", action="store_true")
    asked = parser.parse_args()
    report: dict[str, object] = {"engine": asked.engine, "seed": asked.seed}
    with books(asked.engine) as (first, second):
        made = [killed(first, rounds=asked.rounds, chance=random.Random(asked.seed), progress=asked.progress)]
        report["killed"] = asdict(made[0])
        if asked.crowd:
            made.append(crowd(second, processes=asked.crowd, seconds=asked.seconds))
            report["crowd"] = {"processes": asked.crowd, **asdict(made[1])}
    print(json.dumps(report, indent=1))
    return 1 if any(one.wrong or one.errors for one in made) else 0


if __name__ == "__main__":
    sys.exit(main())
