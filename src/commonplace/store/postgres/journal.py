"""What a transaction said and was told, so that it can be said again when the server gave it up for another's sake.

A deadlock or a serialisation failure undoes a transaction that did nothing wrong. What was said in it is said again in
a new one; as long as every answer is the same as before, whoever holds the transaction need not know.
"""

import os
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from psycopg import errors

UNDONE = (errors.SerializationFailure, errors.DeadlockDetected)
"""The server undid the whole transaction, and asks for it once more."""
TRIES = 6
SHORTEST, LONGEST = 0.005, 0.02
"""Seconds to wait before the first try, at random between them; twice that before each further one."""
MOST = 20_000
"""Rows of values and answers that are kept; a longer transaction is not said again."""


@dataclass(frozen=True, slots=True)
class Entry:
    say: Callable[[str, Any], Any]
    text: str
    values: Any
    answer: Any


class Journal:
    def __init__(self) -> None:
        self._entries: list[Entry] = []
        self._rows = 0

    @property
    def whole(self) -> bool:
        """Whether it still holds everything that was said."""
        return self._rows <= MOST

    def note(self, say: Callable[[str, Any], Any], text: str, values: Any, answer: Any) -> None:
        self._rows += 1 + (len(values) if isinstance(values, list) else 0)
        self._rows += len(answer) if isinstance(answer, list) else 0
        if self.whole:
            self._entries.append(Entry(say, text, values, answer))
        else:
            self._entries.clear()

    def same_again(self) -> bool:
        """Say everything in order; False as soon as an answer is another than before."""
        return all(entry.say(entry.text, entry.values) == entry.answer for entry in self._entries)


def waits() -> Iterator[bool]:
    """True for each further try, after a wait; the jitter lets two that met not meet again."""
    for number in range(TRIES):
        time.sleep((SHORTEST + (LONGEST - SHORTEST) * os.urandom(1)[0] / 255) * 2**number)
        yield True
