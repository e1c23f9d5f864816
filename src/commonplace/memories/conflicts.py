"""A stated memory and what it contradicts: found by the reader of statements, settled by the gateway."""

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
    """A memory that cannot be true together with the one that is being stated."""

    stored: StoredMemory
    reason: str
    value: str = ""
    """Of a core value: the one that takes its place."""


FindConflicts = Callable[["Work", StoredMemory], Sequence[Contradiction]]


@dataclass(frozen=True, slots=True)
class ConflictSearch:
    """What looks for conflicts inside a write, made before the write begins."""

    find: FindConflicts
    look_up: Callable[["Work"], object] | None = None
    """Reads what ``find`` will ask, so that the questions of several searches can go to the store together."""
    words_of: str = ""
    """The text whose words ``find`` asks for first."""


ReadStatement = Callable[[Scope, NewMemory, bool], ConflictSearch | None]
"""Of a new memory: the search for what it contradicts, by rules or also by the judge, or None."""
