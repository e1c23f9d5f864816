"""Can recall tell that a book does not answer a question? ``python benchmarks/no_answer.py FILE …``.

Each question is asked once in its book, and once as if its evidence and the three turns around it were not there. A
logistic model over signs of the first hits is fitted on all files but one and tried on that one; with and without the
judge. ``--unseen FOLDER`` tries the model of all files on ``no_answer_book.json`` and ``no_answer.jsonl`` there.
"""

import argparse
import json
import math
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

sys.path[:0] = ["."]

from benchmarks.quality import CHATS, LOCOMO  # noqa: E402

from commonplace import Commonplace, Settings  # noqa: E402
from commonplace.model import Hit  # noqa: E402
from commonplace.providers.judge import Judge  # noqa: E402

READ, JUDGED, AROUND = 30, 3, 3
LOSSES = (0.005, 0.01, 0.02, 0.05, 0.1)
EVERY = {"locomo-dev.json": 3}
"""Of a large file, one question of so many."""
JUDGE = Judge()
took: list[float] = []
"""Seconds of processor time that the judge took for the first hits of a question."""


def opened(home: Path) -> Commonplace:
    home.mkdir(parents=True, exist_ok=True)
    return Commonplace.open(f"sqlite:///{home}/book.db", settings=Settings(home=home, judge="off"))


def signs(question: str, hits: Sequence[Hit]) -> list[float]:
    """What the first hits say of whether the question is answered: first recall's own signs, then the judge's."""
    scores = [hit.score for hit in hits[:5]] + [0.0] * (5 - len(hits))
    parts = [hit.why.parts if hit.why else {} for hit in hits[:5]] or [{}]
    own = [scores[0], scores[0] - scores[1], scores[0] - scores[4]]
    own += [max(part.get(name, 0.0) for part in parts) for name in ("words", "meaning", "late")]
    started = time.process_time()
    texts = [hit.memory.text for hit in hits[:JUDGED]]
    relevance = sorted(JUDGE.relevance(question, map(_spoken, hits[:JUDGED])), reverse=True) or [-5.0]
    matches = [math.log((m.meant + 1e-6) / (m.no + 1e-6)) for m in JUDGE.match(question, texts)] or [-5.0]
    took.append(time.process_time() - started)
    return [*own, relevance[0], relevance[0] - relevance[-1], max(matches), matches[0]]


def _spoken(hit: Hit) -> str:
    turn = hit.memory.turn
    return f"[{turn.said_at:%Y-%m-%d}] {turn.speaker or turn.role}: {hit.memory.text}" if turn else hit.memory.text


def pairs(book: Commonplace, sample: dict, every: int) -> Iterator[tuple[bool, list[float]]]:
    """For each question, whether its evidence is in the book, and the signs."""
    turns = [turn["dia_id"] for name, said in sample["conversation"].items() if isinstance(said, list) for turn in said]
    place = {dia: number for number, dia in enumerate(turns)}
    for asked in [row for row in sample["qa"] if row.get("evidence")][::every]:
        hits = book.recall(asked["question"], limit=READ, explain=True)
        evidence = {place[dia] for dia in map(str, asked["evidence"]) if dia in place}
        places = [place.get(str(hit.memory.metadata.get("dia_id")), -READ) for hit in hits]
        if evidence & {*places[:10]}:
            yield True, signs(asked["question"], hits)
        far = [hit for hit, at in zip(hits, places, strict=True) if all(abs(at - here) > AROUND for here in evidence)]
        yield False, signs(asked["question"], far)


def unseen(folder: Path, home: Path) -> Iterator[tuple[bool, list[float]]]:
    book_file = json.loads((folder / "no_answer_book.json").read_text("utf-8"))
    memories = book_file["memories"] if isinstance(book_file, dict) else book_file
    with opened(home) as book:
        book.remember_many([text if isinstance(text, str) else text["text"] for text in memories])
        book.reindex()
        for line in (folder / "no_answer.jsonl").read_text("utf-8").splitlines():
            row = json.loads(line)
            hits = book.recall(row["question"], limit=READ, explain=True)
            yield bool(row.get("evidence")), signs(row["question"], hits)


def fitted(rows: np.ndarray, answered: np.ndarray, weights: np.ndarray, penalty: float = 5.0) -> np.ndarray:
    """Logistic regression by Newton's steps, the last number being the constant."""
    design = np.c_[rows, np.ones(len(rows))]
    model, shrink = np.zeros(design.shape[1]), np.full(design.shape[1], penalty)
    shrink[-1] = 1e-6
    for _ in range(40):
        chance = 1 / (1 + np.exp(-design @ model))
        slope = design.T @ (weights * (chance - answered)) + shrink * model
        curve = (design * (weights * chance * (1 - chance))[:, None]).T @ design + np.diag(shrink)
        model = model - np.linalg.solve(curve, slope)
    return model


def line(name: str, scores: np.ndarray, answered: np.ndarray, thresholds: Sequence[float] | None = None) -> str:
    """How many unanswered questions still return something where so many of the answered ones are lost."""
    good, bad = scores[answered], scores[~answered]
    area = np.mean((good[:, None] > bad) + 0.5 * (good[:, None] == bad))
    cuts = thresholds or [float(np.quantile(good, loss)) for loss in LOSSES]
    cells = [f"{np.mean(bad >= cut):.2f}" + (f" ({np.mean(good < cut):.3f})" if thresholds else "") for cut in cuts]
    return f"| {name} | {len(good)} / {len(bad)} | {area:.2f} | {' | '.join(cells)} |"


def tables(data: dict[str, list[tuple[bool, list[float]]]], extra: list[tuple[bool, list[float]]]) -> Iterator[str]:
    files = np.array([file for file, rows in data.items() for _ in rows])
    answered = np.array([answer for rows in data.values() for answer, _ in rows])
    everything = np.array([row for rows in data.values() for _, row in rows])
    mean, spread = everything.mean(0), everything.std(0) + 1e-9
    weights = np.array([len(files) / len(data) / (files == file).sum() for file in files])
    for title, columns in (("Recall's own signs", slice(0, 6)), ("and the judge's on three hits", slice(0, None))):
        yield f"\n**{title}**\n\n| tried on | answered / not | area | {' | '.join(f'{x:.1%} lost' for x in LOSSES)} |"
        yield "|---" * (3 + len(LOSSES)) + "|"
        rows, scores = ((everything - mean) / spread)[:, columns], np.zeros(len(files))
        for file in data:
            others = files != file
            model = fitted(rows[others], answered[others], weights[others])
            scores[~others] = rows[~others] @ model[:-1] + model[-1]
            yield line(file, scores[~others], answered[~others])
        yield line("together", scores, answered)
        if extra:
            model = fitted(rows, answered, weights)
            cuts = [float(np.quantile((rows @ model[:-1] + model[-1])[answered], loss)) for loss in LOSSES]
            held = ((np.array([row for _, row in extra]) - mean) / spread)[:, columns] @ model[:-1] + model[-1]
            yield line("unseen: returned (lost)", held, np.array([answer for answer, _ in extra]), cuts)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", nargs="*", type=Path, default=[LOCOMO, *CHATS])
    parser.add_argument("--keep", type=Path, required=True, help="books that `quality.py --keep` filled")
    parser.add_argument("--unseen", type=Path)
    given = parser.parse_args()
    data = {}
    for file in given.files:
        with opened(given.keep / file.stem) as book:
            samples = json.loads(file.read_text("utf-8"))
            books = [(book.within(str(sample["sample_id"])), sample) for sample in samples]
            data[file.name] = [
                pair for space, sample in books for pair in pairs(space, sample, EVERY.get(file.name, 1))
            ]
    extra = list(unseen(given.unseen, given.keep / "unseen")) if given.unseen else []
    print("\n".join(tables(data, extra)))
    print(f"\nThe judge took {sorted(took)[len(took) // 2] * 1000:.0f} ms of processor time a question (median).")


if __name__ == "__main__":
    main()
