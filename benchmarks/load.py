"""Clients of one store: what every program that ``benchmarks/postgres.py`` starts has in common.

A program fills the store, or stands ready with some threads; on each line it reads (``remember 5 0``, ``recall 0 300``)
all of its threads do that for so many seconds, or so often, each time for an owner drawn at random, and it answers with
a line of JSON.
"""

import json
import math
import random
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from itertools import count
from typing import Any

from benchmarks.corpus import questions, texts

TEXTS = 400


@dataclass(frozen=True, slots=True)
class Sample:
    """A store under load; ``owner`` names whose memories are meant."""

    fill: Callable[[str, list[str]], object]
    add: Callable[[str, str], object]
    search: Callable[[str, str], object]
    fill_personal: Callable[[str, list[str]], object] | None = None


def named(owner: int) -> str:
    return f"owner-{owner:06}"


def serve(sample: Sample, arguments: list[str]) -> None:
    """``make``, ``fill FIRST LAST MEMORIES`` or ``clients FIRST LAST THREADS SEED``: owners FIRST to LAST - 1.

    ``fill-personal`` is as ``fill``, with other texts, where a store keeps apart what is about the person.
    """
    if arguments[0] == "make":  # the program has opened the store
        return
    action, first, last, *numbers = arguments
    owners = range(int(first), int(last))
    if action == "fill":
        for owner in owners:
            sample.fill(named(owner), list(texts(int(numbers[0]), seed=1000 + owner)))
        return
    if action == "fill-personal":
        assert sample.fill_personal is not None
        for owner in owners:
            sample.fill_personal(named(owner), list(texts(int(numbers[0]), seed=3_000_000 + owner)))
        return
    threads, seed = map(int, numbers)
    _warm_up(sample, owners)
    print("ready", flush=True)
    for line in sys.stdin:
        verb, seconds, calls = line.split()
        print(json.dumps(_together(sample, verb, owners, threads, seed, float(seconds), int(calls))), flush=True)


def _warm_up(sample: Sample, owners: range) -> None:
    """Imports and the embedder's tables are loaded once in a process and are not measured."""
    for question in questions(5, seed=9):
        sample.search(named(random.choice(owners)), question)


def _together(
    sample: Sample, verb: str, owners: range, threads: int, seed: int, seconds: float, calls: int
) -> dict[str, Any]:
    durations: list[float] = []
    faults: list[str] = []
    call = sample.add if verb == "remember" else sample.search
    # Made before the clock runs: that is our work, not the store's.
    words = list(texts(TEXTS, seed=500 + seed)) if verb == "remember" else questions(TEXTS, seed=500 + seed)
    run = f"{seed} {time.time_ns()}"

    def client(number: int) -> None:
        chance = random.Random(f"{verb} {run} {number}")
        for step in range(calls) if calls else count():
            started = time.perf_counter()
            if started > until:
                return
            owner, text = named(chance.choice(owners)), chance.choice(words)
            if verb == "remember":
                text = f"{text} {run} {number} {step}"
            try:
                call(owner, text)
            except Exception as fault:  # noqa: BLE001  # whatever a store of others raises under load is a result
                faults.append(f"{type(fault).__name__}: {fault}"[:120])
                continue
            durations.append((time.perf_counter() - started) * 1000)

    started, used = time.perf_counter(), time.process_time()
    until = math.inf if calls else started + seconds
    running = [threading.Thread(target=client, args=(number,)) for number in range(threads)]
    for thread in running:
        thread.start()
    for thread in running:
        thread.join()
    milliseconds = [round(duration, 3) for duration in durations]
    processor = time.process_time() - used
    return {
        "milliseconds": milliseconds,
        "seconds": time.perf_counter() - started,
        "processor": processor,
        "faults": faults,
    }
