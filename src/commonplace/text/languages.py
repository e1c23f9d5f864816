"""The data of each language, from ``languages.json``: stop words, a stemmer, months, number words, elisions.

Everything is in folded form: lower case, without accents (`normal.fold`). The English stemmer is Porter2; the others
strip endings of number, gender and common verb forms, but not derivations.
"""

import json
import re
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import NamedTuple

from commonplace.text import english


class Language(NamedTuple):
    """One language. ``stem`` maps folded words; months map to 1–12.

    ``telling`` are stop words that short questions consist of: who, was, he, not.
    """

    code: str
    stops: frozenset[str]
    telling: frozenset[str]
    stem: Callable[[str], str]
    months: Mapping[str, int]
    short_months: Mapping[str, int]
    numbers: Mapping[str, str]
    elisions: frozenset[str] = frozenset()


LANGUAGES = ("en", "it", "es", "fr", "de")
DATA = Path(__file__).with_suffix(".json")

_SPELLED_UMLAUT = re.compile("(?<![aeq])([aou])e")


def language(code: str) -> Language:
    """The language of a code such as ``de`` or ``de-AT``; English for an unknown one."""
    return _language(code[:2].lower())


def month_number(name: str, language: Language) -> int:
    """The number of a month by its folded name, in that language or any other; 0 if it is none."""
    low = name.rstrip(".")
    month = language.months.get(low) or language.short_months.get(low)
    return month or next((_language(code).months[low] for code in LANGUAGES if low in _language(code).months), 0)


def guess(text: str) -> str:
    """The code of the language with the most stop words in a folded text; ``en`` if undecided."""
    vocabulary = set(text.split()[:200])
    best, best_count = "en", 0
    for code in LANGUAGES:
        shared = len(vocabulary & language(code).stops)
        if shared > best_count:
            best, best_count = code, shared
    return best


@cache
def _language(code: str) -> Language:
    languages = json.loads(DATA.read_text("utf-8"))
    code = code if code in languages else "en"
    words = languages[code]
    telling, numbers = words["telling"].split(), words["numbers"]
    return Language(
        code,
        frozenset(words["stops"].split() + telling),
        frozenset(telling),
        _STEMMERS.get(code) or _stripper(**words["stemmer"]),
        _numbered(words["months"]),
        _numbered(words["short_months"]),
        _digits(numbers["small"], numbers["tens"], numbers["one"], _COMPOUNDS.get(code, str.__add__)),
        frozenset(words.get("elisions", "").split()),
    )


def _numbered(names: str, start: int = 1) -> dict[str, int]:
    """``"a/b c"`` → a and b 1, c 2."""
    return {name: n for n, group in enumerate(names.split(), start) for name in group.split("/")}


def _digits(small: str, tens: str, unit: str, join: Callable[[str, str], str]) -> dict[str, str]:
    """Number words from two, tens from twenty, and the compounds that ``join`` makes of a ten and a unit.

    "One" alone is a pronoun or an article nearly everywhere. Compounds are without hyphens.
    """
    units, round_ones = _numbered(small, 2), {word: n * 10 for word, n in _numbered(tens, 2).items()}
    below = {unit: 1} | {word: n for word, n in units.items() if n < 10}
    compounds = {join(ten, word): n + m for ten, n in round_ones.items() for word, m in below.items()}
    return {word: str(n) for word, n in (units | round_ones | compounds).items()}


def _stripper(endings: str, shortest: int, tail: str, undoubled: bool = False) -> Callable[[str], str]:
    """Build a stemmer: it drops (or replaces: ``aux>al``) the first of ``endings`` that leaves ``shortest`` letters,
    then up to two letters of ``tail``; ``undoubled`` also drops the second of two equal final letters.
    """
    pairs = [(old, new) for old, _, new in (ending.partition(">") for ending in endings.split())]

    def stem(word: str) -> str:
        for old, new in pairs:
            if word.endswith(old) and len(word) - len(old) + len(new) >= shortest:
                word = word[: -len(old)] + new
                break
        for _ in range(2):
            if len(word) > shortest and word[-1] in tail:
                word = word[:-1]
        return word[:-1] if undoubled and len(word) > shortest and word[-1] == word[-2] else word

    return stem


def _german_stem(word: str) -> str:
    """Umlauts may be spelled with e; the participle's ge- is dropped, then an ending of case or person, then one of
    tense.
    """
    if len(word) >= 7 and word.startswith("ge") and word.endswith(("t", "en")):
        word = word[2:]
    word = _SPELLED_UMLAUT.sub(r"\1", word)
    for ending in ("ungen", "heiten", "keiten", "innen"):
        if word.endswith(ending) and len(word) >= 8:
            return word[:-2] if ending != "innen" else word[:-3]
    if len(word) > 3 and word[-1] == "s" and word[-2] in "bdfghklmnrt":
        word = word[:-1]
    for ending in ("est", "ern", "em", "er", "en", "es", "et", "e"):
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            word = word[: -len(ending)]
            break
    else:
        if len(word) > 4 and word.endswith("st") and word[-3] in "bdfghklmnrt":
            word = word[:-2]
    for ending in ("tet", "t"):
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            return word[: -len(ending)]
    return word


_STEMMERS: dict[str, Callable[[str], str]] = {"en": english.root, "de": _german_stem}
"""Languages whose stemmer needs more than a list of endings."""
_COMPOUNDS: dict[str, Callable[[str, str], str]] = {
    "it": lambda ten, unit: (ten[:-1] if unit[0] in "uo" else ten) + unit,
    "es": lambda ten, unit: ten[:-1] + "i" + unit,
    "de": lambda ten, unit: f"{unit}und{ten}",
}
"""How a ten and a unit are joined, where they are not simply concatenated."""
