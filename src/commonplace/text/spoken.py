"""Time expressions of each language, from ``spoken.json``, for `dates`.

Folded forms, as regular expressions. A season is the month in which it begins, as northern weather services count.
"""

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import NamedTuple

DATA = Path(__file__).with_suffix(".json")


class Spoken(NamedTuple):
    """One language's time words. ``parts`` are day offset, first and last hour; ``ago`` is the words before and
    after.
    """

    days: Mapping[str, int]
    parts: Mapping[str, tuple[int, int, int]]
    last: str
    this: str
    next: str
    units: Mapping[str, str]
    weekdays: Mapping[str, int]
    seasons: Mapping[str, int]
    ago: tuple[str, str]
    ahead: tuple[str, str]
    every: str
    since: str
    after: str
    until: str
    before: str
    during: str
    between: tuple[str, str]
    early: str
    some: Mapping[str, int]
    future: str


def spoken(code: str) -> Spoken:
    """The time words of a language; English for an unknown one."""
    return _spoken(code[:2].lower())


@cache
def _spoken(code: str) -> Spoken:
    languages = json.loads(DATA.read_text("utf-8"))
    words = languages.get(code, languages["en"])
    for field in ("ago", "ahead", "between"):
        words[field] = tuple(words[field])
    words["parts"] = {word: tuple(part) for word, part in words["parts"].items()}
    return Spoken(**words)
