"""What happened: audit, receipts, traces."""

from collections.abc import Sequence

from commonplace.store.rows import AuditRow, ReceiptRow, TraceRow
from commonplace.store.statements import sql
from commonplace.store.tables.shape import OwnerRows, Shape, only

AUDIT = Shape(AuditRow)
RECEIPT = Shape(ReceiptRow)
TRACE = Shape(TraceRow)


class AuditTable(OwnerRows):
    def append(self, rows: Sequence[AuditRow]) -> None:
        self._db.run_many(sql("audit", "append"), [AUDIT.values(row) for row in rows])

    def last(self) -> AuditRow | None:
        return AUDIT.first(self._db.run(sql("audit", "last")))

    def page(self, *, after: int = 0, limit: int = 1000) -> list[AuditRow]:
        return AUDIT.all(self._db.run(sql("audit", "page"), after=after, limit=limit))

    def page_back(self, *, before: int, limit: int = 1000) -> list[AuditRow]:
        """Newest first."""
        return AUDIT.all(self._db.run(sql("audit", "page_back"), before=before, limit=limit))

    def drop_reasons(self, targets: Sequence[str]) -> None:
        """Of acts on these; their digests stay, and so does the chain."""
        self._db.run(sql("audit", "drop_reasons"), ids=list(targets))

    def reseal(self, sequence: int, reason: bytes | None) -> None:
        self._db.run(sql("audit", "reseal"), sequence=sequence, reason=reason)


class ReceiptTable(OwnerRows):
    def put(self, row: ReceiptRow) -> None:
        self._db.run(sql("receipt", "put"), **RECEIPT.values(row))

    def get(self, ref: str) -> ReceiptRow | None:
        return RECEIPT.first(self._db.run(f"{sql('receipt', 'select')} and ref = :ref", ref=ref))

    def page(self, *, before: str | None = None, limit: int = 100, actions: Sequence[str] = ()) -> list[ReceiptRow]:
        """Newest first."""
        where, values = only({"ref < :before": before, "action in (:actions*)": list(actions)})
        text = f"{sql('receipt', 'select')}{where} order by ref desc limit :limit"
        return RECEIPT.all(self._db.run(text, **values, limit=limit))

    def at(self, times: Sequence[int]) -> list[ReceiptRow]:
        """Those of exactly these times."""
        return RECEIPT.all(self._db.run(f"{sql('receipt', 'select')} and at in (:times*)", times=list(times)))

    def delete(self, refs: Sequence[str]) -> None:
        self._db.run(sql("receipt", "delete"), ids=list(refs))


class TraceTable(OwnerRows):
    def put(self, row: TraceRow) -> None:
        self._db.run(sql("trace", "put"), **TRACE.values(row))

    def get(self, id: str) -> TraceRow | None:
        return TRACE.first(self._db.run(f"{sql('trace', 'select')} and id = :id", id=id))

    def page(
        self, kind: str, *, target: str | None = None, before: str | None = None, limit: int = 100
    ) -> list[TraceRow]:
        """Newest first."""
        where, values = only({"kind = :kind": kind, "target = :target": target, "id < :before": before})
        text = f"{sql('trace', 'select')}{where} order by id desc limit :limit"
        return TRACE.all(self._db.run(text, **values, limit=limit))

    def delete(self, *, kind: str | None = None, before: int | None = None, ids: Sequence[str] = ()) -> int:
        """What fits every given bound; without any bound, nothing."""
        where, values = only({"kind = :kind": kind, "at < :before": before, "id in (:ids*)": list(ids)})
        return self._db.changed(f"{sql('trace', 'delete')}{where}", **values) if where else 0
