"""Token vectors in int8 and the sum over a text's tokens."""

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from commonplace.providers.embed import lexicon
from commonplace.providers.embed.lexicon import CACHED_WORDS, Lexicon
from commonplace.providers.embed.wordpiece import NUMBER, WordPiece, bare_words
from commonplace.text.recent_cache import RecentCache

# A whole book as one text would otherwise become a gigabyte of float32 rows.
TOKENS_AT_ONCE = 4_096
CHARACTERS_AT_ONCE = 100_000
SHORT = 2_000
"""Maximum characters of a text whose words are kept while the rest of a batch is read."""
FULLY = np.float32(1).tobytes()
"""The weight of a token that counts fully; as many bytes as its id."""
ONE_THREAD = 1 << 18
"""Multiplications that OpenBLAS does in the calling thread. For more it uses several threads, which wait for each other
on a busy machine, ten times as long as they compute.
"""


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
    """``rows @ matrix``, in portions that are computed in this thread."""
    size = max(1, ONE_THREAD // max(1, matrix.size))
    if len(rows) <= size:
        return rows @ matrix
    return np.concatenate([rows[start : start + size] @ matrix for start in range(0, len(rows), size)])


@dataclass(frozen=True)
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
        weights[pieces.unknown] = 0  # the unknown token would make all texts with emoji or unsupported scripts alike
        return cls(rows, weights, pieces, lexicon)

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        words = [bare_words(text) if len(text) <= SHORT else None for text in texts]
        if len(texts) > 1:
            self.lexicon.precompute(word for some in words for word in some or ())
        out = np.zeros((len(texts), self.vectors.shape[1]), np.float32)
        for row, text, its_words in zip(out, texts, words, strict=True):
            for ids, weights in self._weighted(text, its_words):
                row += weights @ self.vectors.take(ids, 0).astype(np.float32)
        return normalised(out)

    def _weighted(
        self, text: str, words: Sequence[str] | None
    ) -> Iterator[tuple[NDArray[np.uintc], NDArray[np.float32]]]:
        """The token ids of a text with their weights, in portions of some thousands."""
        for piece in pieces(text, CHARACTERS_AT_ONCE):
            words_of_piece = bare_words(piece) if words is None else words
            language = self.lexicon.language(words_of_piece)
            if language is None:
                ids = np.frombuffer(self.tokenizer.packed(piece, words_of_piece), NUMBER)
                weights = self.scales.take(ids)
            else:
                translated = self._translations[language]
                packed = [translated[word] for word in words_of_piece]
                ids = np.frombuffer(b"".join([word_ids for word_ids, _ in packed]), NUMBER)
                shares = np.frombuffer(b"".join([word_shares for _, word_shares in packed]), np.float32)
                weights = shares * self.scales.take(ids)
            for start in range(0, len(ids), TOKENS_AT_ONCE):
                yield ids[start : start + TOKENS_AT_ONCE], weights[start : start + TOKENS_AT_ONCE]

    @cached_property
    def _translations(self) -> Mapping[str, RecentCache[tuple[bytes, bytes]]]:
        """For each language its words as English tokens with weights; unknown words are split into pieces unchanged."""
        return {
            language: RecentCache(partial(self._translated, language), CACHED_WORDS) for language in lexicon.LANGUAGES
        }

    def _translated(self, language: str, word: str) -> tuple[bytes, bytes]:
        meaning = self.lexicon.meaning(language, word)
        if meaning is None:
            tokens = self.tokenizer.word(word)
            return tokens, FULLY * (len(tokens) // len(FULLY))
        return np.array(meaning[0], NUMBER).tobytes(), np.array(meaning[1], np.float32).tobytes()


def pieces(text: str, size: int) -> Iterator[str]:
    """Cut at white space, where no token crosses; without any for ``size`` characters, cut anyway."""
    start = 0
    while len(text) - start > size:
        space = max(text.rfind(" ", start, start + size), text.rfind("\n", start, start + size))
        end = space if space > start else start + size
        yield text[start:end]
        start = end
    yield text[start:]
