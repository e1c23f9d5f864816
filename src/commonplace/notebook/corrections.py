"""Finds what a correction withdraws, and which earlier note it means. Pure."""

import re
from collections.abc import Iterable
from functools import cache

from commonplace.notebook import grammar
from commonplace.notebook.lines import one_line
from commonplace.text.normal import fold
from commonplace.text.words import content_words

SHARED = 2
"""Minimum content words shared by a correction and its note, if no old value is named."""
SHARE = 0.5
CONTRASTS = 3
"""The first of the patterns: not … but, not …, instead of …"""
LONGEST = 6
"""Maximum words of a withdrawn value; more is a sentence of its own."""


def withdrawn(correction: str) -> list[str]:
    """The values that a correction withdraws: ``8080`` in "9090, not 8080"."""
    values = (match["old"].strip(" .,;:!?\"'`") for pattern in _patterns() for match in pattern.finditer(correction))
    return [old for old in values if old and len(old.split()) <= LONGEST]


def contrasts(sentence: str) -> bool:
    """Whether a sentence contrasts two values: "9090, not 8080". "From A to B" is a change or a range."""
    return any(pattern.search(sentence) for pattern in _patterns()[:CONTRASTS])


def affirmed(correction: str) -> str:
    """The correction without the withdrawn values, if the rest can stand alone."""

    def still_true(match: re.Match[str]) -> str:
        """The part of a match that holds: the new value in "not 8080 but 9090" and "from 8080 to 9090"."""
        return match[0] if len(match["old"].split()) > LONGEST else f" {match.groupdict().get('new') or ''}"

    remaining = correction
    for pattern in _patterns():
        remaining = pattern.sub(still_true, remaining)
    remaining = re.sub(r"\s+([,.;:!?)])", r"\1", one_line(remaining)).strip(" ,;:–—-(")
    return remaining or correction


def sounds_like_one(message: str, at: int) -> bool:
    """Whether the clause of a message that begins at ``at`` sounds like a correction."""
    before = message[:at]
    sentence = re.split(r"[.!?\n]\s", before)[-1]
    return grammar.matches("opening", (sentence + message[at : at + 40]).lstrip())


def meant(correction: str, notes: Iterable[tuple[str, str]], language: str = "en") -> str | None:
    """The id of the note that a correction means, of (id, text) newest first; None if none is close enough."""
    content = content_words(affirmed(correction), language)
    old = [content_words(item, language) for item in withdrawn(correction)]
    scores: dict[str, float] = {}
    for id, text in notes:
        note_content = content_words(text, language)
        if not note_content or fold(one_line(text)) == fold(one_line(correction)):
            continue
        shared = len(content & note_content)
        names_old_value = any(item and item <= note_content for item in old)
        near = shared >= SHARED and shared / max(len(content), len(note_content)) >= SHARE
        if names_old_value or (near and note_content - content and content - note_content):
            scores[id] = 2.0 * names_old_value + shared / len(note_content)
    return max(scores, key=scores.__getitem__, default=None)


@cache
def _patterns() -> tuple[re.Pattern[str], ...]:
    value = r"(?:[^,;:.!?()\n]|(?<=\w)[.:](?=\w))"
    end = r"(?=\s*(?:[,;:!?()\n]|\.(?:\s|$)|$))"
    shapes = (shape.replace("{VALUE}", value).replace("{END}", end) for shape in grammar.patterns("withdrawn"))
    return tuple(re.compile(rf"(?i)(?:(?<=\w),)?\s*{shape}") for shape in shapes)
