"""Normal forms: spellings that a person takes for the same value become equal strings."""

import re
import unicodedata
from functools import cache

from commonplace.lazy import pattern
from commonplace.text import confusables
from commonplace.text.sentences import Span, clauses, sentences

__all__ = ["Span", "clauses", "fold", "fold_case_kept", "normal", "sentences", "visible"]

_STROKED, _BARE = "øØłŁđĐðÐıħĦŧŦ’‘ʼʻ‐‑", "oOlLdDdDihHtT" + "'" * 4 + "--"
"""Letters with a stroke, which Unicode does not decompose; apostrophes and hyphens."""
_JOINED = {"þ": "th", "Þ": "Th", "æ": "ae", "Æ": "Ae", "œ": "oe", "Œ": "Oe"}
_QUOTES = '"“”„‟«»″‶'
_APOSTROPHES = "'‘’‚‛‹›′`´ʼʻˈ"
_DASHES = "‐‑‒–—―−﹘﹣－⁃"
_FINAL = ".,;:!?。、·\"' "
_OPENING = "¿¡\"' "


def visible(text: str) -> str:
    """The text without invisible characters: zero widths, direction signs, selectors, tags."""
    return text if text.isascii() else _invisible().sub("", text)


def fold_case_kept(text: str) -> str:
    """Compatibility form without invisible characters and accents; case is kept."""
    if text.isascii():
        return text
    text = unicodedata.normalize("NFKC", visible(text))
    text = _marks().sub("", unicodedata.normalize("NFD", text))
    return unicodedata.normalize("NFC", text).translate(_letters())


def fold(text: str) -> str:
    """`fold_case_kept` and case folded: ``Café`` → ``cafe``, ``Straße`` → ``strasse``."""
    if text.isascii():
        return text.lower()
    return fold_case_kept(text).casefold().translate(_letters())


def normal(text: str) -> str:
    """The normal form of a value, for fingerprints and equality. ``normal(normal(x)) == normal(x)``.

    Case, accents, invisible characters, look-alike letters, kinds of quote, dash and space, and punctuation around
    the whole do not matter. Digits, signs within (``-5``, ``C++``, ``a@b.c``) and the order of words do.
    """
    # One pass can expose what the next one folds; three always suffice.
    for _ in range(4):
        before = text
        if not text.isascii():
            text = _power().sub(r"^\1", visible(text)).translate(_signs())
            text = fold_case_kept(text).translate(_signs())
            text = _word().sub(_without_lookalikes, text)
        text = " ".join(fold(text).split())
        text = text.rstrip(_FINAL).lstrip(_OPENING) or text
        if text == before:
            break
    return text


def _without_lookalikes(match: re.Match[str]) -> str:
    """A word with its look-alike letters replaced by Latin ones.

    A word of another script stays as it is, unless every letter of it is a look-alike.
    """
    word = match[0]
    if word.isascii():
        return word
    if any("a" <= letter <= "z" or "A" <= letter <= "Z" for letter in word):
        return word.translate(confusables.capitals()).casefold().translate(confusables.folded())
    passed = word.casefold().translate(confusables.folded())
    if passed.isascii():
        return passed
    passed = word.translate(confusables.capitals())
    return passed if passed.isascii() and not word.islower() and word.casefold() == word else word


@cache
def _letters() -> dict[int, str]:
    return str.maketrans(dict(zip(_STROKED, _BARE, strict=True)) | _JOINED)


@cache
def _signs() -> dict[int, str]:
    table: dict[int, str] = dict.fromkeys(map(ord, _QUOTES), '"')
    table |= dict.fromkeys(map(ord, _APOSTROPHES), "'")
    table |= dict.fromkeys(map(ord, _DASHES), "-")
    # The lunate sigma looks like a c; the compatibility form would make it a common sigma.
    return table | {ord("ϲ"): "c", ord("Ϲ"): "C"}


_marks = pattern(
    "[\u0300-\u036f\u0483-\u0489\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u064b-\u065f\u0670"
    "\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]"
)
_invisible = pattern(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u2800\u3164"
    "\ufe00-\ufe0f\ufeff\uffa0\ufff9-\ufffb\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)
_power = pattern("(?<=[0-9])([⁰¹²³⁴-⁹]+)")
_word = pattern("[\\w\U0001f130-\U0001f189\U0001f1e6-\U0001f1ff]+")
