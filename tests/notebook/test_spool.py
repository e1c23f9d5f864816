"""Writes that wait: sealed, durable, made good in order, once."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from commonplace import Commonplace, Settings
from commonplace.clock import SystemClock
from commonplace.notebook import draining, spool
from commonplace.notebook.pausing import pause, resume, why_off

SAID = {
    "messages": [{"text": "the marked words of a prompt", "role": "user", "at": "2026-05-01T10:00:00+00:00"}],
    "session": "s",
}
STATED = {"text": "we keep SQLite", "category": "decision", "metadata": {"notebook": "memory/working-buffer.md"}}


@pytest.fixture
def waiting(settings: Settings) -> spool.Spool:
    made = spool.spool_of(settings)
    for what, data in (("observe", SAID), ("remember", STATED), ("remember", {"text": " ", "category": "context"})):
        made.put(SystemClock(), owner="me", namespace="project", what=what, data=data)
    return made


def test_nothing_in_the_spool_can_be_read_without_the_key(waiting: spool.Spool, settings: Settings):
    assert len(waiting.waiting()) == 3
    assert b"marked" not in b"".join(path.read_bytes() for path in waiting.waiting())
    assert waiting.opened(waiting.waiting()[0])["data"] == SAID


def test_what_waited_is_made_good_once(waiting: spool.Spool, book: Commonplace, settings: Settings):
    assert spool.waits(settings)
    done = draining.drain(book._scope, waiting)
    assert (done.kept, done.refused, done.damaged) == (2, 1, 0)
    assert not spool.waits(settings)
    assert [one.text for one in book.browse(kinds=["associative"])] == ["we keep SQLite"]
    turn = book.browse(kinds=["episodic"])[0].turn
    assert turn is not None
    assert (turn.session, turn.said_at) == ("s", datetime(2026, 5, 1, 10, tzinfo=UTC))
    assert draining.drain(book._scope, waiting).kept == 0


def test_what_cannot_be_opened_is_put_aside_and_the_rest_goes_on(waiting: spool.Spool, book: Commonplace):
    waiting.waiting()[0].write_bytes(b"garbage that was sealed by nobody")
    done = draining.drain(book._scope, waiting)
    assert (done.kept, done.damaged) == (1, 1)
    assert len(list((waiting.folder / "damaged").iterdir())) == 1


def test_another_owners_writes_wait_for_them(waiting: spool.Spool, book: Commonplace):
    waiting.put(SystemClock(), owner="eve", namespace="project", what="remember", data=STATED)
    assert draining.drain(book._scope, waiting).waiting == 1
    assert spool.drop(waiting, "eve") == 1
    assert waiting.waiting() == []


def test_the_off_switch(settings: Settings, tmp_path: Path):
    assert why_off(settings) is None
    pause(settings.home)
    assert "resume" in str(why_off(settings))
    assert resume(settings.home)
    assert not resume(settings.home)
    assert why_off(Settings(home=tmp_path, off=True))


def test_a_hooks_note_does_not_end_what_a_person_stated_and_a_person_does(settings: Settings, book: Commonplace):
    book.remember("I live in Oslo")
    made = spool.spool_of(settings)
    note = {"text": "I live in Bergen", "category": "fact"}
    made.put(SystemClock(), owner="me", namespace="project", what="remember", data=note)
    draining.drain(book._scope, made)
    assert "I live in Oslo" in [memory.text for memory in book.browse(kinds=["associative"])]
    book.remember("I live in Turin")
    assert "I live in Oslo" not in [memory.text for memory in book.browse(kinds=["associative"])]
