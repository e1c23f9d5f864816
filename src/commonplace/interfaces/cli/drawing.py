"""The steps of a plan, drawn by what they wait for."""

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
    for one in steps:
        mark = paper.paint(MARKS[one.status], COLOURS[one.status])
        waits = f"  after {', '.join(_names(steps, one.depends_on))}" if one.depends_on else ""
        yield paper.cut(
            f"{'  ' * inwards[one.id]}{mark} {one.name}  {paper.paint(one.status + waits, 'dim')}  {one.id}"
        )


def _names(steps: "Sequence[Step]", ids: Sequence[str]) -> list[str]:
    names = {one.id: one.name for one in steps}
    return [names.get(id, id) for id in ids]
