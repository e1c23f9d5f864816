"""Background work: done, tried again, or dead for all to see; never lost, never by two at once."""

from collections.abc import Mapping
from typing import Any

import pytest

from commonplace import Commonplace, NotFound
from commonplace.memories import jobs
from commonplace.memories.jobs import MOST_ATTEMPTS


def leave(book: Commonplace, kind: str, **payload: Any) -> str:
    with book._scope.store.write(book.owner) as tx:
        id = jobs.enqueue(book._scope, tx, kind, payload, unique=payload.get("unique"))
    assert id is not None
    return id


def test_a_job_is_done_once_with_its_payload(book: Commonplace) -> None:
    done: list[Mapping[str, Any]] = []
    leave(book, "sum", numbers=[1, 2])
    handlers = {"sum": lambda scope, payload: done.append(payload)}
    assert jobs.run_due(book._scope, handlers, holder="one") == 1
    assert jobs.run_due(book._scope, handlers, holder="two") == 0
    assert done == [{"numbers": [1, 2]}]
    assert book.jobs.counts()["sum"] == {"done": 1}


def test_a_failing_job_is_tried_again_later_and_lies_dead_in_the_end(book: Commonplace, clock) -> None:
    tries: list[int] = []

    def fail(scope: Any, payload: Mapping[str, Any]) -> None:
        tries.append(1)
        raise RuntimeError("no such luck")

    id = leave(book, "luck")
    for _ in range(MOST_ATTEMPTS):
        jobs.run_due(book._scope, {"luck": fail}, holder="one")
        jobs.run_due(book._scope, {"luck": fail}, holder="one")  # too early: it waits
        clock.advance(days=1)
    assert len(tries) == MOST_ATTEMPTS
    dead = book.jobs.list(states=["dead"])
    assert [one.id for one in dead] == [id] and "RuntimeError" in (dead[0].error or "")
    book.jobs.replay(id)
    assert jobs.run_due(book._scope, {"luck": lambda scope, payload: None}, holder="one") == 1
    assert book.jobs.counts()["luck"] == {"done": 1}


def test_work_of_a_runner_that_died_is_taken_over(book: Commonplace, clock) -> None:
    leave(book, "walk")

    class Killed(BaseException):
        """Not an exception a runner could record: as good as a kill."""

    def die(scope: Any, payload: Mapping[str, Any]) -> None:
        raise Killed

    with pytest.raises(Killed):
        jobs.run_due(book._scope, {"walk": die}, holder="one")
    finished: list[int] = []
    handlers = {"walk": lambda scope, payload: finished.append(1)}
    assert jobs.run_due(book._scope, handlers, holder="two") == 0, "still leased"
    clock.advance(minutes=10)
    assert jobs.run_due(book._scope, handlers, holder="two") == 1
    assert finished == [1]


def test_the_same_wish_waits_only_once(book: Commonplace) -> None:
    leave(book, "embed", unique="here")
    with book._scope.store.write(book.owner) as tx:
        assert jobs.enqueue(book._scope, tx, "embed", {}, unique="here") is None
        assert jobs.enqueue(book._scope, tx, "embed", {}, unique="there") is not None


def test_an_unknown_job_cannot_be_replayed(book: Commonplace) -> None:
    with pytest.raises(NotFound):
        book.jobs.replay("nothing")
