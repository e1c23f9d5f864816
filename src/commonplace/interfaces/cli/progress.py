"""Progress of a long command: one line on standard error, on a terminal only."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from commonplace.store.ports import Progress

WIDTH = 28


@contextmanager
def progress(label: str, *, continues: bool = True) -> "Iterator[Progress]":
    """Yield a function that shows how much is done, and of how much if known.

    Silent unless standard error is a terminal; the line is removed at the end. ``continues``: tell whoever interrupts
    it that the same command continues.
    """
    watched = sys.stderr.isatty()

    def show(count: int, total: int | None) -> None:
        if watched:
            print(f"\r{bar(label, count, total)}\x1b[K", end="", file=sys.stderr, flush=True)

    try:
        yield show
    except KeyboardInterrupt:
        if continues:
            print(f"\n{label}: stopped; run the same command to continue", file=sys.stderr)
        raise
    finally:
        if watched:
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)


def bar(label: str, count: int, total: int | None) -> str:
    if not total:
        return f"{label} {count:,}"
    filled = min(WIDTH, WIDTH * count // total)
    return f"{label} {'█' * filled}{'░' * (WIDTH - filled)} {count:,} of {total:,}"
