"""Maps words of German, Spanish, French and Italian to weighted tokens of static-256, whose vectors only know English.

``tools/lexicon.py`` builds the files. A text's language is the one in which its words are most frequent, by default
English.
"""

import hashlib
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from commonplace.text.recent_cache import RecentCache

LANGUAGES = ("de", "es", "fr", "it")
FREQUENCY_STEPS = 25
"""Steps of a byte per unit of word frequency (the Zipf scale: decimal digits of occurrences per billion words)."""
AHEAD = FREQUENCY_STEPS // 4
"""By how much, per word, another language's words must be more frequent than English ones."""
SHORTEST_PART = 4
"""Letters of the shortest part of a compound word."""
FULL = 255
CACHED_WORDS = 50_000
KEY_SIZE = 8

Meaning = tuple[list[int], list[float]]
"""Token ids, and the weight of each."""


_hashers = {
    language: hashlib.blake2b(f"{language}:".encode(), digest_size=KEY_SIZE).copy for language in ("en", *LANGUAGES)
}


_SHIFTS, _KNOWN = tuple(range(0, 40 * len(LANGUAGES), 40)), 40 * len(LANGUAGES)
_OFFSET, _MOST = FULL + 1, (1 << 40) - 1


def _packed(frequencies: Sequence[int]) -> int:
    """How much more frequent a word is in each language than in English, the first of ``frequencies``, and above these
    a one: in one number, so that those of a text's words are added up together."""
    english, *others = frequencies
    return sum((other - english + _OFFSET) << shift for shift, other in zip(_SHIFTS, others, strict=True)) | 1 << _KNOWN


def key(language: str, word: str) -> int:
    return int.from_bytes(_digest(language, word.encode(errors="surrogatepass")), "big")


def _digest(language: str, word: bytes) -> bytes:
    hasher = _hashers[language]()
    hasher.update(word)
    return hasher.digest()


class Lexicon:
    """The frequent words of five languages by sorted key: their frequency and their meaning in English tokens."""

    def __init__(self, keys: NDArray[np.uint64], tokens: NDArray[np.uint16], weights: NDArray[np.uint8]) -> None:
        """A row of ``weights`` begins with the word's frequency; the weights of its ``tokens`` follow."""
        self._keys: memoryview[int] = keys.data  # searching one key is ten times faster than in the array
        self._key_array = keys
        self._tokens, self._weights = tokens, weights
        self._leads = RecentCache(self._lead, CACHED_WORDS)
        """As ``_packed``; 0 for a word that no language knows."""

    @classmethod
    def load(cls, keys: Path, tokens: Path, weights: Path) -> "Lexicon":
        return cls(*(np.asarray(np.load(path, mmap_mode="r", allow_pickle=False)) for path in (keys, tokens, weights)))

    def language(self, words: Sequence[str]) -> str | None:
        """The language of these words; None for English or an unknown one."""
        total = sum(map(self._leads.__getitem__, words))
        known = total >> _KNOWN
        sums = [(total >> shift & _MOST) - _OFFSET * known for shift in _SHIFTS]
        best = max(sums)
        return LANGUAGES[sums.index(best)] if known and best > AHEAD * known else None

    def precompute(self, words: Iterable[str]) -> None:
        """Look up the frequencies of these words at once, before ``language`` is called for them."""
        missing = list(set(words).difference(self._leads))
        if not missing:
            return
        encoded = [word.encode(errors="surrogatepass") for word in missing]
        digests = b"".join([_digest(language, word) for word in encoded for language in _hashers])
        keys = np.frombuffer(digests, ">u8").astype(np.uint64)
        rows = np.searchsorted(self._key_array, keys).clip(max=len(self._keys) - 1)
        frequencies = np.where(self._key_array[rows] == keys, self._weights[rows, 0], 0).astype(int)
        by_word = frequencies.reshape(len(missing), len(_hashers)).tolist()
        self._leads.add({word: _packed(row) if any(row) else 0 for word, row in zip(missing, by_word, strict=True)})

    def meaning(self, language: str, word: str) -> Meaning | None:
        """English tokens for the word, or for the parts of a compound word; None if it is unknown."""
        row = self._row(language, word) if self._leads[word] else None
        if row is not None:
            tokens, weights = self._tokens[row].tolist(), self._weights[row, 1:].tolist()
            return tokens, [weight / FULL for weight in weights]
        for first, second in self._cuts(language, word):
            before, after = self.meaning(language, first), self.meaning(language, second)
            if before and after:
                return before[0] + after[0], before[1] + after[1]
        return None

    def frequency(self, language: str, word: str) -> float:
        """On the Zipf scale; 0 for an unknown word. ``language`` is one of `LANGUAGES` or ``en``."""
        return self._frequency(language, word) / FREQUENCY_STEPS

    def _row(self, language: str, word: str) -> int | None:
        number = key(language, word)
        row = bisect_left(self._keys, number)
        return row if row < len(self._keys) and self._keys[row] == number else None

    def _frequency(self, language: str, word: str) -> int:
        row = self._row(language, word)
        return 0 if row is None else int(self._weights[row, 0])

    def _lead(self, word: str) -> int:
        frequencies = [self._frequency(language, word) for language in _hashers]
        return _packed(frequencies) if any(frequencies) else 0

    def _cuts(self, language: str, word: str) -> Iterator[tuple[str, str]]:
        """Splits of a word into two known words, the longest second one first: it decides the meaning."""
        for cut in range(SHORTEST_PART, len(word) - SHORTEST_PART + 1):
            if self._row(language, word[cut:]) is not None:
                forms = (word[:cut], word[:cut].removesuffix("s"), word[:cut].removesuffix("n"))
                yield from (
                    (form, word[cut:]) for form in dict.fromkeys(forms) if self._row(language, form) is not None
                )
