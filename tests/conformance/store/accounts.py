"""What is asked before an owner is known, and what lies beside the book."""

import threading
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace

from tests.conformance.store.build import job

from commonplace.store.ports import Store
from commonplace.store.rows import LedgerEntry, TokenRow


def a_token_is_found_by_its_hash_alone(store: Store, owner: str) -> None:
    hash = b"hash of " + owner.encode()
    token = TokenRow(
        id="k1",
        owner=owner,
        hash=hash,
        scope="write",
        created_at=1,
        expires_at=2,
        revoked_at=None,
        namespaces=("n1", "n2"),
        sealed=b"laptop",
    )
    store.accounts.put_token(token)
    assert store.accounts.token(hash) == token
    assert store.accounts.token(hash + b"?") is None
    revoked = replace(token, revoked_at=9, namespaces=())
    store.accounts.put_token(revoked)
    assert store.accounts.token(hash) == revoked
    assert store.accounts.tokens(owner) == [revoked]
    assert store.accounts.tokens(owner + "-other") == []


def one_of_many_replaces_a_token(store: Store, owner: str) -> None:
    token = TokenRow(
        id="k1",
        owner=owner,
        hash=b"replaced " + owner.encode(),
        scope="read generation:0",
        created_at=1,
        expires_at=2,
        revoked_at=None,
        namespaces=(),
        sealed=b"",
    )
    store.accounts.put_token(token)
    winners: list[int] = []

    def replace_it(number: int) -> None:
        if store.accounts.replace_token(replace(token, scope=f"read by:{number}", expires_at=9), expected=token.scope):
            winners.append(number)

    threads = [threading.Thread(target=replace_it, args=(number,)) for number in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    written = replace(token, scope=f"read by:{winners[0]}", expires_at=9)
    assert len(winners) == 1
    assert store.accounts.tokens(owner) == [written]
    store.accounts.put_token(replace(written, revoked_at=5))
    assert not store.accounts.replace_token(token, expected=written.scope)


def every_owner_is_listed(store: Store, owner: str) -> None:
    for who in (owner, owner + "-other"):
        with store.write(who) as tx:
            tx.owners.get()
    owners = [row.owner for row in store.accounts.owners()]
    assert {owner, owner + "-other"} <= set(owners)
    assert owners == sorted(owners)


def owners_with_work_to_do_are_named(store: Store, owner: str) -> None:
    second = owner + "-other"
    with store.write(owner) as tx:
        tx.jobs.put(job("j1", due_at=100))
    with store.write(second) as tx:
        tx.jobs.put(job("j1", due_at=10))
        tx.jobs.lease(kinds=[], now=10, until=500, holder="h")

    def due(now: int) -> set[str]:
        return {owner, second} & set(store.accounts.due_owners(now))

    assert due(99) == set()
    assert due(100) == {owner}
    assert due(500) == {owner, second}
    with store.write(second) as tx:
        assert tx.jobs.finish("j1", holder="h", at=20)
    assert due(500) == {owner}


def a_lease_has_one_holder_at_a_time(store: Store, owner: str) -> None:
    name = f"schedule of {owner}"
    assert store.accounts.lease(name, holder="a", now=10, until=20)
    assert not store.accounts.lease(name, holder="b", now=19, until=30)
    assert store.accounts.lease(name, holder="a", now=19, until=30)
    assert store.accounts.lease(name, holder="b", now=30, until=40)
    store.accounts.release(name, holder="a")
    assert not store.accounts.lease(name, holder="a", now=31, until=50)
    store.accounts.release(name, holder="b")
    assert store.accounts.lease(name, holder="a", now=31, until=50)


def a_lease_that_many_want_goes_to_one(store: Store, owner: str) -> None:
    won: list[str] = []

    def want(holder: str) -> None:
        if store.accounts.lease(f"race of {owner}", holder=holder, now=1, until=100):
            won.append(holder)

    threads = [threading.Thread(target=want, args=(f"h{number}",)) for number in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(won) == 1


def a_key_record_is_compared_and_set(store: Store, owner: str) -> None:
    keyrings = store.keyrings
    assert keyrings.get(owner) is None
    assert not keyrings.put(owner, b"first", expected=b"none")
    assert keyrings.put(owner, b"first", expected=None)
    assert not keyrings.put(owner, b"second", expected=None)
    assert not keyrings.put(owner, b"second", expected=b"other")
    assert keyrings.put(owner, b"second", expected=b"first")
    assert keyrings.put(owner + "-other", b"\x00\xff", expected=None)
    assert keyrings.get(owner) == b"second"
    assert keyrings.get_all([owner, "nobody", owner + "-other"]) == [b"second", None, b"\x00\xff"]
    with store.write(owner):
        assert keyrings.get_all([owner + "-other", owner]) == [b"\x00\xff", b"second"]
    assert {owner, owner + "-other"} <= set(keyrings.owners())
    keyrings.drop(owner)
    keyrings.drop(owner)
    assert keyrings.get(owner) is None
    assert keyrings.get(owner + "-other") == b"\x00\xff"


def one_of_many_makers_of_a_key_wins(store: Store, owner: str) -> None:
    won: list[bytes] = []

    def make(record: bytes) -> None:
        if store.keyrings.put(owner, record, expected=None):
            won.append(record)

    threads = [threading.Thread(target=make, args=(b"key %d" % number,)) for number in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert won == [store.keyrings.get(owner)]


def the_ledger_keeps_every_entry_in_order(store: Store, owner: str) -> None:
    entries = [
        LedgerEntry(owner=owner, at=1, act="forget", target="m1", namespace="n1", fingerprints=(b"\x00a", b"b")),
        LedgerEntry(owner=owner, at=2, act="erase-owner", target=owner, reason="asked"),
    ]
    ledger_entry = LedgerEntry(owner=owner + "-other", at=3, act="forget", target="m1")
    record(store, entries[:1])
    record(store, [ledger_entry])
    record(store, entries[1:])
    with store.write(owner) as tx:
        tx.final_acts.append([])
    assert store.ledger.exists()
    assert list(store.ledger.entries(owner)) == entries
    assert list(store.ledger.entries(owner + "-other")) == [ledger_entry]
    own_entries = [entry for entry in store.ledger.entries() if entry.owner.startswith(owner)]
    assert sorted(own_entries, key=lambda entry: entry.at) == [*entries, ledger_entry]


def an_act_is_in_the_ledger_if_its_transaction_commits(store: Store, owner: str) -> None:
    first, second = (LedgerEntry(owner=owner, at=at, act="forget", target=f"m{at}") for at in (1, 2))
    with suppress(ZeroDivisionError), store.write(owner) as tx:
        tx.final_acts.append([first])
        raise ZeroDivisionError
    assert list(store.ledger.entries(owner)) == []
    with store.read(owner) as tx:
        assert tx.owners.get().ledger is None
    record(store, [second])
    assert list(store.ledger.entries(owner)) == [second]
    with store.read(owner) as tx:
        mark = tx.owners.get().ledger
    assert mark is not None
    assert store.ledger.problem(mark) is None


def record(store: Store, entries: Sequence[LedgerEntry]) -> None:
    with store.write(entries[0].owner) as tx:
        tx.final_acts.append(entries)


CHECKS = [
    a_token_is_found_by_its_hash_alone,
    one_of_many_replaces_a_token,
    every_owner_is_listed,
    owners_with_work_to_do_are_named,
    a_lease_has_one_holder_at_a_time,
    a_lease_that_many_want_goes_to_one,
    a_key_record_is_compared_and_set,
    one_of_many_makers_of_a_key_wins,
    the_ledger_keeps_every_entry_in_order,
    an_act_is_in_the_ledger_if_its_transaction_commits,
]
