"""Audit, receipts, traces and usage."""

from dataclasses import replace

from tests.conformance.store.build import audit, raises

from commonplace.errors import StoreError
from commonplace.store.ports import Store
from commonplace.store.rows import ReceiptRow, TraceRow, UsageRow


def the_audit_is_paged_in_order(store: Store, owner: str) -> None:
    rows = [audit(number, before=b"b", reason=b"r", reason_digest=b"d") for number in range(1, 6)]
    with store.write(owner) as tx:
        assert tx.audit.last() is None
        tx.audit.append(rows)
    with store.write(owner) as tx:
        assert tx.audit.last() == rows[-1]
        assert tx.audit.page(limit=2) == rows[:2]
        assert tx.audit.page(after=2) == rows[2:]
        tx.audit.reseal(2, b"again")
        assert tx.audit.page(after=1, limit=1) == [replace(rows[1], reason=b"again")]
        tx.audit.drop_reasons([])
        assert [row.reason for row in tx.audit.page()] == [b"r", b"again", b"r", b"r", b"r"]
        tx.audit.reseal(2, b"r")
        tx.audit.drop_reasons(["none"])
        assert tx.audit.page() == rows
    with raises(StoreError), store.write(owner) as tx:
        tx.audit.append([audit(5)])
    with store.read(owner) as tx:
        assert tx.audit.last() == rows[-1]


def receipts_come_newest_first(store: Store, owner: str) -> None:
    rows = [
        ReceiptRow(ref=f"r{number}", action=action, at=number, actor="user", state="done", sealed=b"s")
        for number, action in enumerate(("remember", "forget", "remember"), start=1)
    ]
    with store.write(owner) as tx:
        for row in rows:
            tx.receipts.put(row)
        scrubbed = replace(rows[1], state="scrubbed")
        tx.receipts.put(scrubbed)
        assert tx.receipts.get("r2") == scrubbed
        assert tx.receipts.get("none") is None
        assert [row.ref for row in tx.receipts.page()] == ["r3", "r2", "r1"]
        assert [row.ref for row in tx.receipts.page(before="r3", limit=1)] == ["r2"]
        assert [row.ref for row in tx.receipts.page(actions=["remember"])] == ["r3", "r1"]
        assert {row.ref for row in tx.receipts.at([1, 3, 9])} == {"r1", "r3"}
        assert tx.receipts.at([]) == []
        tx.receipts.delete(["r1", "none"])
        assert [row.ref for row in tx.receipts.page()] == ["r3", "r2"]


def traces_are_found_by_kind_and_target(store: Store, owner: str) -> None:
    rows = [
        TraceRow(id="x1", kind="extraction", at=1, sealed=b"s", target="m1"),
        TraceRow(id="x2", kind="retrieval", at=2, sealed=b"s"),
        TraceRow(id="x3", kind="extraction", at=3, sealed=b"s", target="m2"),
        TraceRow(id="x4", kind="extraction", at=4, sealed=b"s", target="m1"),
    ]
    with store.write(owner) as tx:
        for row in rows:
            tx.traces.put(row)
        assert tx.traces.get("x1") == rows[0]
        assert [row.id for row in tx.traces.page("extraction")] == ["x4", "x3", "x1"]
        assert [row.id for row in tx.traces.page("extraction", target="m1", before="x4")] == ["x1"]
        assert tx.traces.delete() == 0
        assert tx.traces.delete(kind="extraction", before=4) == 2
        assert tx.traces.delete(ids=["x2", "none"]) == 1
        assert [row.id for row in tx.traces.page("extraction")] == ["x4"]
        assert tx.traces.get("x2") is None


def usage_adds_up_by_day(store: Store, owner: str) -> None:
    with store.write(owner) as tx:
        tx.usage.add("2026-01-02", "llm", calls=1, tokens=100)
        tx.usage.add("2026-01-02", "llm", calls=2, tokens=50)
        tx.usage.add("2026-01-02", "embed", calls=1, tokens=1)
        tx.usage.add("2026-01-01", "llm", calls=1, tokens=2**40)
        assert tx.usage.of("2026-01-02") == [
            UsageRow(day="2026-01-02", what="embed", calls=1, tokens=1),
            UsageRow(day="2026-01-02", what="llm", calls=3, tokens=150),
        ]
        assert [row.day for row in tx.usage.page(since="2026-01-01")] == ["2026-01-01", "2026-01-02", "2026-01-02"]
        assert [row.day for row in tx.usage.page(since="2026-01-03")] == []


CHECKS = [
    the_audit_is_paged_in_order,
    receipts_come_newest_first,
    traces_are_found_by_kind_and_target,
    usage_adds_up_by_day,
]
