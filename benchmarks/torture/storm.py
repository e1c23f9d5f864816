"""Writers in processes of their own, killed at random points; and many of them left alone."""

import multiprocessing
import os
import random
import signal
import time
from dataclasses import dataclass, field
from multiprocessing.connection import Connection, wait

from benchmarks.torture.server import KillableServer
from benchmarks.torture.writing import begin, problems, write_one

from commonplace.errors import StoreError
from commonplace.store.open import open_store

FORK = multiprocessing.get_context("fork" if hasattr(os, "fork") else "spawn")


@dataclass
class Outcome:
    """What a run saw: rows acknowledged, what was wrong, and the longest a writer waited."""

    acknowledged: int = 0
    wrong: list[str] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    worst_wait: float = 0.0
    seconds: float = 0.0


def _storm(url: str, owner: str, name: str, acks: Connection) -> None:
    """Write until killed; say each id only after its transaction has ended."""
    store = open_store(url)
    number = 0
    while True:
        id = f"{name}-{number:06}"
        try:
            write_one(store, owner, id)
        except StoreError as error:
            acks.send(error)
        else:
            acks.send(id)
        number += 1


def kill_round(
    url: str, owner: str, *, writers: int, chance: random.Random, linger: float, server: KillableServer | None = None
) -> Outcome:
    """Start writers, kill each at its own random moment, then look for every acknowledged row.

    With a ``server`` it is killed first, under the writers, and started again before we look.
    """
    outcome = Outcome()
    started = time.monotonic()
    store = open_store(url)
    begin(store, owner)
    store.close()
    running = []
    for number in range(writers):
        ours, theirs = FORK.Pipe(duplex=False)
        process = FORK.Process(target=_storm, args=(url, owner, f"w{number}", theirs))
        process.start()
        theirs.close()
        running.append((process, ours))
    _first_words([ours for _, ours in running])
    if server:
        time.sleep(chance.random() * linger)
        server.kill()
    for process, _ in running:
        time.sleep(chance.random() * linger)
        os.kill(process.pid or 0, signal.SIGKILL)
    said = [one for process, ours in running for one in _drained(process, ours)]
    acknowledged = {one for one in said if isinstance(one, str)}
    if server:
        server.start()
    else:
        outcome.errors = [str(one) for one in said if not isinstance(one, str)]
    store = open_store(url)
    outcome.wrong = problems(store, owner, acknowledged)
    store.close()
    outcome.acknowledged = len(acknowledged)
    outcome.seconds = time.monotonic() - started
    return outcome


def _first_words(pipes: list[Connection]) -> None:
    """Wait until one writer has acknowledged something, so that no round is killed before it began."""
    wait(pipes, timeout=30)


def _drained(process: multiprocessing.process.BaseProcess, pipe: Connection) -> list[str | StoreError]:
    process.join()
    said = []
    while True:
        try:
            if not pipe.poll():
                return said
            said.append(pipe.recv())
        except (EOFError, OSError):
            return said


def _guest(url: str, owner: str, name: str, seconds: float, results: Connection) -> None:
    """Write and read in turn; every read must see all that this guest has written."""
    store = open_store(url)
    written, worst, errors = [], 0.0, []
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        id = f"{name}-{len(written):06}"
        started = time.monotonic()
        try:
            write_one(store, owner, id)
            written.append(id)
            worst = max(worst, time.monotonic() - started)
            with store.read(owner) as tx:
                if len(tx.memories.get(written[-50:])) != len(written[-50:]):
                    errors.append(f"{name} cannot see its own writing")
        except StoreError as error:
            errors.append(str(error))
    store.close()
    results.send((written, worst, errors))


def crowd(url: str, *, processes: int, seconds: float) -> Outcome:
    """Many processes on one owner of one book."""
    owner = "crowd"
    store = open_store(url)
    begin(store, owner)
    store.close()
    running = []
    started = time.monotonic()
    for number in range(processes):
        ours, theirs = FORK.Pipe(duplex=False)
        process = FORK.Process(target=_guest, args=(url, owner, f"g{number:02}", seconds, theirs))
        process.start()
        running.append((process, ours))
    outcome = Outcome()
    acknowledged: set[str] = set()
    for process, ours in running:
        written, worst, errors = ours.recv()
        process.join()
        acknowledged.update(written)
        outcome.worst_wait = max(outcome.worst_wait, worst)
        outcome.errors += errors
    outcome.seconds = time.monotonic() - started
    store = open_store(url)
    outcome.wrong = problems(store, owner, acknowledged) + store.check()
    store.close()
    outcome.acknowledged = len(acknowledged)
    return outcome
