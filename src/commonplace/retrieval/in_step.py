"""Work on several books that goes on together, so that what all of them ask is answered in one trip."""

from collections.abc import Generator, Sequence
from typing import TypeVar

Result = TypeVar("Result")
Steps = Generator[None, None, Result]
"""Work that pauses where it has asked and not yet looked at an answer (``Transaction.soon``)."""


def together(works: Sequence[Steps[Result]]) -> Steps[list[Result]]:
    """What each returns. All of them reach their next pause before any goes on."""
    results: dict[int, Result] = {}
    running = dict(enumerate(works))
    while running:
        for place, work in list(running.items()):
            try:
                next(work)
            except StopIteration as end:
                results[place] = end.value
                del running[place]
        if running:
            yield
    return [results[place] for place in range(len(works))]


def in_step(works: Sequence[Steps[Result]]) -> list[Result]:
    """The same, to the end."""
    work = together(works)
    while True:
        try:
            next(work)
        except StopIteration as end:
            return list(end.value)
