"""What the first look at signs finds of the nearest vectors, beside an exact scan: ``python benchmarks/first_look.py``.

Two kinds of texts as static-256 vectors, rotated and rounded as a book stores them: made-up ones with the word
frequencies of real ones, and one to three sentences together of the documentation of the Python packages that are
installed here. Questions are made-up ones of six words, and sentences that were held out. Ends with 1 where less than
97 of 100 of the ten nearest are found.

``--exact SIZE QUESTIONS [FOLDER]`` prints the ten nearest of the made-up texts by an exact scan, and how many of them
the first look finds, as a line of JSON; a folder keeps the vectors for another time.
"""

import argparse
import json
import random
import sys
import time
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import numpy as np

sys.path[:0] = ["."]

from benchmarks.corpus import questions, texts  # noqa: E402
from benchmarks.nearest import sentences  # noqa: E402

from commonplace.providers.embed.static import StaticEmbedder  # noqa: E402
from commonplace.retrieval import coarse, vector  # noqa: E402
from commonplace.security.rotation import Rotation  # noqa: E402

WANTED, PAGE, LISTED, ASKED, SAID = 0.97, 10, 64, 200, 20_000
EMBEDDER, TURNED = StaticEmbedder(), Rotation(bytes(range(32)), StaticEmbedder.dims)


def rows(told: Iterator[str], size: int) -> np.ndarray:
    made = np.empty((size, TURNED.dims), np.int8)
    for start in range(0, size, 2_000):
        some = list(islice(told, min(2_000, size - start)))
        made[start : start + len(some)] = TURNED.quantise(EMBEDDER.embed(some))
    return made


def prose(said: list[str]) -> Iterator[str]:
    chance = random.Random(6)
    while True:
        yield " ".join(chance.sample(said, chance.choice((1, 2, 3))))


def looked(matrix: np.ndarray, asked: list[str]) -> tuple[float, float, float, float]:
    """Of the ten and of all that are listed, the share that was found; milliseconds of the first look and of a scan."""
    coded, few, all_of_them = coarse.signs(matrix), 0, 0
    took: tuple[list[float], list[float]] = [], []
    for text in asked:
        question = TURNED.as_question(EMBEDDER.embed([text])[0])
        started = time.perf_counter()
        found, _ = coarse.start_scan(matrix, coded, question, LISTED)()
        between = time.perf_counter()
        exact, _ = vector.scan(matrix, question, LISTED)
        took[0].append(between - started)
        took[1].append(time.perf_counter() - between)
        few += len({*found[:PAGE].tolist()} & {*exact[:PAGE].tolist()})
        all_of_them += len({*found.tolist()} & {*exact.tolist()})
    first, scan = (sorted(one)[len(one) // 2] * 1000 for one in took)
    return few / PAGE / len(asked), all_of_them / LISTED / len(asked), first, scan


def share(found: list[list[int]], exact: list[list[int]]) -> float:
    """Of the ten nearest, the share that was found."""
    both = zip(found, exact, strict=True)
    return round(sum(len({*some} & {*all_of_them}) for some, all_of_them in both) / sum(map(len, exact)), 3)


def exact_line(size: int, asked: int, keep: Path | None = None) -> str:
    file = None if keep is None else keep / f"vectors-{size}.npy"
    matrix = np.load(file) if file is not None and file.exists() else rows(texts(size), size)
    if file is not None and not file.exists():
        file.parent.mkdir(parents=True, exist_ok=True)
        np.save(file, matrix)
    signs, exact, ours = coarse.signs(matrix), [], []
    for text in questions(asked):
        question = TURNED.as_question(EMBEDDER.embed([text])[0])
        exact.append(vector.scan(matrix, question, PAGE)[0].tolist())
        ours.append(coarse.start_scan(matrix, signs, question, LISTED)()[0][:PAGE].tolist())
    return json.dumps({"exact": exact, "ours": share(ours, exact)})


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sizes", type=int, nargs="*", default=[50_000, 100_000, 300_000])
    parser.add_argument("--write", type=Path, default=Path("benchmarks/results/first_look.md"))
    parser.add_argument("--exact", nargs="+", metavar=("SIZE", "QUESTIONS"))
    given = parser.parse_args()
    if given.exact:
        size, asked, *folder = given.exact
        print(exact_line(int(size), int(asked), *map(Path, folder)))
        return
    said = sentences(SAID + ASKED)
    kinds = {
        "made up": (texts(max(given.sizes)), questions(ASKED)),
        "prose": (prose(said[ASKED:]), said[:ASKED]),
    }
    lines = ["| texts | vectors | ten nearest: found | 64 nearest: found | first look p50 | exact scan p50 |"]
    lines += ["|---|---|---|---|---|---|"]
    good = True
    for name, (told, asked) in kinds.items():
        every = rows(told, max(given.sizes))
        for size in given.sizes:
            few, listed, first, scan = looked(every[:size], asked)
            good &= few >= WANTED
            lines.append(f"| {name} | {size:,} | {few:.3f} | {listed:.3f} | {first:.2f} ms | {scan:.2f} ms |")
            print(lines[-1], file=sys.stderr)
    head = ["# What the first look at signs finds", "", "`python benchmarks/first_look.py`, beside an exact scan.", ""]
    given.write.write_text("\n".join(head + lines) + "\n", encoding="utf-8")
    sys.exit(0 if good else "the first look finds too little")


if __name__ == "__main__":
    main()
