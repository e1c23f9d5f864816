"""From kept turns to beliefs, as a job that cannot get lost: queued with the turns, done at once or in the daily batch.

Killed between any two steps, the job is taken up again; what was done before is recognised and not done twice.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from commonplace.clock import local, moment
from commonplace.errors import Ambiguous, Invalid, NotFound
from commonplace.extraction import trace
from commonplace.extraction.apply import (
    EVIDENCE,
    FORGET_LATER,
    WAITING,
    Allows,
    Applying,
    Forget,
    Opinion,
    Taught,
    by_description,
)
from commonplace.extraction.rules import LOOK_BACK, Said, candidates
from commonplace.extraction.slots import plain, possessive
from commonplace.extraction.trace import LEARNED
from commonplace.memories import states
from commonplace.memories.admission import NewMemory
from commonplace.memories.forgetting import PENDING, Forgetting, Meant
from commonplace.memories.gateway import FORGOTTEN, UNDOERS, Gateway, Terms
from commonplace.memories.review import FORGET
from commonplace.memories.scope import Scope
from commonplace.memories.states import Held
from commonplace.memories.work import Work, working
from commonplace.model import PERSONAL, Candidate, Change, Receipt
from commonplace.store.ports import Transaction
from commonplace.store.rows import Filter, MemoryRow

ACTOR = "learning"
SHOWN = 20
"""Memories that a question names at most."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Learned:
    """What came of some turns."""

    changes: tuple[Change, ...] = ()
    ids: tuple[str, ...] = ()
    trace: str | None = None
    notes: tuple[str, ...] = ()


def owner_label(owner: str) -> str:
    """What the owner is called in statements and in the graph: by their name, where the id looks like one."""
    named = owner.isalpha() and len(owner) > 1 and owner.casefold() not in ("me", "user", "owner", "default")
    return (owner.title() if owner.islower() else owner) if named else "Owner"


@dataclass(frozen=True, slots=True, kw_only=True)
class Learner:
    """Learns for one scope. ``allows`` is what the plan says of relations."""

    scope: Scope
    allows: Allows

    @property
    def label(self) -> str:
        return owner_label(self.scope.owner)

    def learn(self, ids: Sequence[str], *, receipt: str | None = None, run: str | None = None) -> Learned:
        """Let the rules read the turns, and do what they teach: one transaction a turn. Safe to repeat.

        A ``run`` that was interrupted passes over the turns that it is done with.
        """
        made = Run(self, receipt=receipt, id=run)
        for id in ids if len(ids) == 1 else self._telling(ids):
            made.conclude(partial(self.taught, id=id))
        return made.end()

    def _telling(self, ids: Sequence[str]) -> list[str]:
        """Those that teach something, found without keeping a writer waiting: most do not."""
        found = []
        for id in ids:
            with self.scope.store.read(self.scope.owner) as tx:
                taught = self.taught(tx, id)
            if taught is not None and not taught.empty:
                found.append(id)
        return found

    def taught(self, tx: Transaction, id: str) -> Taught | None:
        """What the rules make of a turn, with the turns before it in view; None if it is gone or not to be read."""
        episode = self.turn(tx, id)
        return None if episode is None else self.read(tx, episode, self.before(tx, episode.row))

    def read(self, tx: Transaction, episode: Held, before: Sequence[Held], *, names: set[str] | None = None) -> Taught:
        """``names`` are the owner's, where they are known already."""
        names = self.owner_names(tx, episode.row.namespace) if names is None else names
        said = self.said(episode, names)
        recent = [self.said(one, names) for one in before]
        found = candidates(said, owner_name=self.label, recent=recent)
        mine = said.speaker is None
        unsaid = _unsaid(episode, before, names) if mine and not found else None
        return Taught(episode=episode, said_at=said.at, mine=mine, candidates=found, unsaid=unsaid)

    def turn(self, tx: Transaction, id: str) -> Held | None:
        """A turn that may teach something: what a person said, and not rejected or archived since."""
        for row in tx.memories.get([id]):
            if row.kind == "episodic" and row.status == "verified" and row.role == "user":
                return states.opened(self.scope, row)
        return None

    def said(self, episode: Held, owner_names: set[str]) -> Said:
        row, speaker = episode.row, episode.content.speaker
        return Said(
            episode=episode.id,
            text=episode.content.text,
            at=local(moment(row.said_at or row.recorded_at), self.scope.zone),
            speaker=None if speaker is None or plain(speaker) in owner_names else speaker,
            role=row.role or "user",  # type: ignore[arg-type]  # checked on the way in
        )

    def before(self, tx: Transaction, row: MemoryRow) -> list[Held]:
        """The last turns before one, oldest first: of its conversation, or where it begins that, of the namespace."""
        where = Filter(namespaces=(row.namespace,), kinds=("episodic",), statuses=("verified",))
        if row.position and row.session:
            where = replace(where, sessions=(row.session,))
        found = tx.memories.find(where, after=row.id, limit=LOOK_BACK, newest=True)
        return [states.opened(self.scope, one) for one in reversed(found)]

    def owner_names(self, tx: Transaction, namespace: str) -> set[str]:
        names = {plain(self.scope.owner), plain(self.label), "owner", "user", "me"}
        personal = tx.namespaces.by_label(self.scope.vault.label("namespace", PERSONAL))
        places = {namespace} if personal is None or not self.scope.reaches(personal.id) else {namespace, personal.id}
        for place in sorted(places):
            for key in ("name", "called"):
                hash = self.scope.vault.label("core", f"{place}/{key}")
                for row in tx.memories.find(Filter(namespaces=(place,), key=hash, statuses=("verified",))):
                    names.add(plain(states.opened(self.scope, row).content.text))
        return names

    def meant(self, asking: Held, told: Candidate, among: Sequence[str] | None = None) -> list[Meant]:
        """What "forget what I said about my sister" means, as far as it was said before; only ``among`` those given.

        Raises ``NotFound``, or ``Ambiguous`` with the ids of all that it may mean.
        """
        # numpy: only who is asked to forget by a description pays for it
        from commonplace.retrieval.targets import Targets  # noqa: PLC0415

        at = asking.row.said_at or asking.row.recorded_at

        def apart(held: Held) -> bool:
            later = held.row.kind == "episodic" and (held.row.said_at or held.row.recorded_at) > at
            return later or held.id == asking.id or (among is not None and held.id not in among)

        mine = f"{possessive(self.label)} "
        text = told.object or ""
        text = f"my {text.removeprefix(mine)}" if text.startswith(mine) else text
        targets = Targets(self.scope, lambda query: [], None)
        try:
            return targets.find(text, apart=apart)
        except Ambiguous as several:
            if not self._said_once(several.ids):
                raise
        return targets.find(text, apart=apart, all=True)

    def _said_once(self, ids: Sequence[str]) -> bool:
        """Whether all of them are one turn and what was concluded from it: then that is what was said about it."""
        with self.scope.store.read(self.scope.owner) as tx:
            beliefs = [row.id for row in tx.memories.get(ids) if row.kind != "episodic"]
            evidence = tx.evidence.of(states.NOUN, beliefs) if beliefs else []
        turns = {row.episode for row in evidence} | (set(ids) - set(beliefs))
        return {row.id for row in evidence} == set(beliefs) and len(turns) == 1


_FORGET_THAT = re.compile(
    r"(?:(?:oh|no|actually|please|sorry|wait|hmm|ok|okay|just|bitte|per favore|por favor|scusa)[,.! ]+)*"
    r"(?:forget (?:that|this|what I(?: just)? said|I said that)|dimentica (?:quello|ciò) che ho detto|olvida eso"
    r"|oublie[sz]? (?:ça|cela|ce que j'ai dit)|vergiss das)(?:,? (?:please|bitte|per favore|por favor))?[.! ]*",
    re.IGNORECASE,
)
_OF_ONESELF = re.compile(
    r"\b(?:I|I'm|I've|my|me|we|our|io|mio|mia|sono|ho|yo|mi|soy|estoy|je|j'ai|mon|ma|ich|mein\w*|wir)\b", re.IGNORECASE
)


def _unsaid(episode: Held, before: Sequence[Held], names: set[str]) -> str | None:
    """The turn that "forget that" means where the rules learned nothing from it: the owner's words right before it.

    Only in one conversation without a gap: where a turn is missing, that may be the one which was meant and is gone.
    """
    if not _FORGET_THAT.fullmatch(episode.content.text.strip()) or not episode.row.position:
        return None
    place = episode.row.position
    for held in reversed(before):
        place -= 1
        if held.row.session != episode.row.session or held.row.position != place:
            return None
        if held.row.role == "user":
            text, speaker = held.content.text, held.content.speaker
            own = speaker is None or plain(speaker) in names
            tells = bool(_OF_ONESELF.search(text)) and "?" not in text and FORGOTTEN not in text
            return held.id if own and tells else None
    return None


class Run:
    """One run of learning over some turns, and what has come of it so far."""

    def __init__(self, learner: Learner, *, receipt: str | None = None, id: str | None = None) -> None:
        self._learner, self._scope, self._receipt = learner, learner.scope, receipt
        self._resumed, self.id = id is not None, id or self._scope.clock.new_id()
        self._began = self._scope.clock.now()
        self._steps: list[str] = []
        self._turns: list[str] = []
        self._learned = Learned(trace=self.id)

    def conclude(
        self,
        read: Callable[[Transaction], Taught | None],
        *,
        opinion: Opinion | None = None,
        tokens: int = 0,
        mark: trace.Step | None = None,
    ) -> None:
        """Decide and do what one turn teaches, in one transaction; then what cannot be undone, in another.

        ``tokens`` are what a language model has used in this run so far; ``mark`` is written down with it all.
        """
        with working(self._scope, "LEARN") as work:
            if mark is not None:
                trace.put_step(work, self.id, mark)
            taught = read(work.tx)
            if taught is None or taught.empty:
                return
            taught, unfinished = self._begun(work.tx, taught)
            taught = self._not_done_yet(work.tx, taught)
            applying = Applying(
                self._scope,
                work,
                taught,
                run=self.id,
                allows=self._learner.allows,
                owner_label=self._learner.label,
                opinion=opinion,
            )
            applying.all()
            made = self._written_down(work, applying.steps, tokens=tokens)
        self._add(made)
        for one in (*unfinished, *applying.forget):
            self._forget(taught, one)
        if applying.described:
            self._forget_described(taught, applying.described)

    def _not_done_yet(self, tx: Transaction, taught: Taught) -> Taught:
        """A turn without what this run has done of it before: all but what is still to be looked for."""
        if self._resumed:
            self._resumed = False
            self._steps, self._turns = trace.begun(self._scope, tx, self.id)
        if taught.episode.id not in self._turns:
            self._turns.append(taught.episode.id)
            return taught
        return replace(taught, candidates=tuple(one for one in taught.candidates if by_description(one)), unsaid=None)

    def _written_down(self, work: Work, steps: Sequence[str], *, tokens: int = 0) -> Receipt:
        self._steps += steps
        if steps:
            done, took = self._turns, self._seconds()
            trace.put_run(work, self.id, steps=self._steps, turns=done, tokens=tokens, seconds=took)
        made = work.receipt(trace=self.id, keep=bool(work.touched))
        if self._receipt is not None and work.touched:
            join(work, self._receipt, made.ref)
        return made

    def _begun(self, tx: Transaction, taught: Taught) -> tuple[Taught, list[Forget]]:
        """What is left of a turn that was read before and asked to forget something.

        What it meant then is known, and still to be forgotten if we were interrupted. Looked for again, "that" would
        mean whatever was said before what is gone.
        """
        asks = [one for one in taught.candidates if one.retracts == "forget"]
        known = trace.to_forget(self._scope, tx, taught.episode.id) if asks or taught.unsaid else []
        if not known:
            return taught, []
        ways = {step.described for step in known}
        rest = tuple(one for one in taught.candidates if one.retracts != "forget" or by_description(one) not in ways)
        left = []
        for step in known:
            told = next((one for one in asks if by_description(one) == step.described), None)
            ids = tuple(row.id for row in tx.memories.get(step.targets))
            if ids or step.parts or (step.targets and step.described):
                left.append(Forget(ids, told, parts=step.parts))
        return replace(taught, candidates=rest, unsaid=None), left

    def end(self) -> Learned:
        return self._learned if self._steps else replace(self._learned, trace=None)

    def _seconds(self) -> float:
        return (self._scope.clock.now() - self._began).total_seconds()

    def _forget(self, taught: Taught, one: Forget) -> None:
        """Forget what was asked for, and the words in which it was asked where they repeat it."""
        forgetting, told = Forgetting(self._scope), one.candidate
        if one.parts and told is not None:
            self._forget_parts(taught, told, one.parts)
        with working(self._scope, "FORGET") as work:
            rows = work.tx.memories.get(one.ids)
            if rows:
                forgetting.forget_within(work, [states.opened(self._scope, row) for row in rows])
            if told is not None and self._repeats(told):
                for row in work.tx.memories.get([taught.episode.id]):
                    forgetting.redact_episode(work, states.opened(self._scope, row), told.quote)
            if not work.changes:
                return
            made = work.receipt(state=PENDING)
        self._add(forgetting.scrub(made))

    def _repeats(self, told: Candidate) -> bool:
        """Whether the words that ask for it say what is to be forgotten."""
        named = (told.object or "").removeprefix(f"{possessive(self._learner.label)} ")
        return bool(named) and plain(named) in plain(told.quote)

    # What is only described

    def _forget_described(self, taught: Taught, asked: Sequence[Candidate]) -> None:
        """Forget what is clearly meant. Where it may be one of several, or nothing, nothing goes: a person is asked.

        What is meant is written down before any of it goes; looked for again, the next best would seem to be meant.
        """
        found = [(told, *self._looked_for(taught, told)) for told in asked]
        with working(self._scope, "LEARN") as work:
            steps = []
            for told, meant, unclear in found:
                otherwise = "which one is meant is not certain" if unclear else "nothing of the kind is known"
                step = trace.Step(
                    memory=None, episode=taught.episode.id, type="fact", action="DELETE" if meant else "NOOP",
                    reason=FORGET_LATER if meant else otherwise, near=tuple(unclear), described=True,
                    targets=tuple(one.id for one in meant if one.remains is None),
                    parts=tuple(one.id for one in meant if one.remains is not None),
                )  # fmt: skip
                steps.append(trace.put_step(work, self.id, step))
                if unclear:
                    self._ask_which(work, taught, told, unclear)
            made = self._written_down(work, steps)
        self._add(made)
        for told, meant, _unclear in found:
            if meant:
                self._add(Forgetting(self._scope).forget_meant(meant))
                self._forget(taught, Forget((), told))

    def _looked_for(self, taught: Taught, told: Candidate) -> tuple[list[Meant], list[str]]:
        try:
            return self._learner.meant(taught.episode, told), []
        except Ambiguous as several:
            return [], list(several.ids)
        except (NotFound, Invalid):
            return [], []

    def _forget_parts(self, taught: Taught, told: Candidate, ids: Sequence[str]) -> None:
        try:
            meant = self._learner.meant(taught.episode, told, among=ids)
        except (NotFound, Ambiguous):
            return
        if some := [one for one in meant if one.remains is not None]:
            self._add(Forgetting(self._scope).forget_meant(some))

    def _ask_which(self, work: Work, taught: Taught, told: Candidate, ids: Sequence[str]) -> None:
        """Leave the question for a person; it does not repeat what is perhaps to be forgotten."""
        when = taught.said_at.strftime("%Y-%m-%d %H:%M:%S")
        reason = f"asked to forget one of {len(ids)}: {', '.join(ids[:SHOWN])}"
        new = NewMemory(
            text=f"On {when} something was to be forgotten; which is not certain",
            category="context", importance=WAITING, source="user",
            metadata={"review": reason, FORGET: list(ids[:SHOWN]), "contradicts": ids[0]},
        )  # fmt: skip
        terms = Terms(status="candidate", action="ADD", reason=reason, waits=True)
        Gateway(self._scope).admit(work, new, evidence=[(taught.episode.id, told.quote)], terms=terms)

    def _add(self, made: Receipt) -> None:
        known = self._learned
        self._learned = replace(
            known,
            changes=(*known.changes, *made.changes),
            ids=tuple(dict.fromkeys((*known.ids, *made.ids))),
            notes=tuple(dict.fromkeys((*known.notes, *made.notes))),
        )


def join(work: Work, receipt: str, part: str) -> None:
    """Make what was learned part of the receipt of what it was learned from: `undo` takes back both."""
    row = work.tx.receipts.get(receipt)
    if row is None:
        return
    kept: dict[str, Any] = work.scope.open_json("receipt", receipt, row.sealed)
    kept["touched"].append([LEARNED, part, None, 0])
    work.tx.receipts.put(replace(row, sealed=work.vault.seal_json("receipt", receipt, kept)))


def _undo_learned(gateway: Gateway, work: Work, ref: str, before: int | None, after: int) -> None:
    """Take back what was learned; what changed or was forgotten since stays as it is, and is named."""
    row = work.tx.receipts.get(ref)
    if row is None:
        return
    kept: Mapping[str, Any] = gateway.scope.open_json("receipt", ref, row.sealed)
    for noun, id, earlier, later in reversed(_last_touches(kept["touched"])):
        if noun == EVIDENCE or _version(work, noun, id) == later:
            UNDOERS[noun](gateway, work, id, earlier, later)
        else:
            work.note("NOOP", id, "changed since, left as it is")
    for namespace, fingerprint in kept["tombstones"]:
        work.lift(namespace, [bytes.fromhex(fingerprint)])


def _last_touches(touched: Sequence[Sequence[Any]]) -> list[tuple[str, str, int | None, int]]:
    found: dict[tuple[str, str], tuple[int | None, int]] = {}
    for noun, id, before, after in touched:
        found[noun, id] = (found.get((noun, id), (before, after))[0], after)
    return [(noun, id, before, after) for (noun, id), (before, after) in found.items()]


def _version(work: Work, noun: str, id: str) -> int | None:
    rows: Sequence[Any] = work.tx.entities.get([id]) if noun == "entity" else work.tx.memories.get([id])
    return rows[0].version if rows else None


def _undo_evidence(gateway: Gateway, work: Work, id: str, before: int | None, after: int) -> None:
    memory, _, episode = id.partition("/")
    work.tx.evidence.delete(states.NOUN, [memory], episodes=[episode])


UNDOERS[LEARNED] = _undo_learned
UNDOERS[EVIDENCE] = _undo_evidence
