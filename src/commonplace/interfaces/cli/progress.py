"""How far a long act is: one line on standard error, where somebody watches."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

WIDTH = 28
Step = Callable[[int], None]


@contextmanager
def progress(what: str, total: int | None) -> Iterator[Step]:
    """Yield a function that counts on. Silent unless standard error is a terminal; gone when the act ends."""
    if not sys.stderr.isatty():
        yield lambda number: None
        return
    done = 0

    def step(number: int) -> None:
        nonlocal done
        done += number
        print(f"\r{bar(what, done, total)}\x1b[K", end="", file=sys.stderr, flush=True)

    try:
        step(0)
        yield step
    finally:
        print("\r\x1b[K", end="", file=sys.stderr, flush=True)


def bar(what: str, done: int, total: int | None) -> str:
    if not total:
        return f"{what} {done:,}"
    filled = min(WIDTH, WIDTH * done // total)
    return f"{what} {'█' * filled}{'░' * (WIDTH - filled)} {done:,} of {total:,}"
