"""The one way in. No other code decides what is believed, and none writes it but through here."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

from commonplace.clock import micros
from commonplace.errors import Conflict, Invalid, NotAllowed, Refused, Tombstoned
from commonplace.memories import admission, indexing, states
from commonplace.memories.admission import NewMemory
from commonplace.memories.glossary import tag_ids, undo_tag
from commonplace.memories.importance import importance
from commonplace.memories.scope import Scope
from commonplace.memories.states import Content, Held, stamp
from commonplace.memories.work import GAP, Work, anew, working
from commonplace.model import CURRENT, Action, Message, Receipt, Source, Status
from commonplace.store.ports import Transaction
from commonplace.store.rows import EvidenceRow, Filter, MemoryRow, NamespaceRow, SessionRow, TombstoneRow
from commonplace.store.statements import Asked
from commonplace.store.tables.memory import by_value
from commonplace.text.sentences import sentences

FORGOTTEN = "[forgotten]"
STATED, HEARD = 0.9, 0.7
"""Confidence in what a person states through their own door, and in everything else, unless the caller knows better."""
CORROBORATION = 0.3
"""How much of the remaining doubt a second independent statement takes away."""
MOST_SPEAKERS = 500
FIRST_RUN = 16
"""Document numbers reserved for a new conversation."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Episodes:
    """A conversation kept: what `observe` learns from."""

    receipt: Receipt
    kept: tuple[Held, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Terms:
    """How a conclusion is let in, where it is not as usual."""

    status: Status | None = None
    """Instead of what the door gives it."""
    action: Action = "ADD"
    """What the receipt calls it: ``UPDATE`` where it takes the place of something."""
    reason: str = "new"
    waits: bool = False
    """For a person to look at: a candidate that no tombstone keeps out."""
    confirmed_at: int | None = None
    """When it was last seen to be so, where that is not now."""

    @property
    def history(self) -> bool:
        return self.status is not None and self.status not in CURRENT


AS_USUAL = Terms()


@dataclass(frozen=True, slots=True)
class Standing:
    """What stands already of the values that one call states, asked at once; and what the call has added since."""

    namespace: NamespaceRow
    prints: Mapping[str, Sequence[bytes]]
    """The fingerprints of each value: its own first, then those it had in the books that something came from."""
    tombstones: Mapping[bytes, str]
    ids: Mapping[bytes, Sequence[str]]
    added: dict[tuple[bytes, str, str | None], Held] = field(default_factory=dict)

    @classmethod
    def of(cls, work: Work, news: Iterable[NewMemory]) -> "Standing":
        namespace = work.namespace()
        values = dict.fromkeys(value(new.text, new.key) for new in news)
        prints = {one: work.vault.fingerprints(namespace.id, one) for one in values}
        asked = [one for some in prints.values() for one in some]
        return cls(namespace, prints, *work.tx.memories.by_value(namespace.id, asked, statuses=CURRENT))

    @staticmethod
    def foreseen(scope: Scope, new: NewMemory) -> list[Asked]:
        """What ``of`` will ask, if namespace and keys are still as this process last saw them."""
        place, vault = scope.places.get((scope.owner, scope.namespace)), scope.vaults.get(scope.owner)
        if place is None or vault is None:
            return []
        return [by_value(place, vault.fingerprints(place, value(new.text, new.key)), CURRENT)]

    def refuse_tombstoned(self, prints: Sequence[bytes]) -> None:
        for one in prints:
            if one in self.tombstones:
                raise Tombstoned(self.tombstones[one])

    def same(self, work: Work, row: MemoryRow) -> Held | None:
        """The memory that says the same, as it is now: something before in this call may have changed it."""
        if added := self.added.get((row.fingerprint, row.kind, row.directive)):
            return added
        ids = self.ids.get(row.fingerprint)
        for found in work.tx.memories.get(ids) if ids else ():
            alike = (found.kind, found.directive, found.key) == (row.kind, row.directive, row.key)
            if alike and found.status in CURRENT:
                return states.opened(work.scope, found, work.tx.tags.links("memory", [found.id]).get(found.id, ()))
        return None


Then = Callable[[Work, Sequence[Held]], None]


class Gateway:
    """Writes for one scope. Every method is one transaction, durable when it returns."""

    def __init__(self, scope: Scope) -> None:
        self.scope = scope

    @anew
    def remember(self, new: NewMemory) -> Receipt:
        """Keep a stated memory. Said before: corroborated. Raises ``Refused`` or ``Tombstoned``, changing nothing."""
        new, notes = admission.admit(new, max_text=self.scope.max_text)
        indexing.foresee(self.scope, [(new.text, None)])
        with working(self.scope, "REMEMBER", foreseen=Standing.foreseen(self.scope, new)) as work:
            work.notes += notes
            self._let_in(work, new, Standing.of(work, [new]))
            return work.receipt(shown=work.changes[0].action)

    @anew
    def remember_many(self, items: Sequence[NewMemory]) -> Receipt:
        """As ``remember``, for many at once: all or none of the batch. A tombstoned one is left out and named."""
        admitted = [admission.admit(item, max_text=self.scope.max_text) for item in items]
        indexing.foresee(self.scope, [(new.text, None) for new, _ in admitted])
        with working(self.scope, "REMEMBER") as work:
            if not admitted:
                return work.receipt()
            standing = Standing.of(work, [new for new, _ in admitted])
            for number, (new, notes) in enumerate(admitted):
                work.notes += notes
                try:
                    self._let_in(work, new, standing)
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
        terms: Terms = AS_USUAL,
    ) -> Held:
        """Let a conclusion in as part of a larger work, with the episodes (and quotes) it rests on."""
        new, notes = admission.admit(new, max_text=self.scope.max_text)
        work.notes += notes
        return self._let_in(work, new, Standing.of(work, [new]), evidence=evidence, triple=triple, terms=terms)

    def corroborate_within(self, work: Work, held: Held, evidence: EvidenceRow, *, at: int, verified: bool) -> Held:
        """A belief was said again in another turn: surer, confirmed at ``at``, and with one more piece of evidence."""
        work.evidence([evidence])
        confirmed = max(at, held.row.last_confirmed_at or 0)
        after = held.with_row(confidence=_surer(held.row.confidence), last_confirmed_at=confirmed)
        if verified:
            after = after.with_row(status="verified")
        after = work.change(held, after, action="CORROBORATE", reason="said again")
        work.note("NOOP", held.id, "said again: corroborated", before=held.row.version, after=after.row.version)
        return after

    @anew
    def observe(self, messages: Sequence[Message], *, session: str | None = None, then: Then | None = None) -> Episodes:
        """Keep a conversation word for word, findable at once. Raises ``Refused`` if there is nothing to keep.

        ``then`` is called in the same transaction with what was kept: to leave work that must not get lost.
        """
        cleaned = [(one, admission.clean_message(one, max_text=self.scope.max_text)) for one in messages]
        heard = [(one, clean) for one, clean in cleaned if clean is not None]
        if not heard:
            raise Refused("nothing to observe: every message is empty, private, or only repeats recalled context")
        if session is not None:
            session = admission.name("session", session, limit=512)
        indexing.foresee(self.scope, [(clean.text, one.speaker) for one, clean in heard], turn=True)
        with working(self.scope, "OBSERVE") as work:
            kept = self._episodes(work, [(one, clean.text) for one, clean in heard], session)
            work.notes += [note for _, clean in heard for note in clean.notes]
            if then is not None:
                then(work, kept)
            return Episodes(receipt=work.receipt(), kept=tuple(kept))

    @anew
    def revise(
        self, id: str, text: str | None = None, *, reason: str | None = None, expected: int | None = None, **fields: Any
    ) -> Receipt:
        """Correct a memory: the old value leaves a tombstone, the new one takes its place as the next version."""
        fields, reason = _revisable(fields), admission.remark("reason", reason)
        with working(self.scope, "REVISE") as work:
            before = _expect(work.held(id), expected)
            content = before.content
            if text is not None:
                content = replace(content, text=admission.clean(text, max_text=self.scope.max_text).text)
            if "metadata" in fields:
                content = replace(content, metadata=admission.metadata(fields.pop("metadata")))
            after = replace(before, content=content).with_row(fingerprint=self.fingerprint(work, before, content.text))
            if "tags" in fields:
                namespace = work.tx.namespaces.get(before.row.namespace)
                assert namespace is not None
                after = replace(after, tags=tag_ids(work, namespace.id, fields.pop("tags")))
            return self._revised(work, before, after.with_row(**fields), reason)

    def revise_within(
        self, work: Work, before: Held, content: Content, reason: str | None, confidence: float | None
    ) -> Receipt:
        """As ``revise``, for a relation whose content was made elsewhere."""
        fields = _revisable({} if confidence is None else {"confidence": confidence})
        fingerprint = self.fingerprint(work, before, content.text)
        after = replace(before, content=content).with_row(fingerprint=fingerprint, **fields)
        return self._revised(work, before, after, reason)

    def _revised(self, work: Work, before: Held, after: Held, reason: str | None) -> Receipt:
        if after.row.fingerprint != before.row.fingerprint:
            after = self._corrected(work, before, after)
        self._put(work, before, after, "REVISE", reason or "corrected")
        return work.receipt()

    @anew
    def confirm(self, id: str, *, expected: int | None = None) -> Receipt:
        """Vouch for a memory. A person's confirmation lifts the tombstone on its value."""
        with working(self.scope, "CONFIRM") as work:
            self.confirm_within(work, _expect(work.held(id), expected))
            return work.receipt()

    def confirm_within(self, work: Work, before: Held) -> None:
        after = before.with_row(last_confirmed_at=work.now, confidence=_surer(before.row.confidence))
        if self.scope.person:
            after = after.with_row(status="verified", retired_at=None)
            work.lift(before.row.namespace, _values(work, before))
        self._put(work, before, after, "CONFIRM", "confirmed")

    @anew
    def reject(self, id: str, *, reason: str | None = None, expected: int | None = None) -> Receipt:
        """Say that a memory is wrong: it stays out of sight, and its value cannot come back by itself."""
        reason = admission.remark("reason", reason)
        with working(self.scope, "REJECT") as work:
            before = _expect(work.held(id), expected)
            self.reject_within(work, before, reason)
            return work.receipt()

    def reject_within(self, work: Work, before: Held, reason: str | None) -> None:
        work.tombstone(before, "rejected")
        after = before.with_row(status="rejected", retired_at=work.now)
        work.change(before, after, action="REJECT", reason=reason)
        work.note("DELETE", before.id, reason or "rejected", before=before.row.version, after=after.row.version + 1)

    @anew
    def archive(self, ids: Sequence[str], *, reason: str | None = None, action: str = "ARCHIVE") -> Receipt:
        """Put memories out of sight, without judging them; `undo` brings them back."""
        reason = admission.remark("reason", reason)
        with working(self.scope, action) as work:
            for id in ids:
                before = work.held(id)
                if before.row.status != "archived":
                    self._put(
                        work, before, before.with_row(status="archived", retired_at=work.now), "ARCHIVE", reason or ""
                    )
            return work.receipt()

    @anew
    def end(self, id: str, *, at: datetime | None = None, reason: str | None = None) -> Receipt:
        """Say that a memory is no longer true: it was, until now or ``at``. Nothing is tombstoned."""
        reason = admission.remark("reason", reason)
        with working(self.scope, "END") as work:
            before = work.held(id)
            self.end_within(work, before, stamp(admission.aware("at", at)) or work.now, reason or "ended")
            return work.receipt()

    def end_within(self, work: Work, before: Held, at: int, reason: str) -> None:
        start = before.row.valid_from
        after = before.with_row(status="stale", valid_to=at if start is None or at > start else start + 1)
        work.change(before, after, action="END", reason=reason)
        work.note("DELETE", before.id, reason, before=before.row.version, after=before.row.version + 1)

    def supersede(self, work: Work, old: Held, at: int, reason: str) -> None:
        """Close a belief's validity because a newer one has taken its slot."""
        start = old.row.valid_from
        after = old.with_row(status="stale", valid_to=at if start is None or at > start else start + 1)
        work.change(old, after, action="SUPERSEDE", reason=reason)

    @anew
    def weigh(self, id: str, by: float) -> Receipt:
        """Make a memory a little more or less important, because it did or did not help."""
        with working(self.scope, "WEIGH") as work:
            before = work.held(id)
            importance = round(min(max(before.row.importance + by, 0.0), 1.0), 4)
            reason = "found useful" if by > 0 else "found not useful"
            self._put(work, before, before.with_row(importance=importance), "WEIGH", reason)
            return work.receipt()

    @anew
    def rollback(self, id: str, *, to: int, expected: int | None = None) -> Receipt:
        """Restore an earlier version as the newest one."""
        with working(self.scope, "ROLLBACK") as work:
            before = _expect(work.held(id), expected)
            self._restore(work, before, to, "ROLLBACK", f"back to version {to}")
            return work.receipt()

    def undo(self, ref: str) -> Receipt:
        """Take back everything a receipt did. Raises ``Conflict`` if something changed since, and changes nothing."""
        with working(self.scope, "UNDO") as work:
            kept = self.undoable(work.tx, ref)
            for noun, id, before, after in reversed(_collapsed(kept["touched"])):
                UNDOERS[noun](self, work, id, before, after)
            for namespace, fingerprint in kept["tombstones"]:
                work.lift(namespace, [bytes.fromhex(fingerprint)])
            work.bring_back(
                TombstoneRow(namespace=place, fingerprint=bytes.fromhex(print), reason=why, at=work.now, target=target)
                for place, print, why, target in kept.get("lifted", ())
            )
            return work.receipt()

    def undoable(self, tx: Transaction, ref: str) -> dict[str, Any]:
        """What a receipt keeps, if its act can be taken back, and by whom asks; else ``Invalid`` or ``NotAllowed``."""
        row = tx.receipts.get(ref)
        if row is None:
            raise Invalid(f"no receipt {ref!r} of this owner; `receipts` lists them")
        if row.action in ("FORGET", "ERASE"):
            raise Invalid("forgetting and erasing are the two acts that cannot be undone")
        if self.scope.reach is not None and row.actor != self.scope.actor:
            # a receipt does not say which namespaces it touched
            raise NotAllowed("who reaches only some namespaces takes back only what they did themselves")
        kept: dict[str, Any] = self.scope.open_json("receipt", ref, row.sealed)
        if kept.get("tombstones") and row.actor != self.scope.actor and not self.scope.person:
            raise NotAllowed("what others rejected or corrected comes back only through a person")
        return kept

    def lift(self, text: str) -> int:
        """Let a rejected or forgotten value be stated again; only through a person's door."""
        if not self.scope.person:
            raise Refused("only a person can lift a tombstone; ask them to run `commonplace review lift`")
        with working(self.scope, "LIFT") as work:
            namespace = work.namespace()
            lifted = work.lift(namespace.id, work.vault.fingerprints(namespace.id, text))
            work.receipt()
        return lifted

    def fingerprint(self, work: Work, held: Held, text: str) -> bytes:
        return work.vault.fingerprint(held.row.namespace, value(text, held.content.key))

    def _let_in(
        self,
        work: Work,
        new: NewMemory,
        standing: Standing,
        *,
        evidence: Iterable[tuple[str, str | None]] = (),
        triple: Mapping[str, Any] | None = None,
        terms: Terms = AS_USUAL,
    ) -> Held:
        """Tombstone, duplicate, core key, or a new memory: in that order."""
        prints = standing.prints[value(new.text, new.key)]
        if not terms.waits:
            standing.refuse_tombstoned(prints)
            self._refuse_forgotten(work, standing.namespace.id, new.text, new.key)
        held = self._new_held(work, standing.namespace, new, prints[0], triple=triple, terms=terms)
        row = held.row
        rows = [
            EvidenceRow(
                noun=states.NOUN, id=row.id, episode=episode, sealed=_sealed_quote(work, row.id, episode, quote)
            )
            for episode, quote in evidence
        ]
        if not terms.history:
            same = standing.same(work, row)
            if same is not None:
                return self._corroborate(work, same, held, rows)
            if row.key is not None:
                held = self._replace_core(work, held)
        standing.added[row.fingerprint, row.kind, row.directive] = held
        work.add(held, evidence=rows, reason=None if terms is AS_USUAL else terms.reason)
        work.note(terms.action, held.id, terms.reason, statement=held.content.text, after=1)
        return held

    def _new_held(
        self,
        work: Work,
        namespace: NamespaceRow,
        new: NewMemory,
        fingerprint: bytes,
        *,
        triple: Mapping[str, Any] | None,
        terms: Terms,
    ) -> Held:
        source = new.source or self.scope.source
        trusted = self.scope.person and source == "user"
        confirmed = work.now if trusted else None
        row = MemoryRow(
            id=self.scope.clock.new_id(),
            namespace=namespace.id,
            kind=new.kind,
            category=new.category,
            status=terms.status or ("verified" if trusted else "candidate"),
            source=source,
            importance=_given(
                new.importance,
                importance(kind=new.kind, category=new.category, source=source, text=new.text),
            ),
            confidence=_given(new.confidence, STATED if trusted else HEARD),
            recorded_at=work.now,
            fingerprint=fingerprint,
            sealed=b"",
            doc=0,
            key=None if new.key is None else work.vault.label("core", f"{namespace.id}/{new.key}"),
            pinned=new.pinned,
            valid_from=stamp(new.valid_from),
            valid_to=stamp(new.valid_to),
            expires_at=stamp(new.expires_at),
            last_confirmed_at=confirmed if terms.confirmed_at is None else terms.confirmed_at,
            directive=new.directive,
            step=new.step,
        )
        content = Content(text=new.text, key=new.key, metadata=new.metadata, triple=triple)
        return Held(row=row, content=content, tags=tag_ids(work, namespace.id, new.tags))

    def _corroborate(self, work: Work, same: Held, again: Held, evidence: Sequence[EvidenceRow]) -> Held:
        """The same value stated again: surer, confirmed now, with the new tags and metadata beside the old."""
        work.evidence([replace(row, id=same.id) for row in evidence])
        if same.row.version == 1 and same.row.doc == 0:  # still in this batch, not yet written
            work.note("NOOP", same.id, "said twice in this batch")
            return same
        status: Status = "verified" if "verified" in (same.row.status, again.row.status) else "candidate"
        after = replace(
            same,
            content=replace(same.content, metadata={**same.content.metadata, **again.content.metadata}),
            tags=tuple(dict.fromkeys((*same.tags, *again.tags))),
        ).with_row(status=status, confidence=_surer(same.row.confidence), last_confirmed_at=work.now)
        after = work.change(same, after, action="CORROBORATE", reason="said again")
        work.note("NOOP", same.id, "said again: corroborated", before=same.row.version, after=after.row.version)
        return after

    def _replace_core(self, work: Work, held: Held) -> Held:
        """A core key holds one value at a time: the old one ends where the new one begins."""
        filter = Filter(namespaces=(held.row.namespace,), key=held.row.key, statuses=CURRENT)
        for row in work.tx.memories.find(filter):
            held = held.with_row(valid_from=held.row.valid_from or work.now)
            old = states.opened(self.scope, row, work.tx.tags.links("memory", [row.id]).get(row.id, ()))
            self.supersede(work, old, held.row.valid_from or work.now, "a newer value for the key")
            work.note("UPDATE", old.id, "a newer value for the key", before=row.version, after=row.version + 1)
        return held

    def _corrected(self, work: Work, before: Held, after: Held) -> Held:
        """The new value must not be tombstoned, and the old one must not come back."""
        if self.scope.person:
            work.lift(after.row.namespace, _values(work, after))
            after = after.with_row(status="verified", last_confirmed_at=work.now)
        elif found := work.tx.tombstones.among(after.row.namespace, _values(work, after)):
            raise Tombstoned(found[0].reason)
        self._refuse_forgotten(work, after.row.namespace, after.content.text, after.content.key)
        work.tombstone(before, "corrected")
        return after

    def _refuse_forgotten(self, work: Work, namespace: str, text: str, key: str | None) -> None:
        """What was forgotten does not come back as the value of a key either, unless a person gives it."""
        if key is None or self.scope.person:
            return
        for row in work.tx.tombstones.among(namespace, work.vault.fingerprints(namespace, text)):
            if row.reason == "forgotten":
                raise Tombstoned(row.reason)

    def make_way(self, work: Work, held: Held) -> None:
        """A core key holds one value at a time: one that comes back to hold ends the one that held meanwhile."""
        if held.row.key is None or held.row.status not in CURRENT:
            return
        filter = Filter(namespaces=(held.row.namespace,), key=held.row.key, statuses=CURRENT)
        for row in work.tx.memories.find(filter):
            if row.id != held.id:
                other = work.held_anywhere(row.id)
                self.supersede(work, other, work.now, "another value of the key holds again")
                work.note("UPDATE", row.id, "another value holds again", before=row.version, after=row.version + 1)

    def _put(self, work: Work, before: Held, after: Held, action: str, reason: str) -> Held:
        self.make_way(work, after)
        after = work.change(before, after, action=action, reason=reason)
        work.note("UPDATE", before.id, reason, before=before.row.version, after=after.row.version)
        return after

    def _restore(self, work: Work, before: Held, to: int, action: str, reason: str) -> None:
        versions = {row.version: row for row in work.tx.versions.of(states.NOUN, before.id)}
        if to not in versions:
            raise Invalid(f"memory {before.id!r} has versions 1 to {before.row.version}, not {to}")
        earlier, _ = states.opened_version(self.scope, versions[to])
        if action == "ROLLBACK" and earlier.row.status in CURRENT:
            self._let_back(work, earlier)
        elif earlier.row.fingerprint != before.row.fingerprint:
            work.lift(before.row.namespace, [earlier.row.fingerprint])
        after = earlier.with_row(uses=before.row.uses, last_used_at=before.row.last_used_at, doc=before.row.doc)
        self._put(work, before, after, action, reason)

    def _let_back(self, work: Work, earlier: Held) -> None:
        """A corrected value may come back by its version; a rejected or forgotten one only through a person."""
        values = _values(work, earlier)
        stood = work.tx.tombstones.among(earlier.row.namespace, values)
        for one in stood:
            if one.reason != "corrected" and not self.scope.person:
                raise Tombstoned(one.reason)
        work.lift(earlier.row.namespace, values)

    def _undo_memory(self, work: Work, id: str, before: int | None, after: int) -> None:
        held = work.held_anywhere(id)
        if held.row.version != after:
            raise Conflict("memory", id, expected=after, found=held.row.version)
        if before is None:
            archived = held.with_row(status="archived", retired_at=work.now)
            self._put(work, held, archived, "UNDO", "undone")
        else:
            self._restore(work, held, before, "UNDO", f"undone: back to version {before}")

    def _episodes(self, work: Work, heard: Sequence[tuple[Message, str]], session: str | None) -> list[Held]:
        namespace = work.namespace()
        kept: list[tuple[Message, str, Status, bytes]] = []
        left = all_without_forgotten(work, namespace.id, [text for _, text in heard])
        for (message, _), (text, status) in zip(heard, left, strict=True):
            fingerprint = work.vault.fingerprint(namespace.id, text)
            if not text.replace(FORGOTTEN, "").strip():
                work.note("NOOP", "", "forgotten before")
            elif self._heard_before(work, namespace.id, fingerprint, message):
                work.note("NOOP", "", "the same message was observed before")
            else:
                kept.append((message, text, status, fingerprint))
        if not kept:
            return []
        self._introduce(work, namespace, [message.speaker for message, *_ in kept])
        talk, docs, position = self._session(work, namespace.id, session, len(kept))
        helds = []
        for offset, ((message, text, status, fingerprint), doc) in enumerate(zip(kept, docs, strict=True)):
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
                position=position + offset,
            )
            content = Content(
                text=text,
                metadata=admission.metadata(message.metadata),
                speaker=None if message.speaker is None else admission.name("speaker", message.speaker),
                session=self.scope.open_json("session", talk.id, talk.sealed)["name"],
            )
            helds.append(Held(row=row, content=content))
            work.add(helds[-1])
        return helds

    def _introduce(self, work: Work, namespace: NamespaceRow, speakers: Iterable[str | None]) -> None:
        """Remember who speaks here, so that a question can name them."""
        plain = self.scope.open_json("namespace", namespace.id, namespace.sealed)
        known = plain.get("speakers", [])
        new = [name for name in dict.fromkeys(speakers) if name and name not in known]
        if new and len(known) < MOST_SPEAKERS:
            plain["speakers"] = [*known, *new][:MOST_SPEAKERS]
            sealed = work.vault.seal_json("namespace", namespace.id, plain)
            work.tx.namespaces.put(replace(namespace, sealed=sealed))

    def _heard_before(self, work: Work, namespace: str, fingerprint: bytes, message: Message) -> bool:
        """The same words, said at the same moment: an import or a hook that ran twice."""
        if message.at is None:
            return False
        at = micros(_aware(message.at))
        filter = Filter(namespaces=(namespace,), kinds=("episodic",), fingerprint=fingerprint, since=at, until=at + 1)
        return bool(work.tx.memories.find(filter, limit=1))

    def _session(self, work: Work, namespace: str, name: str | None, count: int) -> tuple[SessionRow, list[int], int]:
        """The conversation, document numbers for its next ``count`` turns, and the first one's position."""
        name = name or self.scope.clock.new_id()
        label = work.vault.label("session", f"{namespace}/{name}")
        talk = work.tx.sessions.by_label(namespace, label)
        if talk is None:
            id = self.scope.clock.new_id()
            talk = SessionRow(
                id=id,
                namespace=namespace,
                label=label,
                sealed=work.vault.seal_json("session", id, {"name": name}),
                started_at=work.now,
                position=0,
                next_doc=0,
                end_doc=0,
            )
        docs = list(range(talk.next_doc, min(talk.next_doc + count, talk.end_doc)))
        end = talk.end_doc
        if missing := count - len(docs):
            size = max(2 * missing, FIRST_RUN, min(talk.position, 512))
            first = work.tx.owners.take_docs(size + 2 * GAP) + GAP
            if first == end + 2 * GAP and end:
                first = end  # nobody wrote meanwhile: the gap closes and the conversation runs on
            end = first + size
            docs += range(first, first + missing)
        position = talk.position
        talk = replace(talk, position=position + count, next_doc=docs[-1] + 1, end_doc=end)
        work.tx.sessions.put(talk)
        return talk, docs, position


Undoer = Callable[[Gateway, Work, str, int | None, int], None]
UNDOERS: dict[str, Undoer] = {
    states.NOUN: Gateway._undo_memory,
    "tag": lambda gateway, work, key, before, after: undo_tag(work, key, before, after),
}
"""How each noun's part of a receipt is taken back; the rooms of other nouns add theirs."""


def value(text: str, key: str | None) -> str:
    """What a tombstone is keyed on: the text, and for a core memory its key too."""
    return text if key is None else f"{key}={text}"


def sealed_quote(work: Work, noun: str, id: str, episode: str, quote: str | None) -> bytes | None:
    return None if quote is None else work.vault.seal_json("evidence", f"{noun}/{id}/{episode}", quote)


def _sealed_quote(work: Work, id: str, episode: str, quote: str | None) -> bytes | None:
    return sealed_quote(work, states.NOUN, id, episode, quote)


def _values(work: Work, held: Held) -> list[bytes]:
    """The fingerprints under which a memory's value may be tombstoned."""
    return work.vault.fingerprints(held.row.namespace, value(held.content.text, held.content.key))


def without_forgotten(work: Work, namespace: str, text: str) -> tuple[str, Status]:
    """The text without forgotten sentences; a turn that is nothing but a rejected value stays out of sight."""
    return all_without_forgotten(work, namespace, [text])[0]


def all_without_forgotten(work: Work, namespace: str, texts: Sequence[str]) -> list[tuple[str, Status]]:
    """As ``without_forgotten``, for several texts: all their sentences are looked up at once."""
    prints: dict[str, Sequence[bytes]] = {}
    for text in texts:
        for said in (text, *(span.text for span in sentences(text))):
            if said not in prints:
                prints[said] = work.vault.fingerprints(namespace, said)
    asked = [one for some in prints.values() for one in some]
    found = {row.fingerprint: row for row in work.tx.tombstones.among(namespace, asked)}
    return [_left(text, prints, found) if found else (text, "verified") for text in texts]


def _left(text: str, prints: Mapping[str, Sequence[bytes]], found: Mapping[bytes, TombstoneRow]) -> tuple[str, Status]:
    if said := _among(found, prints[text]):
        return (FORGOTTEN, "verified") if said.reason == "forgotten" else (text, "rejected")
    for span in reversed(sentences(text)):
        tombstone = _among(found, prints[span.text])
        if tombstone is not None and tombstone.reason == "forgotten":
            text = text[: span.start] + FORGOTTEN + text[span.end :]
    return text, "verified"


def _among(found: Mapping[bytes, TombstoneRow], prints: Sequence[bytes]) -> TombstoneRow | None:
    return next((found[one] for one in prints if one in found), None)


def _collapsed(touched: Iterable[Sequence[Any]]) -> list[tuple[str, str, int | None, int]]:
    """One line per thing: the version before the first touch, and the one after the last."""
    found: dict[tuple[str, str], tuple[int | None, int]] = {}
    for noun, id, before, after in touched:
        first = found.get((noun, id), (before, after))[0]
        found[noun, id] = (first, after)
    return [(noun, id, before, after) for (noun, id), (before, after) in found.items()]


def _revisable(fields: dict[str, Any]) -> dict[str, Any]:
    allowed = {
        "importance",
        "confidence",
        "pinned",
        "category",
        "expires_at",
        "valid_from",
        "valid_to",
        "tags",
        "metadata",
    }
    if unknown := set(fields) - allowed:
        raise Invalid(f"cannot revise {', '.join(sorted(unknown))}; one of {', '.join(sorted(allowed))}")
    probe = NewMemory(text="probe", **{name: one for name, one in fields.items() if one is not None})
    admission.admit(probe, max_text=100)
    return {
        name: stamp(admission.aware(name, one)) if name in ("expires_at", "valid_from", "valid_to") else one
        for name, one in fields.items()
    }


def _expect(held: Held, expected: int | None) -> Held:
    if expected is not None and held.row.version != expected:
        raise Conflict("memory", held.id, expected=expected, found=held.row.version)
    return held


def _surer(confidence: float) -> float:
    return round(1 - (1 - confidence) * (1 - CORROBORATION), 4)


def _given(value: float | None, otherwise: float) -> float:
    return otherwise if value is None else float(value)


def _aware(at: datetime) -> datetime:
    made = admission.aware("at", at)
    assert made is not None
    return made
