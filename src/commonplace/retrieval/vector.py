"""Nearest vectors by an exact scan of int8 rows. The rows are rotated by a secret; inner products do not notice."""

from collections.abc import Mapping

import numpy as np
import simsimd
from numpy.typing import NDArray

_BLOCK = 1 << 16
"""Rows at once: their products stay in the processor's cache until the best are picked out."""

Rows = NDArray[np.int8]


def scan(
    matrix: Rows, question: Rows, count: int, *, live: NDArray[np.bool_] | None = None
) -> tuple[NDArray[np.intp], NDArray[np.int32]]:
    """The ``count`` rows with the highest inner products, highest first, the earlier row first where they are equal.

    ``matrix`` is C-contiguous, ``question`` as wide as its rows; rows that ``live`` denies are left out.
    """
    rows, products = np.empty(0, np.intp), np.empty(0, np.int32)
    asked = np.ascontiguousarray(question)[None]
    for start in range(0, len(matrix), _BLOCK) if count > 0 else ():
        found = _products(matrix[start : start + _BLOCK], asked)
        # a row must beat the worst that is held: an equal one comes later and loses
        worst = products[-1] if len(products) == count else np.iinfo(np.int32).min
        here = np.flatnonzero(found > worst)
        if live is not None:
            here = here[live[start : start + _BLOCK][here]]
        rows, products = _best(np.concatenate((rows, here + start)), np.concatenate((products, found[here])), count)
    return rows, products


def at(matrix: Rows, rows: NDArray[np.intp], question: Rows) -> NDArray[np.int32]:
    """The inner products of some rows: for documents that another list brought in."""
    products: NDArray[np.int32] = matrix[rows].astype(np.int32) @ question.astype(np.int32)
    return products


def by_document(docs: NDArray[np.uint32], similarities: NDArray[np.float32]) -> Mapping[int, float]:
    """Of a document's passages the nearest counts. ``docs`` are the documents of rows, in any order."""
    nearest: dict[int, float] = {}
    for doc, similarity in zip(docs.tolist(), similarities.tolist(), strict=True):
        if similarity > nearest.get(doc, -2.0):
            nearest[doc] = similarity
    return nearest


def _products(block: Rows, asked: Rows) -> NDArray[np.int32]:
    if not len(block):
        return np.empty(0, np.int32)
    return np.asarray(simsimd.dot(block, asked)).reshape(-1).astype(np.int32)


def _best(
    rows: NDArray[np.intp], products: NDArray[np.int32], count: int
) -> tuple[NDArray[np.intp], NDArray[np.int32]]:
    if len(products) > count:
        least = np.partition(products, len(products) - count)[len(products) - count]
        chosen = np.flatnonzero(products >= least)
        rows, products = rows[chosen], products[chosen]
    # rows are in ascending order among equals: those held come before those of a later block
    order = np.lexsort((rows, -products))[:count]
    return rows[order], products[order]
