"""Finds what to write down at once in a user's message: corrections, decisions, priorities, values, tasks, rules. Pure.

The language rules of `learning` find what they know, sentence forms and identifiers find simple variations, and the
judge's labels find the rest if given. In a write-ahead log a miss costs more than a false alarm.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import cache
from itertools import islice
from typing import TYPE_CHECKING

from commonplace.lazy import pattern
from commonplace.notebook import corrections, grammar
from commonplace.notebook.answers import Labeller
from commonplace.text.identifiers import identifiers
from commonplace.text.sentences import sentences, typed_sentences

if TYPE_CHECKING:
    from commonplace.providers.judge import TriggerLabels

MAX_CHARACTERS = 4_000
"""Longer messages are pasted text; only their beginning is read."""
MAX_SENTENCES = 40
MAX_RUN = 240
"""Maximum characters of sentences without capitals that are kept together."""
ALONE = ("task", "lesson", "next")
"""Kinds of lines that are read as a list."""
MAX_OPENING = 2
"""Maximum words of a sentence that only introduces a correction."""
LIKELY, POSSIBLE = 0.45, 0.4
"""Minimum probability of a trigger: by itself, and if the sentence form confirms it."""
FORMS: tuple[tuple[grammar.Form, str], ...] = (
    ("lesson", "lesson"),
    ("corrected", "correction"),
    ("agreed", "decision"),
    ("chosen", "decision"),
    ("prohibited", "architecture"),
    ("order", "priority"),
    ("urgent", "priority"),
    ("unfinished", "task"),
    ("standing", "architecture"),
    ("duty", "task"),
)
LABELLED = {"next": "next", "task": "task", "blocker": "priority", "lesson": "lesson", "decision": "decision"}
REASONED = ("decision", "architecture", "priority", "correction")
VALUES = ("url", "email", "version", "ticket", "hash")
"""Identifiers that are noted in any statement; a path or a name in code needs more."""


@dataclass(frozen=True, slots=True)
class NotedSentence:
    """A part of a message that is worth a line in the notebook."""

    kind: str
    quote: str


def find_triggers(
    text: str, known: Sequence[tuple[str, str]] = (), *, labeller: Labeller | None = None
) -> list[NotedSentence]:
    """The triggers of a message in order. ``known`` are (kind, quote) that the language rules found."""
    # fenced code and quoted lines are blanked, so that positions stay the same
    prose = _fenced().sub(lambda match: re.sub(r"[^\n]", " ", match[0]), text[:MAX_CHARACTERS])
    rules = {quote for kind, quote in known if kind == "preference" and grammar.matches("lesson", quote)}
    known = [("lesson" if quote in rules else kind, _with_reason(text, kind, quote)) for kind, quote in known]
    known = list(dict.fromkeys((kind, _with_values(prose, quote)) for kind, quote in known))
    if labeller and known:
        chances = labeller.triggers([quote for _, quote in known])
        known = [entry for entry, likely in zip(known, chances, strict=True) if likely.trigger >= POSSIBLE]
    triggers = [(max(text.find(quote), 0), NotedSentence(kind, quote)) for kind, quote in known]
    spans = [(start, sentence) for start, sentence in _sentences(prose) if not _covered(sentence, known)]
    labels = labeller.triggers([sentence for _, sentence in spans]) if labeller and spans else [None] * len(spans)
    for (start, sentence), likely in zip(spans, labels, strict=True):
        kind = _kind(sentence, likely)
        if kind is None or any(sentence in trigger.quote for _, trigger in triggers):
            continue
        quote = sentence if kind in ALONE else _with_neighbours(prose, start, sentence, known)
        triggers.append((start, NotedSentence(kind, quote)))
    return [trigger for _, trigger in sorted(triggers, key=lambda entry: entry[0])]


def _with_neighbours(prose: str, start: int, sentence: str, quotes: Sequence[tuple[str, str]]) -> str:
    """A sentence with its neighbours that were typed without capitals, for context."""
    for span in sentences(prose):
        if span.start <= start < span.end and len(span.text) <= MAX_RUN and not _covered(span.text, quotes):
            return span.text.strip()
    return sentence


def _with_reason(text: str, kind: str, quote: str) -> str:
    """A decision's quote with the reason that follows it in the same sentence."""
    end = text.find(quote) + len(quote)
    reason = grammar.search("reason", text[end:]) if kind in REASONED and quote in text else None
    if reason is None or reason.start() > 0:
        return quote
    last = next((span.end for span in sentences(text) if span.start < end <= span.end), end)
    return text[end - len(quote) : last].rstrip(" .!\n") if last > end else quote


def _with_values(prose: str, quote: str) -> str:
    """The whole sentence instead of a quote from it, if the rest has another branch, port or ticket."""
    whole = next((sentence for _, sentence in _sentences(prose) if quote in sentence), quote)
    rest = whole.replace(quote, " … ")
    states_value = _states_setting(rest) or any(name.kind in VALUES for name in identifiers(rest))
    return whole.rstrip(" .!") if whole != quote and "?" not in whole and states_value else quote


def _kind(sentence: str, likely: "TriggerLabels | None") -> str | None:
    if "?" in sentence or any(grammar.matches(form, sentence) for form in ("machine", "courtesy")):
        return None
    labelled = grammar.label(sentence)
    if labelled and labelled[1] and labelled[0] in LABELLED:
        return LABELLED[labelled[0]]
    kind = _by_form(sentence)
    if likely is None or (kind and likely.trigger >= POSSIBLE):
        return kind
    return _by_labels(likely) if likely.trigger >= LIKELY else None


def _by_form(sentence: str) -> str | None:
    if len(sentence.split()) > 1 and (corrections.sounds_like_one(sentence, 0) or corrections.contrasts(sentence)):
        return "correction"
    if grammar.matches("asked", sentence):
        return None
    for form, kind in FORMS:
        if grammar.matches(form, sentence):
            return kind
    states_value = _states_setting(sentence) or any(name.kind in VALUES for name in identifiers(sentence))
    return "value" if states_value else None


def _by_labels(likely: "TriggerLabels") -> str:
    """The kind with the judge's highest probability."""
    scores: dict[str, float] = asdict(likely)
    label = max((name for name in scores if name != "trigger"), key=lambda name: scores[name])
    return {"rule": "lesson", "todo": "task"}.get(label, label)


def _states_setting(sentence: str) -> bool:
    """Whether a sentence states a branch, a port, or a setting with its value."""
    return bool(_setting().search(sentence)) or grammar.matches("quantity", sentence)


def _sentences(prose: str) -> Iterator[tuple[int, str]]:
    opening: int | None = None
    for span in islice(typed_sentences(prose), MAX_SENTENCES):
        start, opening = span.start if opening is None else opening, None
        text = prose[start : span.end].strip()
        if len(text.split()) <= MAX_OPENING and corrections.sounds_like_one(f"{text} ", 0):
            opening = start  # "no." belongs to the correction after it
        elif any(letter.isalpha() for letter in text):
            yield start, text


def _covered(sentence: str, quotes: Sequence[tuple[str, str]]) -> bool:
    return any(quote in sentence or sentence in quote for _, quote in quotes)


_fenced = pattern(r"^(```+|~~~+).*?(?:^\1|\Z)|^>.*$", re.M | re.S)


@cache
def _setting() -> re.Pattern[str]:
    name, value = (
        r"[\w .-]{1,40}?[^\W\d]\)?",
        r"[\w./:@%+-]*\d[\w./:@%+-]*|[\w-]+/[\w./-]+|true|false|on|off|yes|no|`[^`]+`",
    )
    return re.compile(
        rf"^{name}\s*[:=]\s*(?:{value})[\s.,;]*$|\b[A-Z][A-Z0-9_]{{2,}}\s*=\s*\S+|`[\w.-]+\s*[=:]\s*[^`]+`"
        r"|\bport\s+(?:is\s+|to\s+)?\d{2,5}\b|\blocalhost:\d+|\b\d{1,3}(?:\.\d{1,3}){3}(?::\d+)?\b"
        r"|(?<![\w./-])(?:origin|upstream|feature|feat|fix|bugfix|hotfix|release|chore|docs|refactor|topic)/(?![\w./-]*\.[a-z]{2,4}\b)[\w][\w./-]+(?<!\.)"
        r"|\b(?:branch|rama|branche|ramo|zweig)\b\W+(?:\w+\W+){0,2}[`'\"]?[\w.-]+[/_-][\w./-]+",
        re.I,
    )
