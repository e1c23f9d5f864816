"""Candidate lists for one namespace: by words, by meaning and by the graph."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from commonplace.lazy import pattern
from commonplace.memories.scope import Scope
from commonplace.model import CURRENT
from commonplace.retrieval import bm25 as plain
from commonplace.retrieval import coarse, lexical, vector
from commonplace.retrieval.bm25 import Statistics, Term
from commonplace.retrieval.encoder import RotatedEncoder
from commonplace.retrieval.in_step import Steps
from commonplace.retrieval.lexical import Postings, Scored
from commonplace.retrieval.matrices import Matrices, Matrix, joined
from commonplace.retrieval.multiplied import Multiplied
from commonplace.retrieval.question import Question
from commonplace.retrieval.recipes import Recipe
from commonplace.retrieval.scores import Docs, Floats
from commonplace.retrieval.snapshots import Place, Snapshot
from commonplace.store.transaction import Transaction
from commonplace.text.index import FIELD

TIES = 40
"""Relations looked at for the entities that a question names."""
NEAR, EVIDENCE = 1.0, 0.6
FEW = 4_000
"""Rows of a matrix that are all multiplied, and their products kept for those documents that other lists name."""

_NO_DOCS, _NO_SCORES = np.empty(0, np.uint32), np.empty(0)


@dataclass(frozen=True, slots=True)
class Listing:
    """What one namespace says to a question: `union` makes the lists of it."""

    lister: "Lister"
    source: int
    """The place of its source among all that are searched."""
    terms: lexical.QuestionTerms
    possible: float
    """The score of a text that holds every word of the question."""
    graph: Mapping[int, float]
    near: Callable[[], "Near"]
    every: Callable[[], Multiplied] | None
    """The inner product of every row, where they are few."""
    encoder: RotatedEncoder | None
    question_vector: NDArray[np.int8] | None
    count: int
    allowed: Docs | None

    def by_words(self) -> Scored:
        """The best by words."""
        scored = lexical.score(self.terms, self.count if self.allowed is None else None)
        if self.allowed is not None:
            keep = np.isin(scored.docs, self.allowed)
            scored = Scored(scored.docs[keep], scored.scores[keep], scored.table)
        return scored.best(self.count)

    def meaning(self, union: Docs, near: "Near") -> Floats:
        """The cosine of every document of the union; those that came from other lists are looked up."""
        meaning = np.zeros(len(union))
        if self.encoder is None or self.question_vector is None:
            return meaning
        places = np.searchsorted(union, near.docs)
        meaning[places] = near.cosines
        missing = np.ones(len(union), bool)
        missing[places] = False
        docs, products = self.lister.products_of(self.encoder, self.question_vector, union[missing])
        if len(docs):
            # the nearest passage of a document counts; a negative cosine counts as zero
            np.maximum.at(meaning, np.searchsorted(union, docs), self.encoder.cosines(products))
        return meaning


@dataclass(frozen=True, slots=True)
class TermMatches:
    """The terms of a question that a namespace has, with their postings."""

    terms: tuple[Term, ...]
    postings: tuple[Postings, ...]
    statistics: Statistics
    unknown: tuple[Term, ...] = ()
    """Words of the question that no document here has; they lower every relative score."""

    def question_terms(self, weights: plain.Bm25) -> lexical.QuestionTerms:
        return lexical.QuestionTerms.of(self.postings, self.statistics, self.terms, weights)

    def possible(self, question_terms: lexical.QuestionTerms, weights: plain.Bm25) -> float:
        """The score of a text that holds every word of the question."""
        unknown = plain.most(self.statistics, [1] * len(self.unknown), self.unknown, weights)
        return sum([term.gain for term in question_terms.terms], start=unknown)


class Lister:
    """Builds the candidate lists of one namespace."""

    def __init__(self, scope: Scope, tx: Transaction, matrices: Matrices, snapshot: Snapshot, place: Place) -> None:
        self._scope, self._tx, self._matrices, self._snapshot = scope, tx, matrices, snapshot
        self._namespace, self._statistics = place.id, place.statistics
        self._matrix: Matrix | None = None
        """The matrix that was scanned; None where the database computed the answer."""
        self._multiplied: Multiplied | None = None
        """The inner products of every row, where the database computed them or they are few."""

    @property
    def documents(self) -> int:
        """How many texts the namespace has in its index."""
        return self._statistics.documents

    def listing(
        self,
        question: Question,
        encoder: RotatedEncoder | None,
        question_vector: NDArray[np.int8] | None,
        recipe: Recipe,
        count: int,
        allowed: Docs | None,
        *,
        source: int = 0,
    ) -> Steps[Listing]:
        """What the lists are made of, each with its ``count`` best."""
        near, every = self._by_meaning(encoder, question_vector, count, allowed)
        named = self._named(question.text)
        matches = yield from self._ask(question.terms)
        graph = yield from self._by_graph(named(), allowed)
        terms = matches.question_terms(recipe.bm25)
        possible = matches.possible(terms, recipe.bm25)
        return Listing(self, source, terms, possible, graph, near, every, encoder, question_vector, count, allowed)

    def _ask(self, terms: Sequence[Term]) -> Steps[TermMatches]:
        """Fetch the postings of those terms that the namespace has."""
        hashes = self._scope.vault.terms(self._namespace, [term.word for term in terms])
        fetched = yield from self._snapshot.postings(self._tx, self._namespace, hashes)
        pairs = list(zip(terms, fetched, strict=True))
        matching = [(term, postings) for term, postings in pairs if len(postings.docs)]
        unknown = tuple(
            term for term, postings in pairs if not len(postings.docs) and not term.word.startswith((FIELD, "s:"))
        )
        matched_terms, postings = zip(*matching, strict=True) if matching else ((), ())
        return TermMatches(matched_terms, postings, self._statistics, unknown)

    def _by_meaning(
        self,
        encoder: RotatedEncoder | None,
        question_vector: NDArray[np.int8] | None,
        count: int,
        allowed: Docs | None,
    ) -> tuple[Callable[[], "Near"], Callable[[], Multiplied] | None]:
        """A function that returns the nearest documents; and, where few are searched, the products of all.

        They are called after the words are there.
        """
        if encoder is None or question_vector is None:
            return lambda: Near(_NO_DOCS, _NO_SCORES, all=True), None
        if multiplying := self._multiplying(encoder, question_vector):
            nearest = lambda limit: multiplying().nearest(limit, allowed)  # noqa: E731  # asked when the answer is here
            return partial(_nearest, nearest, count, encoder), multiplying if allowed is None else None
        if allowed is None:
            neighbours = self._tx.vectors.nearest(
                self._namespace, encoder.model, question_vector.tobytes(), limit=count
            )
            if neighbours is not None:
                docs = np.fromiter((doc for doc, _ in neighbours), np.uint32, len(neighbours))
                cosines = encoder.cosines(
                    np.fromiter((product for _, product in neighbours), np.int32, len(neighbours))
                )
                return lambda: Near(docs, cosines, all=len(docs) < count), None
        matrix = self._matrix = self._matrices.of(self._tx, self._namespace, encoder.model, encoder.dims)
        if allowed is None and len(matrix.docs) <= min(FEW, coarse.LEAST):
            multiplied = self._multiplied = Multiplied(matrix.docs, vector.products(matrix.rows, question_vector))
            nearest_rows = partial(multiplied.nearest, allowed=None)
            return partial(_nearest, nearest_rows, count, encoder), lambda: multiplied
        look: Callable[[int], Callable[[], coarse.Nearest]]
        if allowed is None:
            held_docs, look = matrix.docs, partial(coarse.start_scan, matrix.rows, matrix.signs, question_vector)
        else:
            held_docs, rows = self._vectors_of(encoder, allowed)
            look = partial(partial, vector.scan, rows, question_vector)
        first_scan = look(count)

        def scan_rows(limit: int) -> tuple[Docs, NDArray[np.int32]]:
            places, products = first_scan() if limit == count else look(limit)()
            return held_docs[places], products

        return partial(_nearest, scan_rows, count, encoder), None

    def _multiplying(
        self, encoder: RotatedEncoder, question_vector: NDArray[np.int8]
    ) -> Callable[[], Multiplied] | None:
        """A function that fetches products from the database; None if it computes none or the matrix is better used."""
        if self._matrix is not None or self._matrices.worth(self._tx.owner, self._namespace, encoder.model):
            return None
        fetch = self._tx.vectors.multiplied(self._namespace, encoder.model, question_vector.tobytes())
        return None if fetch is None else partial(self._read, fetch)

    def _read(self, fetch: Callable[[], bytes]) -> Multiplied:
        if self._multiplied is None:
            self._multiplied = Multiplied.read(fetch())
        return self._multiplied

    def products_of(
        self, encoder: RotatedEncoder, question_vector: NDArray[np.int8], docs: Docs
    ) -> tuple[Docs, NDArray[np.int32]]:
        """Documents and inner products of the rows of ``docs``."""
        if self._multiplied is not None:
            return self._multiplied.of(docs)
        docs, rows = self._vectors_of(encoder, docs)
        return docs, vector.products(rows, question_vector)

    def _vectors_of(self, encoder: RotatedEncoder, docs: Docs) -> tuple[Docs, NDArray[np.int8]]:
        """Documents and vectors of the rows of ``docs``."""
        if self._matrix is not None:
            places = self._matrix.places(docs)
            return self._matrix.docs[places], self._matrix.rows[places]
        if not len(docs):
            return docs, np.empty((0, encoder.dims), np.int8)
        return joined(self._tx.vectors.joined(self._namespace, encoder.model, docs=docs.tolist()), encoder.dims)

    def _by_graph(self, entities: Sequence[str], allowed: Docs | None) -> Steps[dict[int, float]]:
        """Relations of the entities that the question names, and the episodes they rest on."""
        tx = self._tx
        if not entities:
            return {}
        related = tx.soon(partial(tx.relations.find, [self._namespace], either=entities, statuses=CURRENT, limit=TIES))
        yield
        ids = [tie.id for tie in related()]
        if not ids:
            return {}
        rows, evidence = tx.soon(partial(tx.memories.get, ids)), tx.soon(partial(tx.evidence.of, "memory", ids))
        yield
        scores = {row.doc: NEAR for row in rows()}
        episodes = tx.soon(partial(tx.memories.get, list(dict.fromkeys(row.episode for row in evidence()))))
        yield
        scores |= {row.doc: EVIDENCE for row in episodes() if row.doc not in scores}
        if allowed is not None:
            permitted = set(allowed.tolist())
            scores = {doc: score for doc, score in scores.items() if doc in permitted}
        return scores

    def _named(self, text: str) -> Callable[[], list[str]]:
        """The entities that may be meant, when it is called."""
        label = self._scope.vault.label
        labels = [label("entity", f"{self._namespace}/{name}") for name in _names(text)]
        if not labels:
            return list
        return self._tx.soon(partial(self._tx.entities.labelled, [self._namespace], labels, statuses=CURRENT))


def _names(text: str) -> list[str]:
    """Capitalised words and adjacent pairs of them: possible names of entities."""
    single = _capitalised().findall(text)[:8]
    pairs = [f"{a} {b}" for a, b in pairwise(single) if f"{a} {b}" in text]
    return list(dict.fromkeys([*pairs, *single]))


class Near(NamedTuple):
    """The nearest documents, each once and in order, and the cosine of the nearest row of each."""

    docs: Docs
    cosines: Floats
    all: bool
    """Whether there are no others."""


def _nearest(rows: Callable[[int], tuple[Docs, NDArray[np.int32]]], count: int, encoder: RotatedEncoder) -> Near:
    """The ``count`` nearest documents. ``rows`` returns documents and products of a given number of rows, best first.

    A long document has many rows but counts once, so more rows are read until there are enough documents.
    """
    limit = count
    while True:
        docs, products = rows(limit)
        order = np.argsort(docs, kind="stable")
        first = order[firsts(docs[order])]
        if len(first) >= count or len(docs) < limit:
            break
        limit *= 4
    if has_more := len(first) > count:
        first = first[first <= np.partition(first, count - 1)[count - 1]]
    return Near(docs[first], encoder.cosines(products[first]), all=len(docs) < limit and not has_more)


def firsts(docs: Docs) -> NDArray[np.bool_]:
    """A mask of the first occurrence of each of the sorted numbers."""
    first = np.ones(len(docs), bool)
    np.not_equal(docs[1:], docs[:-1], out=first[1:])
    return first


_capitalised = pattern(r"\b[^\W\d_a-z][\w'-]+")
