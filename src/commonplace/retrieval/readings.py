"""Memories lately read by recall, kept opened in this process and dropped as soon as the change table names them."""

import threading
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from commonplace.clock import moment
from commonplace.memories import states
from commonplace.memories.reading import Reader
from commonplace.memories.states import Held
from commonplace.retrieval.process import Forkable
from commonplace.retrieval.signals import Signals, signals
from commonplace.store.ports import Transaction

MOST_KEPT = 20_000
REPLAYED = 2_000


@dataclass(frozen=True, slots=True)
class Reading:
    """What ranking needs of a memory; ``evidence`` are the ids of the episodes it rests on."""

    held: Held
    signals: Signals
    said_at: datetime
    evidence: frozenset[str] = frozenset()


class Readings(Forkable):
    """The readings of a process, by owner and document. A forked child starts with none."""

    def _reset(self) -> None:
        self._lock = threading.Lock()
        self._kept: dict[str, tuple[int, dict[int, Reading]]] = {}

    def of(self, tx: Transaction, reader: Reader, docs: Sequence[int]) -> dict[int, Reading]:
        """The memories whose present text stands under these numbers, as the transaction sees them."""
        sequence = tx.changes.last()
        kept = self._in_step(tx, sequence)
        found = {doc: kept[doc] for doc in docs if doc in kept}
        missing = [doc for doc in docs if doc not in found]
        if missing:
            read = _read(tx, reader, missing)
            found |= read
            self._keep(tx.owner, sequence, read)
        return found

    def drop(self, owner: str) -> None:
        """Let go of everything of an owner."""
        with self._lock:
            self._kept.pop(owner, None)

    def _in_step(self, tx: Transaction, sequence: int) -> dict[int, Reading]:
        """What is kept, without anything that changed since; nothing if that cannot be told."""
        known, kept = self._kept.get(tx.owner, (sequence, {}))
        if known == sequence:
            return kept
        changes = tx.changes.since(known, limit=REPLAYED) if known < sequence else []
        told = bool(changes) and changes[0].sequence == known + 1 and changes[-1].sequence == sequence
        if not told or any(one.doc is None and one.operation == "delete" for one in changes):
            kept = {}
        else:
            gone = {one.doc for one in changes}
            kept = {doc: reading for doc, reading in kept.items() if doc not in gone}
        with self._lock:
            self._kept[tx.owner] = (sequence, kept)
        return kept

    def _keep(self, owner: str, sequence: int, read: dict[int, Reading]) -> None:
        with self._lock:
            known, kept = self._kept.get(owner, (sequence, {}))
            if known != sequence:
                return
            if len(kept) + len(read) > MOST_KEPT:
                kept = dict(list(kept.items())[MOST_KEPT // 2 :])
            self._kept[owner] = (sequence, {**kept, **read} if len(kept) < len(read) else _with(kept, read))


def _with(kept: dict[int, Reading], read: dict[int, Reading]) -> dict[int, Reading]:
    kept.update(read)  # adding alone never disturbs another thread that is looking something up
    return kept


def _read(tx: Transaction, reader: Reader, docs: Sequence[int]) -> dict[int, Reading]:
    scope = reader.scope
    return {
        one.row.doc: reading(
            states.opened(scope, one.row, one.tags),
            scope.language,
            frozenset(one.episodes) if one.row.kind != "episodic" else frozenset(),
        )
        for one in tx.memories.tied(docs)
    }


def reading(held: Held, language: str, evidence: frozenset[str] = frozenset()) -> Reading:
    row = held.row
    said = row.said_at if row.said_at is not None else row.valid_from or row.recorded_at
    return Reading(held, signals(held.content.text, language), moment(said), evidence)
