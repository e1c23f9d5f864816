"""A tidying or an import of many transactions is taken back in many: broken off anywhere, said again it goes on."""

import io
import os
import subprocess
import sys
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from commonplace import Commonplace, Invalid, Settings
from commonplace.batches import runs
from commonplace.copies import import_lines as importing
from commonplace.errors import Conflict
from commonplace.model import Receipt
from commonplace.testing.clock import StoppedClock
from commonplace.upkeep import merge, prune
from commonplace.upkeep import undo as undoing

MANY = 23
ALL = ("candidate", "verified", "rejected", "stale", "archived")


@pytest.fixture(autouse=True)
def small_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    for module, name in ((runs, "BATCH"), (prune, "BATCH"), (merge, "PAGE"), (importing, "BATCH")):
        monkeypatch.setattr(module, name, 5)


@pytest.fixture
def ids(book: Commonplace, clock: StoppedClock) -> list[str]:
    made = book.remember_many([{"text": f"trifle number {n}", "importance": 0.1} for n in range(MANY)]).ids
    clock.advance(days=40)
    return list(made)


def statuses(book: Commonplace) -> Counter[str]:
    return Counter(one.status for one in book.browse(limit=1000, statuses=ALL))


def interrupted(book: Commonplace, ref: str, after: int) -> None:
    def stop(done: int, total: int | None) -> None:
        if done >= after:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        book.undo(ref, progress=stop)


def test_the_receipt_of_a_tidying_names_all_that_it_did(book: Commonplace, ids: list[str], clock: StoppedClock) -> None:
    pruned = book.prune()
    [receipt] = book.receipts.list(actions=["PRUNE"])
    assert receipt.ref == pruned.receipt and set(receipt.ids) == set(ids)
    assert book.receipts.list(limit=1) == [receipt]
    clock.advance(days=40)
    assert prune.purge(book._scope).count == MANY
    assert set(book.receipts.list(actions=["PURGE"])[0].ids) == set(ids)
    first, second = book.remember("the harbour freezes").id, book.remember("the harbour burns").id
    book.revise(second, "the harbour freezes")
    assert book.receipts.get(str(book.merge().receipt)).ids == (second,)
    assert book.get(first).status == "verified"


def test_broken_off_it_goes_on(book: Commonplace, ids: list[str]) -> None:
    ref = str(book.prune().receipt)
    seen: list[Counter[str]] = []
    interrupted(book, ref, after=2)
    assert statuses(book) == {"verified": 8, "archived": 15}
    [half] = book.receipts.list(actions=["UNDO"])
    assert (half.state, len(half.ids)) == ("unfinished", 8)
    done = book.undo(ref, progress=lambda done, total: seen.append(statuses(book)))
    assert [count["archived"] for count in seen] == [10, 5, 0] and statuses(book) == {"verified": MANY}
    assert (done.ref, done.state, set(done.ids)) == (half.ref, "done", set(ids))
    assert {change.reason for change in done.changes} == {"undone"}
    assert book.receipts.get(done.ref) == done
    assert book.recall("trifle number 7") and book.audit.verify().ok


def test_the_undoing_is_taken_back_as_a_whole_too_but_not_while_it_is_unfinished(
    book: Commonplace, ids: list[str]
) -> None:
    ref = str(book.prune().receipt)
    interrupted(book, ref, after=2)
    [half] = book.receipts.list(actions=["UNDO"])
    with pytest.raises(Invalid, match="interrupted"):
        book.undo(half)
    done = book.undo(ref)
    book.undo(done)
    assert statuses(book) == {"archived": MANY}
    again = book.undo(ref)
    assert statuses(book) == {"archived": MANY}  # they were changed since: by the undoing, and by its undoing
    assert {change.reason for change in again.changes} == {"changed since, left as it is"}


def test_what_changed_since_is_left_alone_and_named(book: Commonplace, ids: list[str]) -> None:
    ref = str(book.prune().receipt)
    book.confirm(ids[0])
    interrupted(book, ref, after=2)
    book.confirm(ids[4])
    done = book.undo(ref)
    left = {change.id for change in done.changes if change.reason.startswith("changed since")}
    assert left == {ids[0], ids[4]} and statuses(book) == {"verified": MANY}
    assert book.history(ids[0])[-1].action == "CONFIRM" and book.history(ids[1])[-1].action == "UNDO"


def test_an_import_is_taken_back_in_batches(book: Commonplace, ids: list[str], tmp_path: Path) -> None:
    stream = io.StringIO()
    book.export(stream)
    settings = Settings(home=tmp_path / "elsewhere", embedder="none")
    with Commonplace.open(f"sqlite:///{tmp_path}/else.db", settings=settings, clock=book.clock) as other:
        kept = other.remember("what was here before").id
        report = other.import_(io.StringIO(stream.getvalue()))
        interrupted(other, str(report.receipt), after=1)
        assert 0 < statuses(other)["archived"] < MANY
        other.undo(str(report.receipt))
        assert statuses(other) == {"archived": MANY, "verified": 1} and other.get(kept).status == "verified"


def test_two_do_not_take_back_the_same_at_once(book: Commonplace, ids: list[str]) -> None:
    ref = str(book.prune().receipt)

    def meanwhile(done: int, total: int | None) -> None:
        if done == 2:
            book.undo(ref)

    with pytest.raises(Conflict):
        book.undo(ref, progress=meanwhile)
    assert statuses(book) == {"verified": MANY}
    assert {row.state for row in book.receipts.list(actions=["UNDO"])} == {"done"}


def test_who_waits_for_the_whole_is_told_with_the_last_part(book: Commonplace, ids: list[str]) -> None:
    ref = str(book.prune().receipt)
    told: list[Receipt] = []
    scope = replace(book._scope, settle=lambda _, tx, receipt: told.append(receipt))
    waiting = Commonplace(book._parts, scope)
    interrupted(waiting, ref, after=2)
    assert told == []
    done = waiting.undo(ref)
    assert told == [done] and done.state == "done"


def test_many_changes_are_counted_and_the_first_are_named(
    book: Commonplace, ids: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(undoing, "SHOWN", 7)
    done = book.undo(str(book.prune().receipt))
    assert len(done.changes) == 7 and done.notes == (f"{MANY} changes, of which the first 7 are listed",)
    assert statuses(book) == {"verified": MANY}


KILLED = """
import os, pathlib, signal, sys
from commonplace import Commonplace, Settings
url, home, owner, ref, after = sys.argv[1:]
def stop(done, total):
    if done >= int(after):
        os.kill(os.getpid(), signal.SIGKILL)
book = Commonplace.open(url, owner=owner, settings=Settings(home=pathlib.Path(home), embedder="none"))
book.undo(ref, progress=stop)
"""


@pytest.mark.skipif(os.name != "posix", reason="kills with SIGKILL")
def test_killed_it_goes_on(book: Commonplace, ids: list[str], book_url: str) -> None:
    ref = str(book.prune().receipt)
    for after in (1, 3):
        called = [sys.executable, "-c", KILLED, book_url, str(book.settings.home), book.owner, ref, str(after)]
        done = subprocess.run(called, check=False, capture_output=True, text=True)
        assert done.returncode == -9, done.stderr
    assert statuses(book) == {"verified": 13, "archived": 10}
    book.undo(ref)
    assert statuses(book) == {"verified": MANY} and {len(book.history(id)) for id in ids} == {3}
    assert book.audit.verify().ok and book.doctor(full=True).sound
