"""The lexical score on arrays: BM25 with the namespace's own statistics, neighbouring turns lending theirs."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from commonplace.retrieval.plain import ASKS, BM25, LENGTHS, TF, TURN, WINDOW, Bm25, Statistics, Term, idf

_RECORD = np.dtype([("doc", "<u4"), ("flags", "u1"), ("length", "u1")])
_LENGTHS = np.array(LENGTHS)

# below this many places per posting, looking at every place is cheaper than sorting the touched ones
_DENSE = 16


@dataclass(frozen=True, slots=True)
class Postings:
    """The documents that hold one term, ascending, with flags (`plain.TURN` …) and length codes."""

    docs: NDArray[np.uint32]
    flags: NDArray[np.uint8]
    lengths: NDArray[np.uint8]

    def __len__(self) -> int:
        return len(self.docs)


@dataclass(frozen=True, slots=True)
class Scored:
    """Documents, ascending; their scores; the part of each score that the document's own words earned."""

    docs: NDArray[np.uint32]
    scores: NDArray[np.float64]
    own: NDArray[np.float64]

    def best(self, count: int) -> "Scored":
        """The ``count`` best, best first, the lower number first where scores are equal."""
        chosen = best(self.scores, count)
        return Scored(self.docs[chosen], self.scores[chosen], self.own[chosen])


def pack(docs: ArrayLike, flags: ArrayLike, lengths: ArrayLike) -> bytes:
    """Documents (ascending), flags and length codes as they are stored."""
    docs = np.asarray(docs)
    records = np.empty(len(docs), _RECORD)
    records["doc"], records["flags"], records["length"] = docs, flags, lengths
    return records.tobytes()


def unpack(packed: bytes | memoryview) -> Postings:
    records = np.frombuffer(packed, _RECORD)
    return Postings(np.ascontiguousarray(records["doc"]), records["flags"], records["length"])


def score(
    postings: Sequence[Postings],
    statistics: Statistics,
    terms: Sequence[Term],
    weights: Bm25 = BM25,
) -> Scored:
    """BM25 of every document that holds one of the terms or stands beside one that does.

    ``postings`` are those of each of ``terms``, all of one namespace. A document that only received may not exist:
    whoever fetches it finds out.
    """
    held = [(one, term) for one, term in zip(postings, terms, strict=True) if len(one)]
    if not held:
        return _NOTHING
    low = max(min(int(one.docs[0]) for one, _ in held) - WINDOW, 0)
    size = max(int(one.docs[-1]) for one, _ in held) + WINDOW + 1 - low
    table = _Table(low, np.zeros(size), np.zeros(size), np.zeros(size))
    touched = [_add(table, one, term, statistics, weights) for one, term in held]
    return _gather(table, touched)


def merge(parts: Sequence[Scored]) -> Scored:
    """One list of several namespaces', each scored by its own statistics. No document is in two of them."""
    docs = np.concatenate([part.docs for part in parts]) if parts else _NOTHING.docs
    order = np.argsort(docs, kind="stable")
    if not len(order):
        return _NOTHING
    scores, own = (np.concatenate([getattr(part, name) for part in parts])[order] for name in ("scores", "own"))
    return Scored(docs[order], scores, own)


def best(scores: NDArray[np.float64], count: int) -> NDArray[np.intp]:
    """Where the ``count`` highest stand, highest first, the earlier first where they are equal."""
    if count <= 0:
        return np.empty(0, np.intp)
    if count < len(scores):
        # everything equal to the last one that fits competes by its place
        limit = np.partition(scores, len(scores) - count)[len(scores) - count]
        places = np.flatnonzero(scores >= limit)
    else:
        places = np.arange(len(scores))
    return places[np.argsort(-scores[places], kind="stable")][:count]


_NOTHING = Scored(np.empty(0, np.uint32), np.empty(0), np.empty(0))


@dataclass(frozen=True, slots=True)
class _Table:
    """Three numbers per place, a place being a document's number less ``low``. ``held`` is zero between terms."""

    low: int
    scores: NDArray[np.float64]
    own: NDArray[np.float64]
    held: NDArray[np.float64]


def _add(
    table: _Table, postings: Postings, term: Term, statistics: Statistics, weights: Bm25
) -> NDArray[np.intp]:
    """Add one term's score to the table and return the places it touched, some of them twice."""
    places = postings.docs.astype(np.intp) - table.low
    length = _LENGTHS[postings.lengths]
    measured = (postings.flags & TF) / (1 - weights.b + weights.b * length / statistics.average)
    asks = (postings.flags & ASKS) != 0
    mine = np.where(asks, measured * weights.asking, measured)
    gain = term.weight * idf(statistics.documents, len(postings)) * (weights.k1 + 1)
    table.own[places] += gain * mine / (mine + weights.k1)
    table.held[places] = mine
    touched = [places]
    if term.lends:
        turns = (postings.flags & TURN) != 0
        lent = (measured * np.minimum(1.0, weights.longest / np.maximum(length, 1.0)))[turns]
        lenders, asks = places[turns], asks[turns]
        for distance, told, asked in weights.shares():
            near = lenders + distance
            inside = slice(None) if distance > 0 or table.low else near >= 0
            table.held[near[inside]] += (lent * np.where(asks, asked, told))[inside]
            touched.append(near[inside])
    everywhere = np.concatenate(touched)
    tf = table.held[everywhere]
    # a place touched twice is written twice with the same sum
    table.scores[everywhere] = table.scores[everywhere] + gain * tf / (tf + weights.k1)
    table.held[everywhere] = 0
    return everywhere


def _gather(table: _Table, touched: Sequence[NDArray[np.intp]]) -> Scored:
    if len(table.scores) <= _DENSE * sum(map(len, touched)):
        places = np.flatnonzero(table.scores)
    else:
        places = np.unique(np.concatenate(touched))
    return Scored((places + table.low).astype(np.uint32), table.scores[places], table.own[places])
