"""Measure a judge on the texts written by hand that are never trained on.

usage: measure.py JUDGE.onnx [--data tools/judge/data]
Prints for thresholds of P(replaces)+P(ends)+P(denies) the changes caught and the beliefs overturned wrongly, also on
pairs made at random; how often a description's first, three and eight best memories are right; and, for shares of the
other messages that are kept, the threshold and the share of those worth keeping.
"""

import argparse
import json
import lzma
import random
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import onnxruntime

from commonplace.providers.embed.static import FOLDER, TOKENIZER
from commonplace.providers.embed.wordpiece import WordPiece
from commonplace.providers.judge import FOLDER as JUDGE
from commonplace.providers.judge.model import PairModel

CHANGES = ("replaces", "ends", "denies")
KEPT = frozenset("fact preference instruction decision event number lesson change".split())


def unseen(data: Path, name: str, key: str) -> Iterator[dict[str, Any]]:
    for line in lzma.decompress((data / f"{name}.jsonl.xz").read_bytes()).decode().splitlines():
        row = json.loads(line)
        first = row[key][0] if isinstance(row[key], list) else row[key]
        if zlib.crc32(first.encode()) % 10 == 0:
            yield row


def loaded(path: Path) -> PairModel:
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    session = onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
    labels = json.loads((JUDGE / "labels.json").read_text())
    return PairModel(session, WordPiece.load(FOLDER / TOKENIZER), tuple((k, tuple(v)) for k, v in labels.items()))


def decide(model: PairModel, data: Path) -> None:
    for name, languages in (
        ("pairs", ()),
        ("pairs_more", ()),
        ("pairs_months", ("en",)),
        ("pairs_months", ("de", "es", "fr", "it")),
    ):
        rows = [row for row in unseen(data, name, "old") if not languages or row["lang"] in languages]
        print(name, *languages)
        _decide(model, [(row["old"], new, label) for row in rows for new, label in row["news"]])


def _decide(model: PairModel, pairs: list[tuple[str, str, str]]) -> None:
    chooser = random.Random(3)
    crossed = [(chooser.choice(pairs)[0], chooser.choice(pairs)[1]) for _ in range(500)]

    def change(old: str, new: str) -> float:
        return sum(chance for name, chance in model.softmax("decide", old, new) if name in CHANGES)

    scores = np.array([change(old, new) for old, new, _ in pairs])
    wrong = np.array([change(*pair) for pair in crossed])
    is_change = np.array([label in CHANGES for *_, label in pairs])
    for cut in (0.5, 0.6, 0.7, 0.9):
        caught, false = (scores[is_change] > cut).mean(), (scores[~is_change] > cut).mean()
        print(f"above {cut}: changes {caught:.3f}  wrongly {false:.4f}  random pairs {(wrong > cut).mean():.4f}")


def match(model: PairModel, data: Path) -> None:
    places, nothing = [], []
    for row in unseen(data, "match", "book"):
        for ask in row["asks"]:
            meant = {int(n) for n, how in ask["hit"].items() if how.split(":")[0].strip() in ("whole", "part")}
            scores = [1 - dict(model.softmax("match", ask["d"], text))["no"] for text in row["book"]]
            order = sorted(range(len(scores)), key=lambda n: -scores[n])
            if meant:
                places.append(([order.index(n) for n in meant], order[0] in meant))
            else:
                nothing.append(max(scores) < 0.5)
    within = {n: np.mean([max(at) < max(n, len(at)) for at, _ in places]) for n in (3, 8)}
    first = np.mean([is_first for _, is_first in places])
    print(
        f"first {first:.3f}  all in 3 {within[3]:.3f}  in 8 {within[8]:.3f}  nothing {sum(nothing)} of {len(nothing)}"
    )


def turn(model: PairModel, data: Path) -> None:
    rows = [row for row in unseen(data, "turns", "t") if row["role"] != "assistant" and row["labels"] != ["correction"]]
    kept = np.array([bool(KEPT & {*row["labels"]}) and not {"unreal", "secret"} & {*row["labels"]} for row in rows])
    worth = np.array([model.logits("keep", f"user: {row['t']}")[0] for row in rows])
    for share in (0.02, 0.04, 0.06, 0.1):
        cut = np.quantile(worth[~kept], 1 - share)
        print(f"kept {share} of the others: above {cut:.2f}, {(worth[kept] > cut).mean():.3f} of what is worth it")


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("judge", type=Path)
    options.add_argument("--data", type=Path, default=Path(__file__).parent / "data")
    arguments = options.parse_args()
    model = loaded(arguments.judge)
    for part in (decide, match, turn):
        part(model, arguments.data)


if __name__ == "__main__":
    main()
