"""The nearest of many vectors: a first look at one bit an axis, then exact products of the likely ones.

A rotated row spreads evenly over all its axes: on how many of them two rows lie on different sides of the middle tells
how far apart they are.
"""

import os
from collections import deque
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cache, partial
from math import isqrt
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from commonplace.retrieval import vector
from commonplace.retrieval.vector import Products, Rows

LEAST = 50_000
"""Rows below which all are multiplied."""
LIKELY, PER_HIT = 5, 16
"""So many times the root of all rows are multiplied, or so many rows for each that is asked for."""
SETTLED = 1_024
"""Rows that tell where the middle is; of fewer it is zero."""

_MANY = 8
"""Times the rows that are wanted: so few more are multiplied faster than they are picked out."""
_AXES = 256
"""Axes looked at: of more, the first. A rotation makes any as good as any other."""
_BLOCK, _ALONE = 1 << 17, 2
"""Rows compared at once, enough that two threads do not wait for each other; for so many times as many one will do."""
_PACKED, _SAMPLE = 1 << 12, 1 << 13

Nearest = tuple[NDArray[np.intp], Products]


class VectorSigns(NamedTuple):
    """On which of its axes each row is above the middle of them all."""

    bits: NDArray[np.uint64]
    """64 axes in a number; all rows' first numbers, then all second ones."""
    middle: NDArray[np.int8]


def signs(rows: Rows) -> VectorSigns:
    """The middle is that of the first rows: those that are added later do not move it."""
    middle = np.zeros(rows.shape[1], np.int8)
    if len(rows) >= SETTLED:
        middle = np.rint(rows[:SETTLED].mean(0)).astype(np.int8)
    return VectorSigns(bits(rows, middle), middle)


def bits(rows: Rows, middle: NDArray[np.int8]) -> NDArray[np.uint64]:
    """As in `VectorSigns`, for a middle that is known."""
    packed = np.empty((_AXES // 64, len(rows)), np.uint64)
    for start in range(0, len(rows), _PACKED):
        packed[:, start : start + _PACKED] = _packed(rows[start : start + _PACKED], middle).T
    return packed


def start_scan(rows: Rows, row_signs: VectorSigns, question: Rows, count: int) -> Callable[[], Nearest]:
    """As `vector.scan`, with exact products; among many rows a few of the nearest may be missing.

    ``row_signs`` are the signs of ``rows``. With very many rows a worker thread starts at once; the returned function
    does the remaining blocks itself, so it never waits for a thread that has not started.
    """
    target = max(LIKELY * isqrt(len(rows)), PER_HIT * count)
    if len(rows) < max(LEAST, _MANY * target) or rows.shape[1] < _AXES:
        return partial(vector.scan, rows, question, count)
    question_bits, apart = _packed(question[None], row_signs.middle).T, np.empty(len(rows), np.uint8)
    waiting = deque(range(0, len(rows), _BLOCK))

    def work() -> None:
        while waiting:
            try:
                start = waiting.popleft()
            except IndexError:  # another thread took the last
                return
            block = slice(start, start + _BLOCK)
            # a row that differs on all 256 axes overflows to 0; its exact product ranks it last
            np.bitwise_count(row_signs.bits[:, block] ^ question_bits).sum(0, dtype=np.uint8, out=apart[block])

    helping = [_worker().submit(work)] if len(waiting) > _ALONE else []

    def answer() -> Nearest:
        work()
        for future in helping:
            if not future.cancel():
                future.result()
        likely = _fewest(apart, target)
        if not target // 2 < len(likely) < target * _MANY:
            # the sample was not representative, or many rows are the same
            return vector.scan(rows, question, count)
        places, products = vector.scan(rows.take(likely, axis=0), question, count)
        return likely[places], products

    return answer


@cache
def _worker() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(1, thread_name_prefix="commonplace-scan")


if hasattr(os, "register_at_fork"):
    # a forked child has none of its parent's threads
    os.register_at_fork(after_in_child=_worker.cache_clear)


def _fewest(apart: NDArray[np.uint8], target: int) -> NDArray[np.intp]:
    """Positions of about ``target`` of the smallest numbers, estimated from a sample."""
    sample = apart[:: len(apart) // _SAMPLE | 1]  # an odd step: where two speakers alternate, both are sampled
    cutoff = np.bincount(sample).cumsum().searchsorted(target * len(sample) / len(apart))
    return np.flatnonzero(apart <= np.uint8(cutoff))


def _packed(rows: Rows, middle: NDArray[np.int8]) -> NDArray[np.uint64]:
    above = np.zeros((len(rows), _AXES), bool)
    np.greater(rows[:, :_AXES], middle[:_AXES], out=above[:, : rows.shape[1]])
    return np.packbits(above, axis=1).view(np.uint64)
