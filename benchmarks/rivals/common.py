"""What every rival's program shares: the same texts, the same vectors, the same questions, one JSON line at the end.

Run inside the rival's own environment, with our ``src`` on the path for the embedder alone.
"""

import json
import sys
import time
from collections.abc import Callable, Sequence
from itertools import islice

sys.path[:0] = ["src", "."]

from benchmarks.corpus import questions, texts  # noqa: E402
from benchmarks.timing import WARMING, milliseconds, resident_megabytes  # noqa: E402

from commonplace.providers.embed.static import StaticEmbedder  # noqa: E402

BATCH = 1000
EMBEDDER = StaticEmbedder()


def embed(given: Sequence[str]) -> list[list[float]]:
    rows: list[list[float]] = EMBEDDER.embed(list(given)).tolist()
    return rows


class EmbedderForMem0:
    """Ours, in the shape mem0 asks for."""

    def embed(self, text: str, memory_action: str | None = None) -> list[float]:
        return embed([text])[0]

    def embed_batch(self, texts: list[str], memory_action: str | None = None) -> list[list[float]]:
        return embed(texts)


def run(
    add_many: Callable[[list[str]], object],
    add: Callable[[str], object] | None,
    search: Callable[[str], object],
    *,
    nearest: Callable[[str], list[int]] | None = None,
    held: int = 0,
) -> None:
    """Measure one rival, which has so many already; sizes and counts come from the command line.

    Where nothing is asked, it is only filled. ``nearest`` tells the numbers of the texts that it takes for the ten
    nearest.
    """
    size, asked = int(sys.argv[1]), int(sys.argv[2])
    found: dict[str, object] = _fill(add_many, size, held)
    if asked:
        for question in questions(WARMING, seed=9):
            search(question)
        found |= {
            "search": milliseconds(search, questions(asked)),
            "nearest": [nearest(question) for question in questions(asked)] if nearest else None,
            "add": milliseconds(add, texts(min(asked, 100), seed=5)) if add else None,
            "megabytes": resident_megabytes(),
        }
    print(json.dumps(found))


def _fill(add_many: Callable[[list[str]], object], size: int, held: int) -> dict[str, object]:
    rest = list(islice(texts(size), held, None)) if held < size else []
    started, started_work = time.perf_counter(), time.process_time()
    for start in range(0, len(rest), BATCH):
        add_many(rest[start : start + BATCH])
    took, worked = time.perf_counter() - started, time.process_time() - started_work
    return {"bulk_per_second": round(len(rest) / took), "bulk_per_processor_second": round(len(rest) / worked)}
