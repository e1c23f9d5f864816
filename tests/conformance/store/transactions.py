"""Transactions: whole or not at all, one owner each, and seen by those who should."""

import threading
from collections.abc import Callable
from typing import Any

from tests.conformance.store.build import (
    HOME,
    directive,
    entity,
    home,
    job,
    memory,
    raises,
    relation,
    step,
    tag,
    version,
)

from commonplace.errors import Invalid, StoreError
from commonplace.store.ports import Store
from commonplace.store.rows import EvidenceRow, Filter

ONES = ("directive", "step")
TEXTS = ("namespace", "kind", "category", "status", "source", "role", "session", *ONES)
LISTS = ("namespaces", "kinds", "categories", "statuses", "sources", "sessions")


def a_write_is_there_when_its_block_ends(store: Store, owner: str) -> None:
    with store.write(owner) as tx:
        home(tx)
        tx.memories.put(memory("m1", 1))
    with store.read(owner) as tx:
        assert [row.id for row in tx.memories.get(["m1"])] == ["m1"]


def a_write_that_raises_leaves_nothing(store: Store, owner: str) -> None:
    with store.write(owner) as tx:
        home(tx)
    with raises(KeyError), store.write(owner) as tx:
        tx.memories.put(memory("m1", 1))
        tx.changes.record([("memory", "m1", "put", 1, HOME)], at=1)
        raise KeyError
    with store.read(owner) as tx:
        assert tx.memories.get(["m1"]) == []
        assert tx.changes.last() == 0
    with store.write(owner) as tx:
        tx.memories.put(memory("m1", 1))
    with store.read(owner) as tx:
        assert len(tx.memories.get(["m1"])) == 1


def a_write_cannot_hold_another(store: Store, owner: str) -> None:
    with store.write(owner) as tx:
        home(tx)
        with raises(StoreError), store.write(owner):
            pass
        with raises(StoreError), store.write(owner + "-other"):
            pass
    with store.read(owner) as tx:
        assert tx.namespaces.get(HOME) is not None


def a_read_inside_a_write_sees_it(store: Store, owner: str) -> None:
    with store.write(owner) as tx:
        home(tx)
        with store.read(owner) as inner:
            assert inner.namespaces.get(HOME) is not None


def a_read_of_another_thread_does_not_see_it_yet(store: Store, owner: str) -> None:
    visible: list[bool] = []

    def look() -> None:
        with store.read(owner) as tx:
            visible.append(tx.namespaces.get(HOME) is not None)

    with store.write(owner) as tx:
        home(tx)
        _in_thread(look)
    _in_thread(look)
    assert visible == [False, True]


def a_snapshot_stands_still_while_others_write(store: Store, owner: str) -> None:
    with store.write(owner) as tx:
        home(tx)
        tx.memories.put(memory("m1", 1))

    def add() -> None:
        with store.write(owner) as tx:
            tx.memories.put(memory("m2", 2))

    with store.read(owner) as tx:
        assert len(tx.memories.get(["m1", "m2"])) == 1
        _in_thread(add)
        assert len(tx.memories.get(["m1", "m2"])) == 1
    with store.read(owner) as tx:
        assert len(tx.memories.get(["m1", "m2"])) == 2


def a_row_that_names_a_namespace_must_find_it(store: Store, owner: str) -> None:
    with raises(StoreError), store.write(owner) as tx:
        tx.memories.put(memory("m1", 1, namespace="n-nowhere"))
    with store.write(owner) as tx:
        tx.memories.put(memory("m1", 1))
        home(tx)
    with store.read(owner) as tx:
        assert len(tx.memories.get(["m1"])) == 1


def the_revision_moves_with_every_commit_and_only_then(store: Store, owner: str) -> None:
    before = store.revision(owner)
    with store.write(owner) as tx:
        home(tx)
        tx.memories.put(memory("m1", 1))
    first = store.revision(owner)
    assert first != before
    assert store.revision(owner) == first
    with store.read(owner) as tx:
        tx.memories.get(["m1"])
        assert tx.revision == first
    assert store.revision(owner) == first
    with store.write(owner) as tx:
        tx.memories.touch(["m1"], at=5)
        assert tx.revision is None
    assert store.revision(owner) != first
    assert store.revision(owner + "-other") == 0


def document_numbers_are_never_given_twice(store: Store, owner: str) -> None:
    with store.write(owner) as tx:
        first = tx.owners.take_docs(3)
        assert tx.owners.take_docs(1) == first + 3
    with store.write(owner) as tx:
        tx.owners.drop()
        assert tx.owners.take_docs(1) == first + 4


def changes_come_in_commit_order_without_gaps(store: Store, owner: str) -> None:
    def add(number: int) -> None:
        with store.write(owner) as tx:
            tx.changes.record(
                [("memory", f"{number}-a", "put", 1, None), ("memory", f"{number}-b", "delete", 2, "n")], at=7
            )

    threads = [threading.Thread(target=add, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    with store.read(owner) as tx:
        rows = tx.changes.since(0)
        assert [row.sequence for row in rows] == list(range(1, 17))
        assert {row.id for row in rows} == {f"{number}-{end}" for number in range(8) for end in "ab"}
        assert tx.changes.since(14, limit=1)[0].sequence == 15
        assert tx.changes.last() == 16


def old_changes_can_be_trimmed(store: Store, owner: str) -> None:
    with store.write(owner) as tx:
        tx.changes.record([("memory", "m1", "put", 1, None)], at=10)
        tx.changes.record([("memory", "m2", "put", 2, None)], at=20)
        assert tx.changes.trim(before=20) == 1
        assert [row.id for row in tx.changes.since(0)] == ["m2"]
        assert tx.changes.record([("memory", "m3", "put", 3, None)], at=30) == 3


def the_account_is_made_on_first_use(store: Store, owner: str) -> None:
    with store.read(owner) as tx:
        assert tx.owners.get().created_at == 0
    with store.write(owner) as tx:
        created = tx.owners.get()
        assert created.owner == owner
        assert created.created_at > 0
        tx.owners.put(plan="team", timezone="Europe/Rome", language="it")
    with store.read(owner) as tx:
        stored = tx.owners.get()
        assert (stored.plan, stored.timezone, stored.language) == ("team", "Europe/Rome", "it")
        assert stored.created_at == created.created_at


def one_owner_never_sees_anothers(store: Store, owner: str) -> None:
    second = owner + "-other"
    for who in (owner, second):
        with store.write(who) as tx:
            home(tx)
            tx.memories.put(memory("m1", 1, sealed=who.encode()))
    with store.write(second) as tx:
        tx.memories.delete(["m1"])
    with store.read(owner) as tx:
        assert [row.sealed for row in tx.memories.get(["m1"])] == [owner.encode()]
    with store.read(second) as tx:
        assert tx.memories.get(["m1"]) == []


NASTY = "x'; drop table memory; -- \" %s %(owner)s :owner $1 {schema} \\ \u202e é"


def no_text_is_ever_read_as_sql(store: Store, owner: str) -> None:
    """Every string a caller can hand over, made to break out of its quotes."""
    who = f"{owner} {NASTY}"
    with store.write(who) as tx:
        home(tx, NASTY)
        row = memory(NASTY, 1, **dict.fromkeys(TEXTS, NASTY), sealed=NASTY.encode(), key=NASTY.encode())
        tx.memories.put(row)
        tx.versions.put(version(NASTY, 1, noun=NASTY, actor=NASTY, action=NASTY))
        tx.tags.put(tag(NASTY, namespace=NASTY, label=NASTY.encode(), synonyms=(b"'", b"%")))
        tx.tags.set_links(NASTY, NASTY, [NASTY])
        tx.entities.put(entity(NASTY, namespace=NASTY, type=NASTY))
        edge = relation(NASTY, NASTY, NASTY, namespace=NASTY, predicate=NASTY, status=NASTY, source=NASTY)
        tx.relations.put(edge)
        plan = directive(NASTY, namespace=NASTY, status=NASTY, lease_holder=NASTY)
        tx.directives.put(plan)
        part = step(NASTY, NASTY, 1, status=NASTY, run=NASTY, lease_holder=NASTY, depends_on=(NASTY, NASTY))
        tx.steps.put(part)
        tx.jobs.put(job(NASTY, kind=NASTY, lease_holder=NASTY))
        tx.usage.add(NASTY, NASTY, calls=1, tokens=1)
        tx.changes.record([(NASTY, NASTY, NASTY, 1, NASTY)], at=1)
    with store.write(who) as tx:
        filters: dict[str, Any] = {**dict.fromkeys(LISTS, (NASTY,)), **dict.fromkeys(ONES, NASTY)}
        everything = Filter(**filters, key=NASTY.encode())
        assert tx.memories.find(everything, after="", limit=9) == [row]
        assert tx.memories.find(Filter(tags=((NASTY,),), attributes=(b"'",))) == []
        assert tx.memories.get([NASTY, "'"]) == [row]
        assert len(tx.versions.of(NASTY, NASTY)) == 1
        assert tx.tags.linked(NASTY) == [(NASTY, NASTY)]
        assert tx.relations.find([NASTY], subjects=[NASTY], predicates=[NASTY], statuses=[NASTY]) == [edge]
        assert tx.directives.get(NASTY) == plan
        assert tx.steps.of(NASTY) == [part]
        assert [job.id for job in tx.jobs.lease(kinds=[NASTY], now=100, until=200, holder=NASTY)] == [NASTY]
        assert tx.usage.of(NASTY)[0].what == NASTY
        assert tx.changes.since(0)[0].id == NASTY
        assert tx.words.fetch(NASTY, [1]) == {}
        assert list(tx.vectors.load(NASTY, NASTY)) == []
    assert who in [account.owner for account in store.accounts.owners()]
    assert store.accounts.lease(NASTY + owner, holder=NASTY, now=1, until=2)
    with store.read(owner) as tx:
        assert tx.memories.find(Filter()) == []


def text_that_no_engine_keeps_is_refused(store: Store, owner: str) -> None:
    with store.write(owner) as tx:
        home(tx)
        tx.memories.put(memory("m1", 1))
        for bad in ("m1\0", "m1\0junk", "\ud800", "half \udfff"):
            with raises(Invalid):
                tx.memories.delete([bad])
            with raises(Invalid):
                tx.memories.find(Filter(sessions=(bad,)))
            with raises(Invalid):
                tx.evidence.put([EvidenceRow(noun="memory", id=bad, episode="e", sealed=None)])
        assert len(tx.memories.get(["m1"])) == 1
    for bad in ("a\0", "\ud800"):
        with raises(Invalid), store.write(bad):
            pass
        with raises(Invalid), store.read(bad):
            pass
    with store.write(owner) as tx:
        tx.evidence.put([EvidenceRow(noun="memory", id="\t\x7f\u202e\U0001f600\uffff", episode="e", sealed=None)])
        assert tx.evidence.resting_on(["e"])[0].id == "\t\x7f\u202e\U0001f600\uffff"


def _in_thread(act: Callable[[], None]) -> None:
    thread = threading.Thread(target=act)
    thread.start()
    thread.join()


CHECKS = [
    a_write_is_there_when_its_block_ends,
    a_write_that_raises_leaves_nothing,
    a_write_cannot_hold_another,
    a_read_inside_a_write_sees_it,
    a_read_of_another_thread_does_not_see_it_yet,
    a_snapshot_stands_still_while_others_write,
    a_row_that_names_a_namespace_must_find_it,
    the_revision_moves_with_every_commit_and_only_then,
    document_numbers_are_never_given_twice,
    changes_come_in_commit_order_without_gaps,
    old_changes_can_be_trimmed,
    the_account_is_made_on_first_use,
    one_owner_never_sees_anothers,
    no_text_is_ever_read_as_sql,
    text_that_no_engine_keeps_is_refused,
]
