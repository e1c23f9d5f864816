"""Vectors as ``halfvec``: every int8 is exact in it, and so is every inner product of up to a thousand axes."""

from collections.abc import Callable
from typing import Any

import numpy as np

from commonplace.store.postgres.adapt import Half
from commonplace.store.postgres.connection import OwnerConnection, PostgresConnection
from commonplace.store.rows import VectorRow
from commonplace.store.statements import Cells
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

SETTINGS = (
    "select set_config('plan_cache_mode', 'force_custom_plan', true), "
    "set_config('hnsw.iterative_scan', 'strict_order', true), set_config('hnsw.ef_search', :breadth, true), "
    "set_config('hnsw.max_scan_tuples', '200000', true), set_config('enable_sort', 'off', true)"
)
"""Rows come sorted out of the index; without sorting allowed the planner cannot prefer a scan of all of them, which it
does when its statistics are older than the index."""
AFTERWARDS = "select set_config('enable_sort', 'on', true)"
SET = "owner = :owner and namespace = :namespace and model = :model"
NEAREST = (
    f"select doc, min(data <#> cast(:question as public.halfvec)) as away from vector where {SET} "
    "group by doc order by away, doc limit :limit"
)
ALL = (
    "select string_agg(int8send((doc << 32) | (-cast(data <#> cast(:question as public.halfvec) as bigint) "
    f"& 4294967295)), '') from vector where {SET}"
)
"""In one cell: to send a row for each takes longer than to multiply them."""
WAITING = NEAREST.replace(SET, f"{SET} and not indexed")
INDEXED = (
    "select doc, cast(data as public.halfvec({dimension})) <#> cast(:question as public.halfvec({dimension})) as away "
    f"from vector where {SET} and indexed order by away limit :limit"
)
MARK = (
    "update vector set indexed = true where (owner, namespace, model, doc, part) in ("
    f"select owner, namespace, model, doc, part from vector where {SET} and not indexed "
    "order by doc, part limit :limit)"
)


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
        if documents > EXACT and limit * WIDER <= BROADEST and self._indexed(model, len(question)):
            pairs = self._from_index(parameters, len(question))
            if len(pairs) >= min(limit, documents):
                return pairs[:limit]
        return _whole(self._own.run_planned(NEAREST, **parameters))

    def multiplied(self, namespace: str, model: str, question: bytes) -> Callable[[], bytes] | None:
        documents = self._documents(namespace, model)
        if not documents or documents > HELD:
            return None if documents else bytes
        cell = self._own.later(ALL, namespace=namespace, model=model, question=HalfVectors().write(question))
        return lambda: cell()[0][0] or b""

    def index(self, namespace: str, model: str, *, limit: int) -> int:
        if self._documents(namespace, model) <= EXACT:
            return 0
        dimension = self._own.run(
            f"select public.vector_dims(data) from vector where {SET} limit 1", namespace=namespace, model=model
        )[0][0]
        self._own.run("select vector_index(:model, cast(:dimension as integer))", model=model, dimension=dimension)
        return self._own.changed(MARK, namespace=namespace, model=model, limit=limit)

    def _documents(self, namespace: str, model: str) -> int:
        return {(place, model_id): count for place, model_id, count in self.counts()}.get((namespace, model), 0)

    def _indexed(self, model: str, dimension: int) -> bool:
        name = "'vector_near_' || substr(md5(:model || ' ' || :dimension), 1, 12)"
        rows = self._own.run(f"select to_regclass({name}) is not null", model=model, dimension=str(dimension))
        return bool(rows[0][0])

    def _from_index(self, parameters: dict[str, Any], dimension: int) -> list[tuple[int, int]]:
        wide = parameters["limit"] * WIDER
        self._own.run(SETTINGS, breadth=str(max(BREADTH, wide)))
        rows = self._own.run_planned(INDEXED.replace("{dimension}", str(dimension)), **{**parameters, "limit": wide})
        self._own.run(AFTERWARDS)
        # Each document once, by the nearest of its parts.
        best: dict[int, int] = {}
        for doc, product in [*_whole(rows), *_whole(self._own.run_planned(WAITING, **parameters))]:
            best[doc] = max(product, best.get(doc, product))
        return sorted(best.items(), key=lambda pair: (-pair[1], pair[0]))


def _whole(answer: list[Cells]) -> list[tuple[int, int]]:
    return [(doc, -round(away)) for doc, away in answer]
