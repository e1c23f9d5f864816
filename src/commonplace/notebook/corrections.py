"""What a correction takes back, and which earlier note it means; pure."""

import re
from collections.abc import Iterable
from functools import cache

from commonplace.notebook.lines import one_line
from commonplace.text.normal import fold
from commonplace.text.words import content_words

SHARED = 2
"""Words of content that a correction and the note it means have in common, where no old value is named."""
SHARE = 0.5
CONTRASTS = 3
"""The first of the patterns: not … but, not …, instead of …"""
LONGEST = 6
"""Words of a value that is taken back; more is a sentence of its own."""


def withdrawn(correction: str) -> list[str]:
    """The values that a correction says no longer hold: ``8080`` in "9090, not 8080"."""
    values = (match["old"].strip(" .,;:!?\"'`") for pattern in _patterns() for match in pattern.finditer(correction))
    return [old for old in values if old and len(old.split()) <= LONGEST]


def contrasts(sentence: str) -> bool:
    """Whether a sentence sets a value against another: "9090, not 8080". From one to another is a change or a span."""
    return any(pattern.search(sentence) for pattern in _patterns()[:CONTRASTS])


def affirmed(correction: str) -> str:
    """The correction without the values it takes back, where something is left that can stand alone."""

    def still_true(match: re.Match[str]) -> str:
        """What of a match holds: the new value in "not 8080 but 9090" and "from 8080 to 9090"."""
        return match[0] if len(match["old"].split()) > LONGEST else f" {match.groupdict().get('new') or ''}"

    remaining = correction
    for pattern in _patterns():
        remaining = pattern.sub(still_true, remaining)
    remaining = re.sub(r"\s+([,.;:!?)])", r"\1", one_line(remaining)).strip(" ,;:–—-(")
    return remaining or correction


def sounds_like_one(message: str, at: int) -> bool:
    """Whether the clause of a message that begins at ``at`` is said to put something right."""
    before = message[:at]
    sentence = re.split(r"[.!?\n]\s", before)[-1]
    return bool(_opening().match((sentence + message[at : at + 40]).lstrip()))


def meant(correction: str, notes: Iterable[tuple[str, str]], language: str = "en") -> str | None:
    """The id of the note that a correction is about, of (id, text) newest first; None if none is near enough."""
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
def _opening() -> re.Pattern[str]:
    words = (
        r"actually|wait|correction|sorry|scratch that|i misspoke|i was wrong|not quite|on second thought|"
        r"anzi|in realtà|scusa|correzione|en realidad|perdón|corrección|en fait|pardon|"
        r"eigentlich|doch nicht|korrektur|moment"
    )
    # "no new tables" and "non ho idea" put nothing right; "no, that one" and "no it's the other" do
    no = (
        r"(?:no|nope|nein|non|ah no)(?:\s*[,:.!;—–]|\s+(?:i|it|it's|that|that's|the|this|use|you|ich|das|der|die|je)\b)"
    )
    return re.compile(rf"(?i)(?:(?:oh|hm+|ah|ok(?:ay)?|well)[,.]?\s+)?(?:(?:{words})\b[,:.!—– ]|{no})")


@cache
def _patterns() -> tuple[re.Pattern[str], ...]:
    value = r"(?:[^,;:.!?()\n]|(?<=\w)[.:](?=\w))"
    end = r"(?=\s*(?:[,;:!?()\n]|\.(?:\s|$)|$))"
    no = r"\b(?:not|nicht|non|pas|no)\s+"
    # "9090, not 8080" and "not 8080", but never "we do not need it" or "no tengo idea"
    apart = r"(?:^(?=not|nicht|pas)|[,;:(–—]|\b(?:and|und|e|y|et)\b)\s*"
    but = r"\s*,?\s+(?:but|sondern|sino|mais|ma|bensì)\s+"
    instead = (
        r"\b(?:instead of|rather than|in place of|no longer|invece (?:di|che)|al posto di|en vez de|en lugar de|"
        r"au lieu d[e']|plutôt que|statt|anstatt|anstelle von)\s*"
    )
    moved = rf"\b(?:from|da|von)\s+(?P<old>{value}+?)\s+(?P<new>(?:to|a|auf|zu)\s+{value}+?){end}"
    swapped = rf"\b(?:replace|swap)\s+(?P<old>{value}+?)\s+(?:with|by|for)\s+(?P<new>{value}+?){end}"
    shapes = (
        rf"{no}(?P<old>{value}+?){but}(?P<new>{value}+?){end}",
        rf"{apart}{no}(?P<old>{value}+?){end}",
        rf"{instead}(?P<old>{value}+?){end}",
        moved,
        swapped,
    )
    return tuple(re.compile(rf"(?i)(?:(?<=\w),)?\s*{shape}") for shape in shapes)
