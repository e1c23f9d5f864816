"""Vectors as ``halfvec``: every int8 is exact in it, and so is every inner product of up to a thousand axes."""

from collections.abc import Callable
from typing import Any

import numpy as np

from commonplace.store.postgres.adapt import Half
from commonplace.store.postgres.connection import OwnerConnection, PostgresConnection
from commonplace.store.rows import VectorRow
from commonplace.store.statements import Cells, sql
from commonplace.store.tables.vector import VectorTable

HELD = 2_000
"""Documents of a namespace and model up to which a process holds the vectors itself: half a megabyte, and no question
to the server as long as nothing changes."""
EXACT = 10_000
"""Documents of a namespace and model up to which the exact scan is used: it takes 2 µs a row."""
HEADER = 4
"""Bytes before the numbers in what ``halfvec_send`` gives: dimension and a spare."""
WIDER = 4
"""How many times the limit is asked of the approximate index."""
BREADTH, BROADEST = 200, 1000
"""``hnsw.ef_search``: how far the index looks at least, and what pgvector allows at most."""


class HalfVectors:
    """``int8`` bytes to and from ``halfvec``."""

    def write(self, data: bytes) -> Half:
        return Half.of(data)

    def read(self, answer: list[Cells]) -> list[VectorRow]:
        return [
            VectorRow(doc=doc, part=part, data=np.frombuffer(sent, ">f2", offset=HEADER).astype(np.int8).tobytes())
            for doc, part, sent in answer
        ]

    def join(self, answer: list[Cells]) -> tuple[list[int], bytes]:
        if not answer:
            return [], b""
        sent = np.frombuffer(b"".join([vector for _, _, vector in answer]), np.uint8).reshape(len(answer), -1)
        numbers = np.ascontiguousarray(sent[:, HEADER:]).view(">f2").astype(np.int8)
        return [doc for doc, _, _ in answer], numbers.tobytes()


class PostgresVectors(VectorTable):
    def __init__(self, db: PostgresConnection | OwnerConnection) -> None:
        super().__init__(db, HalfVectors())
        self._own = db

    def nearest(self, namespace: str, model: str, question: bytes, *, limit: int) -> list[tuple[int, int]] | None:
        """Exact for up to ``EXACT`` documents; above it from the index and an exact look at what waits for it.

        None for up to ``HELD``. An index that gives fewer than asked is not believed: then the exact scan answers.
        """
        documents = self._documents(namespace, model)
        if documents <= min(HELD, EXACT):
            return None
        parameters = {"namespace": namespace, "model": model, "question": HalfVectors().write(question), "limit": limit}
        if documents > EXACT and limit * WIDER <= BROADEST and self._has_index(model, len(question)):
            pairs = self._from_index(parameters, len(question))
            if len(pairs) >= min(limit, documents):
                return pairs[:limit]
        return _whole(self._own.run_planned(sql("postgres", "nearest"), **parameters))

    def multiplied(self, namespace: str, model: str, question: bytes) -> Callable[[], bytes] | None:
        documents = self._documents(namespace, model)
        if not documents or documents > HELD:
            return None if documents else bytes
        cell = self._own.later(
            sql("postgres", "products"), namespace=namespace, model=model, question=HalfVectors().write(question)
        )
        return lambda: cell()[0][0] or b""

    def index(self, namespace: str, model: str, *, limit: int) -> int:
        if self._documents(namespace, model) <= EXACT:
            return 0
        dimension = self._own.run(sql("postgres", "dimension"), namespace=namespace, model=model)[0][0]
        self._own.run(sql("postgres", "make_index"), model=model, dimension=dimension)
        return self._own.changed(sql("postgres", "mark_indexed"), namespace=namespace, model=model, limit=limit)

    def _documents(self, namespace: str, model: str) -> int:
        return {(place, model_id): count for place, model_id, count in self.counts()}.get((namespace, model), 0)

    def _has_index(self, model: str, dimension: int) -> bool:
        return bool(self._own.run(sql("postgres", "has_index"), model=model, dimension=str(dimension))[0][0])

    def _from_index(self, parameters: dict[str, Any], dimension: int) -> list[tuple[int, int]]:
        wide = parameters["limit"] * WIDER
        self._own.run(sql("postgres", "nearest_settings"), breadth=str(max(BREADTH, wide)))
        text = sql("postgres", "nearest_indexed").replace("{dimension}", str(dimension))
        rows = self._own.run_planned(text, **{**parameters, "limit": wide})
        self._own.run(sql("postgres", "nearest_settings_off"))
        # Each document once, by the nearest of its parts.
        best: dict[int, int] = {}
        for doc, product in [
            *_whole(rows),
            *_whole(self._own.run_planned(sql("postgres", "nearest_waiting"), **parameters)),
        ]:
            best[doc] = max(product, best.get(doc, product))
        return sorted(best.items(), key=lambda pair: (-pair[1], pair[0]))


def _whole(answer: list[Cells]) -> list[tuple[int, int]]:
    return [(doc, -round(away)) for doc, away in answer]
