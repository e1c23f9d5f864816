"""The order of the hits: small named terms added up, each a pure function of values."""

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from commonplace.model import Role, Status
from commonplace.retrieval.fuse import Fused
from commonplace.retrieval.question import Question
from commonplace.retrieval.recipes import Recipe
from commonplace.retrieval.signals import Signals
from commonplace.text.normal import fold

_LONG = 400
"""Characters above which a turn is not lent its neighbours' words in full: it speaks for itself."""

_ESSAY, _ANSWERS = 1_500, 0.5
_DAY = timedelta(days=1)
_TOLD_LATER = timedelta(days=7)
SUPPORTERS = 2
"""Turns whose own words speak for a conversation."""
_EARSHOT = 20
_PAGE = 4
"""Hits from which on a page is not left to one conversation alone."""
_SAME = 0.9


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """A document that some list found, and what is known of it.

    ``session`` is None for what is not a turn; ``evidence`` are the documents that a conclusion was drawn from.
    """

    fused: Fused
    text: str
    signals: Signals
    said_at: datetime
    speaker: str | None = None
    role: Role = "user"
    session: str | None = None
    importance: float = 0.5
    confidence: float = 1.0
    status: Status = "verified"
    evidence: frozenset[int] = frozenset()
    overturned: bool = False
    """What was concluded from it has ended or was rejected since."""


@dataclass(frozen=True, slots=True)
class Ranked:
    """A candidate with its score; ``parts`` sum to it, many of them 0."""

    candidate: Candidate
    score: float
    parts: Mapping[str, float]
    again: bool = False
    """It says what another hit says, and stands behind everything else."""


def rank(
    question: Question, candidates: Sequence[Candidate], recipe: Recipe, *, now: datetime, limit: int
) -> list[Ranked]:
    """The best ``limit`` of the candidates, best first; equal scores in order of document.

    What says a thing a second time comes after everything else: the double of a text above, and a conclusion beside
    the turn that it was drawn from.
    """
    return spread(score(question, candidates, recipe, now=now), recipe, limit)


def score(question: Question, candidates: Sequence[Candidate], recipe: Recipe, *, now: datetime) -> list[Ranked]:
    """Each candidate with its score, in the order given. The others matter only to turns and to what is wanted."""
    support = _support(candidates)
    likely = min(1.0, max((_about(one, recipe) for one in candidates), default=0.0)) if question.wants else 0.0
    return [_scored(question, one, support, recipe, now, likely) for one in candidates]


def spread(scored: Sequence[Ranked], recipe: Recipe, limit: int) -> list[Ranked]:
    """The page that `rank` makes of candidates with their scores."""
    said, concluded = _folded(scored)
    return _spread(sorted(said, key=_order), concluded, recipe, limit)


def _order(one: Ranked) -> tuple[float, int]:
    return -one.score, one.candidate.fused.doc


def _about(one: Candidate, recipe: Recipe) -> float:
    return recipe.words * words(one) + recipe.meaning * one.fused.meaning


def _scored(
    question: Question,
    one: Candidate,
    support: Mapping[int, float],
    recipe: Recipe,
    now: datetime,
    likely: float,
) -> Ranked:
    """``likely``: how well the best candidate meets the question; where none does, the kind of answer tells little."""
    fused, turn = one.fused, one.session is not None
    parts = {
        "words": recipe.words * words(one),
        "meaning": recipe.meaning * fused.meaning,
        "graph": recipe.graph * fused.graph,
        "session": recipe.session * support[fused.doc],
        "speaker": recipe.speaker * named(question, one) if question.speakers else 0.0,
        "telling": telling(one.signals, recipe) if turn and _telling(question, one) else 0.0,
        "answer": likely * answer(question, one.signals, recipe) if question.wants else 0.0,
        "date": recipe.date * within(question, one.said_at) if question.spans else 0.0,
        "role": recipe.role * sided(question, one),
        "stated": 0.0 if turn else recipe.stated,
        "overturned": -recipe.overturned if one.overturned else 0.0,
        "recency": recipe.recency * recency(one.said_at, now, recipe.half_life),
        "importance": recipe.importance * (one.importance - 0.5),
        "trust": recipe.confidence * (one.confidence - 1) - (recipe.candidate if one.status == "candidate" else 0.0),
    }
    return Ranked(one, sum(parts.values()), parts)


def _plus(one: Ranked, part: str, value: float) -> Ranked:
    parts = {**one.parts, part: one.parts.get(part, 0.0) + value}
    return Ranked(one.candidate, sum(parts.values()), parts)


def words(one: Candidate) -> float:
    """The lexical part; what was lent counts less the longer the turn that it was lent to."""
    lent = one.fused.words - one.fused.own
    return one.fused.own + lent * min(1.0, _LONG / max(one.signals.size, 1))


def named(question: Question, one: Candidate) -> float:
    """1 if who speaks here is named in the question."""
    return float(one.speaker is not None and fold(one.speaker) in question.speakers)


def telling(signals: Signals, recipe: Recipe) -> float:
    """Who speaks of themself tells something; who asks, or speaks of the listener, mostly reacts."""
    return recipe.first * signals.first - recipe.second * signals.second - recipe.asking * signals.asks


def _telling(question: Question, one: Candidate) -> bool:
    """The assistant is not held to how it speaks where its own words are asked for; nor, ever, is a note."""
    return one.role == "user" or not question.to_assistant


def answer(question: Question, signals: Signals, recipe: Recipe) -> float:
    """A text that carries an answer of the kind that is wanted. A long one does so by chance and is believed less."""
    total = recipe.when * signals.when if "when" in question.wants else 0.0
    total += recipe.name * signals.names if "name" in question.wants else 0.0
    total += recipe.number * signals.number if "number" in question.wants else 0.0
    return total * min(1.0, _LONG / max(signals.size, 1))


def within(question: Question, moment: datetime) -> float:
    """1 if it was said in a stretch of time that the question speaks of, half if within a week after it."""
    if any(first <= moment <= last for first, last in question.spans):
        return 1.0
    return 0.5 * any(last < moment <= last + _TOLD_LATER for _, last in question.spans)


def sided(question: Question, one: Candidate) -> float:
    """Above 0 if the machine speaks and is asked; else the lower the longer: people ask for what people said."""
    if one.role == "user":
        return 0.0
    return _ANSWERS if question.to_assistant else -min(1.0, one.signals.size / _ESSAY)


def recency(moment: datetime, now: datetime, half_life: float) -> float:
    age = max((now - moment) / _DAY, 0.0)
    return float(0.5 ** (age / half_life))


def _support(candidates: Iterable[Candidate]) -> dict[int, float]:
    """How much the conversation around each turn speaks of the matter: the mean of the best own words near it."""
    talks: dict[_Talk, list[Fused]] = defaultdict(list)
    found: dict[int, float] = {}
    for one in candidates:
        if one.session is None:
            found[one.fused.doc] = one.fused.own / SUPPORTERS
        else:
            talks[_talk(one)].append(one.fused)
    return found | {one.doc: _around(one, near) for near in talks.values() for one in near}


def _around(one: Fused, talk: Sequence[Fused]) -> float:
    if len(talk) == 1:
        return one.own / SUPPORTERS
    own = sorted(other.own for other in talk if -_EARSHOT <= other.doc - one.doc <= _EARSHOT)
    return sum(own[-SUPPORTERS:]) / SUPPORTERS


_Talk = tuple[str | None, object]


def _talk(one: Candidate) -> _Talk:
    """What belongs together: one session on one day; what is not a turn stands alone."""
    return one.session, one.fused.doc if one.session is None else one.said_at.date()


def _folded(scored: Sequence[Ranked]) -> tuple[list[Ranked], list[Ranked]]:
    """Conclusions apart from the rest, where the words they were drawn from are there too and take their place."""
    if not any(one.candidate.evidence for one in scored):
        return list(scored), []
    by_doc = {one.candidate.fused.doc: one for one in scored}
    concluded = [one for one in scored if not one.candidate.evidence.isdisjoint(by_doc)]
    for one in concluded:
        del by_doc[one.candidate.fused.doc]
    for one in concluded:
        for doc in sorted(one.candidate.evidence & by_doc.keys()):
            turn = by_doc[doc]
            if turn.score < one.score:
                by_doc[doc] = _plus(turn, "concluded", one.score - turn.score)
    return list(by_doc.values()), concluded


def _spread(ranked: Sequence[Ranked], doubles: list[Ranked], recipe: Recipe, limit: int) -> list[Ranked]:
    """Take the best one by one; each costs the rest of its conversation a little, and its doubles come last."""
    page: list[Ranked] = []
    words: dict[int, frozenset[str]] = {}
    taken: dict[_Talk, int] = defaultdict(int)
    for some in (ranked[: 4 * limit], ranked[4 * limit :]):  # the rest only where the first are doubles
        waiting = [(one, _talk(one.candidate)) for one in some] if len(page) < limit else []
        while waiting and len(page) < limit:
            place, cost = _next(waiting, taken, recipe)
            best, talk = waiting.pop(place)
            if _is_double(best.candidate, page, words):
                doubles.append(best)
                continue
            page.append(_plus(best, "crowded", -cost) if cost else best)
            taken[talk] += 1
    if len(page) == limit >= _PAGE and len(taken) == 1 and recipe.same_session > 0:
        page[-1] = _elsewhere(ranked, page) or page[-1]
    return page + [replace(one, again=True) for one in sorted(doubles, key=_order)[: limit - len(page)]]


def _elsewhere(ranked: Sequence[Ranked], page: Sequence[Ranked]) -> Ranked | None:
    """The best that is not of the conversation that fills the page and holds a word of the question by itself."""
    talk = _talk(page[0].candidate)
    others = (one for one in ranked if one.candidate.fused.own > 0 and _talk(one.candidate) != talk)
    return next(others, None)


def _next(waiting: Sequence[tuple[Ranked, "_Talk"]], taken: Mapping["_Talk", int], recipe: Recipe) -> tuple[int, float]:
    """Which of those waiting, in order of score, is best when what its conversation has cost it is taken off."""
    place, best, cost = -1, -math.inf, 0.0
    for n, (one, talk) in enumerate(waiting):
        if one.score <= best and recipe.same_session >= 0:
            break
        paid = recipe.same_session * taken.get(talk, 0)
        if one.score - paid > best:
            place, best, cost = n, one.score - paid, paid
    return place, cost


def _is_double(one: Candidate, page: Sequence[Ranked], words: dict[int, frozenset[str]]) -> bool:
    """Whether the same person says the same in the same words above; ``words`` keeps those that were looked at."""
    size, mine = len(one.text) + 1, None
    for ranked in page:
        other = ranked.candidate
        if not 0.8 < size / (len(other.text) + 1) < 1.25 or one.speaker != other.speaker:
            continue
        if one.text == other.text:
            return True
        mine, theirs = mine or _words(one, words), _words(other, words)
        # of two sets, what both hold is at most the smaller and all of it at least the larger
        if min(len(mine), len(theirs)) > _SAME * max(len(mine), len(theirs)):
            both = len(mine & theirs)
            if both > _SAME * (len(mine) + len(theirs) - both):
                return True
    return False


def _words(one: Candidate, known: dict[int, frozenset[str]]) -> frozenset[str]:
    found = known.get(one.fused.doc)
    if found is None:
        found = known[one.fused.doc] = frozenset(fold(one.text).split())
    return found
