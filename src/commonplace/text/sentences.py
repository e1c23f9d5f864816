"""Splits a text into sentences and clauses, as spans of the original."""

import json
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

from commonplace.lazy import pattern


class Span(NamedTuple):
    """A part of a text: ``text[start:end]``."""

    start: int
    end: int
    text: str


_NEAR = 120


def sentences(text: str) -> list[Span]:
    """The sentences of a text, without white space and bullets between them.

    A line is a sentence too, unless it is wrapped text that continues in lower case.
    """
    spans = []
    at = 0
    for match in _end().finditer(text):
        start, end = match.span()
        if match["line"]:
            is_end = not _wrapped(text, start, end)
        else:
            is_end = match["stop"] is None or _ends_sentence(text, match)
        if is_end:
            spans += _trimmed(text, at, end)
            at = end
    return spans + _trimmed(text, at, len(text))


def typed_sentences(text: str) -> Iterator[Span]:
    """Sentences, also of people who begin them with a lower-case letter."""
    for start, end, sentence in sentences(text):
        at = 0
        for stop in _small_stop().finditer(sentence):
            yield Span(start + at, start + stop.end(1), sentence[at : stop.end(1)])
            at = stop.end()
        yield Span(start + at, end, sentence[at:])


def clauses(text: str) -> list[Span]:
    """The independent parts of a text, without the words that join them.

    ``"I live in Oslo, and I work at Acme."`` has two. Lists of things ("tea, coffee and milk") stay whole.
    """
    spans = []
    for sentence in sentences(text):
        at = sentence.start
        for match in _joint().finditer(text, sentence.start, sentence.end):
            before = text[max(at, match.start() - _NEAR) : match.start()]
            if not _joins(match, before, text[match.end() : min(sentence.end, match.end() + _NEAR)]):
                continue
            spans += _trimmed(text, at, match.start())
            at = match.end()
        spans += _trimmed(text, at, sentence.end)
    return spans


def _ends_sentence(text: str, match: re.Match[str]) -> bool:
    """Whether a full stop, possibly with closing quotes, ends a sentence."""
    if match["stop"].strip(".…"):
        return True
    before = text[max(0, match.start() - 24) : match.start()].split()
    word = before[-1].lstrip("([\"'“‘").lower() if before else ""
    after = text[match.end() : match.end() + 3].lstrip()[:1]
    if after.islower() and not _at_line_end(text, match.end()):
        return False
    if word in _listed("titles") or (len(word) == 1 and word.isalpha() and word != "i"):
        return not after or _at_line_end(text, match.end())
    if word in _listed("before numbers"):
        return not after.isdigit()
    if word.isdigit() and len(word) <= 2:
        # "1. Buy milk" is a bullet, "am 7. Mai" a date.
        opens = text[max(0, match.start() - 8) : match.start()].rstrip("0123456789").rstrip(" \t")
        follows = text[match.end() : match.end() + 12].split()
        month = bool(follows) and follows[0].strip(".,").lower() in _listed("months")
        return not month and not (opens == "" or opens[-1] == "\n")
    return True


def _at_line_end(text: str, at: int) -> bool:
    following = text[at : at + 4].lstrip(" \t")
    return not following or following[0] == "\n"


def _wrapped(text: str, start: int, end: int) -> bool:
    """Whether a line break is inside a sentence: a long line, and the next one continues in lower case."""
    if text.count("\n", start, end) > 1 or end >= len(text) or not text[end].islower():
        return False
    line = text[text.rfind("\n", 0, start) + 1 : start]
    return len(line) > 50 and line[-1:] not in ".!?:;"


def _trimmed(text: str, start: int, end: int) -> list[Span]:
    """The span without outer white space, leading bullets and trailing commas; none if nothing is left."""
    while end > start and text[end - 1].isspace():
        end -= 1
    match = _opening().match(text, start, end)
    if match:
        start = match.end()
    return [Span(start, end, text[start:end])] if start < end else []


def _joins(match: re.Match[str], before: str, after: str) -> bool:
    if len(before.split()) < 2 or not after.strip(" .!?"):
        return False
    if match["hard"]:
        return len(after.split()) > 1
    words = [word.strip(".,!?\"'") for word in after.split(None, 3)[:3]]
    if len(words) < 2:
        return False
    first, second = words[0].lower().partition("'")[0], words[1].lower()
    verbs = _listed("verbs")
    return first in _listed("subjects") or words[0].lower() in verbs or (words[0].istitle() and second in verbs)


@cache
def _listed(name: str) -> frozenset[str]:
    """Words of ``sentences.json``: titles (never the end of a sentence), words that do not end one before a number,
    months (after a day), and the subjects and verbs that begin a clause.
    """
    return frozenset(json.loads(Path(__file__).with_suffix(".json").read_text("utf-8"))[name].split())


@cache
def _end() -> re.Pattern[str]:
    close = "[\"'”’»)\\]]{0,3}"
    # Possessive where a long run would otherwise be tried from every position.
    line = r"(?:\r?\n[ \t]*+)++|[\v\f\u2028\u2029]+"
    return re.compile(f"(?P<stop>(?<![.!?…‽])[.!?…‽]++){close}(?=\\s|$)|[。！？｡؟।]+[」』”’）]{{0,2}}|(?P<line>{line})")


_small_stop = pattern(
    r"([?!]+|(?:(?<=[^\W\d_]{3})|(?<=\d{3})|(?<=\d[a-z])|(?<=[a-z][a-z])(?=\. (?:he|she|we|it|they|i)\b))"
    r"(?<! etc)(?<! approx)(?<! prof)\.+)\s+(?=[^\W\d_A-Z])"
)
"""Where a sentence ends and the next begins with a lower-case letter."""
_opening = pattern(r"\s*(?:(?:[-*•‣◦–—>+]|\d{1,3}[.)]|[a-zA-Z]\)|\[[ xX]\])[ \t]+){0,3}\s*")


@cache
def _joint() -> re.Pattern[str]:
    hard = "but|however|whereas|although|though|while|because|ma|però|pero|aunque|mais|aber|obwohl|sondern|während|weil"
    soft = "and|so|or|plus|et|und|ou|oder|(?-i:e|ed|y|o)"
    joint = rf"(?P<hard>\s*+;\s++|\s++[–—]++\s++|\s++--\s++|,?\s++(?:{hard}),?\s++)|,?\s++(?:{soft})\s++"
    return re.compile(rf"(?<!\s)(?:{joint})", re.IGNORECASE)
