"""Learning with a language model: what it noted is checked like a stranger's claim, and enters as a candidate.

The conversation goes out as data, with small numbers in place of ids. A note counts only if its quote stands in the
turn it names; it changes what is believed only if its value stands there too, and a verdict only if `decide.check` lets
it through. Whatever a model says, no evidence is deleted by it.
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
from commonplace.extraction.apply import Opinion, Taught
from commonplace.extraction.budget import DailyBudget
from commonplace.extraction.decide import Verdict, decide
from commonplace.extraction.learn import Learned, Learner, Run
from commonplace.extraction.near import Neighbour, Neighbourhood
from commonplace.extraction.rules import MOST, Said
from commonplace.extraction.slots import is_known, plain, slot_of
from commonplace.extraction.trace import KIND, Step
from commonplace.memories.admission import aware
from commonplace.memories.reading import Reader
from commonplace.memories.states import Held
from commonplace.memories.work import working
from commonplace.model import CATEGORIES, Action, Candidate, CandidateType, Category, Kind
from commonplace.providers.http import Unavailable
from commonplace.providers.llm import LanguageModel, Prompt
from commonplace.store.ports import Transaction
from commonplace.text.normal import normal

SURE, UNSURE = 0.9, 0.3
LONGEST = 300
"""Characters of a statement."""
TURN, EARLIER = 4_000, 500
"""Characters of a turn that are shown, and of one that only helps to understand it."""
KNOWN, SHORT = 40, 80
"""Core values that are shown, and characters of each."""
ANSWER = 1_200
"""Tokens that an answer may have."""
BEGINNING = 5
"""Letters of a word that show that it was said, in whatever form."""
READ = "turn"
_PREDICATE = re.compile(r"[a-z][a-z0-9_]{1,63}")
_KEY = re.compile(r"[a-z][a-z0-9_ ]{0,39}")


class Note(BaseModel):
    """One thing worth knowing, as the model gives it."""

    turn: int
    quote: str
    type: Literal["fact", "preference", "relation", "routine", "decision", "correction", "lesson", "value"]
    statement: str
    kind: Literal["core", "associative", "relational"]
    category: str
    subject: str | None = None
    subject_type: str | None = None
    predicate: str | None = None
    object: str | None = None
    object_type: str | None = None
    key: str | None = None
    retracts: Literal["ended", "wrong"] | None = None
    since: str | None = None
    until: str | None = None
    confidence: float = Field(default=0.7, ge=0, le=1)


class Notes(BaseModel):
    notes: list[Note]


class Judged(BaseModel):
    """A second opinion on one note."""

    note: int
    action: Literal["ADD", "UPDATE", "DELETE", "NOOP"]
    target: int | None = None
    reason: str = ""


class Opinions(BaseModel):
    verdicts: list[Judged]


class Noticed(BaseModel):
    """Something that comes again, and the numbers of the turns that show it."""

    statement: str
    turns: list[int]
    confidence: float = Field(default=0.6, ge=0, le=1)


class AllNoticed(BaseModel):
    patterns: list[Noticed]


def notice(
    model: LanguageModel, said: Sequence[tuple[datetime, str]], budget: DailyBudget, *, timeout: float
) -> list[Noticed]:
    """What a model sees coming again in these turns. Nothing of it is checked yet but its form."""
    told = [{"turn": n, "at": f"{at:%A %Y-%m-%d %H:%M}", "text": text[:200]} for n, (at, text) in enumerate(said, 1)]
    task = Prompt(system=prompt("patterns"), user=json.dumps({"turns": told}, ensure_ascii=False))
    answer = model.structured(task, AllNoticed, max_tokens=ANSWER, timeout=timeout, budget=budget)
    return answer.value.patterns


@dataclass(frozen=True, slots=True)
class Asked:
    """A note beside its neighbours, as it was shown to the model, and what came back."""

    candidate: Candidate
    near: tuple[str, ...]
    verdict: Verdict | None
    """None: it had none, and ours stands."""
    said: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Thinker:
    """Learns from turns with a language model, within a budget."""

    learner: Learner
    model: LanguageModel
    timeout: float

    def think(
        self, ids: Sequence[str], budget: DailyBudget, *, receipt: str | None = None, run: str | None = None
    ) -> Learned:
        """Read the turns in one question, and do what is noted: one transaction a turn.

        Raises ``ProviderError``; ``OverBudget`` at a cap, before the question that would exceed it.
        """
        made = Run(self.learner, receipt=receipt, id=run)
        with self.learner.scope.store.read(self.learner.scope.owner) as tx:
            turns = [held for id in ids if (held := self._unread(tx, id)) is not None]
            task, said = self._task(tx, turns)
        if not turns:
            return made.end()
        answer = self.model.structured(
            Prompt(system=prompt("notes"), user=task), Notes, max_tokens=ANSWER, timeout=self.timeout, budget=budget
        )
        for number, (held, one) in enumerate(zip(turns, said, strict=True), 1):
            noted = notes_of(answer.value.notes, number, one, owner=self.learner.label)
            opinions = self._opinions(held, one, noted, budget)
            made.conclude(
                partial(self._taught, id=held.id, noted=noted),
                opinion=_opinion(opinions, one.text),
                tokens=budget.used,
                mark=self._mark(held),
            )
        return made.end()

    def _unread(self, tx: Transaction, id: str) -> Held | None:
        """A turn that this model has not read before: a job that was interrupted asks only for the rest."""
        held = self.learner.turn(tx, id)
        if held is None:
            return None
        for row in tx.traces.page(KIND, target=id, limit=50):
            step = self.learner.scope.open_json("trace", row.id, row.sealed).get("step", {})
            if step.get("type") == READ and step.get("by") == self.model.name:
                return None
        return held

    def _mark(self, held: Held) -> Step:
        return Step(memory=None, episode=held.id, type=READ, action="NOOP", reason="read", by=self.model.name)

    def _task(self, tx: Transaction, turns: Sequence[Held]) -> tuple[str, list[Said]]:
        if not turns:
            return "", []
        names = self.learner.owner_names(tx, turns[0].row.namespace)
        said = [self.learner.said(held, names) for held in turns]
        before = [self.learner.said(held, names) for held in self.learner.before(tx, turns[0].row)]
        core = Reader(self.learner.scope).core()
        task = {
            "owner": self.learner.label,
            "known": {one.key: one.text[:SHORT] for one in core[:KNOWN]},
            "before": [_shown(one, self.learner.label, most=EARLIER) for one in before],
            "turns": [{"turn": n, **_shown(one, self.learner.label, most=TURN)} for n, one in enumerate(said, 1)],
        }
        return json.dumps(task, ensure_ascii=False), said

    def _taught(self, tx: Transaction, id: str, noted: Sequence[Candidate]) -> Taught | None:
        """The notes again, beside the turn as it stands now: it may have been forgotten while the model thought."""
        episode = self.learner.turn(tx, id)
        if episode is None:
            return None
        said = self.learner.said(episode, self.learner.owner_names(tx, episode.row.namespace))
        standing = tuple(one for one in noted if one.quote in episode.content.text)
        return Taught(
            episode=episode, said_at=said.at, mine=said.speaker is None, candidates=standing, by=self.model.name
        )

    def _opinions(self, held: Held, said: Said, noted: Sequence[Candidate], budget: DailyBudget) -> list[Asked]:
        """What the model makes of the notes beside what is believed; nothing is asked where it could change nothing.

        The notes are paid for: where no opinion is to be had, for a cap or for an answer without sense, ours stands.
        """
        scope = self.learner.scope
        pairs: list[tuple[Candidate, list[Neighbour], Verdict]] = []
        with working(scope, "LEARN") as work:
            around = Neighbourhood(work, owner_label=self.learner.label)
            for candidate in noted:
                near = around.of(candidate)
                beliefs = [one.belief for one in near]
                verdict = decide(candidate, beliefs, now=moment(work.now), said_at=said.at, source="assistant")
                if near and stands_in(candidate.object or candidate.statement, said.text):
                    pairs.append((candidate, near, verdict))
        if not pairs:
            return []
        told = [_pair(n, one, near) for n, (one, near, _) in enumerate(pairs, 1)]
        task = json.dumps({"notes": told}, ensure_ascii=False)
        question = Prompt(system=prompt("opinion"), user=task)
        try:
            answer = self.model.structured(question, Opinions, max_tokens=ANSWER, timeout=self.timeout, budget=budget)
        except Unavailable:
            raise
        except ProviderError as none:
            said_none = f"none: {type(none).__name__}"
            return [Asked(one, tuple(n.held.id for n in near), None, said_none) for one, near, _ in pairs]
        made = []
        for judged in answer.value.verdicts[: len(pairs)]:
            if 1 <= judged.note <= len(pairs):
                candidate, near, own = pairs[judged.note - 1]
                made.append(
                    Asked(
                        candidate,
                        tuple(one.held.id for one in near),
                        _verdict(judged, candidate, near, own, said.at),
                        f"{judged.action}: {' '.join(judged.reason.split())[:200]}",
                    )
                )
        return made


def notes_of(notes: Sequence[Note], turn: int, said: Said, *, owner: str) -> tuple[Candidate, ...]:
    """The notes of one turn as candidates: those whose quote stands in it, at most five."""
    made: dict[tuple[str, str | None], Candidate] = {}
    for note in notes:
        quote = _quoted(note.quote, said.text) if note.turn == turn else None
        if quote is None:
            continue
        candidate = _candidate(note, quote, said, owner)
        if candidate is not None:
            made.setdefault((candidate.statement, candidate.retracts), candidate)
    return tuple(made.values())[:MOST]


def prompt(name: str) -> str:
    return files("commonplace.extraction").joinpath("prompts", f"{name}.md").read_text(encoding="utf-8")


def _shown(said: Said, owner: str, *, most: int) -> dict[str, str]:
    who = (said.speaker or owner) if said.role == "user" else said.role
    return {"said_by": who, "on": said.at.date().isoformat(), "text": said.text[:most]}


def _quoted(quote: str, text: str) -> str | None:
    """The very words of the turn that the note quotes; None if they are not there."""
    words = quote.split()
    if not words or len(normal(quote)) < 3:
        return None
    found = re.search(r"\s+".join(re.escape(word) for word in words), text, re.IGNORECASE)
    return found[0] if found else None


def _candidate(note: Note, quote: str, said: Said, owner: str) -> Candidate | None:
    statement = " ".join(note.statement.split())
    if not statement or len(statement) > LONGEST:
        return None
    subject, object = _end(note.subject, owner), _end(note.object, owner)
    predicate = note.predicate if note.predicate and _PREDICATE.fullmatch(note.predicate) else None
    key = note.key if note.kind == "core" and note.key and _KEY.fullmatch(note.key) and object else None
    key = key if object and stands_in(object, said.text) else None
    if subject is None or predicate is None:
        subject, predicate, object = None, None, object if key else None
    kind: Kind = note.kind if note.kind != "core" or (key and said.speaker is None) else "associative"
    if kind == "relational" and (subject is None or object is None):
        kind = "associative"
    category: Category = next((one for one in CATEGORIES if one == note.category), "fact")
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
        episode=said.episode,
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


def _type(given: str | None) -> str | None:
    name = (given or "").strip().casefold()
    return name if re.fullmatch(r"[a-z][a-z_ ]{0,30}", name) else None


def _date(given: str | None) -> datetime | None:
    try:
        return aware("since", given) if given else None
    except Invalid:
        return None


def _pair(number: int, candidate: Candidate, near: Sequence[Neighbour]) -> dict[str, Any]:
    beliefs = [
        {
            "belief": n,
            "statement": one.belief.statement[:LONGEST],
            "triple": [one.belief.subject, one.belief.predicate, one.belief.object],
            "status": one.belief.status,
            "since": None if one.belief.said_at is None else one.belief.said_at.date().isoformat(),
        }
        for n, one in enumerate(near, 1)
    ]
    triple = [candidate.subject, candidate.predicate, candidate.object]
    return {
        "note": number,
        "statement": candidate.statement,
        "triple": triple,
        "retracts": candidate.retracts,
        "near": beliefs,
    }


def _verdict(judged: Judged, candidate: Candidate, near: Sequence[Neighbour], own: Verdict, said: datetime) -> Verdict:
    """A model's verdict in our words; a number that was not given names nothing, and the check refuses it."""
    target = near[judged.target - 1] if judged.target is not None and 1 <= judged.target <= len(near) else None
    action: Action = judged.action
    if judged.target is not None and target is None:
        return Verdict(action=action, reason="by a second opinion", target=f"belief {judged.target}")
    if action == own.action and (target is None or target.held.id == own.target):
        return own
    starts = max(candidate.valid_from or said, (target.belief.valid_from if target else None) or said)
    changes = action in ("UPDATE", "DELETE")
    return Verdict(
        action=action,
        reason="by a second opinion",
        target=target.held.id if target else None,
        retire_at=starts if changes else None,
        until=own.until if action == "ADD" else None,
        tombstone=action == "DELETE" and candidate.retracts == "wrong",
        review=own.review and not changes,
    )


def _opinion(asked: Sequence[Asked], text: str) -> Opinion:
    def opinion(candidate: Candidate, near: Sequence[Neighbour], verdict: Verdict) -> tuple[Verdict, str] | None:
        if not stands_in(candidate.object or candidate.statement, text):
            return _powerless(verdict)
        ids = tuple(one.held.id for one in near)
        for one in asked:
            if one.candidate == candidate and one.near == ids:
                return one.verdict or verdict, one.said
        return None

    return opinion


def stands_in(value: str, text: str) -> bool:
    """Whether something of ``value`` is said in ``text``: of a longer word its beginning is enough."""
    words, said = plain(value).split(), plain(text)
    telling = [word for word in words if len(word) > 3 or not word.isascii() or word.isdigit()] or words
    return any(word[:BEGINNING] in said for word in telling)


def _powerless(verdict: Verdict) -> tuple[Verdict, str] | None:
    """A note whose value nobody said may be a good reading or an invention: it changes nothing, and a person looks."""
    if verdict.action not in ("UPDATE", "DELETE"):
        return None
    reason = "the turn does not say so in these words"
    if verdict.action == "UPDATE":
        return Verdict(action="ADD", reason=reason, review=True), "not asked"
    return Verdict(action="NOOP", target=verdict.target, reason=reason, review=True), "not asked"
