"""Writers of one book take turns, in the order in which they came.

SQLite lets waiting writers ask again and again, and whoever asks at the right moment is next: of sixteen, some wait for
a second and more. Here they stand in line for a lock on a file beside the book. The system gives it in order, and takes
it back from a process that was killed. The line is a courtesy: what keeps writers apart is SQLite's own lock, and who
cannot stand in line, or stood there for too long, asks that one.
"""

import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from io import FileIO
from pathlib import Path

from commonplace import system
from commonplace.store import locks

LONGEST = 10.0
"""Maximum seconds in line: a process ahead may have been stopped."""


@contextmanager
def turn(path: Path) -> Iterator[None]:
    """One's turn to write, until the end of the block. Where the system has no such locks, at once."""
    place = _Place.taken(path) if system.HERE.queues else None
    if place is None:
        yield
        return
    try:
        place.wait()
        yield
    finally:
        place.leave()


class _Place:
    """A place in the line. Waiting is a thread's work: the system's wait cannot be bounded."""

    def __init__(self, file: FileIO) -> None:
        self._file = file
        self._settling = threading.Lock()
        self._standing = False

    @classmethod
    def taken(cls, path: Path) -> "_Place | None":
        try:
            return cls(locks.opened(path))
        except OSError:
            return None  # SQLite will say what is wrong with the folder

    def wait(self) -> None:
        try:
            system.HERE.lock(self._file)
        except BlockingIOError:
            self._stand_for(LONGEST)
        except OSError:
            return  # a file system without such locks

    def _stand_for(self, seconds: float) -> None:
        standing = threading.Thread(target=self._stand, daemon=True)
        self._standing = True
        try:
            standing.start()
        except RuntimeError:
            self._standing = False  # the process may have no more threads, or is ending
        else:
            standing.join(seconds)

    def _stand(self) -> None:
        with suppress(OSError):
            system.HERE.lock(self._file, wait=True)
        self.leave()

    def leave(self) -> None:
        """Give the lock back. Called by who stood in line and by the thread that stands there; the second gives it."""
        with self._settling:
            standing, self._standing = self._standing, False
        if not standing:
            locks.let_go(self._file)
