"""One owner never sees, changes or removes another's rows, through any method of any port, on either engine."""

from collections.abc import Callable
from functools import cached_property, partial
from inspect import getmembers, isfunction
from threading import Thread
from typing import Any

import pytest
from tests.conformance.store.build import (
    HOME,
    audit,
    directive,
    entity,
    home,
    job,
    memory,
    namespace,
    relation,
    session,
    step,
    tag,
    version,
)

from commonplace.errors import Conflict, NotFound, StoreError
from commonplace.store.ports import FinalActs, Store
from commonplace.store.rows import (
    EvidenceRow,
    Filter,
    FreshRow,
    LedgerEntry,
    PassageRow,
    ReceiptRow,
    TombstoneRow,
    TraceRow,
    VectorRow,
)
from commonplace.store.tables.vector import VectorTable
from commonplace.store.tables.word import WordTable
from commonplace.store.transaction import Transaction

MODEL = "model"
VICTIM, STRANGER = "ada", "mallory"

QUESTIONS: dict[str, Callable[[Transaction], Any]] = {
    "owners.get": lambda tx: tx.owners.get().plan,
    "changes.since": lambda tx: tx.changes.since(0),
    "changes.last": lambda tx: tx.changes.last(),
    "namespaces.get": lambda tx: tx.namespaces.get(HOME),
    "namespaces.by_label": lambda tx: tx.namespaces.by_label(namespace().label),
    "namespaces.all": lambda tx: tx.namespaces.all(),
    "memories.get": lambda tx: tx.memories.get(["m1"]),
    "memories.by_docs": lambda tx: tx.memories.by_docs([1]),
    "memories.tied": lambda tx: tx.memories.tied([1]),
    "memories.by_value": lambda tx: tx.memories.by_value(
        HOME, [b"gone", memory("m1", 1).fingerprint], statuses=["verified"]
    ),
    "memories.find": lambda tx: tx.memories.find(Filter(tags=(("t1",),), attributes=(b"x",))),
    "memories.important": lambda tx: tx.memories.important(Filter(), limit=9),
    "memories.spread": lambda tx: tx.memories.spread(Filter(), step=10),
    "memories.doubles": lambda tx: tx.memories.doubles(HOME, ["verified"], after=b"", limit=9),
    "tables.names": lambda tx: None,
    "tables.key": lambda tx: None,
    "tables.page": lambda tx: {name: tx.tables.page(name, after=None, limit=9) for name in tx.tables.names()},
    "tables.count": lambda tx: {name: tx.tables.count(name) for name in tx.tables.names()},
    "tables.account": lambda tx: {**(tx.tables.account() or {}), "revision": 0, "created_at": 0},
    "memories.docs": lambda tx: tx.memories.docs(Filter(), limit=9),
    "memories.counts": lambda tx: tx.memories.counts(),
    "memories.count": lambda tx: tx.memories.count(Filter()),
    "versions.of": lambda tx: tx.versions.of("memory", "m1"),
    "versions.of_each": lambda tx: tx.versions.of_each("memory", ["m1"]),
    "versions.at": lambda tx: tx.versions.at("memory", ["m1"], 10),
    "versions.by_docs": lambda tx: tx.versions.by_docs([1], known_at=10),
    "versions.page": lambda tx: tx.versions.page("memory", after=("", 0), limit=9),
    "versions.walk": lambda tx: list(tx.versions.walk("memory")),
    "versions.moved": lambda tx: tx.versions.moved(),
    "evidence.of": lambda tx: tx.evidence.of("memory", ["m1"]),
    "evidence.resting_on": lambda tx: tx.evidence.resting_on(["m1"]),
    "sessions.by_label": lambda tx: tx.sessions.by_label(HOME, session("c1").label),
    "sessions.get": lambda tx: tx.sessions.get(["c1"]),
    "sessions.all": lambda tx: tx.sessions.all(),
    "tags.get": lambda tx: tx.tags.get(["t1"]),
    "tags.by_label": lambda tx: tx.tags.by_label(HOME, tag("t1").label),
    "tags.all": lambda tx: tx.tags.all(HOME),
    "tags.links": lambda tx: tx.tags.links("memory", ["m1"]),
    "tags.linked": lambda tx: tx.tags.linked("t1"),
    "entities.get": lambda tx: tx.entities.get(["e1"]),
    "entities.by_label": lambda tx: tx.entities.by_label([HOME], entity("e1").label),
    "entities.labelled": lambda tx: tx.entities.labelled([HOME], [entity("e1").label], statuses=["verified"]),
    "entities.all": lambda tx: tx.entities.all([HOME]),
    "relations.get": lambda tx: tx.relations.get(["r1"]),
    "relations.find": lambda tx: tx.relations.find([HOME], either=["e1"]),
    "relations.surest": lambda tx: tx.relations.surest(
        [HOME], types=["person"], sources=["user"], statuses=["verified"], valid_at=1, limit=9
    ),
    "tombstones.among": lambda tx: tx.tombstones.among(HOME, [b"gone"]),
    "tombstones.all": lambda tx: tx.tombstones.all(),
    "directives.get": lambda tx: tx.directives.get("d1"),
    "directives.all": lambda tx: tx.directives.all([HOME]),
    "steps.get": lambda tx: tx.steps.get("s1"),
    "steps.of": lambda tx: tx.steps.of("d1"),
    "jobs.get": lambda tx: tx.jobs.get("j1"),
    "jobs.all": lambda tx: tx.jobs.all(),
    "jobs.counts": lambda tx: tx.jobs.counts(),
    "audit.last": lambda tx: tx.audit.last(),
    "audit.page": lambda tx: tx.audit.page(),
    "audit.walk": lambda tx: list(tx.audit.walk()),
    "audit.page_back": lambda tx: tx.audit.page_back(before=1000),
    "receipts.get": lambda tx: tx.receipts.get("f1"),
    "receipts.page": lambda tx: tx.receipts.page(),
    "receipts.at": lambda tx: tx.receipts.at([1]),
    "traces.get": lambda tx: tx.traces.get("x1"),
    "traces.page": lambda tx: tx.traces.page("retrieval"),
    "usage.of": lambda tx: tx.usage.of("2026-01-01"),
    "usage.page": lambda tx: tx.usage.page(since="2026-01-01"),
    "words.fetch": lambda tx: tx.words.fetch(HOME, [1, 2]),
    "words.fresh": lambda tx: tx.words.fresh(HOME),
    "words.blocks": lambda tx: tx.words.blocks(HOME, after=None, limit=9),
    "vectors.load": lambda tx: list(tx.vectors.load(HOME, MODEL)) + list(tx.vectors.load(HOME, MODEL, docs=[1])),
    "vectors.joined": lambda tx: list(tx.vectors.joined(HOME, MODEL)),
    "vectors.nearest": lambda tx: tx.vectors.nearest(HOME, MODEL, b"\x01\x02", limit=9),
    "vectors.multiplied": lambda tx: (tx.vectors.multiplied(HOME, MODEL, b"\x01\x02") or bytes)(),
    "vectors.missing": lambda tx: tx.vectors.missing(HOME, "other", limit=9),
    "vectors.counts": lambda tx: tx.vectors.counts(),
    "passages.get": lambda tx: tx.passages.get(MODEL, [1]),
    "passages.missing": lambda tx: tx.passages.missing(HOME, "other", limit=9),
    "passages.docs": lambda tx: tx.passages.docs(after=0, limit=9),
}

ACTS: dict[str, Callable[[Transaction], Any]] = {
    "owners.put": lambda tx: tx.owners.put(plan="stolen", timezone=None, language=None),
    "owners.take_docs": lambda tx: tx.owners.take_docs(100),
    "owners.drop": lambda tx: tx.owners.drop(),
    "changes.record": lambda tx: tx.changes.record([("memory", "m1", "delete", 1, HOME)], at=9),
    "changes.trim": lambda tx: tx.changes.trim(before=10**9),
    "namespaces.put": lambda tx: tx.namespaces.put(namespace(sealed=b"stolen")),
    "namespaces.count": lambda tx: tx.namespaces.count(HOME, documents=9, length=9),
    "namespaces.drop": lambda tx: tx.namespaces.drop(HOME),
    "memories.put": lambda tx: tx.memories.put(memory("m1", 1, version=2, sealed=b"stolen"), expected=1),
    "memories.put_many": lambda tx: (home(tx), tx.memories.put_many([memory("m1", 1, sealed=b"stolen")])),
    "memories.touch": lambda tx: tx.memories.touch(["m1"], at=9),
    "memories.set_attributes": lambda tx: tx.memories.set_attributes("m1", []),
    "memories.delete": lambda tx: tx.memories.delete(["m1"]),
    "versions.put": lambda tx: tx.versions.put(version("m1", 2)),
    "versions.put_many": lambda tx: tx.versions.put_many([version("m1", 1, sealed=b"stolen"), version("m2", 1)]),
    "versions.restore": lambda tx: tx.versions.restore([version("m1", 1, sealed=b"stolen")]),
    "versions.replace": lambda tx: tx.versions.replace(version("m1", 1, sealed=b"stolen")),
    "versions.delete": lambda tx: tx.versions.delete("memory", ["m1"]),
    "evidence.put": lambda tx: tx.evidence.put([EvidenceRow(noun="memory", id="m1", episode="m1", sealed=b"stolen")]),
    "evidence.move": lambda tx: tx.evidence.move("memory", "m1", "m2"),
    "evidence.delete": lambda tx: tx.evidence.delete("memory", ["m1"]),
    "sessions.put": lambda tx: (home(tx), tx.sessions.put(session("c1", sealed=b"stolen"))),
    "sessions.delete": lambda tx: tx.sessions.delete(["c1"]),
    "tags.put": lambda tx: (home(tx), tx.tags.put(tag("t1", sealed=b"stolen"))),
    "tags.set_links": lambda tx: tx.tags.set_links("memory", "m1", []),
    "tags.delete": lambda tx: tx.tags.delete("t1"),
    "entities.put": lambda tx: tx.entities.put(entity("e1", version=2), expected=1),
    "entities.delete": lambda tx: tx.entities.delete(["e1"]),
    "relations.put": lambda tx: tx.relations.put(relation("r1", "e2", "e1", version=2), expected=1),
    "relations.delete": lambda tx: tx.relations.delete(["r1"]),
    "tombstones.put": lambda tx: tx.tombstones.put([_tombstone("forgotten")]),
    "tombstones.lift": lambda tx: tx.tombstones.lift(HOME, [b"gone"]),
    "directives.put": lambda tx: tx.directives.put(directive("d1", version=2), expected=1),
    "directives.lease": lambda tx: tx.directives.lease("d1", holder="mallory", now=10, until=20),
    "directives.release": lambda tx: tx.directives.release("d1", holder="worker"),
    "directives.delete": lambda tx: tx.directives.delete("d1"),
    "steps.put": lambda tx: tx.steps.put(step("s1", "d1", 1, version=2), expected=1),
    "steps.delete": lambda tx: tx.steps.delete("s1"),
    "jobs.put": lambda tx: tx.jobs.put(job("j1", state="dead")),
    "jobs.lease": lambda tx: tx.jobs.lease(kinds=[], now=10**9, until=10**10, holder="mallory", limit=9),
    "jobs.finish": lambda tx: tx.jobs.finish("j1", holder="worker", at=1),
    "jobs.delete": lambda tx: tx.jobs.delete(finished_before=10**9),
    "audit.append": lambda tx: tx.audit.append([audit(1)]),
    "audit.reseal": lambda tx: tx.audit.reseal(1, b"stolen"),
    "audit.drop_reasons": lambda tx: tx.audit.drop_reasons(["m"]),
    "receipts.put": lambda tx: tx.receipts.put(_receipt(b"stolen")),
    "receipts.delete": lambda tx: tx.receipts.delete(["f1"]),
    "traces.put": lambda tx: tx.traces.put(TraceRow(id="x1", kind="retrieval", at=1, sealed=b"stolen")),
    "traces.delete": lambda tx: tx.traces.delete(kind="retrieval", before=10**9),
    "usage.add": lambda tx: tx.usage.add("2026-01-01", "llm", calls=9, tokens=9),
    "words.add": lambda tx: tx.words.add(HOME, [FreshRow(term=1, doc=1, tf=9, length=9)]),
    "words.remove": lambda tx: (tx.words.remove(HOME, [1], None), tx.words.remove(HOME, [1], [1, 2])),
    "words.pack": lambda tx: tx.words.pack(HOME, limit=99),
    "words.clear": lambda tx: tx.words.clear(HOME),
    "tables.put": lambda tx: tx.tables.put("usage", [{"day": "2026-01-01", "what": "llm", "calls": 9, "tokens": 9}]),
    "tables.put_account": lambda tx: tx.tables.put_account(_account()),
    "vectors.put": lambda tx: tx.vectors.put(HOME, MODEL, [VectorRow(doc=1, part=0, data=b"\x09\x09")]),
    "vectors.index": lambda tx: tx.vectors.index(HOME, MODEL, limit=9),
    "vectors.delete": lambda tx: tx.vectors.delete([1]),
    "passages.put": lambda tx: tx.passages.put([_passage(b"other")]),
    "passages.delete": lambda tx: tx.passages.delete([1]),
    "passages.drop_others": lambda tx: tx.passages.drop_others("other"),
    "vectors.drop_model": lambda tx: tx.vectors.drop_model(HOME, MODEL),
    "final_acts.append": lambda tx: tx.final_acts.append([LedgerEntry(owner=VICTIM, at=1, act="forget", target="m1")]),
}


def _tombstone(reason: str) -> TombstoneRow:
    return TombstoneRow(namespace=HOME, fingerprint=b"gone", reason=reason, at=1, target="m1")


def _account() -> dict[str, Any]:
    plain = {"plan": "stolen", "timezone": None, "language": None, "created_at": 1}
    return {**plain, "sequence": 99, "next_doc": 99, "ledger": None, "revision": 99}


def _receipt(sealed: bytes) -> ReceiptRow:
    return ReceiptRow(ref="f1", action="remember", at=1, actor="user", state="done", sealed=sealed)


def _passage(sealed: bytes) -> PassageRow:
    return PassageRow(doc=1, model=MODEL, namespace=HOME, sealed=sealed)


def fill(tx: Transaction) -> None:
    """Something in every table."""
    home(tx)
    tx.owners.put(plan="team", timezone="Europe/Rome", language="it")
    tx.memories.put(memory("m1", tx.owners.take_docs(1)))
    tx.memories.put(memory("m0", tx.owners.take_docs(1), fingerprint=memory("m1", 1).fingerprint))
    tx.memories.set_attributes("m1", [b"x"])
    tx.versions.put(version("m1", 1, doc=1, action="MOVE"))
    tx.evidence.put([EvidenceRow(noun="memory", id="m1", episode="m1", sealed=b"quote")])
    tx.sessions.put(session("c1"))
    tx.tags.put(tag("t1", synonyms=(b"synonym",)))
    tx.tags.set_links("memory", "m1", ["t1"])
    for id in ("e1", "e2"):
        tx.entities.put(entity(id, aliases=(b"alias",)))
    tx.relations.put(relation("r1", "e1", "e2"))
    tx.tombstones.put([_tombstone("rejected")])
    tx.directives.put(directive("d1", lease_holder="worker", lease_until=5))
    tx.steps.put(step("s1", "d1", 1))
    tx.jobs.put(job("j1", state="leased", lease_holder="worker", lease_until=5))
    tx.audit.append([audit(1, reason=b"why")])
    tx.receipts.put(_receipt(b"receipt"))
    tx.traces.put(TraceRow(id="x1", kind="retrieval", at=1, sealed=b"trace"))
    tx.usage.add("2026-01-01", "llm", calls=1, tokens=1)
    tx.words.add(HOME, [FreshRow(term=term, doc=1, tf=1, length=1) for term in (1, 2)])
    tx.words.pack(HOME, limit=1)
    tx.vectors.put(HOME, MODEL, [VectorRow(doc=1, part=0, data=b"\x01\x02")])
    tx.passages.put([_passage(b"tokens")])
    tx.changes.record([("memory", "m1", "put", 1, HOME)], at=1)


def seen(store: Store, owner: str) -> dict[str, Any]:
    with store.read(owner) as tx:
        return {name: ask(tx) for name, ask in QUESTIONS.items()}


@pytest.fixture
def filled(store: Store) -> Store:
    with store.write(VICTIM) as tx:
        fill(tx)
    return store


WITHIN_THE_STORE = {f"owners.{name}" for name in ("forget", "make", "mark_ledger", "revision", "take_sequence")}
WITHIN_THE_STORE |= {"namespaces.forget"}


def test_every_method_of_every_table_is_tried(filled: Store) -> None:
    nouns = [name for name, hint in vars(Transaction).items() if isinstance(hint, cached_property)]
    with filled.read(VICTIM) as tx:
        tables = {noun: type(getattr(tx, noun)) for noun in nouns if noun != "final_acts"}
    tables |= {"words": WordTable, "vectors": VectorTable, "final_acts": FinalActs}
    methods = {
        f"{noun}.{name}"
        for noun, table in tables.items()
        for name, value in getmembers(table, isfunction)
        if not name.startswith("_")
    }
    assert methods - WITHIN_THE_STORE == set(QUESTIONS) | set(ACTS)


def test_a_stranger_sees_nothing_and_the_owner_everything(filled: Store) -> None:
    empty = seen(filled, "nobody")
    assert seen(filled, STRANGER) == empty
    assert not any(empty["tables.count"].values())
    shown = {name for name, answer in seen(filled, VICTIM).items() if answer != empty[name]}
    assert set(QUESTIONS) - shown <= {"vectors.nearest", "vectors.multiplied", "tables.names", "tables.key"}


ASKED_AHEAD = "words.fetch memories.get memories.tied evidence.of evidence.resting_on passages.get".split()


def test_owners_that_are_read_together_see_their_own_rows_alone(filled: Store) -> None:
    """Each question to both in turn, so that the one before was always the other's; and asked ahead of its answer."""
    empty, own = seen(filled, STRANGER), seen(filled, VICTIM)
    with filled.read_together([STRANGER, VICTIM]) as (stranger, victim):
        for _ in range(2):
            for name, ask in QUESTIONS.items():
                if name in ASKED_AHEAD:
                    pending = [stranger.soon(partial(ask, stranger)), victim.soon(partial(ask, victim))]
                    assert [answer() for answer in pending] == [empty[name], own[name]], name
                assert [ask(stranger), ask(victim)] == [empty[name], own[name]], name
    with filled.read(STRANGER) as again:
        assert {name: ask(again) for name, ask in QUESTIONS.items()} == empty


def test_owners_that_are_read_together_are_seen_at_one_moment(filled: Store) -> None:
    def rename() -> None:
        with filled.write(STRANGER) as tx:
            tx.owners.put(plan="free", timezone="UTC", language="de")
        with filled.write(VICTIM) as tx:
            tx.owners.put(plan="free", timezone="UTC", language="de")

    with filled.read_together([STRANGER, VICTIM, STRANGER]) as (stranger, victim, again):
        assert again is stranger
        stranger.owners.get()  # the moment is that of the first look
        writer = Thread(target=rename)
        writer.start()
        writer.join()
        assert victim.owners.get().language == "it"
        with filled.read(VICTIM) as nested:
            assert nested is victim
    with filled.read_together([VICTIM]) as (later,):
        assert later.owners.get().language == "de", "the control"
    with filled.read_together([STRANGER]) as (stranger,):
        stranger.owners.get()
        with filled.write(VICTIM) as tx:
            tx.owners.put(plan="free", timezone="UTC", language="fr")
        with filled.read_together([STRANGER, VICTIM]) as (again, joining):
            assert again is stranger and joining.owners.get().language == "de", "it joins the moment of the first"
            assert joining.namespaces.get(HOME) is not None is stranger.namespaces.get(HOME)
        with filled.read(VICTIM) as later:
            assert later.owners.get().language == "fr", "alone it has a moment of its own"


def test_nothing_a_stranger_does_reaches_the_owner(filled: Store) -> None:
    before = seen(filled, VICTIM)
    for name, act in ACTS.items():
        try:
            with filled.write(STRANGER) as tx:
                act(tx)
        except (Conflict, NotFound):
            pass
        assert seen(filled, VICTIM) == before, name
    assert list(filled.ledger.entries(VICTIM)) == []
    assert [entry.target for entry in filled.ledger.entries(STRANGER)] == ["m1"]


def test_what_the_stranger_tried_would_have_worked_for_the_owner(filled: Store) -> None:
    """The control: each act changes what is seen when the owner does it."""
    idle = []
    for name, act in ACTS.items():
        try:
            with filled.write(VICTIM) as tx:
                before = {question: ask(tx) for question, ask in QUESTIONS.items()}
                next_doc = tx.owners.get().next_doc
                act(tx)
                after = {question: ask(tx) for question, ask in QUESTIONS.items()}
                if before == after and next_doc == tx.owners.get().next_doc:
                    idle.append(name)
                raise InterruptedError
        except (InterruptedError, Conflict, StoreError):
            pass
    assert set(idle) <= {"vectors.index", "jobs.delete", "final_acts.append"}, "SQLite records acts at the commit"


def test_accounts_are_told_apart(filled: Store) -> None:
    assert filled.accounts.tokens(STRANGER) == []
    filled.keyrings.put(VICTIM, b"key", expected=None)
    assert filled.keyrings.get(STRANGER) is None
    filled.keyrings.drop(STRANGER)
    assert filled.keyrings.get(VICTIM) == b"key"
    assert list(filled.ledger.entries(STRANGER)) == []
