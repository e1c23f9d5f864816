"""Normal forms: spellings that a person would call the same."""

import re
import unicodedata
from functools import cache

# Letters that carry a stroke or join two; no decomposition takes them apart.
_LETTERS = str.maketrans(
    {
        "ø": "o",
        "ł": "l",
        "đ": "d",
        "ð": "d",
        "þ": "th",
        "æ": "ae",
        "œ": "oe",
        "ı": "i",
        "ħ": "h",
        "ŧ": "t",
        "’": "'",
        "‘": "'",
        "ʼ": "'",
        "‐": "-",
        "‑": "-",
    }
)


@cache
def _marks() -> re.Pattern[str]:
    # Accents of Latin, Greek and Cyrillic, points of Hebrew and Arabic. Other scripts' marks are letters to them:
    # without them か is が and Thai loses its vowels.
    return re.compile("[\u0300-\u036f\u0483-\u0489\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u064b-\u065f\u0670\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff]")


@cache
def _invisible() -> re.Pattern[str]:
    return re.compile(
        "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164"
        "\ufe00-\ufe0f\ufeff\uffa0\ufff9-\ufffb\U000e0000-\U000e0fff]"
    )


def fold_case_kept(text: str) -> str:
    """Compatibility form without invisible characters and accents; upper case stays."""
    if text.isascii():
        return text
    text = unicodedata.normalize("NFKC", _invisible().sub("", text))
    text = _marks().sub("", unicodedata.normalize("NFD", text))
    return unicodedata.normalize("NFC", text).translate(_LETTERS)


def fold(text: str) -> str:
    """`fold_case_kept` and case folded: ``Café`` → ``cafe``, ``Straße`` → ``strasse``."""
    if text.isascii():
        return text.lower()
    return fold_case_kept(text).casefold().translate(_LETTERS)
