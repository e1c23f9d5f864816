"""Namespaces, sessions, tags and tombstones."""

from dataclasses import replace

from tests.conformance.store.build import (
    HOME,
    directive,
    entity,
    home,
    memory,
    namespace,
    raises,
    relation,
    session,
    step,
    tag,
    version,
)

from commonplace.errors import Conflict
from commonplace.store.ports import Store
from commonplace.store.rows import EvidenceRow, Filter, FreshRow, PassageRow, TombstoneRow, VectorRow
from commonplace.store.transaction import Transaction


def a_namespace_keeps_its_statistics_when_renamed(store: Store, owner: str) -> None:
    with store.write(owner) as tx:
        home(tx)
        tx.namespaces.count(HOME, documents=3, length=40)
        tx.namespaces.count(HOME, documents=-1, length=-10)
        tx.namespaces.put(namespace(HOME, label=b"new", sealed=b"new name"))
    with store.read(owner) as tx:
        stored = tx.namespaces.by_label(b"new")
        assert stored == namespace(HOME, label=b"new", sealed=b"new name", documents=2, length=30)
        assert tx.namespaces.get(HOME) == stored
        assert tx.namespaces.by_label(b"label of " + HOME.encode()) is None
        assert tx.namespaces.get("none") is None


def a_namespace_is_found_by_label_among_few_and_many(store: Store, owner: str) -> None:
    """Also after one was asked for by id, in the same snapshot."""
    for count in (3, 40):
        with store.write(f"{owner}-{count}") as tx:
            home(tx, *[f"n{number}" for number in range(count)])
        with store.read(f"{owner}-{count}") as tx:
            assert tx.namespaces.get("n0") is not None
            for number in (1, count - 1):
                stored = tx.namespaces.by_label(f"label of n{number}".encode())
                assert stored is not None
                assert stored.id == f"n{number}"
            assert tx.namespaces.by_label(b"nobody's") is None


def a_label_belongs_to_one_namespace(store: Store, owner: str) -> None:
    with store.write(owner) as tx:
        home(tx, "n1", "n2")
    with raises(Conflict), store.write(owner) as tx:
        tx.namespaces.put(namespace("n2", label=b"label of n1"))
    with store.write(owner + "-other") as tx:
        tx.namespaces.put(namespace("n2", label=b"label of n1"))
    with store.read(owner) as tx:
        assert [row.id for row in tx.namespaces.all()] == ["n1", "n2"]


def dropping_a_namespace_takes_all_of_it_and_nothing_else(store: Store, owner: str) -> None:
    with store.write(owner) as tx:
        for number, place in enumerate(("n1", "n2")):
            fill_namespace(tx, place, number)
    with store.write(owner) as tx:
        tx.namespaces.drop("n1")
    with store.read(owner) as tx:
        assert [row.id for row in tx.namespaces.all()] == ["n2"]
        assert _left(tx, "n1") == [0] * len(_left(tx, "n1"))
        assert all(_left(tx, "n2"))


def dropping_an_owner_leaves_the_account_and_its_usage(store: Store, owner: str) -> None:
    second = owner + "-other"
    for who in (owner, second):
        with store.write(who) as tx:
            fill_namespace(tx, "n1", 0)
            tx.usage.add("2026-01-01", "embed", calls=1, tokens=2)
            tx.changes.record([("memory", "m-n1", "put", 1, "n1")], at=1)
    with store.write(owner) as tx:
        tx.owners.put(plan="team", timezone=None, language=None)
        tx.owners.drop()
    with store.read(owner) as tx:
        assert _left(tx, "n1") == [0] * len(_left(tx, "n1"))
        assert tx.changes.since(0) == []
        assert tx.owners.get().plan == "team"
        assert len(tx.usage.of("2026-01-01")) == 1
    with store.read(second) as tx:
        assert all(_left(tx, "n1"))


def a_session_is_found_by_its_label(store: Store, owner: str) -> None:
    with store.write(owner) as tx:
        home(tx, HOME, "n-two")
        tx.sessions.put(session("c1"))
        tx.sessions.put(session("c2", namespace="n-two", label=b"label of c1"))
        later = session("c1", position=5, next_doc=9)
        tx.sessions.put(later)
    with store.write(owner) as tx:
        assert tx.sessions.by_label(HOME, b"label of c1") == later
        assert tx.sessions.by_label(HOME, b"none") is None
        assert [row.id for row in tx.sessions.get(["c2", "none", "c1"])] == ["c2", "c1"]
        assert [row.id for row in tx.sessions.all()] == ["c1", "c2"]
        assert [row.id for row in tx.sessions.all(namespace="n-two")] == ["c2"]
        tx.sessions.delete(["c1"])
        assert [row.id for row in tx.sessions.all()] == ["c2"]
    with raises(Conflict), store.write(owner) as tx:
        tx.sessions.put(session("c3", namespace="n-two", label=b"label of c1"))


def a_tag_answers_to_its_synonyms(store: Store, owner: str) -> None:
    with store.write(owner) as tx:
        home(tx, HOME, "n-two")
        travel = tag("t1", synonyms=(b"trips", b"journeys"), created_at=5)
        tx.tags.put(travel)
        tx.tags.put(tag("t2", namespace="n-two", label=b"trips"))
    with store.write(owner) as tx:
        assert tx.tags.by_label(HOME, b"journeys") == travel
        assert tx.tags.by_label(HOME, travel.label) == travel
        assert tx.tags.by_label("n-two", b"journeys") is None
        fewer = replace(travel, synonyms=(b"journeys",))
        tx.tags.put(fewer)
        assert tx.tags.by_label(HOME, b"trips") is None
        assert tx.tags.get(["t2", "t1"]) == [tag("t2", namespace="n-two", label=b"trips"), fewer]
    for duplicate in (tag("t3", label=b"journeys"), tag("t3", synonyms=(b"label of t1",))):
        with raises(Conflict), store.write(owner) as tx:
            tx.tags.put(duplicate)


def tag_links_are_kept_in_order_and_counted(store: Store, owner: str) -> None:
    with store.write(owner) as tx:
        home(tx)
        for id in ("t1", "t2"):
            tx.tags.put(tag(id))
        tx.tags.set_links("memory", "m1", ["t2", "t1", "t2"])
        tx.tags.set_links("entity", "e1", ["t1"])
        assert tx.tags.links("memory", ["m1", "m2"]) == {"m1": ("t2", "t1")}
        assert [(row.id, count) for row, count in tx.tags.all(HOME)] == [("t1", 2), ("t2", 1)]
        assert tx.tags.linked("t1") == [("entity", "e1"), ("memory", "m1")]
        tx.tags.set_links("memory", "m1", [])
        tx.tags.delete("t2")
        assert [(row.id, count) for row, count in tx.tags.all(HOME)] == [("t1", 1)]
        tx.tags.delete("t1")
        assert tx.tags.links("entity", ["e1"]) == {}


def a_tombstone_stands_until_it_is_lifted(store: Store, owner: str) -> None:
    first = TombstoneRow(namespace=HOME, fingerprint=b"a", reason="rejected", at=1, target="m1")
    second = TombstoneRow(namespace="n-two", fingerprint=b"a", reason="forgotten", at=2, target=None)
    with store.write(owner) as tx:
        tx.tombstones.put([first, second])
        tx.tombstones.put([replace(first, reason="forgotten", at=3)])
        assert tx.tombstones.among(HOME, [b"a", b"b"]) == [replace(first, reason="forgotten", at=3)]
        assert tx.tombstones.among(HOME, [b"b"]) == []
        assert [row.namespace for row in tx.tombstones.all()] == [HOME, "n-two"]
        assert tx.tombstones.lift(HOME, [b"a", b"b"]) == 1
        assert tx.tombstones.all() == [second]
        assert tx.tombstones.all(namespace=HOME) == []


def fill_namespace(tx: Transaction, place: str, number: int) -> None:
    home(tx, place)
    doc = number * 10 + 1
    tx.memories.put(memory(f"m-{place}", doc, namespace=place))
    tx.memories.set_attributes(f"m-{place}", [place.encode()])
    tx.versions.put(version(f"m-{place}", 1, doc=doc))
    tx.evidence.put([EvidenceRow(noun="memory", id=f"m-{place}", episode=f"m-{place}", sealed=b"q")])
    tx.sessions.put(session(f"c-{place}", namespace=place))
    tx.tags.put(tag(f"t-{place}", namespace=place))
    tx.tags.set_links("memory", f"m-{place}", [f"t-{place}"])
    for end in "ab":
        tx.entities.put(entity(f"e-{place}-{end}", namespace=place, aliases=(b"alias",)))
    tx.relations.put(relation(f"r-{place}", f"e-{place}-a", f"e-{place}-b", namespace=place))
    tx.directives.put(directive(f"d-{place}", namespace=place))
    tx.steps.put(step(f"s-{place}", f"d-{place}", 1))
    tx.versions.put(version(f"s-{place}", 1, noun="step"))
    tx.tombstones.put([TombstoneRow(namespace=place, fingerprint=b"a", reason="rejected", at=1, target=None)])
    tx.words.add(place, [FreshRow(term=1, doc=doc, tf=1, length=1), FreshRow(term=2, doc=doc, tf=1, length=1)])
    tx.words.pack(place, limit=1)
    tx.vectors.put(place, "model", [VectorRow(doc=doc, part=0, data=b"\x01\x02")])
    tx.passages.put([PassageRow(doc=doc, model="model", namespace=place, sealed=b"sealed")])


def _left(tx: Transaction, place: str) -> list[int]:
    """How much of a namespace stands, table by table."""
    return [
        len(tx.memories.find(Filter(namespaces=(place,)))),
        len(tx.memories.find(Filter(attributes=(place.encode(),)))),
        len(tx.versions.of("memory", f"m-{place}")),
        len(tx.evidence.resting_on([f"m-{place}"])),
        len(tx.sessions.all(namespace=place)),
        len(tx.tags.all(place)),
        len(tx.tags.links("memory", [f"m-{place}"])),
        len(tx.entities.all([place])),
        len(tx.entities.by_label([place], b"alias")),
        len(tx.relations.find([place])),
        len(tx.directives.all([place])),
        len(tx.steps.of(f"d-{place}")),
        len(tx.versions.of("step", f"s-{place}")),
        len(tx.tombstones.all(namespace=place)),
        len(tx.words.fetch(place, [1])),
        len(tx.words.fetch(place, [2])),
        len(list(tx.vectors.load(place, "model"))),
        len([1 for namespace, _, _ in tx.vectors.counts() if namespace == place]),
        len([row for row in tx.passages.get("model", range(1, 100)) if row.namespace == place]),
    ]


CHECKS = [
    a_namespace_keeps_its_statistics_when_renamed,
    a_namespace_is_found_by_label_among_few_and_many,
    a_label_belongs_to_one_namespace,
    dropping_a_namespace_takes_all_of_it_and_nothing_else,
    dropping_an_owner_leaves_the_account_and_its_usage,
    a_session_is_found_by_its_label,
    a_tag_answers_to_its_synonyms,
    tag_links_are_kept_in_order_and_counted,
    a_tombstone_stands_until_it_is_lifted,
]
