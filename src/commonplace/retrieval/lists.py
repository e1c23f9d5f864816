"""The lists of candidates, one namespace at a time: by words, by meaning, by the graph."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from commonplace.memories.scope import Scope
from commonplace.model import CURRENT
from commonplace.retrieval import lexical, plain, vector
from commonplace.retrieval.encoder import RotatedEncoder
from commonplace.retrieval.lexical import Postings, Scored
from commonplace.retrieval.matrices import Matrices, Matrix
from commonplace.retrieval.plain import Statistics, Term
from commonplace.retrieval.question import Question
from commonplace.retrieval.recipes import Recipe
from commonplace.store.ports import Transaction
from commonplace.text.index import FIELD

TIES = 40
"""Relations looked at for the entities that a question names."""
NEAR, EVIDENCE = 1.0, 0.6

Docs = NDArray[np.uint32]


@dataclass(frozen=True, slots=True)
class Lists:
    """What each list says of every document that any of them holds."""

    words: Mapping[int, float] = field(default_factory=dict)
    own: Mapping[int, float] = field(default_factory=dict)
    meaning: Mapping[int, float] = field(default_factory=dict)
    graph: Mapping[int, float] = field(default_factory=dict)
    possible: float = 0.0
    exhausted: bool = True
    """No list holds more documents than were asked of it."""

    def joined(self, other: "Lists") -> "Lists":
        return Lists(
            words={**self.words, **other.words},
            own={**self.own, **other.own},
            meaning={**self.meaning, **other.meaning},
            graph={**self.graph, **other.graph},
            possible=max(self.possible, other.possible),
            exhausted=self.exhausted and other.exhausted,
        )


@dataclass(frozen=True, slots=True)
class Known:
    """Which words of a question a namespace knows, and where they stand."""

    terms: tuple[Term, ...]
    postings: tuple[Postings, ...]
    statistics: Statistics
    unknown: tuple[Term, ...] = ()
    """Words of the question that nobody ever said here: what is found says the less of it."""

    def possible(self, weights: plain.Bm25) -> float:
        """What a text could score that holds every word of the question."""
        holding = [len(one) for one in self.postings] + [1] * len(self.unknown)
        return plain.most(self.statistics, holding, (*self.terms, *self.unknown), weights)


class Lister:
    """Draws up the lists of one namespace."""

    def __init__(self, scope: Scope, tx: Transaction, matrices: Matrices, namespace: str) -> None:
        self._scope, self._tx, self._matrices, self._namespace = scope, tx, matrices, namespace
        self._matrix: Matrix | None = None
        """The matrix that was scanned; None where the engine answered from an index of its own."""

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
        known = self._ask(question.terms)
        asked = lexical.Asked.of(known.postings, known.statistics, known.terms, recipe.bm25)
        scored = self._by_words(asked, count, allowed)
        by_meaning = self._by_meaning(encoder, asked_vector, count, allowed)
        graph = self._by_graph(question.text, allowed)
        union = np.unique(
            np.concatenate((scored.docs, np.fromiter(by_meaning, np.uint32), np.fromiter(graph, np.uint32)))
        ).astype(np.uint32)
        rest = [doc for doc in union.tolist() if doc not in by_meaning]
        whole, own = lexical.at(asked, union, scored)
        return Lists(
            words=_zipped(union, whole),
            own=_zipped(union, own),
            meaning=by_meaning | self._meaning_of(encoder, asked_vector, rest),
            graph=graph,
            possible=known.possible(recipe.bm25),
            exhausted=len(scored.docs) < count and len(by_meaning) < count,
        )

    def _ask(self, terms: Sequence[Term]) -> Known:
        """Fetch the postings of those terms that the namespace has."""
        row = self._tx.namespaces.get(self._namespace)
        statistics = Statistics(row.documents, row.length) if row else Statistics(0, 0)
        hashes = self._scope.vault.terms(self._namespace, [term.word for term in terms])
        found = self._tx.words.fetch(self._namespace, hashes)
        both = list(zip(terms, hashes, strict=True))
        held = [(term, lexical.unpack(found[hash])) for term, hash in both if found.get(hash)]
        unknown = tuple(term for term, hash in both if not found.get(hash) and not term.word.startswith((FIELD, "s:")))
        return Known(tuple(term for term, _ in held), tuple(one for _, one in held), statistics, unknown)

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
    ) -> dict[int, float]:
        if encoder is None or asked is None:
            return {}
        if allowed is None:
            near = self._tx.vectors.nearest(self._namespace, encoder.model, asked.tobytes(), limit=count)
            if near is not None:
                products = np.fromiter((product for _, product in near), np.int32)
                cosines = encoder.rotation.similarity(products).tolist()
                return {doc: cosine for (doc, _), cosine in zip(near, cosines, strict=True)}
        matrix = self._matrix = self._matrices.of(self._tx, self._namespace, encoder.model, encoder.dims)
        live = None if allowed is None else np.isin(matrix.docs, allowed)
        rows, products = vector.scan(matrix.rows, asked, count, live=live)
        return dict(vector.by_document(matrix.docs[rows], encoder.rotation.similarity(products)))

    def _meaning_of(
        self, encoder: RotatedEncoder | None, asked: NDArray[np.int8] | None, docs: Sequence[int]
    ) -> dict[int, float]:
        """The cosines of documents that another list brought in."""
        if encoder is None or asked is None or not docs:
            return {}
        if self._matrix is not None:
            places = self._matrix.places(np.array(docs, np.uint32))
            rows, found = self._matrix.rows[places], self._matrix.docs[places]
        else:
            batches = self._tx.vectors.load(self._namespace, encoder.model, docs=docs)
            loaded = [row for batch in batches for row in batch]
            rows = np.frombuffer(b"".join(row.data for row in loaded), np.int8).reshape(len(loaded), encoder.dims)
            found = np.fromiter((row.doc for row in loaded), np.uint32, len(loaded))
        products = vector.at(rows, np.arange(len(rows)), asked)
        return dict(vector.by_document(found, encoder.rotation.similarity(products)))

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


def _names(text: str) -> list[str]:
    """Words with a capital, and neighbouring pairs of them: what may be the name of somebody or something."""
    single = _capitalised().findall(text)[:8]
    pairs = [f"{a} {b}" for a, b in pairwise(single) if f"{a} {b}" in text]
    return list(dict.fromkeys([*pairs, *single]))


def _zipped(docs: Docs, scores: NDArray[np.float64]) -> dict[int, float]:
    return dict(zip(docs.tolist(), scores.tolist(), strict=True))


@cache
def _capitalised() -> re.Pattern[str]:
    return re.compile(r"\b[^\W\d_a-z][\w'-]+")
