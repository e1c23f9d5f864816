"""Letters of other scripts that look like Latin ones: a table of the common ones, ``confusables.json``."""

import json
from functools import cache
from pathlib import Path


@cache
def folded() -> dict[int, str]:
    """Look-alikes of case-folded letters."""
    return _table("folded")


@cache
def capitals() -> dict[int, str]:
    """Look-alikes of capitals, and letters in boxes, circles and flags, which are symbols in Unicode."""
    table = _table("capitals")
    for start in (0x1F130, 0x1F150, 0x1F170, 0x1F1E6):
        table |= {start + n: chr(ord("A") + n) for n in range(26)}
    return table


def _table(name: str) -> dict[int, str]:
    groups = json.loads(Path(__file__).with_suffix(".json").read_text("utf-8"))[name]
    return {
        ord(letter): latin for letters, group in groups.items() for letter, latin in zip(letters, group, strict=True)
    }
