"""Memories, their versions and their evidence."""

from dataclasses import replace

from tests.conformance.store.build import HOME, home, memory, raises, tag, version

from commonplace.errors import Conflict
from commonplace.store.ports import Store
from commonplace.store.rows import EvidenceRow, Filter, MemoryRow

FULL = memory(
    "m-full",
    4_000_000_000,
    key=b"key",
    pinned=True,
    valid_from=-5,
    valid_to=2**60,
    retired_at=3,
    last_confirmed_at=4,
    last_used_at=5,
    uses=6,
    expires_at=7,
    directive="d",
    step="s",
    session="c",
    role="user",
    said_at=8,
    position=9,
    importance=0.1,
    confidence=1 / 3,
    sealed=bytes(range(256)),
    fingerprint=b"",
)


def every_field_comes_back_as_it_went_in(store: Store, owner: str) -> None:
    with store.write(owner) as tx:
        home(tx)
        tx.memories.put(FULL)
        tx.memories.put(memory("m-bare", 2))
    with store.read(owner) as tx:
        assert tx.memories.get(["m-full", "m-bare"]) == [FULL, memory("m-bare", 2)]
        assert type(tx.memories.get(["m-full"])[0].pinned) is bool


def rows_come_in_the_order_asked(store: Store, owner: str) -> None:
    with store.write(owner) as tx:
        home(tx)
        tx.memories.put_many([memory(f"m{number}", number) for number in range(1, 6)])
    with store.read(owner) as tx:
        assert [row.id for row in tx.memories.get(["m4", "none", "m1"])] == ["m4", "m1"]
        assert tx.memories.get([]) == []
        assert sorted(row.id for row in tx.memories.by_docs([2, 5, 99])) == ["m2", "m5"]


def a_row_comes_with_its_tags_and_its_evidence(store: Store, owner: str) -> None:
    with store.write(owner) as tx:
        home(tx)
        tx.memories.put_many([memory(f"m{number}", number) for number in range(1, 5)])
        for id in ("t1", "t2"):
            tx.tags.put(tag(id))
        tx.tags.set_links("memory", "m1", ["t2", "t1"])
        tx.evidence.put([EvidenceRow(noun="memory", id="m1", episode=episode, sealed=None) for episode in ("m3", "m2")])
        tx.evidence.put([EvidenceRow(noun="relation", id="m2", episode="m3", sealed=None)])
    with store.read(owner) as tx:
        by_id = {tied_row.row.id: tied_row for tied_row in tx.memories.tied([1, 2, 99])}
        assert sorted(by_id) == ["m1", "m2"]
        assert by_id["m1"].row == memory("m1", 1)
        assert by_id["m1"].tags == ("t2", "t1")
        assert sorted(by_id["m1"].episodes) == ["m2", "m3"]
        assert (by_id["m2"].tags, by_id["m2"].episodes) == ((), ())
        assert tx.memories.tied([]) == []


def a_stale_writer_is_told_and_nothing_changes(store: Store, owner: str) -> None:
    with store.write(owner) as tx:
        home(tx)
        tx.memories.put(memory("m1", 1))
        tx.memories.put(memory("m1", 1, version=2, status="stale"), expected=1)
    for expected in (None, 1, 3):
        with raises(Conflict) as caught, store.write(owner) as tx:
            tx.memories.put(memory("m1", 1, version=9), expected=expected)
        assert (caught.error.expected, caught.error.found) == (expected or 0, 2)
    with store.read(owner) as tx:
        assert [(row.version, row.status) for row in tx.memories.get(["m1"])] == [(2, "stale")]
    with raises(Conflict), store.write(owner) as tx:
        tx.memories.put(memory("m2", 2, version=2), expected=1)


def a_batch_goes_in_as_a_whole(store: Store, owner: str) -> None:
    with store.write(owner) as tx:
        home(tx)
        tx.memories.put(memory("m2", 2))
    with raises(Conflict), store.write(owner) as tx:
        tx.memories.put_many([memory("m1", 1), memory("m2", 3)])
    with store.read(owner) as tx:
        assert [row.id for row in tx.memories.find(Filter())] == ["m2"]
    with store.write(owner) as tx:
        tx.memories.put_many([])


def a_filter_means_all_that_it_says(store: Store, owner: str) -> None:
    rows = [
        memory("m1", 1, kind="core", key=b"k", importance=0.9, pinned=True),
        memory("m2", 2, category="lesson", namespace="n-two", recorded_at=2_000, session="c"),
        memory("m3", 3, status="archived", retired_at=50, recorded_at=3_000, said_at=10),
        memory("m4", 4, source="tool", valid_from=100, valid_to=200, expires_at=300, directive="d", step="s"),
    ]
    with store.write(owner) as tx:
        home(tx, HOME, "n-two")
        tx.memories.put_many(rows)
    expected = {
        Filter(): "1234",
        Filter(namespaces=(HOME,)): "134",
        Filter(namespaces=(HOME, "n-two"), kinds=("core", "relational")): "1",
        Filter(categories=("lesson",)): "2",
        Filter(statuses=("verified", "candidate")): "124",
        Filter(sources=("tool",)): "4",
        Filter(since=2_000): "2",
        Filter(until=1_000): "3",
        Filter(since=10, until=1_001): "134",
        Filter(valid_at=150): "1234",
        Filter(valid_at=200): "123",
        Filter(valid_at=99): "123",
        Filter(begun_by=999): "134",
        Filter(begun_by=2_000, kinds=("associative",)): "234",
        Filter(directive="d"): "4",
        Filter(step="s"): "4",
        Filter(sessions=("c",)): "2",
        Filter(key=b"k"): "1",
        Filter(fingerprint=b"print of m3"): "3",
        Filter(importance_below=0.9): "234",
        Filter(recorded_before=2_000): "14",
        Filter(retired_before=51): "3",
        Filter(retired_before=50): "",
        Filter(expired_at=300): "4",
        Filter(expired_at=299): "",
        Filter(unpinned=True): "234",
        Filter(kinds=("core",), unpinned=True): "",
    }
    with store.read(owner) as tx:
        for filter, ids in expected.items():
            hit_ids = [row.id for row in tx.memories.find(filter)]
            assert hit_ids == [f"m{id}" for id in ids], (filter, hit_ids)
            assert tx.memories.docs(filter, limit=9) == [int(id) for id in ids], filter


def pages_follow_each_other_both_ways(store: Store, owner: str) -> None:
    with store.write(owner) as tx:
        home(tx)
        tx.memories.put_many([memory(f"m{number:02}", number) for number in range(1, 11)])
    with store.read(owner) as tx:
        first = tx.memories.find(Filter(), limit=4)
        second = tx.memories.find(Filter(), after=first[-1].id, limit=4)
        assert [row.doc for row in first + second] == list(range(1, 9))
        latest = tx.memories.find(Filter(), limit=3, newest=True)
        assert [row.doc for row in latest] == [10, 9, 8]
        assert [row.doc for row in tx.memories.find(Filter(), after=latest[-1].id, limit=2, newest=True)] == [7, 6]
        assert tx.memories.docs(Filter(), limit=9) is None
        assert tx.memories.docs(Filter(), limit=10) == list(range(1, 11))


def the_most_important_come_first(store: Store, owner: str) -> None:
    importances = {"m1": 0.2, "m2": 0.9, "m3": 0.9, "m4": 0.5}
    with store.write(owner) as tx:
        home(tx)
        for doc, (id, importance) in enumerate(importances.items(), start=1):
            tx.memories.put(memory(id, doc, importance=importance))
        assert _ids(tx.memories.important(Filter(), limit=3)) == ["m2", "m3", "m4"]
        assert _ids(tx.memories.important(Filter(importance_below=0.5), limit=3)) == ["m1"]
        assert _ids(tx.memories.important(Filter(), after=(0.9, "m2"), limit=2)) == ["m3", "m4"]
        assert _ids(tx.memories.important(Filter(), after=(0.5, "m4"), limit=2)) == ["m1"]


def ids_sort_by_their_bytes(store: Store, owner: str) -> None:
    ids = ["A", "_", "a", "B-", "b", "é", "Z", "0"]
    with store.write(owner) as tx:
        home(tx)
        tx.memories.put_many([memory(id, doc) for doc, id in enumerate(ids, start=1)])
    with store.read(owner) as tx:
        assert [row.id for row in tx.memories.find(Filter())] == sorted(ids)


def tags_and_attributes_narrow_a_filter(store: Store, owner: str) -> None:
    with store.write(owner) as tx:
        home(tx)
        tx.memories.put_many([memory(f"m{number}", number) for number in (1, 2, 3)])
        for tag_id in ("t1", "t2"):
            tx.tags.put(tag(tag_id))
        tx.tags.set_links("memory", "m1", ["t1", "t2"])
        tx.tags.set_links("memory", "m2", ["t1"])
        tx.tags.set_links("entity", "m3", ["t1"])
        tx.memories.set_attributes("m1", [b"x"])
        tx.memories.set_attributes("m2", [b"x", b"y", b"y"])
    with store.write(owner) as tx:
        assert _ids(tx.memories.find(Filter(tags=(("t1",),)))) == ["m1", "m2"]
        assert _ids(tx.memories.find(Filter(tags=(("t2", "t1"),)))) == ["m1", "m2"]
        assert _ids(tx.memories.find(Filter(tags=(("t1",), ("t2",))))) == ["m1"]
        assert _ids(tx.memories.find(Filter(attributes=(b"x",)))) == ["m1", "m2"]
        assert _ids(tx.memories.find(Filter(attributes=(b"x", b"y"), tags=(("t1",),)))) == ["m2"]
        tx.memories.set_attributes("m2", [b"z"])
        assert _ids(tx.memories.find(Filter(attributes=(b"x",)))) == ["m1"]


def a_use_is_counted_without_a_version(store: Store, owner: str) -> None:
    with store.write(owner) as tx:
        home(tx)
        tx.memories.put_many([memory("m1", 1), memory("m2", 2)])
        tx.memories.touch(["m1"], at=50)
        tx.memories.touch(["m1", "none"], at=60)
        assert [(row.uses, row.last_used_at, row.version) for row in tx.memories.get(["m1", "m2"])] == [
            (2, 60, 1),
            (0, None, 1),
        ]


def deleting_takes_everything_of_it_and_leaves_its_neighbour(store: Store, owner: str) -> None:
    with store.write(owner) as tx:
        home(tx)
        tx.tags.put(tag("t1"))
        for number, id in enumerate(("m1", "m2"), start=1):
            tx.memories.put(memory(id, number))
            tx.memories.set_attributes(id, [b"x"])
            tx.versions.put(version(id, 1, doc=number))
            tx.tags.set_links("memory", id, ["t1"])
            tx.evidence.put([EvidenceRow(noun="memory", id=id, episode=f"e-of-{id}", sealed=None)])
            tx.evidence.put([EvidenceRow(noun="relation", id="r", episode=id, sealed=b"quote")])
        tx.memories.delete(["m1", "none"])
    with store.read(owner) as tx:
        assert _ids(tx.memories.find(Filter(attributes=(b"x",)))) == ["m2"]
        assert tx.versions.of("memory", "m1") == []
        assert len(tx.versions.of("memory", "m2")) == 1
        assert tx.tags.linked("t1") == [("memory", "m2")]
        assert [row.id for row in tx.evidence.of("memory", ["m1", "m2"])] == ["m2"]
        assert [row.episode for row in tx.evidence.resting_on(["m1", "m2"])] == ["m2"]


def counts_are_by_namespace_kind_category_and_status(store: Store, owner: str) -> None:
    with store.write(owner) as tx:
        home(tx)
        tx.memories.put_many([memory("m1", 1, recorded_at=5), memory("m2", 2, recorded_at=9)])
        tx.memories.put(memory("m3", 3, status="stale"))
        assert tx.memories.counts() == [
            (HOME, "associative", "fact", "stale", 1, 1_000, 1_000),
            (HOME, "associative", "fact", "verified", 2, 5, 9),
        ]


def a_new_version_closes_the_one_before(store: Store, owner: str) -> None:
    with store.write(owner) as tx:
        for number in (1, 2, 3):
            tx.versions.put(version("m1", number, doc=number))
        tx.versions.put(version("m2", 1, doc=9))
    with store.read(owner) as tx:
        states = tx.versions.of("memory", "m1")
        assert [(row.version, row.recorded_at, row.superseded_at) for row in states] == [
            (1, 10, 20),
            (2, 20, 30),
            (3, 30, None),
        ]
        assert [row.version for row in tx.versions.at("memory", ["m1", "m2"], 20)] == [2, 1]
        assert [row.version for row in tx.versions.at("memory", ["m1"], 9)] == []
        assert [row.version for row in tx.versions.at("memory", ["m1"], 10**9)] == [3]
        assert [row.id for row in tx.versions.by_docs([1, 2, 9], known_at=20)] == ["m1", "m2"]
        assert [row.doc for row in tx.versions.by_docs([1, 2, 9], known_at=19)] == [1, 9]
    with raises(Conflict), store.write(owner) as tx:
        tx.versions.put(version("m1", 2))
    with raises(Conflict), store.write(owner) as tx:
        tx.versions.put_many([version("m3", 1), version("m2", 1)])


def versions_can_be_paged_replaced_and_deleted(store: Store, owner: str) -> None:
    with store.write(owner) as tx:
        tx.versions.put_many([version(id, 1) for id in ("m1", "m2", "m3")])
        tx.versions.put_many([version("m2", 2), version("m2", 3)])
        page = tx.versions.page("memory", after=("", 0), limit=3)
        assert [(row.id, row.version) for row in page] == [("m1", 1), ("m2", 1), ("m2", 2)]
        versions = tx.versions.page("memory", after=("m2", 2), limit=3)
        assert [(row.id, row.version) for row in versions] == [("m2", 3), ("m3", 1)]
        changed = replace(page[0], sealed=b"again", doc=7)
        tx.versions.replace(changed)
        assert tx.versions.of("memory", "m1") == [changed]
        assert tx.versions.moved() == []
        tx.versions.put_many([replace(version(id, 4), action="MOVE") for id in ("m3", "m2")])
        assert tx.versions.moved() == ["m2", "m3"]
        tx.versions.replace(replace(version("m3", 4), action="UPDATE"))
        tx.versions.delete("memory", ["m2"])
        tx.versions.delete("relation", ["m3"])
        assert tx.versions.moved() == []
        assert [row.id for row in tx.versions.page("memory", after=("", 0), limit=9)] == ["m1", "m3", "m3"]


def evidence_is_kept_once_and_keeps_its_quote(store: Store, owner: str) -> None:
    with store.write(owner) as tx:
        quoted = EvidenceRow(noun="memory", id="m1", episode="e1", sealed=b"quote")
        tx.evidence.put([quoted, EvidenceRow(noun="memory", id="m1", episode="e2", sealed=None)])
        tx.evidence.put([EvidenceRow(noun="memory", id="m1", episode="e1", sealed=None)])
        assert tx.evidence.of("memory", ["m1"])[0] == quoted
        assert len(tx.evidence.of("memory", ["m1"])) == 2
        tx.evidence.put([EvidenceRow(noun="memory", id="m2", episode="e2", sealed=b"other")])
        tx.evidence.move("memory", "m1", "m2")
        assert tx.evidence.of("memory", ["m1"]) == []
        assert [(row.episode, row.sealed) for row in tx.evidence.of("memory", ["m2"])] == [
            ("e1", b"quote"),
            ("e2", b"other"),
        ]
        tx.evidence.move("memory", "m2", "m2")
        tx.evidence.delete("memory", ["m2"], episodes=["e1", "e9"])
        assert [row.episode for row in tx.evidence.resting_on(["e1", "e2"])] == ["e2"]
        tx.evidence.delete("memory", ["m2"])
        assert tx.evidence.resting_on(["e1", "e2"]) == []


def _ids(rows: list[MemoryRow]) -> list[str]:
    return [row.id for row in rows]


CHECKS = [
    every_field_comes_back_as_it_went_in,
    rows_come_in_the_order_asked,
    a_row_comes_with_its_tags_and_its_evidence,
    a_stale_writer_is_told_and_nothing_changes,
    a_batch_goes_in_as_a_whole,
    a_filter_means_all_that_it_says,
    pages_follow_each_other_both_ways,
    the_most_important_come_first,
    ids_sort_by_their_bytes,
    tags_and_attributes_narrow_a_filter,
    a_use_is_counted_without_a_version,
    deleting_takes_everything_of_it_and_leaves_its_neighbour,
    counts_are_by_namespace_kind_category_and_status,
    a_new_version_closes_the_one_before,
    versions_can_be_paged_replaced_and_deleted,
    evidence_is_kept_once_and_keeps_its_quote,
]
