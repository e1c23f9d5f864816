"""Finds strings that are written exactly: addresses, paths, versions, tickets, names in code."""

import re
from functools import cache, lru_cache
from typing import Literal, NamedTuple

from commonplace.lazy import pattern
from commonplace.text.normal import fold

IdentifierKind = Literal["url", "email", "path", "version", "ticket", "hash", "snake", "camel", "domain", "number"]


class Identifier(NamedTuple):
    """An identifier and its position: ``text[start:end]``."""

    text: str
    kind: IdentifierKind
    start: int
    end: int


def identifiers(text: str) -> list[Identifier]:
    """The identifiers of a text, in order, none inside another."""
    identifiers_here = []
    for match in _pattern().finditer(text):
        kind: IdentifierKind = match.lastgroup  # type: ignore[assignment]
        full = match[0].rstrip(".,;:!?)]}'\"") if kind in ("url", "path") else match[0]
        if kind == "hash" and not (_letters().search(full) and any(character.isdigit() for character in full)):
            kind = "number"
            if not full.isdigit():
                continue
        if kind == "path" and _either_or().fullmatch(full):
            continue
        identifiers_here.append(Identifier(full, kind, match.start(), match.start() + len(full)))
    return identifiers_here


def mentions(text: str, name: str) -> bool:
    """Whether ``text`` contains ``name`` as a whole.

    ``REQ-7`` is not in ``REQ-77``, ``nina@fir.dev`` not in ``nina.k@fir.dev``, Anna Berg not in Anna Bergman or Anna
    Berg-Olsen. Case and accents do not matter; ``Anna's`` mentions Anna.
    """
    pattern = _whole(" ".join(fold(name).split()))
    return pattern is not None and pattern.search(fold(text)) is not None


_plain_version = pattern(r"v?\d+(?:\.\d+)*(?:[-+.]?[a-z][\w.+-]*)?")
_letters = pattern("[a-fA-F]")
_either_or = pattern(r"[^\W\d_]+/[^\W\d_]+")
"""``and/or``, ``he/she``: a slash between two words is not a path."""


@lru_cache(maxsize=256)
def _whole(name: str) -> re.Pattern[str] | None:
    if not name:
        return None
    body = r"\s+".join(re.escape(part) for part in name.split(" "))
    if _plain_version().fullmatch(name) and "." in name:
        body = "v?" + re.escape(name.removeprefix("v"))
    return re.compile(_left(name) + body + _right(name))


def _left(name: str) -> str:
    first = name[0]
    if not (first.isalnum() or first == "_"):
        return r"(?<!\w)" if first in ".@-" else ""
    if _has_no_spaces(first):
        return ""
    slash = "" if name.replace(" ", "").isalpha() else "/"
    joined = rf"(?<!\w)(?<![\w][-.@+&{slash}])(?<!\w['’])"
    return joined + (r"(?<![-.,]\b)(?<!\d[.,:])(?<![-−])" if first.isdigit() else "")


def _right(name: str) -> str:
    last = name[-1]
    if not (last.isalnum() or last == "_"):
        return rf"(?![\w{re.escape(last)}])"
    if _has_no_spaces(last):
        return ""
    slash = "" if name.replace(" ", "").isalpha() else "/\\\\"
    possessive = r"(?!['’](?!(?:s|ll|d|re|ve|m)\b)\w)"
    single = "(?![+#])" if len(name) == 1 else ""
    return rf"(?!\w)(?![-.@+&_{slash}]\w)(?!,\d){single}{possessive}"


def _has_no_spaces(letter: str) -> bool:
    """Whether the letter's script has no spaces between words, so that there are no word boundaries."""
    return "\u0e00" <= letter <= "\u0eff" or "\u3040" <= letter <= "\u9fff" or "\uac00" <= letter <= "\ud7af"


@cache
def _pattern() -> re.Pattern[str]:
    # Lengths are bounded so that no text makes the search quadratic.
    label = r"[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?"
    segment = r"[\w.@+~-]{1,128}"
    return re.compile(
        rf"(?P<url>\b[A-Za-z][A-Za-z0-9+.-]{{1,10}}://[^\s<>\"]{{1,2000}}|\bwww\.[^\s<>\"]{{1,2000}})"
        rf"|(?P<email>(?<![\w.+-])[\w.+-]{{1,64}}@{label}(?:\.{label}){{1,6}})"
        rf"|(?P<path>(?<![\w/\\])(?:[A-Za-z]:\\|~/|\.{{1,2}}/|/)?(?:{segment}[/\\]){{1,30}}{segment}|(?<![\w/])[/~]/?{segment})"
        rf"|(?P<ticket>(?<![\w-])[A-Z][A-Z0-9]{{1,9}}-\d{{1,9}}(?![\w-])|(?<!\w)#\d{{1,9}}(?!\w))"
        rf"|(?P<version>(?<![\w.])(?:v\d{{1,9}}(?:\.\d{{1,9}}){{0,4}}|\d{{1,9}}(?:\.\d{{1,9}}){{2,4}})"
        rf"(?:[-+][0-9A-Za-z][0-9A-Za-z.+-]{{0,40}})?(?<![.+-])(?!\w))"
        rf"|(?P<hash>(?<![\w-])(?:[0-9a-f]{{8}}-(?:[0-9a-f]{{4}}-){{3}}[0-9a-f]{{12}}|[0-9a-fA-F]{{7,64}})(?![\w-]))"
        rf"|(?P<snake>(?<!\w)(?:_{{0,2}}[A-Za-z0-9]{{1,64}}(?:_{{1,2}}[A-Za-z0-9]{{1,64}}){{1,20}}_{{0,2}}|__?[A-Za-z]\w{{1,64}}))"
        rf"|(?P<domain>(?<![\w.@-]){label}(?:\.{label}){{0,4}}\.[a-z]{{2,12}}(?![\w-]))"
        rf"|(?P<camel>(?<!\w)[A-Za-z][a-z0-9]{{1,40}}(?:[A-Z][a-z0-9]{{0,40}}){{1,20}}(?!\w))"
        rf"|(?P<number>(?<![\w.])[-−]?\d{{1,20}}(?:[.,]\d{{1,20}})*(?!\w))"
    )
