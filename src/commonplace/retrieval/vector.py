"""Nearest vectors by an exact scan of int8 rows. The rows are rotated by a secret; inner products do not notice."""

import numpy as np
import simsimd
from numpy.typing import NDArray

_BLOCK = 1 << 16
"""Rows at once: their products stay in the processor's cache until the best are picked out."""
_SAMPLED = 1 << 12
"""Rows from which on a sample tells below which product nobody needs to be looked at."""
_EVERY = 16

Rows = NDArray[np.int8]
Products = NDArray[np.int32]


def scan(matrix: Rows, question: Rows, count: int) -> tuple[NDArray[np.intp], Products]:
    """The ``count`` rows with the highest inner products, highest first, the earlier row first where they are equal.

    ``matrix`` is C-contiguous, ``question`` as wide as its rows.
    """
    rows, best = np.empty(0, np.intp), np.empty(0, np.int32)
    for start in range(0, len(matrix), _BLOCK) if count > 0 else ():
        found = products(matrix[start : start + _BLOCK], question)
        # a row must beat the worst that is held: an equal one comes later and loses
        here = _above(found, best[-1] if len(best) == count else _NEVER, count)
        rows, best = _best(np.concatenate((rows, here + start)), np.concatenate((best, found[here])), count)
    return rows, best


def products(rows: Rows, question: Rows) -> Products:
    """The inner product of each of some rows with the question."""
    if not len(rows):
        return np.empty(0, np.int32)
    made: Products = np.asarray(simsimd.dot(rows, question[None])).reshape(-1).astype(np.int32)
    return made


_NEVER = np.iinfo(np.int32).min


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
