"""python -m benchmarks.torture --rounds 200 --engine sqlite

Kills writers with SIGKILL in the middle of their storm, round after round, and looks for every row that was
acknowledged. On PostgreSQL the server itself is killed under the writers in every tenth round. Then a crowd on one
book. Exits with 1 if anything was lost, doubled or half there.
"""

import argparse
import json
import random
import sys
import tempfile
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from benchmarks.torture.server import KillableServer
from benchmarks.torture.storm import Outcome, crowd, kill_round

LINGER = {"sqlite": 0.03, "postgres": 0.1}
"""Seconds a writer lives on at most, after the first word: some dozens of commits."""


def main() -> int:
    asked = _arguments()
    chance = random.Random(asked.seed)
    with _book(asked.engine, asked.url) as (url, server):
        total = Outcome()
        for number in range(asked.rounds):
            one = kill_round(
                url,
                f"o-{uuid.uuid4().hex}",
                writers=asked.writers,
                chance=chance,
                linger=LINGER[asked.engine],
                server=server if number % 10 == 9 else None,
            )
            _add(total, one)
            if asked.progress and number % 20 == 19:
                print(f"round {number + 1}: {total.acknowledged} acknowledged", file=sys.stderr)
        report: dict[str, object] = {"engine": asked.engine, "rounds": asked.rounds, "killed": _shown(total)}
        wrong = total.wrong + total.errors
        if asked.crowd:
            guests = crowd(url, processes=asked.crowd, seconds=asked.seconds)
            wrong += guests.wrong + guests.errors
            report["crowd"] = {"processes": asked.crowd, **_shown(guests)}
    print(json.dumps(report, indent=1))
    return 1 if wrong else 0


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="benchmarks.torture")
    parser.add_argument("--engine", choices=["sqlite", "postgres"], default="sqlite")
    parser.add_argument("--url", help="a book of your own; without it a temporary one")
    parser.add_argument("--rounds", type=int, default=200)
    parser.add_argument("--writers", type=int, default=3)
    parser.add_argument("--crowd", type=int, default=16, help="processes of the crowd; 0 for none")
    parser.add_argument("--seconds", type=float, default=20.0)
    parser.add_argument("--seed", type=int, default=random.randrange(2**32))
    parser.add_argument("--progress", action="store_true")
    return parser.parse_args()


@contextmanager
def _book(engine: str, url: str | None) -> Iterator[tuple[str, KillableServer | None]]:
    if url:
        yield url, None
        return
    with tempfile.TemporaryDirectory() as folder:
        if engine == "sqlite":
            yield str(Path(folder) / "book.db"), None
            return
        server = KillableServer(Path(folder) / "server")
        server.start()
        try:
            yield server.url, server
        finally:
            server.stop()


def _add(total: Outcome, one: Outcome) -> None:
    total.acknowledged += one.acknowledged
    total.wrong += one.wrong
    total.errors += one.errors
    total.seconds += one.seconds


def _shown(outcome: Outcome) -> dict[str, object]:
    return {
        "acknowledged": outcome.acknowledged,
        "wrong": outcome.wrong[:20],
        "errors": outcome.errors[:20],
        "worst_wait_seconds": round(outcome.worst_wait, 3),
        "seconds": round(outcome.seconds, 1),
    }


if __name__ == "__main__":
    sys.exit(main())
