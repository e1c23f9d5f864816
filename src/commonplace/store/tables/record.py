"""What happened: audit, receipts, traces."""

from collections.abc import Sequence
from typing import Any

from commonplace.store.rows import AuditRow, ReceiptRow, TraceRow
from commonplace.store.statements import TableConnection, sql
from commonplace.store.tables.shape import Shape

AUDIT = Shape(AuditRow)
RECEIPT = Shape(ReceiptRow)
TRACE = Shape(TraceRow)


class AuditTable:
    def __init__(self, db: TableConnection) -> None:
        self._db = db

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


class ReceiptTable:
    def __init__(self, db: TableConnection) -> None:
        self._db = db

    def put(self, row: ReceiptRow) -> None:
        self._db.run(sql("receipt", "put"), **RECEIPT.values(row))

    def get(self, ref: str) -> ReceiptRow | None:
        return RECEIPT.first(self._db.run(f"{sql('receipt', 'select')} and ref = :ref", ref=ref))

    def page(self, *, before: str | None = None, limit: int = 100, actions: Sequence[str] = ()) -> list[ReceiptRow]:
        """Newest first."""
        where, values = "", dict[str, Any]()
        if before is not None:
            where += " and ref < :before"
            values["before"] = before
        if actions:
            where += " and action in (:actions*)"
            values["actions"] = list(actions)
        text = f"{sql('receipt', 'select')}{where} order by ref desc limit :limit"
        return RECEIPT.all(self._db.run(text, **values, limit=limit))

    def at(self, times: Sequence[int]) -> list[ReceiptRow]:
        """Those of exactly these times."""
        return RECEIPT.all(self._db.run(f"{sql('receipt', 'select')} and at in (:times*)", times=list(times)))

    def delete(self, refs: Sequence[str]) -> None:
        self._db.run(sql("receipt", "delete"), ids=list(refs))


class TraceTable:
    def __init__(self, db: TableConnection) -> None:
        self._db = db

    def put(self, row: TraceRow) -> None:
        self._db.run(sql("trace", "put"), **TRACE.values(row))

    def get(self, id: str) -> TraceRow | None:
        return TRACE.first(self._db.run(f"{sql('trace', 'select')} and id = :id", id=id))

    def page(
        self, kind: str, *, target: str | None = None, before: str | None = None, limit: int = 100
    ) -> list[TraceRow]:
        """Newest first."""
        where, values = " and kind = :kind", dict[str, Any](kind=kind)
        if target is not None:
            where += " and target = :target"
            values["target"] = target
        if before is not None:
            where += " and id < :before"
            values["before"] = before
        text = f"{sql('trace', 'select')}{where} order by id desc limit :limit"
        return TRACE.all(self._db.run(text, **values, limit=limit))

    def delete(self, *, kind: str | None = None, before: int | None = None, ids: Sequence[str] = ()) -> int:
        """What fits every given bound; without any bound, nothing."""
        where, values = "", dict[str, Any]()
        if kind is not None:
            where += " and kind = :kind"
            values["kind"] = kind
        if before is not None:
            where += " and at < :before"
            values["before"] = before
        if ids:
            where += " and id in (:ids*)"
            values["ids"] = list(ids)
        return self._db.changed(f"{sql('trace', 'delete')}{where}", **values) if where else 0
