"""What to do with a candidate, given the beliefs near it: ADD, UPDATE, DELETE or NOOP, and why. Pure.

The rules compare slots and values. Where they see no conflict, the judge's verdict on a belief that the new words name
counts: from ``act`` on the belief is changed, from ``ask`` on the change is proposed, below it is left alone.

How a new statement can meet an old one:

replacement           the same slot, another value         UPDATE, the old one closes where the new one starts
polarity flip         likes → dislikes the same thing      UPDATE
retraction            ended · wrong · forget               DELETE that closes · with a tombstone · that forgets
partial supersession  one of several values of a slot      only that one; its neighbours stand
bounded validity      true until Friday, or until 2019     ADD with an end; what is true otherwise stays open

judged                other words, another slot            UPDATE, or DELETE where the words are not worth keeping

``review`` never comes with UPDATE or DELETE: where a person has to look, no belief changes before.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from commonplace.errors import Invalid
from commonplace.learning.choices import Choice, choice_of, overturned, overturns, same_choice
from commonplace.learning.slots import ON_A_DAY, plain, same_value, slot_key, slot_value
from commonplace.model import CURRENT, Action, Candidate, Kind, Source, Status
from commonplace.providers.judge import Verdict

UNSURE = 0.3
"""How much less sure than a belief a candidate may be and still replace it."""
ACT, ASK = 0.9, 0.6
"""Probabilities of a change from which on it is made, or proposed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Belief:
    """One near thing that is or was believed."""

    id: str
    statement: str
    subject: str | None = None
    predicate: str | None = None
    object: str | None = None
    key: str | None = None
    many: bool = False
    kind: Kind = "associative"
    status: Status = "verified"
    source: Source = "user"
    pinned: bool = False
    vouched: bool = False
    """A person confirmed it."""
    valid_from: datetime | None = None
    valid_to: datetime | None = None
    confidence: float = 0.7
    similarity: float = 0.0
    recorded_at: datetime | None = None
    confirmed_at: datetime | None = None
    said_at: datetime | None = None
    """When its latest evidence was said."""
    judged: Verdict | None = None
    """What the new words do to it, by the judge; None where it was not asked."""
    named: bool = False
    """The new words name its value; where they do not, the judge has to be surer."""
    mentioned: bool = False
    """The new words share a word with it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    action: Action
    reason: str
    target: str | None = None
    """The belief that is replaced, taken back or corroborated."""
    also: tuple[str, ...] = ()
    """Further beliefs that an UPDATE or DELETE closes in the same way."""
    retire_at: datetime | None = None
    """Where the validity of the target ends."""
    until: datetime | None = None
    """What the candidate says enters as history that ended then."""
    tombstone: bool = False
    forget: bool = False
    review: bool = False
    conflicts: tuple[str, ...] = ()
    """Beliefs that may no longer hold if a person agrees."""


def decide(
    candidate: Candidate,
    beliefs: Sequence[Belief],
    *,
    now: datetime,
    said_at: datetime | None = None,
    source: Source = "user",
    act: float = ACT,
    ask: float = ASK,
) -> Decision:
    """What to do with ``candidate``. ``said_at`` is when it was said (default now).

    ``source`` says who concludes it: ``user`` for a person's words read by rule; ``assistant`` for a model's
    conclusion, which does not overwrite what a person pinned or confirmed.
    """
    spoken_at = said_at or now
    beliefs = [belief for belief in beliefs if belief.kind != "episodic"]
    if candidate.retracts:
        decision = _take_back(candidate, beliefs, spoken_at, source)
        if decision.target is not None or any(_addressed(candidate, belief) for belief in beliefs):
            return decision  # what it means is known, if only as ended: nothing else is meant
        return _judged(candidate, beliefs, spoken_at, source, act) or decision
    same = [belief for belief in beliefs if _same(candidate, belief)]
    open_same = [
        belief for belief in same if belief.status in CURRENT and not _over(belief, _start(candidate, spoken_at))
    ]
    if open_same:
        return _corroborate(candidate, open_same[0], spoken_at)
    if any(belief.status == "rejected" and (belief in same or _says(candidate, belief, ask)) for belief in beliefs):
        return rejected_before()
    standing = [belief for belief in beliefs if belief.status in CURRENT]
    against = [belief for belief in standing if _contradicts(candidate, belief)]
    against += [belief for belief in _other_choices(candidate, standing) if belief not in against]
    if against:
        return _replace(candidate, against, spoken_at, source)
    judged = _judged(candidate, standing, spoken_at, source, act)
    if judged is not None:
        return judged
    if any(_touches_a_part(candidate, belief) for belief in standing):
        return Decision(action="ADD", reason="contradicts a part of what is believed", review=True)
    conflicts = _uncertain(candidate, standing, spoken_at, ask)
    if candidate.passing:
        reason = "may end what is believed" if conflicts else "changes nothing, and is not worth keeping itself"
        return Decision(action="NOOP", reason=reason, conflicts=conflicts)
    restated = next((belief for belief in standing if _restated(candidate, belief, act)), None)
    if restated is not None:
        return Decision(action="NOOP", target=restated.id, reason="the same in other words")
    until = _past_end(candidate, spoken_at)
    return Decision(action="ADD", reason="true again" if same else "new", until=until, conflicts=conflicts)


def rejected_before() -> Decision:
    return Decision(action="ADD", reason="rejected before; a person has to look", review=True)


# The judge's verdict


def _says(candidate: Candidate, belief: Belief, ask: float) -> bool:
    """A free sentence that would be kept says the same as a belief, in other words."""
    free = candidate.subject is None and not candidate.passing
    return free and belief.judged is not None and belief.judged.same >= ask


def _compared(candidate: Candidate, beliefs: Sequence[Belief], spoken_at: datetime) -> list[tuple[Belief, Verdict]]:
    """The beliefs that the judge was asked about, less those whose slot the rules compare and those said later."""
    start = _start(candidate, spoken_at)
    return [
        (belief, belief.judged)
        for belief in beliefs
        if belief.judged is not None
        and belief.status in CURRENT
        and not _older(spoken_at, belief)
        and not _over(belief, start)
        and not _shares_slot(candidate, belief)
    ]


def _uncertain(candidate: Candidate, beliefs: Sequence[Belief], spoken_at: datetime, ask: float) -> tuple[str, ...]:
    """The beliefs that the new words may end: a person is asked."""
    compared = _compared(candidate, beliefs, spoken_at)
    return tuple(belief.id for belief, verdict in compared if verdict.change >= ask)


def _sure_from(belief: Belief, act: float) -> float:
    """The probability from which on a change of a belief is made: halfway to certainty where it is only mentioned, and
    nearer for a relation, because whatever is said of somebody names them."""
    if belief.named:
        return act
    return (4 + act) / 5 if belief.kind == "relational" or belief.key else (1 + act) / 2


def _judged(
    candidate: Candidate, beliefs: Sequence[Belief], spoken_at: datetime, source: Source, act: float
) -> Decision | None:
    """The change that the judge is sure of; None where there is none."""
    compared = _compared(candidate, beliefs, spoken_at)
    sure = [
        belief
        for belief, verdict in compared
        if (belief.named or belief.mentioned)
        and verdict.change >= _sure_from(belief, act)
        and candidate.confidence >= belief.confidence - UNSURE
    ]
    if not sure:
        return None
    if source != "user" and any(belief.pinned or belief.vouched for belief in sure):
        ids = tuple(belief.id for belief in sure)
        return Decision(
            action="ADD", reason="differs from what a person pinned or confirmed", review=True, conflicts=ids
        )
    first, also = sure[0], tuple(belief.id for belief in (*sure[1:], *_hanging_on(sure, beliefs)))
    retire = max(_not_before(_start(candidate, spoken_at), belief) for belief in sure)
    if not candidate.passing and candidate.retracts is None:
        return Decision(action="UPDATE", target=first.id, also=also, reason=_change(first), retire_at=retire)
    return Decision(action="DELETE", target=first.id, also=also, reason=_change(first), retire_at=retire)


def _hanging_on(ended: Sequence[Belief], beliefs: Sequence[Belief]) -> list[Belief]:
    """The beliefs that go on with one that is ended ("Ada sings in a choir; only on Fridays")."""
    heads = tuple(f"{belief.statement}; " for belief in ended)
    return [belief for belief in beliefs if belief.statement.startswith(heads) and belief not in ended]


def _change(belief: Belief) -> str:
    assert belief.judged is not None
    ways = {"replaced": belief.judged.replaces, "no longer so": belief.judged.ends, "denied": belief.judged.denies}
    return max(ways, key=lambda way: ways[way])


def _restated(candidate: Candidate, belief: Belief, act: float) -> bool:
    """A free sentence says what is believed already, with no number or name that the belief lacks."""
    if candidate.subject is not None or belief.judged is None or belief.judged.same < act:
        return False
    exact = re.findall(r"\d[\w.:/-]*|(?<=\w )[A-Z]\w+", candidate.quote)
    return all(plain(value) in plain(belief.statement) for value in exact)


# Sameness


def _same(candidate: Candidate, belief: Belief) -> bool:
    return _same_statement(candidate, belief) or _same_slot_and_value(candidate, belief) or _reworded(candidate, belief)


def _reworded(candidate: Candidate, belief: Belief) -> bool:
    """The same decision in other words."""
    new, old = choice(candidate), choice(belief)
    return new is not None and old is not None and same_choice(new, old)


def _same_statement(candidate: Candidate, belief: Belief) -> bool:
    return _words(candidate.statement) == _words(belief.statement)


def _words(statement: str) -> tuple[str, ...]:
    return tuple(re.findall(r"[\w/#@.+-]*\w", plain(statement)))


def _slot(of: Candidate | Belief, *, many: bool) -> tuple[str, str, str] | None:
    if of.key:
        return ("", "key", plain(of.key))
    if of.subject is None or of.predicate is None:
        return None
    return slot_key(of.subject, of.predicate, of.object, many=many)


def _value(of: Candidate | Belief, *, many: bool) -> str:
    if of.key:
        return plain(of.object or of.statement)
    return slot_value(of.subject or "", of.predicate or "", of.object, many=many)


def _shares_slot(candidate: Candidate, belief: Belief) -> bool:
    many = candidate.many or belief.many
    slot = _slot(candidate, many=many)
    return slot is not None and slot == _slot(belief, many=many)


def _same_slot_and_value(candidate: Candidate, belief: Belief) -> bool:
    many = candidate.many or belief.many
    return _shares_slot(candidate, belief) and same_value(_value(candidate, many=many), _value(belief, many=many))


def _contradicts(candidate: Candidate, belief: Belief) -> bool:
    return _shares_slot(candidate, belief) and not _same_slot_and_value(candidate, belief)


def choice(of: Candidate | Belief) -> Choice | None:
    """What a free decision or a "use X, not Y" chooses."""
    return choice_of(of.statement, predicate=of.predicate, subject=of.subject)


def _other_choices(candidate: Candidate, standing: Sequence[Belief]) -> list[Belief]:
    """The decisions that a new one takes the place of."""
    new = choice(candidate)
    if new is None:
        return []
    chosen = [(belief, old) for belief in standing if (old := choice(belief)) is not None]
    return [chosen[place][0] for place in overturned(new, [old for _, old in chosen])]


def _touches_a_part(candidate: Candidate, belief: Belief) -> bool:
    """The belief holds several things in one ("tea and coffee") and the candidate speaks against one of them."""
    parts = _parts(belief)
    if len(parts) < 2:
        return False
    return any(_contradicts(candidate, replace(belief, object=part)) for part in parts)


def _parts(belief: Belief) -> list[str]:
    return re.split(r",\s*(?:and )?| and ", belief.object or "")


# Time


def _start(candidate: Candidate, spoken_at: datetime) -> datetime:
    return candidate.valid_from or spoken_at


def _over(belief: Belief, at: datetime) -> bool:
    return belief.valid_to is not None and belief.valid_to <= at


def _past_end(candidate: Candidate, spoken_at: datetime) -> datetime | None:
    return candidate.valid_to if candidate.valid_to and candidate.valid_to <= spoken_at else None


def _not_before(moment: datetime, belief: Belief) -> datetime:
    return max(moment, belief.valid_from) if belief.valid_from else moment


def _older(spoken_at: datetime, belief: Belief) -> bool:
    """The belief rests on something said later."""
    return belief.said_at is not None and spoken_at < belief.said_at


# The assertions


def _corroborate(candidate: Candidate, belief: Belief, spoken_at: datetime) -> Decision:
    ends = candidate.valid_to
    if (
        ends
        and ends > spoken_at
        and (belief.valid_to is None or belief.valid_to > ends)
        and not _older(spoken_at, belief)
    ):
        if belief.pinned or belief.vouched:
            return Decision(action="ADD", reason="an end for what a person keeps", review=True)
        start = _not_before(_start(candidate, spoken_at), belief)
        return Decision(action="UPDATE", target=belief.id, reason="the same, now with an end", retire_at=start)
    if ends and ends <= spoken_at and belief.valid_to is None:
        return Decision(action="ADD", reason="an earlier time of the same", until=ends)
    return Decision(action="NOOP", target=belief.id, reason="the same value, said again")


def _replace(candidate: Candidate, against: Sequence[Belief], spoken_at: datetime, source: Source) -> Decision:
    start = _start(candidate, spoken_at)
    ended = _past_end(candidate, spoken_at)
    if ended:
        return Decision(action="ADD", reason="how it was before", until=ended)
    newer = [belief for belief in against if _older(spoken_at, belief)]
    until = min((_began(belief) for belief in newer), default=None)
    if until and until <= start:
        return Decision(action="NOOP", target=newer[0].id, reason="old news; a newer saying stands")
    standing = [belief for belief in against if belief not in newer and not _over(belief, start)]
    if not standing:
        reason = "old news: history only" if until else "what held before is over"
        return Decision(action="ADD", reason=reason, until=until)
    ends = candidate.valid_to if candidate.predicate != ON_A_DAY else None
    if ends and any(b.valid_to is None or b.valid_to > ends for b in standing):
        return Decision(action="ADD", reason="for a time only; what holds otherwise stands")
    if source != "user" and any(belief.pinned or belief.vouched for belief in standing):
        return Decision(action="ADD", reason="differs from what a person pinned or confirmed", review=True)
    if any(candidate.confidence < belief.confidence - UNSURE for belief in standing):
        return Decision(action="ADD", reason="less sure than what it would replace", review=True)
    first, *others = sorted(standing, key=_began, reverse=True)
    retire = max(_not_before(start, belief) for belief in standing)
    also = tuple(belief.id for belief in others)
    why = _why(candidate, first)
    return Decision(action="UPDATE", target=first.id, also=also, reason=why, retire_at=retire, until=until)


_EVER = datetime.min.replace(tzinfo=UTC)


def _began(belief: Belief) -> datetime:
    began = belief.valid_from or belief.said_at or belief.recorded_at
    return began or _EVER


def _why(candidate: Candidate, belief: Belief) -> str:
    if not _shares_slot(candidate, belief):
        return "another decision on the same"
    flipped = candidate.predicate != belief.predicate and not candidate.key
    return "the contrary of the same" if flipped else "the same slot, another value"


# The retractions


def _take_back(candidate: Candidate, beliefs: Sequence[Belief], spoken_at: datetime, source: Source) -> Decision:
    addressed = [belief for belief in beliefs if belief.status != "rejected" and _addressed(candidate, belief)]
    if candidate.retracts == "ended":
        moment = _start(candidate, spoken_at)
        addressed = [belief for belief in addressed if belief.status in CURRENT and not _over(belief, moment)]
    targets = [belief for belief in addressed if not _older(spoken_at, belief)]
    if not targets:
        return _nothing_to_take_back(candidate, beliefs, addressed)
    if source != "user" and any(belief.pinned or belief.vouched for belief in targets):
        return Decision(action="NOOP", target=targets[0].id, reason="pinned or confirmed by a person", review=True)
    if candidate.subject is None and not any(_same_statement(_bare(candidate), belief) for belief in targets):
        return Decision(action="NOOP", target=targets[0].id, reason="which one is meant is not certain", review=True)
    first, also = targets[0], tuple(belief.id for belief in targets[1:])
    if candidate.retracts == "ended":
        moment = max(_not_before(candidate.valid_to or _start(candidate, spoken_at), belief) for belief in targets)
        return Decision(action="DELETE", target=first.id, also=also, reason="no longer so", retire_at=moment)
    forget = candidate.retracts == "forget"
    return Decision(
        action="DELETE", target=first.id, also=also, reason="asked to be forgotten" if forget else "never was so",
        retire_at=spoken_at, tombstone=True, forget=forget,
    )  # fmt: skip


def _nothing_to_take_back(candidate: Candidate, beliefs: Sequence[Belief], addressed: Sequence[Belief]) -> Decision:
    if addressed:
        return Decision(action="NOOP", target=addressed[0].id, reason="said again since; a newer saying stands")
    part = next((b for b in beliefs if b.status in CURRENT and _part_addressed(candidate, b)), None)
    if part:
        return Decision(action="NOOP", target=part.id, reason="only a part of it is taken back", review=True)
    return Decision(action="NOOP", reason="nothing of the kind is believed")


def _addressed(candidate: Candidate, belief: Belief) -> bool:
    if candidate.key and belief.key:
        return plain(candidate.key) == plain(belief.key) and _names_it(candidate, belief)
    if candidate.subject is None:
        return _topic_of(candidate, belief)
    if belief.subject is None or not _about_the_same(candidate, belief):
        return False
    if candidate.predicate is None:
        return True
    return candidate.predicate == belief.predicate and _names_it(candidate, belief)


def _about_the_same(candidate: Candidate, belief: Belief) -> bool:
    if plain(candidate.subject or "") == plain(belief.subject or ""):
        return True
    return candidate.object is not None and _same_slot_and_value(candidate, belief)


def _names_it(candidate: Candidate, belief: Belief) -> bool:
    if candidate.object is None or _same_slot_and_value(candidate, belief):
        return True
    return same_value(plain(candidate.object), plain(belief.object or ""))


def _part_addressed(candidate: Candidate, belief: Belief) -> bool:
    parts = _parts(belief)
    return len(parts) > 1 and any(_addressed(candidate, replace(belief, object=part)) for part in parts)


def _topic_of(candidate: Candidate, belief: Belief) -> bool:
    topic = set(_words(_bare(candidate).statement))
    return bool(topic) and topic <= set(_words(belief.statement))


def _bare(candidate: Candidate) -> Candidate:
    """The retraction as the statement it takes back."""
    return replace(
        candidate, statement=candidate.object or candidate.statement.partition(": ")[2] or candidate.statement
    )


# A second opinion


def check(
    decision: Decision,
    candidate: Candidate,
    beliefs: Sequence[Belief],
    *,
    now: datetime,
    said_at: datetime | None = None,
) -> Decision:
    """Return ``decision``, which a language model gave, if it respects the rules of `decide`.

    Raises ``Invalid`` with the first reason; an invalid decision changes nothing.
    """
    by_id = {belief.id: belief for belief in beliefs}
    ids = [id for id in (decision.target, *decision.also) if id is not None]
    if any(id not in by_id for id in ids):
        raise Invalid("the decision names a belief that was not among the neighbours")
    if any(by_id[id].kind == "episodic" for id in ids):
        raise Invalid("the decision would change evidence")
    if decision.action in ("UPDATE", "DELETE") and decision.target is None:
        raise Invalid("the decision names no belief to change")
    targets = [by_id[id] for id in ids]
    if decision.action in ("UPDATE", "DELETE"):
        _check_change(decision, targets, said_at or now)
    if decision.action == "UPDATE":
        _check_update(decision, candidate, targets)
    elif decision.action == "DELETE":
        _check_delete(decision, candidate)
    elif decision.tombstone or decision.forget:
        raise Invalid("only a DELETE may leave a tombstone or forget")
    elif decision.action == "ADD":
        _check_add(decision, candidate, beliefs)
    return decision


def _check_change(decision: Decision, targets: Sequence[Belief], spoken_at: datetime) -> None:
    if decision.review:
        raise Invalid("what waits for a person changes nothing yet")
    if any(belief.pinned or belief.vouched for belief in targets):
        raise Invalid("the belief was pinned or confirmed by a person")
    if any(_older(spoken_at, belief) for belief in targets):
        raise Invalid("the belief rests on something said later")
    if decision.retire_at is None:
        raise Invalid("the decision does not say when the old belief ends")
    if (
        any(belief.valid_from and decision.retire_at < belief.valid_from for belief in targets)
        and not decision.tombstone
    ):
        raise Invalid("the old belief would end before it began")


def _check_update(decision: Decision, candidate: Candidate, targets: Sequence[Belief]) -> None:
    if candidate.retracts:
        raise Invalid("a retraction replaces nothing")
    if decision.tombstone or decision.forget:
        raise Invalid("only a DELETE may leave a tombstone or forget")
    if any(belief.status not in CURRENT for belief in targets):
        raise Invalid("only what is believed now can be replaced")
    if not all(_shares_slot(candidate, belief) or _overturned(candidate, belief) for belief in targets):
        raise Invalid("an UPDATE needs the same subject and slot")


def _overturned(candidate: Candidate, belief: Belief) -> bool:
    new, old = choice(candidate), choice(belief)
    return new is not None and old is not None and overturns(new, old)


def _check_delete(decision: Decision, candidate: Candidate) -> None:
    if not candidate.retracts:
        raise Invalid("only a retraction deletes")
    if decision.forget != (candidate.retracts == "forget"):
        raise Invalid("only what was asked to be forgotten is forgotten")
    if decision.tombstone != (candidate.retracts != "ended"):
        raise Invalid("a tombstone belongs to what was wrong or forgotten, and only to that")


def _check_add(decision: Decision, candidate: Candidate, beliefs: Sequence[Belief]) -> None:
    if candidate.retracts:
        raise Invalid("a retraction adds nothing")
    if decision.target is not None or decision.also:
        raise Invalid("an ADD changes no other belief")
    rejected = (b for b in beliefs if b.status == "rejected")
    if not decision.review and any(
        _same_statement(candidate, b) or _same_slot_and_value(candidate, b) for b in rejected
    ):
        raise Invalid("the value was rejected before; a person has to look")
