"""Files that are held against other threads and processes.

The system takes a lock back from a process that was killed, but not before every copy of the file is closed, and a fork
copies it: a child gives up what came over the fork, and who lets go says so.
"""

import errno
import os
import time
import weakref
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from io import FileIO
from pathlib import Path

from commonplace import system
from commonplace.errors import StoreBusy, StoreError

PATIENCE = 30.0
"""Seconds that ``held`` waits: its holder may have been stopped."""
PAUSE = 0.001
HELD = (errno.EAGAIN, errno.EACCES, errno.EDEADLK)
"""What a system says of a lock that another has."""

_open: "weakref.WeakSet[FileIO]" = weakref.WeakSet()


@contextmanager
def held(path: Path) -> Iterator[None]:
    """Hold the file at ``path``, made (0600) if missing; it stays: removing it would race. ``StoreBusy`` in the end."""
    try:
        file = opened(path)
    except OSError as error:
        raise StoreError(f"{path} cannot be opened; make it and its folder writable") from error
    try:
        _take(file, path)
        yield
    finally:
        let_go(file)


def opened(path: Path) -> FileIO:
    """The file at ``path``, not held yet. Raises ``OSError``."""
    file = FileIO(path, "r+", opener=lambda name, flags: os.open(name, flags | os.O_CREAT, 0o600))
    _open.add(file)
    return file


def let_go(file: FileIO) -> None:
    """Give the lock back, if it is held, and close the file. In a child that was forked meanwhile, nothing."""
    if not file.closed:
        with suppress(OSError):
            system.HERE.unlock(file)
        file.close()


def _take(file: FileIO, path: Path) -> None:
    deadline = time.monotonic() + PATIENCE
    while not _taken(file, path):
        if time.monotonic() > deadline:
            raise StoreBusy(f"{path} stayed locked for longer than we wait; nothing was written, try again")
        time.sleep(PAUSE)


def _taken(file: FileIO, path: Path) -> bool:
    try:
        system.HERE.lock(file)
    except OSError as error:
        if error.errno in HELD:
            return False
        raise StoreError(f"{path} cannot be locked; keep it on a disk whose files can be") from error
    return True


def _abandon() -> None:
    for file in list(_open):
        file.close()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_abandon)
