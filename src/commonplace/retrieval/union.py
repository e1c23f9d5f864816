"""The lists of all namespaces that are searched, as one union: a few operations on the arrays of all of them together.

A list holds the best of each namespace, with the same numbers as if it was searched alone. While they are joined, a
document is numbered by the place of its namespace and its own number; in the union, by that of its source.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from commonplace.retrieval import lexical
from commonplace.retrieval.candidates import Listing, firsts
from commonplace.retrieval.scores import Floats, Scores

BITS = 32
"""A document's own number; the place of its source stands above it, so that no two sources share one."""

Numbers = NDArray[np.uint64]


@dataclass(frozen=True, slots=True)
class Lists:
    """The scores from every list, for each document that is in any of them."""

    scores: Scores
    possible: float = 0.0
    exhausted: bool = True
    """Whether no list has further documents."""
    turns: bool = False
    """Whether a word of the question may be in a turn of a conversation."""


def union(listings: Sequence[Listing]) -> Lists:
    """Every document that is among the best of a list of its namespace, with its score in every list."""
    if not listings:
        return Lists(Scores.none())
    words = _WordsTogether(listings) if _are_plain(listings) else _WordsApart(listings)
    meaning = _MeaningTogether.of(listings) or _MeaningApart(listings)
    graph = [_numbered(place, np.fromiter(listing.graph, np.uint32)) for place, listing in enumerate(listings)]
    docs = np.sort(np.concatenate([words.best, meaning.best, *graph]))
    docs = docs[firsts(docs)]
    word_scores, own = words.at(docs)
    ties = np.zeros(len(docs))
    for listing, numbers in zip(listings, graph, strict=True):
        if listing.graph:
            ties[np.searchsorted(docs, numbers)] = np.fromiter(listing.graph.values(), np.float64)
    scores = Scores(docs, word_scores, own, meaning.at(docs), ties)
    return Lists(
        _renumbered(scores, [listing.source for listing in listings]),
        possible=max(listing.possible for listing in listings),
        exhausted=words.exhausted and meaning.exhausted,
        turns=any(listing.terms.turns for listing in listings),
    )


def _are_plain(listings: Sequence[Listing]) -> bool:
    return all(listing.allowed is None and listing.terms.plain for listing in listings)


class _WordsApart:
    """The lexical list of each namespace by itself."""

    def __init__(self, listings: Sequence[Listing]) -> None:
        self._listings = listings
        self._scored = [listing.by_words() for listing in listings]
        self.best = np.concatenate([_numbered(place, scored.docs) for place, scored in enumerate(self._scored)])
        pairs = zip(self._scored, listings, strict=True)
        self.exhausted = all(len(scored.docs) < listing.count for scored, listing in pairs)

    def at(self, docs: Numbers) -> tuple[Floats, Floats]:
        """The score of each document, and what its own words earned of it."""
        parts = _parts(docs, len(self._listings))
        columns = [
            lexical.at(listing.terms, own, scored)
            for listing, own, scored in zip(self._listings, parts, self._scored, strict=True)
        ]
        words, own_words = zip(*columns, strict=True)
        return np.concatenate(words), np.concatenate(own_words)


class _WordsTogether:
    """The same where every score is a sum over the postings of few terms: all of them are added up at once."""

    def __init__(self, listings: Sequence[Listing]) -> None:
        places = [place for place, listing in enumerate(listings) for _ in listing.terms.terms]
        terms = [term for listing in listings for term in listing.terms.terms]
        self._sums = lexical.Sums.of(terms, places)
        bounds = np.searchsorted(self._sums.docs, _starts(len(listings)))
        best, self.exhausted = [], True
        for listing, (start, end) in zip(listings, pairwise(bounds.tolist()), strict=True):
            self.exhausted = self.exhausted and end - start < listing.count
            if end - start <= listing.count:
                best.append(self._sums.docs[start:end])
            else:
                best.append(self._sums.docs[start + highest(self._sums.scores[start:end], listing.count)])
        self.best = np.concatenate(best)

    def at(self, docs: Numbers) -> tuple[Floats, Floats]:
        own = self._sums.at(docs)
        return own, own


class _MeaningApart:
    """The nearest documents of each namespace by itself."""

    def __init__(self, listings: Sequence[Listing]) -> None:
        self._listings, self._near = listings, [listing.near() for listing in listings]
        self.best = np.concatenate([_numbered(place, near.docs) for place, near in enumerate(self._near)])
        self.exhausted = all(near.all for near in self._near)

    def at(self, docs: Numbers) -> Floats:
        """The cosine of each document."""
        parts = _parts(docs, len(self._listings))
        return np.concatenate(
            [listing.meaning(own, near) for listing, own, near in zip(self._listings, parts, self._near, strict=True)]
        )


@dataclass(slots=True)
class _MeaningTogether:
    """The same where the product of every row is known, and each document has one row."""

    docs: Numbers
    cosines: Floats
    near: NDArray[np.intp]
    """Rows of the nearest."""
    exhausted: bool

    @classmethod
    def of(cls, listings: Sequence[Listing]) -> "_MeaningTogether | None":
        """None where it is not so."""
        if not all(listing.every for listing in listings):
            return None
        rows = [listing.every() for listing in listings if listing.every]
        docs = _all_numbered([multiplied.docs for multiplied in rows])
        if not (docs[1:] > docs[:-1]).all():
            return None
        near, cosines, exhausted, start = [], [], True, 0
        for listing, multiplied in zip(listings, rows, strict=True):
            size = len(multiplied.docs)
            exhausted = exhausted and size < listing.count
            nearest = np.arange(size) if size <= listing.count else highest(multiplied.products, listing.count)
            near.append(nearest + start)
            assert listing.encoder is not None
            cosines.append(listing.encoder.cosines(multiplied.products))
            start += size
        return cls(docs, np.concatenate(cosines), np.concatenate(near), exhausted)

    @property
    def best(self) -> Numbers:
        return self.docs[self.near]

    def at(self, docs: Numbers) -> Floats:
        """The cosine of each document; below zero only for one of the nearest."""
        meaning = np.zeros(len(docs))
        if len(self.docs):
            where = self.docs.searchsorted(docs)
            np.minimum(where, len(self.docs) - 1, out=where)
            counted = np.maximum(self.cosines, 0.0)
            counted[self.near] = self.cosines[self.near]
            meaning = np.where(self.docs[where] == docs, counted[where], 0.0)
        return meaning


def highest(scores: NDArray[np.float64] | NDArray[np.int32], count: int) -> NDArray[np.intp]:
    """Positions of the ``count`` highest scores, ascending; of equal scores the first ones."""
    least = np.partition(scores, len(scores) - count)[len(scores) - count]
    places = np.flatnonzero(scores >= least)
    if len(places) > count:
        equal = np.flatnonzero(scores[places] == least)
        places = np.delete(places, equal[count - len(places) :])
    return places


def _starts(count: int) -> Numbers:
    """The first number of each of so many namespaces, and the first after them."""
    return np.arange(count + 1, dtype=np.uint64) << np.uint64(BITS)


def _numbered(place: int, docs: NDArray[np.uint32]) -> Numbers:
    return docs.astype(np.uint64) + np.uint64(place << BITS)


def _all_numbered(docs: Sequence[NDArray[np.uint32]]) -> Numbers:
    return np.concatenate(docs).astype(np.uint64) + np.repeat(_starts(len(docs))[:-1], [len(part) for part in docs])


def _parts(docs: Numbers, count: int) -> list[NDArray[np.uint32]]:
    """The own numbers of the documents of each namespace."""
    bounds = np.searchsorted(docs, _starts(count)).tolist()
    own = docs.astype(np.uint32)
    return [own[start:end] for start, end in pairwise(bounds)]


def _renumbered(scores: Scores, sources: Sequence[int]) -> Scores:
    """By source instead of by namespace, in order."""
    if list(sources) == list(range(len(sources))):
        return scores
    own = scores.docs & np.uint64((1 << BITS) - 1)
    docs = own + (np.array(sources, np.uint64)[scores.docs >> np.uint64(BITS)] << np.uint64(BITS))
    if (docs[1:] > docs[:-1]).all():
        return scores._replace(docs=docs)
    order = np.argsort(docs, kind="stable")
    return Scores(docs[order], *(column[order] for column in scores[1:]))
