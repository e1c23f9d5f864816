"""The steps of a plan, drawn by what they wait for."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

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
    depths = _depths(steps)
    for one in steps:
        mark = paper.paint(MARKS[one.status], COLOURS[one.status])
        waits = f"  after {', '.join(_names(steps, one.depends_on))}" if one.depends_on else ""
        yield paper.cut(f"{'  ' * depths[one.id]}{mark} {one.name}  {paper.paint(one.status + waits, 'dim')}  {one.id}")


def _depths(steps: "Sequence[Step]") -> dict[str, int]:
    """How many steps must come before each: where it stands in the drawing. A plan has no circles."""
    by_id = {one.id: one for one in steps}
    depths: dict[str, int] = {}

    def depth(id: str) -> int:
        if id not in depths:
            before = [one for one in by_id[id].depends_on if one in by_id]
            depths[id] = 1 + max((depth(one) for one in before), default=-1)
        return depths[id]

    for id in by_id:
        depth(id)
    return depths


def _names(steps: "Sequence[Step]", ids: Sequence[str]) -> list[str]:
    names = {one.id: one.name for one in steps}
    return [names.get(id, id) for id in ids]
