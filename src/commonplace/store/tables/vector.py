"""Rotated int8 vectors, by namespace and model; sealed token vectors, by document and model."""

from collections.abc import Callable, Iterator, Sequence
from operator import attrgetter
from typing import Any, Protocol

from commonplace.store.rows import PassageRow, VectorRow
from commonplace.store.statements import Cells, TableConnection, sql
from commonplace.store.tables.shape import OwnedRows, Shape

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
    def __init__(self, db: TableConnection, codec: Codec) -> None:
        self._db, self._codec = db, codec
        self.codec = codec

    def put(self, namespace: str, model: str, rows: Sequence[VectorRow], *, new: bool = False) -> None:
        """``new``: these documents have no vectors here yet, so they are not searched for."""
        docs = sorted({row.doc for row in rows})
        if not docs:
            return
        if new:
            self._count(namespace, model, len(docs))
        else:
            self._db.run(sql("vector", "set_grow"), namespace=namespace, model=model, documents=len(docs), docs=docs)
        cells = [
            (namespace, model, row.doc, row.part, self._codec.write(row.data))
            for row in sorted(rows, key=attrgetter("doc", "part"))
        ]
        self._db.run_rows(sql("vector", "add" if new else "put"), ("namespace", "model", "doc", "part", "data"), cells)

    def load(self, namespace: str, model: str, *, docs: Sequence[int] | None = None) -> Iterator[list[VectorRow]]:
        """All rows (or those of ``docs``) in batches, by doc and part."""
        return map(self._codec.read, self._pages(namespace, model, docs))

    def joined(
        self, namespace: str, model: str, *, docs: Sequence[int] | None = None
    ) -> Iterator[tuple[list[int], bytes]]:
        """As ``load``, each batch as the documents of its rows and their bytes one after another."""
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
        """(doc, inner product) best first by the engine's own means, or None: then the caller scans."""
        return None

    def multiplied(self, namespace: str, model: str, question: bytes) -> Callable[[], bytes] | None:
        """Where to ask for the document and the inner product of every row, two big-endian numbers of four bytes each,
        in any order; the way to the engine may be shared with what is asked before. None where the rows are near, and
        the caller multiplies.
        """
        return None

    def index(self, namespace: str, model: str, *, limit: int) -> int:
        """Move up to ``limit`` rows into the engine's own index, where it has one; return how many moved."""
        return 0

    def missing(self, namespace: str, model: str, *, limit: int) -> list[int]:
        """Documents that stand for a memory's present text and have no vector of this model."""
        rows = self._db.run(sql("vector", "missing"), namespace=namespace, model=model, limit=limit)
        return [int(doc) for (doc,) in rows]

    def counts(self) -> list[tuple[str, str, int]]:
        """(namespace, model, documents)."""
        return [(namespace, model, documents) for namespace, model, documents in self._db.run(sql("vector", "sets"))]

    def delete(self, docs: Sequence[int]) -> None:
        deleted = sorted(docs)
        for namespace, model, _ in self.counts():
            parameters = {"namespace": namespace, "model": model, "docs": deleted}
            present = len(self._db.run(sql("vector", "present"), **parameters))
            if present:
                self._db.run(sql("vector", "delete"), **parameters)
                self._count(namespace, model, -present)
        self._db.run(sql("vector", "set_trim"))

    def drop_model(self, namespace: str, model: str) -> None:
        self._db.run(sql("vector", "drop_model"), namespace=namespace, model=model)
        self._db.run(sql("vector", "drop_set"), namespace=namespace, model=model)

    def _some(self, namespace: str, model: str, docs: list[int]) -> Iterator[list[Cells]]:
        for start in range(0, len(docs), BATCH):
            batch = docs[start : start + BATCH]
            if page := self._db.run(sql("vector", "some"), namespace=namespace, model=model, docs=batch):
                yield page

    def _count(self, namespace: str, model: str, documents: int) -> None:
        if documents:
            self._db.run(sql("vector", "set_count"), namespace=namespace, model=model, documents=documents)


class PassageTable(OwnedRows[PassageRow]):
    shape = Shape(PassageRow)

    def put(self, rows: Sequence[PassageRow]) -> None:
        self._put_many("put", rows)

    def get(self, model: str, docs: Sequence[int]) -> list[PassageRow]:
        """Those of ``docs`` that have a row of this model, by doc."""
        return self._rows(self._db.run(sql("passage", "get"), model=model, docs=sorted(docs))) if docs else []

    def missing(self, namespace: str, model: str, *, after: int = 0, limit: int) -> list[int]:
        """Documents above ``after`` that stand for a memory's present text and have no row of this model."""
        rows = self._db.run(sql("passage", "missing"), namespace=namespace, model=model, after=after, limit=limit)
        return [int(doc) for (doc,) in rows]

    def docs(self, *, after: int, limit: int) -> list[int]:
        """Documents above ``after`` with a row of any model."""
        return [int(doc) for (doc,) in self._db.run(sql("passage", "docs"), after=after, limit=limit)]

    def delete(self, docs: Sequence[int]) -> None:
        if docs:
            self._db.run(sql("passage", "delete"), docs=sorted(docs))

    def drop_others(self, model: str) -> None:
        self._db.run(sql("passage", "drop_others"), model=model)
