"""The fence around recalled text: what we injected is not learned again, what we inject cannot break out."""

import re
from functools import cache

FENCE = "memory_context"
PRIVATE = "private"

# Some hosts keep transcripts with the angle brackets as entities or JSON escapes.
_OPEN = r"(?:<|&lt;|&#0*60;|&#[xX]0*3[cC];|\\u003[cC]|\\x3[cC])"
_CLOSE = r"(?:>|&gt;|&#0*62;|&#[xX]0*3[eE];|\\u003[eE]|\\x3[eE])"
_SIGNS = "<&\\"
"""One of these begins every way to write the bracket."""
_UNSEEN = (
    "\u00ad\u0300-\u036f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f"
    "\u2060-\u2065\u3164\ufe00-\ufe0f\ufeff\uffa0"
)
_SMUGGLED = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x84\x86-\x9f\u202a-\u202e\u2066-\u206f\ufff0-\ufffb\U000e0000-\U000e0fff]"
)
_ANGLE = re.compile(
    rf"[<\ufe64\uff1c](?=[{_UNSEEN}]*[/!?|<\w\ufe64\uff0f\uff1c\uff5c])"
    rf"|(?:[<\ufe64\uff1c]|{_OPEN})(?=[\s{_UNSEEN}]*/?[\s{_UNSEEN}]*(?i:{FENCE}))"
)
_BRACKET = re.compile(r"\[(?=/?(?i:INST|SYS|SYSTEM|TOOL_CALLS?|AVAILABLE_TOOLS)\])")


def strip_private(text: str) -> str:
    """``text`` without what stands between ``<private>`` and ``</private>``; unclosed, without the rest."""
    return _without(text, PRIVATE)


def strip_injected(text: str) -> str:
    """``text`` without the blocks that we put before a model ourselves; unclosed, without the rest."""
    return _without(text, FENCE)


def escape(text: str) -> str:
    """``text`` as data inside the fence: readable, but no tag in it opens or closes anything.

    The bracket of everything that could pass for a tag becomes ``‹`` (``⟦`` for the square ones that some models
    know); characters that only a machine sees are dropped. Escaping twice is escaping once.
    """
    return _BRACKET.sub("⟦", _ANGLE.sub("‹", _SMUGGLED.sub("", text)))


def _without(text: str, name: str) -> str:
    """Blocks may be nested. What is left is joined by white space, so that it cannot add up to a new tag."""
    if not any(sign in text for sign in _SIGNS):
        return text
    kept, depth, start = [], 0, 0
    for tag in _tags(name).finditer(text):
        if depth == 0:
            kept.append(text[start : tag.start()])
        if not tag["alone"]:
            depth = max(0, depth + (-1 if tag["end"] else 1))
        start = tag.end()
    if not kept:
        return text
    if depth == 0:
        kept.append(text[start:])
    return _joined(kept)


def _joined(pieces: list[str]) -> str:
    out = ""
    for piece in pieces:
        apart = not out or not piece or out[-1].isspace() or piece[0].isspace()
        out += piece if apart else f" {piece}"
    return out.strip()


@cache
def _tags(name: str) -> re.Pattern[str]:
    rest = rf"(?:\s(?:(?!{_OPEN}|{_CLOSE}).){{0,500}}?)?\s*"
    return re.compile(rf"(?is){_OPEN}(?P<end>/?){name}{rest}(?P<alone>/?){_CLOSE}")
