"""Late interaction: every token of a question meets the tokens of a text; the sum of the best meetings is its score."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from commonplace.errors import KeyringError
from commonplace.memories.scope import Scope
from commonplace.providers.embed.table import multiplied
from commonplace.providers.embed.tokens import DIMS, LIMIT, unpack
from commonplace.retrieval.fuse import Fused
from commonplace.retrieval.in_step import Steps
from commonplace.retrieval.memory_cache import Reading
from commonplace.store.rows import PassageRow
from commonplace.store.transaction import Transaction

Rows = NDArray[np.float32]

FLOOR = 0.45
"""A best score below which nothing is relevant; of 1,194 questions with an answer none was below 0.48."""
FLOOR_FOR = "static-256@"
"""The embedder beside which it was chosen: a question in another language than the text stays below it (0.34)."""


class Nearness(NamedTuple):
    """How near a text is to a question: by the mean over the question's tokens, and by the one that it meets least."""

    mean: float = 0.0
    least: float = 0.0


@dataclass(frozen=True, slots=True)
class LateInteraction:
    """A question as one row a token, to be compared with texts that have token vectors of ``model``."""

    model: str
    question: Rows

    def scores(self, tx: Transaction, scope: Scope, readings: Mapping[int, Reading]) -> Steps[dict[int, Nearness]]:
        """How near each document with token vectors is to the question; those without are left out."""
        unread = [doc for doc, reading in readings.items() if self.model not in reading.tokens]
        if unread:
            fetched = tx.soon(partial(tx.passages.get, self.model, unread))
            yield
            for row in fetched():
                readings[row.doc].tokens[self.model] = _opened(scope, row)
        encoded = {doc: reading.tokens[self.model] for doc, reading in readings.items() if self.model in reading.tokens}
        return dict(zip(encoded, max_sim(self.question, list(encoded.values())), strict=True))


def nearer(scores: Mapping[int, Nearness]) -> dict[int, Nearness]:
    """By how much each document is nearer to the question than all of them on average."""
    mean, least = (sum(column) / len(scores) for column in zip(*scores.values(), strict=True)) if scores else (0.0, 0.0)
    return {doc: Nearness(score.mean - mean, score.least - least) for doc, score in scores.items()}


def only_by_meaning(candidates: Sequence[Fused]) -> bool:
    """Whether no candidate holds a word of the question or is tied to it by the graph."""
    return not any(fused.words or fused.graph for fused in candidates)


def _opened(scope: Scope, row: PassageRow) -> bytes:
    """Look once whether another process has rotated the keys before giving up."""
    name = f"{row.model}/{row.doc}"
    try:
        return scope.vault.open("passage", name, row.sealed)
    except KeyringError:
        return scope.current_vault().open("passage", name, row.sealed)


def max_sim(question: Rows, texts: Sequence[bytes]) -> list[Nearness]:
    """For each text, its best passage: the mean and the least over the question's tokens of the nearest one's cosine.

    ``texts`` are packed as ``TokenEncoder.encode`` gives them; one without tokens scores 0.
    """
    if not len(question):
        return [Nearness()] * len(texts)
    lengths: list[int] = []
    passage_counts: list[int] = []
    data: list[bytes] = []
    for text in texts:
        sizes, vectors = unpack(text)
        lengths += sizes
        passage_counts.append(len(sizes))
        data.append(vectors)
    if not lengths:
        return [Nearness()] * len(texts)
    tokens = np.frombuffer(b"".join(data), np.int8).reshape(-1, DIMS).astype(np.float32)
    cosines = multiplied(tokens, question.T) * np.float32(LIMIT / 127)
    starts = np.concatenate(([0], np.cumsum(lengths[:-1]))).astype(np.intp)
    nearest = np.maximum.reduceat(cosines, starts, axis=0)
    passages = list(map(Nearness._make, zip(nearest.mean(axis=1).tolist(), nearest.min(axis=1).tolist(), strict=True)))
    if len(passages) == len(texts) and all(passage_counts):
        return passages  # one passage each, as nearly always
    scores, start = [], 0
    for count in passage_counts:
        scores.append(max(passages[start : start + count], default=Nearness()))
        start += count
    return scores
