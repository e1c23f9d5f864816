"""Decay of unconfirmed confidence: a relation by 0.95 every thirty days, a pattern by 0.9 every seven."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import partial

from commonplace.batches.report import Report
from commonplace.batches.runs import Run, RunDecision, sweep
from commonplace.memories import codec as states
from commonplace.memories.scope import Scope
from commonplace.model import CURRENT, Kind
from commonplace.store.rows import MemoryRow
from commonplace.store.transaction import Transaction
from commonplace.upkeep.prune import MICROS_A_DAY

FAINT = 0.2
"""Minimum confidence; what decays below it is archived."""
ACTION = "DECAY"
BROUGHT_BACK = ("UNDO", "ROLLBACK")


@dataclass(frozen=True, slots=True)
class Fading:
    factor: float
    days: float


FADING: dict[Kind, Fading] = {"relational": Fading(0.95, 30), "proactive": Fading(0.9, 7)}


def faded(base: float, *, since: int, now: int, fading: Fading) -> float:
    """The confidence left of ``base`` after the whole periods between two moments (microseconds).

    Always computed from the base value, so that the number of runs in between does not matter.
    """
    periods = max(0, int((now - since) // (fading.days * MICROS_A_DAY)))
    return round(base * fading.factor**periods, 4)


def base_confidence(history: Iterable[tuple[str, float]]) -> float:
    """The last confidence not set by decay, from (action, confidence) of every version, oldest first.

    A version that only copies a decayed value (a rename, a pin) does not count; a rollback counts as the version that
    it restored.
    """
    base = previous = 0.0
    stated: dict[float, float] = {}
    for action, confidence in history:
        if action != ACTION and confidence != previous:
            base = stated.get(confidence, confidence) if action in BROUGHT_BACK else confidence
        stated[confidence] = base
        previous = confidence
    return base


def decay(scope: Scope, *, dry_run: bool = False) -> Report:
    """Decay relations and patterns of the namespace since they were last confirmed, else recorded.

    Those below 0.2 are archived, unless pinned, confirmed by a person, or brought back before.
    """
    run = Run(scope, ACTION, dry_run=dry_run)
    for kind, fading in FADING.items():
        decide = partial(_decisions, now=run.now, scope=scope, fading=fading)
        sweep(run, decide, kinds=(kind,), statuses=CURRENT)
    return run.report()


def _decisions(
    tx: Transaction, rows: Sequence[MemoryRow], *, scope: Scope, now: int, fading: Fading
) -> list[RunDecision]:
    decisions = (_decision(scope, tx, row, now, fading) for row in rows)
    return [decision for decision in decisions if decision is not None]


def _decision(scope: Scope, tx: Transaction, row: MemoryRow, now: int, fading: Fading) -> RunDecision | None:
    since = row.last_confirmed_at or row.recorded_at
    if now - since < fading.days * MICROS_A_DAY:
        return None
    history: list[tuple[str, float]] = []
    vouched, archived = row.pinned, False
    for version in tx.versions.of(states.NOUN, row.id):
        memory, _ = states.opened_version(scope, version)
        history.append((version.action, memory.row.confidence))
        confirmed = version.action == "CONFIRM" and memory.row.status == "verified"
        vouched = vouched or confirmed or (archived and version.action in BROUGHT_BACK and memory.row.status in CURRENT)
        archived = version.action == ACTION and memory.row.status == "archived"
    confidence = faded(base_confidence(history), since=since, now=now, fading=fading)
    if confidence < FAINT and not vouched:
        columns = {"confidence": confidence, "status": "archived", "retired_at": now}
        reason = f"confidence {confidence:g} is below {FAINT:g}"
        return RunDecision(row=row, columns=columns, action=ACTION, reason=reason, kind="faded away")
    if confidence == row.confidence:
        return None
    reason = f"confidence {row.confidence:g} to {confidence:g}: not confirmed lately"
    return RunDecision(row=row, columns={"confidence": confidence}, action=ACTION, reason=reason, kind="faded")
