"""Lexical, vector and graph candidates made comparable: a union, never one list gating another."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from commonplace.retrieval.recipes import Recipe

FAINT, FEW = 0.25, 1 / 3
"""A best cosine below the first, or a best lexical score below the second of what was possible, is not stretched."""


class Fused(NamedTuple):
    """One document's places in the lists, each from 0 to 1. ``own`` is the part of ``words`` its own words earned."""

    doc: int
    words: float = 0.0
    own: float = 0.0
    meaning: float = 0.0
    graph: float = 0.0

    def rough(self, recipe: Recipe) -> float:
        """The weighted sum by which candidates are chosen before anybody has read them."""
        return recipe.words * self.words + recipe.meaning * self.meaning + recipe.graph * self.graph


def fuse(
    *,
    words: Mapping[int, float],
    own: Mapping[int, float],
    possible: float,
    meaning: Mapping[int, float],
    graph: Mapping[int, float],
) -> list[Fused]:
    """Bring the scores of all documents that any list holds to one scale, in order of document.

    ``words`` and ``own`` are lexical scores and ``possible`` what no score can exceed (`plain.most`); ``meaning`` are
    cosines; ``graph`` runs from 0 to 1 already. What a list does not hold counts nothing there.
    """
    per_word = _scale(words, FEW * possible)
    per_cosine = _scale(meaning, FAINT)
    return [
        Fused(
            doc,
            words=words.get(doc, 0.0) * per_word,
            own=own.get(doc, 0.0) * per_word,
            meaning=max(meaning.get(doc, 0.0), 0.0) * per_cosine,
            graph=graph.get(doc, 0.0),
        )
        for doc in sorted({*words, *meaning, *graph})
    ]


def shortlist(fused: Sequence[Fused], recipe: Recipe, count: int) -> list[Fused]:
    """The ``count`` best by the rough sum, the lower number first where they are equal."""
    return sorted(fused, key=lambda document: (-document.rough(recipe), document.doc))[:count]


def _scale(scores: Mapping[int, float], least: float) -> float:
    best = max(max(scores.values(), default=0.0), least)
    return 1 / best if best > 0 else 0.0
