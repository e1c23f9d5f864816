"""The judge's graph through onnxruntime: two texts in, the logits of all outputs out."""

import hashlib
import os
import threading
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from commonplace.providers.embed import onnx
from commonplace.providers.embed.wordpiece import CLS, SEP, WordPiece

SHA256 = "1e02bfa339489f0a9cafc8bdda272d04374e123e9739249d35455becdb24e5b9"
HEADS = ("match", "decide", "turn", "relevance", "keep", "triggers", "lasting")
"""All are computed at once: onnxruntime runs the whole graph for one of them too."""
MAX_TOKENS, MAX_FIRST = 160, 80
MAX_CHARACTERS = 4_000
CACHED_PAIRS = 20_000

Labels = tuple[tuple[str, tuple[str, ...]], ...]


class PairModel:
    def __init__(self, session: Any, tokenizer: WordPiece, labels: Labels) -> None:
        self._session, self._tokenizer, self._labels = session, tokenizer, dict(labels)
        self._scores: dict[bytes, dict[str, tuple[float, ...]]] = {}
        self._secret = os.urandom(32)
        self._lock = threading.Lock()

    def softmax(self, head: str, first: str, second: str) -> list[tuple[str, float]]:
        logits = np.array(self.logits(head, first, second), np.float64)
        powers = np.exp(logits - logits.max())
        return list(zip(self._labels[head], (powers / powers.sum()).tolist(), strict=True))

    def sigmoid(self, head: str, first: str) -> list[tuple[str, float]]:
        logits = np.array(self.logits(head, first), np.float64)
        return list(zip(self._labels[head], (1 / (1 + np.exp(-logits))).tolist(), strict=True))

    def logits(self, head: str, first: str, second: str | None = None) -> tuple[float, ...]:
        """One pair a run: the int8 graph scales its activations over the batch, so company would change the scores."""
        # Only a keyed hash of the texts stays: what is forgotten must not be in memory either.
        key = hashlib.blake2b(repr((first, second)).encode(), key=self._secret, digest_size=16).digest()
        scores = self._scores.get(key)
        if scores is None:
            scores = self._run(first, second)
            with self._lock:
                if len(self._scores) >= CACHED_PAIRS:
                    for old in list(self._scores)[: CACHED_PAIRS // 2]:
                        del self._scores[old]
                self._scores[key] = scores
        return scores[head]

    def _run(self, first: str, second: str | None) -> dict[str, tuple[float, ...]]:
        ids, segments = self._tokens(first, second)
        inputs = {
            "input_ids": np.array([ids], np.int64),
            "token_type_ids": np.array([segments], np.int64),
            "attention_mask": np.ones((1, len(ids)), np.int64),
        }
        outputs = self._session.run(list(HEADS), inputs)
        return {head: tuple(output[0].tolist()) for head, output in zip(HEADS, outputs, strict=True)}

    def _tokens(self, first: str, second: str | None) -> tuple[list[int], list[int]]:
        head = self._tokenizer.ids(first[:MAX_CHARACTERS])
        if second is None:
            head = head[: MAX_TOKENS - 2]
            return [CLS, *head, SEP], [0] * (len(head) + 2)
        head = head[:MAX_FIRST]
        tail = self._tokenizer.ids(second[:MAX_CHARACTERS])[: MAX_TOKENS - 3 - len(head)]
        return [CLS, *head, SEP, *tail, SEP], [0] * (len(head) + 2) + [1] * (len(tail) + 1)


def loaded(path: Path, labels: Labels) -> PairModel:
    """The model of this process; a session does not cross a fork."""
    return _loaded(os.getpid(), path, labels)


@lru_cache(maxsize=1)
def _loaded(pid: int, path: Path, labels: Labels) -> PairModel:
    return PairModel(*onnx.session("the judge", path, SHA256), labels)
