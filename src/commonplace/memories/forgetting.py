"""Deletes for good: rows, words, vectors, versions, relations and quotes. The receipt can be verified."""

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

from commonplace.errors import Invalid, NotAllowed, NotFound, StoreError
from commonplace.memories import codec, indexing, jobs
from commonplace.memories.codec import StoredMemory
from commonplace.memories.gateway import core_value, entity_value, less_confident, value
from commonplace.memories.moving import move_history
from commonplace.memories.proposals import proposals_about, propose
from commonplace.memories.residue import FORGOTTEN, cut_out
from commonplace.memories.scope import Scope
from commonplace.memories.unit_of_work import Work, write_transaction
from commonplace.memories.verifying import MIN_CONTENT_WORDS, PENDING, SCRUBBED, Verification, verify
from commonplace.model import CURRENT, Receipt
from commonplace.security.vault import Vault
from commonplace.store.rows import EvidenceRow, Filter, TombstoneRow
from commonplace.store.tables.postings import unpack
from commonplace.text.normal import normal
from commonplace.text.sentences import sentences
from commonplace.text.words import words

PAGE = 500
MOST_TOKENS = 100_000
MIN_QUOTE_WORDS = 2
"""Content words from which on a belief's quote is removed from every sentence that repeats it; "Yes" is too common."""
WORD = re.compile(r"\w+")


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """What to delete of a memory: all of it, or a part."""

    id: str
    said: str
    """The text to delete."""
    remains: str | None
    """The text that stays; None if the whole memory is deleted."""
    without: Callable[[str], str]
    """Removes the target from a text of this memory or of its evidence; returns the text unchanged if it is not in
    there.
    """
    values: tuple[str, ...]
    """The values to tombstone."""
    version: int
    episode: bool

    def corrected(self, text: str) -> str:
        """The remaining text followed by ``text`` as the replacement."""
        if self.remains is None:
            return text
        rest = self.remains.rstrip()
        return f"{rest if rest[-1] in '.!?' else rest + '.'} {text}"


class Forgetting:
    """Forgetting and erasing, the two acts that cannot be undone, in one scope."""

    def __init__(self, scope: Scope) -> None:
        self.scope = scope

    def forget(self, ids: Sequence[str]) -> Receipt:
        """Delete memories, conclusions that rest on them alone, and their quotes in episodes; tombstone their values.

        An agent may only forget what it wrote itself; anything else becomes a proposal.
        """
        with write_transaction(self.scope, "FORGET") as work:
            for id in dict.fromkeys(ids):
                if id in work.ids:
                    continue  # already deleted with an earlier one
                stored = work.load(id)
                if self.scope.person and not stored.is_from_another_member(self.scope):
                    self.forget_within(work, [stored])
                elif self._is_own(work, stored):
                    self._forget_own(work, stored)
                else:
                    propose(work, "forget", stored)
            if work.only_proposals:
                return work.receipt()
            receipt = self._receipt(work)
        return self.scrub(receipt)

    def _need_person(self, act: str) -> None:
        if not self.scope.person:
            raise NotAllowed(f"{act} cannot be undone and needs a person; an agent may not do it", code="needs_person")

    def _is_own(self, work: Work, stored: StoredMemory) -> bool:
        """Whether nobody else contributed to it."""
        if stored.protected_from(self.scope) or stored.row.kind == "episodic":
            return False
        return all(row.actor == self.scope.actor for row in work.tx.versions.of(codec.NOUN, stored.id))

    def _forget_own(self, work: Work, stored: StoredMemory) -> None:
        """Delete an agent's own memory; what others said or stated in the same words stays."""
        self._delete(work, stored, ())
        # not recorded as forgotten: that would delete the same words of others elsewhere
        work.tombstone(stored, "rejected")
        self._remove_reasons(work, {stored.id: self._reasons(work, stored.id)})
        work.tx.memories.delete([stored.id])
        self._drop_relations(work, [stored] if stored.content.triple else [])

    def forget_targets(self, targets: Sequence[Target]) -> Receipt:
        """Delete whole targets, and remove parts from every version of the others and from their quotes."""
        with write_transaction(self.scope, "FORGET") as work:
            for target in sorted(targets, key=lambda target: target.remains is None):
                if not work.tx.memories.get([target.id]):
                    continue  # already deleted with an earlier one
                stored = work.load(target.id)
                if stored.is_from_another_member(self.scope):
                    propose(work, "forget", stored)
                elif target.remains is None:
                    self.forget_within(work, [stored])
                else:
                    self._forget_part(work, stored, target)
            if work.only_proposals:
                return work.receipt()
            receipt = self._receipt(work)
        return self.scrub(receipt)

    def forget_within(self, work: Work, memories: Sequence[StoredMemory]) -> None:
        """Delete memories, those with the same value in their namespace, and conclusions that rest on them alone."""
        victims = {stored.id: stored for stored in memories}
        self._add_same_values(work, victims)
        values: dict[str, list[bytes]] = {}
        while pending := [id for id in victims if id not in values]:
            self._add_unsupported(work, victims)
            pending = [id for id in victims if id not in values]
            for id in pending:
                values[id] = self._values(work, victims[id], codec.all_texts(self.scope, work.tx, victims[id]), victims)
            for id in pending:
                self._redact_quotes(work, victims[id], victims)
        resting = dict.fromkeys(row.id for row in work.tx.evidence.resting_on(list(victims)) if row.id not in victims)
        for id in resting:
            self._lower_confidence(work, work.load_anywhere(id))
        for id, stored in victims.items():
            self._delete(work, stored, values[id])
        self._remove_reasons(work, {id: self._reasons(work, id) for id in victims})
        work.tx.memories.delete(list(victims))
        self._drop_relations(work, [stored for stored in victims.values() if stored.content.triple])

    def _delete(self, work: Work, stored: StoredMemory, values: Sequence[bytes]) -> None:
        """Delete everything of a memory except its rows, which are deleted together at the end."""
        id, namespace = stored.id, stored.row.namespace
        texts = codec.all_texts(self.scope, work.tx, stored)
        indexing.unindex(work.tx, work.vault, texts, language=self.scope.language)
        for row in work.tx.traces.page("extraction", target=id, limit=1000):
            work.tx.traces.delete(ids=[row.id])
        self._put_tombstones(work, namespace, values, target=id)
        work.ledger("forget", id, namespace, values, "forgotten")
        for text in texts:
            work.gone(codec.NOUN, id, text.row.doc, text.row.namespace)
        work.audit("FORGET", codec.NOUN, id, None, None, None)
        work.note("DELETE", id, "forgotten", before=stored.row.version)
        work.ids.append(id)

    def _put_tombstones(self, work: Work, namespace: str, values: Sequence[bytes], *, target: str | None) -> None:
        work.tx.tombstones.put(
            [
                TombstoneRow(namespace=namespace, fingerprint=value, reason="forgotten", at=work.now, target=target)
                for value in values
            ]
        )

    def _add_same_values(self, work: Work, victims: dict[str, StoredMemory]) -> None:
        """Add memories with the same value under other ids, except trivial ones such as "ok"."""
        for stored in list(victims.values()):
            if stored.row.kind == "episodic" and not self._is_informative(stored.content.text):
                continue
            filter = Filter(namespaces=(stored.row.namespace,), fingerprint=stored.row.fingerprint)
            for row in work.tx.memories.find(filter, limit=PAGE):
                if row.id not in victims:
                    victims[row.id] = work.load_anywhere(row.id)
        for proposal in proposals_about(work, victims):
            victims.setdefault(proposal.id, proposal)

    def _is_informative(self, text: str) -> bool:
        return len(words(text, self.scope.language)) >= MIN_CONTENT_WORDS

    def scrub(self, receipt: Receipt) -> Receipt:
        """Make the deleted bytes unreadable, or queue a job that retries; the receipt says which.

        The deletion is already committed, so an error here must not suggest that nothing changed. Upkeep looks for
        receipts with a pending scrub.
        """
        try:
            if self.scope.store.scrub():
                self._set_state(receipt.ref, SCRUBBED)
                return replace(receipt, state=SCRUBBED)
            with self.scope.store.write(self.scope.owner) as tx:
                jobs.enqueue(self.scope, tx, "scrub", {"ref": receipt.ref})
        except StoreError:
            return receipt
        return receipt

    def verify(self, receipt: Receipt | str, files: Iterable[tuple[str, str]] = ()) -> Verification:
        """Search for everything that a forget or an erasure deleted; ``files`` are (name, text) outside the book."""
        places = verify(self.scope, receipt, files)
        ref = receipt.ref if isinstance(receipt, Receipt) else receipt
        with self.scope.store.read(self.scope.owner) as tx:
            row = tx.receipts.get(ref)
        state = PENDING if row is None else row.state
        if state == PENDING and self.scope.store.scrub():
            self._set_state(ref, SCRUBBED)
            state = SCRUBBED
        return Verification(ref=ref, state=state, found=tuple(places))

    def erase_namespace(self, name: str, *, action: str = "ERASE") -> Receipt:
        """Delete a namespace with all its content. Raises ``NotAllowed`` for an agent."""
        self._need_person("erasing a namespace")
        with write_transaction(self.scope, action) as work:
            row = work.tx.namespaces.by_label(work.vault.label("namespace", name))
            if row is None or not self.scope.reaches(row.id):
                raise NotFound("namespace", name)
            if self.scope.opened(row).get("shared"):
                raise Invalid(
                    "other people share this namespace: leave it, or erase it for everybody with `book.erase`"
                )
            work.ledger("erase-namespace", row.id, row.id)
            self.drop_namespace(work, row.id)
            receipt = self._receipt(work)
        return self.scrub(receipt)

    def drop_namespace(self, work: Work, id: str, *, noted: bool = True) -> None:
        """Delete a namespace with all its content; ``noted``: the ledger records what was moved into it."""
        self._forget_moved(work, id, noted=noted)
        move_history(work, id)
        work.tx.namespaces.drop(id)
        work.gone("namespace", id, None, id)
        work.audit("ERASE", "namespace", id, None, None, None)
        work.note("DELETE", id, "erased", noun="namespace")
        work.ids.append(id)

    def _forget_moved(self, work: Work, namespace: str, *, noted: bool) -> None:
        """Delete the words and vectors that memories moved here left in their former namespaces.

        ``noted`` records their ids in the ledger, so that a restore of an older copy deletes them too.
        """
        after: str | None = None
        turns: dict[str, list[int]] = {}
        while page := work.tx.memories.find(Filter(namespaces=(namespace,)), after=after, limit=PAGE):
            after = page[-1].id
            for row in (row for row in page if row.version > 1):
                turns[row.id] = self._reasons(work, row.id)
                texts = codec.all_texts(self.scope, work.tx, codec.opened(self.scope, row))
                elsewhere = [state for state in texts if state.row.namespace != namespace]
                indexing.unindex(work.tx, work.vault, elsewhere, language=self.scope.language)
                for state in elsewhere:
                    work.gone(codec.NOUN, row.id, state.row.doc, state.row.namespace)
                if elsewhere and noted:
                    work.ledger("forget", row.id, namespace, (), "forgotten")
        self._remove_reasons(work, turns)

    def erase_owner(self) -> Receipt:
        """Delete everything but the account: rows are deleted, keys replaced, and the old keys destroyed after the
        commit.

        If the process dies before the commit, nothing is erased; if after it, the old keys are destroyed when the book
        is next opened. Raises ``NotAllowed`` for an agent.
        """
        self._need_person("erasing")
        owner, keychain = self.scope.owner, self.scope.keychain
        with self.scope.store.write(owner) as tx:
            successor = keychain.begin_erasure(owner)
            tx.owners.drop()
            work = Work(self.scope, tx, "ERASE", vault=Vault(owner, successor))
            # Tokens belong to the account and stay, without their names.
            rows = work.tx.tables.page("token", after=None, limit=MOST_TOKENS)
            work.tx.tables.put(
                "token", [{**row, "sealed": work.vault.seal_json("token", row["id"], None)} for row in rows]
            )
            work.ledger("erase-owner", owner, None, reason=successor.id)
            work.gone("owner", owner, None, None)
            work.audit("ERASE", "owner", owner, None, None, None)
            work.note("DELETE", owner, "erased", noun="owner")
            receipt = self._receipt(work)
        try:
            keychain.finish_erasure(owner)
        except StoreError:  # the rows are deleted; the old keys are destroyed when the book is next opened
            self.scope.current_vault()
            return receipt
        self.scope.current_vault()
        return self.scrub(receipt)

    def _receipt(self, work: Work) -> Receipt:
        """The receipt of a final act. The ledger records its ref: a restored copy may lack the receipt."""
        work.ledger("receipt", work.ref, None)
        return work.receipt(state=PENDING)

    def _set_state(self, ref: str, state: str) -> None:
        with self.scope.store.write(self.scope.owner) as tx:
            row = tx.receipts.get(ref)
            if row is not None and row.state != state:
                tx.receipts.put(replace(row, state=state))

    def _reasons(self, work: Work, id: str) -> list[int]:
        """The times at which a change of the memory was given a reason."""
        rows = work.tx.versions.of(codec.NOUN, id)
        return [row.recorded_at for row in rows if codec.opened_version(self.scope, row)[1] is not None]

    def _remove_reasons(self, work: Work, turns: Mapping[str, Sequence[int]]) -> None:
        """Remove reasons from the audit, which keeps a digest, and from receipts: they may repeat the text."""
        times = list(dict.fromkeys(at for several in turns.values() for at in several))
        if not times:
            return
        work.tx.audit.drop_reasons([id for id, several in turns.items() if several])
        for row in work.tx.receipts.at(times):
            plain = self.scope.opened(row)
            changes = [
                {**change, "reason": FORGOTTEN} if change["id"] in turns else change for change in plain["changes"]
            ]
            work.tx.receipts.put(work.vault.sealed(row, {**plain, "changes": changes}))

    def _values(
        self, work: Work, stored: StoredMemory, all_states: Sequence[StoredMemory], victims: Collection[str]
    ) -> list[bytes]:
        """Fingerprints of the values to tombstone: each text, its quotes, and the informative sentences that state it.

        Sentences that another memory states or another turn says are left out: forgetting this one must not block them.
        """
        namespace = stored.row.namespace
        quotes = {row.episode: self.scope.opened(row) for row in work.tx.evidence.of(codec.NOUN, [stored.id])}
        texts = [value(span.content.text, span.content.key) for span in all_states]
        texts += [core_value(state.content.text) for state in all_states if state.content.key is not None]
        turns = all_states if stored.row.kind == "episodic" else ()
        own = dict.fromkeys(span.text for turn in turns for span in sentences(turn.content.text))
        spoken = [
            text
            for text in own
            if self._is_informative(text) and not self._in_another_turn(work, stored, text, victims)
        ]
        for episode in work.tx.memories.get(list(quotes)):
            if quote := quotes.pop(episode.id):
                whole, quoted = _quoted(quote, codec.opened(self.scope, episode).content.text)
                if episode.id in victims and any(self._in_another_turn(work, stored, text, victims) for text in quoted):
                    continue  # another turn still says so
                texts += whole
                spoken += quoted
        texts += filter(None, quotes.values())
        prints = [work.vault.fingerprint(namespace, text) for text in texts]
        parts = [work.vault.fingerprint(namespace, text) for text in spoken if self._is_informative(text)]
        prints += [part for part in parts if not self._stated(work, namespace, part, victims)]
        return list(dict.fromkeys(prints))

    def _stated(self, work: Work, namespace: str, fingerprint: bytes, victims: Collection[str]) -> bool:
        filter = Filter(namespaces=(namespace,), fingerprint=fingerprint, statuses=CURRENT)
        return any(row.id not in victims for row in work.tx.memories.find(filter, limit=10))

    def _add_unsupported(self, work: Work, victims: dict[str, StoredMemory]) -> None:
        """Add conclusions that rest on victims alone to the victims."""
        waiting = list(victims)
        while waiting:
            resting = dict.fromkeys(row.id for row in work.tx.evidence.resting_on(waiting))
            waiting = []
            for id in resting:
                supported = any(row.episode not in victims for row in work.tx.evidence.of(codec.NOUN, [id]))
                if id not in victims and not supported:
                    victims[id] = work.load_anywhere(id)  # it may have been moved since it was learned
                    waiting.append(id)

    def _drop_relations(self, work: Work, memories: Sequence[StoredMemory]) -> None:
        """Delete the relations, and entities that nothing else refers to; tombstone their names against imports."""
        work.tx.relations.delete([stored.id for stored in memories])
        ends = {end: stored.row.namespace for stored in memories for end in _ends(stored)}
        for entity, namespace in ends.items():
            tied = work.tx.tags.links("entity", [entity]).get(entity)
            if tied or work.tx.relations.find([namespace], either=[entity], limit=1):
                continue
            for row in work.tx.entities.get([entity]):
                plain = self.scope.opened(row)
                labels = (plain["label"], *(plain.get("aliases") or ()))
                prints = [work.vault.fingerprint(namespace, entity_value(label)) for label in labels]
                self._put_tombstones(work, namespace, prints, target=None)
                work.ledger("forget", "", namespace, prints, "forgotten")
            work.tx.versions.delete("entity", [entity])
            work.tx.entities.delete([entity])
            work.gone("entity", entity, None, namespace)

    def _redact_quotes(self, work: Work, stored: StoredMemory, victims: dict[str, StoredMemory]) -> None:
        for row in work.tx.evidence.of(codec.NOUN, [stored.id]):
            id, quote = row.episode, self.scope.opened(row)
            episodes = [] if id in victims else work.tx.memories.get([id])
            turns = {episode.id: codec.opened(self.scope, episode) for episode in episodes}
            parts = _quoted(quote, turns[id].content.text)[1] if turns and quote else ()
            for sentence in parts:
                if len(words(sentence, self.scope.language)) >= MIN_QUOTE_WORDS:
                    turns |= {turn.id: turn for turn in self._turns_with_sentence(work, stored, sentence)}
            for turn in turns.values():
                if turn.id not in victims:
                    self._redact(work, turn, partial(without, quote=quote or stored.content.text), victims)
        if self._is_informative(stored.content.text):
            for turn in self._turns_with_sentence(work, stored, stored.content.text):
                if turn.id not in victims:
                    self._redact(work, turn, partial(without, quote=stored.content.text), victims)

    def _in_another_turn(self, work: Work, stored: StoredMemory, text: str, victims: Collection[str]) -> bool:
        """Whether another turn contains the sentence."""
        turns = self._turns_with_words(work, stored.row.namespace, text)
        return any(turn.id not in victims and _run_of_words(text) in _run_of_words(turn.content.text) for turn in turns)

    def _turns_with_sentence(self, work: Work, stored: StoredMemory, text: str) -> list[StoredMemory]:
        """Turns of the memory's namespace that contain exactly this sentence."""
        turns, sentence = self._turns_with_words(work, stored.row.namespace, text), normal(text)
        return [turn for turn in turns if any(normal(span.text) == sentence for span in sentences(turn.content.text))]

    def _turns_with_words(self, work: Work, namespace: str, text: str) -> list[StoredMemory]:
        terms = list(work.vault.terms(namespace, dict.fromkeys(words(text, self.scope.language))))
        if not terms:
            return []
        postings = work.tx.words.fetch(namespace, terms)
        docs = set.intersection(*({doc for doc, *_ in unpack(postings.get(term, b""))} for term in terms))
        rows = work.tx.memories.by_docs(sorted(docs)) if docs else []
        return [codec.opened(self.scope, row) for row in rows if row.kind == "episodic"]

    def redact_episode(self, work: Work, episode: StoredMemory, quote: str, *, rest: str | None = None) -> None:
        """Remove a quote from every version of an episode, and forget what was concluded from it alone.

        ``rest`` is the part of the quote that may stay.
        """
        victims: dict[str, StoredMemory] = {}
        stays = rest is not None and rest != quote
        self._redact(
            work, episode, lambda text: text.replace(quote, str(rest)) if stays else without(text, quote), victims
        )
        if victims:
            self.forget_within(work, list(victims.values()))

    def _redact(
        self, work: Work, episode: StoredMemory, cut: Callable[[str], str], victims: dict[str, StoredMemory]
    ) -> list[str]:
        """Rewrite an episode with ``cut``; add the conclusions that lost their last evidence to ``victims``.

        Returns the texts that were changed.
        """
        cuts: dict[str, str] = {}
        cut = _recording(cut, cuts)
        changed = self._rewrite(work, episode, cut)
        if not changed:
            return changed
        text = cut(episode.content.text)
        for row in work.tx.evidence.resting_on([episode.id]):
            if row.noun == codec.NOUN and row.id not in victims:
                self._recheck_support(work, row, episode.content.text, text, cut, victims)
        self._record_cuts(work, episode, cuts)
        return changed

    def _recheck_support(
        self,
        work: Work,
        row: EvidenceRow,
        before: str,
        after: str,
        cut: Callable[[str], str],
        victims: dict[str, StoredMemory],
    ) -> None:
        """Check whether a shortened episode still supports a conclusion; if not, drop that evidence."""
        quote = before if row.sealed is None else self.scope.opened(row)
        if row.sealed is not None and quote in after:
            return
        rest = _as_spelled(cut(quote), after)
        conclusion = work.load_anywhere(row.id)
        language = self.scope.language
        left = set(words(rest.replace(FORGOTTEN, " "), language))
        lost = set(words(quote, language)) - left
        concerned = bool(lost & set(words(f"{conclusion.content.key or ''} {conclusion.content.text}", language)))
        if left and not concerned and (row.sealed is None or rest in after):
            if row.sealed is not None:
                work.tx.evidence.put([work.vault.sealed(row, rest)])
            return
        others = [other for other in work.tx.evidence.of(codec.NOUN, [row.id]) if other.episode != row.episode]
        if not any(other.episode not in victims for other in others):
            victims[row.id] = conclusion
            return
        work.tx.evidence.delete(codec.NOUN, [row.id], episodes=[row.episode])
        self._lower_confidence(work, conclusion)

    def _lower_confidence(self, work: Work, conclusion: StoredMemory) -> None:
        reason = "some of its evidence was forgotten"
        after = conclusion.with_row(confidence=less_confident(conclusion.row.confidence))
        work.change(conclusion, after, action="FORGET", reason=reason, receipt_action="UPDATE")

    def _remove_from_traces(self, work: Work, episode: str) -> None:
        """Remove statements that were read in an episode but led to no memory from the traces."""
        for row in work.tx.traces.page("extraction", target=episode, limit=1000):
            plain = self.scope.opened(row)
            if (plain.get("step") or {}).get("statement") is not None:
                plain["step"]["statement"] = None
                work.tx.traces.put(work.vault.sealed(row, plain))

    def _rewrite(self, work: Work, episode: StoredMemory, cut: Callable[[str], str]) -> list[str]:
        """Rewrite every stored text of a memory with ``cut``; returns the texts that were changed."""
        changed: list[str] = []
        renumbered: dict[int, int] = {}
        reasons = self._reasons(work, episode.id)
        for row in work.tx.versions.of(codec.NOUN, episode.id):
            earlier, _ = codec.opened_version(self.scope, row)
            text = cut(earlier.content.text)
            if text == earlier.content.text:
                continue
            changed.append(earlier.content.text)
            first = earlier.row.doc not in renumbered
            if first:
                indexing.unindex(work.tx, work.vault, [earlier], language=self.scope.language)
                work.gone(codec.NOUN, episode.id, earlier.row.doc, earlier.row.namespace)
                renumbered[earlier.row.doc] = work.number(earlier)
            fingerprint = work.vault.fingerprint(earlier.row.namespace, value(text, earlier.content.key))
            redacted = replace(earlier, content=replace(earlier.content, text=text)).with_row(
                fingerprint=fingerprint, doc=renumbered[earlier.row.doc]
            )
            plain = self.scope.opened(row)
            parents = {name: plain[name] for name in ("parents",) if name in plain}
            work.tx.versions.replace(codec.version_again(work.vault, row, redacted, reason=None, **parents))
            if row.version == episode.row.version:
                current = redacted.with_row(uses=episode.row.uses, last_used_at=episode.row.last_used_at)
                work.tx.memories.put(codec.sealed(work.vault, current), expected=row.version)
            if first:
                work.index_again(redacted)
        if changed:
            self._remove_reasons(work, {episode.id: reasons})
            self._remove_from_traces(work, episode.id)
        return changed

    def _forget_part(self, work: Work, stored: StoredMemory, target: Target) -> None:
        cuts: dict[str, str] = {}
        cut = _recording(target.without, cuts)
        texts, victims = self.take_out(work, stored, cut)
        if victims:
            self.forget_within(work, list(victims.values()))
        namespace = stored.row.namespace
        values = [value(text, stored.content.key) for text in texts] + list(target.values)
        values += [span.text for text in texts for span in sentences(text) if cut(span.text) != span.text]
        prints = list(dict.fromkeys(work.vault.fingerprint(namespace, text) for text in values))
        self._put_tombstones(work, namespace, prints, target=stored.id)
        # No target: a restore must remove the words but keep the rest of the memory.
        work.ledger("forget", "", namespace, prints, "forgotten")
        self._record_cuts(work, stored, cuts)

    def take_out(
        self, work: Work, stored: StoredMemory, cut: Callable[[str], str]
    ) -> tuple[list[str], dict[str, StoredMemory]]:
        """Remove a part from a memory, from its quotes and from what rests on it.

        The rest becomes a new version. Returns the texts that were changed, and the conclusions from the removed part
        alone, which the caller has to forget.
        """
        episodes = [row.episode for row in work.tx.evidence.of(codec.NOUN, [stored.id])]
        victims: dict[str, StoredMemory] = {}
        if stored.row.kind == "episodic":
            texts = list(mine := self._redact(work, stored, cut, victims))
        else:
            for row in work.tx.evidence.of(codec.NOUN, [stored.id]):
                self._cut_quote(work, row, cut)
            texts = list(mine := self._rewrite(work, stored, cut))
        for episode in work.tx.memories.get([id for id in episodes if id != stored.id]):
            texts += self._redact(work, codec.opened(self.scope, episode), cut, victims)
        victims.pop(stored.id, None)
        if mine:
            before = work.load_anywhere(stored.id)
            work.change(before, before, action="FORGET", reason="a part was forgotten", receipt_action="UPDATE")
        return texts, victims

    def _record_cuts(self, work: Work, stored: StoredMemory, cuts: Mapping[str, str]) -> None:
        """Record the cut positions in the ledger, so that a restore of an older copy can repeat the cut and keep the
        rest.
        """
        namespace = stored.row.namespace
        notes = {whole: note for whole, rest in cuts.items() if (note := cut_out(whole, rest)) is not None}
        acts = []
        for whole, note in notes.items():
            prints = [work.vault.fingerprint(namespace, text) for text in (whole, cuts[whole])]
            acts.append(work.act("cut", stored.id, namespace, prints, note))
        work.tx.final_acts.append(acts)

    def _cut_quote(self, work: Work, row: EvidenceRow, cut: Callable[[str], str]) -> None:
        """Shorten the quote of a memory that stays in part. A quote without content is no evidence."""
        if row.sealed is None:
            return
        rest = cut(quote := self.scope.opened(row))
        if not words(rest.replace(FORGOTTEN, " "), self.scope.language):
            work.tx.evidence.delete(codec.NOUN, [row.id], episodes=[row.episode])
        elif rest != quote:
            work.tx.evidence.put([work.vault.sealed(row, rest)])


def _ends(stored: StoredMemory) -> tuple[str, str]:
    triple = stored.content.triple or {}
    return triple["subject"], triple["object"]


def _as_spelled(quote: str, text: str) -> str:
    """The quote as spelled in the text: an earlier cut may have changed the case of its first letter."""
    place = text.lower().find(quote.lower())
    return quote if quote in text or place < 0 else text[place : place + len(quote)]


def _run_of_words(text: str) -> str:
    return f" {' '.join(WORD.findall(normal(text)))} "


def _recording(cut: Callable[[str], str], cuts: dict[str, str]) -> Callable[[str], str]:
    """Wrap ``cut`` so that it records each text it changed."""

    def noting(text: str) -> str:
        rest = cut(text)
        if rest != text:
            cuts[text] = rest
        return rest

    return noting


def _quoted(quote: str, sentence: str) -> tuple[list[str], list[str]]:
    """The quotes to tombstone, and the sentences of the episode that contain them.

    If the episode has already lost a part of the quote, only the rest counts.
    """
    if quote in sentence:
        return [quote], [span.text for span in sentences(sentence) if quote in span.text or span.text in quote]
    spans = [span.text for span in sentences(quote)]
    gone = [text for text in spans if text not in sentence]
    return ([quote] if gone == spans else []), gone


def without(text: str, quote: str) -> str:
    """Replace ``quote`` in ``text`` by a mark: the exact words, else the sentence with the same meaning."""
    if quote in text:
        return text.replace(quote, FORGOTTEN)
    sentence = normal(quote)
    for span in reversed(sentences(text)):
        if sentence and (sentence in normal(span.text) or normal(span.text) == sentence):
            text = text[: span.start] + FORGOTTEN + text[span.end :]
    return text
