"""The lists of candidates, one namespace at a time: by words, by meaning, by the graph."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from commonplace.memories.scope import Scope
from commonplace.model import CURRENT
from commonplace.retrieval import coarse, lexical, plain, vector
from commonplace.retrieval.alike import alike
from commonplace.retrieval.encoder import RotatedEncoder
from commonplace.retrieval.lexical import Postings, Scored
from commonplace.retrieval.matrices import Matrices, Matrix, joined
from commonplace.retrieval.multiplied import Multiplied
from commonplace.retrieval.plain import Statistics, Term
from commonplace.retrieval.question import Question
from commonplace.retrieval.recipes import Recipe
from commonplace.retrieval.scores import Docs, Floats, Scores
from commonplace.retrieval.snapshots import Place, Snapshot
from commonplace.store.ports import Transaction
from commonplace.text.index import FIELD

TIES = 40
"""Relations looked at for the entities that a question names."""
NEAR, EVIDENCE = 1.0, 0.6
FEW, MOST_SHARE = 2_000, 0.05
"""Other words for a word of the question are taken where so few documents hold them, or such a share of all."""

_NO_DOCS, _NO_SCORES = np.empty(0, np.uint32), np.empty(0)


@dataclass(frozen=True, slots=True)
class Lists:
    """What each list says of every document that any of them holds."""

    scores: Scores
    possible: float = 0.0
    exhausted: bool = True
    """No list holds more documents than these."""
    turns: bool = False
    """A word of the question stands in some turn of a conversation."""

    @classmethod
    def none(cls) -> "Lists":
        return cls(Scores.none())

    def joined(self, other: "Lists") -> "Lists":
        return Lists(
            self.scores.joined(other.scores),
            possible=max(self.possible, other.possible),
            exhausted=self.exhausted and other.exhausted,
            turns=self.turns or other.turns,
        )


@dataclass(frozen=True, slots=True)
class Known:
    """Which words of a question a namespace knows, and where they stand."""

    terms: tuple[Term, ...]
    postings: tuple[Postings, ...]
    statistics: Statistics
    unknown: tuple[Term, ...] = ()
    """Words of the question that nobody ever said here: what is found says the less of it."""
    others: tuple[tuple[Term, Postings], ...] = ()
    """For words of the question, the documents that say it by another."""

    def asked(self, weights: plain.Bm25) -> lexical.Asked:
        terms, postings = zip(*self.others, strict=True) if self.others else ((), ())
        return lexical.Asked.of((*self.postings, *postings), self.statistics, (*self.terms, *terms), weights)

    def possible(self, weights: plain.Bm25) -> float:
        """What a text could score that holds every word of the question."""
        holding = [len(one) for one in self.postings] + [1] * len(self.unknown)
        return plain.most(self.statistics, holding, (*self.terms, *self.unknown), weights)


class Lister:
    """Draws up the lists of one namespace."""

    def __init__(self, scope: Scope, tx: Transaction, matrices: Matrices, snapshot: Snapshot, place: Place) -> None:
        self._scope, self._tx, self._matrices, self._snapshot = scope, tx, matrices, snapshot
        self._namespace, self._statistics = place.id, place.statistics
        self._matrix: Matrix | None = None
        """The matrix that was scanned; None where the engine answered by its own means."""
        self._multiplied: Multiplied | None = None
        """What the engine said of every row."""

    def lists(
        self,
        question: Question,
        encoder: RotatedEncoder | None,
        asked_vector: NDArray[np.int8] | None,
        recipe: Recipe,
        count: int,
        allowed: Docs | None,
    ) -> Lists:
        """The union of the ``count`` best of each list, with every list's word on all of them."""
        nearest = self._by_meaning(encoder, asked_vector, count, allowed)
        known = self._ask(question.terms, recipe.alike)
        asked = known.asked(recipe.bm25)
        scored = self._by_words(asked, count, allowed)
        graph = self._by_graph(question.text, allowed)
        near, cosines, all_near = nearest()
        union = _union(scored.docs, near, np.fromiter(graph, np.uint32, len(graph)))
        words, own = lexical.at(asked, union, scored)
        ties = np.zeros(len(union))
        if graph:
            ties[np.searchsorted(union, np.fromiter(graph, np.uint32))] = np.fromiter(graph.values(), np.float64)
        return Lists(
            Scores(union, words, own, self._meaning(encoder, asked_vector, union, near, cosines), ties),
            possible=known.possible(recipe.bm25),
            exhausted=len(scored.docs) < count and all_near,
            turns=asked.turns,
        )

    def _ask(self, terms: Sequence[Term], weight: float) -> Known:
        """Fetch the postings of those terms that the namespace has, and of others that say the same."""
        said = [term.word for term in terms]
        others = {term: _others(term, self._scope.language, said) for term in terms} if weight else {}
        every = list(dict.fromkeys([*said, *(word for some in others.values() for word in some)]))
        hashes = self._scope.vault.terms(self._namespace, every)
        found = dict(zip(every, self._snapshot.postings(self._tx, self._namespace, hashes), strict=True))
        held = [term for term in terms if len(found[term.word])]
        instead = []
        for term, some in others.items():
            told = [found[word] for word in some if len(found[word])]
            if told and sum(map(len, told)) <= max(FEW, MOST_SHARE * self._statistics.documents):
                postings = lexical.instead(found[term.word], told)
                instead.append((replace(term, weight=term.weight * weight), postings))
        met = {term.word for term in (*held, *(term for term, _ in instead))}
        unknown = tuple(term for term in terms if term.word not in met and not term.word.startswith((FIELD, "s:")))
        return Known(tuple(held), tuple(found[term.word] for term in held), self._statistics, unknown, tuple(instead))

    def _by_words(self, asked: lexical.Asked, count: int, allowed: Docs | None) -> Scored:
        scored = lexical.score(asked, count if allowed is None else None)
        if allowed is not None:
            keep = np.isin(scored.docs, allowed)
            scored = Scored(scored.docs[keep], scored.scores[keep], scored.table)
        return scored.best(count)

    def _by_meaning(
        self,
        encoder: RotatedEncoder | None,
        asked: NDArray[np.int8] | None,
        count: int,
        allowed: Docs | None,
    ) -> Callable[[], "Near"]:
        """Where to ask for the nearest documents, when the words are done."""
        if encoder is None or asked is None:
            return lambda: Near(_NO_DOCS, _NO_SCORES, all=True)
        if multiplying := self._multiplying(encoder, asked):
            return lambda: _nearest(partial(multiplying().nearest, allowed=allowed), count, encoder)
        if allowed is None:
            near = self._tx.vectors.nearest(self._namespace, encoder.model, asked.tobytes(), limit=count)
            if near is not None:
                docs = np.fromiter((doc for doc, _ in near), np.uint32, len(near))
                cosines = encoder.cosines(np.fromiter((product for _, product in near), np.int32, len(near)))
                return lambda: Near(docs, cosines, all=len(docs) < count)
        matrix = self._matrix = self._matrices.of(self._tx, self._namespace, encoder.model, encoder.dims)
        look: Callable[[int], Callable[[], coarse.Nearest]]
        if allowed is None:
            held_docs, look = matrix.docs, partial(coarse.begun, matrix.rows, matrix.signs, asked)
        else:
            held_docs, rows = self._vectors_of(encoder, allowed)
            look = partial(partial, vector.scan, rows, asked)
        begun = look(count)

        def found(many: int) -> tuple[Docs, NDArray[np.int32]]:
            places, products = begun() if many == count else look(many)()
            return held_docs[places], products

        return lambda: _nearest(found, count, encoder)

    def _multiplying(self, encoder: RotatedEncoder, asked: NDArray[np.int8]) -> Callable[[], Multiplied] | None:
        """Where to ask for what the engine multiplied, if it does and the matrix is neither here nor worth its way."""
        if self._matrix is not None or self._matrices.worth(self._tx.owner, self._namespace, encoder.model):
            return None
        told = self._tx.vectors.multiplied(self._namespace, encoder.model, asked.tobytes())
        return None if told is None else partial(self._read, told)

    def _read(self, told: Callable[[], bytes]) -> Multiplied:
        self._multiplied = Multiplied.read(told())
        return self._multiplied

    def _meaning(
        self,
        encoder: RotatedEncoder | None,
        asked: NDArray[np.int8] | None,
        union: Docs,
        near: Docs,
        cosines: Floats,
    ) -> Floats:
        """The cosine of every document of the union: those that other lists brought in are looked up."""
        meaning = np.zeros(len(union))
        if encoder is None or asked is None:
            return meaning
        places = np.searchsorted(union, near)
        meaning[places] = cosines
        missing = np.ones(len(union), bool)
        missing[places] = False
        docs, products = self._products_of(encoder, asked, union[missing])
        if len(docs):
            # of a document's passages the nearest counts, and one that points away counts nothing
            np.maximum.at(meaning, np.searchsorted(union, docs), encoder.cosines(products))
        return meaning

    def _products_of(
        self, encoder: RotatedEncoder, asked: NDArray[np.int8], docs: Docs
    ) -> tuple[Docs, NDArray[np.int32]]:
        """The products of the rows of some documents, with the document of each."""
        if self._multiplied is not None:
            return self._multiplied.of(docs)
        docs, rows = self._vectors_of(encoder, docs)
        return docs, vector.products(rows, asked)

    def _vectors_of(self, encoder: RotatedEncoder, docs: Docs) -> tuple[Docs, NDArray[np.int8]]:
        """The rows of some documents, with the document of each."""
        if self._matrix is not None:
            places = self._matrix.places(docs)
            return self._matrix.docs[places], self._matrix.rows[places]
        if not len(docs):
            return docs, np.empty((0, encoder.dims), np.int8)
        return joined(self._tx.vectors.joined(self._namespace, encoder.model, docs=docs.tolist()), encoder.dims)

    def _by_graph(self, text: str, allowed: Docs | None) -> dict[int, float]:
        """Relations of the entities that the question names, and the episodes they rest on."""
        entities = self._named(text)
        if not entities:
            return {}
        ties = self._tx.relations.find([self._namespace], either=entities, statuses=CURRENT, limit=TIES)
        if not ties:
            return {}
        ids = [tie.id for tie in ties]
        found = {row.doc: NEAR for row in self._tx.memories.get(ids)}
        episodes = list(dict.fromkeys(row.episode for row in self._tx.evidence.of("memory", ids)))
        found |= {row.doc: EVIDENCE for row in self._tx.memories.get(episodes) if row.doc not in found}
        if allowed is not None:
            permitted = set(allowed.tolist())
            found = {doc: score for doc, score in found.items() if doc in permitted}
        return found

    def _named(self, text: str) -> list[str]:
        vault = self._scope.vault
        ids: list[str] = []
        for name in _names(text):
            label = vault.label("entity", f"{self._namespace}/{name}")
            ids += [row.id for row in self._tx.entities.by_label([self._namespace], label) if row.status in CURRENT]
        return ids


def _others(term: Term, language: str, said: Sequence[str]) -> list[str]:
    """Words that stand for a term of a question, those apart that it holds itself. Of names there are none."""
    if not term.lends or term.said != 1:
        return []
    return [word for word in alike(term.word, language) if word not in said]


def _names(text: str) -> list[str]:
    """Words with a capital, and neighbouring pairs of them: what may be the name of somebody or something."""
    single = _capitalised().findall(text)[:8]
    pairs = [f"{a} {b}" for a, b in pairwise(single) if f"{a} {b}" in text]
    return list(dict.fromkeys([*pairs, *single]))


class Near(NamedTuple):
    """The nearest documents, each once and in order, and the cosine of the nearest row of each."""

    docs: Docs
    cosines: Floats
    all: bool
    """There are no others."""


def _nearest(rows: Callable[[int], tuple[Docs, NDArray[np.int32]]], count: int, encoder: RotatedEncoder) -> Near:
    """The ``count`` nearest documents. ``rows`` gives the documents and products of so many rows, best first.

    A long document has many rows: they take one place, and further ones are looked at for the others.
    """
    asked = count
    while True:
        docs, products = rows(asked)
        order = np.argsort(docs, kind="stable")
        first = order[_firsts(docs[order])]
        if len(first) >= count or len(docs) < asked:
            break
        asked *= 4
    if more := len(first) > count:
        first = first[first <= np.partition(first, count - 1)[count - 1]]
    return Near(docs[first], encoder.cosines(products[first]), all=len(docs) < asked and not more)


def _union(*lists: Docs) -> Docs:
    docs = np.sort(np.concatenate(lists))
    return docs[_firsts(docs)]


def _firsts(docs: Docs) -> NDArray[np.bool_]:
    """Where each of some sorted numbers stands first."""
    first = np.ones(len(docs), bool)
    np.not_equal(docs[1:], docs[:-1], out=first[1:])
    return first


@cache
def _capitalised() -> re.Pattern[str]:
    return re.compile(r"\b[^\W\d_a-z][\w'-]+")
