"""Every vector of a namespace in one matrix, kept in step with the store by its change table.

Readers hold a matrix that never changes under them; a refresh makes a new one and swaps it in.
"""

import os
import threading
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from commonplace.store.ports import Transaction
from commonplace.store.rows import ChangeRow, VectorRow

REPLAYED = 20_000
"""More changes than this since the last look, and loading anew is cheaper than replaying."""
MOST_KEPT = 64
"""Matrices held by a process; the one longest unused goes first."""

Key = tuple[str, str, str]


@dataclass(frozen=True, slots=True)
class Matrix:
    """Rows sorted by document; a long document has several."""

    rows: NDArray[np.int8]
    docs: NDArray[np.uint32]
    sequence: int
    """The change up to which it is in step."""

    def places(self, docs: NDArray[np.uint32]) -> NDArray[np.intp]:
        """Where the rows of some documents stand."""
        first = np.searchsorted(self.docs, docs, "left")
        last = np.searchsorted(self.docs, docs, "right")
        if not len(docs) or int((last - first).max(initial=0)) <= 1:
            return first[last > first]
        return np.concatenate([np.arange(a, b) for a, b in zip(first, last, strict=True)]).astype(np.intp)


class Matrices:
    """The matrices of a process. A forked child starts with none: its parent may have been changing one."""

    def __init__(self) -> None:
        self._reset()
        if hasattr(os, "register_at_fork"):
            os.register_at_fork(after_in_child=self._reset)

    def _reset(self) -> None:
        self._lock = threading.Lock()
        self._kept: dict[Key, Matrix] = {}

    def of(self, tx: Transaction, namespace: str, model: str, dims: int) -> Matrix:
        """The matrix as the transaction sees it."""
        key = (tx.owner, namespace, model)
        sequence = tx.changes.last()
        known = self._kept.get(key)
        if known is not None and known.sequence == sequence:
            return known
        fresh = None if known is None or known.sequence > sequence else _replayed(tx, key, known, sequence, dims)
        made = fresh or _loaded(tx, key, sequence, dims)
        with self._lock:
            self._kept.pop(key, None)
            while len(self._kept) >= MOST_KEPT:
                self._kept.pop(next(iter(self._kept)))
            self._kept[key] = made
        return made

    def drop(self, owner: str) -> None:
        """Let go of everything of an owner."""
        with self._lock:
            self._kept = {key: one for key, one in self._kept.items() if key[0] != owner}


def _loaded(tx: Transaction, key: Key, sequence: int, dims: int) -> Matrix:
    batches = list(tx.vectors.load(key[1], key[2]))
    return _matrix([row for batch in batches for row in batch], sequence, dims)


def _matrix(rows: list[VectorRow], sequence: int, dims: int) -> Matrix:
    data = np.frombuffer(b"".join(row.data for row in rows), np.int8).reshape(len(rows), dims)
    docs = np.fromiter((row.doc for row in rows), np.uint32, len(rows))
    if len(docs) > 1 and not (docs[1:] >= docs[:-1]).all():
        order = np.argsort(docs, kind="stable")
        data, docs = data[order], docs[order]
    return Matrix(np.ascontiguousarray(data), docs, sequence)


def _replayed(tx: Transaction, key: Key, known: Matrix, sequence: int, dims: int) -> Matrix | None:
    """The matrix brought up to date, or None if it is better loaded anew."""
    if sequence - known.sequence > REPLAYED:
        return None
    changes = tx.changes.since(known.sequence, limit=REPLAYED)
    if not changes or changes[0].sequence != known.sequence + 1:
        return None
    if any(one.noun in ("owner", "namespace") and one.operation == "delete" for one in changes):
        return None
    put, gone = _docs(changes, key[1])
    held = set(known.docs[known.places(np.fromiter(sorted(put | gone), np.uint32))].tolist())
    missing = sorted(put - held)
    rows, docs = known.rows, known.docs
    if gone & held:
        keep = ~np.isin(docs, np.fromiter(gone & held, np.uint32))
        rows, docs = rows[keep], docs[keep]
    if missing:
        added = _matrix([row for batch in tx.vectors.load(key[1], key[2], docs=missing) for row in batch], 0, dims)
        rows, docs = _joined(rows, docs, added)
    return Matrix(rows, docs, sequence)


def _joined(
    rows: NDArray[np.int8], docs: NDArray[np.uint32], added: Matrix
) -> tuple[NDArray[np.int8], NDArray[np.uint32]]:
    if not len(added.docs):
        return rows, docs
    rows, joined = np.concatenate((rows, added.rows)), np.concatenate((docs, added.docs))
    if len(docs) and added.docs[0] < docs[-1]:
        order = np.argsort(joined, kind="stable")
        rows, joined = rows[order], joined[order]
    return np.ascontiguousarray(rows), joined


def _docs(changes: Iterable[ChangeRow], namespace: str) -> tuple[set[int], set[int]]:
    """Documents that were written and those that are gone, by what happened last to each."""
    put: set[int] = set()
    gone: set[int] = set()
    for change in changes:
        if change.doc is None or change.namespace != namespace:
            continue
        (put if change.operation == "put" else gone).add(change.doc)
        (gone if change.operation == "put" else put).discard(change.doc)
    return put, gone
