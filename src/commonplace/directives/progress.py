"""What changed in a directive since the last check. Pure."""

from collections.abc import Iterator, MutableMapping, Sequence
from dataclasses import dataclass

from commonplace.directives.values import Directive, Step

MAX_DETAIL = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class ProgressChange:
    """A directive or a step with its new status."""

    id: str
    name: str
    status: str
    detail: str = ""
    """The result of a step, or why the runner ended."""


def progress(directive: Directive, steps: Sequence[Step], seen: MutableMapping[str, str]) -> Iterator[ProgressChange]:
    """The changes since the last call; ``seen`` maps ids to the last seen status and is updated."""
    for step in steps:
        state = f"{step.status}/{step.attempts}"
        if seen.get(step.id) != state:
            seen[step.id] = state
            ended = step.status in ("completed", "failed")
            detail = " ".join((step.result or "").split())[:MAX_DETAIL] if ended else ""
            yield ProgressChange(id=step.id, name=step.name, status=step.status, detail=detail)
    if seen.get(directive.id) != directive.status:
        seen[directive.id] = directive.status
        name, status = directive.title, directive.status
        yield ProgressChange(id=directive.id, name=name, status=status, detail=directive.reason or "")
