"""Directives, steps and jobs."""

import threading
from dataclasses import replace

from tests.conformance.store.build import HOME, directive, home, job, raises, step, version

from commonplace.errors import Conflict
from commonplace.store.ports import Store


def a_directive_keeps_every_field(store: Store, owner: str) -> None:
    full = directive("d1", memory_enabled=True, goal_updated_at=2, started_at=3, lease_until=4, lease_holder="h")
    with store.write(owner) as tx:
        home(tx, HOME, "n-two")
        tx.directives.put(full)
        tx.directives.put(directive("d2", namespace="n-two", status="done"))
    with store.write(owner) as tx:
        assert tx.directives.get("d1") == full
        assert tx.directives.get("none") is None
        assert [row.id for row in tx.directives.all([HOME, "n-two"])] == ["d1", "d2"]
        assert [row.id for row in tx.directives.all([HOME, "n-two"], statuses=["done"])] == ["d2"]
        tx.directives.put(replace(full, version=2, status="done"), expected=1)
    with raises(Conflict), store.write(owner) as tx:
        tx.directives.put(replace(full, version=2), expected=1)


def one_holder_runs_a_directive(store: Store, owner: str) -> None:
    with store.write(owner) as tx:
        home(tx)
        tx.directives.put(directive("d1"))
        assert tx.directives.lease("d1", holder="a", now=10, until=20)
        assert not tx.directives.lease("d1", holder="b", now=19, until=30)
        assert tx.directives.lease("d1", holder="a", now=15, until=25)
        assert not tx.directives.lease("d1", holder="b", now=24, until=30)
        assert tx.directives.lease("d1", holder="b", now=25, until=30)
        tx.directives.release("d1", holder="a")
        assert not tx.directives.lease("d1", holder="a", now=26, until=40)
        tx.directives.release("d1", holder="b")
        assert tx.directives.lease("d1", holder="a", now=26, until=40)
        assert not tx.directives.lease("none", holder="a", now=26, until=40)


def steps_come_in_their_order_and_go_with_the_directive(store: Store, owner: str) -> None:
    with store.write(owner) as tx:
        home(tx)
        tx.directives.put(directive("d1"))
        full = step("s2", "d1", 1, attempts=2, run="run", lease_until=3, lease_holder="h", depends_on=("s1", "é"))
        tx.steps.put(full)
        tx.steps.put(step("s1", "d1", 2))
        tx.steps.put(step("s3", "d1", 3))
        tx.versions.put(version("s1", 1, noun="step"))
        assert tx.steps.get("s2") == full
        assert [row.id for row in tx.steps.of("d1")] == ["s2", "s1", "s3"]
        tx.steps.put(replace(full, version=2, order_index=9), expected=1)
        tx.steps.delete("s3")
        assert [row.id for row in tx.steps.of("d1")] == ["s1", "s2"]
    with raises(Conflict), store.write(owner) as tx:
        tx.steps.put(full, expected=1)
    with store.write(owner) as tx:
        tx.directives.delete("d1")
        assert tx.steps.get("s1") is None
        assert tx.versions.of("step", "s1") == []


def a_job_keeps_every_field_and_can_be_put_again(store: Store, owner: str) -> None:
    full = job("j1", state="dead", attempts=3, lease_until=4, lease_holder="h", finished_at=5, error=b"e", unique=b"u")
    with store.write(owner) as tx:
        assert tx.jobs.put(full)
        assert tx.jobs.get("j1") == full
        assert tx.jobs.put(replace(full, state="waiting", attempts=0))
        assert tx.jobs.all(states=["dead"]) == []
        assert [row.attempts for row in tx.jobs.all(states=["waiting"], kinds=["pack"])] == [0]
        assert tx.jobs.get("none") is None


def the_same_wish_is_kept_once_while_unfinished(store: Store, owner: str) -> None:
    with store.write(owner) as tx:
        assert tx.jobs.put(job("j1", unique=b"u"))
        assert not tx.jobs.put(job("j2", unique=b"u"))
        assert tx.jobs.get("j2") is None
        assert tx.jobs.put(job("j1", unique=b"u", due_at=50))
        assert tx.jobs.put(job("j3", unique=b"other"))
        assert tx.jobs.put(job("j4"))
        assert tx.jobs.put(job("j5"))
        tx.jobs.lease(kinds=["pack"], now=50, until=60, holder="h")
        assert not tx.jobs.put(job("j2", unique=b"u"))
        assert tx.jobs.finish("j1", holder="h", at=55)
        assert tx.jobs.put(job("j2", unique=b"u"))


def a_job_is_leased_when_due_and_again_when_its_lease_ran_out(store: Store, owner: str) -> None:
    with store.write(owner) as tx:
        tx.jobs.put(job("j1", due_at=100))
        tx.jobs.put(job("j2", due_at=90, kind="mine"))
        assert tx.jobs.lease(kinds=["pack"], now=99, until=200, holder="a") == []
        assert [row.id for row in tx.jobs.lease(kinds=[], now=100, until=200, holder="a", limit=9)] == ["j2", "j1"]
        leased = tx.jobs.get("j1")
        assert leased is not None
        assert (leased.state, leased.lease_holder, leased.lease_until, leased.attempts) == ("leased", "a", 200, 1)
        assert tx.jobs.lease(kinds=["pack", "mine"], now=199, until=300, holder="b", limit=9) == []
        assert [row.attempts for row in tx.jobs.lease(kinds=["pack"], now=200, until=300, holder="b")] == [2]
        assert not tx.jobs.finish("j1", holder="a", at=201)
        assert tx.jobs.finish("j1", holder="b", at=201)
        assert not tx.jobs.finish("j1", holder="b", at=202)
        assert tx.jobs.counts() == {("pack", "done"): 1, ("mine", "leased"): 1}
        assert tx.jobs.delete(finished_before=201) == 0
        assert tx.jobs.delete(finished_before=202) == 1
        assert [row.id for row in tx.jobs.all()] == ["j2"]


def no_two_holders_get_the_same_job(store: Store, owner: str) -> None:
    with store.write(owner) as tx:
        for number in range(40):
            tx.jobs.put(job(f"j{number:02}"))
    leased: list[str] = []

    def work(holder: str) -> None:
        while True:
            with store.write(owner) as tx:
                rows = tx.jobs.lease(kinds=["pack"], now=100, until=200, holder=holder, limit=3)
            if not rows:
                return
            leased.extend(row.id for row in rows)

    threads = [threading.Thread(target=work, args=(f"h{number}",)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(leased) == [f"j{number:02}" for number in range(40)]


CHECKS = [
    a_directive_keeps_every_field,
    one_holder_runs_a_directive,
    steps_come_in_their_order_and_go_with_the_directive,
    a_job_keeps_every_field_and_can_be_put_again,
    the_same_wish_is_kept_once_while_unfinished,
    a_job_is_leased_when_due_and_again_when_its_lease_ran_out,
    no_two_holders_get_the_same_job,
]
