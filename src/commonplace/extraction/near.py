"""What is believed near a candidate: found exactly by slot, key and subject, and by words where there is no slot.

A learned belief carries its slot in its metadata (``slot`` ``subject`` ``predicate`` ``object``), so that one lookup of
a keyed hash finds everything that could contradict it.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from commonplace.clock import moment
from commonplace.extraction.choices import Choice, choice_of, overturns
from commonplace.extraction.decide import Belief, choice
from commonplace.extraction.rules import Said, candidates
from commonplace.extraction.slots import plain, slot_key, slot_of
from commonplace.memories import states
from commonplace.memories.gateway import value
from commonplace.memories.states import Held
from commonplace.memories.work import Work
from commonplace.model import CURRENT, Candidate
from commonplace.retrieval.plain import Statistics, Term, score
from commonplace.store.rows import Filter, MemoryRow
from commonplace.text.index import RECORD
from commonplace.text.words import words

NEAREST = 3
"""Neighbours by words; those of the slot itself are all looked at."""
LISTED = 60
MOST = 30
COMMON = 20_000
"""A word that stands in more documents singles out nothing, and reading them all would keep a writer waiting."""
DECISIONS = 300
"""The newest decisions that a new one is held against; each is opened and read."""
BELIEFS = ("core", "associative", "relational", "proactive")


@dataclass(frozen=True, slots=True)
class Neighbour:
    belief: Belief
    held: Held


def slot_name(subject: str, predicate: str, object: str | None, *, many: bool) -> str:
    return " | ".join(slot_key(subject, predicate, object, many=many))


def slot_metadata(candidate: Candidate) -> dict[str, Any]:
    """What a belief keeps of the candidate it came from, to be found by."""
    if candidate.subject is None or candidate.predicate is None:
        return {}
    made: dict[str, Any] = {
        "subject": plain(candidate.subject),
        "predicate": candidate.predicate,
        "object": candidate.object or "",
        "slot": slot_name(candidate.subject, candidate.predicate, candidate.object, many=candidate.many),
    }
    return {**made, "many": True} if candidate.many else made


class Neighbourhood:
    """Looks around in the namespace of one work, or in another that it reads, inside its transaction."""

    def __init__(self, work: Work, *, owner_label: str, namespace: str | None = None) -> None:
        self._work, self._owner_label = work, owner_label
        self._namespace = namespace or work.namespace().id

    def of(self, candidate: Candidate) -> list[Neighbour]:
        """Everything that ``decide`` has to know of: current, ended and rejected."""
        self._work.flush()
        rows = {row.id: row for row in self._rows(candidate) if row.kind in BELIEFS}
        helds = [states.opened(self._work.scope, row, ()) for row in rows.values()]
        return self.neighbours(helds)

    def neighbours(self, helds: Sequence[Held]) -> list[Neighbour]:
        tags = self._work.tx.tags.links("memory", [held.id for held in helds]) if helds else {}
        helds = [replace(held, tags=tags.get(held.id, ())) for held in helds]
        said = self._said([held.id for held in helds])
        return [Neighbour(self._belief(held, said.get(held.id)), held) for held in helds]

    def _rows(self, candidate: Candidate) -> Iterable[MemoryRow]:
        vault = self._work.vault
        texts = {candidate.statement, value(candidate.object or candidate.statement, candidate.key)}
        for text in texts:
            yield from self._find(fingerprint=vault.fingerprint(self._namespace, text))
        if candidate.retracts is None and (new := choice(candidate)) is not None:
            yield from self._decisions(new)
        if candidate.key:
            yield from self._find(key=vault.label("core", f"{self._namespace}/{candidate.key}"))
        if candidate.subject is None:
            yield from self._by_words(candidate)
        elif candidate.predicate is None:
            yield from self._with(subject=plain(candidate.subject))
        elif candidate.object is None:
            yield from self._with(subject=plain(candidate.subject), predicate=candidate.predicate)
        else:
            names = {slot_name(candidate.subject, candidate.predicate, candidate.object, many=m) for m in (True, False)}
            for name in sorted(names):
                yield from self._with(slot=name)
            yield from self._stated(candidate)
            if candidate.kind == "relational":
                yield from self._edges(candidate)

    def _find(self, **columns: Any) -> list[MemoryRow]:
        filter = Filter(namespaces=(self._namespace,), **columns)
        return self._work.tx.memories.find(filter, limit=MOST, newest=True)

    def _with(self, **pairs: str) -> list[MemoryRow]:
        vault = self._work.vault
        return self._find(attributes=tuple(states.attribute(vault, name, one) for name, one in pairs.items()))

    def _decisions(self, new: Choice) -> Iterable[MemoryRow]:
        """Decisions have no slot; those that a new one overturns are found by reading them."""
        filter = Filter(namespaces=(self._namespace,), categories=("decision", "correction"), statuses=CURRENT)
        for row in self._work.tx.memories.find(filter, limit=DECISIONS, newest=True):
            content = states.opened(self._work.scope, row).content
            plainly = content.metadata
            old = choice_of(content.text, predicate=plainly.get("predicate"), subject=plainly.get("subject"))
            if old is not None and overturns(new, old):
                yield row

    def _edges(self, candidate: Candidate) -> list[MemoryRow]:
        """Relations that a person stated by hand carry no slot; the graph knows their ends."""
        tx, vault = self._work.tx, self._work.vault
        ends = []
        for name in (candidate.subject, candidate.object):
            label = vault.label("entity", f"{self._namespace}/{self.label(name or '')}")
            ends += [row.id for row in tx.entities.by_label([self._namespace], label)]
        if not ends:
            return []
        predicates = [candidate.predicate or ""]
        found = tx.relations.find([self._namespace], either=ends, predicates=predicates, limit=MOST)
        return tx.memories.get([row.id for row in found])

    def _by_words(self, candidate: Candidate) -> list[MemoryRow]:
        """The beliefs that share most words with a free statement or the topic of a retraction."""
        work = self._work
        row = work.tx.namespaces.get(self._namespace)
        told = list(dict.fromkeys(words(candidate.object or candidate.statement, work.scope.language)))
        if row is None or not told:
            return []
        terms = work.vault.terms(self._namespace, told)
        postings = work.tx.words.fetch(self._namespace, terms)
        rare = [
            (postings.get(term, b""), Term(word, lends=False))
            for term, word in zip(terms, told, strict=True)
            if len(postings.get(term, b"")) <= COMMON * RECORD.size
        ]
        found = score([one for one, _ in rare], Statistics(row.documents, row.length), [term for _, term in rare])
        best = found.best(LISTED)
        rows = {one.doc: one for one in work.tx.memories.by_docs(best) if one.kind in BELIEFS}
        return [rows[doc] for doc in best if doc in rows][:NEAREST]

    def _stated(self, candidate: Candidate) -> list[MemoryRow]:
        """Beliefs that somebody stated in words of their own, and that the rules read as filling the same slot."""
        found = self._by_words(replace(candidate, object=None))
        return [row for row in found if row.status in CURRENT and self._read(states.opened(self._work.scope, row))]

    def _read(self, held: Held) -> Candidate | None:
        """What a stated memory would teach if the owner had said it; None if nothing, or more than one thing."""
        if held.row.kind != "associative" or "slot" in held.content.metadata:
            return None
        at = moment(held.row.recorded_at)
        made = candidates(Said(episode=held.id, text=held.content.text, at=at), owner_name=self._owner_label)
        if len(made) != 1 or made[0].retracts or made[0].subject is None or made[0].predicate is None:
            return None
        subject = "owner" if plain(made[0].subject) == plain(self._owner_label) else made[0].subject
        return replace(made[0], subject=subject)

    def label(self, name: str) -> str:
        """What an entity is called: the owner by their label."""
        if name == "owner":
            return self._owner_label
        return f"{self._owner_label}{name[len('owner') :]}" if name.startswith("owner's ") else name

    def _said(self, ids: Sequence[str]) -> dict[str, int]:
        """When the latest evidence of each was said."""
        tx = self._work.tx
        rows = tx.evidence.of(states.NOUN, list(ids)) if ids else []
        said = {row.id: row.said_at for row in tx.memories.get(list({row.episode for row in rows}))} if rows else {}
        found: dict[str, int] = {}
        for row in rows:
            at = said.get(row.episode)
            if at is not None:
                found[row.id] = max(at, found.get(row.id, at))
        return found

    def _belief(self, held: Held, said: int | None) -> Belief:
        row, plainly = held.row, held.content.metadata
        confirmed = self._confirmed(held) if row.status in CURRENT else None
        stated = said if said is not None else row.last_confirmed_at or row.recorded_at
        subject, predicate, object = self._triple(held)
        return Belief(
            id=held.id,
            statement=held.content.text,
            subject=subject,
            predicate=predicate,
            object=held.content.text if held.content.key else object,
            key=held.content.key,
            many=bool(plainly.get("many", False)) if "slot" in plainly else _holds_many(predicate),
            kind=row.kind,  # type: ignore[arg-type]  # checked on the way in
            status=row.status,  # type: ignore[arg-type]
            source=row.source,  # type: ignore[arg-type]
            pinned=row.pinned,
            vouched=confirmed is not None,
            valid_from=None if row.valid_from is None else moment(row.valid_from),
            valid_to=None if row.valid_to is None else moment(row.valid_to),
            confidence=row.confidence,
            recorded_at=moment(row.recorded_at),
            said_at=moment(max(stated, confirmed or stated)),
        )

    def _triple(self, held: Held) -> tuple[str | None, str | None, str | None]:
        plainly = held.content.metadata
        if isinstance(plainly.get("slot"), str):
            return str(plainly["subject"]), str(plainly["predicate"]), str(plainly["object"]) or None
        triple = held.content.triple
        if triple is None:
            read = self._read(held)
            return (None, None, None) if read is None else (read.subject, read.predicate, read.object)
        rows = self._work.tx.entities.get([triple["subject"], triple["object"]])
        labels = {row.id: self._work.scope.open_json("entity", row.id, row.sealed)["label"] for row in rows}
        ends = [self._name(labels.get(triple[end], "")) for end in ("subject", "object")]
        return ends[0], triple["predicate"], ends[1]

    def _name(self, label: str) -> str:
        return "owner" if label == self._owner_label else label

    def _confirmed(self, held: Held) -> int | None:
        """When a person last vouched for it."""
        if held.row.version == 1:
            return None
        versions = self._work.tx.versions.of(states.NOUN, held.id)
        return max((row.recorded_at for row in versions if row.action == "CONFIRM"), default=None)


def _holds_many(predicate: str | None) -> bool:
    return predicate is not None and slot_of(predicate).many
