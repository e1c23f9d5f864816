"""What happened: audit, receipts, traces."""

from collections.abc import Iterator, Sequence

from commonplace.store.rows import AuditRow, ReceiptRow, TraceRow
from commonplace.store.statements import sql
from commonplace.store.tables.shape import OwnedRows, Shape, only


class AuditTable(OwnedRows[AuditRow]):
    shape = Shape(AuditRow)

    def append(self, rows: Sequence[AuditRow]) -> None:
        self._put_many("append", rows)

    def last(self) -> AuditRow | None:
        return self.shape.first(self._db.run(sql("audit", "last")))

    def page(self, *, after: int = 0, limit: int = 1000) -> list[AuditRow]:
        return self._rows(self._db.run(sql("audit", "page"), after=after, limit=limit))

    def walk(self, *, after: int = 0) -> Iterator[AuditRow]:
        """Every line after one, some at a time."""
        while page := self.page(after=after):
            yield from page
            after = page[-1].sequence

    def page_back(self, *, before: int, limit: int = 1000) -> list[AuditRow]:
        """Newest first."""
        return self._rows(self._db.run(sql("audit", "page_back"), before=before, limit=limit))

    def drop_reasons(self, targets: Sequence[str]) -> None:
        """Of acts on these; their digests stay, and so does the chain."""
        self._db.run(sql("audit", "drop_reasons"), ids=list(targets))

    def reseal(self, sequence: int, reason: bytes | None) -> None:
        self._db.run(sql("audit", "reseal"), sequence=sequence, reason=reason)


class ReceiptTable(OwnedRows[ReceiptRow]):
    shape = Shape(ReceiptRow)

    def put(self, row: ReceiptRow) -> None:
        self._put_many("put", [row])

    def get(self, ref: str) -> ReceiptRow | None:
        return self._first("and ref = :ref", ref=ref)

    def page(self, *, before: str | None = None, limit: int = 100, actions: Sequence[str] = ()) -> list[ReceiptRow]:
        """Newest first."""
        where, values = only({"ref < :before": before, "action in (:actions*)": list(actions)})
        return self._select(f"{where} order by ref desc limit :limit", **values, limit=limit)

    def at(self, times: Sequence[int]) -> list[ReceiptRow]:
        """Those of exactly these times."""
        return self._select("and at in (:times*)", times=list(times))

    def delete(self, refs: Sequence[str]) -> None:
        self._db.run(sql("receipt", "delete"), ids=list(refs))


class TraceTable(OwnedRows[TraceRow]):
    shape = Shape(TraceRow)

    def put(self, row: TraceRow) -> None:
        self._put_many("put", [row])

    def get(self, id: str) -> TraceRow | None:
        return self._first("and id = :id", id=id)

    def page(
        self, kind: str, *, target: str | None = None, before: str | None = None, limit: int = 100
    ) -> list[TraceRow]:
        """Newest first."""
        where, values = only({"kind = :kind": kind, "target = :target": target, "id < :before": before})
        return self._select(f"{where} order by id desc limit :limit", **values, limit=limit)

    def delete(self, *, kind: str | None = None, before: int | None = None, ids: Sequence[str] = ()) -> int:
        """Delete the rows within every given bound; without a bound, none."""
        where, values = only({"kind = :kind": kind, "at < :before": before, "id in (:ids*)": list(ids)})
        return self._db.changed(f"{sql('trace', 'delete')}{where}", **values) if where else 0
