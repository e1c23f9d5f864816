"""A fork waits until no other thread is inside SQLite.

SQLite remembers in memory which locks its process holds. A child made in the middle of another thread's write would for
ever take that lock for held, and wait for it.
"""

import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager

PATIENCE = 5.0
"""Seconds a fork waits for the threads inside; who comes meanwhile waits for the fork."""


class Gate:
    """Held while a connection is used. Re-entrant; a thread that holds it may fork."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._inside = self._forks = 0
        self._here = threading.local()

    @contextmanager
    def inside(self) -> Iterator[None]:
        depth = self._depth()
        with self._changed:
            if self._forks and not depth:
                self._changed.wait_for(lambda: not self._forks, PATIENCE)
            self._inside += 1
        self._here.depth = depth + 1
        try:
            yield
        finally:
            self._here.depth = depth
            with self._changed:
                self._inside -= 1
                if self._forks:
                    self._changed.notify_all()

    def before(self) -> None:
        """Keeps everybody out, in and outside, until the fork is done."""
        self._changed.acquire()
        self._forks += 1
        self._changed.wait_for(lambda: self._inside <= self._depth(), PATIENCE)

    def in_parent(self) -> None:
        self._forks -= 1
        self._changed.notify_all()
        self._changed.release()

    def in_child(self) -> None:
        self._changed = threading.Condition()
        self._inside, self._forks = self._depth(), 0

    def _depth(self) -> int:
        depth: int = getattr(self._here, "depth", 0)
        return depth


GATE = Gate()

if hasattr(os, "register_at_fork"):
    os.register_at_fork(before=GATE.before, after_in_parent=GATE.in_parent, after_in_child=GATE.in_child)
