"""The public values: a directive, its steps, and attempts."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal, TypedDict, get_args

DirectiveStatus = Literal["draft", "active", "paused", "completed", "failed", "archived"]
StepStatus = Literal["pending", "ready", "running", "completed", "failed", "skipped"]
DirectiveCategory = Literal["insight", "decision", "context", "error", "pattern"]
DirectiveSource = Literal["planner", "executor", "user"]

DIRECTIVE_STATUSES: tuple[DirectiveStatus, ...] = get_args(DirectiveStatus)
STEP_STATUSES: tuple[StepStatus, ...] = get_args(StepStatus)
CATEGORIES: tuple[DirectiveCategory, ...] = get_args(DirectiveCategory)
SOURCES: tuple[DirectiveSource, ...] = get_args(DirectiveSource)


@dataclass(frozen=True, slots=True, kw_only=True)
class Directive:
    """A goal for many cycles. ``generation`` is the number of the last successful plan; 0 before the first."""

    id: str
    owner: str
    namespace: str
    title: str
    goal: str
    status: DirectiveStatus
    created_at: datetime
    memory_enabled: bool = False
    repository_url: str | None = None
    local_path: str | None = None
    base_branch: str | None = None
    generation: int = 0
    goal_updated_at: datetime | None = None
    planned_for: datetime | None = None
    """The ``goal_updated_at`` for which the present steps were planned."""
    started_at: datetime | None = None
    reason: str | None = None
    """Why the runner last finished or stopped."""
    done: str | None = None
    """Why the last plan has no steps, if the planner found nothing left to do."""
    run: str | None = None
    """The last attempt at planning."""
    version: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """A part of a plan. ``depends_on`` are the ids of steps that must be completed (or skipped) before."""

    id: str
    directive: str
    name: str
    status: StepStatus
    order_index: int
    generation: int
    description: str | None = None
    task_plan: str | None = None
    result: str | None = None
    attempts: int = 0
    depends_on: tuple[str, ...] = ()
    run: str | None = None
    """The last attempt at it."""
    version: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Prompt:
    """A prompt, and the memories in it."""

    text: str
    memories: tuple[str, ...] = ()
    left_out: int = 0
    """Number of memories left out because of the token budget."""
    fault: str | None = None
    """Why it was built without memories, if so."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Attempt:
    """One attempt at planning or at a step: its input and result."""

    id: str
    at: datetime
    what: Literal["plan", "step"]
    generation: int
    number: int
    step: str | None = None
    went_in: tuple[str, ...] = ()
    left_out: int = 0
    fault: str | None = None
    came_out: tuple[str, ...] = ()
    refused: int = 0
    """Reported memories that the book refused."""
    outcome: str = "started"
    """``started``, ``planned``, ``completed``, ``retry``, ``failed``, ``stopped``; ``interrupted``: the runner was
    killed.
    """
    repaired: bool = False
    tokens: int | None = None
    seconds: float | None = None


class DirectiveFields(TypedDict, total=False):
    """The fields that `directives.revise` can change; absent ones stay."""

    title: str
    goal: str
    status: DirectiveStatus
    memory_enabled: bool
    repository_url: str | None
    local_path: str | None
    base_branch: str | None


class StepFields(TypedDict, total=False):
    """The fields that `directives.revise_step` can change; absent ones stay."""

    name: str
    description: str | None
    task_plan: str | None
    result: str | None
    status: StepStatus
    order_index: int
    depends_on: Sequence[str]
    attempts: int
