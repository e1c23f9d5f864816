"""Learning with a language model: its notes are checked like a stranger's claims and enter as candidates.

The conversation is sent as data, with small numbers in place of ids. A note counts only if its quote is in the message
it names. It changes a belief only if its value is in that message too, and if `decide.check` accepts the decision. No
answer of a model deletes evidence.
"""

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from importlib.resources import files
from typing import Any, Literal

from pydantic import BaseModel, Field

from commonplace.clock import moment
from commonplace.errors import Invalid, ProviderError
from commonplace.learning.apply import Opinion, TurnCandidates
from commonplace.learning.budget import DailyBudget
from commonplace.learning.decide import ACT, Decision, decide
from commonplace.learning.learn import Learner, LearningResult, LearningRun
from commonplace.learning.neighbours import Neighbour, Neighbourhood
from commonplace.learning.rules import MOST, Utterance
from commonplace.learning.slots import SLOTS, is_known, plain, slot_of
from commonplace.learning.trace import KIND, TraceStep
from commonplace.memories.admission import aware
from commonplace.memories.codec import StoredMemory
from commonplace.memories.reading import Reader
from commonplace.memories.unit_of_work import write_transaction
from commonplace.model import CATEGORIES, Action, Candidate, CandidateType, Category, Kind
from commonplace.providers.http import Unavailable
from commonplace.providers.judge import Judge
from commonplace.providers.llm import LanguageModel, ModelPrompt
from commonplace.store.transaction import Transaction
from commonplace.text.normal import normal

SURE, UNSURE = 0.9, 0.3
LONGEST = 300
"""Characters of a statement."""
TURN, EARLIER = 4_000, 500
"""Characters of a turn that are shown, and of one that only helps to understand it."""
BELIEVED = 6
"""Beliefs that are shown for one message."""
KNOWN, SHORT = 40, 80
"""Core values that are shown, and characters of each."""
ANSWER = 1_200
"""Tokens that an answer may have."""
BEGINNING = 5
"""Letters of a word that show that it was said, in whatever form."""
READ = "turn"
_PREDICATE = re.compile(r"[a-z][a-z0-9_]{1,63}")
_KEY = re.compile(r"[a-z][a-z0-9_ ]{0,39}")


class ModelNote(BaseModel):
    """One thing worth knowing, as the model gives it."""

    turn: int = Field(description="number of the message it comes from")
    quote: str = Field(description="the shortest part of that message that says it, copied letter for letter")
    type: Literal["fact", "preference", "relation", "routine", "decision", "correction", "lesson", "value"]
    statement: str = Field(description="one short English sentence in the third person that can be understood alone")
    kind: Literal["core", "associative", "relational"] = Field(
        description="relational: between two people, companies or projects; core: a value for every conversation"
    )
    category: str = Field(description=f"one of {', '.join(CATEGORIES)}")
    subject: str | None = Field(default=None, description="whom it is about; the owner is 'owner'")
    subject_type: str | None = Field(default=None, description="person, company, project, place, topic …")
    predicate: str | None = Field(default=None, description="small letters with underscores, such as lives_in")
    object: str | None = Field(default=None, description="the value in the words of the message")
    object_type: str | None = Field(default=None, description="person, company, project, place, topic …")
    key: str | None = Field(default=None, description="of a core value: its short name, such as email")
    retracts: Literal["ended", "wrong"] | None = Field(
        default=None, description="ended: no longer so; wrong: never was so; null: it is so"
    )
    since: str | None = Field(default=None, description="YYYY-MM-DD, if the same clause says since when")
    until: str | None = Field(default=None, description="YYYY-MM-DD, if the same clause says until when")
    confidence: float = Field(default=0.7, ge=0, le=1)


class ModelNotes(BaseModel):
    notes: list[ModelNote]


class ModelOpinion(BaseModel):
    """A second opinion on one note."""

    note: int
    action: Literal["ADD", "UPDATE", "DELETE", "NOOP"]
    target: int | None = None
    reason: str = ""


class ModelOpinions(BaseModel):
    verdicts: list[ModelOpinion]


class ModelHabit(BaseModel):
    """Something that comes again, and the numbers of the turns that show it."""

    statement: str
    turns: list[int]
    confidence: float = Field(default=0.6, ge=0, le=1)


class ModelHabits(BaseModel):
    patterns: list[ModelHabit]


def notice(
    model: LanguageModel, sentences: Sequence[tuple[datetime, str]], budget: DailyBudget, *, timeout: float
) -> list[ModelHabit]:
    """What a model sees coming again in these turns. Nothing of it is checked yet but its form."""
    listed = [
        {"turn": n, "at": f"{at:%A %Y-%m-%d %H:%M}", "text": text[:200]} for n, (at, text) in enumerate(sentences, 1)
    ]
    task = ModelPrompt(system=prompt("patterns"), user=json.dumps({"turns": listed}, ensure_ascii=False))
    answer = model.structured(task, ModelHabits, max_tokens=ANSWER, timeout=timeout, budget=budget)
    return answer.value.patterns


@dataclass(frozen=True, slots=True)
class CheckedNote:
    """A note beside its neighbours, as it was shown to the model, and what came back."""

    candidate: Candidate
    near: tuple[str, ...]
    decision: Decision | None
    """None: it had none, and ours stands."""
    said: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelReader:
    """Learns from turns with a language model, within a budget."""

    learner: Learner
    model: LanguageModel
    timeout: float

    def think(
        self, ids: Sequence[str], budget: DailyBudget, *, receipt: str | None = None, run: str | None = None
    ) -> LearningResult:
        """Read the turns in one question, and do what is noted: one transaction a turn.

        Raises ``ProviderError``; ``OverBudget`` at a cap, before the question that would exceed it.
        """
        run_state = LearningRun(self.learner, receipt=receipt, id=run)
        with self.learner.scope.store.read(self.learner.scope.owner) as tx:
            turns = [stored for id in ids if (stored := self._unread(tx, id)) is not None]
            task, utterances = self._task(tx, turns)
        if not turns:
            return run_state.end()
        answer = self.model.structured(
            ModelPrompt(system=prompt("notes"), user=task),
            ModelNotes,
            max_tokens=ANSWER,
            timeout=self.timeout,
            budget=budget,
        )
        for number, (stored, utterance) in enumerate(zip(turns, utterances, strict=True), 1):
            noted = notes_of(answer.value.notes, number, utterance, owner=self.learner.label, judge=self.learner.judge)
            opinions = self._opinions(stored, utterance, noted, budget)
            run_state.conclude(
                partial(self._taught, id=stored.id, noted=noted),
                opinion=_opinion(opinions, utterance.text),
                tokens=budget.used,
                mark=self._mark(stored),
            )
        return run_state.end()

    def _unread(self, tx: Transaction, id: str) -> StoredMemory | None:
        """A turn that this model has not read before: a job that was interrupted asks only for the rest."""
        stored = self.learner.turn(tx, id)
        if stored is None:
            return None
        for row in tx.traces.page(KIND, target=id, limit=50):
            step = self.learner.scope.open_json("trace", row.id, row.sealed).get("step", {})
            if step.get("type") == READ and step.get("by") == self.model.name:
                return None
        return stored

    def _mark(self, stored: StoredMemory) -> TraceStep:
        return TraceStep(memory=None, episode=stored.id, type=READ, action="NOOP", reason="read", by=self.model.name)

    def _task(self, tx: Transaction, turns: Sequence[StoredMemory]) -> tuple[str, list[Utterance]]:
        if not turns:
            return "", []
        names = self.learner.owner_names(tx, turns[0].row.namespace)
        utterances = [self.learner.said(stored, names) for stored in turns]
        before = [self.learner.said(stored, names) for stored in self.learner.before(tx, turns[0].row)]
        core = Reader(self.learner.scope).core()
        task = {
            "owner": self.learner.label,
            "known": {memory.key: memory.text[:SHORT] for memory in core[:KNOWN]},
            "believed": self._believed(utterances),
            "before": [_shown(utterance, self.learner.label, most=EARLIER) for utterance in before],
            "turns": [
                {"turn": n, **_shown(utterance, self.learner.label, most=TURN)}
                for n, utterance in enumerate(utterances, 1)
            ],
        }
        return json.dumps(task, ensure_ascii=False), utterances

    def _believed(self, utterances: Sequence[Utterance]) -> list[str]:
        """What is believed about the things that the messages name."""
        with write_transaction(self.learner.scope, "LEARN") as work:
            neighbourhood = Neighbourhood(work, owner_label=self.learner.label)
            neighbours = {
                stored.id: stored.content.text
                for turn in utterances
                for stored in neighbourhood.about(turn.text, limit=BELIEVED)
            }
        return [text[:SHORT] for text in neighbours.values()][:KNOWN]

    def _taught(self, tx: Transaction, id: str, noted: Sequence[Candidate]) -> TurnCandidates | None:
        """The notes again, beside the turn as it stands now: it may have been forgotten while the model thought."""
        episode = self.learner.turn(tx, id)
        if episode is None:
            return None
        names = self.learner.owner_names(tx, episode.row.namespace)
        utterance = self.learner.said(episode, names)
        standing = tuple(candidate for candidate in noted if candidate.quote in episode.content.text)
        return TurnCandidates(
            episode=episode,
            said_at=utterance.at,
            mine=self.learner.is_own(episode, names),
            candidates=standing,
            by=self.model.name,
        )

    def _opinions(
        self, stored: StoredMemory, utterance: Utterance, noted: Sequence[Candidate], budget: DailyBudget
    ) -> list[CheckedNote]:
        """What the model makes of the notes beside what is believed; nothing is asked where it could change nothing.

        The notes are paid for: where no opinion is to be had, for a cap or for an answer without sense, ours stands.
        """
        scope = self.learner.scope
        pairs: list[tuple[Candidate, list[Neighbour], Decision]] = []
        with write_transaction(scope, "LEARN") as work:
            neighbourhood = Neighbourhood(work, owner_label=self.learner.label)
            for candidate in noted:
                neighbours = neighbourhood.of(candidate)
                beliefs = [note.belief for note in neighbours]
                decision = decide(candidate, beliefs, now=moment(work.now), said_at=utterance.at, source="assistant")
                if neighbours and stands_in(candidate.object or candidate.statement, utterance.text):
                    pairs.append((candidate, neighbours, decision))
        if not pairs:
            return []
        listed = [_pair(n, note, neighbours) for n, (note, neighbours, _) in enumerate(pairs, 1)]
        task = json.dumps({"notes": listed}, ensure_ascii=False)
        question = ModelPrompt(system=prompt("opinion"), user=task)
        try:
            answer = self.model.structured(
                question, ModelOpinions, max_tokens=ANSWER, timeout=self.timeout, budget=budget
            )
        except Unavailable:
            raise
        except ProviderError as none:
            said_none = f"none: {type(none).__name__}"
            return [
                CheckedNote(note, tuple(n.held.id for n in neighbours), None, said_none)
                for note, neighbours, _ in pairs
            ]
        checked = []
        for judged in answer.value.verdicts[: len(pairs)]:
            if 1 <= judged.note <= len(pairs):
                candidate, neighbours, our_decision = pairs[judged.note - 1]
                checked.append(
                    CheckedNote(
                        candidate,
                        tuple(note.held.id for note in neighbours),
                        _decision(judged, candidate, neighbours, our_decision, utterance.at),
                        f"{judged.action}: {' '.join(judged.reason.split())[:200]}",
                    )
                )
        return checked


def notes_of(
    notes: Sequence[ModelNote], turn: int, utterance: Utterance, *, owner: str, judge: Judge | None = None
) -> tuple[Candidate, ...]:
    """The notes of one message as candidates: those whose quote stands in it and does not deny them, at most five."""
    result: dict[tuple[str, str | None], Candidate] = {}
    for note in notes:
        quote = _quoted(note.quote, utterance.text) if note.turn == turn else None
        if quote is None:
            continue
        candidate = _candidate(note, quote, utterance, owner)
        if candidate is not None and (judge is None or not _denied(candidate, owner, judge)):
            result.setdefault((candidate.statement, candidate.retracts), candidate)
    return tuple(result.values())[:MOST]


def prompt(name: str) -> str:
    text = files("commonplace.learning").joinpath("prompts", f"{name}.md").read_text(encoding="utf-8")
    return text.replace("{predicates}", ", ".join(SLOTS))


def _denied(candidate: Candidate, owner: str, judge: Judge) -> bool:
    """Whether the quote says the contrary of the note that rests on it."""
    (verdict,) = judge.decide([(candidate.statement.replace(owner, "Owner"), candidate.quote)])
    return candidate.retracts is None and verdict.denies + verdict.ends >= ACT


def _shown(utterance: Utterance, owner: str, *, most: int) -> dict[str, str]:
    who = (utterance.speaker or owner) if utterance.role == "user" else utterance.role
    return {"said_by": who, "on": utterance.at.date().isoformat(), "text": utterance.text[:most]}


def _quoted(quote: str, text: str) -> str | None:
    """The very words of the turn that the note quotes; None if they are not there."""
    words = quote.split()
    if not words or len(normal(quote)) < 3:
        return None
    match = re.search(r"\s+".join(re.escape(word) for word in words), text, re.IGNORECASE)
    return match[0] if match else None


def _candidate(note: ModelNote, quote: str, utterance: Utterance, owner: str) -> Candidate | None:
    statement = " ".join(note.statement.split())
    if not statement or len(statement) > LONGEST:
        return None
    subject, object = _end(note.subject, owner), _end(note.object, owner)
    predicate = note.predicate if note.predicate and _PREDICATE.fullmatch(note.predicate) else None
    key = note.key if note.kind == "core" and note.key and _KEY.fullmatch(note.key) and object else None
    key = key if object and stands_in(object, utterance.text) else None
    if subject is None or predicate is None:
        subject, predicate, object = None, None, object if key else None
    kind: Kind = note.kind if note.kind != "core" or (key and utterance.speaker is None) else "associative"
    if kind == "relational" and (subject is None or object is None):
        kind = "associative"
    category: Category = next((name for name in CATEGORIES if name == note.category), "fact")
    type: CandidateType = note.type
    starts, ends = _date(note.since), _date(note.until)
    if starts and ends and ends <= starts:
        starts = ends = None
    return Candidate(
        type=type,
        statement=statement,
        kind=kind,
        category=category,
        quote=quote,
        episode=utterance.episode,
        subject=subject,
        subject_type=_type(note.subject_type),
        predicate=predicate,
        object=object,
        object_type=_type(note.object_type),
        key=key if kind == "core" else None,
        confidence=min(max(note.confidence, UNSURE), SURE),
        retracts=note.retracts,
        # nothing is replaced on a guess: a predicate that we do not know holds many values
        many=slot_of(predicate).many if predicate and is_known(predicate) else True,
        valid_from=starts,
        valid_to=ends,
    )


def _end(name: str | None, owner: str) -> str | None:
    name = " ".join((name or "").split())
    if not name or len(name) > 120:
        return None
    return "owner" if plain(name) in ("owner", "user", "i", "me", plain(owner)) else name


def _type(text: str | None) -> str | None:
    name = (text or "").strip().casefold()
    return name if re.fullmatch(r"[a-z][a-z_ ]{0,30}", name) else None


def _date(text: str | None) -> datetime | None:
    try:
        return aware("since", text) if text else None
    except Invalid:
        return None


def _pair(number: int, candidate: Candidate, neighbours: Sequence[Neighbour]) -> dict[str, Any]:
    beliefs = [
        {
            "belief": n,
            "statement": neighbour.belief.statement[:LONGEST],
            "triple": [neighbour.belief.subject, neighbour.belief.predicate, neighbour.belief.object],
            "status": neighbour.belief.status,
            "since": None if neighbour.belief.said_at is None else neighbour.belief.said_at.date().isoformat(),
        }
        for n, neighbour in enumerate(neighbours, 1)
    ]
    triple = [candidate.subject, candidate.predicate, candidate.object]
    return {
        "note": number,
        "statement": candidate.statement,
        "triple": triple,
        "retracts": candidate.retracts,
        "near": beliefs,
    }


def _decision(
    judged: ModelOpinion,
    candidate: Candidate,
    neighbours: Sequence[Neighbour],
    our_decision: Decision,
    said_at: datetime,
) -> Decision:
    """A model's decision in our words; a number that was not given names nothing, and the check refuses it."""
    target = (
        neighbours[judged.target - 1] if judged.target is not None and 1 <= judged.target <= len(neighbours) else None
    )
    action: Action = judged.action
    if judged.target is not None and target is None:
        return Decision(action=action, reason="by a second opinion", target=f"belief {judged.target}")
    if action == our_decision.action and (target is None or target.held.id == our_decision.target):
        return our_decision
    starts = max(candidate.valid_from or said_at, (target.belief.valid_from if target else None) or said_at)
    changes = action in ("UPDATE", "DELETE")
    return Decision(
        action=action,
        reason="by a second opinion",
        target=target.held.id if target else None,
        retire_at=starts if changes else None,
        until=our_decision.until if action == "ADD" else None,
        tombstone=action == "DELETE" and candidate.retracts == "wrong",
        review=our_decision.review and not changes,
    )


def _opinion(notes: Sequence[CheckedNote], text: str) -> Opinion:
    def opinion(
        candidate: Candidate, neighbours: Sequence[Neighbour], decision: Decision
    ) -> tuple[Decision, str] | None:
        if not stands_in(candidate.object or candidate.statement, text):
            return _powerless(decision)
        ids = tuple(note.held.id for note in neighbours)
        for note in notes:
            if note.candidate == candidate and note.near == ids:
                return note.decision or decision, note.said
        return None

    return opinion


def stands_in(value: str, text: str) -> bool:
    """Whether something of ``value`` is said in ``text``: of a longer word its beginning is enough."""
    words, said = plain(value).split(), plain(text)
    telling = [word for word in words if len(word) > 3 or not word.isascii() or word.isdigit()] or words
    return any(word[:BEGINNING] in said for word in telling)


def _powerless(decision: Decision) -> tuple[Decision, str] | None:
    """A note whose value nobody said may be a good reading or an invention: it changes nothing, and a person looks."""
    if decision.action not in ("UPDATE", "DELETE"):
        return None
    reason = "the turn does not say so in these words"
    if decision.action == "UPDATE":
        return Decision(action="ADD", reason=reason, review=True), "not asked"
    return Decision(action="NOOP", target=decision.target, reason=reason, review=True), "not asked"
