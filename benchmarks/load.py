"""Clients of one store: what every program that ``benchmarks/postgres.py`` starts has in common.

A program fills the store, or stands ready with some threads; on each line it reads (``remember 5``, ``recall 5``) all
of its threads do that for so many seconds, each time for an owner drawn at random, and it answers with a line of JSON.
"""

import json
import random
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from itertools import count
from typing import Any

from benchmarks.corpus import questions, texts

ASKED = 400


@dataclass(frozen=True, slots=True)
class Shelf:
    """A store under load; ``owner`` names whose memories are meant."""

    fill: Callable[[str, list[str]], object]
    add: Callable[[str, str], object]
    search: Callable[[str, str], object]


def named(owner: int) -> str:
    return f"owner-{owner:06}"


def serve(shelf: Shelf, arguments: list[str]) -> None:
    """``make OWNERS``, ``fill OWNERS MEMORIES`` or ``clients OWNERS THREADS SEED``."""
    what, owners, *rest = arguments
    if what == "make":  # opening it did
        return
    if what == "fill":
        _fill(shelf, int(owners), int(rest[0]))
        return
    threads, seed = int(rest[0]), int(rest[1])
    _warm_up(shelf, int(owners))
    print("ready", flush=True)
    for line in sys.stdin:
        verb, seconds = line.split()
        print(json.dumps(_together(shelf, verb, int(owners), threads, seed, float(seconds))), flush=True)


def _fill(shelf: Shelf, owners: int, memories: int) -> None:
    for owner in range(owners):
        shelf.fill(named(owner), list(texts(memories, seed=1000 + owner)))


def _warm_up(shelf: Shelf, owners: int) -> None:
    """What a process does once, imports and the embedder's tables, is not what is measured."""
    for question in questions(5, seed=9):
        shelf.search(named(random.randrange(owners)), question)


def _together(shelf: Shelf, verb: str, owners: int, threads: int, seed: int, seconds: float) -> dict[str, Any]:
    took: list[float] = []
    faults: list[str] = []
    call = shelf.add if verb == "remember" else shelf.search
    words = _words(verb, seed)

    def client(number: int) -> None:
        chance = random.Random(f"{verb} {seed} {number}")
        for turn in count():
            started = time.perf_counter()
            if started > until:
                return
            owner, text = named(chance.randrange(owners)), chance.choice(words)
            if verb == "remember":
                text = f"{text} {seed} {number} {turn}"
            try:
                call(owner, text)
            except Exception as fault:  # noqa: BLE001  # whatever a store of others raises under load is a result
                faults.append(f"{type(fault).__name__}: {fault}"[:120])
                continue
            took.append((time.perf_counter() - started) * 1000)

    started = time.perf_counter()
    until = started + seconds
    running = [threading.Thread(target=client, args=(number,)) for number in range(threads)]
    for thread in running:
        thread.start()
    for thread in running:
        thread.join()
    return {"took": [round(one, 3) for one in took], "seconds": time.perf_counter() - started, "faults": faults}


def _words(verb: str, seed: int) -> list[str]:
    """Made before the clock runs: that is our work, not the store's."""
    return list(texts(ASKED, seed=500 + seed)) if verb == "remember" else questions(ASKED, seed=500 + seed)
