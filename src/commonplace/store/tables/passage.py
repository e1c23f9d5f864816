"""Sealed token vectors, by document and model."""

from collections.abc import Sequence

from commonplace.store.rows import PassageRow
from commonplace.store.statements import sql
from commonplace.store.tables.shape import Rows, Shape


class PassageTable(Rows[PassageRow]):
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
