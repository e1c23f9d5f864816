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
_SAME = 0.9


@dataclass(frozen=True, slots=True, kw_only=True)
class RankCandidate:
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
    late: float = 0.0
    late_least: float = 0.0
    """Late interaction, by all tokens of the question and by the one that it meets least: how much nearer than the mean
    of the candidates; 0 where it has no token vectors."""
    overturned: bool = False
    """What was concluded from it has ended or was rejected since."""


@dataclass(frozen=True, slots=True)
class Ranked:
    """A candidate with its score; ``parts`` sum to it, many of them 0."""

    candidate: RankCandidate
    score: float
    parts: Mapping[str, float]
    repeated: bool = False
    """Says the same as another hit, and is ranked after all others."""


def rank(
    question: Question, candidates: Sequence[RankCandidate], recipe: Recipe, *, now: datetime, limit: int
) -> list[Ranked]:
    """The best ``limit`` of the candidates, best first; equal scores in order of document.

    What says a thing a second time in the same words comes after everything else.
    """
    return spread(score(question, candidates, recipe, now=now), recipe, limit)


def score(question: Question, candidates: Sequence[RankCandidate], recipe: Recipe, *, now: datetime) -> list[Ranked]:
    """Each candidate with its score, in the order given. The others matter only to turns and to what is wanted."""
    support = _support(candidates)
    likely = (
        min(1.0, max((_about(candidate, recipe) for candidate in candidates), default=0.0)) if question.wants else 0.0
    )
    nearness = _nearness(candidates)
    return [_scored(question, candidate, support, nearness, recipe, now, likely) for candidate in candidates]


def spread(scored: Sequence[Ranked], recipe: Recipe, limit: int) -> list[Ranked]:
    """The page that `rank` makes of candidates with their scores."""
    return _spread(sorted(_supported(scored), key=_order), recipe, limit)


def judged(page: Sequence[Ranked], logits: Sequence[float], recipe: Recipe) -> list[Ranked]:
    """The page with its first hits in the order that the judge's logits, one for each of them, give them."""
    if not logits:
        return list(page)
    mean = sum(logits) / len(logits)
    first = [_plus(hit, "judged", recipe.judged * (logit - mean)) for hit, logit in zip(page, logits, strict=False)]
    first.sort(key=_order)
    return [*first, *(capped(hit, first[-1].score) for hit in page[len(logits) :])]


def _order(ranked: Ranked) -> tuple[float, bool, int]:
    return -ranked.score, not ranked.candidate.evidence, ranked.candidate.fused.doc


def _about(candidate: RankCandidate, recipe: Recipe) -> float:
    return recipe.words * words(candidate) + recipe.meaning * candidate.fused.meaning


def _scored(
    question: Question,
    candidate: RankCandidate,
    support: Mapping[int, float],
    nearness: Mapping[int, tuple[float, float]],
    recipe: Recipe,
    now: datetime,
    likely: float,
) -> Ranked:
    """``likely``: how well the best candidate meets the question; where none does, the kind of answer tells little."""
    before, conversation = nearness.get(candidate.fused.doc, (0.0, 0.0))
    fused, turn = candidate.fused, candidate.session is not None
    parts = {
        "words": recipe.words * words(candidate),
        "meaning": recipe.meaning * fused.meaning,
        "late": recipe.late * candidate.late + recipe.late_least * candidate.late_least + recipe.late_before * before,
        "graph": recipe.graph * fused.graph,
        "session": recipe.session * support[fused.doc] + recipe.late_session * conversation,
        "speaker": recipe.speaker * named(question, candidate) if question.speakers else 0.0,
        "telling": telling(candidate.signals, recipe) if turn and _telling(question, candidate) else 0.0,
        "answer": likely * answer(question, candidate.signals, recipe) if question.wants else 0.0,
        "date": recipe.date * within(question, candidate.said_at) if question.spans else 0.0,
        "role": recipe.role * sided(question, candidate),
        "stated": 0.0 if turn else recipe.stated,
        "overturned": -recipe.overturned if candidate.overturned else 0.0,
        "recency": recipe.recency * recency(candidate.said_at, now, recipe.half_life),
        "importance": recipe.importance * (candidate.importance - 0.5),
        "trust": recipe.confidence * (candidate.confidence - 1)
        - (recipe.candidate if candidate.status == "candidate" else 0.0),
    }
    return Ranked(candidate, sum(parts.values()), parts)


def _plus(ranked: Ranked, part: str, value: float) -> Ranked:
    parts = {**ranked.parts, part: ranked.parts.get(part, 0.0) + value}
    return Ranked(ranked.candidate, sum(parts.values()), parts)


def words(candidate: RankCandidate) -> float:
    """The lexical part; what was lent counts less the longer the turn that it was lent to."""
    lent = candidate.fused.words - candidate.fused.own
    return candidate.fused.own + lent * min(1.0, _LONG / max(candidate.signals.size, 1))


def named(question: Question, candidate: RankCandidate) -> float:
    """1 if who speaks here is named in the question."""
    return float(candidate.speaker is not None and fold(candidate.speaker) in question.speakers)


def telling(signals: Signals, recipe: Recipe) -> float:
    """Who speaks of themself tells something; who asks, or speaks of the listener, mostly reacts."""
    return recipe.first * signals.first - recipe.second * signals.second - recipe.asking * signals.asks


def _telling(question: Question, candidate: RankCandidate) -> bool:
    """The assistant is not held to how it speaks where its own words are asked for; nor, ever, is a note."""
    return candidate.role == "user" or not question.to_assistant


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


def sided(question: Question, candidate: RankCandidate) -> float:
    """Above 0 if the machine speaks and is asked; else the lower the longer: people ask for what people said."""
    if candidate.role == "user":
        return 0.0
    return _ANSWERS if question.to_assistant else -min(1.0, candidate.signals.size / _ESSAY)


def recency(moment: datetime, now: datetime, half_life: float) -> float:
    age = max((now - moment) / _DAY, 0.0)
    return float(0.5 ** (age / half_life))


def _support(candidates: Iterable[RankCandidate]) -> dict[int, float]:
    """How much the conversation around each turn speaks of the matter: the mean of the best own words near it."""
    talks: dict[_Talk, list[Fused]] = defaultdict(list)
    support: dict[int, float] = {}
    for candidate in candidates:
        if candidate.session is None:
            support[candidate.fused.doc] = candidate.fused.own / SUPPORTERS
        else:
            talks[_talk(candidate)].append(candidate.fused)
    return support | {candidate.doc: _around(candidate, talk) for talk in talks.values() for candidate in talk}


def _around(document: Fused, talk: Sequence[Fused]) -> float:
    if len(talk) == 1:
        return document.own / SUPPORTERS
    own_words = sorted(neighbour.own for neighbour in talk if -_EARSHOT <= neighbour.doc - document.doc <= _EARSHOT)
    return sum(own_words[-SUPPORTERS:]) / SUPPORTERS


def _nearness(candidates: Sequence[RankCandidate]) -> dict[int, tuple[float, float]]:
    """By late interaction, how near the turn before each is, and the conversation: the mean of its two nearest turns.

    Only what is nearer than the mean of the candidates counts.
    """
    talks: dict[_Talk, dict[int, float]] = defaultdict(dict)
    for candidate in candidates:
        if candidate.late > 0:
            talks[_talk(candidate)][candidate.fused.doc] = candidate.late
    nearness = {}
    for candidate in candidates if talks else ():
        talk = talks.get(_talk(candidate), {})
        conversation = sum(sorted(talk.values())[-SUPPORTERS:]) / SUPPORTERS
        nearness[candidate.fused.doc] = (talk.get(candidate.fused.doc - 1, 0.0), conversation)
    return nearness


_Talk = tuple[str | None, object]


def _talk(candidate: RankCandidate) -> _Talk:
    """What belongs together: one session on one day; what is not a turn stands alone."""
    return candidate.session, candidate.fused.doc if candidate.session is None else candidate.said_at.date()


def _supported(scored: Sequence[Ranked]) -> list[Ranked]:
    """A message is worth as much as the best conclusion that was drawn from it, which stands right above it."""
    by_doc = {ranked.candidate.fused.doc: ranked for ranked in scored}
    for conclusion in scored:
        for doc in conclusion.candidate.evidence & by_doc.keys():
            message = by_doc[doc]
            if message.score < conclusion.score:
                by_doc[doc] = _plus(message, "concluded", conclusion.score - message.score)
    return list(by_doc.values())


def capped(ranked: Ranked, ceiling: float) -> Ranked:
    """With a score of at most ``ceiling``."""
    return (
        ranked if ranked.score <= ceiling else replace(_plus(ranked, "behind", ceiling - ranked.score), score=ceiling)
    )


def _spread(ranked: Sequence[Ranked], recipe: Recipe, limit: int) -> list[Ranked]:
    """Take the best one by one; each costs the rest of its conversation a little, and its doubles come last.

    The first hits do not depend on the limit, and no hit has a higher score than the one before it.
    """
    page: list[Ranked] = []
    doubles: list[Ranked] = []
    seen = _Said()
    counts: dict[_Talk, int] = defaultdict(int)
    waiting = [(hit, _talk(hit.candidate)) for hit in ranked]
    while waiting and len(page) < limit:
        place, cost = _next(waiting, counts, recipe)
        best, talk = waiting.pop(place)
        if seen.repeats(best.candidate):
            doubles.append(best)
            continue
        page.append(_plus(best, "crowded", -cost) if cost else best)
        counts[talk] += 1
    for double in sorted(doubles, key=_order)[: limit - len(page)]:
        page.append(replace(capped(double, page[-1].score), repeated=True))
    return page


def _next(
    waiting: Sequence[tuple[Ranked, "_Talk"]], counts: Mapping["_Talk", int], recipe: Recipe
) -> tuple[int, float]:
    """Which of those waiting, in order of score, is best when what its conversation has cost it is taken off."""
    place, best, cost = -1, -math.inf, 0.0
    for n, (hit, talk) in enumerate(waiting):
        if hit.score <= best and recipe.same_session >= 0:
            break
        paid = recipe.same_session * counts.get(talk, 0)
        if hit.score - paid > best:
            place, best, cost = n, hit.score - paid, paid
    return place, cost


class _Said:
    """What the hits of a page say, to tell which say the same in the same words.

    Two sets of words that share so much of both share one of the first few of either, in order of the alphabet.
    """

    def __init__(self) -> None:
        self._by_word: dict[tuple[str | None, str], list[tuple[frozenset[str], int]]] = defaultdict(list)

    def repeats(self, candidate: RankCandidate) -> bool:
        """Whether the same person says the same above; if not, it is noted as said."""
        words, size = frozenset(fold(candidate.text).split()), len(candidate.text) + 1
        keys = [(candidate.speaker, word) for word in sorted(words)[: len(words) - math.ceil(_SAME * len(words)) + 1]]
        if any(_same(words, size, *earlier) for key in keys for earlier in self._by_word.get(key, ())):
            return True
        for key in keys:
            self._by_word[key].append((words, size))
        return False


def _same(words: frozenset[str], size: int, earlier: frozenset[str], earlier_size: int) -> bool:
    if not 0.8 < size / earlier_size < 1.25:
        return False
    shared = len(words & earlier)
    return shared > _SAME * (len(words) + len(earlier) - shared)
