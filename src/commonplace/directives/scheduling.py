"""Decides a runner's next action. Pure."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Literal

from commonplace.directives import dag
from commonplace.directives.values import Directive, DirectiveStatus, Step


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """When a runner stops by itself."""

    generations: int = 5
    """Maximum plans of a directive."""
    attempts: int = 3
    """Maximum attempts per step and per plan."""
    timeout: float = 1_800.0
    """Maximum seconds of one call of the agent."""
    seconds: float | None = None
    """Maximum seconds of this run."""
    tokens: int | None = None
    """Maximum tokens of all attempts of the directive, as far as agents report them."""
    output: int = 100_000_000
    """Maximum bytes of output of one call."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NextAction:
    act: Literal["plan", "run", "wait", "end"]
    step: Step | None = None
    status: DirectiveStatus | None = None
    reason: str = ""


WAIT = NextAction(act="wait")


def next_action(
    directive: Directive, steps: Sequence[Step], *, running: Collection[str], parallel: int, limits: Limits
) -> NextAction:
    """``running`` are the ids of running steps, and ``plan`` while planning."""
    if "plan" in running:
        return WAIT
    if reason := unplanned(directive, steps):
        return WAIT if running else _plan(directive, steps, reason, limits)
    by_id = {step.id: step for step in steps}
    ready = [
        step
        for step in steps
        if step.status in ("ready", "pending") and step.id not in running and dag.ready(step, by_id)
    ]
    if ready and len(running) < parallel:
        return NextAction(act="run", step=min(ready, key=lambda item: (item.order_index, item.id)))
    if running:
        return WAIT
    states = [item.status for item in _current(directive, steps)]
    failed, blocked = states.count("failed"), states.count("pending") + states.count("ready")
    if failed or blocked:
        return _plan(directive, steps, f"{failed} failed and {blocked} held up by that", limits)
    return NextAction(act="end", status="completed", reason=directive.done or "every step is completed")


def unplanned(directive: Directive, steps: Sequence[Step]) -> str | None:
    """Why a plan is needed first; None if none is."""
    updated, planned = directive.goal_updated_at, directive.planned_for
    if updated is not None and planned is not None and updated > planned:
        return "the goal has changed"
    if not _current(directive, steps) and directive.done is None:
        return "there are no steps"
    return None


def _current(directive: Directive, steps: Sequence[Step]) -> Sequence[Step]:
    """The steps of the present plan; those added by hand before any plan are one."""
    return [step for step in steps if step.generation == directive.generation] if directive.generation else steps


def _plan(directive: Directive, steps: Sequence[Step], reason: str, limits: Limits) -> NextAction:
    if dag.next_generation(directive, steps) > limits.generations:
        return NextAction(act="end", status="failed", reason=f"{reason}, and {limits.generations} plans are the limit")
    return NextAction(act="plan", reason=reason)
