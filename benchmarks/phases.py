"""Where the processor's time goes: ``python benchmarks/phases.py --size 3000``, or ``--search`` for questions.

Each phase is counted without the phases inside it; of several batches, or of all questions, the median.
"""

import argparse
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from functools import wraps
from itertools import islice
from pathlib import Path
from typing import Any

sys.path[:0] = ["."]

from benchmarks.corpus import questions, texts  # noqa: E402
from benchmarks.timing import WARMING  # noqa: E402

from commonplace import Commonplace, Settings  # noqa: E402
from commonplace.memories import gateway, indexing, unit_of_work  # noqa: E402
from commonplace.retrieval import candidates, coarse, encoder, lexical, memory_cache, pipeline, source  # noqa: E402
from commonplace.store.tables import account, memory, postings, record, vector, version, word  # noqa: E402

BATCH = 1000
WRITING = (
    (Commonplace, "remember_many", "commit, and all between the phases"),
    (indexing, "precompute", "vectors (static-256)"),
    (gateway.Gateway, "_conflicts", "statements read for what they contradict, by rules"),
    (gateway.ExistingValues, "look_up", "values looked up: known, forgotten"),
    (gateway.Gateway, "_admit", "decided, row and content made"),
    (gateway.admission, "admit", "checked, secrets redacted"),
    (unit_of_work.Work, "_write_new", "versions, sealing, digests"),
    (unit_of_work.Work, "_close_audit", "audit chain"),
    (unit_of_work.Work, "_receipt_row", "receipt"),
    (indexing, "index", "terms of the texts, blinded"),
    (word.WordTable, "_merge", "last blocks of the terms read"),
    (word.WordTable, "_replace", "blocks written"),
    (postings.Columns, "by_term", "postings packed"),
    (memory.MemoryTable, "put_many", "rows of memories written"),
    (version.VersionTable, "put_many", "rows of versions written"),
    (record.AuditTable, "append", "rows of the audit written"),
    (vector.VectorTable, "put", "vectors written"),
    (account.ChangeTable, "record", "rows of the change table written"),
)
SEARCHING = (
    (Commonplace, "recall", "all between the phases"),
    (source.Source, "__post_init__", "book opened"),
    (source.Source, "read_question", "question read"),
    (encoder.RotatedEncoder, "row", "question embedded"),
    (encoder.RotatedEncoder, "rotated", "question rotated"),
    (pipeline, "_lists", "lists joined"),
    (candidates, "_nearest", "first look by signs, or scan"),
    (coarse, "_fewest", "likely rows chosen"),
    (candidates.Listing, "meaning", "cosines of the others"),
    (lexical, "score", "lexical scores"),
    (lexical, "at", "lexical scores of the others"),
    (word.WordTable, "fetch", "postings read"),
    (memory.MemoryTable, "tied", "rows of memories read"),
    (memory_cache, "_read", "memories opened"),
    (pipeline, "score", "ranked"),
    (pipeline, "spread", "spread over sources"),
    (pipeline.Recall, "_hits", "hits made"),
)


class Stopwatch:
    """Counts the processor's time of phases, each without those inside it."""

    def __init__(self) -> None:
        self.spent: Counter[str] = Counter()
        self._inside: list[float] = []

    def around(self, owner: Any, name: str, label: str) -> None:
        timed: Callable[..., Any] = getattr(owner, name)

        @wraps(timed)
        def counted(*arguments: Any, **named: Any) -> Any:
            started = time.process_time()
            self._inside.append(0.0)
            try:
                return timed(*arguments, **named)
            finally:
                took = time.process_time() - started
                self.spent[label] += took - self._inside.pop()
                if self._inside:
                    self._inside[-1] += took

        static = isinstance(vars(owner).get(name), staticmethod | classmethod)
        setattr(owner, name, staticmethod(counted) if static else counted)

    def lap(self) -> dict[str, float]:
        lap, self.spent = dict(self.spent), Counter()
        return lap | {"all": sum(lap.values())}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--size", type=int, default=3_000, help="memories in the book before anything is measured")
    parser.add_argument("--search", action="store_true")
    parser.add_argument("--rounds", type=int, help="batches (default 5), or questions (default 200)")
    options = parser.parse_args()
    watch = Stopwatch()
    with tempfile.TemporaryDirectory() as folder:
        settings = Settings(home=Path(folder), late_interaction="off", judge="off")
        with Commonplace.open(f"sqlite:///{folder}/book.db", settings=settings) as book:
            rounds = options.rounds or (200 if options.search else 5)
            made = texts(options.size + BATCH * rounds)
            for _ in range(options.size // BATCH):
                book.remember_many(list(islice(made, BATCH)))
            for phase in SEARCHING if options.search else WRITING:
                watch.around(*phase)
            laps = _searched(book, watch, rounds) if options.search else _written(book, watch, made, rounds)
    labels = {label for lap in laps for label in lap}
    medians = {label: sorted(lap.get(label, 0.0) for lap in laps)[len(laps) // 2] * 1e6 for label in labels}
    print("| phase | microseconds |\n|---|---|")
    print("\n".join(f"| {label} | {medians[label]:.0f} |" for label in sorted(labels, key=lambda name: -medians[name])))


def _searched(book: Commonplace, watch: Stopwatch, rounds: int) -> list[dict[str, float]]:
    for question in questions(WARMING, seed=9):
        book.recall(question)
    watch.lap()
    laps = []
    for question in questions(rounds):
        book.recall(question)
        laps.append(watch.lap())
    return laps


def _written(book: Commonplace, watch: Stopwatch, made: Any, rounds: int) -> list[dict[str, float]]:
    laps = []
    for _ in range(rounds):
        batch = list(islice(made, BATCH))
        watch.lap()
        book.remember_many(batch)
        laps.append({label: took / BATCH for label, took in watch.lap().items()})
    return laps


if __name__ == "__main__":
    main()
