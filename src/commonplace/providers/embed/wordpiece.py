"""BERT's WordPiece tokenizer for lower case, with the standard library only.

A library would be a quarter of our installed size; a test compares the ids with the original tokenizer's.
"""

import json
import re
import unicodedata
from array import array
from collections.abc import Iterable
from pathlib import Path

from commonplace.text.recent_cache import RecentCache

UNKNOWN = "[UNK]"
CLS, SEP = 101, 102
LONGEST_WORD = 100
CACHED_WORDS = 50_000
NUMBER = "I"

_SPECIAL = re.compile(r"(\[(?:PAD|UNK|CLS|SEP|MASK)\])")
_PLAIN = re.compile(r"[a-z0-9]+|[!-/:-@\[-`{-~]")
_CJK = re.compile(
    "([\u4e00-\u9fff\u3400-\u4dbf\U00020000-\U0002a6df\U0002a700-\U0002b73f\U0002b740-\U0002b81f"
    "\U0002b920-\U0002ceaf\uf900-\ufaff\U0002f800-\U0002fa1f])"
)


class WordPiece:
    """Text to token ids, without special tokens. Thread-safe."""

    def __init__(self, vocabulary: dict[str, int]) -> None:
        self._vocabulary = vocabulary
        self.unknown = vocabulary[UNKNOWN]
        self.word = RecentCache(self._split, CACHED_WORDS).__getitem__
        """The concatenated ids of one of the ``bare_words``."""

    @classmethod
    def load(cls, path: Path) -> "WordPiece":
        return cls(json.loads(path.read_text(encoding="utf-8"))["model"]["vocab"])

    def ids(self, text: str) -> list[int]:
        return list(array(NUMBER, self.packed(text)))

    def packed(self, text: str, words: Iterable[str] | None = None) -> bytes:
        """The ids concatenated, each as an ``array`` of ``NUMBER``; ``words``: its ``bare_words``, if already
        computed.
        """
        if "[" not in text:
            return b"".join(map(self.word, bare_words(text) if words is None else words))
        packed: list[bytes] = []
        for part in _SPECIAL.split(text):
            if part in self._vocabulary and _SPECIAL.fullmatch(part):
                packed.append(array(NUMBER, [self._vocabulary[part]]).tobytes())
            else:
                packed += map(self.word, bare_words(part))
        return b"".join(packed)

    def _split(self, word: str) -> bytes:
        """The longest piece, repeatedly; a word with an unknown rest is unknown as a whole."""
        unknown = array(NUMBER, [self.unknown]).tobytes()
        if len(word) > LONGEST_WORD:
            return unknown
        vocabulary, ids, inner = self._vocabulary, array(NUMBER), ""
        while word:
            piece = inner + word
            while piece not in vocabulary:
                piece = piece[:-1]
                if piece == inner:
                    return unknown
            ids.append(vocabulary[piece])
            word = word[len(piece) - len(inner) :]
            inner = "##"
        return ids.tobytes()


def bare_words(text: str) -> list[str]:
    """Lower case, without accents, split at white space; punctuation and CJK characters stand alone."""
    if text.isascii():
        return _PLAIN.findall(text.lower() if text.isprintable() else "".join(map(_cleaned, text)).lower())
    words: list[str] = []
    spaced = _CJK.sub(r" \1 ", "".join(map(_cleaned, text)))
    bare = "".join(letter for letter in unicodedata.normalize("NFD", spaced) if unicodedata.category(letter) != "Mn")
    for chunk in bare.lower().split():
        words += _apart(chunk)
    return words


def _cleaned(letter: str) -> str:
    if letter in "\t\n\r":
        return " "
    if letter in "\x00\ufffd" or unicodedata.category(letter) in ("Cc", "Cf", "Co"):
        return ""
    return " " if letter.isspace() else letter


def _apart(chunk: str) -> list[str]:
    pieces, start = [], 0
    for place, letter in enumerate(chunk):
        if letter in "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~" or unicodedata.category(letter)[0] == "P":
            pieces += [chunk[start:place], letter]
            start = place + 1
    return [word for word in [*pieces, chunk[start:]] if word]
