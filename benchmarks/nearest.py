"""What PostgreSQL's index of vectors finds, beside the exact scan: ``python benchmarks/nearest.py``.

Sentences of the documentation of the Python packages that are installed here, as static-256 vectors of one owner,
rotated and rounded as a book stores them; questions are sentences that were held out. Then a whole book of the same
sentences, asked with filters: a page from the index must be as long as one from the exact scan. Ends with 1 where less
than 97 of 100 of the ten nearest are found, or a page is shorter.
"""

import argparse
import ast
import random
import re
import sys
import sysconfig
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

sys.path[:0] = ["."]

from benchmarks.postgres import address, database, server, settle  # noqa: E402
from tests.conformance.store.build import HOME, home  # noqa: E402

from commonplace import Commonplace, Settings  # noqa: E402
from commonplace.store.postgres import vectors  # noqa: E402
from commonplace.store.rows import VectorRow  # noqa: E402
from commonplace.store.statements import sql  # noqa: E402

WANTED, PAGE, ASKED, PAGES = 0.97, 10, 300, 60
SENTENCE = re.compile(r"[A-Z][^.!?\n]*(?:\n[^.!?\n]+)*[.!?]")
TAGS = ("work", "home", "travel", "health")
RARE = "rare"
FILTERS: dict[str, dict[str, Any]] = {
    "none": {},
    "one tag of four": {"tags": [TAGS[0]]},
    "a tag of one in a thousand": {"tags": [RARE]},
    "a category": {"categories": ["fact"]},
    "a kind": {"kinds": ["episodic"]},
    "a namespace": {},
}


def sentences(count: int) -> list[str]:
    """Real prose, in an order of its own that is the same every time."""
    found: dict[str, None] = {}
    for name in ("stdlib", "purelib"):
        for file in sorted(Path(sysconfig.get_paths()[name]).rglob("*.py")):
            for text in docstrings(file):
                for one in SENTENCE.findall(text):
                    said = " ".join(one.split())
                    if 6 <= len(said.split()) <= 40 and said.isprintable():
                        found[said] = None
            if len(found) > 2 * count:
                break
    if len(found) < count:
        sys.exit(f"only {len(found)} sentences are in the packages installed here")
    mixed = list(found)
    random.Random(5).shuffle(mixed)
    return mixed[:count]


def docstrings(file: Path) -> Iterator[str]:
    try:
        tree = ast.parse(file.read_text("utf-8"))
    except (SyntaxError, UnicodeDecodeError, ValueError):
        return
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            yield ast.get_docstring(node) or ""


@dataclass(frozen=True, slots=True)
class Found:
    rows: int
    limit: int
    recall: float
    shortest: int
    index_ms: float
    exact_ms: float


def timed(act: Callable[[], Any]) -> tuple[Any, float]:
    started = time.perf_counter()
    answer = act()
    return answer, (time.perf_counter() - started) * 1000


def near(book: Commonplace, rows: Sequence[bytes], questions: Sequence[str], limit: int) -> Found:
    """The vectors alone, from the index and by an exact scan of our own."""
    encoder = book._parts.encoder(book._scope.vault)
    matrix = np.frombuffer(b"".join(rows), np.int8).reshape(len(rows), -1).astype(np.int32)
    right = found = 0
    shortest, took, exact_took = limit, [], []
    with book._scope.store.read("me") as tx:
        for text in questions:
            asked = encoder.question(text)
            answer, ms = timed(lambda: tx.vectors.nearest(HOME, encoder.model, asked.tobytes(), limit=limit))  # noqa: B023
            products = matrix @ asked.astype(np.int32)
            worst = np.sort(products)[-limit]
            shortest = min(shortest, len(answer))
            right += sum(product >= worst for _, product in answer[:limit])
            found += limit
            took.append(ms)
            named = {"namespace": HOME, "model": encoder.model, "limit": limit}
            question = vectors.HalfVectors().write(asked.tobytes())
            scan = partial(tx._db.run_planned, sql("postgres", "nearest"), question=question, **named)
            exact_took.append(timed(scan)[1])
    middle = len(took) // 2
    return Found(len(rows), limit, right / found, shortest, sorted(took)[middle], sorted(exact_took)[middle])


def grown(book: Commonplace, rows: Sequence[bytes], start: int) -> float:
    """Put the rows from ``start`` on and into the index; milliseconds a row for the index."""
    encoder = book._parts.encoder(book._scope.vault)
    for first in range(start, len(rows), 2_000):
        some = rows[first : first + 2_000]
        with book._scope.store.write("me") as tx:
            if not first:
                home(tx)
            numbered = enumerate(some, first + 1)
            tx.vectors.put(HOME, encoder.model, [VectorRow(doc=doc, part=0, data=row) for doc, row in numbered])
    started, many = time.perf_counter(), 0
    while True:
        with book._scope.store.write("me") as tx:
            some_marked = tx.vectors.index(HOME, encoder.model, limit=2_000)
        if not some_marked:
            return (time.perf_counter() - started) * 1000 / max(many, 1)
        many += some_marked


def filled(book: Commonplace, texts: Sequence[str]) -> None:
    for first in range(0, len(texts), 500):
        book.remember_many(
            [
                {
                    "text": text,
                    "category": "fact" if place % 3 else "preference",
                    "tags": [TAGS[place % 4], *([RARE] if place % 1000 == 7 else [])],
                }
                for place, text in enumerate(texts[first : first + 500], first)
            ]
        )
    book.observe([{"role": "user", "text": text} for text in texts[:200]])
    book.maintain()


def filters(book: Commonplace, questions: Sequence[str]) -> Iterator[tuple[str, int, int, float]]:
    """For each filter: how many pages, how many of them shorter than the exact scan's, and how much they share."""
    places = {"a namespace": book.within("small")}
    places["a namespace"].remember_many(questions[:40])
    exact = vectors.EXACT
    for name, fields in FILTERS.items():
        at, shorter, shared, every = places.get(name, book), 0, 0, 0
        for text in questions[:PAGES]:
            one = {hit.memory.id for hit in at.recall(text, limit=PAGE, **fields)}
            vectors.EXACT = sys.maxsize
            other = {hit.memory.id for hit in at.recall(text, limit=PAGE, **fields)}
            vectors.EXACT = exact
            shorter += len(one) < len(other)
            shared += len(one & other)
            every += len(other)
        yield name, PAGES, shorter, shared / max(every, 1)


def measured(admin: str, sizes: Sequence[int], memories: int) -> tuple[list[str], bool]:
    texts = sentences(max([*sizes, memories]) + ASKED)
    questions, texts = texts[:ASKED], texts[ASKED:]
    lines = ["| vectors of one owner | asked for | recall | shortest page | index | exact scan | made, a row |"]
    lines += ["|---|---|---|---|---|---|---|"]
    good = True
    with tempfile.TemporaryDirectory() as folder:
        settings = Settings(home=Path(folder))
        with Commonplace.open(database(admin, "bench_nearest"), settings=settings) as book:
            rows: list[bytes] = []
            for size in sizes:
                before = len(rows)
                rows += book._parts.encoder(book._scope.vault).encode(texts[before:size])
                each = grown(book, rows, before)
                settle(address(admin, "bench_nearest"))
                for limit in (PAGE, 50):
                    one = near(book, rows, questions, limit)
                    good &= one.shortest == limit and one.recall >= WANTED
                    lines.append(
                        f"| {size:,} | {limit} | {one.recall:.4f} | {one.shortest} | {one.index_ms:.1f} ms "
                        f"| {one.exact_ms:.1f} ms | {each:.2f} ms |"
                    )
                    print(lines[-1], file=sys.stderr)
        lines += ["", "| filter | pages | shorter than exact | shared with exact |", "|---|---|---|---|"]
        with Commonplace.open(database(admin, "bench_filters"), settings=settings) as book:
            filled(book, texts[:memories])
            for name, pages, shorter, shared in filters(book, questions):
                good &= not shorter
                lines.append(f"| {name} | {pages} | {shorter} | {shared:.3f} |")
                print(lines[-1], file=sys.stderr)
    return lines, good


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sizes", type=int, nargs="*", default=[20_000, 50_000])
    parser.add_argument("--memories", type=int, default=12_000, help="of the book that is asked with filters")
    parser.add_argument("--write", type=Path, default=Path("benchmarks/results/nearest.md"))
    given = parser.parse_args()
    with server() as admin:
        lines, good = measured(admin, given.sizes, given.memories)
    text = "# What the index of vectors finds\n\n`python benchmarks/nearest.py`: static-256 vectors, beside exact\n\n"
    text += "\n".join(lines) + f"\n\nThe second table: recall on a book of {given.memories:,} memories, ten a page.\n"
    print(text)
    given.write.write_text(text)
    sys.exit(0 if good else "the index finds too little, or a page came out short")


if __name__ == "__main__":
    main()
