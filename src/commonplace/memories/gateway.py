"""The only module that decides what is believed; all others write beliefs through it."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import partial
from typing import Any, TypeVar

from commonplace.clock import micros, moment
from commonplace.errors import Conflict, Invalid, NotAllowed, NotFound, Refused, Tombstoned
from commonplace.memories import admission, codec, indexing
from commonplace.memories.codec import Content, StoredMemory, stamp
from commonplace.memories.conflicts import ConflictSearch, Contradiction
from commonplace.memories.glossary import tag_ids, undo_tag
from commonplace.memories.importance import importance
from commonplace.memories.proposals import DECISION, WAITING, WITHDRAWN, is_waiting, propose
from commonplace.memories.resent import resent
from commonplace.memories.residue import FORGOTTEN
from commonplace.memories.scope import Scope
from commonplace.memories.trust import source_rank
from commonplace.memories.unit_of_work import GAP, Work, collector_paused, retry_on_conflict, write_transaction
from commonplace.model import (
    CURRENT,
    Action,
    MemoryColumns,
    Message,
    NewMemory,
    Receipt,
    RevisionFields,
    Source,
    Status,
    time_fields,
)
from commonplace.security.vault import Vault
from commonplace.store.rows import EvidenceRow, Filter, MemoryRow, NamespaceRow, SessionRow, TombstoneRow
from commonplace.store.statements import BoundQuery
from commonplace.store.tables import word
from commonplace.store.tables.memory import by_value
from commonplace.store.transaction import Transaction
from commonplace.text.sentences import sentences
from commonplace.text.words import words

STATED, DEFAULT_CONFIDENCE = 0.9, 0.7
"""Default confidence: of what a person states through their own interface, and of everything else."""
CORROBORATION = 0.3
"""The share of the remaining doubt that a second independent statement removes."""
SUPERSEDES = "supersedes"
"""Metadata of a memory in review: ids of the memories that it replaces when a person confirms it."""
FREE_FIELDS = frozenset({"metadata", "tags"})
"""Fields that do not affect what is believed: anybody may change them."""
TRUSTED_NOUNS = ("memory", "entity", "tag", "namespace")
MOST_JUDGED = 20
"""Up to this many statements per batch the judge compares each with existing beliefs; beyond it only rules do."""
MOST_SPEAKERS = 500
FIRST_RUN = 16
"""Document numbers reserved for a new conversation."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ObservedEpisodes:
    """The stored episodes of a conversation, for learning."""

    receipt: Receipt
    kept: tuple[StoredMemory, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Admission:
    """How a conclusion is admitted, where that differs from a statement."""

    status: Status | None = None
    """Overrides the status that the interface gives."""
    action: Action = "ADD"
    """The action in the receipt: ``UPDATE`` if it replaces something."""
    reason: str = "new"
    waits: bool = False
    """A candidate for review; tombstones do not keep it out."""
    confirmed_at: int | None = None
    """When it was last confirmed, if not now."""

    @property
    def history(self) -> bool:
        return self.status is not None and self.status not in CURRENT


DEFAULT_ADMISSION = Admission()


@dataclass(frozen=True, slots=True)
class ExistingValues:
    """The known and tombstoned values of one call, looked up in one query, and the values that the call has added."""

    namespace: NamespaceRow
    prints: Mapping[str, Sequence[bytes]]
    """The fingerprints of each value: first its own, then those it had in the books it was imported from."""
    tombstones: Mapping[bytes, str]
    ids: Mapping[bytes, Sequence[str]]
    added: dict[tuple[bytes, str, str | None], StoredMemory] = field(default_factory=dict)

    @classmethod
    def look_up(cls, work: Work, news: Iterable[NewMemory]) -> "ExistingValues":
        namespace = work.namespace()
        values = dict.fromkeys(value(new.text, new.key) for new in news)
        prints = {text_value: work.vault.fingerprints(namespace.id, text_value) for text_value in values}
        all_prints = [text_value for several in prints.values() for text_value in several]
        return cls(namespace, prints, *work.tx.memories.by_value(namespace.id, all_prints, statuses=CURRENT))

    @staticmethod
    def prefetch(scope: Scope, new: NewMemory, search: ConflictSearch | None) -> list[BoundQuery]:
        """The queries of ``look_up`` and ``search``, if namespace and keys have not changed since this process last saw
        them.
        """
        place, vault = scope.places.get((scope.owner, scope.namespace)), scope.vaults.get(scope.owner)
        if place is None or vault is None:
            return []
        queries = [by_value(place, vault.fingerprints(place, value(new.text, new.key)), CURRENT)]
        terms = list(dict.fromkeys(words(search.words_of, scope.language))) if search else []
        return [*queries, word.fetch(place, vault.terms(place, terms))] if terms else queries

    def tombstone(self, prints: Sequence[bytes]) -> str | None:
        """Why the value is tombstoned; None if it is not."""
        return _among(self.tombstones, prints)

    def same(self, work: Work, row: MemoryRow) -> StoredMemory | None:
        """The current memory with the same value; it may have been changed earlier in this call."""
        if added := self.added.get((row.fingerprint, row.kind, row.directive)):
            return added
        ids = self.ids.get(row.fingerprint)
        for memory_row in work.tx.memories.get(ids) if ids else ():
            alike = (memory_row.kind, memory_row.directive, memory_row.key) == (row.kind, row.directive, row.key)
            if alike and memory_row.status in CURRENT:
                return codec.all_opened(work.scope, work.tx, [memory_row])[0]
        return None


Stone = TypeVar("Stone")
Then = Callable[[Work, Sequence[StoredMemory]], None]


class Gateway:
    """All writes of one scope. Every public method is one transaction and durable when it returns."""

    def __init__(self, scope: Scope) -> None:
        self.scope = scope

    @retry_on_conflict
    def remember(self, new: NewMemory) -> Receipt:
        """Store a memory. A known value is corroborated. Raises ``Refused`` or ``Tombstoned``; nothing is
        changed then.
        """
        new, notes = admission.admit(new, max_text=self.scope.max_text)
        indexing.precompute(self.scope, [(new.text, None)])
        search = self._conflicts(new)
        with write_transaction(
            self.scope, "REMEMBER", prefetch=ExistingValues.prefetch(self.scope, new, search)
        ) as work:
            work.notes += notes
            stored = self._admit(work, new, ExistingValues.look_up(work, [new]), search=search)
            work.ids.insert(0, stored.id)  # the memory itself comes before those it ended
            return work.receipt(shown=work.changes[0].action)

    @retry_on_conflict
    @collector_paused()
    def remember_many(self, items: Sequence[NewMemory]) -> Receipt:
        """Like ``remember`` for many: all or none of the batch. Tombstoned items are skipped and named in the
        receipt.
        """
        admitted = [admission.admit(item, max_text=self.scope.max_text) for item in items]
        indexing.precompute(self.scope, [(new.text, None) for new, _ in admitted])
        few = len(admitted) <= MOST_JUDGED
        searches = [self._conflicts(new, judged=few) for new, _ in admitted]
        with write_transaction(self.scope, "REMEMBER") as work:
            if not admitted:
                return work.receipt()
            existing = ExistingValues.look_up(work, [new for new, _ in admitted])
            work.tx.ahead(*(partial(search.look_up, work) for search in searches if search and search.look_up))
            for number, (new, notes) in enumerate(admitted):
                work.notes += notes
                try:
                    self._admit(work, new, existing, search=searches[number])
                except Tombstoned as refusal:
                    work.note("NOOP", "", f"item {number}: {refusal.reason} before")
            return work.receipt()

    def admit(
        self,
        work: Work,
        new: NewMemory,
        *,
        evidence: Iterable[tuple[str, str | None]] = (),
        triple: Mapping[str, Any] | None = None,
        terms: Admission = DEFAULT_ADMISSION,
    ) -> StoredMemory:
        """Admit a conclusion as part of a larger unit of work, with its evidence: episodes and quotes."""
        new, notes = admission.admit(new, max_text=self.scope.max_text)
        work.notes += notes
        existing = ExistingValues.look_up(work, [new])
        search = self._conflicts(new)
        return self._admit(work, new, existing, evidence=evidence, triple=triple, terms=terms, search=search)

    def _conflicts(self, new: NewMemory, *, judged: bool = True) -> ConflictSearch | None:
        read = self.scope.read_statement
        return None if read is None else read(self.scope, new, judged)

    def corroborate_within(
        self, work: Work, stored: StoredMemory, evidence: EvidenceRow, *, at: int, verified: bool
    ) -> StoredMemory:
        """Corroborate a belief with one more piece of evidence: it is confirmed at ``at`` and gains confidence."""
        work.evidence([evidence])
        confirmed = max(at, stored.row.last_confirmed_at or 0)
        after = stored.with_row(confidence=_corroborated_confidence(stored.row.confidence), last_confirmed_at=confirmed)
        if verified:
            after = self._with_writer(after).with_row(status="verified")
        return _corroboration(work, stored, after)

    @retry_on_conflict
    def observe(
        self, messages: Sequence[Message], *, session: str | None = None, then: Then | None = None
    ) -> ObservedEpisodes:
        """Store a conversation word for word, searchable at once. Raises ``Refused`` if there is nothing to store.

        ``then`` is called in the same transaction with the stored episodes, to queue work that must not be lost.
        """
        cleaned = [(message, admission.clean_message(message, max_text=self.scope.max_text)) for message in messages]
        messages_left = [(message, clean) for message, clean in cleaned if clean is not None]
        if not messages_left:
            raise Refused(
                "nothing to observe: every message is empty, private, or only repeats recalled context",
                code="nothing_to_keep",
            )
        if session is not None:
            session = admission.name("session", session, limit=512)
        indexing.precompute(self.scope, [(clean.text, message.speaker) for message, clean in messages_left], turn=True)
        with write_transaction(self.scope, "OBSERVE") as work:
            episodes = self._episodes(work, [(message, clean.text) for message, clean in messages_left], session)
            work.notes += [note for _, clean in messages_left for note in clean.notes]
            if then is not None:
                then(work, episodes)
            return ObservedEpisodes(receipt=work.receipt(), kept=tuple(episodes))

    @retry_on_conflict
    def revise(
        self, id: str, text: str | None = None, *, reason: str | None = None, expected: int | None = None, **fields: Any
    ) -> Receipt:
        """Correct a memory: the old value is tombstoned, the new one becomes the next version."""
        given, reason = dict(fields), admission.remark("reason", reason)
        fields = _revisable(fields)
        with write_transaction(self.scope, "REVISE") as work:
            before = _expect(work.load(id), expected)
            content = before.content
            if text is not None:
                content = replace(content, text=admission.clean(text, max_text=self.scope.max_text).text)
            judged = text is not None or set(fields) - FREE_FIELDS
            content = replace(content, **{name: fields.pop(name) for name in codec.TYPED_FIELDS if name in fields})
            if judged and self.outranked(before):
                self._refuse_tombstoned(work, before, content.text)
                propose(work, "revise", before, text=content.text, arguments=_arguments(text, given), reason=reason)
                return work.receipt()
            after = replace(before, content=content).with_row(fingerprint=self.fingerprint(work, before, content.text))
            if "tags" in fields:
                namespace = work.tx.namespaces.get(before.row.namespace)
                assert namespace is not None
                after = replace(after, tags=tag_ids(work, namespace.id, fields.pop("tags")))
            return self._revised(work, before, after.with_row(**fields), reason)

    def revise_within(
        self, work: Work, before: StoredMemory, content: Content, reason: str | None, confidence: float | None
    ) -> Receipt:
        """Like ``revise``, for a relation whose content is already built."""
        fields = _revisable({} if confidence is None else {"confidence": confidence})
        fingerprint = self.fingerprint(work, before, content.text)
        after = replace(before, content=content).with_row(fingerprint=fingerprint, **fields)
        return self._revised(work, before, after, reason)

    def _revised(self, work: Work, before: StoredMemory, after: StoredMemory, reason: str | None) -> Receipt:
        if after.row.fingerprint != before.row.fingerprint:
            after = self._corrected(work, before, after)
            author = after.content.author if self.scope.decides else self.scope.member
            after = replace(after, content=replace(after.content, author=author, agent=self.scope.agent))
        self._put(work, before, self._with_writer(after), "REVISE", reason or "corrected")
        return work.receipt()

    @retry_on_conflict
    def confirm(self, id: str, *, expected: int | None = None) -> Receipt:
        """Confirm a memory. A person's confirmation lifts the tombstone on its value."""
        with write_transaction(self.scope, "CONFIRM") as work:
            self.confirm_within(work, _expect(work.load(id), expected))
            return work.receipt()

    def confirm_within(self, work: Work, before: StoredMemory) -> None:
        after = before.with_row(last_confirmed_at=work.now, confidence=_corroborated_confidence(before.row.confidence))
        if self.scope.person:
            after = self._with_writer(after).with_row(status="verified", retired_at=None)
            work.lift(before.row.namespace, _values(work, before))
            # End the memories that a confirmed one replaces.
            for row in work.tx.memories.get([str(id) for id in before.content.metadata.get(SUPERSEDES, ())]):
                if row.status in CURRENT:
                    old = work.load_anywhere(row.id)
                    self.scope.deciding_about(old.content.author)
                    self.supersede(
                        work, old, before.row.valid_from or work.now, "replaced in review", receipt_action="UPDATE"
                    )
        self._put(work, before, after, "CONFIRM", "confirmed")

    @retry_on_conflict
    def reject(self, id: str, *, reason: str | None = None, expected: int | None = None) -> Receipt:
        """Mark a memory as wrong: it is hidden and its value tombstoned."""
        reason = admission.remark("reason", reason)
        with write_transaction(self.scope, "REJECT") as work:
            before = _expect(work.load(id), expected)
            self.reject_within(work, before, reason)
            return work.receipt()

    def reject_within(self, work: Work, before: StoredMemory, reason: str | None) -> None:
        if self.outranked(before):
            propose(work, "reject", before, reason=reason)
            return
        work.tombstone(before, "rejected", values=_values(work, before))
        after = self._with_writer(before).with_row(status="rejected", retired_at=work.now)
        work.change(
            before, after, action="REJECT", reason=reason, receipt_action="DELETE", receipt_reason=reason or "rejected"
        )

    @retry_on_conflict
    def archive(self, ids: Sequence[str], *, reason: str | None = None) -> Receipt:
        """Hide memories without judging them; `undo` brings them back."""
        reason = admission.remark("reason", reason)
        with write_transaction(self.scope, "ARCHIVE") as work:
            for id in ids:
                before = work.load(id)
                if before.row.status == "archived":
                    continue
                if self.outranked(before):
                    propose(work, "archive", before, reason=reason)
                    continue
                after = self._with_writer(before).with_row(status="archived", retired_at=work.now)
                self._put(work, before, after, "ARCHIVE", reason or "")
            return work.receipt()

    @retry_on_conflict
    def end(self, id: str, *, at: datetime | None = None, reason: str | None = None) -> Receipt:
        """Mark a memory as true only until now or ``at``. Nothing is tombstoned."""
        reason = admission.remark("reason", reason)
        with write_transaction(self.scope, "END") as work:
            before = work.load(id)
            self.end_within(work, before, stamp(admission.aware("at", at)) or work.now, reason)
            return work.receipt()

    def end_within(self, work: Work, before: StoredMemory, at: int, reason: str | None) -> None:
        if self.outranked(before):
            propose(work, "end", before, arguments={"at": moment(at).isoformat()}, reason=reason)
            return
        ended = _ended(self._with_writer(before), at, work.now)
        work.change(before, ended, action="END", reason=reason or "ended", receipt_action="DELETE")

    def supersede(
        self,
        work: Work,
        old: StoredMemory,
        at: int,
        reason: str,
        *,
        receipt_action: Action | None = None,
        receipt_reason: str | None = None,
    ) -> None:
        """End a belief because a newer one has taken its slot. The caller checks ``outranked`` first."""
        work.change(
            old,
            _ended(old, at, work.now),
            action="SUPERSEDE",
            reason=reason,
            receipt_action=receipt_action,
            receipt_reason=receipt_reason,
        )

    @retry_on_conflict
    def adjust_importance(self, id: str, by: float) -> Receipt:
        """Raise or lower a memory's importance because it did or did not help."""
        with write_transaction(self.scope, "WEIGH") as work:
            before = work.load(id)
            importance = round(min(max(before.row.importance + by, 0.0), 1.0), 4)
            reason = "found useful" if by > 0 else "found not useful"
            self._put(work, before, before.with_row(importance=importance), "WEIGH", reason)
            return work.receipt()

    @retry_on_conflict
    def rollback(self, id: str, *, to: int, expected: int | None = None) -> Receipt:
        """Restore an earlier version as the newest one."""
        with write_transaction(self.scope, "ROLLBACK") as work:
            before = _expect(work.load(id), expected)
            if self.outranked(before):
                earlier = self._version(work, before, to)
                self._refuse_rejected(work, earlier)
                propose(work, "rollback", before, text=earlier.content.text, arguments={"to": to})
            else:
                self._restore(work, before, to, "ROLLBACK", f"back to version {to}")
            return work.receipt()

    def undo(self, ref: str) -> Receipt:
        """Undo everything that a receipt did. Raises ``Conflict`` if something changed since; nothing is
        changed then.
        """
        with write_transaction(self.scope, "UNDO") as work:
            plain = self.undoable(work.tx, ref)
            ids = dict.fromkeys(id for noun, id, *_ in plain["touched"] if noun == codec.NOUN)
            memories = (codec.opened(self.scope, row) for row in work.tx.memories.get(list(ids)))
            if outranked := next((memory for memory in memories if self.outranked(memory)), None):
                propose(work, "undo", outranked, arguments={"ref": ref})
                return work.receipt()
            for noun, id, before, after in reversed(_collapsed(plain["touched"])):
                UNDOERS[noun](self, work, id, before, after)
            for namespace, fingerprint in plain["tombstones"]:
                work.lift(namespace, [bytes.fromhex(fingerprint)])
            for place, print, reason, target in plain.get("lifted", ()):
                stone = {"namespace": place, "fingerprint": bytes.fromhex(print), "reason": reason, "target": target}
                work.bring_back(TombstoneRow(**stone, at=work.now))
            return work.receipt()

    def undoable(self, tx: Transaction, ref: str) -> dict[str, Any]:
        """The content of a receipt that this caller may undo; else raises ``Invalid`` or ``NotAllowed``."""
        row = tx.receipts.get(ref)
        if row is None:
            raise NotFound("receipt", ref)
        if row.action in ("FORGET", "ERASE"):
            raise Invalid("forgetting and erasing cannot be undone", code="final")
        if self.scope.reach is not None and row.actor != self.scope.actor:
            # a receipt does not record the namespaces it touched
            raise NotAllowed(
                "with access to some namespaces only, you can undo only your own changes", code="undo_by_others"
            )
        plain: dict[str, Any] = self.scope.opened(row)
        if plain.get("tombstones") and row.actor != self.scope.actor and not self.scope.person:
            raise NotAllowed("only a person can undo what others rejected or corrected", code="undo_by_others")
        parts = any(noun not in TRUSTED_NOUNS for noun, *_ in plain["touched"])
        if parts and row.actor != self.scope.actor and not self.scope.person:
            raise NotAllowed("only a person can undo what others did to many memories at once", code="undo_by_others")
        return plain

    def lift(self, text: str) -> int:
        """Lift tombstones, so that a rejected or forgotten value can be stated again; only through a person's
        interface.

        ``text`` is the value, ``key=value`` or the value of a core key, or the id of the memory that had it.
        """
        if not self.scope.person:
            raise Refused(
                "only a person can lift a tombstone; ask one to run `commonplace review lift`", code="needs_person"
            )
        with write_transaction(self.scope, "LIFT") as work:
            namespace = work.namespace().id
            core = work.tx.tombstones.among(namespace, work.vault.fingerprints(namespace, core_value(text)))
            targets = {text, *(row.target for row in core if row.target)}
            prints = [row.fingerprint for row in work.tx.tombstones.all(namespace=namespace) if row.target in targets]
            lifted = work.lift(namespace, list({*prints, *work.vault.fingerprints(namespace, text)}))
            work.receipt()
        return lifted

    def fingerprint(self, work: Work, stored: StoredMemory, text: str) -> bytes:
        return work.vault.fingerprint(stored.row.namespace, value(text, stored.content.key))

    def outranked(self, stored: StoredMemory) -> bool:
        """Whether a higher rank wrote it: this scope can only propose a change."""
        return stored.protected_from(self.scope)

    def _with_writer(self, after: StoredMemory) -> StoredMemory:
        """The state with the current actor as its writer."""
        return after.with_rank(max(after.rank, self.scope.rank))

    def _admit(
        self,
        work: Work,
        new: NewMemory,
        existing: ExistingValues,
        *,
        evidence: Iterable[tuple[str, str | None]] = (),
        triple: Mapping[str, Any] | None = None,
        terms: Admission = DEFAULT_ADMISSION,
        search: ConflictSearch | None = None,
    ) -> StoredMemory:
        """Check for tombstone, duplicate, core key and conflicts, in that order; then store."""
        if (new.kind == "relational") != (triple is not None):
            raise Invalid("relations come from `relate`, which takes subject, predicate and object")
        prints = existing.prints[value(new.text, new.key)]
        if not terms.waits:
            self._check_tombstones(work, new, existing)
        stored = self._new_stored(work, existing.namespace, new, prints[0], triple=triple, terms=terms)
        row = stored.row
        if not terms.history:
            same = existing.same(work, row)
            if same is not None:
                return self._corroborate(work, same, stored, evidence)
            if row.key is not None:
                stored = self._replace_core(work, stored)
                if is_waiting(stored.content.metadata):
                    return stored
        conflicts = search.find(work, stored) if search and not terms.history and not terms.waits else ()
        outranked = any(
            conflict.stored.rank > stored.rank or conflict.stored.is_from_another_member(self.scope)
            for conflict in conflicts
        )
        if outranked:
            ids = [conflict.stored.id for conflict in conflicts]
            stored = stored.with_metadata({**stored.content.metadata, "contradicts": ids[0], SUPERSEDES: ids})
            stored = stored.with_row(status="candidate")
        existing.added[row.fingerprint, row.kind, row.directive] = stored
        work.add(
            stored,
            evidence=evidence_rows(work, stored.id, evidence),
            reason=None if terms is DEFAULT_ADMISSION else terms.reason,
        )
        work.note(terms.action, stored.id, terms.reason, statement=stored.content.text, after=1)
        for conflict in conflicts:
            self._end_contradicted(work, stored, conflict, ended=not outranked)
        return stored

    def _end_contradicted(self, work: Work, stored: StoredMemory, conflict: Contradiction, *, ended: bool) -> None:
        """End what a new memory contradicts; if its rank does not allow that, only add a note."""
        old = conflict.stored
        if ended:
            at, reason = stored.row.valid_from or work.now, f"{conflict.reason}; ended"
            self.supersede(work, old, at, conflict.reason, receipt_action="UPDATE", receipt_reason=reason)
            if conflict.value:  # a core key must not be left without a value
                core = NewMemory(text=conflict.value, kind="core", key=old.content.key, source=stored.row.source)
                self._admit(work, core, ExistingValues.look_up(work, [core]))
            work.notes.append(f"Contradicts {old.id}; ended.")
        else:
            work.note("PROPOSE", old.id, f"{conflict.reason}; proposed", before=old.row.version)
            work.notes.append(f"Contradicts {old.id}, which stays; a person decides in review.")

    def _check_tombstones(self, work: Work, new: NewMemory, existing: ExistingValues) -> None:
        """Only a person's confirmation brings back a rejected or forgotten value; else raises ``Tombstoned``."""
        namespace = existing.namespace.id
        reason = existing.tombstone(existing.prints[value(new.text, new.key)])
        if reason is None:
            self._refuse_forgotten(work, namespace, new.text, new.key)
        elif not new.confirm or not self.scope.person:
            raise Tombstoned(reason, person=self.scope.person)
        else:
            work.lift(namespace, tombstone_values(work.vault, namespace, new.text, new.key))
            work.notes.append(f"This was {reason} before; it is kept again because a person confirmed it.")

    def _new_stored(
        self,
        work: Work,
        namespace: NamespaceRow,
        new: NewMemory,
        fingerprint: bytes,
        *,
        triple: Mapping[str, Any] | None,
        terms: Admission,
    ) -> StoredMemory:
        source = new.source or self.scope.source
        trusted = self.scope.person and source == "user"
        confirmed = work.now if trusted else None
        weight = importance(kind=new.kind, category=new.category, source=source, text=new.text)
        columns = {name: getattr(new, name) for name in STATED_COLUMNS}
        columns |= {name: stamp(columns[name]) for name in time_fields(NewMemory)}
        columns |= {
            "source": source,
            "status": terms.status or ("verified" if trusted else "candidate"),
            "importance": float(weight if new.importance is None else new.importance),
            "confidence": float(
                (STATED if trusted else DEFAULT_CONFIDENCE) if new.confidence is None else new.confidence
            ),
            "last_confirmed_at": confirmed if terms.confirmed_at is None else terms.confirmed_at,
        }
        row = MemoryRow(
            **columns,
            id=self.scope.clock.new_id(),
            namespace=namespace.id,
            recorded_at=work.now,
            fingerprint=fingerprint,
            sealed=b"",
            doc=0,
            key=None if new.key is None else work.vault.label("core", f"{namespace.id}/{new.key}"),
        )
        rank = source_rank(source, self.scope.rank)
        content = Content(**{name: getattr(new, name) for name in codec.TYPED_FIELDS}, triple=triple, rank=rank)
        return StoredMemory(row=row, content=content, tags=tag_ids(work, namespace.id, new.tags))

    def _corroborate(
        self, work: Work, same: StoredMemory, again: StoredMemory, evidence: Iterable[tuple[str, str | None]]
    ) -> StoredMemory:
        """The same value stated again: more confidence, confirmed now, with the new tags and metadata added."""
        work.evidence(evidence_rows(work, same.id, evidence))
        if same.row.version == 1 and same.row.doc == 0:  # added earlier in this batch, not yet written
            work.note("NOOP", same.id, "said twice in this batch")
            return same
        status: Status = "verified" if "verified" in (same.row.status, again.row.status) else "candidate"
        metadata = {**same.content.metadata, **again.content.metadata}
        if again.rank < same.rank:
            metadata = {**again.content.metadata, **same.content.metadata}
        after = replace(
            same,
            content=replace(same.content, metadata=metadata, rank=max(same.rank, again.rank)),
            tags=tuple(dict.fromkeys((*same.tags, *again.tags))),
        ).with_row(status=status, confidence=_corroborated_confidence(same.row.confidence), last_confirmed_at=work.now)
        return _corroboration(work, same, after)

    def _replace_core(self, work: Work, stored: StoredMemory) -> StoredMemory:
        """End the previous value of a core key where the new one begins."""
        filter = Filter(namespaces=(stored.row.namespace,), key=stored.row.key, statuses=CURRENT)
        for row in work.tx.memories.find(filter):
            stored = stored.with_row(valid_from=stored.row.valid_from or work.now)
            old = codec.all_opened(self.scope, work.tx, [row])[0]
            if old.rank > stored.rank or old.is_from_another_member(self.scope):
                arguments = {"key": stored.content.key, "category": stored.row.category}
                return propose(work, "set", old, text=stored.content.text, arguments=arguments)
            self.supersede(
                work, old, stored.row.valid_from or work.now, "a newer value for the key", receipt_action="UPDATE"
            )
        return stored

    def _corrected(self, work: Work, before: StoredMemory, after: StoredMemory) -> StoredMemory:
        """Check that the new value is not tombstoned, and tombstone the old one."""
        if self.scope.person:
            work.lift(after.row.namespace, _values(work, after))
            after = after.with_row(status="verified", source=self.scope.source, last_confirmed_at=work.now)
        else:
            self._refuse_tombstoned(work, after, after.content.text)
            after = after.with_row(status="candidate", source=self.scope.source)
        self._refuse_forgotten(work, after.row.namespace, after.content.text, after.content.key)
        work.tombstone(before, "corrected", values=_values(work, before))
        return after

    def _refuse_tombstoned(self, work: Work, stored: StoredMemory, text: str) -> None:
        prints = work.vault.fingerprints(stored.row.namespace, value(text, stored.content.key))
        for tombstone in work.tx.tombstones.among(stored.row.namespace, prints):
            raise Tombstoned(tombstone.reason, person=self.scope.person)

    def _refuse_forgotten(self, work: Work, namespace: str, text: str, key: str | None) -> None:
        """A forgotten text does not come back as the value of a key, unless a person states it."""
        if key is None or self.scope.person:
            return
        for row in work.tx.tombstones.among(namespace, work.vault.fingerprints(namespace, text)):
            if row.reason == "forgotten":
                raise Tombstoned(row.reason)

    def end_present_value(self, work: Work, stored: StoredMemory) -> None:
        """End the present value of a core key when an earlier one is restored."""
        if stored.row.key is None or stored.row.status not in CURRENT:
            return
        filter = Filter(namespaces=(stored.row.namespace,), key=stored.row.key, statuses=CURRENT)
        for row in work.tx.memories.find(filter):
            if row.id != stored.id:
                other = work.load_anywhere(row.id)
                reason, change = "another value of the key holds again", "another value holds again"
                self.supersede(work, other, work.now, reason, receipt_action="UPDATE", receipt_reason=change)

    def _put(self, work: Work, before: StoredMemory, after: StoredMemory, action: str, reason: str) -> StoredMemory:
        self.end_present_value(work, after)
        return work.change(before, after, action=action, reason=reason, receipt_action="UPDATE")

    def _restore(self, work: Work, before: StoredMemory, to: int, action: str, reason: str) -> None:
        earlier = self._version(work, before, to)
        if action == "ROLLBACK" and earlier.row.status in CURRENT:
            # A corrected value may come back with its version; a rejected or forgotten one only through a person.
            self._refuse_rejected(work, earlier)
            work.lift(earlier.row.namespace, _values(work, earlier))
        elif earlier.row.fingerprint != before.row.fingerprint:
            work.lift(before.row.namespace, [earlier.row.fingerprint])
        after = earlier.with_row(uses=before.row.uses, last_used_at=before.row.last_used_at, doc=before.row.doc)
        if earlier.rank > self.scope.rank:
            unsure = "candidate" if earlier.row.status == "verified" else earlier.row.status
            after = after.with_row(status=unsure, source=self.scope.source)
        rank = self.scope.rank if action == "ROLLBACK" else min(earlier.rank, self.scope.rank)
        self._put(work, before, after.with_rank(rank), action, reason)

    def _version(self, work: Work, stored: StoredMemory, number: int) -> StoredMemory:
        for row in work.tx.versions.of(codec.NOUN, stored.id):
            if row.version == number:
                earlier, _ = codec.opened_version(self.scope, row)
                if self.scope.reaches(earlier.row.namespace):
                    return earlier
        raise Invalid(f"memory {stored.id!r} has versions 1 to {stored.row.version}, not {number}")

    def _refuse_rejected(self, work: Work, earlier: StoredMemory) -> None:
        for tombstone in work.tx.tombstones.among(earlier.row.namespace, _values(work, earlier)):
            if tombstone.reason != "corrected" and not self.scope.person:
                raise Tombstoned(tombstone.reason)

    def _undo_memory(self, work: Work, id: str, before: int | None, after: int) -> None:
        stored = work.load_anywhere(id)
        if stored.row.version != after:
            raise Conflict("memory", id, expected=after, found=stored.row.version)
        if before is None:
            archived = stored.with_row(status="archived", retired_at=work.now)
            if is_waiting(stored.content.metadata):
                archived = archived.with_metadata({**stored.content.metadata, WAITING: False, DECISION: WITHDRAWN})
            self._put(work, stored, archived, "UNDO", "undone")
        else:
            self._restore(work, stored, before, "UNDO", f"undone: back to version {before}")

    def _episodes(self, work: Work, spoken: Sequence[tuple[Message, str]], session: str | None) -> list[StoredMemory]:
        namespace = work.namespace()
        accepted: list[tuple[Message, str, Status, bytes]] = []
        redacted = all_without_forgotten(work, namespace.id, [text for _, text in spoken])
        prints = [work.vault.fingerprint(namespace.id, text) for text, _ in redacted]
        again, session = self._resent(work, namespace.id, [message for message, _ in spoken], prints, session)
        for (message, _), (text, status), fingerprint in list(zip(spoken, redacted, prints, strict=True))[again:]:
            if not text.replace(FORGOTTEN, "").strip():
                work.note("NOOP", "", "forgotten before")
            elif self._already_stored(work, namespace.id, fingerprint, message):
                work.note("NOOP", "", "the same message was observed before")
            else:
                accepted.append((message, text, status, fingerprint))
        if not accepted:
            return []
        self._record_speakers(work, namespace, [message.speaker for message, *_ in accepted])
        talk, docs, position = self._session(work, namespace.id, session, len(accepted))
        stored_memories = []
        for offset, ((message, text, status, fingerprint), doc) in enumerate(zip(accepted, docs, strict=True)):
            source: Source = message.role  # every role is also a source
            row = MemoryRow(
                id=self.scope.clock.new_id(),
                namespace=namespace.id,
                kind="episodic",
                category="context",
                status=status if message.role != "tool" else "candidate",
                source=source,
                importance=importance(kind="episodic", category="context", source=source, text=text),
                confidence=STATED,
                recorded_at=work.now,
                fingerprint=fingerprint,
                sealed=b"",
                doc=doc,
                session=talk.id,
                role=message.role,
                said_at=work.now if message.at is None else micros(_aware(message.at)),
                valid_from=work.now if message.at is None else min(work.now, micros(_aware(message.at))),
                position=position + offset,
            )
            content = Content(
                text=text,
                metadata=admission.metadata(message.metadata),
                speaker=None if message.speaker is None else admission.name("speaker", message.speaker),
                session=self.scope.opened(talk)["name"],
            )
            stored_memories.append(StoredMemory(row=row, content=content))
            work.add(stored_memories[-1])
        return stored_memories

    def _resent(
        self, work: Work, namespace: str, messages: Sequence[Message], prints: Sequence[bytes], session: str | None
    ) -> tuple[int, str | None]:
        """How many leading messages repeat stored ones, and the name of the conversation that they continue."""
        label = None if session is None else work.vault.label("session", f"{namespace}/{session}")
        talk = None if label is None else work.tx.sessions.by_label(namespace, label)
        if session is not None and talk is None:
            return 0, session
        again, id = resent(work, namespace, list(zip(messages, prints, strict=True)), talk.id if talk else None)
        if not again:
            return 0, session
        work.note("NOOP", "", f"{again} messages were observed before")
        for row in work.tx.sessions.get([id]) if id and talk is None else ():
            session = self.scope.opened(row)["name"]
        return again, session

    def _record_speakers(self, work: Work, namespace: NamespaceRow, speakers: Iterable[str | None]) -> None:
        """Record who speaks here, so that questions can refer to them by name."""
        plain = self.scope.opened(namespace)
        speakers_known = plain.get("speakers", [])
        added = [name for name in dict.fromkeys(speakers) if name and name not in speakers_known]
        if added and len(speakers_known) < MOST_SPEAKERS:
            plain["speakers"] = [*speakers_known, *added][:MOST_SPEAKERS]
            work.tx.namespaces.put(work.vault.sealed(namespace, plain))

    def _already_stored(self, work: Work, namespace: str, fingerprint: bytes, message: Message) -> bool:
        """Whether the same words at the same time are stored: an import or a hook that ran twice."""
        if message.at is None:
            return False
        at = micros(_aware(message.at))
        filter = Filter(namespaces=(namespace,), kinds=("episodic",), fingerprint=fingerprint, since=at, until=at + 1)
        return bool(work.tx.memories.find(filter, limit=1))

    def _session(self, work: Work, namespace: str, name: str | None, count: int) -> tuple[SessionRow, list[int], int]:
        """The conversation, document numbers for its next ``count`` turns, and the position of the first one."""
        name = name or self.scope.clock.new_id()
        label = work.vault.label("session", f"{namespace}/{name}")
        talk = work.tx.sessions.by_label(namespace, label)
        if talk is None:
            begun = {"started_at": work.now, "position": 0, "next_doc": 0, "end_doc": 0}
            talk = SessionRow(id=self.scope.clock.new_id(), namespace=namespace, label=label, sealed=b"", **begun)
            talk = work.vault.sealed(talk, {"name": name})
        docs = list(range(talk.next_doc, min(talk.next_doc + count, talk.end_doc)))
        end = talk.end_doc
        if missing := count - len(docs):
            size = max(2 * missing, FIRST_RUN, min(talk.position, 512))
            first = work.tx.owners.take_docs(size + 2 * GAP) + GAP
            if first == end + 2 * GAP and end:
                first = end  # nobody else wrote meanwhile: continue without a gap
            end = first + size
            docs += range(first, first + missing)
        position = talk.position
        talk = replace(talk, position=position + count, next_doc=docs[-1] + 1, end_doc=end)
        work.tx.sessions.put(talk)
        return talk, docs, position


A_DAY = 86_400_000_000


def _ended(stored: StoredMemory, at: int, now: int) -> StoredMemory:
    """The memory with its end set; before a future end it stays current."""
    start = stored.row.valid_from
    status = "stale" if at <= now + A_DAY else stored.row.status
    return stored.with_row(status=status, valid_to=at if start is None or at > start else start + 1)


Undoer = Callable[[Gateway, Work, str, int | None, int], None]
UNDOERS: dict[str, Undoer] = {
    codec.NOUN: Gateway._undo_memory,
    "tag": lambda gateway, work, key, before, after: undo_tag(work, key, before, after),
}
"""How each noun's changes in a receipt are undone; ``upkeep/undo.py`` lists those of the other nouns."""


def _corroboration(work: Work, before: StoredMemory, after: StoredMemory) -> StoredMemory:
    """Surer, and the first times a little more important, unless somebody gave an importance of their own."""
    remark, row = "said again: corroborated", before.row
    versions = work.tx.versions.of(codec.NOUN, row.id) if row.version > 1 else ()
    times = sum(version.action == "CORROBORATE" for version in versions)
    weigh = partial(importance, kind=row.kind, category=row.category, source=row.source, text=before.content.text)
    if row.importance == weigh(corroborations=times):
        after = after.with_row(importance=weigh(corroborations=times + 1))
    return work.change(
        before, after, action="CORROBORATE", reason="said again", receipt_action="NOOP", receipt_reason=remark
    )


def value(text: str, key: str | None) -> str:
    """The value that a tombstone is keyed on: the text, and the key of a core memory."""
    return text if key is None else f"{key}={text}"


def sealed_quote(work: Work, noun: str, id: str, episode: str, quote: str | None) -> bytes | None:
    return None if quote is None else work.vault.seal_json("evidence", f"{noun}/{id}/{episode}", quote)


def evidence_rows(work: Work, id: str, evidence: Iterable[tuple[str, str | None]]) -> list[EvidenceRow]:
    """Rows that link a memory to its episodes. A quote opens only under the id it was encrypted for."""
    rows = [(EvidenceRow(noun=codec.NOUN, id=id, episode=episode, sealed=None), quote) for episode, quote in evidence]
    return [row if quote is None else work.vault.sealed(row, quote) for row, quote in rows]


def _values(work: Work, stored: StoredMemory) -> list[bytes]:
    """The fingerprints under which a memory's value may be tombstoned."""
    return tombstone_values(work.vault, stored.row.namespace, stored.content.text, stored.content.key)


def core_value(text: str) -> str:
    """The value of a second tombstone of a core value, which finds it without its key."""
    return f"core value {text}"


def tombstone_values(vault: Vault, namespace: str, text: str, key: str | None) -> list[bytes]:
    """Every fingerprint under which a value may be tombstoned."""
    prints = vault.fingerprints(namespace, value(text, key))
    return prints if key is None else [*prints, *vault.fingerprints(namespace, core_value(text))]


def without_forgotten(work: Work, namespace: str, text: str) -> tuple[str, Status]:
    """The text without forgotten sentences; a turn that is only a rejected value gets status ``archived``."""
    return all_without_forgotten(work, namespace, [text])[0]


def all_without_forgotten(work: Work, namespace: str, texts: Sequence[str]) -> list[tuple[str, Status]]:
    """Like ``without_forgotten`` for several texts, with one look-up."""
    prints: dict[str, Sequence[bytes]] = {}
    for text in texts:
        for part in (text, *(span.text for span in sentences(text))):
            if part not in prints:
                prints[part] = work.vault.fingerprints(namespace, part)
    all_prints = [print for several in prints.values() for print in several]
    tombstones = {row.fingerprint: row for row in work.tx.tombstones.among(namespace, all_prints)}
    return [_left(text, prints, tombstones) if tombstones else (text, "verified") for text in texts]


def _left(
    text: str, prints: Mapping[str, Sequence[bytes]], tombstones: Mapping[bytes, TombstoneRow]
) -> tuple[str, Status]:
    if whole_text := _among(tombstones, prints[text]):
        return (FORGOTTEN, "verified") if whole_text.reason == "forgotten" else (text, "rejected")
    for span in reversed(sentences(text)):
        tombstone = _among(tombstones, prints[span.text])
        if tombstone is not None and tombstone.reason == "forgotten":
            text = text[: span.start] + FORGOTTEN + text[span.end :]
    return text, "verified"


STATED_COLUMNS = tuple(name for name in MemoryColumns.__dataclass_fields__ if name in NewMemory.__dataclass_fields__)


def _among(tombstones: Mapping[bytes, Stone], prints: Sequence[bytes]) -> Stone | None:
    return next((tombstones[print] for print in prints if print in tombstones), None)


def _collapsed(touched: Iterable[Sequence[Any]]) -> list[tuple[str, str, int | None, int]]:
    """One entry per item: its version before the first change and after the last."""
    versions: dict[tuple[str, str], tuple[int | None, int]] = {}
    for noun, id, before, after in touched:
        first = versions.get((noun, id), (before, after))[0]
        versions[noun, id] = (first, after)
    return [(noun, id, before, after) for (noun, id), (before, after) in versions.items()]


def _revisable(fields: dict[str, Any]) -> dict[str, Any]:
    allowed = RevisionFields.__annotations__
    if unknown := set(fields) - set(allowed):
        raise Invalid(f"cannot revise {', '.join(sorted(unknown))}; one of {', '.join(sorted(allowed))}")
    probe = NewMemory(text="probe", **{name: value_ for name, value_ in fields.items() if value_ is not None})
    clean, _ = admission.admit(probe, max_text=100)
    times, typed = time_fields(NewMemory), codec.TYPED_FIELDS
    names = [name for name, value_ in fields.items() if value_ is not None or name in times or name in typed]
    result = {name: fields[name] if name == "tags" else getattr(clean, name) for name in names}
    return result | {name: stamp(result[name]) for name in times if name in result}


def _arguments(text: str | None, fields: Mapping[str, Any]) -> dict[str, Any]:
    """The keywords of a revision as JSON, for a proposal."""
    plain = {name: value_.isoformat() if isinstance(value_, datetime) else value_ for name, value_ in fields.items()}
    return {"text": text is not None, "fields": {**plain, **({"tags": list(plain["tags"])} if "tags" in plain else {})}}


def _expect(stored: StoredMemory, expected: int | None) -> StoredMemory:
    if expected is not None and stored.row.version != expected:
        raise Conflict("memory", stored.id, expected=expected, found=stored.row.version)
    return stored


def entity_value(label: str) -> str:
    """The value of a tombstone on an entity's name."""
    return f"entity {label}"


def less_confident(confidence: float) -> float:
    """The confidence before the last corroboration."""
    return round(max(0.0, 1 - (1 - confidence) / (1 - CORROBORATION)), 4)


def _corroborated_confidence(confidence: float) -> float:
    return round(1 - (1 - confidence) * (1 - CORROBORATION), 4)


def _aware(at: datetime) -> datetime:
    aware = admission.aware("at", at)
    assert aware is not None
    return aware
