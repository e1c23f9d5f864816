"""Every vector of a namespace in one matrix, kept in step with the store by its change table.

Readers hold a matrix that never changes under them; a refresh makes a new one and swaps it in.
"""

import threading
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from commonplace.retrieval import coarse
from commonplace.retrieval.coarse import VectorSigns
from commonplace.retrieval.process import Forkable
from commonplace.store.rows import ChangeRow
from commonplace.store.transaction import Transaction

REPLAYED = 20_000
"""With more changes than this since the last load, loading again is cheaper than replaying them."""
MOST_KEPT, MOST_BYTES = 64, 256 << 20
"""A process keeps at least this many matrices, and more while they are small; the oldest is dropped first."""

MISSES, MOST_MISSED = 5, 20_000
"""How often a store that can answer by itself is asked before its rows are loaded; and for how many that is counted."""

Key = tuple[str, str, str]


@dataclass(slots=True)
class GrowthBuffer:
    """Buffers longer than what is in use of them: a row is added without copying a million others."""

    rows: NDArray[np.int8]
    bits: NDArray[np.uint64]
    docs: NDArray[np.uint32]
    used: int

    @classmethod
    def around(cls, matrix: "Matrix", size: int) -> "GrowthBuffer":
        capacity, used = size + size // 8 + 64, len(matrix.docs)
        rows = np.empty((capacity, matrix.rows.shape[1]), np.int8)
        buffer = cls(rows, np.empty((len(matrix.signs.bits), capacity), np.uint64), np.empty(capacity, np.uint32), used)
        buffer.rows[:used], buffer.bits[:, :used], buffer.docs[:used] = matrix.rows, matrix.signs.bits, matrix.docs
        return buffer

    def fits(self, start: int, end: int) -> bool:
        """Whether rows may be appended at ``start``: no other writer has, and there is room."""
        return self.used == start and end <= len(self.docs)


@dataclass(frozen=True, slots=True)
class Matrix:
    """Rows sorted by document; a long document has several."""

    rows: NDArray[np.int8]
    signs: VectorSigns
    docs: NDArray[np.uint32]
    sequence: int
    """The change up to which it is in step."""
    buffer: GrowthBuffer | None = None

    def places(self, docs: NDArray[np.uint32]) -> NDArray[np.intp]:
        return places(self.docs, docs)


class Matrices(Forkable):
    """The matrices of a process. A forked child starts with none: its parent may have been changing one."""

    def _reset(self) -> None:
        self._lock = threading.Lock()
        self._kept: dict[Key, Matrix] = {}
        self._making: dict[Key, threading.Lock] = {}
        self._missed: dict[Key, int] = {}

    def of(self, tx: Transaction, namespace: str, model: str, dims: int) -> Matrix:
        """The matrix as the transaction sees it."""
        key = (tx.owner, namespace, model)
        sequence = tx.changes.last()
        cached = self._kept.get(key)
        if cached is not None and cached.sequence == sequence:
            return cached
        if cached is not None and cached.sequence > sequence:
            return _loaded(tx, key, sequence, dims)  # an older snapshot than another thread's: not worth keeping
        with self._making.setdefault(key, threading.Lock()):
            cached = self._kept.get(key)
            if cached is not None and cached.sequence >= sequence:
                return cached if cached.sequence == sequence else _loaded(tx, key, sequence, dims)
            fresh = None if cached is None else _replayed(tx, key, cached, sequence, dims)
            current = fresh or _loaded(tx, key, sequence, dims)
            self._keep(key, current)
        return current

    def worth(self, owner: str, namespace: str, model: str) -> bool:
        """Whether the matrix is here, or has been missed often enough to be loaded."""
        key = (owner, namespace, model)
        if key in self._kept:
            return True
        if len(self._missed) > MOST_MISSED:
            self._missed = {}
        self._missed[key] = missed = self._missed.get(key, 0) + 1
        return missed > MISSES

    def _keep(self, key: Key, matrix: Matrix) -> None:
        with self._lock:
            self._kept.pop(key, None)
            self._missed.pop(key, None)
            total = sum(cached.rows.nbytes for cached in self._kept.values())
            while len(self._kept) >= MOST_KEPT and total > MOST_BYTES:
                first = next(iter(self._kept))
                total -= self._kept.pop(first).rows.nbytes
                self._making.pop(first, None)
            self._kept[key] = matrix

    def drop(self, owner: str) -> None:
        """Let go of everything of an owner."""
        with self._lock:
            self._kept = {key: matrix for key, matrix in self._kept.items() if key[0] != owner}
            self._making = {key: lock for key, lock in self._making.items() if key[0] != owner}


def places(row_docs: NDArray[np.uint32], docs: NDArray[np.uint32]) -> NDArray[np.intp]:
    """Positions of the rows of ``docs``; ``row_docs`` has the document of each row, ascending."""
    first = np.searchsorted(row_docs, docs, "left")
    last = np.searchsorted(row_docs, docs, "right")
    if not len(docs) or int((last - first).max(initial=0)) <= 1:
        return first[last > first]
    return np.concatenate([np.arange(a, b) for a, b in zip(first, last, strict=True)]).astype(np.intp)


def joined(batches: Iterable[tuple[list[int], bytes]], dims: int) -> tuple[NDArray[np.uint32], NDArray[np.int8]]:
    """Batches of rows as one array of documents and one of rows."""
    docs: list[int] = []
    data: list[bytes] = []
    for batch_docs, rows in batches:
        docs += batch_docs
        data.append(rows)
    return np.array(docs, np.uint32), np.frombuffer(b"".join(data), np.int8).reshape(len(docs), dims)


def _loaded(tx: Transaction, key: Key, sequence: int, dims: int, docs: Sequence[int] | None = None) -> Matrix:
    docs_held, rows = joined(tx.vectors.joined(key[1], key[2], docs=docs), dims)
    return Matrix(rows, coarse.signs(rows), docs_held, sequence)


def _replayed(tx: Transaction, key: Key, matrix: Matrix, sequence: int, dims: int) -> Matrix | None:
    """The matrix brought up to date, or None if loading it again is cheaper."""
    if sequence - matrix.sequence > REPLAYED:
        return None
    changes = tx.changes.since(matrix.sequence, limit=REPLAYED)
    if not changes or changes[0].sequence != matrix.sequence + 1:
        return None
    if any(change.noun in ("owner", "namespace") and change.operation == "delete" for change in changes):
        return None
    put, deleted = _docs(changes, key[1])
    loaded_docs = set(matrix.docs[matrix.places(np.fromiter(sorted(put | deleted), np.uint32))].tolist())
    missing = sorted(put - loaded_docs)
    if deleted & loaded_docs:
        keep = ~np.isin(matrix.docs, np.fromiter(deleted & loaded_docs, np.uint32))
        rows = matrix.rows[keep]
        matrix = Matrix(rows, coarse.signs(rows), matrix.docs[keep], matrix.sequence)
    if not missing:
        return replace(matrix, sequence=sequence)
    return _joined(matrix, _loaded(tx, key, sequence, dims, missing), sequence)


def _joined(matrix: Matrix, added: Matrix, sequence: int) -> Matrix:
    """Both in order of document. New rows mostly come last, and space is kept for them."""
    if not len(added.docs):
        return replace(matrix, sequence=sequence)
    start, end = len(matrix.docs), len(matrix.docs) + len(added.docs)
    if start < coarse.SETTLED <= end or (start and added.docs[0] < matrix.docs[-1]):
        docs = np.concatenate((matrix.docs, added.docs))
        order = np.argsort(docs, kind="stable")
        rows = np.concatenate((matrix.rows, added.rows))[order]
        return Matrix(rows, coarse.signs(rows), docs[order], sequence)
    buffer, middle = matrix.buffer, matrix.signs.middle
    if buffer is None or not buffer.fits(start, end):
        buffer = GrowthBuffer.around(matrix, end)
    buffer.rows[start:end], buffer.docs[start:end], buffer.used = added.rows, added.docs, end
    buffer.bits[:, start:end] = coarse.bits(added.rows, middle)
    return Matrix(buffer.rows[:end], VectorSigns(buffer.bits[:, :end], middle), buffer.docs[:end], sequence, buffer)


def _docs(changes: Iterable[ChangeRow], namespace: str) -> tuple[set[int], set[int]]:
    """Documents that were written and those that are gone, by what happened last to each."""
    put: set[int] = set()
    deleted: set[int] = set()
    for change in changes:
        if change.doc is None or change.namespace != namespace:
            continue
        (put if change.operation == "put" else deleted).add(change.doc)
        (deleted if change.operation == "put" else put).discard(change.doc)
    return put, deleted
