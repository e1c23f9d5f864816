"""What a stated memory contradicts: found by the reader of statements, resolved by the gateway."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from commonplace.memories.codec import StoredMemory
from commonplace.memories.scope import Scope
from commonplace.model import NewMemory

if TYPE_CHECKING:
    from commonplace.memories.unit_of_work import Work


@dataclass(frozen=True, slots=True)
class Contradiction:
    """A memory that contradicts the one being stated."""

    stored: StoredMemory
    reason: str
    value: str = ""
    """For a core value: its new value."""


FindConflicts = Callable[["Work", StoredMemory], Sequence[Contradiction]]


@dataclass(frozen=True, slots=True)
class ConflictSearch:
    """A search for contradictions that is prepared before the write and run inside it."""

    find: FindConflicts
    look_up: Callable[["Work"], object] | None = None
    """Reads what ``find`` will need, so that the queries of several searches go to the store together."""
    words_of: str = ""
    """The text whose words ``find`` looks up first."""


ReadStatement = Callable[[Scope, NewMemory, bool], ConflictSearch | None]
"""Returns the search for what a new memory contradicts, by rules and, if the flag is set, by the judge; or None."""
