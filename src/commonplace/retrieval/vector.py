"""Nearest vectors by an exact scan of int8 rows. The rows are rotated by a secret; inner products do not notice."""

import os
from collections import deque
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cache, partial

import numpy as np
import simsimd
from numpy.typing import NDArray

_BLOCK = 1 << 16
"""Rows at once: their products stay in the processor's cache until the best are picked out."""
_SAMPLED = 1 << 12
"""Rows from which on a sample tells below which product nobody needs to be looked at."""
_EVERY = 16

_LONG = 1 << 15
"""Rows that take longer to multiply (without the interpreter's lock) than a thread takes to be asked."""
_HELPERS = min(max((os.cpu_count() or 1) - 1, 1), 4)
"""Threads beside the one that asks: memory is not read faster by more."""

Rows = NDArray[np.int8]
Products = NDArray[np.int32]


def scan(
    matrix: Rows, question: Rows, count: int, *, live: NDArray[np.bool_] | None = None
) -> tuple[NDArray[np.intp], Products]:
    """The ``count`` rows with the highest inner products, highest first, the earlier row first where they are equal.

    ``matrix`` is C-contiguous, ``question`` as wide as its rows; rows that ``live`` denies are left out.
    """
    rows, best = np.empty(0, np.intp), np.empty(0, np.int32)
    for start in range(0, len(matrix), _BLOCK) if count > 0 else ():
        found = products(matrix[start : start + _BLOCK], question)
        if live is not None:
            found = np.where(live[start : start + _BLOCK], found, _NEVER)
        # a row must beat the worst that is held: an equal one comes later and loses
        here = _above(found, best[-1] if len(best) == count else _NEVER, count)
        rows, best = _best(np.concatenate((rows, here + start)), np.concatenate((best, found[here])), count)
    return rows, best


def begun(
    matrix: Rows, question: Rows, count: int, *, live: NDArray[np.bool_] | None = None
) -> Callable[[], tuple[NDArray[np.intp], Products]]:
    """A `scan`, under way while the caller does something else where it is long enough for that; ask for its answer.

    Who asks does what is left of it: nobody waits for a thread that has not begun.
    """
    if len(matrix) < _LONG:
        return partial(scan, matrix, question, count, live=live)
    waiting = deque(range(0, len(matrix), _LONG))
    found: list[tuple[NDArray[np.intp], Products]] = []

    def work() -> None:
        while waiting:
            try:
                start = waiting.popleft()
            except IndexError:  # another thread took the last
                return
            here = slice(start, start + _LONG)
            rows, best = scan(matrix[here], question, count, live=None if live is None else live[here])
            found.append((rows + start, best))

    helping = [_workers().submit(work) for _ in range(_HELPERS)]

    def answer() -> tuple[NDArray[np.intp], Products]:
        work()
        for one in helping:
            if not one.cancel():
                one.result()
        return _best(np.concatenate([rows for rows, _ in found]), np.concatenate([best for _, best in found]), count)

    return answer


def products(rows: Rows, question: Rows) -> Products:
    """The inner product of each of some rows with the question."""
    if not len(rows):
        return np.empty(0, np.int32)
    made: Products = np.asarray(simsimd.dot(rows, question[None])).reshape(-1).astype(np.int32)
    return made


_NEVER = np.iinfo(np.int32).min


@cache
def _workers() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(_HELPERS, thread_name_prefix="commonplace-scan")


if hasattr(os, "register_at_fork"):
    # a forked child has none of its parent's threads
    os.register_at_fork(after_in_child=_workers.cache_clear)


def _above(found: Products, worst: int, count: int) -> NDArray[np.intp]:
    """Where the products above ``worst`` stand, or of so many of them that the ``count`` best are sure to be there."""
    if len(found) >= max(_SAMPLED, 4 * count):
        sample = found[::_EVERY]
        kept = min(len(sample) - 1, 2 * count // _EVERY + 8)
        likely = int(np.partition(sample, len(sample) - kept)[len(sample) - kept])
        here = np.flatnonzero(found >= max(likely, worst + 1))
        if len(here) >= count or likely <= worst:
            return here
    return np.flatnonzero(found > worst)


def _best(rows: NDArray[np.intp], found: Products, count: int) -> tuple[NDArray[np.intp], Products]:
    if len(found) > count:
        least = np.partition(found, len(found) - count)[len(found) - count]
        chosen = np.flatnonzero(found >= least)
        rows, found = rows[chosen], found[chosen]
    order = np.lexsort((rows, -found))[:count]
    return rows[order], found[order]
