"""Rotated int8 vectors, by namespace and model."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Protocol

from commonplace.store.rows import VectorRow
from commonplace.store.statements import Cells, Connection, sql

BATCH = 4096
"""Rows a page of ``load`` holds."""


class Codec(Protocol):
    """How an engine keeps the integers: ``write`` is what to bind, ``read`` takes (doc, part, cell) rows."""

    def write(self, data: bytes) -> Any: ...

    def read(self, answer: list[Cells]) -> list[VectorRow]: ...

    def join(self, answer: list[Cells]) -> tuple[list[int], bytes]:
        """The documents of the rows, and their bytes one after another."""


class AsBytes:
    """One byte an axis, as they come."""

    def write(self, data: bytes) -> bytes:
        return data

    def read(self, answer: list[Cells]) -> list[VectorRow]:
        return [VectorRow(doc=doc, part=part, data=data) for doc, part, data in answer]

    def join(self, answer: list[Cells]) -> tuple[list[int], bytes]:
        return [doc for doc, _, _ in answer], b"".join([data for _, _, data in answer])


class VectorTable:
    def __init__(self, db: Connection, codec: Codec) -> None:
        self._db, self._codec = db, codec
        self.codec = codec

    def put(self, namespace: str, model: str, rows: Sequence[VectorRow], *, new: bool = False) -> None:
        docs = sorted({row.doc for row in rows})
        if not docs:
            return
        if new:
            self._count(namespace, model, len(docs))
        else:
            self._db.run(sql("vector", "set_grow"), namespace=namespace, model=model, documents=len(docs), docs=docs)
        ordered = sorted(rows, key=lambda row: (row.doc, row.part))
        self._db.run_many(
            sql("vector", "add" if new else "put"),
            [
                {
                    "namespace": namespace,
                    "model": model,
                    "doc": row.doc,
                    "part": row.part,
                    "data": self._codec.write(row.data),
                }
                for row in ordered
            ],
        )

    def load(self, namespace: str, model: str, *, docs: Sequence[int] | None = None) -> Iterator[list[VectorRow]]:
        return map(self._codec.read, self._pages(namespace, model, docs))

    def joined(
        self, namespace: str, model: str, *, docs: Sequence[int] | None = None
    ) -> Iterator[tuple[list[int], bytes]]:
        return map(self._codec.join, self._pages(namespace, model, docs))

    def _pages(self, namespace: str, model: str, docs: Sequence[int] | None) -> Iterator[list[Cells]]:
        if docs is not None:
            yield from self._some(namespace, model, sorted(docs))
            return
        doc, part = -1, 0
        while page := self._db.run(
            sql("vector", "page"), namespace=namespace, model=model, doc=doc, part=part, limit=BATCH
        ):
            doc, part = page[-1][:2]
            yield page
            if len(page) < BATCH:
                return

    def nearest(self, namespace: str, model: str, question: bytes, *, limit: int) -> list[tuple[int, int]] | None:
        return None

    def multiplied(self, namespace: str, model: str, question: bytes) -> Callable[[], bytes] | None:
        return None

    def index(self, namespace: str, model: str, *, limit: int) -> int:
        return 0

    def missing(self, namespace: str, model: str, *, limit: int) -> list[int]:
        found = self._db.run(sql("vector", "missing"), namespace=namespace, model=model, limit=limit)
        return [int(doc) for (doc,) in found]

    def counts(self) -> list[tuple[str, str, int]]:
        return [(namespace, model, documents) for namespace, model, documents in self._db.run(sql("vector", "sets"))]

    def delete(self, docs: Sequence[int]) -> None:
        gone = sorted(docs)
        for namespace, model, _ in self.counts():
            named = {"namespace": namespace, "model": model, "docs": gone}
            present = len(self._db.run(sql("vector", "present"), **named))
            if present:
                self._db.run(sql("vector", "delete"), **named)
                self._count(namespace, model, -present)
        self._db.run(sql("vector", "set_trim"))

    def drop_model(self, namespace: str, model: str) -> None:
        self._db.run(sql("vector", "drop_model"), namespace=namespace, model=model)
        self._db.run(sql("vector", "drop_set"), namespace=namespace, model=model)

    def _some(self, namespace: str, model: str, docs: list[int]) -> Iterator[list[Cells]]:
        for start in range(0, len(docs), BATCH):
            some = docs[start : start + BATCH]
            if page := self._db.run(sql("vector", "some"), namespace=namespace, model=model, docs=some):
                yield page

    def _count(self, namespace: str, model: str, documents: int) -> None:
        if documents:
            self._db.run(sql("vector", "set_count"), namespace=namespace, model=model, documents=documents)
