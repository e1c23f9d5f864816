"""What is wrong with one owner, namespace or step is reported, and keeps nobody else waiting."""

from collections.abc import Callable, Iterator, Mapping

import pytest

from commonplace import Commonplace
from commonplace.batches.opened_book import OpenedBook
from commonplace.memories.scope import Scope
from commonplace.testing.clock import StoppedClock
from commonplace.upkeep import schedule

Opener = Callable[..., Commonplace]
SECRET = "the marmalade is in the cellar"


@pytest.fixture
def hooked() -> Iterator[list[str]]:
    """Two pieces of daily work: the first fails for ada, the second is done for everybody."""
    seen: list[str] = []

    def fails(book: OpenedBook, scope: Scope) -> Mapping[str, int]:
        if scope.owner == "ada":
            raise RuntimeError(SECRET)
        return {"first": 1}

    def works(book: OpenedBook, scope: Scope) -> Mapping[str, int]:
        seen.append(scope.owner)
        return {"second": 1}

    before = dict(schedule.HOOKS)
    schedule.HOOKS.clear()
    schedule.every("fails", fails)
    schedule.every("works", works)
    yield seen
    schedule.HOOKS.clear()
    schedule.HOOKS.update(before)


def test_one_owners_failing_work_stops_nobody_elses(open_book: Opener, hooked: list[str]) -> None:
    for owner in ("ada", "ben", "cem"):
        open_book(owner=owner).remember("something")
    parts = open_book()._parts
    made = schedule.maintain(parts, owners=["ada", "ben", "cem"])
    assert hooked == ["ada", "ben", "cem"]
    assert made.owners == 3
    assert made.figures == {"first": 2, "second": 3, "failed": 1}
    assert made.notes == ("fails of ada failed: RuntimeError in fails",)


def test_a_failure_is_in_the_log_and_without_the_words_it_met(open_book: Opener, hooked: list[str]) -> None:
    book = open_book(owner="ada")
    book.remember(SECRET)
    assert SECRET not in str(book.maintain())
    lines = schedule.read_log(book._scope)
    (line,) = [one for one in lines if one.what == "failed"]
    assert line.figures["failed"] == 1
    assert line.notes == ("fails of ada failed: RuntimeError in fails",)
    assert SECRET not in str(lines)


def test_work_that_failed_is_tried_again_after_an_hour(
    open_book: Opener, hooked: list[str], clock: StoppedClock
) -> None:
    book = open_book(owner="ada")
    book.remember("something")
    parts = book._parts
    failed = [len(schedule.maintain(parts, owners=["ada"]).notes) for _ in range(3)]
    assert failed == [1, 0, 0]
    clock.advance(minutes=61)
    assert schedule.maintain(parts, owners=["ada"]).notes
    assert hooked == ["ada"], "the other one is done once a day"


def test_one_failing_step_leaves_the_other_steps_and_namespaces(
    book: Commonplace, clock: StoppedClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("one", "two"):
        book.within(name).remember("the printer hums", importance=0.1)
    clock.advance(days=31)

    def fails(scope: Scope) -> None:
        raise OSError("the disk is away")

    monkeypatch.setattr(schedule, "merge", fails)
    made = schedule.maintain(book._parts)
    assert {one.namespace for one in made.reports if one.action == "PRUNE"} == {"one", "two"}
    assert [note.partition(":")[2].strip() for note in made.notes] == ["OSError in fails"] * 2
    monkeypatch.undo()
    clock.advance(hours=7)
    again = schedule.maintain(book._parts)
    assert again.notes == (), "the round ended, and the next one is whole"


def test_an_owner_whose_keys_are_gone_does_not_stop_the_others(
    open_book: Opener, clock: StoppedClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    for owner in ("ada", "ben"):
        open_book(owner=owner).remember("the printer hums", importance=0.1)
    clock.advance(days=31)
    parts = open_book()._parts
    real = schedule.own_scope  # type: ignore[attr-defined]

    def broken(book: OpenedBook, owner: str, namespace: str) -> Scope:
        if owner == "ada":
            raise PermissionError("no key")
        return real(book, owner, namespace)

    monkeypatch.setattr(schedule, "own_scope", broken)
    made = schedule.maintain(parts, owners=["ada", "ben"])
    assert [one.action for one in made.reports] == ["PRUNE"]
    assert made.notes == ("opening of ada failed: PermissionError in broken",)


def test_a_kill_is_no_failure_to_go_on_from(book: Commonplace, monkeypatch: pytest.MonkeyPatch) -> None:
    book.remember("something")

    def killed(scope: Scope) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(schedule, "merge", killed)
    with pytest.raises(KeyboardInterrupt):
        book.maintain()
