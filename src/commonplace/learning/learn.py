"""From kept turns to beliefs, as a job that cannot get lost: queued with the turns, done at once or in the daily batch.

Killed between any two steps, the job is taken up again; what was done before is recognised and not done twice.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from functools import partial
from typing import TYPE_CHECKING, Any

from commonplace.clock import local, moment
from commonplace.errors import Ambiguous, Invalid, NotFound
from commonplace.lazy import LazyModule
from commonplace.learning import trace
from commonplace.learning.apply import (
    EVIDENCE,
    FORGET_LATER,
    WAITING,
    Allows,
    ForgetRequest,
    Opinion,
    TurnApplier,
    TurnCandidates,
    by_description,
)
from commonplace.learning.decide import ACT, ASK
from commonplace.learning.matching import OF_ONESELF, clause_matches
from commonplace.learning.plain_sentences import LONGEST, Before, sentence_candidates
from commonplace.learning.rules import LOOK_BACK, MOST, Utterance, candidates
from commonplace.learning.slots import UNNAMED, UNNAMED_WORDS, member_label, owner_label, plain, possessive
from commonplace.learning.trace import LEARNED
from commonplace.memories import codec as states
from commonplace.memories.codec import StoredMemory
from commonplace.memories.forgetting import Forgetting, Target
from commonplace.memories.gateway import UNDOERS, Admission, Gateway
from commonplace.memories.residue import FORGOTTEN
from commonplace.memories.review import FORGET
from commonplace.memories.scope import Scope
from commonplace.memories.unit_of_work import Work, write_transaction
from commonplace.memories.verifying import PENDING
from commonplace.model import CURRENT, PERSONAL, Candidate, Change, NewMemory, Receipt
from commonplace.providers.judge import Judge
from commonplace.store.rows import Filter, MemoryRow
from commonplace.store.transaction import Transaction
from commonplace.text.sentences import sentences

if TYPE_CHECKING:
    from commonplace.describing import resolve
else:  # loaded when first used
    resolve = LazyModule("commonplace.describing.resolve")

ACTOR = "learning"
SPEAKERS = 40
"""Latest messages of a namespace in which its speakers are looked for."""
RECENT = 3
"""Messages before one whose beliefs it may mean without naming them."""
ONE_TALK = timedelta(hours=1)
SHOWN = 20
"""Memories that a question names at most."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LearningResult:
    """What came of some turns."""

    changes: tuple[Change, ...] = ()
    ids: tuple[str, ...] = ()
    trace: str | None = None
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Learner:
    """Learns for one scope.

    ``allows`` is what the plan says of relations. Without ``judge`` the rules work alone; ``act`` and ``ask`` are the
    probabilities from which on a change that it sees is made, or proposed.
    """

    scope: Scope
    allows: Allows
    judge: Judge | None = None
    act: float = ACT
    ask: float = ASK

    @property
    def label(self) -> str:
        return owner_label(self.scope.owner)

    def learn(self, ids: Sequence[str], *, receipt: str | None = None, run: str | None = None) -> LearningResult:
        """Read the messages and apply what they teach: one transaction a message. Safe to repeat.

        A ``run`` that was interrupted passes over the messages that it is done with.
        """
        run_state = LearningRun(self, receipt=receipt, id=run)
        for row in self._teaching(ids):
            run_state.conclude(partial(self.taught, row=row))
        return run_state.end()

    def _teaching(self, ids: Sequence[str]) -> list[MemoryRow]:
        """Those that may teach something, found without keeping a writer waiting: most do not."""
        with self.scope.store.read(self.scope.owner) as tx:
            rows = [row for row in tx.memories.get(ids) if _is_readable(row)]
        if len(ids) == 1:
            return rows
        return [row for row in rows if self.may_teach(states.opened(self.scope, row).content.text)]

    def may_teach(self, text: str) -> bool:
        """Whether a message of a person's holds anything to learn from, as far as its text alone can tell."""
        if clause_matches(text) or _FORGET_THAT.fullmatch(text.strip()):
            return True
        utterance = Utterance(episode="", text=text, at=self.scope.clock.now())
        return self.judge is not None and any(sentence_candidates(utterance, self.judge, owner_name=self.label))

    def taught(self, tx: Transaction, row: MemoryRow) -> TurnCandidates | None:
        """What the rules make of a turn, with the turns before it in view; None if it is gone or not to be read."""
        tx.ahead(
            lambda: self.turn(tx, row.id),
            lambda: self.before(tx, row),
            lambda: self._known_names(tx, row.namespace),
            lambda: tx.evidence.resting_on([row.id]),
        )
        episode = self.turn(tx, row.id)
        return None if episode is None else self.read(tx, episode, self.before(tx, episode.row))

    def read(
        self, tx: Transaction, episode: StoredMemory, before: Sequence[StoredMemory], *, names: set[str] | None = None
    ) -> TurnCandidates:
        """``names`` are the owner's, where they are known already."""
        names = self.owner_names(tx, episode.row.namespace) if names is None else names
        utterance = self.said(episode, names)
        recent = [self.said(candidate, names) for candidate in before]
        candidates_read = candidates(utterance, owner_name=self.label, recent=recent)
        by_owner = self.is_own(episode, names)
        if (
            by_owner
            and self.judge is not None
            and not any(candidate.retracts == "forget" for candidate in candidates_read)
        ):
            label = utterance.speaker or self.label
            said_before = self._words_before(episode, before, names)
            kept = sentence_candidates(utterance, self.judge, owner_name=label, before=said_before)
            candidates_read = (*candidates_read, *kept)[:MOST]
        unsaid = _unsaid(episode, before, names) if by_owner and not candidates_read else None
        earlier = tuple(stored.id for stored in before if _in_one_talk(stored.row, episode.row))
        return TurnCandidates(
            episode=episode,
            said_at=utterance.at,
            mine=by_owner,
            candidates=candidates_read,
            unsaid=unsaid,
            recent=earlier[-RECENT:],
        )

    def turn(self, tx: Transaction, id: str) -> StoredMemory | None:
        """A turn that may teach something: what a person said, and not rejected or archived since."""
        rows = (row for row in tx.memories.get([id]) if _is_readable(row))
        return next((states.opened(self.scope, row) for row in rows), None)

    def is_own(self, episode: StoredMemory, owner_names: set[str]) -> bool:
        """Whether the owner said it; in a shared namespace, the member who brought it."""
        speaker, author = episode.content.speaker, episode.content.author
        if speaker is None:
            return True
        return bool({plain(speaker), *plain(speaker).split()} & (owner_names | {plain(author or "")}))

    def _words_before(self, episode: StoredMemory, before: Sequence[StoredMemory], owner_names: set[str]) -> Before:
        """What whoever speaks said right before in the same conversation, and what the assistant asked."""
        session = episode.row.session
        talk = [stored for stored in before if session and stored.row.session == session]
        asked = [span.text for span in sentences(talk[-1].content.text)] if talk and talk[-1].row.role != "user" else []
        question = asked[-1] if asked and asked[-1].endswith("?") and len(asked[-1].split()) <= LONGEST else ""
        own = [stored for stored in reversed(talk) if stored.row.role == "user" and self.is_own(stored, owner_names)]
        speaker = episode.content.speaker
        return Before(tuple(stored.content.text for stored in own if stored.content.speaker == speaker), question)

    def said(self, episode: StoredMemory, owner_names: set[str]) -> Utterance:
        row, content = episode.row, episode.content
        return Utterance(
            episode=episode.id,
            text=episode.content.text,
            at=local(moment(row.said_at or row.recorded_at), self.scope.zone),
            speaker=member_label(content.author) if self.is_own(episode, owner_names) else content.speaker,
            role=row.role or "user",
        )

    def before(self, tx: Transaction, row: MemoryRow) -> list[StoredMemory]:
        """The last turns before one, oldest first: of its conversation, or where it begins that, of the namespace."""
        where = Filter(namespaces=(row.namespace,), kinds=("episodic",), statuses=CURRENT)
        if row.position and row.session:
            where = replace(where, sessions=(row.session,))
        rows = tx.memories.find(where, after=row.id, limit=LOOK_BACK, newest=True)
        return [states.opened(self.scope, episode) for episode in reversed(rows)]

    def owner_names(self, tx: Transaction, namespace: str) -> set[str]:
        """What the owner is called. Where no name is known, it is whoever speaks alone with the assistant."""
        names = self._known_names(tx, namespace)
        if self.label != UNNAMED or names - {plain(self.scope.owner), *UNNAMED_WORDS}:
            return names | {*UNNAMED_WORDS, plain(self.label)}
        speakers = self._speakers(tx, namespace)
        return names | {*UNNAMED_WORDS} | (speakers if len(speakers) == 1 else set())

    def _speakers(self, tx: Transaction, namespace: str) -> set[str]:
        """Who speaks as a user in a namespace, by name; somebody without a name counts as one more."""
        where = Filter(namespaces=(namespace,), kinds=("episodic",))
        rows = tx.memories.find(where, limit=SPEAKERS, newest=True)
        opened = (states.opened(self.scope, row) for row in rows if row.role == "user")
        return {plain(episode.content.speaker or "") for episode in opened}

    def _known_names(self, tx: Transaction, namespace: str) -> set[str]:
        names = {plain(self.scope.owner)}
        personal = tx.namespaces.by_label(self.scope.vault.label("namespace", PERSONAL))
        places = {namespace} if personal is None or not self.scope.reaches(personal.id) else {namespace, personal.id}
        for place in sorted(places):
            for key in ("name", "called"):
                hash = self.scope.vault.label("core", f"{place}/{key}")
                for row in tx.memories.find(Filter(namespaces=(place,), key=hash, statuses=("verified",))):
                    names.add(plain(states.opened(self.scope, row).content.text))
        return names

    def meant(self, asking: StoredMemory, request: Candidate, among: Sequence[str] | None = None) -> list[Target]:
        """What "forget what I said about my sister" means, as far as it was said before; only ``among`` those given.

        Raises ``NotFound``, or ``Ambiguous`` with the ids of all that it may mean.
        """
        at = asking.row.said_at or asking.row.recorded_at

        def apart(stored: StoredMemory) -> bool:
            later = stored.row.kind == "episodic" and (stored.row.said_at or stored.row.recorded_at) > at
            return later or stored.id == asking.id or (among is not None and stored.id not in among)

        prefix = f"{possessive(self.label)} "
        text = request.object or ""
        text = f"my {text.removeprefix(prefix)}" if text.startswith(prefix) else text
        describing = resolve.Describing(self.scope, lambda query: [], Judge())
        try:
            return describing.targets(text, apart=apart)
        except Ambiguous as several:
            if not self._said_once(several.ids):
                raise
        return describing.targets(text, apart=apart, all=True)

    def _said_once(self, ids: Sequence[str]) -> bool:
        """Whether all of them are one turn and what was concluded from it: then that is what was said about it."""
        with self.scope.store.read(self.scope.owner) as tx:
            beliefs = [row.id for row in tx.memories.get(ids) if row.kind != "episodic"]
            evidence = tx.evidence.of(states.NOUN, beliefs) if beliefs else []
        turns = {row.episode for row in evidence} | (set(ids) - set(beliefs))
        return {row.id for row in evidence} == set(beliefs) and len(turns) == 1


def _is_readable(row: MemoryRow) -> bool:
    return row.kind == "episodic" and row.status == "verified" and row.role == "user"


def _in_one_talk(earlier: MemoryRow, row: MemoryRow) -> bool:
    """Whether two turns are of one session, or the later one begins its session within an hour."""
    apart = moment(row.said_at or row.recorded_at) - moment(earlier.said_at or earlier.recorded_at)
    return (bool(row.session) and earlier.session == row.session) or (not row.position and apart <= ONE_TALK)


_FORGET_THAT = re.compile(
    r"(?:(?:oh|no|actually|please|sorry|wait|hmm|ok|okay|just|bitte|per favore|por favor|scusa)[,.! ]+)*"
    r"(?:forget (?:that|this|what I(?: just)? said|I said that)|dimentica (?:quello|ciò) che ho detto|olvida eso"
    r"|oublie[sz]? (?:ça|cela|ce que j'ai dit)|vergiss das)(?:,? (?:please|bitte|per favore|por favor))?[.! ]*",
    re.IGNORECASE,
)


def _unsaid(episode: StoredMemory, before: Sequence[StoredMemory], names: set[str]) -> str | None:
    """The turn that "forget that" means where the rules learned nothing from it: the owner's words right before it.

    Only in one conversation without a gap: where a turn is missing, that may be the one which was meant and is gone.
    """
    if not _FORGET_THAT.fullmatch(episode.content.text.strip()) or not episode.row.position:
        return None
    place = episode.row.position
    for stored in reversed(before):
        place -= 1
        if stored.row.session != episode.row.session or stored.row.position != place:
            return None
        if stored.row.role == "user":
            text, speaker = stored.content.text, stored.content.speaker
            by_owner = speaker is None or plain(speaker) in names
            tells = bool(OF_ONESELF.search(text)) and "?" not in text and FORGOTTEN not in text
            return stored.id if by_owner and tells else None
    return None


class LearningRun:
    """One run of learning over some turns, and what has come of it so far."""

    def __init__(self, learner: Learner, *, receipt: str | None = None, id: str | None = None) -> None:
        self._learner, self._scope, self._receipt = learner, learner.scope, receipt
        self._resumed, self.id = id is not None, id or self._scope.clock.new_id()
        self._began = self._scope.clock.now()
        self._steps: list[str] = []
        self._turns: list[str] = []
        self._learned = LearningResult(trace=self.id)

    def conclude(
        self,
        read: Callable[[Transaction], TurnCandidates | None],
        *,
        opinion: Opinion | None = None,
        tokens: int = 0,
        mark: trace.TraceStep | None = None,
    ) -> None:
        """Decide and do what one turn teaches, in one transaction; then what cannot be undone, in another.

        ``tokens`` are what a language model has used in this run so far; ``mark`` is written down with it all.
        """
        with write_transaction(self._scope, "LEARN") as work:
            if mark is not None:
                trace.put_step(work, self.id, mark)
            taught = read(work.tx)
            if taught is None or taught.empty:
                return
            taught, unfinished = self._begun(work.tx, taught)
            taught = self._not_done_yet(work.tx, taught)
            applying = TurnApplier(
                self._scope,
                work,
                taught,
                run=self.id,
                learner=self._learner,
                opinion=opinion,
            )
            applying.all()
            receipt = self._written_down(work, applying.steps, tokens=tokens)
        self._add(receipt)
        for request in (*unfinished, *applying.forget):
            self._forget(taught, request)
        if applying.described:
            self._forget_described(taught, applying.described)

    def _not_done_yet(self, tx: Transaction, taught: TurnCandidates) -> TurnCandidates:
        """A turn without what this run has done of it before: all but what is still to be looked for."""
        if self._resumed:
            self._resumed = False
            self._steps, self._turns = trace.begun(self._scope, tx, self.id)
        if taught.episode.id not in self._turns:
            self._turns.append(taught.episode.id)
            return taught
        return replace(
            taught,
            candidates=tuple(candidate for candidate in taught.candidates if by_description(candidate)),
            unsaid=None,
        )

    def _written_down(self, work: Work, steps: Sequence[str], *, tokens: int = 0) -> Receipt:
        self._steps += steps
        if steps:
            turns, took = self._turns, self._seconds()
            trace.put_run(work, self.id, steps=self._steps, turns=turns, tokens=tokens, seconds=took)
        if self._receipt is not None and work.touched:
            join(work, self._receipt, work.ref)
        return work.receipt(trace=self.id, keep=bool(work.touched))

    def _begun(self, tx: Transaction, taught: TurnCandidates) -> tuple[TurnCandidates, list[ForgetRequest]]:
        """What is left of a turn that was read before and asked to forget something.

        What it meant then is known, and still to be forgotten if we were interrupted. Looked for again, "that" would
        mean whatever was said before what is gone.
        """
        asks = [candidate for candidate in taught.candidates if candidate.retracts == "forget"]
        steps = trace.to_forget(self._scope, tx, taught.episode.id) if asks or taught.unsaid else []
        if not steps:
            return taught, []
        ways = {step.described for step in steps}
        remaining = tuple(
            candidate
            for candidate in taught.candidates
            if candidate.retracts != "forget" or by_description(candidate) not in ways
        )
        left = []
        for step in steps:
            request = next((candidate for candidate in asks if by_description(candidate) == step.described), None)
            ids = tuple(row.id for row in tx.memories.get(step.targets))
            if ids or step.parts or (step.targets and step.described):
                left.append(ForgetRequest(ids, request, parts=step.parts))
        return replace(taught, candidates=remaining, unsaid=None), left

    def end(self) -> LearningResult:
        return self._learned if self._steps else replace(self._learned, trace=None)

    def _seconds(self) -> float:
        return (self._scope.clock.now() - self._began).total_seconds()

    def _forget(self, taught: TurnCandidates, request: ForgetRequest) -> None:
        """Forget what was asked for, and the words in which it was asked where they repeat it."""
        forgetting, candidate = Forgetting(self._scope), request.candidate
        if request.parts and candidate is not None:
            self._forget_parts(taught, candidate, request.parts)
        with write_transaction(self._scope, "FORGET") as work:
            rows = work.tx.memories.get(request.ids)
            if rows:
                forgetting.forget_within(work, [states.opened(self._scope, row) for row in rows])
            if candidate is not None and self._repeats(candidate):
                for row in work.tx.memories.get([taught.episode.id]):
                    forgetting.redact_episode(work, states.opened(self._scope, row), candidate.quote)
            if not work.changes:
                return
            receipt = work.receipt(state=PENDING)
        self._add(forgetting.scrub(receipt))

    def _repeats(self, request: Candidate) -> bool:
        """Whether the words that ask for it say what is to be forgotten."""
        phrase = (request.object or "").removeprefix(f"{possessive(self._learner.label)} ")
        return bool(phrase) and plain(phrase) in plain(request.quote)

    # What is only described

    def _forget_described(self, taught: TurnCandidates, requests: Sequence[Candidate]) -> None:
        """Forget what is clearly meant. Where it may be one of several, or nothing, nothing goes: a person is asked.

        What is meant is written down before any of it goes; looked for again, the next best would seem to be meant.
        """
        lookups = [(request, *self._looked_for(taught, request)) for request in requests]
        with write_transaction(self._scope, "LEARN") as work:
            steps = []
            for request, targets, unclear in lookups:
                otherwise = "which one is meant is not certain" if unclear else "nothing of the kind is known"
                step = trace.TraceStep(
                    memory=None, episode=taught.episode.id, type="fact", action="DELETE" if targets else "NOOP",
                    reason=FORGET_LATER if targets else otherwise, near=tuple(unclear), described=True,
                    targets=tuple(target.id for target in targets if target.remains is None),
                    parts=tuple(target.id for target in targets if target.remains is not None),
                )  # fmt: skip
                steps.append(trace.put_step(work, self.id, step))
                if unclear:
                    self._ask_which(work, taught, request, unclear)
            receipt = self._written_down(work, steps)
        self._add(receipt)
        for request, targets, _unclear in lookups:
            if targets:
                self._add(Forgetting(self._scope).forget_targets(targets))
                self._forget(taught, ForgetRequest((), request))

    def _looked_for(self, taught: TurnCandidates, request: Candidate) -> tuple[list[Target], list[str]]:
        try:
            return self._learner.meant(taught.episode, request), []
        except Ambiguous as several:
            return [], list(several.ids)
        except (NotFound, Invalid):
            return [], []

    def _forget_parts(self, taught: TurnCandidates, request: Candidate, ids: Sequence[str]) -> None:
        try:
            targets = self._learner.meant(taught.episode, request, among=ids)
        except (NotFound, Ambiguous):
            return
        if parts := [target for target in targets if target.remains is not None]:
            self._add(Forgetting(self._scope).forget_targets(parts))

    def _ask_which(self, work: Work, taught: TurnCandidates, request: Candidate, ids: Sequence[str]) -> None:
        """Leave the question for a person; it does not repeat what is perhaps to be forgotten."""
        when = taught.said_at.strftime("%Y-%m-%d %H:%M:%S")
        reason = f"asked to forget one of {len(ids)}: {', '.join(ids[:SHOWN])}"
        new = NewMemory(
            text=f"On {when} something was to be forgotten; which is not certain",
            category="context", importance=WAITING, source="user",
            metadata={"review": reason, FORGET: list(ids[:SHOWN]), "contradicts": ids[0]},
        )  # fmt: skip
        terms = Admission(status="candidate", action="ADD", reason=reason, waits=True)
        Gateway(self._scope).admit(work, new, evidence=[(taught.episode.id, request.quote)], terms=terms)

    def _add(self, receipt: Receipt) -> None:
        result = self._learned
        self._learned = replace(
            result,
            changes=(*result.changes, *receipt.changes),
            ids=tuple(dict.fromkeys((*result.ids, *receipt.ids))),
            notes=tuple(dict.fromkeys((*result.notes, *receipt.notes))),
        )


def join(work: Work, receipt: str, part: str) -> None:
    """Make what was learned part of the receipt of what it was learned from: `undo` takes back both."""
    row = work.tx.receipts.get(receipt)
    if row is None:
        return
    receipt_data: dict[str, Any] = work.scope.open_json("receipt", receipt, row.sealed)
    receipt_data["touched"].append([LEARNED, part, None, 0])
    work.tx.receipts.put(replace(row, sealed=work.vault.seal_json("receipt", receipt, receipt_data)))


def undo_learned(gateway: Gateway, work: Work, ref: str, before: int | None, after: int) -> None:
    """Take back what was learned; what changed or was forgotten since stays as it is, and is named."""
    row = work.tx.receipts.get(ref)
    if row is None:
        return
    receipt_data: Mapping[str, Any] = gateway.scope.open_json("receipt", ref, row.sealed)
    for noun, id, earlier, later in reversed(_last_touches(receipt_data["touched"])):
        if noun == EVIDENCE or _version(work, noun, id) == later:
            UNDOERS[noun](gateway, work, id, earlier, later)
        else:
            work.note("NOOP", id, "changed since, left as it is")
    for namespace, fingerprint in receipt_data["tombstones"]:
        work.lift(namespace, [bytes.fromhex(fingerprint)])


def _last_touches(touched: Sequence[Sequence[Any]]) -> list[tuple[str, str, int | None, int]]:
    touches: dict[tuple[str, str], tuple[int | None, int]] = {}
    for noun, id, before, after in touched:
        touches[noun, id] = (touches.get((noun, id), (before, after))[0], after)
    return [(noun, id, before, after) for (noun, id), (before, after) in touches.items()]


def _version(work: Work, noun: str, id: str) -> int | None:
    rows: Sequence[Any] = work.tx.entities.get([id]) if noun == "entity" else work.tx.memories.get([id])
    return rows[0].version if rows else None


def undo_evidence(gateway: Gateway, work: Work, id: str, before: int | None, after: int) -> None:
    memory, _, episode = id.partition("/")
    work.tx.evidence.delete(states.NOUN, [memory], episodes=[episode])
