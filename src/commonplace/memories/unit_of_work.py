"""One change to the book as a unit: rows, versions, words, vectors, feed, audit and receipt, together or not at all.

Every verb that changes beliefs uses a ``Work``; nothing else writes those rows.
"""

import gc
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import fields, replace
from functools import wraps
from typing import Any, NamedTuple, ParamSpec, TypeVar

from commonplace.clock import micros, moment
from commonplace.errors import NotAllowed, NotFound, StoreBusy
from commonplace.memories import admission, codec, indexing, jobs
from commonplace.memories.codec import StoredMemory
from commonplace.memories.scope import Scope
from commonplace.model import PERSONAL, Action, Change, Receipt
from commonplace.security.vault import Vault
from commonplace.store.frozen import maker
from commonplace.store.rows import (
    AuditRow,
    EvidenceRow,
    LedgerEntry,
    NamespaceRow,
    ReceiptRow,
    TombstoneRow,
    VersionRow,
)
from commonplace.store.statements import BoundQuery
from commonplace.store.transaction import Transaction

ROW_BATCH = 2_000
TRIES = 5
"""Retries of a rolled-back verb; for each the store itself has already retried several times."""
GAP = 2
"""Unused document numbers on both sides of a conversation: turns lend their words to neighbours this far."""
Digest = Callable[[bytes], bytes]
CHANGE_FIELDS = tuple(field.name for field in fields(Change))
_audit_row = maker(AuditRow)


class PendingAudit(NamedTuple):
    """An audit entry before it is chained to the previous one."""

    action: str
    noun: str
    id: str
    before: bytes | None
    after: bytes | None
    reason: str | None


class Work:
    """Open for one write transaction; ``receipt`` writes what is pending and returns what was done."""

    def __init__(self, scope: Scope, tx: Transaction, action: str, *, vault: Vault | None = None) -> None:
        """``vault`` encrypts what is written, if not the owner's current one."""
        self.scope, self.tx, self.action = scope.with_owner_settings(tx.owners.get()), tx, action
        self.vault = vault or scope.current_vault()
        self.now = micros(scope.clock.now())
        self.ref = scope.clock.new_id()
        """The ref of the receipt."""
        self.changes: list[Change] = []
        self.notes: list[str] = []
        self.ids: list[str] = []
        self.touched: list[tuple[str, str, int | None, int]] = []
        """(noun, id, version before, version after) of every row written, for `undo`."""
        self._new: list[tuple[StoredMemory, str | None]] = []
        self._evidence: list[EvidenceRow] = []
        self._tombstones: list[TombstoneRow] = []
        self._previously_tombstoned: set[tuple[str, bytes]] = set()
        """Values that were tombstoned before: undo does not lift them."""
        self._lifted: list[TombstoneRow] = []
        self._feed: list[tuple[str, str, str, int | None, str | None]] = []
        self.indexed: set[str] = set()
        """Ids of namespaces whose new texts need token vectors after the write."""
        self._audit: list[PendingAudit] = []
        self._audited = 0

    def namespace(self, name: str | None = None) -> NamespaceRow:
        """The namespace with that name, created if missing. Raises ``NotAllowed`` if it is out of reach."""
        name = self.scope.namespace if name is None else name
        label = self.vault.label("namespace", name)
        row = self.tx.namespaces.by_label(label)
        if row is not None:
            self.scope.places[self.scope.owner, name] = row.id
        if not (self.scope.reach is None if row is None else self.scope.reaches(row.id)):
            raise NotAllowed("your token does not reach that namespace")
        if row is None:
            admission.name("namespace", name)
            row = NamespaceRow(id=self.scope.clock.new_id(), label=label, sealed=b"", created_at=self.now)
            row = self.vault.sealed(row, {"name": name})
            self.tx.namespaces.put(row)
            self.record("namespace", row.id, "ADD", None)
        return row

    def load(self, id: str) -> StoredMemory:
        """The memory with that id. Raises ``NotFound`` if it is not in a namespace that this scope reads."""
        stored = self.load_anywhere(id)
        if stored.row.namespace not in self.readable():
            raise NotFound("memory", id)
        return stored

    def load_anywhere(self, id: str) -> StoredMemory:
        """The memory with that id in any namespace in reach, so that moves can be undone."""
        rows = self.tx.memories.get([id])
        if not rows or not self.scope.reaches(rows[0].namespace):
            raise NotFound("memory", id)
        return codec.all_opened(self.scope, self.tx, rows)[0]

    def readable(self) -> dict[str, str]:
        """Names by id of the namespaces that this scope reads: its own, and the owner's `personal`."""
        names = {}
        for name in dict.fromkeys((self.scope.namespace, PERSONAL)):
            row = self.tx.namespaces.by_label(self.vault.label("namespace", name))
            if row is not None and self.scope.reaches(row.id):
                names[row.id] = name
        return names

    def add(self, stored: StoredMemory, *, evidence: Iterable[EvidenceRow] = (), reason: str | None = None) -> None:
        """Store a new memory; a document number of 0 is replaced by a fresh one."""
        scope, content = self.scope, stored.content
        if content.author is None and content.agent is None and (scope.member or scope.agent):
            stored = replace(stored, content=replace(content, author=scope.member, agent=scope.agent))
        self._new.append((stored, reason))
        self._evidence += evidence
        self.ids.append(stored.id)
        self.touched.append((codec.NOUN, stored.id, None, stored.row.version))

    def change(
        self,
        before: StoredMemory,
        after: StoredMemory,
        *,
        action: str,
        reason: str | None = None,
        receipt_action: Action | None = None,
        receipt_reason: str | None = None,
    ) -> StoredMemory:
        """Write a new version of a memory. Another text or namespace gets its own document number.

        The old number stays for history. Tags that were deleted or merged meanwhile are left out. The receipt has the
        action ``receipt_action`` and the reason ``receipt_reason``, default ``reason``.
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
        self.tx.memories.put(codec.sealed(self.vault, after), expected=before.row.version)
        self.tx.versions.put(self._version(after, action, reason))
        if after.content.metadata != before.content.metadata:
            self.tx.memories.set_attributes(after.id, codec.attributes(self.vault, after.content.metadata))
        if after.tags != before.tags:
            self.tx.tags.set_links("memory", after.id, after.tags)
        if after.content.triple is not None:
            self.tx.relations.put(codec.relation(self.vault, after), expected=before.row.version)
        if text_changed:
            self.index([after])
            self._feed.append((codec.NOUN, after.id, "put", before.row.doc, before.row.namespace))
        self._feed.append((codec.NOUN, after.id, "put", after.row.doc, after.row.namespace))
        self.audit(
            action, codec.NOUN, after.id, codec.digest(self.vault, before), codec.digest(self.vault, after), reason
        )
        self.ids.append(after.id)
        versions = before.row.version, after.row.version
        self.touched.append((codec.NOUN, after.id, *versions))
        if receipt_action is not None:
            self.note(receipt_action, after.id, receipt_reason or reason or "", before=versions[0], after=versions[1])
        return after

    def evidence(self, rows: Sequence[EvidenceRow]) -> None:
        self._evidence += rows

    def tombstone(self, stored: StoredMemory, reason: str, *, values: Sequence[bytes] = ()) -> None:
        """Tombstone a memory's value and ``values``."""
        place, prints = stored.row.namespace, {stored.row.fingerprint, *values}
        self._tombstones += [
            TombstoneRow(namespace=place, fingerprint=print, reason=reason, at=self.now, target=stored.id)
            for print in prints
        ]

    def lift(self, namespace: str, fingerprints: Sequence[bytes]) -> int:
        """Lift tombstones, and record that in the audit."""
        stood = self.tx.tombstones.among(namespace, fingerprints)
        lifted = self.tx.tombstones.lift(namespace, fingerprints)
        if lifted:
            self._lifted += stood
            self.audit("LIFT", "tombstone", namespace, None, None, None)
            # Lift the existing ones and later ones of machines whose clock is ahead. Not those of other machines that
            # are unknown here.
            at = max(self.now, *(row.at + 1 for row in stood))
            for reason in ("forgotten", None):
                prints = [row.fingerprint for row in stood if (row.reason == "forgotten") == (reason is not None)]
                if prints:
                    self.ledger("lift", "", namespace, prints, reason, at=at)
        return lifted

    def bring_back(self, tombstone: TombstoneRow) -> None:
        """Restore a tombstone when the act that lifted it is undone."""
        self._tombstones.append(tombstone)

    def ledger(self, *act: Any, **more: Any) -> None:
        """Record a final act (see ``act``) in the ledger if this transaction commits."""
        self.tx.final_acts.append([self.act(*act, **more)])

    def act(
        self,
        act: str,
        target: str,
        namespace: str | None,
        fingerprints: Sequence[bytes] = (),
        reason: str | None = None,
        at: int | None = None,
    ) -> LedgerEntry:
        """A final act of this owner, as the ledger records it."""
        owner, at, prints = self.scope.owner, self.now if at is None else at, tuple(fingerprints)
        return LedgerEntry(
            owner=owner, at=at, act=act, target=target, namespace=namespace, fingerprints=prints, reason=reason
        )

    def note(
        self,
        action: Action,
        id: str,
        reason: str,
        *,
        statement: str | None = None,
        noun: str = codec.NOUN,
        before: int | None = None,
        after: int | None = None,
    ) -> None:
        self.changes.append(
            Change(action=action, noun=noun, id=id, reason=reason, statement=statement, before=before, after=after)
        )

    def record(self, noun: str, id: str, action: str, namespace: str | None, *, operation: str = "put") -> None:
        """Write feed and audit entries for a noun that is not a memory."""
        self._feed.append((noun, id, operation, None, namespace))
        self.audit(action, noun, id, None, None, None)

    def put_version(self, noun: str, id: str, version: int, action: str, state: Mapping[str, Any]) -> None:
        """Store a version of a noun that is not a memory."""
        row = VersionRow(
            noun=noun,
            id=id,
            version=version,
            recorded_at=self.now,
            superseded_at=None,
            actor=self.scope.actor,
            action=action,
            sealed=self.vault.seal_json("version", f"{noun}/{id}/{version}", state),
        )
        self.tx.versions.put(row)

    def audit(
        self, action: str, noun: str, id: str, before: bytes | None, after: bytes | None, reason: str | None
    ) -> None:
        self._audit.append(PendingAudit(action, noun, id, before, after, reason))

    def gone(self, noun: str, id: str, doc: int | None, namespace: str | None) -> None:
        """Write a deletion to the feed."""
        self._feed.append((noun, id, "delete", doc, namespace))

    def flush(self) -> None:
        """Write the new memories collected so far."""
        while self._new:
            batch, self._new = self._new[:ROW_BATCH], self._new[ROW_BATCH:]
            self._write_new(batch)
        if self._evidence:
            self.tx.evidence.put(self._evidence)
            self._evidence = []

    def receipt(
        self, *, state: str = "done", keep: bool = True, trace: str | None = None, shown: str | None = None
    ) -> Receipt:
        """Write what is pending, close the audit, and store the receipt; ``shown`` overrides its action for the
        caller.
        """
        self.flush()
        if self.only_proposals:
            self.action = "PROPOSE"
        if self._tombstones:
            for namespace in {row.namespace for row in self._tombstones}:
                values = [row.fingerprint for row in self._tombstones if row.namespace == namespace]
                self._previously_tombstoned |= {
                    (namespace, row.fingerprint) for row in self.tx.tombstones.among(namespace, values)
                }
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
            self.scope.settle(self.scope, self.tx, receipt)
        return receipt

    @property
    def only_proposals(self) -> bool:
        """Whether everything became a proposal for a person to decide."""
        asked = self.action not in ("OBSERVE", "LEARN")
        return asked and bool(self.changes) and all(change.action == "PROPOSE" for change in self.changes)

    @property
    def tombstones(self) -> Sequence[TombstoneRow]:
        return self._tombstones

    def _write_new(self, batch: list[tuple[StoredMemory, str | None]]) -> None:
        unnumbered = sum(1 for stored, _ in batch if not stored.row.doc)
        number = self.tx.owners.take_docs(unnumbered) if unnumbered else 0
        vault, stored_memories, rows, versions = self.vault, [], [], []
        for stored, reason in batch:
            if stored.row.doc:
                row = codec.sealed(vault, stored)
            else:
                row, number = codec.sealed(vault, stored, doc=number), number + 1
                stored = replace(stored, row=row)
            stored_memories.append(stored)
            rows.append(row)
            state = codec.state(stored)
            versions.append(self._version(stored, "ADD", reason, known=state))
            self.audit("ADD", codec.NOUN, row.id, None, codec.digest(vault, stored, known=state), reason)
            self._feed.append((codec.NOUN, row.id, "put", row.doc, row.namespace))
        self.tx.memories.put_many(rows)
        self.tx.versions.put_many(versions)
        for stored in stored_memories:
            self.write_links(stored)
        for namespace in dict.fromkeys(stored.row.namespace for stored in stored_memories):
            self.index([stored for stored in stored_memories if stored.row.namespace == namespace], new=True)

    def number(self, stored: StoredMemory) -> int:
        """A document number for a new text of a memory; a turn is then no longer next to its neighbours."""
        gap = GAP if stored.row.kind == "episodic" else 0
        return self.tx.owners.take_docs(1 + 2 * gap) + gap

    def index_again(self, stored: StoredMemory) -> None:
        """Index a text that was changed in place."""
        self.index([stored])
        self._feed.append((codec.NOUN, stored.id, "put", stored.row.doc, stored.row.namespace))

    def write_links(self, stored: StoredMemory, *, expected: int | None = None, replace_existing: bool = False) -> None:
        """Write attributes, tags and relation to their tables; ``replace_existing`` deletes the present rows first."""
        if stored.content.metadata or replace_existing:
            self.tx.memories.set_attributes(stored.id, codec.attributes(self.vault, stored.content.metadata))
        if stored.tags or replace_existing:
            self.tx.tags.set_links("memory", stored.id, stored.tags)
        if stored.content.triple is not None:
            self.tx.relations.put(codec.relation(self.vault, stored), expected=expected)

    def index(self, stored_memories: Sequence[StoredMemory], *, new: bool = False) -> None:
        """Write words, and vectors if an encoder is available; otherwise queue a job for them."""
        namespace = stored_memories[0].row.namespace
        language, zone = self.scope.language, self.scope.zone
        indexing.index(self.tx, self.vault, stored_memories, language=language, zone=zone, new=new)
        indexing.pack_now_and_then(self.tx, namespace, len(stored_memories))
        self.indexed.add(namespace)
        if not indexing.embed(self.tx, self.scope.encoder(self.vault), stored_memories, new=new):
            jobs.enqueue(self.scope, self.tx, "embed", {"namespace": namespace}, unique=f"embed/{namespace}")

    def _version(
        self, stored: StoredMemory, action: str, reason: str | None, *, known: Mapping[str, Any] | None = None
    ) -> VersionRow:
        return codec.version_row(
            self.vault, stored, at=self.now, actor=self.scope.actor, action=action, reason=reason, known=known
        )

    def _receipt_row(self, receipt: Receipt) -> ReceiptRow:
        """The stored receipt has no statements: it must not outlive what is forgotten."""
        plain = {
            "ids": list(receipt.ids),
            "changes": [_without_statement(change) for change in receipt.changes],
            "notes": list(receipt.notes),
            "trace": receipt.trace,
            "audited": self._audited,
            "touched": self.touched,
            "tombstones": [
                [row.namespace, row.fingerprint.hex()]
                for row in self._tombstones
                if (row.namespace, row.fingerprint) not in self._previously_tombstoned
            ],
            "lifted": [[row.namespace, row.fingerprint.hex(), row.reason, row.target] for row in self._lifted],
        }
        return self.receipt_row(receipt.ref, receipt.state, plain, action=receipt.action)

    def receipt_row(
        self, ref: str, state: str, plain: Mapping[str, Any], *, action: str | None = None, at: int | None = None
    ) -> ReceiptRow:
        """The row of a receipt; ``plain`` is its encrypted part."""
        action, at = action or self.action, at or self.now
        row = ReceiptRow(ref=ref, action=action, at=at, actor=self.scope.actor, state=state, sealed=b"")
        return self.vault.sealed(row, plain)

    def _close_audit(self) -> None:
        if not self._audit:
            return
        last = self.tx.audit.last()
        sequence, hash = (last.sequence, last.hash) if last else (0, b"")
        vault, at, actor = self.vault, self.now, self.scope.actor
        rows = []
        for action, noun, id, before, after, reason in self._audit:
            sequence += 1
            digest = None if reason is None else vault.digest(reason.encode())
            hash = link(vault.digest, hash, (sequence, at, actor, action, noun, id), (before, after, digest))
            sealed = None if reason is None else vault.seal_json("audit", str(sequence), reason)
            rows.append(_audit_row((sequence, at, actor, action, noun, id, before, after, hash, sealed, digest)))
        self.tx.audit.append(rows)
        self._audit, self._audited = [], sequence


def _without_statement(change: Change) -> dict[str, Any]:
    """A change without its statement, as receipts store it."""
    return {name: None if name == "statement" else getattr(change, name) for name in CHANGE_FIELDS}


def link(digest: Digest, previous: bytes, fields_: Iterable[str | int], digests: Iterable[bytes | None]) -> bytes:
    """The hash that chains an audit line to all lines before it."""
    hashes = [None if digest_ is None else digest_.hex() for digest_ in digests]
    return digest(previous + json.dumps([*fields_, *hashes]).encode())


@contextmanager
def collector_paused() -> Iterator[None]:
    """Around a batch: nothing of it is garbage before it ends, and the collector of cycles, which runs whenever so many
    objects were made, would go through all of it again and again."""
    if not gc.isenabled():
        yield
        return
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


@contextmanager
def write_transaction(scope: Scope, action: str, *, prefetch: Sequence[BoundQuery] = ()) -> Iterator[Work]:
    """A write transaction with its ``Work``. The body must end by asking for the receipt."""
    with scope.store.write(scope.owner, prefetch=prefetch) as tx:
        work = Work(scope, tx, action)
        yield work
    for namespace in work.indexed:
        scope.encode_soon(scope.owner, namespace)


Parameters = ParamSpec("Parameters")
Outcome = TypeVar("Outcome")


def retry_on_conflict(verb: Callable[Parameters, Outcome]) -> Callable[Parameters, Outcome]:
    """Decorator: retries a verb that is a single write when the store rolled it back in favour of another.

    It reads everything again, because the other write may have changed what the verb has to do.
    """

    @wraps(verb)
    def retrying(*args: Parameters.args, **kwargs: Parameters.kwargs) -> Outcome:
        for _ in range(TRIES):
            try:
                return verb(*args, **kwargs)
            except StoreBusy as busy:
                if not busy.undone:
                    raise
        return verb(*args, **kwargs)

    return retrying
