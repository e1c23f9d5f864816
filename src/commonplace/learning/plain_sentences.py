"""Sentences that no rule reads and the judge finds worth keeping: kept as they were said, in the third person.

The thresholds are chosen for precision on messages that the judge was not trained on; docs/learning-rules.md has the
figures.
"""

import calendar
import re
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from datetime import datetime, timedelta
from functools import lru_cache

from commonplace.learning.clauses import clause_spans
from commonplace.learning.languages.tables import LanguageRules
from commonplace.learning.matching import (
    LANGUAGES,
    compiled,
    is_reported,
    likely,
    sentence_before,
    unread_sentences,
)
from commonplace.learning.rules import PERFECT, YEARLY, Utterance, next_occurrence
from commonplace.learning.slots import possessive
from commonplace.model import Candidate, CandidateType, Category
from commonplace.providers.judge import Judge, TurnLabels
from commonplace.text.dates import find_dates
from commonplace.text.english import is_past, third_person
from commonplace.text.languages import guess
from commonplace.text.languages import language as spoken
from commonplace.text.sentences import Span, typed_sentences

KEPT_FROM = 0.5
"""Probability of being worth keeping from which on a sentence is kept; tools/judge/README.md has the shares."""
KEPT_JOINED = 0.4
"""The same of one of two sentences by itself, from which on both are kept together; chosen on tests/day."""
SECRET = 0.7
"""Probability of a password or a key from which on a sentence is not believed, also where its form was not redacted."""
SHORT = 5
"""Words below which a sentence is short."""
MENTIONED = 0.3
"""Probability of a label from which on its sentence may change a belief."""
LIKELY = 0.5
"""Probability of a label from which on a sentence is what it says."""
PASTED = 3
"""Line ends from which on a message may be a paste, which is looked at as a whole."""
SHORTEST, LONGEST = 2, 40
"""Words of a sentence that can be understood alone."""
FRAGMENT = 5
"""Words up to which what has no verb goes on with the sentence before it."""
SEVERAL = 0.3
"""Confidence where "he" may be one of several: it ends nothing by itself."""
CERTAINLY = 0.9
"""Probability of an event from which on its day is over for good."""
ALONE = 0.25
"""Probability of being understood alone below which a sentence comes with what was said before it."""
HOLDS = 0.35
"""Probability of holding longer than one of ``SPANS`` below which a sentence is over after it."""
SPANS = (("days", timedelta(days=3)), ("weeks", timedelta(days=14)), ("months", timedelta(days=92)))
"""The judge's outputs about how long a sentence holds, shortest first."""

_KEPT: dict[str, tuple[CandidateType, Category]] = {
    "fact": ("fact", "fact"), "preference": ("preference", "preference"), "instruction": ("preference", "preference"),
    "decision": ("decision", "decision"), "event": ("fact", "context"), "number": ("value", "context"),
    "lesson": ("lesson", "lesson"), "change": ("fact", "fact"), "correction": ("correction", "correction"),
}  # fmt: skip
_CHANGES = ("change", "correction", "event", "fact", "preference", "decision", "done", "number")
_IGNORED = ("ack", "unreal", "question", "secret", "failure", "transient")
_NAME_OR_NUMBER = re.compile(r"\d|(?<=[\w,] )[A-ZÀ-ÖØ-Þ]")


@dataclass(frozen=True, slots=True)
class Before:
    """What was said right before in the same conversation: the owner's messages, latest first, and what the assistant
    asked."""

    texts: tuple[str, ...] = ()
    question: str = ""


@dataclass(frozen=True, slots=True)
class _Sentence:
    """A sentence as it is looked at: ``text`` with its subject, ``context`` what it hangs on. ``several`` people may be
    its "he" or "she"."""

    span: Span
    text: str
    language: LanguageRules
    context: str = ""
    several: bool = False

    @property
    def in_full(self) -> str:
        if not self.context:
            return self.text
        return f"{self.context}{'' if self.context.endswith('?') else '.'} {self.text}"


def sentence_candidates(
    turn: Utterance, judge: Judge, *, owner_name: str, before: Before = Before()
) -> Iterator[Candidate]:
    """What the owner's unread sentences teach, in their order; ``passing`` where they can only change a belief.

    "He starts on Monday" is about the one person named ``before``, and "215 an hour" about what was said there.
    """
    if turn.text.count("\n") >= PASTED and judge.turn([("user", turn.text)])[0].transient >= 0.5:
        return  # a log or a listing: what looks like a sentence there is nobody's
    for span in _spans(turn.text, judge):
        sentence = _read(turn.text, span, before, judge)
        label = _label(sentence, judge)
        for part in [sentence] if label is None else _parts(turn.text, sentence, before, judge):
            label = label if part is sentence else _label(part, judge)
            (labels,) = judge.turn([("user", part.text)])
            if label is not None or (len(part.span.text.split()) >= SHORTEST and _may_change(labels)):
                yield _candidate(turn, part, owner_name, label, labels, judge)


def _parts(message: str, sentence: _Sentence, before: Before, judge: Judge) -> list[_Sentence]:
    """The clauses of a sentence that is kept, each by itself where it would be kept alone, else with the one before."""
    clauses = [] if sentence.context or is_reported(sentence.text) else clause_spans(sentence.span, sentence.language)
    if len(clauses) < 2:
        return [sentence]
    parts: list[_Sentence] = []
    for clause in clauses:
        part = _read(message, clause, before, judge)
        if parts and (_label(parts[-1], judge) is None or _label(part, judge) is None):
            last = parts.pop().span
            both = message[last.start : clause.end]
            part = _read(message, Span(last.start, clause.end, both), before, judge)
        parts.append(part)
    return parts if all(_label(part, judge) is not None for part in parts) else [sentence]


def _label(sentence: _Sentence, judge: Judge) -> str | None:
    """The label for which a sentence is kept; None if it is not. A correction alone only changes what is believed."""
    if len(sentence.text.split()) <= SHORTEST:
        return None
    if points_back(sentence.text, sentence.language) and (not sentence.context or _means_one_of(sentence)):
        return None
    # with a full stop and without: that alone must not make the difference
    stop = "." if sentence.span.text.rstrip()[-1:] == "." else ""
    if any(judge.keep([text])[0] < KEPT_FROM for text in (sentence.in_full, sentence.in_full + stop)):
        return None
    if sentence.context[-1:] not in ("", "?") and max(judge.keep([sentence.text, sentence.context])) < KEPT_JOINED:
        return None  # two remarks of the moment are not worth more together
    (labels,) = judge.turn([("user", sentence.in_full)])
    if labels.secret >= SECRET:
        return None
    scores: dict[str, float] = asdict(labels)
    return max((name for name in _KEPT if name != "correction"), key=lambda name: scores[name])


def _spans(text: str, judge: Judge) -> list[Span]:
    """The unread sentences; one that points back, or is not understood alone, comes with the sentence before it."""
    spans: list[Span] = []
    language = likely(text)[0]
    for sentence in unread_sentences(text):
        start = sentence.start
        by_name = start and with_the_person(sentence.text, [text[:start]], language) != sentence.text
        understood = by_name or _is_understood(sentence.text, judge)
        goes_on = start and (_goes_on(sentence.text, language) or not understood)
        if (points_back(sentence.text, language) and not by_name) or goes_on:
            earlier = sentence_before(text, start)
            start = start if earlier is None else earlier
            if spans and spans[-1].end > start:
                start = spans.pop().start
        if len(text[start : sentence.end].split()) <= LONGEST:
            spans.append(Span(start, sentence.end, text[start : sentence.end]))
    return spans


def _is_understood(text: str, judge: Judge) -> bool:
    """Whether a sentence that is worth keeping says by itself whom and what it is about."""
    return judge.keep([text])[0] < KEPT_FROM or judge.lasting([text])[0].alone >= ALONE


def _goes_on(text: str, language: LanguageRules) -> bool:
    """Whether a few words without a verb name more of what the sentence before says: "Bought it! Silver, 2019"."""
    few = len(text.split()) <= FRAGMENT and _NAME_OR_NUMBER.search(text)
    return bool(few) and not _is_whole(text, language) and with_owner(text, language) == text


def _read(message: str, span: Span, before: Before, judge: Judge) -> _Sentence:
    """A sentence with what it leaves out: who it is about, and what it answers or goes on with."""
    around = (message, *before.texts[:2], before.question) if len(message.split()) <= 2 * SHORT else (message,)
    language = likely(" ".join(around))[0]  # a short message may hold no word of its language
    text = " ".join(span.text.split()).rstrip(" .!")
    if _inside(message, span.start):
        return _Sentence(span, with_the_person(text, [message[: span.start]], language), language)
    text, said_before = _INTERJECTIONS.sub("", text), [message[: span.start], *before.texts]
    text = with_owner(with_the_person(text, said_before, language), language)
    context = _context(text, language, before, judge) if span.start == 0 else ""
    several = bool(compiled(language.person).match(text)) and _person_in(said_before) is None
    return _Sentence(span, text, language, context, several)


def _context(text: str, language: LanguageRules, before: Before, judge: Judge) -> str:
    """What a sentence answers or goes on with, where it says little by itself: a question, or the sentence before."""
    hangs_on = points_back(text, language) or (_ANOTHER.search(text) and not _NAME_OR_NUMBER.search(text))
    hangs_on = hangs_on or not _is_understood(text, judge)
    if before.question:
        is_answer = hangs_on or not _is_whole(text.split(", ")[0], language)
        return before.question if is_answer else ""
    texts = before.texts[:3]
    named = next((earlier for earlier in texts if names_in(earlier)), "") if points_back(text, language) else ""
    last = [span.text for span in typed_sentences(named or "".join(texts[:1]))][-1:]
    if not hangs_on and (_is_whole(text, language) or len(text.split()) > FRAGMENT):
        return ""
    if not last or "?" in last[0]:
        return ""
    sentence = last[0].strip().rstrip(" .!")
    (labels,) = judge.turn([("user", sentence)])
    is_said = labels.ack < 0.5 and labels.unreal < 0.5 and 2 < len(sentence.split()) <= LONGEST / 2
    return with_owner(sentence, language) if is_said else ""


def _is_whole(text: str, language: LanguageRules) -> bool:
    """Whether a sentence has a verb of its own; in English, where we can tell."""
    if not language.finite or compiled(language.finite).search(text):
        return True
    words = re.findall(r"[\w']+", text)
    return len(words) > SHORT * 2 or any(is_past(word) for word in words[:SHORT])


def with_owner(text: str, language: LanguageRules) -> str:
    """A sentence without a subject, with the owner as its subject: "quit the aquarium", "starting at Bosch"."""
    if not language.acts:
        return text
    first, _, rest = text.partition(" ")
    match = compiled(language.acts).match(text)
    low = first[:1].lower() + first[1:]
    if match is None:
        return f"I {low} {rest}" if rest and first.isalpha() and is_past(first) else text
    form = match.lastgroup
    lead = {"doing": "I'm ", "state": "I'm ", "been": "I've ", "does": "I "}[form or "does"]
    return f"{lead}{low} {rest}".rstrip()


_INTERJECTIONS = re.compile(
    r"^(?:(?:ok|okay|oh|ah|ugh|hey|well|so|btw|by the way|anyway|haha|lol)\b[,.!:]* )+", re.IGNORECASE
)
_ANOTHER = re.compile(r"\b(?:him|them|her(?! \w))\b", re.IGNORECASE)
"""Somebody who was named before."""
_DATE_WORDS = frozenset(name for name in (*calendar.day_name, *calendar.month_name) if name)
_COMMON = frozenset().union(*(language.common for language in LANGUAGES))
_NAMED = re.compile(
    r"(?<![\w'-])(?P<behind>\b(?:in|at|to|from|of|on|near|by|with|without|for|about|than|like|via|bei|beim|aus|nach|von|vom|mit|für|zu|"
    r"zur|zum|auf|en|con|de|desde|para|por|di|da|a|su|per|chez|à|dans|avec|pour) (?:the |la |le |el |der |dem )?)?"
    r"(?P<name>[A-ZÀ-ÖØ-Þ][\w-]*[a-zà-ÿ])\b"
)
_TITLES = frozenset({"Dr", "Mr", "Mrs", "Ms", "Prof", "Frau", "Herr", "Herrn", "Sr", "Sra", "Mme", "Dott", "Sig"})
_INTRODUCED = re.compile(
    r"\b(?:called|named|name is|name's|heißt|se llama|s'appelle|si chiama) (?P<name>[A-ZÀ-ÖØ-Þ][\w-]+)\W*$"
)
_SAYS = re.compile(r"(?:'s\b|,? (?:is|was|has|had|got|will|can|and|\w{3,}s)\b)")
"""What stands behind a name that begins a sentence."""


def with_the_person(text: str, before: Iterable[str], language: LanguageRules) -> str:
    """A sentence that begins with "he" or "she", or with a verb that means them, with the person whom the words before
    it name, latest first: the one name in the first of them that has any."""
    match = compiled(language.person).match(text)
    person = _person_in(before) if match else ""
    if match is None or not person:
        return text
    lead, rest = text[: match.end("lead")], text[match.end() :]
    if match.groupdict().get("verb") is not None:  # the verb alone says that it is somebody else
        return f"{lead}{person} {rest[:1].lower()}{rest[1:]}"
    return lead + person + ("'s" if match["whose"] else "") + rest


def _person_in(before: Iterable[str]) -> str | None:
    """The one name in the first text that has any; None where it has several."""
    return next((person for person in map(_person, before) if person != ""), "")


def _names(text: str, *, behind: bool) -> set[str]:
    """The names in a text; ``behind`` a preposition too, where they are seldom what it is about."""
    return {
        match["name"]
        for match in _NAMED.finditer(text)
        if match["name"] not in _DATE_WORDS
        and match["name"].casefold() not in _COMMON
        and (behind or not match["behind"])
        and (_inside(text, match.start("name")) or _SAYS.match(text, match.end()))
    }


def _person(before: str) -> str | None:
    """The name that ends a text as that of somebody new ("her name is Amelia"), else the one name in it; "" where there
    is none."""
    if introduced := _INTRODUCED.search(before):
        return introduced["name"]
    names = _names(before, behind=False) - _TITLES
    names -= {name for name in names if any(f"{other} {name}" in before for other in names)}  # a family name
    return _whole_name(names.pop(), before) if len(names) == 1 else "" if not names else None


def _whole_name(name: str, text: str) -> str:
    """A name with those that stand beside it: Tom Baker, not Baker."""
    match = re.search(rf"(?:([A-ZÀ-ÖØ-Þ][\w-]+) )?\b{re.escape(name)}\b(?: [A-ZÀ-ÖØ-Þ][\w-]+)?", text)
    if match is None or match[1] is None:
        return match[0] if match else name
    is_other = match[1] in _TITLES | _DATE_WORDS or match[1].casefold() in _COMMON | likely(text)[0].not_names
    return match[0].removeprefix(f"{match[1]} ") if is_other else match[0]


@lru_cache(maxsize=1024)
def names_in(text: str) -> set[str]:
    """The names in a text, of people, places and things."""
    return _names(text, behind=True)


def _inside(text: str, place: int) -> bool:
    """Whether a place is not where a sentence begins, which has a capital anyway."""
    return text[:place].rstrip(" ")[-1:] not in ("", ".", "!", "?", "\n", ":")


def _candidate(
    turn: Utterance, sentence: _Sentence, owner_name: str, label: str | None, labels: TurnLabels, judge: Judge
) -> Candidate:
    type, category = _KEPT[label or "fact"]
    span, text, context = sentence.span, sentence.text, sentence.context
    starts, ends = _bounds(text, label, labels, turn)
    return Candidate(
        type=type,
        statement=_statement(text, context, owner_name),
        kind="associative",
        category=category,
        quote=span.text,
        episode=turn.episode,
        confidence=SEVERAL if _means_one_of(sentence) else 0.7,
        passing=label is None,
        valid_from=starts,
        valid_to=ends,
        fades_at=_over(sentence, starts or turn.at, judge) if label is not None else None,
        in_full=None if sentence.in_full in " ".join(span.text.split()) else sentence.in_full,
    )


def _statement(text: str, context: str, owner_name: str) -> str:
    if guess(text) != "en" and not context:
        return f"{owner_name} said: {text}"
    statement = in_third_person(text, owner_name)
    if not context:
        return statement
    first = text.split()[0].casefold()
    if text[:1].islower() or first.split("'")[0] in spoken(guess(text.casefold())).stops:
        statement = statement[:1].lower() + statement[1:]
    if context[-1] == "?":
        return f"Asked \u201c{context}\u201d, {owner_name} said: {statement}"
    return f"{in_third_person(context, owner_name)}; {statement}"


def _bounds(
    text: str, label: str | None, labels: TurnLabels, turn: Utterance
) -> tuple[datetime | None, datetime | None]:
    """When a sentence takes effect and when it ceases to hold, where its dates say so.

    "Until Sunday" ends it. A change that is to come takes effect on its day. What is told in the present of today, this
    week or next Friday is over after that, and so is what happens on a day to come, but a birthday comes again.
    """
    language = guess(text)
    words = re.findall(r"[\w']+", text)
    past = any(is_past(word) or word.casefold() in PERFECT for word in words) if language == "en" else True
    happens = label == "event" and labels.event >= CERTAINLY and labels.fact < MENTIONED and not YEARLY.search(text)
    starts: datetime | None = None
    ends: datetime | None = None
    for date in find_dates(text, turn.at, language):
        last = _through(text[date.end :], next_occurrence(date.last, date.text, turn.at))
        ahead = last > turn.at and not (past and date.last < turn.at < date.last + _LATELY)
        if date.first.year == 1:
            ends = last
        elif label == "change":
            first = date.first + (last - date.last)
            starts = first if not past and date.kind != "recurring" and first > turn.at else starts
        elif ahead and ((date.kind == "relative" and not past) or (happens and date.kind != "recurring")):
            ends = max(last, ends or last)
    return starts, ends


def _over(sentence: _Sentence, said_at: datetime, judge: Judge) -> datetime | None:
    """When what a sentence says will be over by itself: after some days, weeks or months, or after the last day to come
    that it names; None where it holds until something changes it."""
    (lasting,) = judge.lasting([sentence.in_full])
    span = next((length for name, length in SPANS if getattr(lasting, name) < HOLDS), None)
    if span is None:
        return None
    named = [date.last for date in find_dates(sentence.text, said_at, guess(sentence.text)) if date.first.year > 1]
    return max([said_at + span, *named])


def _through(rest: str, last: datetime) -> datetime:
    """The last day of "July 4 to 11", where only its month and first day have been read."""
    match = _TO_THE.match(rest)
    if match is None or not last.day < int(match["day"]) <= calendar.monthrange(last.year, last.month)[1]:
        return last
    return last.replace(day=int(match["day"]))


_TO_THE = re.compile(
    r"\s*(?:-|–|to|until|bis|al|au)\s*(?:the )?(?P<day>\d{1,2})(?:st|nd|rd|th)?\b(?![\d:.,]\d| ?[ap]m)"
)
_LATELY = timedelta(days=180)
"""A day without a year that was so long ago, told in the past, is not one to come."""


def _means_one_of(sentence: _Sentence) -> bool:
    """Whether a pronoun begins the sentence and several are named before."""
    names = _names(sentence.context, behind=False)
    return sentence.several or (len(names) > 1 and points_back(sentence.text, sentence.language))


def _may_change(labels: TurnLabels) -> bool:
    scores: dict[str, float] = asdict(labels)
    change, ignored = max(scores[name] for name in _CHANGES), max(scores[name] for name in _IGNORED)
    return (change >= MENTIONED and change > ignored) or ignored < LIKELY


def points_back(sentence_text: str, language: LanguageRules | None = None) -> bool:
    """Whether a sentence begins with a pronoun, so that it means something said before it."""
    language = language or likely(sentence_text)[0]
    return compiled(language.points_back).match(sentence_text) is not None


def names_nothing(sentence_text: str) -> bool:
    """Whether a sentence is short and without a name or number, so that what it changes was said right before."""
    return len(sentence_text.split()) <= SHORT + 1 and not _NAME_OR_NUMBER.search(sentence_text.replace(" I ", " "))


def told(sentence: str, name: str) -> str:
    """A sentence of the owner's in the third person, where it is English."""
    return in_third_person(sentence, name) if guess(sentence) == "en" else sentence


_ADVERB = r"(?:just|also|always|never|still|now|only|no longer|\w+ly) "
_FIRST_PERSON = re.compile(
    r"\b(?:(?P<be>I'm|I am|im)|(?P<have>I've|ive)|(?P<will>I'll)|(?P<would>I'd)|(?P<self>by myself|myself)|"
    r"(?P<me>(?<!let )me)|"
    rf"(?P<my>my)|(?P<mine>mine)|I (?P<adverb>{_ADVERB})?(?P<verb>[\w']+))\b",
    re.IGNORECASE,
)
_NO_APOSTROPHE = re.compile(r"\b(do|does|did|have|has|had|is|are|was|were|would|could|should|must|ca|wo)nt\b", re.I)
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
    "didn't wasn't used and or both in of at to with on for as not from by who that".split()
)


def in_third_person(sentence: str, name: str) -> str:
    """An English sentence of the owner's, told of the owner by name."""

    def in_third(match: re.Match[str]) -> str:
        whose, verb = match.groupdict(), (match["verb"] or "").casefold()
        if (verb or whose["be"] or whose["have"]) and _WITH_ANOTHER.fullmatch(sentence, 0, match.start()):
            plural = "are" if whose["be"] or verb == "am" else "have" if whose["have"] else match["verb"]
            return f"{name} {match['adverb'] or ''}{plural}"
        if whose["my"] or whose["mine"]:
            return possessive(name)
        if whose["me"]:
            return name
        if whose["self"]:
            return "alone"
        if verb:
            return f"{name} {match['adverb'] or ''}{_agreeing(verb, match['verb'])}"
        return f"{name} {'is' if whose['be'] else 'has' if whose['have'] else 'will' if whose['will'] else 'would'}"

    sentence = _NO_APOSTROPHE.sub(r"\1n't", sentence)
    text = _FIRST_PERSON.sub(in_third, sentence)
    return text[:1].upper() + text[1:]


def _agreeing(verb: str, spelled: str) -> str:
    if verb in _OF_BEING:
        return _OF_BEING[verb]
    return spelled if verb in _UNCHANGED or is_past(verb) else third_person(spelled)
