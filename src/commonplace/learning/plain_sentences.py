"""Sentences that no rule reads and the judge finds worth keeping: kept as they were said, in the third person.

The thresholds are chosen for precision on messages that the judge was not trained on; docs/learning-rules.md has the
figures.
"""

import calendar
import re
from collections.abc import Iterator
from dataclasses import asdict
from datetime import datetime

from commonplace.learning.matching import OF_ONESELF, is_reported, sentence_before, unread_sentences
from commonplace.learning.rules import PERFECT, Utterance, next_occurrence
from commonplace.learning.slots import possessive
from commonplace.model import Candidate, CandidateType, Category
from commonplace.providers.judge import Judge, TurnLabels
from commonplace.text.dates import find_dates
from commonplace.text.english import is_past, third_person
from commonplace.text.languages import guess
from commonplace.text.sentences import Span

WORTH, VAGUE_WORTH = 0.7, 1.4
"""How worth it a sentence must be to be kept; one that is short, names nobody, or speaks to the assistant."""
SHORT = 5
"""Words below which a sentence is short."""
MENTIONED = 0.3
"""Probability of a label from which on its sentence may change a belief."""
PASTED = 3
"""Line ends from which on a message may be a paste, which is looked at as a whole."""
SHORTEST, LONGEST = 2, 40
"""Words of a sentence that can be understood alone."""

_KEPT: dict[str, tuple[CandidateType, Category]] = {
    "fact": ("fact", "fact"), "preference": ("preference", "preference"), "instruction": ("preference", "preference"),
    "decision": ("decision", "decision"), "event": ("fact", "context"), "number": ("value", "context"),
    "lesson": ("lesson", "lesson"), "change": ("fact", "fact"), "correction": ("correction", "correction"),
}  # fmt: skip
_NEUTRAL = frozenset({"keep", "done"})
"""What somebody has done may be an event of their life, or a task: it counts neither way."""
_CHANGES = ("change", "correction", "event", "fact", "preference", "decision", "done")
_IGNORED = ("ack", "unreal", "question", "secret", "failure", "transient")
_LEAD = r"(?:(?:and|but|so|or|also|then|well|oh|ok|okay|yeah|yes|no|because),? )*"
_POINTS_BACK = re.compile(
    rf"{_LEAD}(?:he|she|it|they|this|that|these|those|which|who|his|her|hers|their|theirs|its|both|neither)\b",
    re.IGNORECASE,
)
_NAME_OR_NUMBER = re.compile(r"\d|(?<=[\w,] )[A-ZÀ-ÖØ-Þ]")
_TO_THE_ASSISTANT = re.compile(r"\b(?:you|your|yours)\b", re.IGNORECASE)


def sentence_candidates(turn: Utterance, judge: Judge, *, owner_name: str, before: str = "") -> Iterator[Candidate]:
    """What the owner's unread sentences teach, in their order; ``passing`` where they can only change a belief.

    ``before`` is what the owner said right before: "he starts on Monday" is about the one person named there.
    """
    if turn.text.count("\n") >= PASTED and judge.turn([("user", turn.text)])[0].transient >= 0.5:
        return  # a log or a listing: what looks like a sentence there is nobody's
    for span in _spans(turn.text):
        is_rest = _inside(turn.text, span.start)
        text = _plain(span) if is_rest else with_the_person(_plain(span), turn.text[: span.start].strip() or before)
        labels, without_stop = judge.turn([("user", span.text if text == _plain(span) else text), ("user", text)])
        label = _worth_keeping(labels, text, is_rest=is_rest)
        if label is not None and _worth_keeping(without_stop, text, is_rest=is_rest) is None:
            label = None  # a full stop alone must not make the difference
        if label is not None or (len(span.text.split()) >= SHORTEST and _may_change(labels)):
            yield _candidate(turn, span, text, owner_name, label)


def _spans(text: str) -> list[Span]:
    """The unread sentences; one that points back comes together with the sentence that it points to."""
    spans: list[Span] = []
    for sentence in unread_sentences(text):
        start = sentence.start
        if points_back(sentence.text) and not (start and _PERSON.match(sentence.text) and _person(text[:start])):
            before = sentence_before(text, start)
            start = start if before is None else before
            if spans and spans[-1].end > start:
                start = spans.pop().start
        if len(text[start : sentence.end].split()) <= LONGEST:
            spans.append(Span(start, sentence.end, text[start : sentence.end]))
    return spans


def _plain(span: Span) -> str:
    return " ".join(span.text.split()).rstrip(" .!")


_PERSON = re.compile(rf"(?P<lead>{_LEAD})(?:(?P<whose>his|her)(?= \w)|(?:he|she)(?=\b))", re.IGNORECASE)
_DATE_WORDS = frozenset(name for name in (*calendar.day_name, *calendar.month_name) if name)
_NAMED = re.compile(
    r"(?<![\w'-])(?<!\bin )(?<!\bat )(?<!\bto )(?<!\bfrom )(?<!\bof )(?<!\bon )(?<!\bnear )"
    r"(?P<name>[A-ZÀ-ÖØ-Þ][\w-]*[a-zà-ÿ])\b"
)
_SAYS = re.compile(r"(?:'s\b|,? (?:is|was|has|had|got|will|can|and|\w{3,}s)\b)")
"""What stands behind a name that begins a sentence."""


def with_the_person(text: str, before: str) -> str:
    """A sentence that begins with "he" or "she", with the one person instead whom the words before it name."""
    match = _PERSON.match(text)
    person = _person(before) if match else None
    if match is None or person is None:
        return text
    return text[: match.end("lead")] + person + ("'s" if match["whose"] else "") + text[match.end() :]


def _person(before: str) -> str | None:
    names = {
        match["name"]
        for match in _NAMED.finditer(before)
        if match["name"] not in _DATE_WORDS and (_inside(before, match.start()) or _SAYS.match(before, match.end()))
    }
    return names.pop() if len(names) == 1 else None


def _inside(text: str, place: int) -> bool:
    """Whether a place is not where a sentence begins, which has a capital anyway."""
    return text[:place].rstrip(" ")[-1:] not in ("", ".", "!", "?", "\n", ":")


def _candidate(turn: Utterance, span: Span, text: str, owner_name: str, label: str | None) -> Candidate:
    type, category = _KEPT[label or "fact"]
    starts, ends = _bounds(text, label, turn)
    return Candidate(
        type=type,
        statement=in_third_person(text, owner_name) if guess(text) == "en" else f"{owner_name} said: {text}",
        kind="associative",
        category=category,
        quote=span.text,
        episode=turn.episode,
        confidence=0.7,
        passing=label is None,
        valid_from=starts,
        valid_to=ends,
    )


def _bounds(text: str, label: str | None, turn: Utterance) -> tuple[datetime | None, datetime | None]:
    """When a sentence begins and ends to hold, where its dates say so.

    "Until Sunday" ends it. A change that is to come begins on its day. What is told in the present of today, this week
    or next Friday is over after that, and so is an event on a day and at a time; else a date may recur (a birthday).
    """
    language = guess(text)
    words = re.findall(r"[\w']+", text)
    past = any(is_past(word) or word.casefold() in PERFECT for word in words) if language == "en" else True
    starts: datetime | None = None
    ends: datetime | None = None
    dates = find_dates(text, turn.at, language)
    once = _TIME_OF_DAY.search(text) or (len(dates) > 1 and _PLANNED.search(text))
    for date in dates:
        last = next_occurrence(date.last, date.text, turn.at)
        if date.first.year == 1:
            ends = last
        elif (
            (date.kind == "relative" or (once and label == "event" and date.kind == "absolute" and last > turn.at))
            and not past
            and label != "change"
        ):
            ends = max(last, ends or last) if last > turn.at else ends
        elif label == "change" and not past and date.kind != "recurring" and date.first + (last - date.last) > turn.at:
            starts = date.first + (last - date.last)
    return starts, ends


_TIME_OF_DAY = re.compile(r"\b\d{1,2}[:.h]\d\d\b|\b\d{1,2} ?[ap]m\b", re.IGNORECASE)
_PLANNED = re.compile(r"(?:'m|'re|'s|\b(?:am|is|are|be)) (?:\w+ )?\w+ing\b|\bwill\b|'ll\b", re.IGNORECASE)
"""What has a date and a time of day, or is going to be done from a day to a day, happens once; a birthday comes again,
and a trip without an end goes on."""


def _worth_keeping(labels: TurnLabels, sentence_text: str, *, is_rest: bool = False) -> str | None:
    """The label for which a sentence is kept; None if it is not. A correction alone only changes what is believed."""
    scores: dict[str, float] = asdict(labels)
    label = max((name for name in _KEPT if name != "correction"), key=lambda name: scores[name])
    others = max(score for name, score in scores.items() if name not in _KEPT and name not in _NEUTRAL)
    worth = labels.keep + scores[label] - others
    words = len(sentence_text.split())
    names = OF_ONESELF.search(sentence_text) or _NAME_OR_NUMBER.search(sentence_text)
    to_assistant = label != "instruction" and _TO_THE_ASSISTANT.search(sentence_text)
    vague = is_rest or words < SHORT or not names or to_assistant or is_reported(sentence_text)
    if worth < (VAGUE_WORTH if vague else WORTH) or words <= SHORTEST or points_back(sentence_text):
        return None
    return label


def _may_change(labels: TurnLabels) -> bool:
    scores: dict[str, float] = asdict(labels)
    change = max(scores[name] for name in _CHANGES)
    return change >= MENTIONED and change > max(scores[name] for name in _IGNORED)


def points_back(sentence_text: str) -> bool:
    """Whether a sentence begins with a pronoun, so that it means something said before it."""
    return _POINTS_BACK.match(sentence_text) is not None


def names_nothing(sentence_text: str) -> bool:
    """Whether a sentence is short and without a name or number, so that what it changes was said right before."""
    return len(sentence_text.split()) <= SHORT + 1 and not _NAME_OR_NUMBER.search(sentence_text.replace(" I ", " "))


_ADVERB = r"(?:just|also|always|never|still|now|only|no longer|\w+ly) "
_FIRST_PERSON = re.compile(
    r"\b(?:(?P<be>I'm|I am|im)|(?P<have>I've|ive)|(?P<will>I'll)|(?P<would>I'd)|(?P<me>(?<!let )me|myself)|"
    rf"(?P<my>my)|(?P<mine>mine)|I (?P<adverb>{_ADVERB})?(?P<verb>[\w']+))\b",
    re.IGNORECASE,
)
_WITH_ANOTHER = re.compile(r"(?!I\b)\S+(?: \S+)? and ", re.IGNORECASE)
_OF_BEING = {
    "am": "is",
    "was": "was",
    "were": "was",
    "have": "has",
    "do": "does",
    "don't": "doesn't",
    "haven't": "hasn't",
}
_UNCHANGED = frozenset(
    "can can't cannot could couldn't will won't would wouldn't must mustn't should shouldn't may might had hadn't did "
    "didn't wasn't used and or".split()
)


def in_third_person(said: str, name: str) -> str:
    """An English sentence of the owner's, told of the owner by name."""

    def told(match: re.Match[str]) -> str:
        whose, verb = match.groupdict(), (match["verb"] or "").casefold()
        if (verb or whose["be"] or whose["have"]) and _WITH_ANOTHER.fullmatch(said, 0, match.start()):
            plural = "are" if whose["be"] or verb == "am" else "have" if whose["have"] else match["verb"]
            return f"{name} {match['adverb'] or ''}{plural}"
        if whose["my"] or whose["mine"]:
            return possessive(name)
        if whose["me"]:
            return name
        if verb:
            return f"{name} {match['adverb'] or ''}{_agreeing(verb, match['verb'])}"
        return f"{name} {'is' if whose['be'] else 'has' if whose['have'] else 'will' if whose['will'] else 'would'}"

    text = _FIRST_PERSON.sub(told, said)
    return text[:1].upper() + text[1:]


def _agreeing(verb: str, spelled: str) -> str:
    if verb in _OF_BEING:
        return _OF_BEING[verb]
    return spelled if verb in _UNCHANGED or is_past(verb) else third_person(spelled)
