"""Writers of one SQLite book stand in line; what becomes of forked children stands in test_locks."""

import multiprocessing
import os
import signal
import threading
import time
from multiprocessing.connection import Connection
from pathlib import Path

import pytest

from commonplace.store import locks
from commonplace.store.sqlite import writer_queue as turns
from commonplace.store.sqlite.store import SqliteStore
from commonplace.store.sqlite.writer_queue import turn

fcntl = pytest.importorskip("fcntl", reason="locks and fork of POSIX; tests/test_system.py has Windows")
FORK = multiprocessing.get_context("fork")
LOCKS = Path("/proc/locks")


@pytest.fixture
def line(tmp_path: Path) -> Path:
    return tmp_path / "book.db.lock"


def free(line: Path) -> bool:
    """Whether nobody has the turn."""
    with line.open("rb") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
    return True


def waiting(line: Path) -> int:
    number = f":{line.stat().st_ino} "
    return sum("->" in one and number in one for one in LOCKS.read_text().splitlines())


def _hold(line: Path, said: Connection) -> None:
    with turn(line):
        said.send("mine")
        signal.pause()


def holder(line: Path) -> multiprocessing.context.ForkProcess:
    ours, theirs = FORK.Pipe(duplex=False)
    process = FORK.Process(target=_hold, args=(line, theirs))
    process.start()
    assert ours.recv() == "mine"
    return process


def ended(process: multiprocessing.context.ForkProcess) -> None:
    os.kill(process.pid or 0, signal.SIGKILL)
    process.join()


def test_a_turn_is_taken_and_given_back(line: Path) -> None:
    with turn(line):
        assert not free(line)
    assert free(line)


def test_a_turn_is_given_back_after_a_failure(line: Path) -> None:
    with pytest.raises(ZeroDivisionError), turn(line):
        raise ZeroDivisionError
    assert free(line)


@pytest.mark.skipif(not LOCKS.exists(), reason="only Linux tells who waits")
def test_who_came_first_is_next(line: Path) -> None:
    order: list[int] = []

    def come(number: int) -> None:
        with turn(line):
            order.append(number)

    with turn(line):
        crowd = []
        for number in range(5):
            crowd.append(threading.Thread(target=come, args=(number,)))
            crowd[-1].start()
            while waiting(line) <= number:
                time.sleep(0.001)
        assert order == []
    for one in crowd:
        one.join()
    assert order == [0, 1, 2, 3, 4]


def test_the_turn_of_a_killed_process_passes_on(line: Path) -> None:
    process = holder(line)
    assert not free(line)
    ended(process)
    with turn(line):
        assert not free(line)


def test_who_can_have_no_thread_to_wait_with_goes_on_without_a_turn(
    line: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(thread: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    with turn(line):
        before = len(locks._open)
        with monkeypatch.context() as patched:
            patched.setattr(threading.Thread, "start", refused)
            with turn(line):
                assert len(locks._open) == before + 1
        assert len(locks._open) == before
        assert not free(line)
    assert free(line)


@pytest.mark.parametrize("answer", [BlockingIOError, OSError])
def test_a_file_system_without_such_locks_stops_nobody(
    line: Path, monkeypatch: pytest.MonkeyPatch, answer: type[OSError]
) -> None:
    def unknown(file: object, wish: int) -> None:
        raise answer if wish & fcntl.LOCK_NB else OSError

    before = threading.active_count()
    monkeypatch.setattr(fcntl, "flock", unknown)
    with turn(line):
        pass
    assert threading.active_count() == before
    assert not any(file.name == line for file in locks._open)


@pytest.mark.one_engine("the line of a file")
def test_who_waited_too_long_for_a_stopped_process_writes_all_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(turns, "LONGEST", 0.05)
    store = SqliteStore(tmp_path / "book.db")
    line = tmp_path / "book.db.lock"
    before = threading.active_count()
    process = holder(line)
    os.kill(process.pid or 0, signal.SIGSTOP)
    try:
        with store.write("me") as tx:
            assert tx.owners.take_docs(1)
        assert not free(line), "it is still the other's"
    finally:
        ended(process)
    while threading.active_count() > before:  # the one left in line gets the lock now, and gives it back
        time.sleep(0.001)
    assert free(line)
    store.close()


def test_a_folder_in_which_no_line_can_be_made_is_left_to_sqlite(tmp_path: Path) -> None:
    with turn(tmp_path / "nowhere" / "book.db.lock"):
        assert not (tmp_path / "nowhere").exists()
