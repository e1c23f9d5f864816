"""The steps of a plan, in the order they depend on each other."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from commonplace.directives.dag import depths
from commonplace.interfaces.cli.show import Paper

if TYPE_CHECKING:
    from commonplace.directives.values import Step

MARKS = {"completed": "✓", "failed": "✗", "running": "▸", "ready": "○", "pending": "·", "skipped": "–"}
COLOURS = {
    "completed": "green",
    "failed": "red",
    "running": "blue",
    "ready": "yellow",
    "pending": "dim",
    "skipped": "dim",
}


def drawn_steps(paper: Paper, steps: "Sequence[Step]") -> Iterator[str]:
    """One line a step, further in the more must come before it."""
    inwards = depths(steps)
    for step in steps:
        mark = paper.paint(MARKS[step.status], COLOURS[step.status])
        waits = f"  after {', '.join(_names(steps, step.depends_on))}" if step.depends_on else ""
        yield paper.cut(
            f"{'  ' * inwards[step.id]}{mark} {step.name}  {paper.paint(step.status + waits, 'dim')}  {step.id}"
        )


def _names(steps: "Sequence[Step]", ids: Sequence[str]) -> list[str]:
    names = {step.id: step.name for step in steps}
    return [names.get(id, id) for id in ids]
