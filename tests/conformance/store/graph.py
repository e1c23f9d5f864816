"""Entities and relations."""

from dataclasses import replace
from typing import Any

from tests.conformance.store.build import HOME, entity, home, raises, relation, version

from commonplace.errors import Conflict, StoreError
from commonplace.store.ports import Store
from commonplace.store.rows import EvidenceRow


def an_entity_answers_to_label_and_alias_of_any_type(store: Store, owner: str) -> None:
    with store.write(owner) as tx:
        home(tx, HOME, "n-two")
        ada = entity("e1", aliases=(b"countess", b"ada"), retired_at=9)
        tx.entities.put(ada)
        tx.entities.put(entity("e2", type="company", label=b"ada"))
        tx.entities.put(entity("e3", namespace="n-two", label=b"ada"))
    with store.read(owner) as tx:
        assert tx.entities.get(["e1"]) == [ada]
        assert [row.id for row in tx.entities.by_label([HOME], b"ada")] == ["e1", "e2"]
        assert [row.id for row in tx.entities.by_label([HOME, "n-two"], b"ada")] == ["e1", "e2", "e3"]
        assert tx.entities.by_label([HOME], b"none") == []
        assert [row.id for row in tx.entities.all([HOME, "n-two"], limit=2)] == ["e1", "e2"]
        assert [row.id for row in tx.entities.all([HOME, "n-two"], after="e2")] == ["e3"]


def an_entity_has_versions_and_loses_its_old_aliases(store: Store, owner: str) -> None:
    with store.write(owner) as tx:
        home(tx)
        tx.entities.put(entity("e1", aliases=(b"old",)))
        tx.entities.put(entity("e1", version=2, aliases=(b"new",)), expected=1)
        assert tx.entities.by_label([HOME], b"old") == []
        assert [row.version for row in tx.entities.by_label([HOME], b"new")] == [2]
    with raises(Conflict), store.write(owner) as tx:
        tx.entities.put(entity("e1", version=2), expected=1)
    with store.read(owner) as tx:
        assert tx.entities.get(["e1"])[0].aliases == (b"new",)


def relations_are_found_from_any_end(store: Store, owner: str) -> None:
    rows = [
        relation("r1", "e1", "e2"),
        relation("r2", "e2", "e3", predicate="reports_to", status="stale"),
        relation("r3", "e3", "e1", valid_from=10, valid_to=20, pinned=True, retired_at=3, last_confirmed_at=4),
    ]
    with store.write(owner) as tx:
        home(tx)
        for id in ("e1", "e2", "e3"):
            tx.entities.put(entity(id))
        for row in rows:
            tx.relations.put(row)
    with store.read(owner) as tx:

        def found(**filters: object) -> str:
            return "".join(row.id[1:] for row in tx.relations.find([HOME], **filters))  # type: ignore[arg-type]

        assert tx.relations.get(["r3", "r1"]) == [rows[2], rows[0]]
        assert found() == "123"
        assert found(subjects=["e1"]) == "1"
        assert found(objects=["e1"]) == "3"
        assert found(either=["e1"]) == "13"
        assert found(predicates=["reports_to"]) == "2"
        assert found(statuses=["verified"]) == "13"
        assert found(valid_at=10) == "123"
        assert found(valid_at=20) == "12"
        assert found(either=["e1"], statuses=["stale"]) == ""
        assert found(after="r1", limit=1) == "2"
        assert tx.relations.find(["n-two"]) == []


def the_surest_relations_of_some_types_come_first(store: Store, owner: str) -> None:
    with store.write(owner) as tx:
        home(tx)
        for id, type in (("e1", "person"), ("e2", "topic"), ("e3", "topic")):
            tx.entities.put(entity(id, type=type))
        columns = {"status": "candidate", "source": "tool"}
        for row in (
            relation("r1", "e1", "e2", confidence=0.5),
            relation("r2", "e2", "e1", confidence=0.9),
            relation("r3", "e2", "e3", confidence=1.0),
            relation("r4", "e1", "e3", confidence=0.9, **columns),
            relation("r5", "e1", "e3", confidence=0.9, **{**columns, "status": "verified"}),
            relation("r6", "e1", "e3", confidence=0.8, valid_to=20),
            relation("r7", "e1", "e3", status="stale"),
        ):
            tx.relations.put(row)
    with store.read(owner) as tx:

        def found(**filters: object) -> str:
            usual = {"types": ["person"], "sources": ["user"], "statuses": ["verified", "candidate"]}
            filters_with_defaults: dict[str, Any] = {**usual, "valid_at": 10, "limit": 9, **filters}
            return "".join(row.id[1:] for row in tx.relations.surest([HOME], **filters_with_defaults))

        assert found() == "2561"
        assert found(limit=2) == "25"
        assert found(valid_at=20) == "251"
        assert found(sources=["user", "tool"]) == "24561"
        assert found(statuses=["stale"]) == "7"
        assert found(types=["person", "topic"]) == "32561"
        assert found(types=["place"]) == ""
        assert tx.relations.surest(["n-two"], types=["person"], sources=[], statuses=[], valid_at=1, limit=9) == []


def a_relation_has_versions_and_goes_with_what_hangs_on_it(store: Store, owner: str) -> None:
    with store.write(owner) as tx:
        home(tx)
        for id in ("e1", "e2"):
            tx.entities.put(entity(id))
        first = relation("r1", "e1", "e2")
        tx.relations.put(first)
        tx.relations.put(replace(first, version=2, status="stale"), expected=1)
        tx.versions.put(version("r1", 1, noun="relation"))
        tx.evidence.put([EvidenceRow(noun="relation", id="r1", episode="m1", sealed=None)])
    with raises(Conflict), store.write(owner) as tx:
        tx.relations.put(replace(first, version=2), expected=1)
    with store.write(owner) as tx:
        assert tx.relations.get(["r1"])[0].status == "stale"
        tx.relations.delete(["r1"])
        assert tx.relations.get(["r1"]) == []
        assert tx.versions.of("relation", "r1") == []
        assert tx.evidence.resting_on(["m1"]) == []
        tx.entities.delete(["e1"])
        assert [row.id for row in tx.entities.all([HOME])] == ["e2"]


def a_relation_needs_both_its_ends(store: Store, owner: str) -> None:
    with store.write(owner) as tx:
        home(tx)
        tx.entities.put(entity("e1"))
        tx.entities.put(entity("e2"))
        tx.relations.put(relation("r1", "e1", "e2"))
    with raises(StoreError), store.write(owner) as tx:
        tx.entities.delete(["e2"])
    with store.write(owner) as tx:
        tx.entities.delete(["e2"])
        tx.relations.delete(["r1"])
    with store.read(owner) as tx:
        assert [row.id for row in tx.entities.all([HOME])] == ["e1"]


CHECKS = [
    an_entity_answers_to_label_and_alias_of_any_type,
    an_entity_has_versions_and_loses_its_old_aliases,
    relations_are_found_from_any_end,
    the_surest_relations_of_some_types_come_first,
    a_relation_has_versions_and_goes_with_what_hangs_on_it,
    a_relation_needs_both_its_ends,
]
