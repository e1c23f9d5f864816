"""How likely a memory is what a description means, both relative to its rivals and by itself."""

import math
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from commonplace.describing.description import Description
from commonplace.describing.roles import denies
from commonplace.providers.judge import Judge
from commonplace.text.normal import normal

WEIGHTS = {
    "bias": 1.1, "whole": 0.31, "part": 0.13, "cover": 0.9, "lacks": -3.17, "contra": -0.62, "owner": 0.3,
    "anchored": 0.27, "denial": -0.49, "exact": 0.83, "sweep": -0.64, "meets": 0.28, "partial": -1.3, "sole": 1.63,
    "doubtful": -1.0,
}  # fmt: skip
"""Fitted on benchmarks/description and on books made for the judge; ``doubtful`` (unverified roles) was set by hand."""


@dataclass(frozen=True, slots=True)
class MatchSigns:
    """The features of one memory."""

    values: dict[str, float]
    probability: float
    """The judge's probability that the clause is meant; without a judge, an estimate from the words."""
    meets_all: bool
    """Whether the clause contains every content word of the description."""
    exact: bool
    same: float
    """The judge's probability that the clause says the same as a description that is a sentence."""

    @property
    def score(self) -> float:
        return sum(WEIGHTS.get(name, 0.0) * value for name, value in self.values.items())


def signs(
    description: Description,
    clause: str,
    text: str,
    terms: Collection[str],
    rivals: Sequence[Collection[str]],
    *,
    whole_probability: float | None,
    part: float | None,
    about_owner: float,
    doubtful: bool,
    sole: bool,
    restatement: tuple[float, float],
) -> MatchSigns:
    """``text`` and ``terms`` are those of the whole memory, ``rivals`` the terms of the other candidates.

    ``whole_probability`` and ``part`` are the judge's probabilities for the whole memory and for the clause; None
    without a judge.
    """
    hits = [matches_term(term, terms) for term in description.terms]
    lacking = [
        not hit and any(matches_term(term, rival) for rival in rivals)
        for term, hit in zip(description.terms, hits, strict=True)
    ]
    cover = _mean(hits, 0.5)
    polar = denies(description.text) != denies(clause)
    exact = normal(description.text) in (normal(clause), normal(text))
    values = {
        "bias": 1.0,
        "sweep": float(description.sweep),
        "anchored": float(bool(description.anchors)),
        "whole": _logit(cover if whole_probability is None else whole_probability),
        "part": _logit(cover if part is None else part),
        "exact": float(exact),
        "cover": cover,
        "lacks": _mean(lacking, 0.0),
        "meets": float(bool(hits) and all(hits)),
        "partial": float(any(hits) and not all(hits)),
        "contra": restatement[1],
        "denial": float(polar and (description.statement or denies(description.text))),
        "owner": about_owner if description.mine and not description.anchors.names else 0.0,
        "sole": float(sole),
        "doubtful": float(doubtful),
    }
    return MatchSigns(values, cover if part is None else part, bool(hits) and all(hits), exact, restatement[0])


def matches_term(term: str, terms: Collection[str]) -> bool:
    """Whether ``terms`` contains a stem, or a longer or shorter form of it."""
    if term in terms:
        return True
    return len(term) > 4 and any(
        candidate.startswith(term) or (len(candidate) > 4 and term.startswith(candidate)) for candidate in terms
    )


def shares(scores: Sequence[float]) -> list[float]:
    """For each score, the probability that it is the one meant, among its rivals and "none of them" (a score of 0)."""
    exponentials = [math.exp(min(score, 30.0)) for score in scores]
    total = 1.0 + sum(exponentials)
    return [value / total for value in exponentials]


def alone(score: float) -> float:
    """The probability that a memory is among those meant, regardless of the others."""
    return 1 / (1 + math.exp(-score))


def judge_probabilities(judge: Judge | None, description: str, texts: Sequence[str]) -> list[float | None]:
    """For each text the judge's probability that it is meant; None without a judge."""
    if judge is None:
        return [None] * len(texts)
    return [match.meant for match in judge.match(description, texts)]


def sentence_probabilities(
    judge: Judge | None, description: Description, clauses: Sequence[str]
) -> list[tuple[float, float]]:
    """For a description that is a sentence: how likely each clause says the same, and how likely it contradicts it."""
    if judge is None or not description.statement:
        return [(0.0, 0.0)] * len(clauses)
    verdicts = judge.decide([(clause, description.text) for clause in clauses])
    return [(verdict.same + verdict.refines, verdict.change) for verdict in verdicts]


def _mean(values: Sequence[bool], otherwise: float) -> float:
    return sum(values) / len(values) if values else otherwise


def _logit(probability: float) -> float:
    bounded = min(max(probability, 1e-4), 1 - 1e-4)
    return math.log(bounded / (1 - bounded))
