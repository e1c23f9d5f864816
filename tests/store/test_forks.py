"""A process may fork while other threads of it write."""

import os
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from commonplace.store.ports import Store
from commonplace.store.sqlite import forks
from commonplace.store.sqlite.forks import GATE

pytestmark = [
    pytest.mark.one_engine("SQLite's locks are its process's"),
    pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork"),
]


@pytest.fixture
def store(tmp_path: Path, opened: Callable[[str], Store]) -> Store:
    return opened(str(tmp_path / "book.db"))


class Writer(threading.Thread):
    """Is in the middle of a write from the beginning until ``end``."""

    def __init__(self, store: Store) -> None:
        super().__init__()
        self._store, self._begun, self._over = store, threading.Event(), threading.Event()
        self.start()
        assert self._begun.wait(30)

    def run(self) -> None:
        with self._store.write("ada") as tx:
            tx.owners.take_docs(1)
            self._begun.set()
            self._over.wait(30)

    def end(self) -> None:
        self._over.set()
        self.join()


def forked(act: Callable[[], object]) -> bool:
    """Whether a child could do that."""
    child = os.fork()
    if child == 0:
        try:
            act()
        except BaseException:  # noqa: BLE001  whatever it is, pytest must not run on in the child
            os._exit(1)
        os._exit(0)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


def written(store: Store) -> None:
    with store.write("ada") as tx:
        tx.owners.take_docs(1)


def test_a_child_of_a_fork_in_the_middle_of_a_write_can_write(store: Store) -> None:
    writer, done = Writer(store), []
    forking = threading.Thread(target=lambda: done.append(forked(lambda: written(store))))
    forking.start()
    while not GATE._forks:
        time.sleep(0.001)
    assert done == []
    writer.end()
    forking.join()
    assert done == [True]
    with store.read("ada") as tx:
        assert tx.owners.get().next_doc == 3


def test_a_thread_that_is_reading_may_write_and_fork(store: Store) -> None:
    written(store)
    with store.read("ada"), store.write("bob") as tx:
        tx.owners.take_docs(1)
        assert forked(lambda: None)
    written(store)
    assert GATE._inside == 0


def test_a_fork_does_not_wait_for_ever(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(forks, "PATIENCE", 0.01)
    writer = Writer(store)
    try:
        assert forked(lambda: None)
    finally:
        writer.end()
    written(store)
    assert (GATE._inside, GATE._forks) == (0, 0)
