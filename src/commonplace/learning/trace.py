"""What a run of learning saw and decided, kept sealed, so that `why` can tell.

One row for each candidate, tied to the memory it led to, so that forgetting the memory drops it; the neighbours are
named by id only. Of what was forgotten or refused no words are kept. A row for the whole run holds figures, no words.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from commonplace.clock import moment
from commonplace.errors import NotFound
from commonplace.memories.scope import Scope
from commonplace.memories.unit_of_work import Work
from commonplace.store.rows import TraceRow
from commonplace.store.transaction import Transaction

KIND = "extraction"
LEARNED = "learned"
"""The noun under which a receipt remembers what was learned from what it kept."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TraceStep:
    """One candidate and what became of it."""

    memory: str | None
    """The belief it led to, or that it was about."""
    episode: str
    type: str
    action: str
    reason: str
    statement: str | None = None
    near: tuple[str, ...] = ()
    """Ids of the beliefs it was compared with."""
    by: str = "rules"
    """``rules``, or the name of the language model."""
    opinion: str | None = None
    """What a language model said of the decision, where it was asked."""
    targets: tuple[str, ...] = ()
    """Ids of what was to be forgotten."""
    parts: tuple[str, ...] = ()
    """Ids of those of which only a part was to be forgotten."""
    described: bool = False
    """What was to be forgotten was looked for by a description."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Trace:
    """A run of learning, or the part of it that is about one memory."""

    id: str
    at: datetime
    steps: tuple[TraceStep, ...]
    run: str
    tokens: int = 0
    seconds: float = 0.0


def put_step(work: Work, run: str, step: TraceStep) -> str:
    """Keep one step in the transaction that carries it out."""
    id = work.scope.clock.new_id()
    plain = {name: getattr(step, name) for name in TraceStep.__slots__}
    sealed = work.vault.seal_json("trace", id, {"run": run, "step": plain})
    work.tx.traces.put(TraceRow(id=id, kind=KIND, at=work.now, sealed=sealed, target=step.memory or step.episode))
    return id


def put_run(
    work: Work, run: str, *, steps: Sequence[str], turns: Sequence[str] = (), tokens: int, seconds: float
) -> None:
    """Keep the figures of a run as far as it has come; the last ones stay. ``turns`` are those it is done with."""
    plain = {"run": run, "steps": list(steps), "turns": list(turns), "tokens": tokens, "seconds": round(seconds, 6)}
    sealed = work.vault.seal_json("trace", run, plain)
    work.tx.traces.put(TraceRow(id=run, kind=KIND, at=work.now, sealed=sealed))


def begun(scope: Scope, tx: Transaction, run: str) -> tuple[list[str], list[str]]:
    """The steps and the turns that a run has done before it was interrupted."""
    row = tx.traces.get(run)
    plain = {} if row is None else scope.open_json("trace", run, row.sealed)
    return list(plain.get("steps", ())), list(plain.get("turns", ()))


def to_forget(scope: Scope, tx: Transaction, episode: str) -> list[TraceStep]:
    """What a turn was found to ask to be forgotten when it was read before; nothing if it was not."""
    steps = []
    for row in tx.traces.page(KIND, target=episode, limit=100):
        plain = scope.open_json("trace", row.id, row.sealed).get("step")
        if plain and (plain["targets"] or plain.get("described")):
            steps.append(_step(plain))
    return steps


def why(scope: Scope, id: str) -> list[Trace]:
    """How a memory came about, or what a run or the runs of a receipt saw and decided; newest first.

    Nothing for what somebody stated. Raises ``NotFound``.
    """
    with scope.store.read(scope.owner) as tx:
        row = tx.traces.get(id)
        if row is not None and row.kind == KIND:
            return [_run(scope, tx, row)]
        rows = tx.traces.page(KIND, target=id, limit=1000)
        if rows:
            return [_part(scope, row) for row in rows]
        if tx.receipts.get(id) is not None:
            return [
                _run(scope, tx, run) for run_id in _runs(scope, tx, id) if (run := tx.traces.get(run_id)) is not None
            ]
        if tx.memories.get([id]):
            return []
    raise NotFound("trace of learning", id)


def _runs(scope: Scope, tx: Transaction, ref: str) -> list[str]:
    """The runs that a receipt came of, or that followed it; newest first."""
    row = tx.receipts.get(ref)
    data = {} if row is None else scope.open_json("receipt", ref, row.sealed)
    runs = [data["trace"]] if data.get("trace") else []
    for noun, part, *_ in data.get("touched", ()):
        if noun == LEARNED:
            runs += _runs(scope, tx, part)
    return list(dict.fromkeys(reversed(runs)))


def _run(scope: Scope, tx: Transaction, row: TraceRow) -> Trace:
    plain = scope.open_json("trace", row.id, row.sealed)
    if "step" in plain:
        return _part(scope, row)
    rows = [step_row for id in plain["steps"] if (step_row := tx.traces.get(id)) is not None]
    steps = tuple(_step(scope.open_json("trace", row.id, row.sealed)["step"]) for row in rows)
    return Trace(
        id=row.id, at=moment(row.at), steps=steps, run=row.id, tokens=plain["tokens"], seconds=plain["seconds"]
    )


def _part(scope: Scope, row: TraceRow) -> Trace:
    plain = scope.open_json("trace", row.id, row.sealed)
    return Trace(id=row.id, at=moment(row.at), steps=(_step(plain["step"]),), run=plain["run"])


def _step(plain: Mapping[str, Any]) -> TraceStep:
    lists = {name: tuple(plain.get(name, ())) for name in ("near", "targets", "parts")}
    return TraceStep(**{**plain, **lists})
