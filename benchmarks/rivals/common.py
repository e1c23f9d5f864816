"""What every rival's program shares: the same texts, the same vectors, the same questions, one JSON line at the end.

Run inside the rival's own environment, with our ``src`` on the path for the embedder alone.
"""

import json
import sys
import time
from collections.abc import Callable, Sequence

sys.path[:0] = ["src", "."]

from benchmarks.corpus import questions, texts  # noqa: E402
from benchmarks.timing import milliseconds, resident_megabytes  # noqa: E402

from commonplace.providers.embed.static import StaticEmbedder  # noqa: E402

BATCH = 1000
EMBEDDER = StaticEmbedder()


def embed(given: Sequence[str]) -> list[list[float]]:
    rows: list[list[float]] = EMBEDDER.embed(list(given)).tolist()
    return rows


def run(add_many: Callable[[list[str]], object], add: Callable[[str], object], search: Callable[[str], object]) -> None:
    """Measure one rival; sizes and counts come from the command line."""
    size, asked = int(sys.argv[1]), int(sys.argv[2])
    corpus = list(texts(size))
    started = time.perf_counter()
    for start in range(0, size, BATCH):
        add_many(corpus[start : start + BATCH])
    bulk = size / (time.perf_counter() - started)
    for question in questions(3, seed=9):
        search(question)
    found = {
        "bulk_per_second": round(bulk),
        "add": milliseconds(add, texts(min(asked, 100), seed=5)),
        "search": milliseconds(search, questions(asked)),
        "megabytes": resident_megabytes(),
    }
    print(json.dumps(found))
