"""Nearest vectors by an exact scan of int8 rows. The rows are rotated by a secret; inner products do not notice."""

import numpy as np
import simsimd
from numpy.typing import NDArray

_BLOCK = 1 << 16
"""Rows at once: their products stay in the processor's cache until the best are picked out."""
_SAMPLED = 1 << 12
"""With more rows than this, a sample decides which products are too low to look at."""
_EVERY = 16

Rows = NDArray[np.int8]
Products = NDArray[np.int32]


def scan(matrix: Rows, question: Rows, count: int) -> tuple[NDArray[np.intp], Products]:
    """The ``count`` rows with the highest inner products, highest first, the earlier row first where they are equal.

    ``matrix`` is C-contiguous, ``question`` as wide as its rows.
    """
    rows, best = np.empty(0, np.intp), np.empty(0, np.int32)
    for start in range(0, len(matrix), _BLOCK) if count > 0 else ():
        scores = products(matrix[start : start + _BLOCK], question)
        # a row must beat the worst that is held: an equal one comes later and loses
        above = _above(scores, best[-1] if len(best) == count else _NEVER, count)
        rows, best = _best(np.concatenate((rows, above + start)), np.concatenate((best, scores[above])), count)
    return rows, best


def products(rows: Rows, question: Rows) -> Products:
    """The inner product of each of some rows with the question."""
    if not len(rows):
        return np.empty(0, np.int32)
    dots: Products = np.asarray(simsimd.dot(rows, question[None])).reshape(-1).astype(np.int32)
    return dots


_NEVER = np.iinfo(np.int32).min


def _above(scores: Products, worst: int, count: int) -> NDArray[np.intp]:
    """Positions of the products above ``worst``, or of enough of them to include the ``count`` best."""
    if len(scores) >= max(_SAMPLED, 4 * count):
        sample = scores[::_EVERY]
        depth = min(len(sample) - 1, 2 * count // _EVERY + 8)
        likely = int(np.partition(sample, len(sample) - depth)[len(sample) - depth])
        above = np.flatnonzero(scores >= max(likely, worst + 1))
        if len(above) >= count or likely <= worst:
            return above
    return np.flatnonzero(scores > worst)


def _best(rows: NDArray[np.intp], scores: Products, count: int) -> tuple[NDArray[np.intp], Products]:
    if len(scores) > count:
        least = np.partition(scores, len(scores) - count)[len(scores) - count]
        chosen = np.flatnonzero(scores >= least)
        rows, scores = rows[chosen], scores[chosen]
    order = np.lexsort((rows, -scores))[:count]
    return rows[order], scores[order]
