"""Token vectors in int8 and the sum over a text's tokens."""

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from commonplace.providers.embed.lexicon import Lexicon
from commonplace.providers.embed.wordpiece import NUMBER, WordPiece, bare_words

# A whole book as one text would otherwise unfold to a gigabyte of float32 rows at once.
TOKENS_AT_ONCE = 4_096
CHARACTERS_AT_ONCE = 100_000
ONE_THREAD = 1 << 18
"""Multiplications that OpenBLAS does in the thread that asks. For more it takes several, which wait for each
other on a busy machine, ten times as long as they calculate."""


def checked(path: Path, expected: str) -> None:
    """Raise ``ValueError`` unless the file's SHA-256 is ``expected``."""
    with path.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    if digest != expected:
        raise ValueError(f"{path.name} has SHA-256 {digest}, expected {expected}")


def normalised(rows: NDArray[np.float32]) -> NDArray[np.float32]:
    """Each row at length one; a row of zeros stays."""
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    lengths[lengths == 0] = 1
    unit: NDArray[np.float32] = (rows / lengths).astype(np.float32, copy=False)
    return unit


def multiplied(rows: NDArray[np.float32], matrix: NDArray[np.float32]) -> NDArray[np.float32]:
    """``rows @ matrix``, as many rows at a time as are multiplied in this thread."""
    size = max(1, ONE_THREAD // max(1, matrix.size))
    if len(rows) <= size:
        return rows @ matrix
    return np.concatenate([rows[start : start + size] @ matrix for start in range(0, len(rows), size)])


@dataclass(frozen=True, slots=True)
class TokenTable:
    vectors: NDArray[np.int8]
    scales: NDArray[np.float32]
    tokenizer: WordPiece
    lexicon: Lexicon

    @classmethod
    def load(cls, vectors: Path, scales: Path, tokenizer: Path, lexicon: Lexicon) -> "TokenTable":
        # mapped, so that processes share the pages; as a plain array, because memmap's indexing is slow
        rows = np.asarray(np.load(vectors, mmap_mode="r", allow_pickle=False))
        pieces, weights = WordPiece.load(tokenizer), np.load(scales, allow_pickle=False)
        weights[pieces.unknown] = 0  # it would make all texts alike that hold emoji or a script we cannot read
        return cls(rows, weights, pieces, lexicon)

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        out = np.zeros((len(texts), self.vectors.shape[1]), np.float32)
        for row, text in zip(out, texts, strict=True):
            for ids, weights in self._weighted(text):
                row += weights @ self.vectors.take(ids, 0).astype(np.float32)
        return normalised(out)

    def _weighted(self, text: str) -> Iterator[tuple[NDArray[np.uintc], NDArray[np.float32]]]:
        """The token ids of a text and how much each counts, some thousands at a time."""
        for piece in pieces(text, CHARACTERS_AT_ONCE):
            language = self.lexicon.language(bare_words(piece))
            if language is None:
                ids = np.frombuffer(self.tokenizer.packed(piece), NUMBER)
                weights = self.scales.take(ids)
            else:
                ids, shares = self._translated(language, piece)
                weights = shares * self.scales.take(ids)
            for start in range(0, len(ids), TOKENS_AT_ONCE):
                yield ids[start : start + TOKENS_AT_ONCE], weights[start : start + TOKENS_AT_ONCE]

    def _translated(self, language: str, text: str) -> tuple[NDArray[np.uintc], NDArray[np.float32]]:
        """A text of another language by the English tokens that its words mean; unknown words in pieces as they are."""
        ids: list[int] = []
        shares: list[float] = []
        for word in bare_words(text):
            meaning = self.lexicon.meaning(language, word)
            if meaning is None:
                tokens = self.tokenizer.ids(word)
                meaning = tokens, [1.0] * len(tokens)
            ids += meaning[0]
            shares += meaning[1]
        return np.array(ids, np.uintc), np.array(shares, np.float32)


def pieces(text: str, size: int) -> Iterator[str]:
    """Cut at white space, where no token crosses; where there is none for ``size`` characters, cut anyway."""
    start = 0
    while len(text) - start > size:
        space = max(text.rfind(" ", start, start + size), text.rfind("\n", start, start + size))
        end = space if space > start else start + size
        yield text[start:end]
        start = end
    yield text[start:]
