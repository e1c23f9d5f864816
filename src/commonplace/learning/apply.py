"""Carrying out what was decided: one turn's candidates, in one transaction, through the gateway.

Doing it twice does nothing twice: a belief that rests on the turn already is left alone.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from typing import Any, Protocol

from commonplace.clock import micros, moment
from commonplace.errors import Invalid, Refused
from commonplace.learning import decide as deciding
from commonplace.learning.core_values import role_conflicts
from commonplace.learning.decide import Decision, decide
from commonplace.learning.entities import chooser
from commonplace.learning.kin import with_the_named
from commonplace.learning.neighbours import Neighbour, Neighbourhood, slot_metadata
from commonplace.learning.plain_sentences import names_nothing, points_back
from commonplace.learning.rules import TIMELESS
from commonplace.learning.slots import plain
from commonplace.learning.trace import TraceStep, put_step
from commonplace.memories import codec as states
from commonplace.memories.codec import StoredMemory
from commonplace.memories.gateway import SUPERSEDES, Admission, Gateway, sealed_quote, value
from commonplace.memories.graph import LABEL_LIMIT, Graph, RelationOptions, sentence
from commonplace.memories.proposals import propose
from commonplace.memories.scope import Scope
from commonplace.memories.trust import WORDS
from commonplace.memories.unit_of_work import Work
from commonplace.model import CURRENT, PERSONAL, Candidate, Kind, NewMemory, Source
from commonplace.providers.judge import Judge
from commonplace.store.rows import EvidenceRow, TombstoneRow

REJECTED_BEFORE = "rejected before"
OUTRANKED = "would replace what a person stated"
WAITING = 0.1
"""The importance of what waits for a person: found when asked for, and last in a profile."""
MAY_HAVE_ENDED = "what was said since may have ended it"
FORGET_LATER = "asked to be forgotten"
EVIDENCE = "evidence"
"""The noun under which a receipt remembers a piece of evidence that it added."""

Allows = Callable[[str, str], bool]
"""Whether the plan has relations between entities of two types."""

Opinion = Callable[[Candidate, Sequence[Neighbour], Decision], tuple[Decision, str] | None]
"""A second opinion on a decision, and what it said; None where there is none. It may raise ``Invalid``."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnCandidates:
    """A turn and what it taught."""

    episode: StoredMemory
    said_at: datetime
    mine: bool
    """The owner's own words, as against those of another speaker."""
    candidates: tuple[Candidate, ...]
    by: str = "rules"
    """``rules``, or the name of the language model that concluded it."""
    recent: tuple[str, ...] = ()
    """The messages right before it in its conversation."""
    unsaid: str | None = None
    """The turn before, which taught nothing and is to be forgotten as a whole."""

    @property
    def empty(self) -> bool:
        return not self.candidates and self.unsaid is None

    @property
    def source(self) -> Source:
        return "user" if self.by == "rules" else "assistant"


@dataclass(frozen=True, slots=True)
class ForgetRequest:
    """What a turn asked to be forgotten: done after its transaction, because it cannot be undone."""

    ids: tuple[str, ...]
    candidate: Candidate | None = None
    parts: tuple[str, ...] = ()
    """Memories of which only the part that the candidate describes is to go."""


class Policy(Protocol):
    """What a learner says of how to decide; see ``learn.Learner``."""

    @property
    def allows(self) -> Allows: ...
    @property
    def label(self) -> str: ...
    @property
    def judge(self) -> Judge | None: ...
    @property
    def act(self) -> float: ...
    @property
    def ask(self) -> float: ...


class TurnApplier:
    """One turn being learned from, inside one transaction."""

    def __init__(
        self,
        scope: Scope,
        work: Work,
        taught: TurnCandidates,
        *,
        run: str,
        learner: "Policy",
        opinion: Opinion | None = None,
    ) -> None:
        if scope.member is None and (author := taught.episode.content.author) is not None:
            scope = work.scope = replace(scope, member=author)  # a job learns from what a member said
        self._work, self._taught, self._run, self._opinion = work, taught, run, opinion
        self._policy = learner
        self._trusted = scope.person and taught.mine and taught.source == "user"
        writer = scope.acting_as(scope.actor, source=taught.source, person=self._trusted, rank_limit=WORDS)
        writer = replace(
            writer, read_statement=lambda scope, new, judged: role_conflicts(learner.label, new, self._core_keys())
        )
        self._gateway, self._graph, self._allows = Gateway(writer), Graph(writer), learner.allows
        self._around = Neighbourhood(work, owner_label=learner.label)
        self._namespace = work.namespace().id
        self._readable = work.readable()
        self._rejected: list[str] = []
        """Words of this turn that were read as a value that a person rejected or had forgotten."""
        self.steps: list[str] = []
        self.forget: list[ForgetRequest] = []
        self.described: list[Candidate] = []
        """What is to be forgotten and has to be looked for first."""

    def all(self) -> None:
        """Decide and do, candidate by candidate: each sees what those before it did."""
        if self._taught.unsaid is not None:
            self.forget.append(ForgetRequest((self._taught.unsaid,)))
            step = TraceStep(
                memory=None, episode=self._taught.episode.id, type="fact", action="DELETE", reason=FORGET_LATER,
                targets=(self._taught.unsaid,),
            )  # fmt: skip
            self.steps.append(put_step(self._work, self._run, step))
        for request in self._taught.candidates:
            if by_description(request) and self._taught.mine and self._taught.source == "user":
                self.described.append(request)
                continue
            for candidate in list(with_the_named(self._work, self._around, request)):
                step = self._one(candidate)
                self.steps.append(put_step(self._work, self._run, replace(step, by=self._taught.by)))

    def _core_keys(self) -> set[str]:
        """The core keys that this turn sets: those it may only propose to set keep their relation too."""
        keys = {
            plain(candidate.key) for candidate in self._taught.candidates if candidate.kind == "core" and candidate.key
        }
        return {key for key in keys if not any(map(self._gateway.outranked, self._around.core_values(key)))}

    def _one(self, candidate: Candidate) -> TraceStep:
        learned = None if candidate.retracts else self._learned_before(candidate)
        if learned is not None:
            return self._step(candidate, learned, "NOOP", "learned from this turn before")
        neighbours = self._near(candidate)
        decision, opinion = self._decision(candidate, neighbours)
        if self._is_open(candidate, decision, neighbours) and (step := self._at_home(candidate)) is not None:
            return step
        return self._settled(candidate, neighbours, decision, opinion)

    def _near(self, candidate: Candidate) -> list[Neighbour]:
        judge = self._policy.judge if self._taught.mine else None
        quote = candidate.quote
        means_before = points_back(quote) or (candidate.subject is None and names_nothing(quote))
        recent = self._taught.recent if means_before else ()
        self._work.flush()
        self._work.tx.ahead(partial(self._around.looked_up, candidate, recent, judged=judge is not None))
        neighbours = self._around.of(candidate)
        return neighbours if judge is None else self._around.judged(candidate, neighbours, judge, recent)

    def _settled(
        self, candidate: Candidate, neighbours: Sequence[Neighbour], decision: Decision, opinion: str | None
    ) -> TraceStep:
        try:
            step = self._done(candidate, neighbours, decision)
        except (Refused, Invalid) as fault:
            self._work.note("NOOP", "", f"not kept: {fault}")
            step = self._step(candidate, None, "NOOP", f"not kept: {fault}", words=False)
        return replace(step, near=tuple(neighbour.held.id for neighbour in neighbours), opinion=opinion)

    # What is true of the person everywhere

    def _is_open(self, candidate: Candidate, decision: Decision, neighbours: Sequence[Neighbour]) -> bool:
        """Whether this namespace has no say of its own, so that the owner's personal one is asked."""
        if PERSONAL not in self._readable.values() or self._work.scope.namespace == PERSONAL:
            return False
        spoken = any(_holds(neighbour, candidate) and neighbour.held.row.status in CURRENT for neighbour in neighbours)
        return decision.target is None and not decision.review and not spoken and _may_be_personal(candidate)

    def _at_home(self, candidate: Candidate) -> TraceStep | None:
        """What it does to the belief that the personal namespace keeps, there; None if it keeps none of the kind."""
        with self._in_personal():
            learned = None if candidate.retracts else self._learned_before(candidate)
            if learned is not None:
                return self._step(candidate, learned, "NOOP", "learned from this turn before")
            neighbours = self._near(candidate)
            decision, opinion = self._decision(candidate, neighbours)
            if decision.target is None and not decision.review:
                return None
            return self._settled(candidate, neighbours, decision, opinion)

    @contextmanager
    def _in_personal(self) -> Iterator[None]:
        """A write goes to exactly one namespace; here, to that of the belief it is about."""
        work, neighbourhood, namespace = self._work, self._around, self._namespace
        here = work.scope
        work.scope = here.within(PERSONAL)
        self._namespace = work.namespace().id
        self._around = Neighbourhood(work, owner_label=neighbourhood.label("owner"))
        try:
            yield
        finally:
            work.scope, self._around, self._namespace = here, neighbourhood, namespace

    def _decision(self, candidate: Candidate, neighbours: Sequence[Neighbour]) -> tuple[Decision, str | None]:
        beliefs = [neighbour.belief for neighbour in neighbours]
        source: Source = "user" if self._taught.mine and self._taught.source == "user" else "assistant"
        now, said_at = moment(self._work.now), self._taught.said_at
        decision = decide(
            candidate, beliefs, now=now, said_at=said_at, source=source, act=self._policy.act, ask=self._policy.ask
        )
        free = candidate.subject is None and candidate.retracts is None and not candidate.passing
        if free and any(quote in candidate.quote for quote in self._rejected):
            return deciding.rejected_before(), None
        said_so = None
        if self._opinion is not None and neighbours:
            try:
                second = self._opinion(candidate, neighbours, decision)
                if second is not None:
                    decision = deciding.check(second[0], candidate, beliefs, now=now, said_at=said_at)
                    said_so = second[1]
            except Invalid as fault:
                said_so = f"not followed: {fault}"
        return self._within_bounds(decision, neighbours), said_so

    def _within_bounds(self, decision: Decision, neighbours: Sequence[Neighbour]) -> Decision:
        """What somebody else says changes nothing that the owner said or vouched for."""
        if self._taught.mine or decision.action not in ("UPDATE", "DELETE"):
            return decision
        ids = (decision.target, *decision.also)
        if all(neighbour.belief.status == "candidate" for neighbour in neighbours if neighbour.held.id in ids):
            return decision
        action = "ADD" if decision.action == "UPDATE" else "NOOP"
        target = None if action == "ADD" else decision.target
        return Decision(action=action, target=target, reason="differs from the owner's own words", review=True)  # type: ignore[arg-type]

    def _done(self, candidate: Candidate, neighbours: Sequence[Neighbour], decision: Decision) -> TraceStep:
        stored = {neighbour.held.id: neighbour.held for neighbour in neighbours}
        targets = [stored[id] for id in (decision.target, *decision.also) if id is not None]
        if decision.action == "DELETE":
            return self._take_back(candidate, decision, targets)
        step = (self._left if decision.action == "NOOP" else self._let_in)(candidate, decision, targets, neighbours)
        if decision.conflicts and not decision.review:
            self._ask_whether([stored[id] for id in decision.conflicts])
        return step

    def _ask_whether(self, beliefs: Sequence[StoredMemory]) -> None:
        """Ask a person whether beliefs that the new words may end have ended."""
        for belief in beliefs:
            propose(self._work, "end", belief, arguments={"at": self._said.isoformat()}, reason=MAY_HAVE_ENDED)

    # Taking back

    def _take_back(self, candidate: Candidate, decision: Decision, targets: Sequence[StoredMemory]) -> TraceStep:
        if decision.forget:
            ids = tuple(stored.id for stored in targets)
            self.forget.append(ForgetRequest(ids, candidate))
            return replace(self._step(candidate, None, "DELETE", FORGET_LATER, words=False), targets=ids)
        for stored in targets:
            if decision.tombstone:
                self._gateway.reject_within(self._work, stored, decision.reason)
            else:
                self._gateway.end_within(self._work, stored, micros(decision.retire_at or self._said), decision.reason)
        if all(self._gateway.outranked(stored) for stored in targets):
            return self._step(candidate, targets[0].id, "PROPOSE", OUTRANKED)
        return self._step(candidate, targets[0].id, "DELETE", decision.reason)

    def _quoted(self, row: EvidenceRow) -> str | None:
        if row.sealed is None:
            return None
        return str(self._work.scope.open_json(EVIDENCE, f"{row.noun}/{row.id}/{row.episode}", row.sealed))

    # Leaving alone

    def _left(
        self, candidate: Candidate, decision: Decision, targets: Sequence[StoredMemory], neighbours: Sequence[Neighbour]
    ) -> TraceStep:
        if not targets:
            return self._step(candidate, None, "NOOP", decision.reason, words=not candidate.passing)
        target = targets[0]
        if candidate.retracts or decision.review or target.row.status not in CURRENT or "old news" in decision.reason:
            self._work.note("NOOP", target.id, decision.reason)
            return self._step(candidate, target.id, "NOOP", decision.reason)
        if self._kind(candidate) == "relational" and target.row.kind == "associative":
            return self._now_a_relation(candidate, target, neighbours)
        self._corroborate(candidate, target)
        return self._step(candidate, target.id, "NOOP", decision.reason)

    def _corroborate(self, candidate: Candidate, target: StoredMemory) -> None:
        work, episode = self._work, self._taught.episode
        evidence = work.tx.evidence.of(states.NOUN, [target.id])
        if any(row.episode == episode.id for row in evidence):
            work.note("NOOP", target.id, "learned from this turn before")
            return
        if not evidence:
            work.note(
                "NOOP", target.id, "stated before"
            )  # it stands by itself: forgetting this message must not end it
            return
        episodes = work.tx.memories.get([row.episode for row in evidence])
        independent = all(row.fingerprint != episode.row.fingerprint for row in episodes)
        if not independent:
            work.note("NOOP", target.id, "the same words again")
            return
        waits = "review" in target.content.metadata
        quote = sealed_quote(work, states.NOUN, target.id, episode.id, candidate.quote)
        row = EvidenceRow(noun=states.NOUN, id=target.id, episode=episode.id, sealed=quote)
        verified = target.row.status == "verified" or (not waits and (self._trusted or bool(episodes)))
        self._gateway.corroborate_within(work, target, row, at=micros(self._said), verified=verified)
        work.touched.append((EVIDENCE, f"{target.id}/{episode.id}", None, 0))

    def _now_a_relation(
        self, candidate: Candidate, standing: StoredMemory, neighbours: Sequence[Neighbour]
    ) -> TraceStep:
        """A fact that stood in for a relation while the plan had none gives way to it."""
        decision = Decision(action="ADD", reason="now as a relation")
        archived = standing.with_row(status="archived", retired_at=self._work.now)
        self._work.change(standing, archived, action="ARCHIVE", reason=decision.reason)
        return self._let_in(candidate, decision, (), neighbours, like=standing)

    # Letting in

    def _let_in(
        self,
        candidate: Candidate,
        decision: Decision,
        targets: Sequence[StoredMemory],
        neighbours: Sequence[Neighbour],
        *,
        like: StoredMemory | None = None,
    ) -> TraceStep:
        if self._tombstoned(candidate) or REJECTED_BEFORE in decision.reason:
            self._rejected.append(candidate.quote)
        refused = self._refused(candidate, decision, neighbours)
        if refused:
            self._tie_to_rejected(candidate)
            self._work.note("NOOP", "", refused)
            return self._step(candidate, None, "NOOP", refused, words=False)
        outranked = [stored.id for stored in targets if self._gateway.outranked(stored)]
        waits = decision.review or self._tombstoned(candidate) or bool(outranked)
        reason = REJECTED_BEFORE if self._tombstoned(candidate) else OUTRANKED if outranked else decision.reason
        if waits:
            targets = ()
        for stored in targets:
            self._gateway.supersede(self._work, stored, micros(decision.retire_at or self._said), decision.reason)
        new = self._new(candidate, decision, neighbours, waits=waits)
        if outranked:
            new = replace(
                new, metadata={**new.metadata, "review": OUTRANKED, "contradicts": outranked[0], SUPERSEDES: outranked}
            )
        over = new.valid_to is not None and new.valid_to <= self._said
        terms = Admission(
            status="stale" if over else "candidate" if waits else like.row.status if like else None,
            action="UPDATE" if targets else "ADD",
            reason=reason,
            waits=waits,
        )
        stored = self._admitted(candidate, new, terms)
        return self._step(candidate, stored.id, terms.action, reason)

    def _new(
        self, candidate: Candidate, decision: Decision, neighbours: Sequence[Neighbour], *, waits: bool
    ) -> NewMemory:
        kind = self._kind(candidate)
        slot = [neighbour for neighbour in neighbours if _holds(neighbour, candidate)]
        if kind == "core" and (
            waits or (decision.action == "ADD" and any(neighbour.held.row.status in CURRENT for neighbour in slot))
        ):
            kind = "associative"  # a key holds one value at a time, and this is not to replace it
        starts, ends = self._validity(candidate, decision)
        metadata: dict[str, Any] = slot_metadata(candidate)
        if waits:
            metadata["review"] = decision.reason
            current = [neighbour.held.id for neighbour in slot if neighbour.held.row.status in CURRENT]
            if conflicts := [*decision.conflicts, *current]:
                metadata["contradicts"] = conflicts[0]
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

    def _validity(self, candidate: Candidate, decision: Decision) -> tuple[datetime | None, datetime | None]:
        """When it holds: from the day its clause names, else the day it was said; birthdays and names always."""
        starts, ends = candidate.valid_from, decision.until or candidate.valid_to
        if decision.action != "UPDATE":
            ends = ends or candidate.fades_at
        if candidate.subject is None and decision.until is None:
            starts = min(
                self._said, moment(self._work.now)
            )  # a plan is known at once; what it ends holds until its day
        elif decision.action == "UPDATE":
            starts = max(starts or self._said, decision.retire_at or self._said)
        elif starts is None and candidate.predicate not in TIMELESS:
            starts = min(self._said, moment(self._work.now))
        if starts and ends and ends <= starts:
            starts = None
        return starts, ends

    def _admitted(self, candidate: Candidate, new: NewMemory, terms: Admission) -> StoredMemory:
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
            concluded=RelationOptions(
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
        complete = len(ends) == 2 and bool(candidate.predicate) and plain(ends[0]) != plain(ends[1])
        complete = complete and all(len(end) <= LABEL_LIMIT for end in ends)
        return (
            "relational"
            if complete and self._allows(_subject_type(candidate), _object_type(candidate))
            else "associative"
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
        rows = tx.memories.get(list(dict.fromkeys(row.id for row in resting)))
        return next((row.id for row in rows if row.kind == kind and row.fingerprint in prints), None)

    def _fingerprints(self, candidate: Candidate) -> list[bytes]:
        kind = self._kind(candidate)
        text = value(self._text(candidate, kind), candidate.key if kind == "core" else None)
        prints: list[bytes] = self._work.vault.fingerprints(self._namespace, text)
        return prints

    def _tombstones(self, candidate: Candidate) -> list[TombstoneRow]:
        """Those of its value, here and where the owner's own are: what was forgotten there does not come back here."""
        among, kind = self._work.tx.tombstones.among, self._kind(candidate)
        text = value(self._text(candidate, kind), candidate.key if kind == "core" else None)
        places = dict.fromkeys((self._namespace, *self._readable))
        return [row for place in places for row in among(place, self._work.vault.fingerprints(place, text))]

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

    def _refused(self, candidate: Candidate, decision: Decision, neighbours: Sequence[Neighbour]) -> str | None:
        """Why a value that was rejected or forgotten does not even wait for a person."""
        tombstones = self._tombstones(candidate)
        again = decision.review and REJECTED_BEFORE in decision.reason
        if not tombstones and not again:
            return None
        if self._taught.source != "user":
            return f"{REJECTED_BEFORE}; a model does not bring it back"
        if any(micros(self._said) < row.at for row in tombstones):
            return f"{REJECTED_BEFORE}, and this was said before that"
        return f"{REJECTED_BEFORE}, in the same words" if self._same_words(candidate, neighbours) else None

    def _same_words(self, candidate: Candidate, neighbours: Sequence[Neighbour]) -> bool:
        tx, vault = self._work.tx, self._work.vault
        if tx.tombstones.among(self._namespace, vault.fingerprints(self._namespace, candidate.quote)):
            return True
        rejected = [neighbour.held.id for neighbour in neighbours if neighbour.held.row.status == "rejected"]
        quoted = plain(candidate.quote)
        for row in tx.evidence.of(states.NOUN, rejected) if rejected else ():
            if plain(self._quoted(row) or "") == quoted:
                return True
        return False

    @property
    def _said(self) -> datetime:
        return self._taught.said_at

    def _step(
        self, candidate: Candidate, memory: str | None, action: str, reason: str, *, words: bool = True
    ) -> TraceStep:
        return TraceStep(
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


def _holds(neighbour: Neighbour, candidate: Candidate) -> bool:
    """Whether a neighbour fills the slot that the candidate speaks of."""
    if candidate.key and neighbour.belief.key:
        return plain(candidate.key) == plain(neighbour.belief.key)
    return bool(neighbour.held.content.metadata.get("slot")) and neighbour.held.content.metadata.get(
        "slot"
    ) == slot_metadata(candidate).get("slot")


def _subject_type(candidate: Candidate) -> str:
    return candidate.subject_type or "person"


def _object_type(candidate: Candidate) -> str:
    return candidate.object_type or "topic"
