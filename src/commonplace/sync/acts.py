"""Final acts as a set that only grows: forgotten ids, blocked values, erased namespaces.

A value is blocked while the latest act on it is not a lift; a lift counts against a forget only if its author knew of
the forget. A forgotten id never returns. An act done with knowledge of another one comes after it, even if this
machine's clock is behind: it is restated with a later time before anything is exchanged.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from commonplace.copies.replay import Value, tombstone
from commonplace.memories.codec import StoredMemory
from commonplace.memories.forgetting import Forgetting
from commonplace.memories.scope import Scope
from commonplace.memories.unit_of_work import Work
from commonplace.store.rows import LedgerEntry, TombstoneRow


class Acts:
    """The acts in this book's ledger, and those added in this transaction."""

    def __init__(self, entries: Iterable[LedgerEntry], settled: int = 0) -> None:
        """The first ``settled`` entries are in the order of their times; the others were made here since."""
        self.dead: set[str] = set()
        self.erased: set[str] = set()
        self.added: list[LedgerEntry] = []
        self.restated: list[LedgerEntry] = []
        """Added acts of this machine on values whose latest act, by time, was still to come."""
        self._forgotten: dict[Value, LedgerEntry] = {}
        """The last forget, or the lift of one."""
        self._last: dict[Value, LedgerEntry] = {}
        """The last act other than a forget."""
        for number, entry in enumerate(entries):
            if number >= settled and (late := self._late(entry)) is not None:
                self._note(late)
                self.added.append(late)
                self.restated.append(late)
            self._note(entry)

    def winning(self, entry: LedgerEntry) -> tuple[bytes, ...]:
        """The values for which an act of another book is the last one."""
        return tuple(print for print in entry.fingerprints if self._wins(entry, print))

    def add(self, entry: LedgerEntry) -> bool:
        """Add an act; returns whether it was new."""
        new_target = entry.act == "forget" and bool(entry.target) and entry.target not in self.dead
        if not (new_target or entry.fingerprints or entry.act == "erase-namespace"):
            return False
        self._note(entry)
        self.added.append(entry)
        return True

    def stone(self, place: str, fingerprint: bytes) -> TombstoneRow | None:
        """The tombstone that the acts put on a value."""
        entry = self._standing((place, fingerprint))
        if entry is None or entry.act == "lift":
            return None
        return tombstone((place, fingerprint), entry)

    def _standing(self, value: Value) -> LedgerEntry | None:
        forgotten = self._forgotten.get(value)
        return forgotten if forgotten is not None and forgotten.act == "forget" else self._last.get(value)

    def _wins(self, entry: LedgerEntry, fingerprint: bytes) -> bool:
        value = (entry.namespace or "", fingerprint)
        standing = self._forgotten.get(value) if entry.act == "forget" else self._standing(value)
        if standing is None:
            return True
        if standing.act == "forget" and not _is_about_forgetting(entry):
            return False
        return _weight(entry) > _weight(standing)

    def _late(self, entry: LedgerEntry) -> LedgerEntry | None:
        """An act of this machine, restated after those that it overrules; None if its time is already later."""
        overruled = [
            (print, earlier.at)
            for print in entry.fingerprints
            for earlier in self._overruled(entry, (entry.namespace or "", print))
            if _weight(earlier) > _weight(entry)
        ]
        if not overruled:
            return None
        prints = dict.fromkeys(print for print, _ in overruled)
        return replace(entry, at=max(at for _, at in overruled) + 1, fingerprints=tuple(prints))

    def _overruled(self, entry: LedgerEntry, value: Value) -> list[LedgerEntry]:
        acts = [self._forgotten.get(value) if _is_about_forgetting(entry) else None]
        acts.append(self._last.get(value) if entry.act != "forget" else None)
        return [act for act in acts if act is not None]

    def _note(self, entry: LedgerEntry) -> None:
        """Record the act if it is the last one on its value, in whatever order acts arrive."""
        if entry.act == "erase-namespace":
            self.erased.add(entry.target)
        if entry.act == "forget" and entry.target:
            self.dead.add(entry.target)
        for fingerprint in entry.fingerprints:
            value = (entry.namespace or "", fingerprint)
            if _is_about_forgetting(entry) and _is_later(entry, self._forgotten.get(value)):
                self._forgotten[value] = entry
            if entry.act != "forget" and _is_later(entry, self._last.get(value)):
                self._last[value] = entry


def _is_about_forgetting(entry: LedgerEntry) -> bool:
    return entry.act == "forget" or (entry.act == "lift" and entry.reason == "forgotten")


def _weight(entry: LedgerEntry) -> tuple[int, int, str]:
    return entry.at, ("lift", "tombstone", "forget").index(entry.act), entry.target


def _is_later(entry: LedgerEntry, other: LedgerEntry | None) -> bool:
    return other is None or _weight(entry) > _weight(other)


class SyncForgetting(Forgetting):
    """Deletes by id what another book forgot. The act there has blocked the values, with its own keys."""

    def __init__(self, scope: Scope, acts: Acts) -> None:
        super().__init__(scope)
        self._acts = acts

    def _delete(self, work: Work, stored: StoredMemory, values: Sequence[bytes]) -> None:
        self._acts.dead.add(stored.id)
        super()._delete(work, stored, ())

    def _put_tombstones(self, work: Work, namespace: str, values: Sequence[bytes], *, target: str | None) -> None:
        if target is None:  # names of entities without any references: this is an act of this book
            super()._put_tombstones(work, namespace, values, target=target)
