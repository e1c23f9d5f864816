"""The lists made comparable, on arrays: a union, never one list gating another."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from commonplace.retrieval.fuse import Fused
from commonplace.retrieval.question import Question
from commonplace.retrieval.rank import SUPPORTERS
from commonplace.retrieval.recipes import Recipe

Docs = NDArray[np.uint32]
Floats = NDArray[np.float64]
Places = NDArray[np.intp]

FAINT, FEW = 0.25, 1 / 3
"""A best cosine below the first, or a best lexical score below the second of what was possible, is not stretched."""


class Scores(NamedTuple):
    """What each list says of every document that any of them holds, in order of document: 0 where it says nothing."""

    docs: Docs
    words: Floats
    own: Floats
    meaning: Floats
    graph: Floats

    @classmethod
    def none(cls) -> "Scores":
        nothing = np.empty(0)
        return cls(np.empty(0, np.uint32), nothing, nothing, nothing, nothing)

    def joined(self, added: "Scores") -> "Scores":
        """Both, of two namespaces: no document is in two of them."""
        if not len(self.docs) or not len(added.docs):
            return self if len(self.docs) else added
        columns = [np.concatenate((first, second)) for first, second in zip(self[1:], added[1:], strict=True)]
        docs = np.concatenate((self.docs, added.docs))
        order = np.argsort(docs, kind="stable")
        return Scores(docs[order], *(column[order] for column in columns))

    def taken(self, places: Places) -> "Scores":
        return Scores._make(column[places] for column in self)

    def at(self, places: Places | slice) -> list[Fused]:
        return list(map(Fused._make, zip(*(column[places].tolist() for column in self), strict=True)))

    def rough(self, recipe: Recipe) -> Floats:
        """The weighted sums by which candidates are chosen before anybody has read them."""
        total: Floats = recipe.words * self.words + recipe.meaning * self.meaning + recipe.graph * self.graph
        return total


def fuse(scores: Scores, possible: float) -> Scores:
    """Bring the scores of all lists to one scale.

    ``words`` and ``own`` are lexical scores and ``possible`` what no score can exceed (`plain.most`); ``meaning`` are
    cosines; ``graph`` runs from 0 to 1 already.
    """
    per_word = _scale(scores.words, FEW * possible)
    meaning = np.maximum(scores.meaning, 0.0) * _scale(scores.meaning, FAINT)
    return Scores(scores.docs, scores.words * per_word, scores.own * per_word, meaning, scores.graph)


def shortlist(fused: Scores, recipe: Recipe) -> Places:
    """Where those stand that some list speaks for, best first, the lower number first where they are equal."""
    rough = fused.rough(recipe)
    order = np.argsort(-rough, kind="stable")
    return order[: int(np.count_nonzero(rough > 0))]


def most(fused: Scores, question: Question, recipe: Recipe) -> Floats:
    """No document's score, as `rank` will have it, is above its number, where no turn holds a word of the question.

    No weight may be below zero.
    """
    # the last is for rounding: sums of floats are not associative
    bonus = recipe.stated + recipe.recency + recipe.importance / 2 + 1e-9
    bonus += recipe.speaker if question.speakers else 0.0
    bonus += recipe.date if question.spans else 0.0
    weights = {"when": recipe.when, "name": recipe.name, "number": recipe.number}
    bonus += sum(weights[want] for want in question.wants)
    total: Floats = fused.rough(recipe) + recipe.session / SUPPORTERS * fused.own + bonus
    if recipe.first > recipe.stated:
        total += np.where(fused.own > 0, 0.0, recipe.first - recipe.stated)  # what holds no word may be a turn
    return total


def _scale(scores: Floats, least: float) -> float:
    best = max(float(scores.max()) if len(scores) else 0.0, least)
    return 1 / best if best > 0 else 0.0
