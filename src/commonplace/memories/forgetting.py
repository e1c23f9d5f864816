"""Forgetting for good: from rows, words, vectors, versions, relations and quotes; the receipt can be checked."""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from commonplace.errors import Invalid, NotFound
from commonplace.memories import indexing, jobs, states
from commonplace.memories.gateway import FORGOTTEN, value
from commonplace.memories.remains import cut_out
from commonplace.memories.scope import Scope
from commonplace.memories.states import Held
from commonplace.memories.work import Work, working
from commonplace.model import CURRENT, Receipt
from commonplace.store.ports import Transaction
from commonplace.store.rows import EvidenceRow, Filter, LedgerEntry, ReceiptRow, TombstoneRow
from commonplace.text.normal import normal
from commonplace.text.sentences import sentences
from commonplace.text.words import words

TELLING = 3
"""A sentence of a forgotten turn is tombstoned by itself if it has this many words of content; "Hi!" is not."""
PAGE = 500
SCRUBBED, PENDING = "scrubbed", "scrub pending"


@dataclass(frozen=True, slots=True, kw_only=True)
class Verification:
    """What a second look found of something forgotten."""

    ref: str
    state: str
    found: tuple[str, ...]
    """Where something is still there, in words; empty if it is gone."""

    @property
    def gone(self) -> bool:
        return not self.found and self.state == SCRUBBED


@dataclass(frozen=True, slots=True, kw_only=True)
class Meant:
    """What of a memory is to go: all of it, or parts that can be taken out."""

    id: str
    said: str
    """What goes, in words."""
    remains: str | None
    """What stays; None if all of it goes."""
    without: Callable[[str], str]
    """A text, of this memory or of one it rests on, without what goes; the same text if it is not in there."""
    values: tuple[str, ...]
    """What may not come back."""
    version: int
    episode: bool

    def corrected(self, text: str) -> str:
        """``text`` in the place of what is meant, after what remains."""
        if self.remains is None:
            return text
        rest = self.remains.rstrip()
        return f"{rest if rest[-1] in '.!?' else rest + '.'} {text}"


class Forgetting:
    """The two acts that cannot be undone, for one scope."""

    def __init__(self, scope: Scope) -> None:
        self.scope = scope

    def forget(self, ids: Sequence[str]) -> Receipt:
        """Delete memories, what rested on them alone, and their quotes in what was said; tombstone their values."""
        with working(self.scope, "FORGET") as work:
            for id in dict.fromkeys(ids):
                self.forget_within(work, [work.held(id)])
            receipt = work.receipt(state=PENDING)
        return self.scrub(receipt)

    def forget_meant(self, meant: Sequence[Meant]) -> Receipt:
        """Delete what is meant as a whole, and take parts out of what stays: of every version, and of their quotes."""
        with working(self.scope, "FORGET") as work:
            for one in meant:
                if one.remains is not None:
                    self._forget_part(work, work.held(one.id), one)
            for one in meant:
                # an earlier one may have taken it along
                if one.remains is None and work.tx.memories.get([one.id]):
                    self.forget_within(work, [work.held(one.id)])
            receipt = work.receipt(state=PENDING)
        return self.scrub(receipt)

    def forget_within(self, work: Work, helds: Sequence[Held]) -> None:
        victims = {held.id: held for held in helds}
        self._unsupported(work, victims)
        states_of = {id: self._all_states(work, held) for id, held in victims.items()}
        values = {id: self._values(work, held, states_of[id], victims) for id, held in victims.items()}
        for held in victims.values():
            self._redact_quotes(work, held, victims)
        for id, held in victims.items():
            indexing.unindex(work.tx, work.vault, states_of[id], language=self.scope.language)
            self._drop_traces(work, id)
            work.tx.tombstones.put(
                [
                    TombstoneRow(
                        namespace=held.row.namespace, fingerprint=one, reason="forgotten", at=work.now, target=id
                    )
                    for one in values[id]
                ]
            )
            work.ledger("forget", id, held.row.namespace, values[id], "forgotten")
            for one in states_of[id]:
                work.gone(states.NOUN, id, one.row.doc, one.row.namespace)
            work.audit("FORGET", states.NOUN, id, None, None, None)
            work.note("DELETE", id, "forgotten", before=held.row.version)
            work.ids.append(id)
        self._unsay(work, {id: self._reasons(work, id) for id in victims})
        work.tx.memories.delete(list(victims))
        self._drop_relations(work, [held for held in victims.values() if held.content.triple])

    def scrub(self, receipt: Receipt) -> Receipt:
        """Make the deleted bytes unreadable, or leave a job that tries until it can; the receipt says which."""
        if self.scope.store.scrub():
            self._settle(receipt.ref, SCRUBBED)
            return replace(receipt, state=SCRUBBED)
        with self.scope.store.write(self.scope.owner) as tx:
            jobs.enqueue(self.scope, tx, "scrub", {"ref": receipt.ref})
        return receipt

    def verify(self, ref: str) -> Verification:
        """Search again for everything a forget or an erasure took away."""
        with self.scope.store.read(self.scope.owner) as tx:
            row = tx.receipts.get(ref)
            if row is None or row.action not in ("FORGET", "ERASE"):
                raise NotFound("receipt of a forget", ref)
            kept = self.scope.open_json("receipt", ref, row.sealed)
            rewritten = {one["id"] for one in kept["changes"] if one["action"] == "UPDATE"}
            found = [line for id in rewritten for line in self._left(tx, id)]
            for id in (id for id in kept["ids"] if id not in rewritten):
                if tx.memories.get([id]):
                    found.append(f"memory {id}")
                if tx.versions.of(states.NOUN, id):
                    found.append(f"versions of {id}")
                if tx.evidence.of(states.NOUN, [id]):
                    found.append(f"evidence of {id}")
        state = row.state
        if state == PENDING and self.scope.store.scrub():
            self._settle(ref, SCRUBBED)
            state = SCRUBBED
        return Verification(ref=ref, state=state, found=tuple(found))

    def erase_namespace(self, name: str) -> Receipt:
        """Everything in a namespace, and the namespace itself."""
        with working(self.scope, "ERASE") as work:
            row = work.tx.namespaces.by_label(work.vault.label("namespace", name))
            if row is None or not self.scope.reaches(row.id):
                raise NotFound("namespace", name)
            work.ledger("erase-namespace", row.id, row.id)
            self.take_along(work, row.id)
            work.tx.namespaces.drop(row.id)
            work.gone("namespace", row.id, None, row.id)
            work.audit("ERASE", "namespace", row.id, None, None, None)
            work.note("DELETE", row.id, "erased", noun="namespace")
            work.ids.append(row.id)
            receipt = work.receipt(state=PENDING)
        return self.scrub(receipt)

    def take_along(self, work: Work, namespace: str, *, noted: bool = True) -> None:
        """What was moved here left words and vectors where it came from, and lies there in older copies.

        Those go too; a restore finds the rest by its id, which is ``noted`` in the ledger.
        """
        after: str | None = None
        said: dict[str, list[int]] = {}
        while page := work.tx.memories.find(Filter(namespaces=(namespace,)), after=after, limit=PAGE):
            after = page[-1].id
            for row in (row for row in page if row.version > 1):
                said[row.id] = self._reasons(work, row.id)
                texts = self._all_states(work, states.opened(self.scope, row))
                elsewhere = [one for one in texts if one.row.namespace != namespace]
                indexing.unindex(work.tx, work.vault, elsewhere, language=self.scope.language)
                for one in elsewhere:
                    work.gone(states.NOUN, row.id, one.row.doc, one.row.namespace)
                if elsewhere and noted:
                    work.ledger("forget", row.id, namespace, (), "forgotten")
        self._unsay(work, said)

    def erase_owner(self) -> Receipt:
        """Everything but the account: rows gone, keys destroyed, so that no backup opens; new keys made."""
        with self.scope.store.write(self.scope.owner) as tx:
            Work(self.scope, tx, "ERASE").ledger("erase-owner", self.scope.owner, None)
            tx.owners.drop()
            self.scope.keychain.destroy(self.scope.owner)
            work = Work(self.scope, tx, "ERASE")  # with the new keys
            work.gone("owner", self.scope.owner, None, None)
            work.audit("ERASE", "owner", self.scope.owner, None, None, None)
            work.note("DELETE", self.scope.owner, "erased", noun="owner")
            receipt = work.receipt(state=PENDING)
        return self.scrub(receipt)

    def _settle(self, ref: str, state: str) -> None:
        with self.scope.store.write(self.scope.owner) as tx:
            row = tx.receipts.get(ref)
            if row is not None and row.state != state:
                tx.receipts.put(replace(row, state=state))

    def _all_states(self, work: Work, held: Held) -> list[Held]:
        """Every text the memory ever had, once per number it stood under."""
        found = {held.row.doc: held}
        for row in work.tx.versions.of(states.NOUN, held.id):
            earlier, _ = states.opened_version(self.scope, row)
            found.setdefault(earlier.row.doc, earlier)
        return list(found.values())

    def _reasons(self, work: Work, id: str) -> list[int]:
        """When somebody said why a memory was changed."""
        rows = work.tx.versions.of(states.NOUN, id)
        return [row.recorded_at for row in rows if states.opened_version(self.scope, row)[1] is not None]

    def _unsay(self, work: Work, said: Mapping[str, Sequence[int]]) -> None:
        """Why something was changed may repeat it: out of the audit, which keeps a digest, and out of receipts."""
        times = list(dict.fromkeys(at for several in said.values() for at in several))
        if not times:
            return
        work.tx.audit.drop_reasons([id for id, several in said.items() if several])
        for row in work.tx.receipts.at(times):
            kept = self.scope.open_json("receipt", row.ref, row.sealed)
            changes = [{**one, "reason": FORGOTTEN} if one["id"] in said else one for one in kept["changes"]]
            sealed = work.vault.seal_json("receipt", row.ref, {**kept, "changes": changes})
            work.tx.receipts.put(replace(row, sealed=sealed))

    def _values(self, work: Work, held: Held, all_states: Sequence[Held], victims: Collection[str]) -> list[bytes]:
        """Fingerprints of what may not come back: each text, its quotes, and the telling sentences that say it.

        A sentence that another memory states too is still believed; forgetting the turn does not take that away.
        """
        namespace = held.row.namespace
        quotes = dict(self._quotes(work, held))
        texts = [*(value(one.content.text, one.content.key) for one in all_states), *filter(None, quotes.values())]
        made = [work.vault.fingerprint(namespace, text) for text in texts]
        turns = all_states if held.row.kind == "episodic" else ()
        told = [one.text for turn in turns for one in sentences(turn.content.text)]
        for episode in work.tx.memories.get(list(quotes)):
            quote, said = quotes[episode.id], states.opened(self.scope, episode).content.text
            told += [one.text for one in sentences(said) if quote and quote in one.text]
        telling = [text for text in told if len(words(text, self.scope.language)) >= TELLING]
        parts = [work.vault.fingerprint(namespace, text) for text in telling]
        made += [part for part in parts if not self._stated(work, namespace, part, victims)]
        return list(dict.fromkeys(made))

    def _quotes(self, work: Work, held: Held) -> Iterator[tuple[str, str | None]]:
        """What a memory rests on, and the words of it that say so, if they are known."""
        for row in work.tx.evidence.of(states.NOUN, [held.id]):
            sealed, name = row.sealed, f"memory/{row.id}/{row.episode}"
            yield row.episode, None if sealed is None else str(self.scope.open_json("evidence", name, sealed))

    def _stated(self, work: Work, namespace: str, fingerprint: bytes, victims: Collection[str]) -> bool:
        filter = Filter(namespaces=(namespace,), fingerprint=fingerprint, statuses=CURRENT)
        return any(row.id not in victims for row in work.tx.memories.find(filter, limit=10))

    def _unsupported(self, work: Work, victims: dict[str, Held]) -> None:
        """Add what rested on victims alone to the victims: a conclusion goes with its last evidence."""
        waiting = list(victims)
        while waiting:
            resting = dict.fromkeys(row.id for row in work.tx.evidence.resting_on(waiting))
            waiting = []
            for id in resting:
                supported = any(row.episode not in victims for row in work.tx.evidence.of(states.NOUN, [id]))
                if id not in victims and not supported:
                    victims[id] = work.held_anywhere(id)  # it may have been moved since it was concluded
                    waiting.append(id)

    def _drop_relations(self, work: Work, helds: Sequence[Held]) -> None:
        """The edges, and the nodes that nothing else speaks of."""
        work.tx.relations.delete([held.id for held in helds])
        ends = {end: held.row.namespace for held in helds for end in _ends(held)}
        for entity, namespace in ends.items():
            tied = work.tx.tags.links("entity", [entity]).get(entity)
            if tied or work.tx.relations.find([namespace], either=[entity], limit=1):
                continue
            work.tx.versions.delete("entity", [entity])
            work.tx.entities.delete([entity])
            work.gone("entity", entity, None, namespace)

    def _redact_quotes(self, work: Work, held: Held, victims: dict[str, Held]) -> None:
        for id, quote in self._quotes(work, held):
            episodes = [] if id in victims else work.tx.memories.get([id])
            for episode in episodes:
                self.redact_episode(work, states.opened(self.scope, episode), quote or held.content.text)

    def redact_episode(self, work: Work, episode: Held, quote: str, *, rest: str | None = None) -> None:
        """Take the words out of what was said, in the present text and in every version of it.

        ``rest`` is what may stay of them, if it is not they themselves.
        """
        stays = rest is not None and rest != quote
        self._rewrite(work, episode, lambda text: text.replace(quote, str(rest)) if stays else without(text, quote))

    def _rewrite(self, work: Work, episode: Held, cut: Callable[[str], str]) -> list[str]:
        """Every stored text of a memory again without what ``cut`` takes out; the texts that were changed."""
        changed: list[str] = []
        renumbered: dict[int, int] = {}
        reasons = self._reasons(work, episode.id)
        for row in work.tx.versions.of(states.NOUN, episode.id):
            earlier, _ = states.opened_version(self.scope, row)
            text = cut(earlier.content.text)
            if text == earlier.content.text:
                continue
            changed.append(earlier.content.text)
            first = earlier.row.doc not in renumbered
            if first:
                indexing.unindex(work.tx, work.vault, [earlier], language=self.scope.language)
                work.gone(states.NOUN, episode.id, earlier.row.doc, earlier.row.namespace)
                renumbered[earlier.row.doc] = work.number(earlier)
            fingerprint = work.vault.fingerprint(earlier.row.namespace, value(text, earlier.content.key))
            redacted = replace(earlier, content=replace(earlier.content, text=text)).with_row(
                fingerprint=fingerprint, doc=renumbered[earlier.row.doc]
            )
            fresh = states.version_row(
                work.vault, redacted, at=row.recorded_at, actor=row.actor, action=row.action, reason=None
            )
            work.tx.versions.replace(replace(fresh, superseded_at=row.superseded_at))
            if row.version == episode.row.version:
                current = redacted.with_row(uses=episode.row.uses, last_used_at=episode.row.last_used_at)
                work.tx.memories.put(states.sealed(work.vault, current), expected=row.version)
            if first:
                work.index_again(redacted)
        if changed:
            self._unsay(work, {episode.id: reasons})
        return changed

    def _forget_part(self, work: Work, held: Held, one: Meant) -> None:
        cuts: dict[str, str] = {}

        def cut(text: str) -> str:
            rest = one.without(text)
            if rest != text:
                cuts[text] = rest
            return rest

        texts = self.take_out(work, held, cut)
        namespace = held.row.namespace
        values = [value(text, held.content.key) for text in texts] + list(one.values)
        values += [span.text for text in texts for span in sentences(text) if cut(span.text) != span.text]
        prints = list(dict.fromkeys(work.vault.fingerprint(namespace, text) for text in values))
        work.tx.tombstones.put(
            [
                TombstoneRow(namespace=namespace, fingerprint=print, reason="forgotten", at=work.now, target=held.id)
                for print in prints
            ]
        )
        # Without a target: a restore keeps the words away, but does not delete by its id what was kept of the memory.
        work.ledger("forget", "", namespace, prints, "forgotten")
        self._note_cuts(work, held, cuts)

    def take_out(self, work: Work, held: Held, cut: Callable[[str], str]) -> list[str]:
        """Out of a memory, of the quotes it rests on and of what rests on it; the texts that were changed.

        What is left of the memory becomes a new version.
        """
        rows = [*work.tx.evidence.of(states.NOUN, [held.id]), *work.tx.evidence.resting_on([held.id])]
        for row in rows:
            self._cut_quote(work, row, cut)
        texts = list(mine := self._rewrite(work, held, cut))
        for episode in work.tx.memories.get([row.episode for row in rows if row.episode != held.id]):
            texts += self._rewrite(work, states.opened(self.scope, episode), cut)
        if mine:
            before = work.held_anywhere(held.id)
            after = work.change(before, before, action="FORGET", reason="a part was forgotten")
            work.note("UPDATE", held.id, "a part was forgotten", before=before.row.version, after=after.row.version)
        return texts

    def _note_cuts(self, work: Work, held: Held, cuts: Mapping[str, str]) -> None:
        """By which places the rest was made of the whole: a restore of an older copy makes it again, and keeps it."""
        namespace = held.row.namespace
        notes = {whole: note for whole, rest in cuts.items() if (note := cut_out(whole, rest)) is not None}
        self.scope.store.ledger.append(
            [
                LedgerEntry(
                    owner=self.scope.owner,
                    at=work.now,
                    act="cut",
                    target=held.id,
                    namespace=namespace,
                    fingerprints=tuple(work.vault.fingerprint(namespace, text) for text in (whole, cuts[whole])),
                    reason=note,
                )
                for whole, note in notes.items()
            ]
        )

    def _cut_quote(self, work: Work, row: EvidenceRow, cut: Callable[[str], str]) -> None:
        if row.sealed is None:
            return
        name = f"{row.noun}/{row.id}/{row.episode}"
        quote = str(self.scope.open_json("evidence", name, row.sealed))
        rest = cut(quote)
        if rest != quote:
            work.tx.evidence.put([replace(row, sealed=work.vault.seal_json("evidence", name, rest))])

    def _left(self, tx: Transaction, id: str) -> list[str]:
        """Where a memory that lost a part still holds a text that may not come back."""
        helds = [states.opened_version(self.scope, row)[0] for row in tx.versions.of(states.NOUN, id)]
        if not helds:
            return []
        prints = [held.row.fingerprint for held in helds]
        return [f"a version of {id}"] if tx.tombstones.among(helds[0].row.namespace, prints) else []

    def _drop_traces(self, work: Work, id: str) -> None:
        for row in work.tx.traces.page("extraction", target=id, limit=1000):
            work.tx.traces.delete(ids=[row.id])


def _ends(held: Held) -> tuple[str, str]:
    triple = held.content.triple or {}
    return triple["subject"], triple["object"]


def without(text: str, quote: str) -> str:
    """``text`` with ``quote`` replaced by a mark: the very words, else the sentence that says the same."""
    if quote in text:
        return text.replace(quote, FORGOTTEN)
    wanted = normal(quote)
    for span in reversed(sentences(text)):
        if wanted and (wanted in normal(span.text) or normal(span.text) == wanted):
            text = text[: span.start] + FORGOTTEN + text[span.end :]
    return text


def receipts_of(scope: Scope, *, limit: int = 50) -> list[ReceiptRow]:
    """The newest receipts of final acts."""
    if limit < 1:
        raise Invalid("limit is at least 1")
    with scope.store.read(scope.owner) as tx:
        return tx.receipts.page(limit=limit, actions=("FORGET", "ERASE"))
