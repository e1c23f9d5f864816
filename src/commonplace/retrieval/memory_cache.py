"""Memories lately read by recall, kept opened in this process and dropped as soon as the change table names them."""

import threading
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial

from commonplace.clock import moment
from commonplace.memories import codec as states
from commonplace.memories.codec import StoredMemory
from commonplace.memories.reading import Reader
from commonplace.retrieval.in_step import Steps
from commonplace.retrieval.process import Forkable
from commonplace.retrieval.signals import Signals
from commonplace.store.rows import TiedRow
from commonplace.store.transaction import Transaction

MOST_KEPT, A_BOOK = 20_000, 8
"""Of all owners together, in entries."""
FEW = 5_000
"""Where no more are kept, what was read once is kept too."""
REPLAYED = 2_000


@dataclass(frozen=True, slots=True)
class Reading:
    """What ranking needs of a memory; ``evidence`` are the ids of the episodes it rests on."""

    memory: StoredMemory
    signals: Signals
    said_at: datetime
    evidence: frozenset[str] = frozenset()
    tokens: dict[str, bytes] = field(default_factory=dict, repr=False, compare=False)
    """Its token vectors by model, once late interaction has read them."""


class Readings(Forkable):
    """The readings of a process, by owner and document. A forked child starts with none.

    Where many are kept already, only what was read twice: most is read once and never again.
    """

    def _reset(self) -> None:
        self._lock = threading.Lock()
        self._kept: dict[str, tuple[int, dict[int, Reading]]] = {}
        self._many = 0
        """Readings that are kept, of all owners."""
        self._once: dict[str, set[int]] = {}
        """By owner, the documents that were read."""

    def of(self, tx: Transaction, reader: Reader, docs: Sequence[int]) -> Steps[dict[int, Reading]]:
        """The memories whose present text stands under these numbers, as the transaction sees them."""
        sequence = tx.changes.last()
        cached = self._in_step(tx, sequence)
        readings = {doc: cached[doc] for doc in docs if doc in cached}
        missing = [doc for doc in docs if doc not in readings]
        if missing:
            tied = tx.soon(partial(tx.memories.tied, missing))
            yield
            read = _read(reader, tied())
            readings |= read
            self._keep(tx.owner, sequence, read)
        return readings

    def drop(self, owner: str) -> None:
        """Let go of everything of an owner."""
        with self._lock:
            self._let_go(owner)

    def _in_step(self, tx: Transaction, sequence: int) -> dict[int, Reading]:
        """What is kept, without anything that changed since; nothing if that cannot be told."""
        cached_at, cached = self._kept.get(tx.owner, (sequence, {}))
        if cached_at == sequence:
            return cached
        changes = tx.changes.since(cached_at, limit=REPLAYED) if cached_at < sequence else []
        complete = bool(changes) and changes[0].sequence == cached_at + 1 and changes[-1].sequence == sequence
        if not complete or any(change.doc is None and change.operation == "delete" for change in changes):
            cached = {}
        else:
            changed = {change.doc for change in changes if change.doc is not None}
            docs = changed | {doc + 1 for doc in changed}  # the token vectors of the next turn go with it
            cached = {doc: reading for doc, reading in cached.items() if doc not in docs}
        with self._lock:
            self._many += len(cached) - len(self._kept.get(tx.owner, (0, {}))[1])
            self._kept[tx.owner] = (sequence, cached)
        return cached

    def _keep(self, owner: str, sequence: int, read: dict[int, Reading]) -> None:
        with self._lock:
            cached_at, cached = self._kept.setdefault(owner, (sequence, {}))
            if cached_at != sequence:
                return
            once = self._once.setdefault(owner, set())
            before = len(cached)
            # adding alone never disturbs another thread that is looking something up
            cached.update(read if self._many < FEW else {doc: reading for doc, reading in read.items() if doc in once})
            once.update(read)
            self._many += len(cached) - before
            if len(once) > MOST_KEPT:
                once.clear()
            while self._many + A_BOOK * len(self._kept) > MOST_KEPT:
                self._let_go(next(iter(self._kept)))

    def _let_go(self, owner: str) -> None:
        self._many -= len(self._kept.pop(owner, (0, {}))[1])
        self._once.pop(owner, None)


_NOTHING: frozenset[str] = frozenset()


def _read(reader: Reader, rows: Sequence[TiedRow]) -> dict[int, Reading]:
    scope = reader.scope
    return {
        tied_row.row.doc: reading(
            states.opened(scope, tied_row.row, tied_row.tags),
            scope.language,
            frozenset(tied_row.episodes) if tied_row.episodes and tied_row.row.kind != "episodic" else _NOTHING,
        )
        for tied_row in rows
    }


def reading(memory: StoredMemory, language: str, evidence: frozenset[str] = frozenset()) -> Reading:
    row = memory.row
    said_at = row.said_at if row.said_at is not None else row.valid_from or row.recorded_at
    return Reading(memory, Signals(memory.content.text, language), moment(said_at), evidence)
