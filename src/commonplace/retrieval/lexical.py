"""The lexical score on arrays: BM25 with the namespace's own statistics, neighbouring turns lending theirs."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from commonplace.retrieval.bm25 import BM25, WINDOW, Bm25, Statistics, Term, idf
from commonplace.text.index import ASKS, LENGTHS, TF, TURN

_RECORD = np.dtype([("doc", "<u4"), ("code", "<u2")])
"""As `text.index.RECORD`; flags and length together are one number, by which worths are looked up."""
_LENGTHS = np.array(LENGTHS)

_SHORT = 32
"""Length codes of short documents are below it; a power of two."""

# a list of this length is worth the look at who can still win before it is added up
_FREQUENT = 4_000
# so many times the wanted are scored in full to learn what it takes to be among them; a sample tells who they are
_LEADING, _SAMPLE = 4, 2_048


@dataclass(frozen=True)
class Postings:
    """The documents that hold one term, ascending, each with its flags (`text.index`) and length code in one number."""

    docs: NDArray[np.uint32]
    codes: NDArray[np.uint16]

    def __len__(self) -> int:
        return len(self.docs)

    @property
    def flags(self) -> NDArray[np.uint8]:
        return self.codes.view(np.uint8)[::2]

    @property
    def lengths(self) -> NDArray[np.uint8]:
        return self.codes.view(np.uint8)[1::2]

    @cached_property
    def highest(self) -> int:
        """The highest of the flags."""
        return int(self.flags.max())

    @cached_property
    def shortest(self) -> int:
        return int(self.lengths.min())

    @cached_property
    def said(self) -> int:
        """What any of the codes says."""
        return int(np.bitwise_or.reduce(self.codes))

    @property
    def short(self) -> bool:
        """Whether all the documents are."""
        return self.said < _SHORT << 8

    @property
    def nbytes(self) -> int:
        return self.docs.nbytes + self.codes.nbytes


@dataclass(frozen=True, slots=True)
class Scored:
    """Documents and their scores, in ascending order of document or, after `best`, of rank."""

    docs: NDArray[np.uint32]
    scores: NDArray[np.float64]
    table: "_Table | None" = None
    """Every document's score, where nothing was left out."""

    def best(self, count: int) -> "Scored":
        """The ``count`` best, best first, the lower number first where scores are equal."""
        chosen = best(self.scores, count)
        return Scored(self.docs[chosen], self.scores[chosen], self.table)


@dataclass(frozen=True, slots=True)
class _Table:
    """Two numbers per place, a place being a document's number less ``low``. ``pending`` is zero between terms."""

    low: int
    scores: NDArray[np.float64]
    pending: NDArray[np.float64]

    def at(self, docs: NDArray[np.uint32]) -> NDArray[np.float64]:
        places = docs.astype(np.intp) - self.low
        inside = (places >= 0) & (places < len(self.scores))
        scores: NDArray[np.float64] = np.where(inside, self.scores[np.where(inside, places, 0)], 0.0)
        return scores


_NOTHING = Scored(np.empty(0, np.uint32), np.empty(0))


def pack(docs: ArrayLike, flags: ArrayLike, lengths: ArrayLike) -> bytes:
    """Documents (ascending), flags and length codes as they are stored."""
    docs = np.asarray(docs)
    records = np.empty(len(docs), _RECORD)
    records["doc"], records["code"] = docs, np.asarray(flags) + 256 * np.asarray(lengths)
    return records.tobytes()


def unpack(packed: bytes | memoryview) -> Postings:
    """The postings of one term. Records out of order or written twice are put right; the later one counts."""
    records = np.frombuffer(packed, _RECORD)
    docs = np.ascontiguousarray(records["doc"])
    if not (docs[1:] > docs[:-1]).all():
        docs, last = np.unique(docs[::-1], return_index=True)
        records = records[::-1][last]
    return Postings(docs, np.ascontiguousarray(records["code"]))


@dataclass(frozen=True, slots=True)
class QuestionTerms:
    """The terms of a question that a namespace has, with their postings, ready to be scored."""

    terms: "tuple[_Term, ...]"

    @classmethod
    def of(
        cls, postings: Sequence[Postings], statistics: Statistics, terms: Sequence[Term], weights: Bm25 = BM25
    ) -> "QuestionTerms":
        """``postings`` are those of each of ``terms``, all of one namespace."""
        present = [pair for pair in zip(postings, terms, strict=True) if len(pair[0])]
        short = all(term_postings.short for term_postings, _ in present)
        norm, worths = _norms(statistics.average, weights), _worths(statistics.average, weights, short=short)
        return cls(
            tuple(
                [
                    _Term(term_postings, term, statistics.documents, weights, norm, worths)
                    for term_postings, term in present
                ]
            )
        )

    @property
    def turns(self) -> bool:
        """Whether any of the documents may be a turn."""
        return any(term.marked for term in self.terms)

    @property
    def plain(self) -> bool:
        """Whether `Sums` adds them up: no turns, and no term so frequent that it is better looked up."""
        return not any(term.marked or len(term.docs) > _FREQUENT for term in self.terms)


def score(question_terms: QuestionTerms, count: int | None = None) -> Scored:
    """BM25 of every document that holds one of the terms or stands beside one that does.

    With ``count``, documents that cannot be among so many best may be missing; the scores of the others are the same.
    A document that only received may not exist: the caller finds out when it fetches it.
    """
    if not question_terms.terms:
        return _NOTHING
    terms = sorted(question_terms.terms, key=lambda term: -term.most)
    if count is not None and not any(term.lends for term in terms):
        return _score_few(terms, count)
    low = max(min(int(term.docs[0]) for term in terms) - WINDOW, 0)
    size = max(int(term.docs[-1]) for term in terms) + WINDOW + 1 - low
    table = _Table(low, np.zeros(size), np.zeros(size))
    added = 0.0
    for n, term in enumerate(terms):
        remaining = sum(later.most for later in terms[n:])
        if count is not None and len(term.docs) > _FREQUENT and remaining < added:
            places = np.flatnonzero(table.scores > 0)
            docs_so_far = (places + low).astype(np.uint32)
            docs, scores = _contenders(docs_so_far, table.scores[places], remaining, count)
            if len(docs) < len(places) or remaining == 0:
                return _finish(docs, scores, terms[n:], count)
        term.add(table)
        added += term.most
    places = np.flatnonzero(table.scores > 0)
    return Scored((places + low).astype(np.uint32), table.scores[places], table)


def at(
    question_terms: QuestionTerms, docs: NDArray[np.uint32], scored: Scored = _NOTHING
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The score of each of ``docs``, as `score` has it, and the part of it that its own words earned.

    ``scored`` is what `score` gave for the same terms: it may know the scores already.
    """
    own_scores, lent = np.zeros(len(docs)), np.zeros(len(docs))
    for term in question_terms.terms:
        earned = term.worth_at(docs)
        own_scores += earned
        if term.lends and scored.table is None:
            lent += term.worth_with_lent(docs) - earned
    return own_scores + lent if scored.table is None else scored.table.at(docs), own_scores


def best(scores: NDArray[np.float64] | NDArray[np.int32], count: int) -> NDArray[np.intp]:
    """Positions of the ``count`` highest scores, highest first; equal scores in order of position."""
    if count <= 0:
        return np.empty(0, np.intp)
    places = np.arange(len(scores))
    if count < len(scores):
        # everything equal to the last one that fits competes by its place
        places = np.flatnonzero(scores >= _nth(scores, count))
    return places[np.argsort(-scores[places], kind="stable")][:count]


def _nth(scores: NDArray[np.float64] | NDArray[np.int32], count: int) -> float:
    """The ``count``-th highest."""
    return float(np.partition(scores, len(scores) - count)[len(scores) - count])


class _Term:
    """One term's postings with their measured frequencies, ready to be added up."""

    def __init__(
        self,
        postings: Postings,
        term: Term,
        documents: int,
        weights: Bm25,
        norm: NDArray[np.float64],
        worths: NDArray[np.float64],
    ) -> None:
        self.postings, self.docs, self.codes = postings, postings.docs, postings.codes
        self.term, self.weights, self.norm, self.worths = term, weights, norm, worths
        self.gain = term.weight * idf(documents, len(postings)) * (weights.k1 + 1)
        self.marked = bool(postings.said & (TURN | ASKS))
        """Whether any flags say more than the frequency; where they do not, none of the documents is a turn."""
        self.lends = bool(postings.said & TURN) and term.lends
        self.most = self.gain
        """What this term can add to a score."""
        if not self.marked and len(self.docs) > _FREQUENT:
            # a hair above: a sum of floats is not what it would be in another order
            self.most = float(self.saturated(postings.highest / self.norm[postings.shortest])) * (1 + 1e-9)

    @property
    def flags(self) -> NDArray[np.uint8]:
        return self.postings.flags

    @property
    def lengths(self) -> NDArray[np.uint8]:
        return self.postings.lengths

    def saturated(self, tf: "_Numbers") -> "_Numbers":
        return self.gain * tf / (tf + self.weights.k1)

    def worth(self, where: "_Where") -> NDArray[np.float64]:
        """What the documents at ``where`` in the postings earn by their own words."""
        if self.marked:
            return self.saturated(self.kept(where))
        worth: NDArray[np.float64] = self.gain * self.worths[self.codes[where]]
        return worth

    def measured(self, where: "_Where") -> NDArray[np.float64]:
        """How often the term stands in the documents at ``where``, against their lengths."""
        flags = self.flags[where]
        measured: NDArray[np.float64] = np.divide(flags & TF, self.norm[self.lengths[where]])
        if self.term.conversation_weight != 1 and self.marked:
            measured = np.where(flags & TURN, measured * self.term.conversation_weight, measured)
        return measured

    def kept(self, where: "_Where") -> NDArray[np.float64]:
        """What the documents at ``where`` have of their own."""
        measured = self.measured(where)
        if not self.marked:
            return measured
        asks = (self.flags[where] & ASKS) != 0
        own_frequency: NDArray[np.float64] = np.where(asks, measured * self.weights.asking, measured)
        return own_frequency

    def lent(self, where: "_Where") -> NDArray[np.float64]:
        clipped = np.minimum(1.0, self.weights.longest / np.maximum(_LENGTHS, 1.0))
        lent: NDArray[np.float64] = self.measured(where) * clipped[self.lengths[where]]
        return lent

    def add(self, table: _Table) -> None:
        """Add the score of every document that this term reaches."""
        places = self.docs.astype(np.intp) - table.low
        if not self.lends:
            table.scores[places] += self.worth(slice(None))
            return
        table.pending[places] = self.kept(slice(None))
        touched = [places]
        turns = (self.flags & TURN) != 0
        lent, lenders, asks = self.lent(turns), places[turns], (self.flags[turns] & ASKS) != 0
        for distance, telling_share, asking_share in self.weights.shares():
            neighbours = lenders + distance
            share = lent * np.where(asks, asking_share, telling_share)
            if neighbours.size and neighbours[0] < 0:
                neighbours, share = neighbours[neighbours >= 0], share[neighbours >= 0]
            table.pending[neighbours] += share
            touched.append(neighbours)
        everywhere = np.concatenate(touched)
        # a place touched twice is written twice with the same sum
        table.scores[everywhere] = table.scores[everywhere] + self.saturated(table.pending[everywhere])
        table.pending[everywhere] = 0

    def worth_at(self, docs: NDArray[np.uint32]) -> NDArray[np.float64]:
        """What some documents earn by this term's standing in them."""
        worth = np.zeros(len(docs))
        matches, where = self.search(docs)
        worth[matches] = self.worth(where)
        return worth

    def worth_with_lent(self, docs: NDArray[np.uint32]) -> NDArray[np.float64]:
        """As `add`, for chosen documents."""
        if not self.lends:
            return self.worth_at(docs)
        tf = np.zeros(len(docs))
        matches, where = self.search(docs)
        tf[matches] = self.kept(where)
        for distance, telling_share, asking_share in self.weights.shares():
            # before the first document there is none: what wraps around is beyond the last
            matches, where = self.search(docs - np.uint32(distance % (1 << 32)))
            turns = (self.flags[where] & TURN) != 0
            if turns.any():
                matches, where = matches[turns], where[turns]
                tf[matches] += self.lent(where) * np.where((self.flags[where] & ASKS) != 0, asking_share, telling_share)
        return self.saturated(tf)

    def search(self, docs: NDArray[np.uint32]) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """The positions in ``docs`` of those that are in the postings, and their positions there."""
        where = self.docs.searchsorted(docs)
        matches = np.flatnonzero(self.docs.take(where, mode="clip") == docs)
        return matches, where[matches]


_Where = NDArray[np.intp] | NDArray[np.bool_] | slice
_Numbers = TypeVar("_Numbers", float, NDArray[np.float64])


@lru_cache(maxsize=64)
def _norms(average: float, weights: Bm25) -> NDArray[np.float64]:
    """By length code, what an occurrence in a document of that length is divided by."""
    norms: NDArray[np.float64] = 1 - weights.b + weights.b * _LENGTHS / average
    return norms


@lru_cache(maxsize=64)
def _worths(average: float, weights: Bm25, *, short: bool) -> NDArray[np.float64]:
    """By flags and length code, the share of its term's gain that an occurrence outside of conversations has.

    ``short``: of short documents alone. A table of all lengths takes longer to make than a few terms to be looked up.
    """
    norms = _norms(average, weights)[: _SHORT if short else None]
    measured = np.arange(TF + 1) / norms[:, None]
    worths = np.zeros((len(norms), 256))
    worths[:, : TF + 1] = measured / (measured + weights.k1)
    return worths.reshape(-1)


def _score_few(terms: Sequence[_Term], count: int) -> Scored:
    """As `score` where no term lends. Rare terms first; frequent ones are looked up where they can still matter."""
    rare = next((n for n, term in enumerate(terms) if len(term.docs) > _FREQUENT), len(terms))
    docs, scores = _summed(terms[:rare])
    least = 0.0
    for n, term in enumerate(terms[rare:], rare):
        remaining = sum(later.most for later in terms[n:])
        least = max(least, _certain(docs, scores, terms[n:], count))
        if remaining < least:
            return _finish(docs, scores, terms[n:], count, least)
        docs, scores = _joined(docs, scores, term, least - remaining)
    return _finish(docs, scores, (), count, least)


def _certain(docs: NDArray[np.uint32], scores: NDArray[np.float64], remaining: Sequence[_Term], count: int) -> float:
    """A lower bound for the ``count``-th best score: that of leading documents with all ``remaining`` terms added."""
    if len(docs) < count:
        docs = remaining[0].docs[: _LEADING * _LEADING * count]
        scores = np.zeros(len(docs))
    leading = _leading(scores, _LEADING * count)
    docs, scores = docs[leading], scores[leading]
    for term in remaining:
        scores += term.worth_at(docs)
    # a hair below: a sum of floats is not what it would be in another order
    return _nth(scores, count) * (1 - 1e-9) if len(scores) >= count else 0.0


def _leading(scores: NDArray[np.float64], count: int) -> NDArray[np.intp]:
    """Positions of about ``count`` of the highest scores, estimated from a sample; all positions if there are few."""
    if len(scores) <= count:
        return np.arange(len(scores))
    sample = scores[:: max(1, len(scores) // _SAMPLE)]
    return np.flatnonzero(scores >= _nth(sample, max(1, count * len(sample) // len(scores))))[: 2 * count]


def _joined(
    docs: NDArray[np.uint32], scores: NDArray[np.float64], term: _Term, missing: float
) -> tuple[NDArray[np.uint32], NDArray[np.float64]]:
    """With a term added, those who have ``missing`` without it, and those who have as much by it beyond its most."""
    if missing > 0:
        able = np.flatnonzero(scores >= missing)
        docs, scores = docs[able], scores[able]
    worth = term.worth(slice(None))
    matches, where = term.search(docs)
    scores[matches] += worth[where]
    new = worth >= missing + term.most
    new[where] = False
    docs, scores = np.concatenate((docs, term.docs[new])), np.concatenate((scores, worth[new]))
    order = np.argsort(docs, kind="stable")
    return docs[order], scores[order]


def _summed(terms: Sequence[_Term]) -> tuple[NDArray[np.uint32], NDArray[np.float64]]:
    """The documents that hold any of the terms, and the score of each over all terms."""
    if not terms:
        return _NOTHING.docs, _NOTHING.scores
    docs = np.concatenate([term.docs for term in terms])
    order = np.argsort(docs, kind="stable")
    docs = docs[order]
    first = np.ones(len(docs), bool)
    np.not_equal(docs[1:], docs[:-1], out=first[1:])
    worth = np.concatenate([term.worth(slice(None)) for term in terms])[order]
    return docs[first], np.add.reduceat(worth, np.flatnonzero(first))


@dataclass(frozen=True, slots=True)
class Sums:
    """The documents that hold a term of a question, of all namespaces, with their scores.

    A document's number has the place of its namespace above it, so that they stand one namespace after the other.
    """

    docs: NDArray[np.uint64]
    scores: NDArray[np.float64]
    """To choose the best by: as `score` adds up, what is worth most first."""
    own: NDArray[np.float64]
    """As `at` adds up, in the order of the question. In the last bit the two may differ."""

    @classmethod
    def of(cls, terms: Sequence[_Term], places: Sequence[int]) -> "Sums":
        """``terms`` in the order of the question, namespace by namespace; ``places`` tells of which each is."""
        if not terms:
            return cls(np.empty(0, np.uint64), np.empty(0), np.empty(0))
        order = sorted(range(len(terms)), key=lambda n: (places[n], -terms[n].most))
        sizes = np.array([len(terms[n].docs) for n in order])
        docs = np.concatenate([terms[n].docs for n in order]).astype(np.uint64)
        docs += np.repeat(np.array([places[n] for n in order], np.uint64) << np.uint64(32), sizes)
        worth = np.concatenate([terms[n].worth(slice(None)) for n in order])
        sorting = np.argsort(docs, kind="stable")
        ordered = docs[sorting]
        first = np.ones(len(docs), bool)
        np.not_equal(ordered[1:], ordered[:-1], out=first[1:])
        starts = np.flatnonzero(first)
        rank = np.empty(len(docs), np.intp)
        rank[sorting] = np.cumsum(first) - 1
        ends = np.cumsum(sizes).tolist()
        spans = {n: slice(end - len(terms[n].docs), end) for n, end in zip(order, ends, strict=True)}
        asked = [spans[n] for n in range(len(terms))]
        ranks, worths = (np.concatenate([column[span] for span in asked]) for column in (rank, worth))
        own: NDArray[np.float64] = np.bincount(ranks, worths).astype(np.float64, copy=False)
        return cls(ordered[starts], np.add.reduceat(worth[sorting], starts), own)

    def at(self, docs: NDArray[np.uint64]) -> NDArray[np.float64]:
        """The score of each of ``docs``."""
        if not len(self.docs):
            return np.zeros(len(docs))
        where = self.docs.searchsorted(docs)
        np.minimum(where, len(self.docs) - 1, out=where)
        scores: NDArray[np.float64] = np.where(self.docs[where] == docs, self.own[where], 0.0)
        return scores


def _contenders(
    docs: NDArray[np.uint32], scores: NDArray[np.float64], remaining: float, count: int, least: float = 0.0
) -> tuple[NDArray[np.uint32], NDArray[np.float64]]:
    """Documents that can still be among the ``count`` best when any score may grow by up to ``remaining``.

    ``least`` is a known lower bound of the last of those scores. All of them where a document without a score may win.
    """
    if not least and len(docs) >= count:
        least = _nth(scores, count)
    missing = least - remaining * (1 + 1e-9)
    if missing <= 0:
        return docs, scores
    keep = np.flatnonzero(scores >= missing)
    return docs[keep], scores[keep]


def _finish(
    docs: NDArray[np.uint32], scores: NDArray[np.float64], terms: Sequence[_Term], count: int, least: float = 0.0
) -> Scored:
    """Add the remaining terms to the documents that can still win; fewer are left after each term."""
    for n, term in enumerate(terms):
        if len(docs) > _LEADING * count:
            docs, scores = _contenders(docs, scores, sum(later.most for later in terms[n:]), count, least)
        scores = scores + term.worth_with_lent(docs)
    # a document that was dropped and came back has too low a score, and could not win anyway
    keep = np.flatnonzero(scores >= least)
    return Scored(docs[keep], scores[keep])
