"""Filters the files' text: nothing that was forgotten, rejected or corrected since may be shown."""

from collections.abc import Sequence
from dataclasses import dataclass

from commonplace.clock import micros
from commonplace.errors import Tombstoned
from commonplace.memories.scope import Scope
from commonplace.model import CURRENT, PERSONAL
from commonplace.store.rows import Filter
from commonplace.store.transaction import Transaction
from commonplace.text.sentences import clauses, sentences

MARK = "[withdrawn]"
LONGEST = 24
"""Maximum words of a part of a line that is compared with withdrawn values."""


@dataclass(frozen=True, slots=True)
class Current:
    """Looks texts up in the book by their fingerprints, so that the book needs no text of withdrawn values."""

    scope: Scope

    def shown(self, texts: Sequence[str]) -> dict[str, str | None]:
        """Each text as it may be shown: unchanged, with withdrawn parts marked, or None if nothing is left."""
        vault = self.scope.vault
        with self.scope.store.read(self.scope.owner) as tx:
            labels = [vault.label("namespace", name) for name in dict.fromkeys((self.scope.namespace, PERSONAL))]
            spaces = [row.id for label in labels if (row := tx.namespaces.by_label(label)) is not None]
            dead = {space: {row.fingerprint for row in tx.tombstones.all(namespace=space)} for space in spaces}
            return {text: self._shown(tx, text, dead) for text in dict.fromkeys(texts)}

    def _shown(self, tx: Transaction, text: str, dead: dict[str, set[bytes]]) -> str | None:
        vault = self.scope.vault
        for space, withdrawn in dead.items():
            fingerprint = vault.fingerprint(space, text)
            if fingerprint in withdrawn or self._over(tx, space, fingerprint):
                return None
            if withdrawn:
                for stretch in _stretches(text):
                    if stretch in text and vault.fingerprint(space, stretch) in withdrawn:
                        text = text.replace(stretch, MARK)
                if not text.replace(MARK, "").strip(" .,;:|-"):
                    return None
        return text

    def _over(self, tx: Transaction, space: str, fingerprint: bytes) -> bool:
        """Whether the book knows the value, but only as something that is no longer true."""
        rows = tx.memories.find(Filter(namespaces=(space,), fingerprint=fingerprint), limit=50)
        beliefs = [row for row in rows if row.kind != "episodic"]
        now = micros(self.scope.clock.now())
        return bool(beliefs) and all(
            row.status == "rejected"
            or (row.status not in (*CURRENT, "archived") and row.valid_to is not None and row.valid_to <= now)
            for row in beliefs
        )


def refuse_withdrawn(scope: Scope, text: str) -> None:
    """Raise ``Tombstoned`` for a value that was corrected or forgotten."""
    with scope.store.read(scope.owner) as tx:
        row = tx.namespaces.by_label(scope.vault.label("namespace", scope.namespace))
        tombstones = tx.tombstones.among(row.id, [scope.vault.fingerprint(row.id, text)]) if row else []
    if tombstones:
        raise Tombstoned(tombstones[0].reason)


def _stretches(text: str) -> list[str]:
    """Sentences, clauses and every run of words, longest first: a withdrawn value may be any of them."""
    stretches = dict.fromkeys(span.text for span in (*sentences(text), *clauses(text)))
    words = text.split()
    for size in range(min(len(words), LONGEST), 0, -1):
        for start in range(len(words) - size + 1):
            run = " ".join(words[start : start + size]).strip(".,;:!?()\"'`")
            if size > 1 or any(letter.isdigit() for letter in run):
                stretches[run] = None
    return sorted((item for item in stretches if item), key=len, reverse=True)
