"""What is asked: the question cut out of what came with it, its terms, whom it names, what kind of answer it wants."""

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cache
from typing import Literal

from commonplace.lazy import pattern
from commonplace.model import ROLES
from commonplace.retrieval.bm25 import Term
from commonplace.retrieval.extract_question import MARKS, cut
from commonplace.text.dates import find_dates
from commonplace.text.index import FIELD
from commonplace.text.normal import fold
from commonplace.text.questions import asks
from commonplace.text.sentences import sentences
from commonplace.text.words import terms_of_question, words

Wanted = Literal["when", "name", "number"]
Span = tuple[datetime, datetime]

_EDGES = ".,;:!?\"'()"
_TERMS = 32

_STRETCH = timedelta(days=400)
"""A longer one (\"before May\") singles out nothing."""

_ASIDE = 0.4
_DATED = 0.5
_ADDRESSED = 0.1
"""What a speaker's name counts inside a turn: people say it to each other far more often than of each other."""


@dataclass(frozen=True, slots=True)
class Question:
    """A question, ready to be looked up and to rank by.

    ``speakers`` are the folded names of those speakers of the namespace whom it names; ``spans`` the stretches of
    time it speaks of, resolved; ``to_assistant`` says that it asks what the assistant itself said.
    """

    text: str
    terms: tuple[Term, ...]
    speakers: frozenset[str] = frozenset()
    wants: frozenset[Wanted] = frozenset()
    spans: tuple[Span, ...] = ()
    to_assistant: bool = False
    spoken: str | None = None
    """The language it is in, as far as the lexicon knows it; None for English and all others."""


def ask(text: str, *, now: datetime, language: str = "en", speakers: Collection[str] = ()) -> Question:
    """Read a question put at ``now``, on the asker's clock, which knows its zone.

    ``speakers`` are the names of those who speak in the namespace, as far as known. Any length is fine: of a prompt
    or a conversation only the last question is read.
    """
    text = cut(text)
    focus = _focus(text)
    addressed = _named(text, speakers)
    return Question(
        text=text,
        terms=_terms(text, focus, addressed, language),
        speakers=frozenset(fold(name) for name in addressed),
        wants=_wants(focus),
        spans=tuple(_spans(text, now, language)),
        to_assistant=bool(_to_assistant().search(fold(text))),
    )


def _focus(text: str) -> str:
    """The sentences that ask, or all of them."""
    if not any(mark in text for mark in MARKS):
        return text
    return " ".join(span.text for span in sentences(text) if span.text.endswith(MARKS)) or text


def _terms(text: str, focus: str, speakers: Sequence[str], language: str) -> tuple[Term, ...]:
    names = {word for name in speakers for word in words(name, language)}
    central = terms_of_question(_courtesy().sub(" ", focus), language) or terms_of_question(focus, language)
    weights = dict.fromkeys(central, 1.0)
    if focus != text:
        aside = terms_of_question(_courtesy().sub(" ", text), language)
        weights |= {word: _ASIDE for word in aside if word not in weights}
    terms = []
    for word, weight in list(weights.items())[:_TERMS]:
        terms.append(Term(word, weight, conversation_weight=_ADDRESSED if word in names else 1.0))
        if word[:2] in ("d:", "m:"):
            terms.append(Term(FIELD + word, weight * _DATED, lends=False))
    if names.issuperset(central):
        terms += [Term(FIELD + word, lends=False) for word in sorted(names)]
    return tuple(terms)


def _named(text: str, speakers: Collection[str]) -> list[str]:
    """The speakers whose name, or its short form (Mel for Melanie), stands in the text with a capital.

    Who writes everything small names people so too, and then by the whole name only.
    """
    mentions = {fold(word) for word in _capitalised().findall(text)}
    short = {word for word in mentions if len(word) >= 3}
    if text == text.lower():
        mentions = {word.strip(_EDGES) for word in fold(text).split()}
    return [speaker for speaker in sorted(speakers) if _is_named(speaker, mentions, short)]


def _is_named(speaker: str, mentions: Collection[str], short: Collection[str]) -> bool:
    parts = [part for part in fold(speaker).split() if part not in ROLES]
    return any(part in mentions or any(part.startswith(word) for word in short) for part in parts)


def _wants(focus: str) -> frozenset[Wanted]:
    answer_kinds: list[Wanted] = []
    if asks("when", focus) or _how_long().search(focus):
        answer_kinds.append("when")
    # "which city", "which of the two": an answer with a name, as for who and where
    if asks("who", focus) or asks("where", focus) or _which().match(focus):
        answer_kinds.append("name")
    if asks("how many", focus):
        answer_kinds.append("number")
    return frozenset(answer_kinds)


def _spans(text: str, now: datetime, language: str) -> Iterator[Span]:
    for date in find_dates(text, now, language):
        if date.last - date.first < _STRETCH:
            yield date.first, date.last


_how_long = pattern(r"(?i)\bhow long\b|\bwie lange\b|\bda quanto tempo\b")


@cache
def _which() -> re.Pattern[str]:
    lead = r"(?i)\W*(?:(?:and|so|but|in|at|to)\s+)?"
    return re.compile(lead + r"(?:which|qual[ei]?|cual(?:es)?|quel(?:le)?s?|welche[rsnm]?)\b")


_courtesy = pattern(
    r"(?i)\b(?:(?:can|could|would|will) you (?:please |quickly )?)?(?:please )?(?:tell|remind|show) (?:me|us)\b"
    r"|\bdo you (?:still )?(?:remember|recall|know)\b|\b(?:please )?(?:remember|recall) (?=what|who|when|where|how)"
    r"|\b(?:based on|according to|from|in) (?:our|my|the|all) (?:previous |earlier |past )?"
    r"(?:conversations?|chats?|discussions?|messages)\b(?: (?:so far|history))?"
    r"|\b(?:that |what )?i(?:'ve| have)? (?:told|mentioned to) you\b(?: about)?"
)
"""What people wrap a question in; its words would otherwise be looked up."""


@cache
def _to_assistant() -> re.Pattern[str]:
    verbs = (
        r"\w+ed|gave|given|wrote|written|made|came up|come up|told|said|showed|shown|drew|drawn|put|found|chose|chosen"
        r"|thought|sent|laid|set|built|taught|led|brought|picked"
    )
    who = r"(?:the|my|our) (?:ai )?(?:assistant|ai|bot|chatbot)"
    advice = r"(?:\w+ )?(?:suggestion|recommendation|advice|answer|explanation|reply|response|list|tip|example|draft)"
    return re.compile(
        rf"\b(?:did|have|had|has) (?:you|{who})\b(?! (?:know|remember|recall|notice|hear))"
        rf"|\b(?:you|{who})(?:['’](?:ve|d)| have| has| had)?(?: \w+ly| just| also| once| first)? (?!need)(?:{verbs})\b"
        rf"|\b(?:your|{who}['’]s) {advice}"
    )


_capitalised = pattern(r"\b[^\W\d_a-z][^\W\d_]+")
