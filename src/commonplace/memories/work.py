"""One change to the book as a unit: rows, versions, words, vectors, feed, audit and receipt, together or not at all.

Every verb that changes what is believed does it through a ``Work``; nothing else writes those rows.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, fields, replace
from functools import wraps
from typing import Any, ParamSpec, TypeVar

from commonplace.clock import micros, moment
from commonplace.errors import NotAllowed, NotFound, StoreBusy
from commonplace.memories import admission, indexing, jobs, states
from commonplace.memories.scope import Scope
from commonplace.memories.states import Held
from commonplace.model import PERSONAL, Action, Change, Receipt
from commonplace.store.ports import Transaction
from commonplace.store.rows import (
    AuditRow,
    EvidenceRow,
    LedgerEntry,
    NamespaceRow,
    ReceiptRow,
    TombstoneRow,
    VersionRow,
)
from commonplace.store.statements import Asked

ROW_BATCH = 2_000
TRIES = 5
"""How often an undone verb is done anew; each time the store itself has tried several times."""
GAP = 2
"""Unused numbers on both sides of a conversation, as far as a turn lends its words to its neighbours."""
Digest = Callable[[bytes], bytes]
TOLD = tuple(one.name for one in fields(Change))


@dataclass(frozen=True, slots=True)
class AuditLine:
    """An act on one thing, before it is chained to the one before."""

    action: str
    noun: str
    id: str
    before: bytes | None
    after: bytes | None
    reason: str | None


class Work:
    """Open for the length of one write transaction; ``receipt`` closes the books and says what was done."""

    def __init__(self, scope: Scope, tx: Transaction, action: str) -> None:
        self.scope, self.tx, self.action = scope.as_set(tx.owners.get()), tx, action
        self.vault = scope.current_vault()
        self.now = micros(scope.clock.now())
        self.ref = scope.clock.new_id()
        """The name of the receipt to come."""
        self.changes: list[Change] = []
        self.notes: list[str] = []
        self.ids: list[str] = []
        self.touched: list[tuple[str, str, int | None, int]] = []
        """(noun, id, version before, version after) of every row written: what `undo` goes by."""
        self._new: list[tuple[Held, str | None]] = []
        self._evidence: list[EvidenceRow] = []
        self._tombstones: list[TombstoneRow] = []
        self._stood: set[tuple[str, bytes]] = set()
        """Values that were tombstoned before: undoing leaves them so."""
        self._lifted: list[TombstoneRow] = []
        self._feed: list[tuple[str, str, str, int | None, str | None]] = []
        self._audit: list[AuditLine] = []
        self._audited = 0

    def namespace(self, name: str | None = None) -> NamespaceRow:
        """The namespace of that name, made if there is none. Raises ``NotAllowed`` beyond the scope's reach."""
        name = self.scope.namespace if name is None else name
        label = self.vault.label("namespace", name)
        row = self.tx.namespaces.by_label(label)
        if row is not None:
            self.scope.places[self.scope.owner, name] = row.id
        if not (self.scope.reach is None if row is None else self.scope.reaches(row.id)):
            raise NotAllowed("you do not reach that namespace")
        if row is None:
            admission.name("namespace", name)
            id = self.scope.clock.new_id()
            row = NamespaceRow(
                id=id,
                label=label,
                sealed=self.vault.seal_json("namespace", id, {"name": name}),
                created_at=self.now,
            )
            self.tx.namespaces.put(row)
            self.record("namespace", id, "ADD", None)
        return row

    def held(self, id: str) -> Held:
        """The memory with that id, or ``NotFound`` if it is not in a namespace that this scope reads."""
        held = self.held_anywhere(id)
        if held.row.namespace not in self.readable():
            raise NotFound("memory", id)
        return held

    def held_anywhere(self, id: str) -> Held:
        """The memory with that id in any namespace that may be touched: what was moved is taken back from there."""
        rows = self.tx.memories.get([id])
        if not rows or not self.scope.reaches(rows[0].namespace):
            raise NotFound("memory", id)
        tags = self.tx.tags.links("memory", [id]).get(id, ())
        return states.opened(self.scope, rows[0], tags)

    def readable(self) -> dict[str, str]:
        """Ids of the namespaces this scope reads, with their names: its own, and the owner's personal one."""
        found = {}
        for name in dict.fromkeys((self.scope.namespace, PERSONAL)):
            row = self.tx.namespaces.by_label(self.vault.label("namespace", name))
            if row is not None and self.scope.reaches(row.id):
                found[row.id] = name
        return found

    def add(self, held: Held, *, evidence: Iterable[EvidenceRow] = (), reason: str | None = None) -> None:
        """Let a new memory in; a document number of 0 is replaced by a fresh one."""
        self._new.append((held, reason))
        self._evidence += evidence
        self.ids.append(held.id)
        self.touched.append((states.NOUN, held.id, None, held.row.version))

    def change(self, before: Held, after: Held, *, action: str, reason: str | None = None) -> Held:
        """Write a new version of a memory. Another text, or the same in another namespace, gets a number of its own.

        The old number stays for history. Tags that were deleted or merged away since are left out.
        """
        self.flush()
        text_changed = after.content.text != before.content.text or after.content.key != before.content.key
        text_changed = text_changed or after.row.namespace != before.row.namespace
        columns: dict[str, Any] = {"version": before.row.version + 1}
        if text_changed:
            columns["doc"] = self.number(after)
        if after.tags != before.tags:
            after = replace(after, tags=tuple(row.id for row in self.tx.tags.get(after.tags)))
        after = after.with_row(**columns)
        self.tx.memories.put(states.sealed(self.vault, after), expected=before.row.version)
        self.tx.versions.put(self._version(after, action, reason))
        if after.content.metadata != before.content.metadata:
            self.tx.memories.set_attributes(after.id, states.attributes(self.vault, after.content.metadata))
        if after.tags != before.tags:
            self.tx.tags.set_links("memory", after.id, after.tags)
        if after.row.kind == "relational":
            self._relate(after, expected=before.row.version)
        if text_changed:
            self._index([after])
            self._feed.append((states.NOUN, after.id, "put", before.row.doc, before.row.namespace))
        self._feed.append((states.NOUN, after.id, "put", after.row.doc, after.row.namespace))
        self.audit(
            action, states.NOUN, after.id, states.digest(self.vault, before), states.digest(self.vault, after), reason
        )
        self.ids.append(after.id)
        self.touched.append((states.NOUN, after.id, before.row.version, after.row.version))
        return after

    def evidence(self, rows: Sequence[EvidenceRow]) -> None:
        self._evidence += rows

    def tombstone(self, held: Held, reason: str, *, values: Sequence[bytes] = ()) -> None:
        """Let a memory's value, and whatever else is given, never come back by itself."""
        for fingerprint in {held.row.fingerprint, *values}:
            self._tombstones.append(
                TombstoneRow(
                    namespace=held.row.namespace,
                    fingerprint=fingerprint,
                    reason=reason,
                    at=self.now,
                    target=held.id,
                )
            )

    def lift(self, namespace: str, fingerprints: Sequence[bytes]) -> int:
        """Let values back in; the audit says so."""
        stood = self.tx.tombstones.among(namespace, fingerprints)
        lifted = self.tx.tombstones.lift(namespace, fingerprints)
        if lifted:
            self._lifted += stood
            self.audit("LIFT", "tombstone", namespace, None, None, None)
            self.ledger("lift", "", namespace, fingerprints)
        return lifted

    def bring_back(self, tombstones: Iterable[TombstoneRow]) -> None:
        """Tombstones that an act lifted, when the act is taken back."""
        self._tombstones += tombstones

    def ledger(
        self,
        act: str,
        target: str,
        namespace: str | None,
        fingerprints: Sequence[bytes] = (),
        reason: str | None = None,
    ) -> None:
        """Write down a final act beside the book. Before the commit: a crash between the two forgets once too often."""
        entry = LedgerEntry(
            owner=self.scope.owner,
            at=self.now,
            act=act,
            target=target,
            namespace=namespace,
            fingerprints=tuple(fingerprints),
            reason=reason,
        )
        self.scope.store.ledger.append([entry])

    def note(
        self,
        action: Action,
        id: str,
        reason: str,
        *,
        statement: str | None = None,
        noun: str = states.NOUN,
        before: int | None = None,
        after: int | None = None,
    ) -> None:
        self.changes.append(
            Change(action=action, noun=noun, id=id, reason=reason, statement=statement, before=before, after=after)
        )

    def record(self, noun: str, id: str, action: str, namespace: str | None, *, operation: str = "put") -> None:
        """Feed and audit for a noun that is not a memory."""
        self._feed.append((noun, id, operation, None, namespace))
        self.audit(action, noun, id, None, None, None)

    def audit(
        self, action: str, noun: str, id: str, before: bytes | None, after: bytes | None, reason: str | None
    ) -> None:
        self._audit.append(AuditLine(action, noun, id, before, after, reason))

    def gone(self, noun: str, id: str, doc: int | None, namespace: str | None) -> None:
        """Tell the feed that something was deleted."""
        self._feed.append((noun, id, "delete", doc, namespace))

    def flush(self) -> None:
        """Write the new memories gathered so far."""
        while self._new:
            batch, self._new = self._new[:ROW_BATCH], self._new[ROW_BATCH:]
            self._write_new(batch)
        if self._evidence:
            self.tx.evidence.put(self._evidence)
            self._evidence = []

    def receipt(
        self, *, state: str = "done", keep: bool = True, trace: str | None = None, shown: str | None = None
    ) -> Receipt:
        """Write what is left, close the audit, and keep the receipt; ``shown`` is its action as the caller sees it."""
        self.flush()
        if self._tombstones:
            for namespace in {row.namespace for row in self._tombstones}:
                values = [row.fingerprint for row in self._tombstones if row.namespace == namespace]
                self._stood |= {(namespace, row.fingerprint) for row in self.tx.tombstones.among(namespace, values)}
            self.tx.tombstones.put(self._tombstones)
            for row in self._tombstones:
                self.ledger("tombstone", row.target or "", row.namespace, [row.fingerprint], row.reason)
        if self._feed:
            self.tx.changes.record(self._feed, at=self.now)
        self._close_audit()
        receipt = Receipt(
            ref=self.ref,
            action=self.action,
            at=moment(self.now),
            actor=self.scope.actor,
            ids=tuple(dict.fromkeys(self.ids)),
            changes=tuple(self.changes),
            state=state,
            trace=trace,
            notes=tuple(self.notes),
        )
        if keep:
            self.tx.receipts.put(self._receipt_row(receipt))
        if shown is not None:
            receipt = replace(receipt, action=shown)
        if self.scope.settle is not None:
            self.scope.settle(self.tx, receipt)
        return receipt

    @property
    def tombstones(self) -> Sequence[TombstoneRow]:
        return self._tombstones

    def _write_new(self, batch: list[tuple[Held, str | None]]) -> None:
        unnumbered = sum(1 for held, _ in batch if not held.row.doc)
        number = self.tx.owners.take_docs(unnumbered) if unnumbered else 0
        helds: list[Held] = []
        versions: list[VersionRow] = []
        for held, reason in batch:
            if not held.row.doc:
                held, number = held.with_row(doc=number), number + 1
            helds.append(held)
            state = states.state(held)
            versions.append(self._version(held, "ADD", reason, known=state))
            self.audit("ADD", states.NOUN, held.id, None, states.digest(self.vault, held, known=state), reason)
            self._feed.append((states.NOUN, held.id, "put", held.row.doc, held.row.namespace))
        self.tx.memories.put_many([states.sealed(self.vault, held) for held in helds])
        self.tx.versions.put_many(versions)
        for held in helds:
            if held.content.metadata:
                self.tx.memories.set_attributes(held.id, states.attributes(self.vault, held.content.metadata))
            if held.tags:
                self.tx.tags.set_links("memory", held.id, held.tags)
            if held.row.kind == "relational":
                self._relate(held, expected=None)
        for namespace in dict.fromkeys(held.row.namespace for held in helds):
            self._index([held for held in helds if held.row.namespace == namespace], new=True)

    def number(self, held: Held) -> int:
        """A document number for another text of a memory; a turn, which lends its words, stands alone then."""
        gap = GAP if held.row.kind == "episodic" else 0
        return self.tx.owners.take_docs(1 + 2 * gap) + gap

    def index_again(self, held: Held) -> None:
        """Words and vectors for a text that was changed in place."""
        self._index([held])
        self._feed.append((states.NOUN, held.id, "put", held.row.doc, held.row.namespace))

    def _relate(self, held: Held, *, expected: int | None) -> None:
        """Keep the graph in step with a relational memory."""
        notes = (held.content.triple or {}).get("notes")
        row = states.relation(held, self.vault.seal_json("relation", held.id, notes))
        self.tx.relations.put(row, expected=expected)

    def _index(self, helds: Sequence[Held], *, new: bool = False) -> None:
        """Words at once; vectors at once where an encoder is at hand, else by a job."""
        namespace = helds[0].row.namespace
        language, zone = self.scope.language, self.scope.zone
        indexing.index(self.tx, self.vault, helds, language=language, zone=zone, new=new)
        indexing.pack_now_and_then(self.tx, namespace, len(helds))
        if not indexing.embed(self.tx, self.scope.encoder(self.vault), helds, new=new):
            jobs.enqueue(self.scope, self.tx, "embed", {"namespace": namespace}, unique=f"embed/{namespace}")

    def _version(
        self, held: Held, action: str, reason: str | None, *, known: Mapping[str, Any] | None = None
    ) -> VersionRow:
        return states.version_row(
            self.vault, held, at=self.now, actor=self.scope.actor, action=action, reason=reason, known=known
        )

    def _receipt_row(self, receipt: Receipt) -> ReceiptRow:
        """Kept without any statement: a receipt must not outlive what is forgotten."""
        plain = {
            "ids": list(receipt.ids),
            "changes": [_unspoken(change) for change in receipt.changes],
            "notes": list(receipt.notes),
            "trace": receipt.trace,
            "audited": self._audited,
            "touched": [list(one) for one in self.touched],
            "tombstones": [
                [row.namespace, row.fingerprint.hex()]
                for row in self._tombstones
                if (row.namespace, row.fingerprint) not in self._stood
            ],
            "lifted": [[row.namespace, row.fingerprint.hex(), row.reason, row.target] for row in self._lifted],
        }
        return ReceiptRow(
            ref=receipt.ref,
            action=receipt.action,
            at=self.now,
            actor=receipt.actor,
            state=receipt.state,
            sealed=self.vault.seal_json("receipt", receipt.ref, plain),
        )

    def _close_audit(self) -> None:
        if not self._audit:
            return
        last = self.tx.audit.last()
        sequence, hash = (last.sequence, last.hash) if last else (0, b"")
        rows = []
        for line in self._audit:
            sequence += 1
            told = (sequence, self.now, self.scope.actor, line.action, line.noun, line.id)
            digest = None if line.reason is None else self.vault.digest(line.reason.encode())
            hash = link(self.vault.digest, hash, told, (line.before, line.after, digest))
            rows.append(
                AuditRow(
                    sequence=sequence,
                    at=self.now,
                    actor=self.scope.actor,
                    action=line.action,
                    noun=line.noun,
                    target=line.id,
                    before=line.before,
                    after=line.after,
                    hash=hash,
                    reason=None if line.reason is None else self.vault.seal_json("audit", str(sequence), line.reason),
                    reason_digest=digest,
                )
            )
        self.tx.audit.append(rows)
        self._audit, self._audited = [], sequence


def _unspoken(change: Change) -> dict[str, Any]:
    """A change as a receipt keeps it: all but what was stated."""
    return {name: None if name == "statement" else getattr(change, name) for name in TOLD}


def link(digest: Digest, previous: bytes, told: Iterable[str | int], digests: Iterable[bytes | None]) -> bytes:
    """The hash that ties a line of the audit to all before it."""
    hashes = [None if one is None else one.hex() for one in digests]
    return digest(previous + json.dumps([*told, *hashes]).encode())


@contextmanager
def working(scope: Scope, action: str, *, foreseen: Sequence[Asked] = ()) -> Iterator[Work]:
    """A write transaction with its ``Work``. The body must end by asking for the receipt."""
    with scope.store.write(scope.owner, foreseen=foreseen) as tx:
        yield Work(scope, tx, action)


Given = ParamSpec("Given")
Done = TypeVar("Done")


def anew(verb: Callable[Given, Done]) -> Callable[Given, Done]:
    """A verb that is one write, done once more from its beginning when the store undid it for another's sake.

    What it read is read again: by then another may have written what makes it a different act.
    """

    @wraps(verb)
    def insisting(*given: Given.args, **named: Given.kwargs) -> Done:
        for _ in range(TRIES):
            try:
                return verb(*given, **named)
            except StoreBusy as busy:
                if not busy.undone:
                    raise
        return verb(*given, **named)

    return insisting
