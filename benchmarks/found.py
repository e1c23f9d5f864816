"""The ten nearest of the made-up texts by an exact scan, and how many of them our first look finds, as one JSON line.

``python benchmarks/found.py SIZE QUESTIONS [FOLDER]``; a folder keeps the vectors for another time.
"""

import json
import sys
from pathlib import Path

import numpy as np

sys.path[:0] = ["."]

from benchmarks.corpus import questions, texts  # noqa: E402
from benchmarks.first_look import EMBEDDER, LISTED, PAGE, TURNED, rows  # noqa: E402

from commonplace.retrieval import coarse, vector  # noqa: E402


def share(found: list[list[int]], exact: list[list[int]]) -> float:
    """Of the ten nearest, the share that was found."""
    both = zip(found, exact, strict=True)
    return round(sum(len({*some} & {*all_of_them}) for some, all_of_them in both) / sum(map(len, exact)), 3)


def vectors(size: int, keep: Path | None) -> np.ndarray:
    file = None if keep is None else keep / f"vectors-{size}.npy"
    if file is not None and file.exists():
        return np.load(file)
    made = rows(texts(size), size)
    if file is not None:
        keep.mkdir(parents=True, exist_ok=True)
        np.save(file, made)
    return made


def main() -> None:
    size, asked, *folder = sys.argv[1:]
    matrix = vectors(int(size), Path(folder[0]) if folder else None)
    signs, exact, ours = coarse.signs(matrix), [], []
    for text in questions(int(asked)):
        question = TURNED.as_question(EMBEDDER.embed([text])[0])
        exact.append(vector.scan(matrix, question, PAGE)[0].tolist())
        ours.append(coarse.start_scan(matrix, signs, question, LISTED)()[0][:PAGE].tolist())
    print(json.dumps({"exact": exact, "ours": share(ours, exact)}))


if __name__ == "__main__":
    main()
