"""Every vector of a namespace in one matrix, kept in step with the store by its change table.

Readers hold a matrix that never changes under them; a refresh makes a new one and swaps it in.
"""

import threading
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from commonplace.retrieval import coarse
from commonplace.retrieval.coarse import Signs
from commonplace.retrieval.process import Forkable
from commonplace.store.ports import Transaction
from commonplace.store.rows import ChangeRow

REPLAYED = 20_000
"""More changes than this since the last look, and loading anew is cheaper than replaying."""
MOST_KEPT, MOST_BYTES = 64, 256 << 20
"""A process holds so many matrices at least, and more while they are small; the one made first goes first."""

MISSES, MOST_MISSED = 5, 20_000
"""How often a store that can answer by itself is asked before its rows are loaded; and for how many that is counted."""

Key = tuple[str, str, str]


@dataclass(slots=True)
class Room:
    """Buffers longer than what is in use of them: a row is added without copying a million others."""

    rows: NDArray[np.int8]
    bits: NDArray[np.uint64]
    docs: NDArray[np.uint32]
    used: int

    @classmethod
    def around(cls, known: "Matrix", size: int) -> "Room":
        most, used = size + size // 8 + 64, len(known.docs)
        rows = np.empty((most, known.rows.shape[1]), np.int8)
        room = cls(rows, np.empty((len(known.signs.bits), most), np.uint64), np.empty(most, np.uint32), used)
        room.rows[:used], room.bits[:, :used], room.docs[:used] = known.rows, known.signs.bits, known.docs
        return room

    def fits(self, start: int, end: int) -> bool:
        """Whether rows may be added behind ``start``: nobody else has, and there is place."""
        return self.used == start and end <= len(self.docs)


@dataclass(frozen=True, slots=True)
class Matrix:
    """Rows sorted by document; a long document has several."""

    rows: NDArray[np.int8]
    signs: Signs
    docs: NDArray[np.uint32]
    sequence: int
    """The change up to which it is in step."""
    room: Room | None = None

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
        known = self._kept.get(key)
        if known is not None and known.sequence == sequence:
            return known
        if known is not None and known.sequence > sequence:
            return _loaded(tx, key, sequence, dims)  # an older snapshot than another thread's: not worth keeping
        with self._making.setdefault(key, threading.Lock()):
            known = self._kept.get(key)
            if known is not None and known.sequence >= sequence:
                return known if known.sequence == sequence else _loaded(tx, key, sequence, dims)
            fresh = None if known is None else _replayed(tx, key, known, sequence, dims)
            made = fresh or _loaded(tx, key, sequence, dims)
            self._keep(key, made)
        return made

    def worth(self, owner: str, namespace: str, model: str) -> bool:
        """Whether the matrix is here, or has been missed often enough to be loaded."""
        key = (owner, namespace, model)
        if key in self._kept:
            return True
        if len(self._missed) > MOST_MISSED:
            self._missed = {}
        self._missed[key] = missed = self._missed.get(key, 0) + 1
        return missed > MISSES

    def _keep(self, key: Key, made: Matrix) -> None:
        with self._lock:
            self._kept.pop(key, None)
            self._missed.pop(key, None)
            held = sum(one.rows.nbytes for one in self._kept.values())
            while len(self._kept) >= MOST_KEPT and held > MOST_BYTES:
                first = next(iter(self._kept))
                held -= self._kept.pop(first).rows.nbytes
                self._making.pop(first, None)
            self._kept[key] = made

    def drop(self, owner: str) -> None:
        """Let go of everything of an owner."""
        with self._lock:
            self._kept = {key: one for key, one in self._kept.items() if key[0] != owner}
            self._making = {key: one for key, one in self._making.items() if key[0] != owner}


def places(held: NDArray[np.uint32], docs: NDArray[np.uint32]) -> NDArray[np.intp]:
    """Where the rows of some documents stand among those of the documents ``held``."""
    first = np.searchsorted(held, docs, "left")
    last = np.searchsorted(held, docs, "right")
    if not len(docs) or int((last - first).max(initial=0)) <= 1:
        return first[last > first]
    return np.concatenate([np.arange(a, b) for a, b in zip(first, last, strict=True)]).astype(np.intp)


def joined(batches: Iterable[tuple[list[int], bytes]], dims: int) -> tuple[NDArray[np.uint32], NDArray[np.int8]]:
    """Batches of rows as one array of documents and one of rows."""
    docs: list[int] = []
    data: list[bytes] = []
    for some, rows in batches:
        docs += some
        data.append(rows)
    return np.array(docs, np.uint32), np.frombuffer(b"".join(data), np.int8).reshape(len(docs), dims)


def _loaded(tx: Transaction, key: Key, sequence: int, dims: int, docs: Sequence[int] | None = None) -> Matrix:
    docs_held, rows = joined(tx.vectors.joined(key[1], key[2], docs=docs), dims)
    return Matrix(rows, coarse.signs(rows), docs_held, sequence)


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
    if gone & held:
        keep = ~np.isin(known.docs, np.fromiter(gone & held, np.uint32))
        rows = known.rows[keep]
        known = Matrix(rows, coarse.signs(rows), known.docs[keep], known.sequence)
    if not missing:
        return replace(known, sequence=sequence)
    return _joined(known, _loaded(tx, key, sequence, dims, missing), sequence)


def _joined(known: Matrix, added: Matrix, sequence: int) -> Matrix:
    """Both in order of document. New rows mostly come last, and there is room kept for them."""
    if not len(added.docs):
        return replace(known, sequence=sequence)
    start, end = len(known.docs), len(known.docs) + len(added.docs)
    if start < coarse.SETTLED <= end or (start and added.docs[0] < known.docs[-1]):
        docs = np.concatenate((known.docs, added.docs))
        order = np.argsort(docs, kind="stable")
        rows = np.concatenate((known.rows, added.rows))[order]
        return Matrix(rows, coarse.signs(rows), docs[order], sequence)
    room, middle = known.room, known.signs.middle
    if room is None or not room.fits(start, end):
        room = Room.around(known, end)
    room.rows[start:end], room.docs[start:end], room.used = added.rows, added.docs, end
    room.bits[:, start:end] = coarse.bits(added.rows, middle)
    return Matrix(room.rows[:end], Signs(room.bits[:, :end], middle), room.docs[:end], sequence, room)


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
