"""Carrying out what was decided: one turn's candidates, in one transaction, through the gateway.

Doing it twice does nothing twice: a belief that rests on the turn already is left alone.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from commonplace.clock import micros, moment
from commonplace.errors import Invalid, Refused
from commonplace.extraction import decide as deciding
from commonplace.extraction.decide import Verdict, decide
from commonplace.extraction.entities import chooser
from commonplace.extraction.kin import with_the_named
from commonplace.extraction.near import Neighbour, Neighbourhood, slot_metadata
from commonplace.extraction.slots import plain
from commonplace.extraction.trace import Step, put_step
from commonplace.memories import states
from commonplace.memories.admission import NewMemory
from commonplace.memories.gateway import Gateway, Terms, sealed_quote, value
from commonplace.memories.graph import LABEL_LIMIT, Concluded, Graph, sentence
from commonplace.memories.scope import Scope
from commonplace.memories.states import Held
from commonplace.memories.work import Work
from commonplace.model import CURRENT, PERSONAL, Candidate, Kind, Source
from commonplace.store.rows import EvidenceRow, TombstoneRow

REJECTED_BEFORE = "rejected before"
WAITING = 0.1
"""The importance of what waits for a person: found when asked for, and last in a profile."""
FORGET_LATER = "asked to be forgotten"
EVIDENCE = "evidence"
"""The noun under which a receipt remembers a piece of evidence that it added."""

Allows = Callable[[str, str], bool]
"""Whether the plan has relations between entities of two types."""

Opinion = Callable[[Candidate, Sequence[Neighbour], Verdict], tuple[Verdict, str] | None]
"""A second opinion on a verdict, and what it said; None where there is none. It may raise ``Invalid``."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Taught:
    """A turn and what it taught."""

    episode: Held
    said_at: datetime
    mine: bool
    """The owner's own words, as against those of another speaker."""
    candidates: tuple[Candidate, ...]
    by: str = "rules"
    """``rules``, or the name of the language model that concluded it."""
    unsaid: str | None = None
    """The turn before, which taught nothing and is to be forgotten as a whole."""

    @property
    def empty(self) -> bool:
        return not self.candidates and self.unsaid is None

    @property
    def source(self) -> Source:
        return "user" if self.by == "rules" else "assistant"


@dataclass(frozen=True, slots=True)
class Forget:
    """What a turn asked to be forgotten: done after its transaction, because it cannot be undone."""

    ids: tuple[str, ...]
    candidate: Candidate | None = None
    parts: tuple[str, ...] = ()
    """Memories of which only the part that the candidate describes is to go."""


class Applying:
    """One turn being learned from, inside one transaction."""

    def __init__(
        self,
        scope: Scope,
        work: Work,
        taught: Taught,
        *,
        run: str,
        allows: Allows,
        owner_label: str,
        opinion: Opinion | None = None,
    ) -> None:
        self._work, self._taught, self._run, self._opinion = work, taught, run, opinion
        self._trusted = scope.person and taught.mine and taught.source == "user"
        door = scope.acting_as(scope.actor, source=taught.source, person=self._trusted)
        self._gateway, self._graph, self._allows = Gateway(door), Graph(door), allows
        self._around = Neighbourhood(work, owner_label=owner_label)
        self._namespace = work.namespace().id
        self._readable = work.readable()
        self.steps: list[str] = []
        self.forget: list[Forget] = []
        self.described: list[Candidate] = []
        """What is to be forgotten and has to be looked for first."""

    def all(self) -> None:
        """Decide and do, candidate by candidate: each sees what those before it did."""
        if self._taught.unsaid is not None:
            self.forget.append(Forget((self._taught.unsaid,)))
            step = Step(
                memory=None, episode=self._taught.episode.id, type="fact", action="DELETE", reason=FORGET_LATER,
                targets=(self._taught.unsaid,),
            )  # fmt: skip
            self.steps.append(put_step(self._work, self._run, step))
        for told in self._taught.candidates:
            if by_description(told) and self._taught.mine and self._taught.source == "user":
                self.described.append(told)
                continue
            for candidate in list(with_the_named(self._work, self._around, told)):
                step = self._one(candidate)
                self.steps.append(put_step(self._work, self._run, replace(step, by=self._taught.by)))

    def _one(self, candidate: Candidate) -> Step:
        learned = None if candidate.retracts else self._learned_before(candidate)
        if learned is not None:
            return self._step(candidate, learned, "NOOP", "learned from this turn before")
        near = self._around.of(candidate)
        verdict, opinion = self._verdict(candidate, near)
        if self._is_open(candidate, verdict, near) and (step := self._at_home(candidate)) is not None:
            return step
        return self._settled(candidate, near, verdict, opinion)

    def _settled(self, candidate: Candidate, near: Sequence[Neighbour], verdict: Verdict, opinion: str | None) -> Step:
        try:
            step = self._done(candidate, near, verdict)
        except (Refused, Invalid) as fault:
            self._work.note("NOOP", "", f"not kept: {fault}")
            step = self._step(candidate, None, "NOOP", f"not kept: {fault}", words=False)
        return replace(step, near=tuple(one.held.id for one in near), opinion=opinion)

    # What is true of the person everywhere

    def _is_open(self, candidate: Candidate, verdict: Verdict, near: Sequence[Neighbour]) -> bool:
        """Whether this namespace has no say of its own, so that the owner's personal one is asked."""
        if PERSONAL not in self._readable.values() or self._work.scope.namespace == PERSONAL:
            return False
        spoken = any(_holds(one, candidate) and one.held.row.status in CURRENT for one in near)
        return verdict.target is None and not verdict.review and not spoken and _may_be_personal(candidate)

    def _at_home(self, candidate: Candidate) -> Step | None:
        """What it does to the belief that the personal namespace keeps, there; None if it keeps none of the kind."""
        with self._in_personal():
            learned = None if candidate.retracts else self._learned_before(candidate)
            if learned is not None:
                return self._step(candidate, learned, "NOOP", "learned from this turn before")
            near = self._around.of(candidate)
            verdict, opinion = self._verdict(candidate, near)
            if verdict.target is None and not verdict.review:
                return None
            return self._settled(candidate, near, verdict, opinion)

    @contextmanager
    def _in_personal(self) -> Iterator[None]:
        """A write goes to exactly one namespace; here, to that of the belief it is about."""
        work, around, namespace = self._work, self._around, self._namespace
        here = work.scope
        work.scope = here.within(PERSONAL)
        self._namespace = work.namespace().id
        self._around = Neighbourhood(work, owner_label=around.label("owner"))
        try:
            yield
        finally:
            work.scope, self._around, self._namespace = here, around, namespace

    def _verdict(self, candidate: Candidate, near: Sequence[Neighbour]) -> tuple[Verdict, str | None]:
        beliefs = [one.belief for one in near]
        source: Source = "user" if self._taught.mine and self._taught.source == "user" else "assistant"
        now, said = moment(self._work.now), self._taught.said_at
        verdict = decide(candidate, beliefs, now=now, said_at=said, source=source)
        said_so = None
        if self._opinion is not None and near:
            try:
                second = self._opinion(candidate, near, verdict)
                if second is not None:
                    verdict = deciding.check(second[0], candidate, beliefs, now=now, said_at=said)
                    said_so = second[1]
            except Invalid as fault:
                said_so = f"not followed: {fault}"
        return self._within_bounds(verdict, near), said_so

    def _within_bounds(self, verdict: Verdict, near: Sequence[Neighbour]) -> Verdict:
        """What somebody else says changes nothing that the owner said or vouched for."""
        if self._taught.mine or verdict.action not in ("UPDATE", "DELETE"):
            return verdict
        named = (verdict.target, *verdict.also)
        if all(one.belief.status == "candidate" for one in near if one.held.id in named):
            return verdict
        action = "ADD" if verdict.action == "UPDATE" else "NOOP"
        target = None if action == "ADD" else verdict.target
        return Verdict(action=action, target=target, reason="differs from the owner's own words", review=True)  # type: ignore[arg-type]

    def _done(self, candidate: Candidate, near: Sequence[Neighbour], verdict: Verdict) -> Step:
        held = {one.held.id: one.held for one in near}
        targets = [held[id] for id in (verdict.target, *verdict.also) if id is not None]
        if verdict.action == "DELETE":
            return self._take_back(candidate, verdict, targets)
        if verdict.action == "NOOP":
            return self._left(candidate, verdict, targets, near)
        return self._let_in(candidate, verdict, targets, near)

    # Taking back

    def _take_back(self, candidate: Candidate, verdict: Verdict, targets: Sequence[Held]) -> Step:
        if verdict.forget:
            ids = tuple(held.id for held in targets)
            self.forget.append(Forget(ids, candidate))
            return replace(self._step(candidate, None, "DELETE", FORGET_LATER, words=False), targets=ids)
        for held in targets:
            if verdict.tombstone:
                self._gateway.reject_within(self._work, held, verdict.reason)
            else:
                self._gateway.end_within(self._work, held, micros(verdict.retire_at or self._said), verdict.reason)
        return self._step(candidate, targets[0].id, "DELETE", verdict.reason)

    # Leaving alone

    def _left(self, candidate: Candidate, verdict: Verdict, targets: Sequence[Held], near: Sequence[Neighbour]) -> Step:
        if not targets:
            return self._step(candidate, None, "NOOP", verdict.reason)
        target = targets[0]
        if candidate.retracts or verdict.review or target.row.status not in CURRENT or "old news" in verdict.reason:
            self._work.note("NOOP", target.id, verdict.reason)
            return self._step(candidate, target.id, "NOOP", verdict.reason)
        if self._kind(candidate) == "relational" and target.row.kind == "associative":
            return self._now_a_relation(candidate, target, near)
        self._corroborate(candidate, target)
        return self._step(candidate, target.id, "NOOP", verdict.reason)

    def _corroborate(self, candidate: Candidate, target: Held) -> None:
        work, episode = self._work, self._taught.episode
        evidence = work.tx.evidence.of(states.NOUN, [target.id])
        if any(row.episode == episode.id for row in evidence):
            work.note("NOOP", target.id, "learned from this turn before")
            return
        told = work.tx.memories.get([row.episode for row in evidence])
        independent = all(row.fingerprint != episode.row.fingerprint for row in told)
        if not independent:
            work.note("NOOP", target.id, "the same words again")
            return
        waits = "review" in target.content.metadata
        quote = sealed_quote(work, states.NOUN, target.id, episode.id, candidate.quote)
        row = EvidenceRow(noun=states.NOUN, id=target.id, episode=episode.id, sealed=quote)
        verified = target.row.status == "verified" or (not waits and (self._trusted or bool(told)))
        self._gateway.corroborate_within(work, target, row, at=micros(self._said), verified=verified)
        work.touched.append((EVIDENCE, f"{target.id}/{episode.id}", None, 0))

    def _now_a_relation(self, candidate: Candidate, standing: Held, near: Sequence[Neighbour]) -> Step:
        """A fact that stood in for a relation while the plan had none gives way to it."""
        verdict = Verdict(action="ADD", reason="now as a relation")
        archived = standing.with_row(status="archived", retired_at=self._work.now)
        self._work.change(standing, archived, action="ARCHIVE", reason=verdict.reason)
        return self._let_in(candidate, verdict, (), near, like=standing)

    # Letting in

    def _let_in(
        self,
        candidate: Candidate,
        verdict: Verdict,
        targets: Sequence[Held],
        near: Sequence[Neighbour],
        *,
        like: Held | None = None,
    ) -> Step:
        refused = self._refused(candidate, verdict, near)
        if refused:
            self._tie_to_rejected(candidate)
            self._work.note("NOOP", "", refused)
            return self._step(candidate, None, "NOOP", refused, words=False)
        waits = verdict.review or self._tombstoned(candidate)
        reason = REJECTED_BEFORE if self._tombstoned(candidate) else verdict.reason
        if waits:
            targets = ()
        for held in targets:
            self._gateway.supersede(self._work, held, micros(verdict.retire_at or self._said), verdict.reason)
        new = self._new(candidate, verdict, near, waits=waits)
        over = new.valid_to is not None and new.valid_to <= self._said
        terms = Terms(
            status="stale" if over else "candidate" if waits else like.row.status if like else None,  # type: ignore[arg-type]
            action="UPDATE" if targets else "ADD",
            reason=reason,
            waits=waits,
        )
        held = self._admitted(candidate, new, terms)
        return self._step(candidate, held.id, terms.action, reason)

    def _new(self, candidate: Candidate, verdict: Verdict, near: Sequence[Neighbour], *, waits: bool) -> NewMemory:
        kind = self._kind(candidate)
        slot = [one for one in near if _holds(one, candidate)]
        if kind == "core" and (
            waits or (verdict.action == "ADD" and any(one.held.row.status in CURRENT for one in slot))
        ):
            kind = "associative"  # a key holds one value at a time, and this is not to replace it
        starts, ends = self._validity(candidate, verdict, slot)
        metadata: dict[str, Any] = slot_metadata(candidate)
        if waits:
            metadata["review"] = verdict.reason
            if current := [one.held.id for one in slot if one.held.row.status in CURRENT]:
                metadata["contradicts"] = current[0]
        return NewMemory(
            text=self._text(candidate, kind),
            kind=kind,
            category=candidate.category,
            key=candidate.key if kind == "core" else None,
            importance=WAITING if waits else None,
            confidence=candidate.confidence,
            source=self._taught.source,
            valid_from=starts,
            valid_to=ends,
            metadata=metadata,
        )

    def _validity(
        self, candidate: Candidate, verdict: Verdict, slot: Sequence[Neighbour]
    ) -> tuple[datetime | None, datetime | None]:
        starts, ends = candidate.valid_from, verdict.until or candidate.valid_to
        if verdict.action == "UPDATE":
            starts = max(starts or self._said, verdict.retire_at or self._said)
        elif starts is None and ends is None and any(one.belief.valid_to is not None for one in slot):
            starts = self._said  # something else held before: the two must not overlap
        if starts and ends and ends <= starts:
            starts = None
        return starts, ends

    def _admitted(self, candidate: Candidate, new: NewMemory, terms: Terms) -> Held:
        evidence = [(self._taught.episode.id, candidate.quote)]
        if new.kind != "relational":
            return self._gateway.admit(self._work, new, evidence=evidence, terms=terms)
        subject, predicate, object = candidate.subject, candidate.predicate, candidate.object
        assert subject is not None
        assert predicate is not None
        assert object is not None
        self._graph.declare_within(self._work, predicate)
        with_owner = "owner" in (subject, object)
        choose = chooser(self._work, predicate, owner_label=self._around.label("owner"), with_owner=with_owner)
        return self._graph.relate_within(
            self._work,
            self._around.label(subject),
            predicate,
            self._around.label(object),
            subject_type=_subject_type(candidate),
            object_type=_object_type(candidate),
            confidence=candidate.confidence,
            valid_from=new.valid_from,
            valid_to=new.valid_to,
            concluded=Concluded(
                evidence=tuple(evidence), metadata=new.metadata, source=new.source, terms=terms, choose=choose
            ),
        )

    def _kind(self, candidate: Candidate) -> Kind:
        """The kind it is kept as: a relation that the plan lacks, or that has no two ends, is a fact in words."""
        if candidate.kind == "episodic":
            return "associative"
        if candidate.kind == "core":
            return "core" if candidate.key else "associative"
        if candidate.kind != "relational":
            return candidate.kind
        ends = [self._around.label(end) for end in (candidate.subject, candidate.object) if end]
        whole = len(ends) == 2 and bool(candidate.predicate) and plain(ends[0]) != plain(ends[1])
        whole = whole and all(len(end) <= LABEL_LIMIT for end in ends)
        return (
            "relational" if whole and self._allows(_subject_type(candidate), _object_type(candidate)) else "associative"
        )

    def _text(self, candidate: Candidate, kind: Kind) -> str:
        if kind == "core":
            return candidate.object or candidate.statement
        if kind == "relational":
            ends = [self._around.label(end or "") for end in (candidate.subject, candidate.object)]
            return sentence(ends[0], candidate.predicate or "", ends[1])
        return candidate.statement

    # Before

    def _learned_before(self, candidate: Candidate) -> str | None:
        """The belief that this turn has already led to, if it has."""
        self._work.flush()
        tx = self._work.tx
        resting = tx.evidence.resting_on([self._taught.episode.id])
        if not resting:
            return None
        kind, prints = self._kind(candidate), self._fingerprints(candidate)
        found = tx.memories.get(list(dict.fromkeys(row.id for row in resting)))
        return next((row.id for row in found if row.kind == kind and row.fingerprint in prints), None)

    def _fingerprints(self, candidate: Candidate) -> list[bytes]:
        kind = self._kind(candidate)
        text = value(self._text(candidate, kind), candidate.key if kind == "core" else None)
        made: list[bytes] = self._work.vault.fingerprints(self._namespace, text)
        return made

    def _tombstones(self, candidate: Candidate) -> list[TombstoneRow]:
        """Those of its value, here and where the owner's own are: what was forgotten there does not come back here."""
        among, kind = self._work.tx.tombstones.among, self._kind(candidate)
        text = value(self._text(candidate, kind), candidate.key if kind == "core" else None)
        places = dict.fromkeys((self._namespace, *self._readable))
        return [row for one in places for row in among(one, self._work.vault.fingerprints(one, text))]

    def _tombstoned(self, candidate: Candidate) -> bool:
        return bool(self._tombstones(candidate))

    def _tie_to_rejected(self, candidate: Candidate) -> None:
        """Let the turn count as evidence of what was rejected, so that recall knows it for overturned."""
        tx = self._work.tx
        tombstones = self._tombstones(candidate)
        targets = tx.memories.get([row.target for row in tombstones if row.target])
        self._work.evidence(
            [
                EvidenceRow(
                    noun=states.NOUN,
                    id=row.id,
                    episode=candidate.episode,
                    sealed=sealed_quote(self._work, states.NOUN, row.id, candidate.episode, candidate.quote),
                )
                for row in targets
                if row.status == "rejected"
            ]
        )

    def _refused(self, candidate: Candidate, verdict: Verdict, near: Sequence[Neighbour]) -> str | None:
        """Why a value that was rejected or forgotten does not even wait for a person."""
        tombstones = self._tombstones(candidate)
        again = verdict.review and REJECTED_BEFORE in verdict.reason
        if not tombstones and not again:
            return None
        if self._taught.source != "user":
            return f"{REJECTED_BEFORE}; a model does not bring it back"
        if any(micros(self._said) < row.at for row in tombstones):
            return f"{REJECTED_BEFORE}, and this was said before that"
        return f"{REJECTED_BEFORE}, in the same words" if self._same_words(candidate, near) else None

    def _same_words(self, candidate: Candidate, near: Sequence[Neighbour]) -> bool:
        tx, vault = self._work.tx, self._work.vault
        if tx.tombstones.among(self._namespace, vault.fingerprints(self._namespace, candidate.quote)):
            return True
        rejected = [one.held.id for one in near if one.held.row.status == "rejected"]
        wanted = plain(candidate.quote)
        for row in tx.evidence.of(states.NOUN, rejected) if rejected else ():
            if row.sealed is not None:
                quote = self._work.scope.open_json(EVIDENCE, f"{row.noun}/{row.id}/{row.episode}", row.sealed)
                if plain(str(quote)) == wanted:
                    return True
        return False

    @property
    def _said(self) -> datetime:
        return self._taught.said_at

    def _step(self, candidate: Candidate, memory: str | None, action: str, reason: str, *, words: bool = True) -> Step:
        return Step(
            memory=memory,
            episode=self._taught.episode.id,
            type=candidate.type,
            action=action,
            reason=reason,
            statement=candidate.statement if words else None,
        )


def by_description(candidate: Candidate) -> bool:
    """ "Forget what I said about …" names no belief; it describes one."""
    return candidate.retracts == "forget" and candidate.subject is None and candidate.object is not None


def _may_be_personal(candidate: Candidate) -> bool:
    """A branch, a port, a decision are a project's own; who somebody is and how they live are the person's."""
    if candidate.predicate is None and candidate.retracts is None and candidate.key is None:
        return False
    return candidate.predicate != "value" or " " in (candidate.subject or "")


def _holds(one: Neighbour, candidate: Candidate) -> bool:
    """Whether a neighbour fills the slot that the candidate speaks of."""
    if candidate.key and one.belief.key:
        return plain(candidate.key) == plain(one.belief.key)
    return bool(one.held.content.metadata.get("slot")) and one.held.content.metadata.get("slot") == slot_metadata(
        candidate
    ).get("slot")


def _subject_type(candidate: Candidate) -> str:
    return candidate.subject_type or "person"


def _object_type(candidate: Candidate) -> str:
    return candidate.object_type or "topic"
