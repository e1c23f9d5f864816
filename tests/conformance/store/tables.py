"""Whole tables, for copying and for sealing anew."""

from typing import Any

from tests.conformance.store.build import audit, home, job, memory
from tests.conformance.store.places import fill_namespace

from commonplace.store.ports import Store
from commonplace.store.rows import Filter
from commonplace.store.transaction import Transaction


def every_row_can_be_read_and_written_as_it_lies_there(store: Store, owner: str) -> None:
    twin = owner + "-twin"
    with store.write(owner) as tx:
        for number, place in enumerate(("n1", "n2")):
            fill_namespace(tx, place, number)
        tx.jobs.put(job("j1", unique=b"wish"))
        tx.audit.append([audit(1)])
        tx.usage.add("2026-01-01", "llm", calls=1, tokens=2)
        tx.changes.record([("memory", "m-n1", "put", 1, "n1")], at=1)
        tx.owners.put(plan="team", timezone="Europe/Rome", language="it")
    with store.read(owner) as tx:
        rows = {table: _all(tx, table) for table in tx.tables.names()}
        account = tx.tables.account()
        assert {table: tx.tables.count(table) for table in rows} == {table: len(row) for table, row in rows.items()}
    assert account is not None
    assert account["plan"] == "team"
    assert {table for table, row in rows.items() if not row} <= {"receipt", "trace", "token"}
    with store.write(twin) as tx:
        for _ in range(2):
            for table, row in rows.items():
                tx.tables.put(table, row)
        tx.tables.put_account(account)
    with store.read(twin) as tx:
        assert {table: _all(tx, table) for table in tx.tables.names()} == rows
        stored = tx.tables.account()
        assert stored is not None
        assert {**stored, "revision": 0} == {**account, "revision": 0}
        assert len(tx.memories.get(["m-n1", "m-n2"])) == 2


def pages_of_a_table_follow_its_key(store: Store, owner: str) -> None:
    with store.write(owner) as tx:
        assert tx.tables.page("memory", after=None, limit=5) == []
        home(tx)
        tx.memories.put_many([memory(f"m{number}", number) for number in range(1, 8)])
        first = tx.tables.page("memory", after=None, limit=3)
        tables = tx.tables.page("memory", after=tx.tables.key("memory", first[-1]), limit=9)
        assert [row["doc"] for row in first + tables] == list(range(1, 8))
        assert "owner" not in first[0]


def fingerprints_of_several_memories_are_named(store: Store, owner: str) -> None:
    with store.write(owner) as tx:
        home(tx)
        for number, (mark, status) in enumerate(
            [(b"a", "verified"), (b"a", "candidate"), (b"b", "verified"), (b"b", "stale"), (b"c", "verified")], start=1
        ):
            tx.memories.put(memory(f"m{number}", number, fingerprint=mark, status=status))
        tx.memories.put_many([memory(f"e{number}", number, fingerprint=b"c", kind="episodic") for number in (8, 9)])
        places = tx.namespaces.all()
        namespace_id = places[0].id
        assert tx.memories.doubles(namespace_id, ["verified", "candidate"], after=b"", limit=9) == [b"a"]
        assert tx.memories.doubles(namespace_id, ["verified", "candidate", "stale"], after=b"", limit=9) == [b"a", b"b"]
        assert tx.memories.doubles(namespace_id, ["verified", "candidate", "stale"], after=b"a", limit=9) == [b"b"]


def memories_are_counted_by_spans_of_time(store: Store, owner: str) -> None:
    with store.write(owner) as tx:
        home(tx)
        namespace_id = tx.namespaces.all()[0].id
        for number, recorded in enumerate((-1, 0, 99, 100, 250), start=1):
            tx.memories.put(memory(f"m{number}", number, recorded_at=recorded))
        tx.memories.put(memory("e1", 9, kind="episodic", recorded_at=250, said_at=120))
        kind = tx.memories.get(["m1"])[0].kind
        expected = [(kind, -100, 1), (kind, 0, 2), (kind, 100, 1), ("episodic", 100, 1), (kind, 200, 1)]
        assert sorted(tx.memories.spread(Filter(namespaces=(namespace_id,)), step=100)) == sorted(expected)
        part = tx.memories.spread(Filter(namespaces=(namespace_id,), since=100, until=200), step=100)
        assert sorted(part) == sorted(expected[2:4])
        assert tx.memories.spread(Filter(namespaces=("elsewhere",)), step=100) == []


def _all(tx: Transaction, table: str) -> list[dict[str, Any]]:
    return tx.tables.page(table, after=None, limit=1_000)


CHECKS = [
    every_row_can_be_read_and_written_as_it_lies_there,
    pages_of_a_table_follow_its_key,
    fingerprints_of_several_memories_are_named,
    memories_are_counted_by_spans_of_time,
]
