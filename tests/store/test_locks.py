"""Files held against other threads and processes, by `locks.held` and by those who stand in line with `turns.turn`."""

import multiprocessing
import os
import signal
import stat
import threading
from collections.abc import Callable
from contextlib import AbstractContextManager
from multiprocessing.connection import Connection
from pathlib import Path

import pytest

from commonplace.errors import StoreBusy, StoreError
from commonplace.store import locks
from commonplace.store.locks import held
from commonplace.store.sqlite.writer_queue import turn

fcntl = pytest.importorskip("fcntl", reason="locks and fork of POSIX; tests/test_system.py has Windows")
FORK = multiprocessing.get_context("fork")
Taking = Callable[[Path], AbstractContextManager[None]]
either = pytest.mark.parametrize("taken", [held, turn])


@pytest.fixture
def lock(tmp_path: Path) -> Path:
    return tmp_path / "book.db.ledger.lock"


def free(lock: Path) -> bool:
    with lock.open("rb") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
    return True


def test_a_lock_is_held_by_one_and_given_back(lock: Path) -> None:
    with held(lock):
        assert not free(lock)
    assert free(lock)
    assert stat.S_IMODE(lock.stat().st_mode) == 0o600


def test_threads_hold_it_one_after_another(lock: Path) -> None:
    inside: list[int] = []
    most: list[int] = []

    def come() -> None:
        for _ in range(20):
            with held(lock):
                inside.append(1)
                most.append(len(inside))
                inside.pop()

    crowd = [threading.Thread(target=come) for _ in range(4)]
    for one in crowd:
        one.start()
    for one in crowd:
        one.join()
    assert len(most) == 80 and set(most) == {1}


def test_who_waits_for_long_is_told_so(lock: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(locks, "PATIENCE", 0.01)
    with held(lock):
        with pytest.raises(StoreBusy, match=r"ledger\.lock stayed locked"), held(lock):
            pass
        assert not free(lock)


def test_a_lock_that_was_given_back_is_free_though_a_child_was_forked_meanwhile(lock: Path) -> None:
    with held(lock):
        child = os.fork()
        if child == 0:
            signal.pause()
    try:
        assert free(lock)
    finally:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)


def _hold_and_fork(taken: Taking, lock: Path, said: Connection) -> None:
    with taken(lock):
        if os.fork() == 0:
            said.send(os.getpid())
        signal.pause()


@either
def test_the_lock_of_a_killed_process_is_free_though_its_child_lives(taken: Taking, lock: Path) -> None:
    ours, theirs = FORK.Pipe(duplex=False)
    process = FORK.Process(target=_hold_and_fork, args=(taken, lock, theirs))
    process.start()
    child = ours.recv()
    try:
        assert not free(lock)
        process.kill()
        process.join()
        assert free(lock)
    finally:
        os.kill(child, signal.SIGKILL)


@either
def test_a_child_that_leaves_the_block_takes_nothing_from_its_parent(taken: Taking, lock: Path) -> None:
    ours = taken(lock)
    ours.__enter__()
    child = os.fork()
    if child == 0:
        ours.__exit__(None, None, None)
        os._exit(0)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    assert not free(lock)
    ours.__exit__(None, None, None)
    assert free(lock)


def test_a_lock_that_cannot_be_made_or_taken_says_which(
    lock: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(StoreError, match=r"nowhere.x cannot be opened"), held(tmp_path / "nowhere" / "x"):
        pass

    def unknown(file: object, wish: int) -> None:
        raise OSError(95, "Operation not supported")

    monkeypatch.setattr(fcntl, "flock", unknown)
    with pytest.raises(StoreError, match=r"ledger\.lock cannot be locked"), held(lock):
        pass
    assert not any(file.name == lock for file in locks._open)
