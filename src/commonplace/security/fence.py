"""The fence around recalled text: injected blocks are not learned again, and recalled text cannot close its block."""

import re
from functools import cache

FENCE = "memory_context"
PRIVATE = "private"

# Some hosts store transcripts with angle brackets as entities or JSON escapes. HTML readers accept entities without
# their semicolon, and doubly encoded text becomes an entity again after decoding.
_AMPERSAND = r"&(?:(?:amp|AMP);?|#0*38;|#[xX]0*26;)*"


def _spelled(sign: str, entity: str) -> str:
    """A pattern for every spelling of an ASCII character."""
    number, digits = str(ord(sign)), "".join(f"[{digit}{digit.upper()}]" for digit in f"{ord(sign):x}")
    entities = (
        rf"(?:{entity}|{entity.upper()});?|nv{entity};|#0*{number}(?:;|(?!\d))|#[xX]0*{digits}(?:;|(?![\da-fA-F]))"
    )
    return rf"(?:{sign}|{_AMPERSAND}(?:{entities})|\\u00{digits}|\\x{digits}|\\u\{{0*{digits}\}})"


_OPEN, _CLOSE = _spelled("<", "lt"), _spelled(">", "gt")
_SIGNS = "<&\\"
"""Every spelling of the bracket begins with one of these."""
_SMUGGLED = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x84\x86-\x9f\u202a-\u202e\u2066-\u206f\ufff0-\ufffb\U000e0000-\U000e0fff]"
)
_ANGLE = re.compile(rf"[\ufe64\uff1c]|{_OPEN}")
_BRACKET = re.compile(r"\[(?=/?(?i:INST|SYS|SYSTEM|TOOL_CALLS?|AVAILABLE_TOOLS)\])")


def strip_private(text: str) -> str:
    """``text`` without ``<private>…</private>`` blocks; an unclosed tag removes everything after it."""
    return _without(text, PRIVATE)


def strip_injected(text: str) -> str:
    """``text`` without blocks that we injected; an unclosed tag removes everything after it."""
    return _without(text, FENCE)


def escape(text: str) -> str:
    """``text`` as data inside the fence: readable, but no tag in it can open or close anything.

    Every ``<`` in any spelling becomes ``‹``. (``&lt;`` would not do: some hosts decode entities.) Square tags that
    some models know begin with ``⟦``. Control characters are dropped. Idempotent.
    """
    return _BRACKET.sub("⟦", _ANGLE.sub("‹", _SMUGGLED.sub("", text)))


def _without(text: str, name: str) -> str:
    """Blocks may be nested. The rest is joined by white space, so that it cannot form a new tag."""
    if not any(sign in text for sign in _SIGNS):
        return text
    outside, depth, start = [], 0, 0
    for tag in _tags(name).finditer(text):
        if depth == 0:
            outside.append(text[start : tag.start()])
        if not tag["alone"]:
            depth = max(0, depth + (-1 if tag["end"] else 1))
        start = tag.end()
    if not outside:
        return text
    if depth == 0:
        outside.append(text[start:])
    out = ""
    for piece in outside:
        apart = not out or not piece or out[-1].isspace() or piece[0].isspace()
        out += piece if apart else f" {piece}"
    return out.strip()


@cache
def _tags(name: str) -> re.Pattern[str]:
    attributes = rf"(?:\s(?:(?!{_OPEN}|{_CLOSE}).){{0,500}}?)?\s*"
    return re.compile(rf"(?is){_OPEN}(?P<end>/?){name}{attributes}(?P<alone>/?){_CLOSE}")
