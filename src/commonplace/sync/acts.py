"""Final acts as a set that only grows: what is forgotten, which values may not come back, which namespaces are erased.

A value is blocked while the last act on it, by time, is not a lift; what was forgotten is lifted only by who knew that
it was. An id that was forgotten never returns.
"""

from collections.abc import Iterable, Sequence

from commonplace.copies.replay import Value, tombstone
from commonplace.memories.codec import StoredMemory
from commonplace.memories.forgetting import Forgetting
from commonplace.memories.scope import Scope
from commonplace.memories.unit_of_work import Work
from commonplace.store.rows import LedgerEntry, TombstoneRow


class Acts:
    """What the ledger of this book says, and what was added to it in this transaction."""

    def __init__(self, entries: Iterable[LedgerEntry]) -> None:
        self.dead: set[str] = set()
        self.erased: set[str] = set()
        self.added: list[LedgerEntry] = []
        self._forgotten: dict[Value, LedgerEntry] = {}
        """The last forget, or the lift of one."""
        self._last: dict[Value, LedgerEntry] = {}
        """The last act but forgets."""
        for entry in entries:
            self._note(entry)

    def winning(self, entry: LedgerEntry) -> tuple[bytes, ...]:
        """The values on which an act of another book is the last one."""
        return tuple(print for print in entry.fingerprints if self._wins(entry, print))

    def add(self, entry: LedgerEntry) -> bool:
        """Whether it says anything new."""
        new_target = entry.act == "forget" and bool(entry.target) and entry.target not in self.dead
        if not (new_target or entry.fingerprints or entry.act == "erase-namespace"):
            return False
        self._note(entry)
        self.added.append(entry)
        return True

    def stone(self, place: str, fingerprint: bytes) -> TombstoneRow | None:
        """The tombstone that stands on a value."""
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

    def _note(self, entry: LedgerEntry) -> None:
        """In the order of the ledger: the last act on a value counts."""
        if entry.act == "erase-namespace":
            self.erased.add(entry.target)
        if entry.act == "forget" and entry.target:
            self.dead.add(entry.target)
        for fingerprint in entry.fingerprints:
            value = (entry.namespace or "", fingerprint)
            if _is_about_forgetting(entry):
                self._forgotten[value] = entry
            if entry.act != "forget":
                self._last[value] = entry


def _is_about_forgetting(entry: LedgerEntry) -> bool:
    return entry.act == "forget" or (entry.act == "lift" and entry.reason == "forgotten")


def _weight(entry: LedgerEntry) -> tuple[int, int, str]:
    return entry.at, ("lift", "tombstone", "forget").index(entry.act), entry.target


class SyncForgetting(Forgetting):
    """Forgets what another book forgot: by id. Which values stay away was said by the act there, with its own keys."""

    def __init__(self, scope: Scope, acts: Acts) -> None:
        super().__init__(scope)
        self._acts = acts

    def _delete(self, work: Work, stored: StoredMemory, values: Sequence[bytes]) -> None:
        self._acts.dead.add(stored.id)
        super()._delete(work, stored, ())

    def _put_tombstones(self, work: Work, namespace: str, values: Sequence[bytes], *, target: str | None) -> None:
        if target is None:  # names of entities that nothing speaks of any more: an act of this book
            super()._put_tombstones(work, namespace, values, target=target)
