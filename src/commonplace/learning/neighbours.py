"""What is believed near a candidate: found exactly by slot, key and subject, and by words where there is no slot.

A learned belief carries its slot in its metadata (``slot`` ``subject`` ``predicate`` ``object``), so that one lookup of
a keyed hash finds everything that could contradict it.
"""

import itertools
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from commonplace.clock import moment
from commonplace.learning.choices import Choice, choice_of, overturns
from commonplace.learning.decide import ASK, Belief, choice
from commonplace.learning.matching import likely, speaks_of_oneself
from commonplace.learning.plain_sentences import names_in, told
from commonplace.learning.rules import Utterance, candidates
from commonplace.learning.slots import ROLES, UNNAMED, member_label, plain, slot_key, slot_of, statement
from commonplace.memories import codec as states
from commonplace.memories.codec import StoredMemory
from commonplace.memories.gateway import value
from commonplace.memories.unit_of_work import Work
from commonplace.model import CURRENT, Candidate
from commonplace.providers.judge import Judge, Verdict
from commonplace.retrieval.bm25 import Statistics, Term, score
from commonplace.store.rows import Filter, MemoryRow
from commonplace.text.index import RECORD
from commonplace.text.words import told_words, words

NEAREST = 3
"""Neighbours by words; those of the slot itself are all looked at."""
LISTED = 60
MOST = 30
COMMON = 20_000
"""A word that stands in more documents singles out nothing, and reading them all would keep a writer waiting."""
DECISIONS = 300
"""The newest decisions that a new one is held against; each is opened and read."""
JUDGED = 8
"""Beliefs that the judge compares with one statement; a pair takes it 1.5 ms."""
BELIEFS = ("core", "associative", "relational", "proactive")
SURE_MENTION = 0.97
"""Probability of a change below which one that the words only mention counts as not compared."""
COMPARED = (*CURRENT, "rejected")
"""Beliefs that the judge is asked about: those that words may change, and those that they may bring back."""


STATED = 400
"""Characters of a statement that is compared with what is believed."""
_OWNER = re.compile(r"\bOwner\b")
SOMEBODY = "Robin"
"""What an owner without a name is called."""
_NAME = re.compile(r"[A-ZÀ-ÖØ-Þ][\w'-]+")
_NO_SUBJECT = re.compile(r"[A-Za-z][a-z]*s (?:in|at|for|on|to|with|as|the|a|an|by|near|[A-Z])")
"""A verb begins the statement: "lives in Oslo"."""


@dataclass(frozen=True, slots=True)
class Neighbour:
    belief: Belief
    held: StoredMemory


def slot_name(subject: str, predicate: str, object: str | None, *, many: bool) -> str:
    return " | ".join(slot_key(subject, predicate, object, many=many))


def slot_metadata(candidate: Candidate) -> dict[str, Any]:
    """What a belief keeps of the candidate it came from, to be found by."""
    if candidate.subject is None or candidate.predicate is None:
        return {}
    metadata: dict[str, Any] = {
        "subject": plain(candidate.subject),
        "predicate": candidate.predicate,
        "object": candidate.object or "",
        "slot": slot_name(candidate.subject, candidate.predicate, candidate.object, many=candidate.many),
    }
    return {**metadata, "many": True} if candidate.many else metadata


class Neighbourhood:
    """Looks around in the namespace of one work, or in another that it reads, inside its transaction."""

    def __init__(self, work: Work, *, owner_label: str, namespace: str | None = None) -> None:
        self._work, self._owner_label = work, owner_label
        self._namespace = namespace or work.namespace().id

    def of(self, candidate: Candidate) -> list[Neighbour]:
        """Everything that ``decide`` has to know of: current, ended and rejected."""
        self._work.flush()
        rows = {row.id: row for row in self._rows(candidate) if row.kind in BELIEFS}
        stored_memories = [states.opened(self._work.scope, row, ()) for row in rows.values()]
        return self.neighbours(stored_memories)

    def looked_up(self, candidate: Candidate, recent: Sequence[str], *, judged: bool) -> None:
        """Read what ``of`` and ``judged`` will ask."""
        neighbours = self.of(candidate)
        if judged:
            self._others(candidate, neighbours, recent)

    def about(self, text: str, *, limit: int) -> list[StoredMemory]:
        """The current beliefs that share most words with a text."""
        rows = [row for row in self._by_words(text, limit=limit) if row.status in CURRENT]
        return [states.opened(self._work.scope, row) for row in rows]

    def judged(
        self,
        candidate: Candidate,
        neighbours: Sequence[Neighbour],
        judge: Judge,
        recent: Sequence[str],
    ) -> list[Neighbour]:
        """``neighbours``, and the beliefs that the candidate's words mention or that the ``recent`` messages taught.

        Current and rejected ones come with the judge's verdict on what the words do to them.
        """
        more, taught, taught_now = self._others(candidate, neighbours, recent)

        def compared(taught: Sequence[str]) -> list[Neighbour]:
            verdicts = [(item, self.compared(item, candidate, judge, taught)) for item in (*neighbours, *more)]
            # What this very message taught, now or when it was read before, it may repeat but not change.
            return [
                before if before.held.id in taught_now and not _repeats(after.belief) else after
                for before, after in verdicts
            ]

        by_words = compared(())
        changed = any(neighbour.belief.judged and neighbour.belief.judged.change >= ASK for neighbour in by_words)
        return _agreeing(by_words if changed or not taught else compared(taught))  # words that name one mean no other

    def _others(
        self, candidate: Candidate, neighbours: Sequence[Neighbour], recent: Sequence[str]
    ) -> tuple[list[Neighbour], list[str], set[str]]:
        """More beliefs for the judge, and which were learned from the ``recent`` messages and from this one."""
        ids = {neighbour.held.id for neighbour in neighbours}
        rows = {
            row.id: row
            for row in self._by_words(candidate.in_full or candidate.quote, limit=JUDGED)
            if row.status in COMPARED
        }
        rows |= {row.id: row for row in self._alike(candidate)}
        taught = [row.id for row in self._work.tx.evidence.resting_on(list(recent))] if recent else []
        rows |= {row.id: row for row in self._work.tx.memories.get(taught) if row.status in CURRENT}
        taught_now = {row.id for row in self._work.tx.evidence.resting_on([candidate.episode])}
        others = [row for row in rows.values() if row.id not in ids and row.kind in BELIEFS]
        return self.neighbours([states.opened(self._work.scope, row, ()) for row in others]), taught, taught_now

    def _alike(self, candidate: Candidate) -> list[MemoryRow]:
        """The newest current beliefs that say of the same subject another value of the same predicate."""
        if candidate.subject is None or candidate.predicate is None or candidate.retracts is not None:
            return []
        rows = self._with(subject=plain(candidate.subject), predicate=candidate.predicate)
        return [row for row in rows if row.status in CURRENT][:JUDGED]

    def sharing_words(self, text: str) -> list[Neighbour]:
        """The beliefs that the judge compares with a statement made now, whenever they were said."""
        rows = [row for row in self._by_words(text, limit=JUDGED) if row.status in COMPARED]
        stored_memories = [states.opened(self._work.scope, row) for row in rows]
        return [Neighbour(self._belief(stored, None), stored) for stored in stored_memories]

    def compared(
        self, neighbour: Neighbour, candidate: Candidate, judge: Judge, taught: Sequence[str] = ()
    ) -> Neighbour:
        """A neighbour with the judge's verdict, where the words name or mention it, say another value of its predicate,
        or it was ``taught`` just before; "it was a misdiagnosis" names what was."""
        belief, statement = neighbour.belief, (candidate.in_full or candidate.quote).rstrip(" .!")
        language = likely(statement)[0].code
        spoken = _terms(statement, language)
        is_named, is_mentioned = self._names(spoken, belief, language), self._mentions(spoken, belief, language)
        alike = belief.subject is not None and belief.subject == candidate.subject
        alike = alike and belief.predicate == candidate.predicate
        if alike:
            is_named, is_mentioned = is_named or is_mentioned, True
        asks = is_named or alike  # asked about where the words may end it, and ended where they surely do
        if belief.kind == "relational" or belief.key in ROLES:  # whatever is said of somebody names them
            is_named, is_mentioned = False, is_named or is_mentioned
        certain = is_mentioned or asks or belief.id in taught
        if candidate.episode and not is_mentioned:  # what is stated stands alone; what is said may hang on one word
            is_mentioned = self._shares_a_name(spoken, belief, language) or self._is_most_of(
                candidate.quote, belief, language
            )
        is_named = is_named or belief.id in taught
        if belief.status not in COMPARED or not (is_named or is_mentioned or belief.id in taught):
            return neighbour
        verdict = self._verdict(neighbour, statement, judge, certain=certain)
        # "Google moved its office" names an employer; only words about the owner replace it
        about = belief.subject != "owner" or verdict.likeliest != "replaces" or speaks_of_oneself(statement)
        if not about or self._is_shared_name(belief):
            is_named = is_mentioned = False
        if not (is_named or asks) and verdict.change < SURE_MENTION:
            return neighbour
        return replace(neighbour, belief=replace(belief, judged=verdict, named=is_named, mentioned=is_mentioned))

    def _verdict(self, neighbour: Neighbour, statement: str, judge: Judge, *, certain: bool) -> Verdict:
        """What a statement does to a belief. Where it is not ``certain`` that the two are about the same, the least
        change that the judge sees whatever the owner is called and in whichever person the statement speaks: of
        "Owner" it believes too easily that anybody is meant."""
        text, name = self._in_words(neighbour), self._name_of_owner
        (verdict,) = judge.decide([(text, statement)])
        if certain or verdict.change < ASK:
            return verdict
        forms = {(text, told(statement, "Owner")), (_OWNER.sub(name, text), statement)}
        return min([verdict, *judge.decide(sorted(forms))], key=lambda verdict: verdict.change)

    @property
    def _name_of_owner(self) -> str:
        return self._owner_label if self._owner_label != UNNAMED else SOMEBODY

    def _is_shared_name(self, belief: Belief) -> bool:
        """Whether a belief is about one of several that have the same name: the words may mean another of them."""
        tx, vault = self._work.tx, self._work.vault
        names = {name for name in (belief.subject, belief.object) if name not in (None, "owner")}
        labels = [vault.label("entity", f"{self._namespace}/{self.label(name or '')}") for name in names]
        return any(len(tx.entities.by_label([self._namespace], label)) > 1 for label in labels)

    def _mentions(self, spoken: frozenset[str], belief: Belief, language: str) -> bool:
        """Whether words share a third of those of a belief's value, or of all it says where it has none, or name what
        it is about ("the wedding takes place on June 14")."""
        owner = _terms(self._owner_label, language)
        terms = _terms(self._value(belief), language) - owner
        subject = _terms(belief.subject or "", language) - owner if belief.subject != "owner" else frozenset()
        return (bool(terms) and len(terms & spoken) >= len(terms) / 3) or (bool(subject) and subject <= spoken)

    def _shares_a_name(self, spoken: frozenset[str], belief: Belief, language: str) -> bool:
        names = names_in(belief.statement) - {self._owner_label} if belief.subject is None else ()
        return any(_terms(name, language) <= spoken for name in names)

    def _is_most_of(self, quote: str, belief: Belief, language: str) -> bool:
        """Whether two words, and a third of what is said, stand in a belief, and the two name no different people."""
        terms = _terms(quote, language)
        others, named = names_in(quote), names_in(belief.statement) - {self._owner_label}
        shared = terms & (_terms(self._plainly(belief), language) - _terms(self._owner_label, language))
        most = len(shared) >= min(max(2, len(terms) / 3), max(1, len(terms) / 2))
        return most and not (others and named and others.isdisjoint(named))

    def _names(self, spoken: frozenset[str], belief: Belief, language: str) -> bool:
        """Whether words name a belief's value: a name in it, or all its words; of a free sentence, half of them."""
        if belief.subject is None:
            terms = _terms(self._plainly(belief), language) - _terms(self._owner_label, "en")
            return len(terms & spoken) >= max(2, len(terms) / 2)
        value = belief.object if belief.object not in (None, "owner") else belief.subject
        names = [name for name in _NAME.findall(value or "") if plain(name) != plain(self._owner_label)]
        if any(_terms(name, language) <= spoken for name in names):
            return True
        terms = _terms(value or "", language)
        return bool(terms) and terms <= spoken

    def _value(self, belief: Belief) -> str:
        return belief.object if belief.object not in (None, "owner") else self._plainly(belief)

    def _plainly(self, belief: Belief) -> str:
        """A belief without who said it."""
        return belief.statement.removeprefix(f"{self._owner_label} said: ")

    def _in_words(self, neighbour: Neighbour) -> str:
        """A belief as the sentence that the judge reads: the owner is called Owner."""
        belief = neighbour.belief
        if belief.kind == "associative" and "slot" not in neighbour.held.content.metadata:
            return belief.statement.replace(self._owner_label, "Owner")  # a rule may read only a part of it
        if belief.key:
            return f"Owner's {belief.key} is {belief.object or belief.statement}"
        if belief.subject is not None and belief.predicate is not None and belief.object is not None:
            return statement(belief.predicate, belief.subject, belief.object, owner="Owner")
        return belief.statement.replace(self._owner_label, "Owner")

    def neighbours(self, stored_memories: Sequence[StoredMemory]) -> list[Neighbour]:
        if not stored_memories:
            return []
        tx, ids = self._work.tx, [stored.id for stored in stored_memories]
        tx.ahead(lambda: tx.tags.links("memory", ids), lambda: self._said(ids))
        tags, said_at = tx.tags.links("memory", ids), self._said(ids)
        stored_memories = [replace(stored, tags=tags.get(stored.id, ())) for stored in stored_memories]
        return [Neighbour(self._belief(stored, said_at.get(stored.id)), stored) for stored in stored_memories]

    def _rows(self, candidate: Candidate) -> Iterable[MemoryRow]:
        vault = self._work.vault
        texts = {candidate.statement, value(candidate.object or candidate.statement, candidate.key)}
        for text in texts:
            yield from self._find(fingerprint=vault.fingerprint(self._namespace, text))
        if candidate.retracts is None and (new := choice(candidate)) is not None:
            yield from self._decisions(new)
        if candidate.key:
            yield from self._with_key(candidate.key)
        if candidate.subject is None:
            yield from self._by_words(candidate.object or candidate.statement)
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

    def _with_key(self, key: str) -> list[MemoryRow]:
        return self._find(key=self._work.vault.label("core", f"{self._namespace}/{key}"))

    def core_values(self, key: str) -> list[StoredMemory]:
        """The current values of a core key."""
        rows = [row for row in self._with_key(key) if row.status in CURRENT]
        return [states.opened(self._work.scope, row) for row in rows]

    def _with(self, **pairs: str) -> list[MemoryRow]:
        vault = self._work.vault
        return self._find(attributes=tuple(states.attribute(vault, name, value) for name, value in pairs.items()))

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
        rows = tx.relations.find([self._namespace], either=ends, predicates=predicates, limit=MOST)
        return tx.memories.get([row.id for row in rows])

    def _by_words(self, text: str, *, limit: int = NEAREST) -> list[MemoryRow]:
        """The beliefs that share most words with a text."""
        work = self._work
        row = work.tx.namespaces.get(self._namespace)
        terms_said = list(dict.fromkeys(words(text, work.scope.language)))
        if row is None or not terms_said:
            return []
        terms = work.vault.terms(self._namespace, terms_said)
        postings = work.tx.words.fetch(self._namespace, terms)
        rare = [
            (postings.get(term, b""), Term(word, lends=False))
            for term, word in zip(terms, terms_said, strict=True)
            if len(postings.get(term, b"")) <= COMMON * RECORD.size
        ]
        scores = score([item for item, _ in rare], Statistics(row.documents, row.length), [term for _, term in rare])
        best = scores.best(LISTED)
        rows = {item.doc: item for item in work.tx.memories.by_docs(best) if item.kind in BELIEFS}
        return [rows[doc] for doc in best if doc in rows][:limit]

    def _stated(self, candidate: Candidate) -> list[MemoryRow]:
        """Beliefs that somebody stated in words of their own, and that the rules read as filling the same slot."""
        rows = self._by_words(candidate.statement)
        return [row for row in rows if row.status in CURRENT and self._read(states.opened(self._work.scope, row))]

    def _read(self, stored: StoredMemory) -> Candidate | None:
        """What a stated memory would teach if the owner had said it; None if nothing, or more than one thing."""
        if stored.row.kind != "associative" or "slot" in stored.content.metadata:
            return None
        return stated(stored.content.text, self._owner_label, member_label(stored.content.author))

    def label(self, name: str) -> str:
        """What an entity is called: the owner by their label."""
        if name == "owner":
            return self._owner_label
        return f"{self._owner_label}{name[len('owner') :]}" if name.startswith("owner's ") else name

    def _said(self, ids: Sequence[str]) -> dict[str, int]:
        """When the latest evidence of each was said."""
        tx = self._work.tx
        rows = tx.evidence.of(states.NOUN, list(ids)) if ids else []
        said_at = {row.id: row.said_at for row in tx.memories.get(list({row.episode for row in rows}))} if rows else {}
        latest: dict[str, int] = {}
        for row in rows:
            at = said_at.get(row.episode)
            if at is not None:
                latest[row.id] = max(at, latest.get(row.id, at))
        return latest

    def _belief(self, stored: StoredMemory, said_at: int | None) -> Belief:
        row, plainly = stored.row, stored.content.metadata
        confirmed = self._confirmed(stored) if row.status in CURRENT else None
        stated = said_at if said_at is not None else row.last_confirmed_at or row.recorded_at
        subject, predicate, object = self._triple(stored)
        return Belief(
            id=stored.id,
            statement=stored.content.text,
            subject=subject,
            predicate=predicate,
            object=stored.content.text if stored.content.key else object,
            key=stored.content.key,
            many=bool(plainly.get("many", False)) if "slot" in plainly else _holds_many(predicate),
            kind=row.kind,
            status=row.status,
            source=row.source,
            pinned=row.pinned,
            vouched=confirmed is not None,
            valid_from=None if row.valid_from is None else moment(row.valid_from),
            valid_to=None if row.valid_to is None else moment(row.valid_to),
            confidence=row.confidence,
            recorded_at=moment(row.recorded_at),
            said_at=moment(max(stated, confirmed or stated)),
        )

    def _triple(self, stored: StoredMemory) -> tuple[str | None, str | None, str | None]:
        plainly = stored.content.metadata
        if isinstance(plainly.get("slot"), str):
            return str(plainly["subject"]), str(plainly["predicate"]), str(plainly["object"]) or None
        triple = stored.content.triple
        if triple is None:
            read = self._read(stored)
            return (None, None, None) if read is None else (read.subject, read.predicate, read.object)
        rows = self._work.tx.entities.get([triple["subject"], triple["object"]])
        labels = {row.id: self._work.scope.open_json("entity", row.id, row.sealed)["label"] for row in rows}
        ends = [self._name(labels.get(triple[end], "")) for end in ("subject", "object")]
        return ends[0], triple["predicate"], ends[1]

    def _name(self, label: str) -> str:
        return "owner" if label == self._owner_label else label

    def _confirmed(self, stored: StoredMemory) -> int | None:
        """When a person last vouched for it."""
        if stored.row.version == 1:
            return None
        versions = self._work.tx.versions.of(states.NOUN, stored.id)
        return max((row.recorded_at for row in versions if row.action == "CONFIRM"), default=None)


def _holds_many(predicate: str | None) -> bool:
    return predicate is not None and slot_of(predicate).many


def _agreeing(neighbours: Sequence[Neighbour]) -> list[Neighbour]:
    """A core value (``boss``) and the relation that it states (``reports_to``) with the surer of their two verdicts."""
    result = list(neighbours)
    for at, (core, place) in itertools.product(range(len(result)), [(n, at) for at, n in enumerate(neighbours)]):
        role, edge = ROLES.get(core.belief.key or ""), result[at].belief
        if role is None or edge.predicate != role.predicate:
            continue
        if plain(core.belief.object or "") in (plain(edge.subject or ""), plain(edge.object or "")):
            surer = max((core.belief, edge), key=lambda belief: belief.judged.change if belief.judged else -1)
            for index in (at, place):
                belief = replace(
                    result[index].belief, judged=surer.judged, named=surer.named, mentioned=surer.mentioned
                )
                result[index] = replace(result[index], belief=belief)
    return result


def _repeats(belief: Belief) -> bool:
    return belief.judged is not None and belief.judged.likeliest == "same"


@lru_cache(512)
def _terms(text: str, language: str) -> frozenset[str]:
    """The words of a text that say something; one statement is compared with several beliefs."""
    return frozenset(told_words(text, language))


@lru_cache(4096)
def stated(text: str, label: str, speaker: str | None) -> Candidate | None:
    """What a statement teaches that the owner, or the member ``speaker``, made, also without a subject ("lives in
    Oslo"); None if nothing or more than one thing. A core value beside the relation it states does not count."""
    if len(text) > STATED:
        return None
    sentence = f"{label} {text[:1].lower()}{text[1:]}" if _NO_SUBJECT.match(text) else text
    hits = candidates(Utterance(episode="", text=sentence, at=moment(0), speaker=speaker), owner_name=label)
    read = [candidate for candidate in hits if candidate.kind != "core"] or list(hits)
    if len(read) != 1 or read[0].retracts or read[0].subject is None or read[0].predicate is None:
        return None
    if read[0].valid_to is not None:
        return None  # "until 2019": how it was, or for a time, replaces nothing
    candidate = replace(read[0], valid_from=None)  # a clause's dates need the day it was said
    return replace(candidate, subject="owner") if plain(read[0].subject) == plain(label) else candidate
