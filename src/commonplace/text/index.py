"""The entries of a document in the word index: its terms, with six bytes for each.

The bytes: document number (four), flags with the term's frequency, the document's length in terms.
"""

import math
from collections import Counter
from dataclasses import dataclass
from datetime import datetime
from struct import Struct

from commonplace.lazy import pattern
from commonplace.text.words import date_terms, words

RECORD = Struct("<IBB")

TURN, ASKS, TF = 0x80, 0x40, 0x3F
"""The second byte: part of a conversation; mostly a question; frequency of the term, at most 63."""

FIELD = "@"
"""Prefix of terms that are not from the text: the speaker (``@anna``), the day (``@d:2023-05-07``)."""

_HEAD = 2_000
_MOSTLY = 0.35
_EXACT = 127
_LONGEST = 4_000
_STEP = math.log(_LONGEST / _EXACT) / (255 - _EXACT)

LENGTHS: tuple[float, ...] = tuple(
    float(code) if code <= _EXACT else _EXACT * math.exp(_STEP * (code - _EXACT)) for code in range(256)
)
"""The value of each length code: exact to 127 terms, within 1.4 % to 4,000, then 4,000."""


def length_code(terms: int) -> int:
    """The byte for a document with this number of terms."""
    if terms <= _EXACT:
        return max(terms, 0)
    return min(255, _EXACT + round(math.log(terms / _EXACT) / _STEP))


@dataclass(frozen=True, slots=True)
class Entries:
    """A document's entries: each term with its flags, the length code, and the exact length.

    ``length`` is what the document adds to its namespace's statistics.
    """

    flags: dict[str, int]
    code: int
    length: int


def entries(
    text: str,
    *,
    turn: bool = False,
    speaker: str | None = None,
    said_at: datetime | None = None,
    language: str = "en",
) -> Entries:
    """Every term of a document. Fields and marked stop words do not count for the length."""
    terms = words(text, language)
    length = len([word for word in terms if word[:2] != "s:"])
    marks = (TURN if turn else 0) | (ASKS if turn and asking(text) > _MOSTLY else 0)
    flags = dict(Counter(terms))
    if marks or len(terms) > TF:
        flags = {word: min(count, TF) | marks for word, count in flags.items()}
    if speaker or said_at:
        flags |= dict.fromkeys(fields(speaker=speaker, said_at=said_at, language=language), 1 | marks)
    return Entries(flags, length_code(length), length)


def fields(*, speaker: str | None = None, said_at: datetime | None = None, language: str = "en") -> list[str]:
    """The field terms: each word of the speaker's name; the day, the month of that year, the month of any year."""
    terms = [FIELD + word for word in words(speaker or "", language)]
    if said_at is not None:
        terms += [FIELD + word for word in date_terms(said_at) if word[:2] in ("d:", "m:")]
    return list(dict.fromkeys(terms))


def asking(text: str) -> float:
    """The share of a text that is questions, by characters, from 0 to 1. Reads only the head of a long text."""
    if "?" not in text and "\uff1f" not in text:
        return 0.0
    question_size = total_size = 0
    for match in _sentence().finditer(text, 0, _HEAD):
        size = match.end() - match.start()
        total_size += size
        if match["end"] and ("?" in match["end"] or "\uff1f" in match["end"]):
            question_size += size
    return question_size / total_size if total_size else 0.0


_sentence = pattern(r"\S[^.!?\n\u3002\uff01\uff1f]*(?P<end>[.!?\u3002\uff01\uff1f]+)?")
