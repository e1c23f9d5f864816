"""Candidate lists for one namespace: by words, by meaning and by the graph."""

from collections.abc import Callable, Sequence
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
from commonplace.retrieval.scores import Docs, Floats, Scores
from commonplace.retrieval.snapshots import Place, Snapshot
from commonplace.store.transaction import Transaction
from commonplace.text.index import FIELD

TIES = 40
"""Relations looked at for the entities that a question names."""
NEAR, EVIDENCE = 1.0, 0.6

_NO_DOCS, _NO_SCORES = np.empty(0, np.uint32), np.empty(0)


@dataclass(frozen=True, slots=True)
class Lists:
    """The scores from every list, for each document that is in any of them."""

    scores: Scores
    possible: float = 0.0
    exhausted: bool = True
    """Whether no list has further documents."""
    turns: bool = False
    """Whether a word of the question may be in a turn of a conversation."""

    @classmethod
    def none(cls) -> "Lists":
        return cls(Scores.none())

    def joined(self, more_lists: "Lists") -> "Lists":
        return Lists(
            self.scores.joined(more_lists.scores),
            possible=max(self.possible, more_lists.possible),
            exhausted=self.exhausted and more_lists.exhausted,
            turns=self.turns or more_lists.turns,
        )


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

    def possible(self, weights: plain.Bm25) -> float:
        """The score of a text that holds every word of the question."""
        holding = [len(term_postings) for term_postings in self.postings] + [1] * len(self.unknown)
        return plain.most(self.statistics, holding, (*self.terms, *self.unknown), weights)


class Lister:
    """Builds the candidate lists of one namespace."""

    def __init__(self, scope: Scope, tx: Transaction, matrices: Matrices, snapshot: Snapshot, place: Place) -> None:
        self._scope, self._tx, self._matrices, self._snapshot = scope, tx, matrices, snapshot
        self._namespace, self._statistics = place.id, place.statistics
        self._matrix: Matrix | None = None
        """The matrix that was scanned; None where the database computed the answer."""
        self._multiplied: Multiplied | None = None
        """The inner products of every row, where the database computed them."""

    @property
    def documents(self) -> int:
        """How many texts the namespace has in its index."""
        return self._statistics.documents

    def lists(
        self,
        question: Question,
        encoder: RotatedEncoder | None,
        asked_vector: NDArray[np.int8] | None,
        recipe: Recipe,
        count: int,
        allowed: Docs | None,
    ) -> Steps[Lists]:
        """The union of the ``count`` best of each list, each document with its score in every list."""
        nearest = self._by_meaning(encoder, asked_vector, count, allowed)
        named = self._named(question.text)
        matches = yield from self._ask(question.terms)
        question_terms = matches.question_terms(recipe.bm25)
        scored = self._by_words(question_terms, count, allowed)
        graph = yield from self._by_graph(named(), allowed)
        near_docs, cosines, all_near = nearest()
        union = _union(scored.docs, near_docs, np.fromiter(graph, np.uint32, len(graph)))
        words, own_words = lexical.at(question_terms, union, scored)
        ties = np.zeros(len(union))
        if graph:
            ties[np.searchsorted(union, np.fromiter(graph, np.uint32))] = np.fromiter(graph.values(), np.float64)
        return Lists(
            Scores(union, words, own_words, self._meaning(encoder, asked_vector, union, near_docs, cosines), ties),
            possible=matches.possible(recipe.bm25),
            exhausted=len(scored.docs) < count and all_near,
            turns=question_terms.turns,
        )

    def _ask(self, terms: Sequence[Term]) -> Steps[TermMatches]:
        """Fetch the postings of those terms that the namespace has."""
        every = [term.word for term in terms]
        hashes = self._scope.vault.terms(self._namespace, every)
        fetched = yield from self._snapshot.postings(self._tx, self._namespace, hashes)
        postings = dict(zip(every, fetched, strict=True))
        matching = [term for term in terms if len(postings[term.word])]
        unknown = tuple(
            term for term in terms if not len(postings[term.word]) and not term.word.startswith((FIELD, "s:"))
        )
        return TermMatches(tuple(matching), tuple(postings[term.word] for term in matching), self._statistics, unknown)

    def _by_words(self, question_terms: lexical.QuestionTerms, count: int, allowed: Docs | None) -> Scored:
        scored = lexical.score(question_terms, count if allowed is None else None)
        if allowed is not None:
            keep = np.isin(scored.docs, allowed)
            scored = Scored(scored.docs[keep], scored.scores[keep], scored.table)
        return scored.best(count)

    def _by_meaning(
        self,
        encoder: RotatedEncoder | None,
        question_vector: NDArray[np.int8] | None,
        count: int,
        allowed: Docs | None,
    ) -> Callable[[], "Near"]:
        """A function that returns the nearest documents; called after the lexical search."""
        if encoder is None or question_vector is None:
            return lambda: Near(_NO_DOCS, _NO_SCORES, all=True)
        if multiplying := self._multiplying(encoder, question_vector):
            return lambda: _nearest(partial(multiplying().nearest, allowed=allowed), count, encoder)
        if allowed is None:
            neighbours = self._tx.vectors.nearest(
                self._namespace, encoder.model, question_vector.tobytes(), limit=count
            )
            if neighbours is not None:
                docs = np.fromiter((doc for doc, _ in neighbours), np.uint32, len(neighbours))
                cosines = encoder.cosines(
                    np.fromiter((product for _, product in neighbours), np.int32, len(neighbours))
                )
                return lambda: Near(docs, cosines, all=len(docs) < count)
        matrix = self._matrix = self._matrices.of(self._tx, self._namespace, encoder.model, encoder.dims)
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

        return lambda: _nearest(scan_rows, count, encoder)

    def _multiplying(
        self, encoder: RotatedEncoder, question_vector: NDArray[np.int8]
    ) -> Callable[[], Multiplied] | None:
        """A function that fetches products from the database; None if it computes none or the matrix is better used."""
        if self._matrix is not None or self._matrices.worth(self._tx.owner, self._namespace, encoder.model):
            return None
        fetch = self._tx.vectors.multiplied(self._namespace, encoder.model, question_vector.tobytes())
        return None if fetch is None else partial(self._read, fetch)

    def _read(self, fetch: Callable[[], bytes]) -> Multiplied:
        self._multiplied = Multiplied.read(fetch())
        return self._multiplied

    def _meaning(
        self,
        encoder: RotatedEncoder | None,
        question_vector: NDArray[np.int8] | None,
        union: Docs,
        near_docs: Docs,
        cosines: Floats,
    ) -> Floats:
        """The cosine of every document of the union; those that came from other lists are looked up."""
        meaning = np.zeros(len(union))
        if encoder is None or question_vector is None:
            return meaning
        places = np.searchsorted(union, near_docs)
        meaning[places] = cosines
        missing = np.ones(len(union), bool)
        missing[places] = False
        docs, products = self._products_of(encoder, question_vector, union[missing])
        if len(docs):
            # the nearest passage of a document counts; a negative cosine counts as zero
            np.maximum.at(meaning, np.searchsorted(union, docs), encoder.cosines(products))
        return meaning

    def _products_of(
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
        first = order[_firsts(docs[order])]
        if len(first) >= count or len(docs) < limit:
            break
        limit *= 4
    if has_more := len(first) > count:
        first = first[first <= np.partition(first, count - 1)[count - 1]]
    return Near(docs[first], encoder.cosines(products[first]), all=len(docs) < limit and not has_more)


def _union(*lists: Docs) -> Docs:
    docs = np.sort(np.concatenate(lists))
    return docs[_firsts(docs)]


def _firsts(docs: Docs) -> NDArray[np.bool_]:
    """A mask of the first occurrence of each of the sorted numbers."""
    first = np.ones(len(docs), bool)
    np.not_equal(docs[1:], docs[:-1], out=first[1:])
    return first


_capitalised = pattern(r"\b[^\W\d_a-z][\w'-]+")
