"""The dependency graph of steps. Pure."""

from collections.abc import Iterable, Mapping, Sequence

from commonplace.directives.values import Directive, Step

SETTLED = ("completed", "skipped")
"""Statuses of a dependency that let dependent steps start."""


def cycle(waits_for: Mapping[str, Iterable[str]]) -> list[str] | None:
    """A cyclic path, such as ``[a, b, a]``; None if there is none."""
    finished: set[str] = set()
    for start in waits_for:
        path: list[str] = []
        stack = [(start, iter(waits_for.get(start, ())))] if start not in finished else []
        if stack:
            path.append(start)
        while stack:
            node, pending = stack[-1]
            following = next((item for item in pending if item not in finished), None)
            if following is None:
                finished.add(node)
                path.pop()
                stack.pop()
            elif following in path:
                return [*path[path.index(following) :], following]
            else:
                path.append(following)
                stack.append((following, iter(waits_for.get(following, ()))))
    return None


def ready(step: Step, by_id: Mapping[str, Step]) -> bool:
    """Whether no dependency of the step is open. Deleted dependencies do not count."""
    return all(by_id[item].status in SETTLED for item in step.depends_on if item in by_id)


def next_generation(directive: Directive, steps: Iterable[Step]) -> int:
    """The number of the next plan; steps added by hand before the first one count as a plan."""
    return max([directive.generation, *(step.generation for step in steps)]) + 1


def depths(steps: Sequence[Step]) -> dict[str, int]:
    """For each step the length of the longest path of dependencies: its column in a drawing."""
    by_id = {step.id: step for step in steps}
    columns: dict[str, int] = {}
    waiting = list(steps)
    while waiting:
        placed = [item for item in waiting if all(dep in columns or dep not in by_id for dep in item.depends_on)]
        if not placed:  # cannot happen, as cycles are refused; but a drawing must terminate
            placed = waiting[:1]
        for item in placed:
            columns[item.id] = max((columns[dep] + 1 for dep in item.depends_on if dep in columns), default=0)
        waiting = [item for item in waiting if item.id not in columns]
    return columns
