"""What a transaction said and was told, so that it can be said again when the server gave it up for another's sake.

A deadlock or a serialisation failure undoes a transaction that did nothing wrong. What was said in it is said again in
a new one; as long as every answer is the same as before, whoever holds the transaction need not know.
"""

import os
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from commonplace.store.postgres.wire import ServerAnswer

TRIES = 6
SHORTEST, LONGEST = 0.005, 0.02
"""Seconds to wait before the first try, at random between them; twice that before each further one."""
MOST = 20_000
"""Rows of values and answers that are kept; a longer transaction is not said again."""


@dataclass(frozen=True, slots=True)
class Saying:
    """A statement, and the part of its answer that the caller was given."""

    text: str
    values: dict[str, Any]
    told: Callable[[ServerAnswer], Any]
    planned: bool = False
    """By a plan for these very values."""


class Journal:
    def __init__(self) -> None:
        self._said: list[tuple[Saying, Any]] = []
        self._rows = 0

    def whole(self, extra: int = 0) -> bool:
        """Whether it holds everything that was said, and would with so much more."""
        return self._rows + extra <= MOST

    def note(self, sayings: Sequence[Saying], answers: Sequence[Any]) -> None:
        self._rows += len(sayings) + sum(len(answer) for answer in answers if isinstance(answer, list))
        if self.whole():
            self._said += zip(sayings, answers, strict=True)
        else:
            self._said.clear()

    def same_again(self, say: Callable[[Sequence[Saying]], list[Any]]) -> bool:
        """Say everything in order; False if an answer is another than before."""
        return say([saying for saying, _ in self._said]) == [answer for _, answer in self._said]


def waits() -> Iterator[bool]:
    """True for each further try, after a wait; the jitter lets two that met not meet again."""
    for number in range(TRIES):
        time.sleep((SHORTEST + (LONGEST - SHORTEST) * os.urandom(1)[0] / 255) * 2**number)
        yield True
