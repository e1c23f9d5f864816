"""Make the axes of the token vectors again: ``python tools/train_token_axes.py OUT.npy``. Ten minutes on one core.

They begin as the 64 principal axes of MiniLM's token vectors of the judge's training texts, the mean not removed: what
all tokens share is part of what a question and its answer share. Then they are trained so that late interaction ranks
the turns that answer a question, the memories that a description means and the messages that say a plain statement
(tools/judge) above the rest of their conversation, book or list. Half of the result is the axes as they began, because
those know all text. Every tenth conversation and book is never trained on; the share of its evidence among the first
five is printed.
"""

import json
import lzma
import random
import re
import sys
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from commonplace.providers.embed.minilm import HIDDEN, loaded, run
from commonplace.providers.embed.table import normalised
from commonplace.providers.embed.tokens import CONTEXT, PASSAGE
from commonplace.providers.embed.wordpiece import CLS, SEP

JUDGE = Path(__file__).parent / "judge"
TEXTS, TOKENS, DIMS = 2_500, 120, 64
EPOCHS, RATE, TEMPERATURE, SEEDS = 6, 1e-3, 0.03, (1, 2)
BATCHES = {"talk": (2, 12, 2), "book": (5, 7, 1), "told": (3, 16, 1)}
"""Of each kind: lists a step, questions of each, and how often an epoch shows it."""

Floats = NDArray[np.float32]


@dataclass(frozen=True)
class Ranking:
    """Texts, one after another as rows of hidden states, and questions with the places of the texts they ask for."""

    kind: str
    unseen: bool
    rows: Floats
    starts: NDArray[np.intp]
    questions: list[tuple[Floats, list[int]]]

    @classmethod
    def of(cls, kind: str, texts: Sequence[tuple[str, str]], questions: Sequence[tuple[str, list[int]]]) -> "Ranking":
        states = [hidden(text, before) for text, before in texts]
        starts = np.concatenate(([0], np.cumsum([len(state) for state in states])[:-1])).astype(np.intp)
        asked = [(hidden(question), places) for question, places in questions]
        return cls(kind, zlib.crc32(texts[0][0].encode()) % 10 == 0, np.concatenate(states), starts, asked)


def hidden(text: str, before: str = "") -> Floats:
    """MiniLM's last layer for the first passage of a text, as the encoder sees it."""
    session, tokenizer = loaded()
    head = [CLS, *tokenizer.ids(before)[-CONTEXT:], SEP] if before else [CLS]
    return run(session, HIDDEN, [*head, *tokenizer.ids(text)[:PASSAGE], SEP])[len(head) : -1]


def principal(lines: Sequence[str]) -> Floats:
    every = sorted({text for line in lines for text in texts(json.loads(line)) if 15 < len(text) < 600})
    random.Random(1).shuffle(every)
    session, tokenizer = loaded()
    squares = np.zeros((384, 384))
    for text in every[:TEXTS]:
        rows = normalised(run(session, HIDDEN, [CLS, *tokenizer.ids(text)[:TOKENS], SEP])[1:-1])
        squares += rows.T @ rows
    return np.linalg.eigh(squares)[1][:, ::-1][:, :DIMS].astype(np.float32)


def texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, list | dict):
        for part in value if isinstance(value, list) else value.values():
            yield from texts(part)


def rankings() -> Iterator[Ranking]:
    for talk in map(json.loads, lines_of("talks")):
        turns = [re.sub(r"^\[[^]]*\] ", "", turn) for turn in talk["turns"]]
        days = [turn.partition("]")[0] for turn in talk["turns"]]
        before = ["", *(turns[n] if days[n] == days[n + 1] else "" for n in range(len(turns) - 1))]
        asked = [(question["q"], [int(place) for place in question["ev"]]) for question in talk["qs"] if question["ev"]]
        yield Ranking.of("talk", list(zip(turns, before, strict=True)), asked)
    for book in map(json.loads, lines_of("match")):
        asked = [(ask["d"], [int(place) for place in ask["hit"]]) for ask in book["asks"] if ask["hit"]]
        if asked:
            yield Ranking.of("book", [(text, "") for text in book["book"]], asked)
    pairs = list(told())
    for start in range(0, len(pairs) - 16, 16):
        chunk = pairs[start : start + 16]
        statements = [(statement, [place]) for place, (_, statement) in enumerate(chunk)]
        yield Ranking.of("told", [(message, "") for message, _ in chunk], statements)


def told() -> list[tuple[str, str]]:
    """Messages in five languages, each with a plain statement of what it says."""
    sys.path.append(str(JUDGE))
    import everyday

    chooser, pairs = random.Random(5), []
    for language in ("en", "de", "es", "fr", "it"):
        for _, frame, *facts in (line.split("\t") for line in everyday._lines(f"told_{language}.txt")):
            if facts:
                values: dict[str, str] = {}
                message = everyday.in_style(everyday.fill(frame, language, chooser, values), language, chooser)
                fact = chooser.choice(facts[0].split(" | "))
                pairs.append((message, everyday.fill(fact, language, chooser, dict(values))))
    chooser.shuffle(pairs)
    return pairs


def lines_of(name: str) -> list[str]:
    return lzma.decompress((JUDGE / "data" / f"{name}.jsonl.xz").read_bytes()).decode().splitlines()


def trained(lists: Sequence[Ranking], axes: Floats, seed: int) -> Floats:
    """Axes moved by Adam down the gradient of how far each text that is asked for stands below the others."""
    chance = np.random.default_rng(seed)
    axes, mean, square, step = axes.copy(), np.zeros_like(axes), np.zeros_like(axes), 0
    for epoch in range(EPOCHS):
        plan = [batch for kind in BATCHES for batch in batches([r for r in lists if r.kind == kind], kind, chance)]
        for done, place in enumerate(chance.permutation(len(plan))):
            step += 1
            change = gradient(plan[place], axes)
            mean, square = 0.9 * mean + 0.1 * change, 0.99 * square + 0.01 * change**2
            rate = RATE * min(1, step / 20) * (1 - (epoch + done / len(plan)) / EPOCHS)
            axes -= rate * (mean / (1 - 0.9**step)) / (np.sqrt(square / (1 - 0.99**step)) + 1e-8)
    return axes


Batch = list[tuple[Ranking, list[int]]]


def batches(lists: Sequence[Ranking], kind: str, chance: np.random.Generator) -> Iterator[Batch]:
    size, asked, times = BATCHES[kind]
    order = chance.permutation(len(lists) * times) % len(lists)
    for start in range(0, len(order), size):
        chosen = [lists[place] for place in order[start : start + size]]
        yield [(r, chance.permutation(len(r.questions))[:asked].tolist()) for r in chosen]


def gradient(batch: Batch, axes: Floats) -> Floats:
    """Of the mean loss of the questions; every text of the batch is a rival."""
    rows = np.concatenate([ranking.rows for ranking, _ in batch])
    before = np.cumsum([0, *(len(ranking.rows) for ranking, _ in batch)])
    starts = np.concatenate([ranking.starts + before[n] for n, (ranking, _) in enumerate(batch)])
    first = np.cumsum([0, *(len(ranking.starts) for ranking, _ in batch)])
    ends = np.append(starts[1:], len(rows))
    vectors, lengths = unit(rows @ axes)
    by_vector, by_axis, count = np.zeros_like(vectors), np.zeros_like(axes), 0
    for n, (ranking, chosen) in enumerate(batch):
        for states, places in (ranking.questions[place] for place in chosen):
            question, question_lengths = unit(states @ axes)
            cosines = vectors @ question.T
            slopes = loss_slopes(np.maximum.reduceat(cosines, starts).mean(axis=1), [p + first[n] for p in set(places)])
            by_question = np.zeros_like(question)
            for text in np.flatnonzero(np.abs(slopes) > 1e-4):
                nearest = cosines[starts[text] : ends[text]].argmax(axis=0) + starts[text]
                slope = slopes[text] / len(question)
                by_question += slope * vectors[nearest]
                np.add.at(by_vector, nearest, slope * question)
            by_axis += states.T @ back(by_question, question, question_lengths)
            count += 1
    return (by_axis + rows.T @ back(by_vector, vectors, lengths)) / max(count, 1)


def loss_slopes(scores: Floats, places: Sequence[int]) -> Floats:
    """By each score, of the mean over ``places`` of how unlikely that text is among itself and those not asked for."""
    chances = np.exp((scores - scores.max()) / TEMPERATURE)
    others = np.ones(len(scores), bool)
    others[places] = False
    slopes = np.zeros_like(scores)
    for place in places:
        total = chances[place] + chances[others].sum()
        slopes[place] -= 1 - chances[place] / total
        slopes[others] += chances[others] / total
    return slopes / (len(places) * TEMPERATURE)


def unit(rows: Floats) -> tuple[Floats, Floats]:
    lengths = np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-9)
    return rows / lengths, lengths


def back(slopes: Floats, vectors: Floats, lengths: Floats) -> Floats:
    """Through ``unit``."""
    return (slopes - (slopes * vectors).sum(axis=1, keepdims=True) * vectors) / lengths


def share_found(lists: Sequence[Ranking], axes: Floats) -> float:
    shares = []
    for ranking in lists:
        vectors, _ = unit(ranking.rows @ axes)
        for states, places in ranking.questions:
            scores = np.maximum.reduceat(vectors @ unit(states @ axes)[0].T, ranking.starts).mean(axis=1)
            shares.append(len(set(np.argsort(-scores)[:5].tolist()) & set(places)) / len(set(places)))
    return float(np.mean(shares))


def main(out: Path) -> None:
    lines = [line for name in ("match", "pairs", "talks", "turns") for line in lines_of(name)]
    axes = principal(lines)
    lists = list(rankings())
    seen = [ranking for ranking in lists if ranking.kind == "told" or not ranking.unseen]
    final = axes / 2 + sum(trained(seen, axes, seed) for seed in SEEDS) / (2 * len(SEEDS))
    for kind in ("talk", "book"):
        unseen = [ranking for ranking in lists if ranking.kind == kind and ranking.unseen]
        print(f"{kind}: {share_found(unseen, axes):.3f} before, {share_found(unseen, final):.3f} trained")
    np.save(out, final.astype(np.float16))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
