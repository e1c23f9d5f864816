"""Packed postings and their score with the standard library alone.

A hook lives for some tens of milliseconds and cannot afford to import numpy. `lexical` does the same on arrays; a
test holds the two to each other. The weights that both use stand here.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from heapq import nsmallest

from commonplace.text.index import ASKS, LENGTHS, RECORD, TF, TURN

WINDOW = 2
"""How far a turn lends. Sessions are numbered with at least as many unused numbers between them."""


@dataclass(frozen=True, slots=True)
class Statistics:
    """Of one namespace: how many documents are in the index, and the sum of their lengths in terms."""

    documents: int
    length: int

    @property
    def average(self) -> float:
        return max(self.length / self.documents, 1.0) if self.documents else 1.0


@dataclass(frozen=True, slots=True)
class Term:
    """A term of a question. A field (who spoke, on which day) does not ``lend`` itself to the neighbouring turns.

    ``conversation_weight`` is the weight of an occurrence in a turn, where a speaker's name is often a form of address.
    """

    word: str
    weight: float = 1.0
    lends: bool = True
    conversation_weight: float = 1.0


@dataclass(frozen=True, slots=True)
class Bm25:
    """BM25 in which every occurrence is measured against the length of the turn it stands in, then lent.

    A turn's term frequency is its own plus a share of its neighbours'. Somebody who asks names the thing that the
    answer leaves out, so an asking turn lends most of its words to the next one and vouches less for itself.
    """

    k1: float = 0.7
    b: float = 0.6
    asking: float = 0.85
    asked_before: tuple[float, ...] = (0.8, 0.2)
    told_before: tuple[float, ...] = (0.3, 0.2)
    asked_after: tuple[float, ...] = (0.2, 0.1)
    told_after: tuple[float, ...] = (0.3, 0.2)
    longest: float = 30.0
    """Of a turn with more terms than this (about 300 characters) only that share is lent."""

    def shares(self) -> tuple[tuple[int, float, float], ...]:
        """Each lending: to which distance, how much if the lender tells, how much if it asks."""
        later = zip(self.told_before, self.asked_before, strict=True)
        earlier = zip(self.told_after, self.asked_after, strict=True)
        shares = [(n, *two) for n, two in enumerate(later, 1)] + [(-n, *two) for n, two in enumerate(earlier, 1)]
        return tuple(share for share in shares if any(share[1:]))


BM25 = Bm25()


def idf(documents: int, holding: int) -> float:
    return math.log1p((max(documents, holding) - holding + 0.5) / (holding + 0.5))


@dataclass(frozen=True, slots=True)
class PlainScored:
    """Per document the score, and the part of it that its own words earned."""

    scores: Mapping[int, float]
    own: Mapping[int, float]

    def best(self, count: int) -> list[int]:
        """The best documents, the lower number first where scores are equal."""
        return nsmallest(count, self.scores, key=lambda doc: (-self.scores[doc], doc))


def most(statistics: Statistics, holding: Sequence[int], terms: Sequence[Term], weights: Bm25 = BM25) -> float:
    """The score that no document can exceed: every term there is, as often as you like."""
    met = zip(holding, terms, strict=True)
    return (weights.k1 + 1) * sum(term.weight * idf(statistics.documents, count) for count, term in met if count)


def score(
    postings: Sequence[bytes | memoryview],
    statistics: Statistics,
    terms: Sequence[Term],
    weights: Bm25 = BM25,
) -> PlainScored:
    """BM25 of every document that holds one of the terms or stands beside one that does.

    ``postings`` are the packed records of each of ``terms``, all of one namespace. A document that only received may
    not exist: the caller finds out when it fetches it.
    """
    scores: dict[int, float] = {}
    own_scores: dict[int, float] = {}
    k1, b, average = weights.k1, weights.b, statistics.average
    measures = [1 - b + b * length / average for length in LENGTHS]
    for packed, term in zip(postings, terms, strict=True):
        records = {doc: (flags, code) for doc, flags, code in RECORD.iter_unpack(packed)}
        gain = term.weight * idf(statistics.documents, len(records)) * (k1 + 1)
        own_frequencies, lent = _frequencies(records, measures, term, weights)
        for doc, tf in own_frequencies.items():
            worth = gain * tf / (tf + k1)
            own_scores[doc] = own_scores.get(doc, 0.0) + worth
            if doc not in lent:
                scores[doc] = scores.get(doc, 0.0) + worth
        for doc, tf in lent.items():
            tf += own_frequencies.get(doc, 0.0)
            scores[doc] = scores.get(doc, 0.0) + gain * tf / (tf + k1)
    return PlainScored(scores, own_scores)


def _frequencies(
    records: Mapping[int, tuple[int, int]], measures: Sequence[float], term: Term, weights: Bm25
) -> tuple[dict[int, float], dict[int, float]]:
    """The measured frequencies of one term: what the documents hold by themselves, and what neighbours lend them."""
    own_frequencies: dict[int, float] = {}
    lent: dict[int, float] = {}
    shares = weights.shares() if term.lends else ()
    asking, conversation_weight, longest = weights.asking, term.conversation_weight, weights.longest
    for doc, (flags, code) in records.items():
        measured = (flags & TF) / measures[code]
        if flags & TURN:
            measured *= conversation_weight
        asks = flags & ASKS
        own_frequencies[doc] = measured * asking if asks else measured
        if not (shares and flags & TURN):
            continue
        share = measured * min(1.0, longest / max(LENGTHS[code], 1.0))
        for distance, telling_share, asking_share in shares:
            neighbour = doc + distance
            if neighbour >= 0:
                lent[neighbour] = lent.get(neighbour, 0.0) + share * (asking_share if asks else telling_share)
    return own_frequencies, lent
