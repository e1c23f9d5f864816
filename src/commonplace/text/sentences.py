"""Where sentences and clauses begin and end, as spans of the text as it stands."""

import re
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from commonplace.lazy import pattern


class Span(NamedTuple):
    """A stretch of a text: ``text[start:end]`` is ``text``."""

    start: int
    end: int
    text: str


# Never the end of a sentence; those of the second list only before a number, days only before these months.
_TITLES = """mr mrs ms dr prof st sr sra srta dott dssa sig herr fr mme mlle m hr e.g i.e cf vs z.b d.h u.a p.ej ca
approx eds lt capt rev hon bzw ggf inkl evtl blvd"""
BEFORE_NUMBERS = "no nr fig vol pp p art ch sec op pt eq bk para kap abs bd"
_MONTHS = "januar februar märz april mai juni juli august september oktober november dezember jänner"

_NEAR = 120

_SUBJECTS = """i you he she it we they there my his her our their your its the this that these those a an
io tu lui lei noi voi loro mio mia yo el ella nosotros ellos ellas mi su je j il elle nous vous ils elles mon ma son
sa ich du er sie es wir ihr mein meine sein seine der die das"""

_VERBS = """is are was were am be been has have had do does did can could will would should must may might don't doesn't
isn't aren't wasn't won't can't didn't never always also then now goes go went gets get got likes like loves love
hates hate prefers prefer wants want needs need works work worked lives live lived moved moves uses use used has plays
play runs run ran owns own studies study studied speaks speak spoke bought buys sells sold drives drove eats ate
drinks drank thinks thought knows knew says said told met meets left took takes made makes plans plan started starts
stopped stops married born drives teaches taught learned learns wrote writes read reads keeps kept hopes feels felt
became enjoys collects visits visited travels grew"""


def sentences(text: str) -> list[Span]:
    """The sentences of a text, without the white space and bullets between them.

    A line is a sentence too, unless it is wrapped text that goes on in lower case.
    """
    spans = []
    at = 0
    for end in _ends(text):
        spans += _trimmed(text, at, end)
        at = end
    return spans + _trimmed(text, at, len(text))


def typed_sentences(text: str) -> Iterator[Span]:
    """Sentences, also of people who begin them with a small letter."""
    for start, end, sentence in sentences(text):
        at = 0
        for stop in _small_stop().finditer(sentence):
            yield Span(start + at, start + stop.end(1), sentence[at : stop.end(1)])
            at = stop.end()
        yield Span(start + at, end, sentence[at:])


def clauses(text: str) -> list[Span]:
    """The parts of a text that say something by themselves, without the words that join them.

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


def _ends(text: str) -> Iterator[int]:
    for match in _end().finditer(text):
        if match["line"]:
            if not _wrapped(text, match.start(), match.end()):
                yield match.end()
        elif match["stop"] is None or _ends_sentence(text, match):
            yield match.end()


def _ends_sentence(text: str, match: re.Match[str]) -> bool:
    """Whether a full stop, alone or with closing quotes, ends a sentence."""
    if match["stop"].strip(".…"):
        return True
    before = text[max(0, match.start() - 24) : match.start()].split()
    word = before[-1].lstrip("([\"'“‘").lower() if before else ""
    after = text[match.end() : match.end() + 3].lstrip()[:1]
    if after.islower() and not _at_line_end(text, match.end()):
        return False
    if word in _listed(_TITLES) or (len(word) == 1 and word.isalpha() and word != "i"):
        return not after or _at_line_end(text, match.end())
    if word in _listed(BEFORE_NUMBERS):
        return not after.isdigit()
    if word.isdigit() and len(word) <= 2:
        # "1. Buy milk" is a bullet, "am 7. Mai" a date.
        opens = text[max(0, match.start() - 8) : match.start()].rstrip("0123456789").rstrip(" \t")
        follows = text[match.end() : match.end() + 12].split()
        month = bool(follows) and follows[0].strip(".,").lower() in _listed(_MONTHS)
        return not month and not (opens == "" or opens[-1] == "\n")
    return True


def _at_line_end(text: str, at: int) -> bool:
    following = text[at : at + 4].lstrip(" \t")
    return not following or following[0] == "\n"


def _wrapped(text: str, start: int, end: int) -> bool:
    """Whether a line break stands within a sentence: a long line, and the next goes on in lower case."""
    if text.count("\n", start, end) > 1 or end >= len(text) or not text[end].islower():
        return False
    line = text[text.rfind("\n", 0, start) + 1 : start]
    return len(line) > 50 and line[-1:] not in ".!?:;"


def _trimmed(text: str, start: int, end: int) -> list[Span]:
    """The span without outer white space, bullets before it and joints' commas after it; none if nothing is left."""
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
    verbs = _listed(_VERBS)
    return first in _listed(_SUBJECTS) or words[0].lower() in verbs or (words[0].istitle() and second in verbs)


@cache
def _listed(words: str) -> frozenset[str]:
    return frozenset(words.split())


@cache
def _end() -> re.Pattern[str]:
    close = "[\"'”’»)\\]]{0,3}"
    # Possessive where a long run could be tried from each of its places.
    line = r"(?:\r?\n[ \t]*+)++|[\v\f\u2028\u2029]+"
    return re.compile(f"(?P<stop>(?<![.!?…‽])[.!?…‽]++){close}(?=\\s|$)|[。！？｡؟।]+[」』”’）]{{0,2}}|(?P<line>{line})")


_small_stop = pattern(
    r"([?!]+|(?:(?<=[^\W\d_]{3})|(?<=\d{3})|(?<=\d[a-z]))(?<! etc)(?<! approx)(?<! prof)\.+)\s+(?=[^\W\d_A-Z])"
)
"""Where a sentence ends and the next begins with a small letter."""
_opening = pattern(r"\s*(?:(?:[-*•‣◦–—>+]|\d{1,3}[.)]|[a-zA-Z]\)|\[[ xX]\])[ \t]+){0,3}\s*")


@cache
def _joint() -> re.Pattern[str]:
    hard = "but|however|whereas|although|though|while|because|ma|però|pero|aunque|mais|aber|obwohl|sondern|während|weil"
    soft = "and|so|or|plus|et|und|ou|oder|(?-i:e|ed|y|o)"
    joint = rf"(?P<hard>\s*+;\s++|\s++[–—]++\s++|\s++--\s++|,?\s++(?:{hard}),?\s++)|,?\s++(?:{soft})\s++"
    return re.compile(rf"(?<!\s)(?:{joint})", re.IGNORECASE)
