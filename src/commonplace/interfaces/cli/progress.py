"""How far a long act is: one line on standard error, where somebody watches."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from commonplace.store.ports import Progress

WIDTH = 28


@contextmanager
def progress(what: str, *, continues: bool = True) -> "Iterator[Progress]":
    """Yield a function of how much is done, and of how much if that is known.

    Silent unless standard error is a terminal; the line is gone when the act ends. ``continues`` tells whoever
    interrupts it that the same command goes on from there.
    """
    watched = sys.stderr.isatty()

    def show(done: int, total: int | None) -> None:
        if watched:
            print(f"\r{bar(what, done, total)}\x1b[K", end="", file=sys.stderr, flush=True)

    try:
        yield show
    except KeyboardInterrupt:
        if continues:
            print(f"\n{what}: stopped; the same command goes on from here", file=sys.stderr)
        raise
    finally:
        if watched:
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)


def bar(what: str, done: int, total: int | None) -> str:
    if not total:
        return f"{what} {done:,}"
    filled = min(WIDTH, WIDTH * done // total)
    return f"{what} {'█' * filled}{'░' * (WIDTH - filled)} {done:,} of {total:,}"
