"""A stated memory and what it contradicts: found by whoever reads statements, settled by the gateway."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from commonplace.memories.codec import StoredMemory
from commonplace.model import NewMemory

if TYPE_CHECKING:
    from commonplace.memories.unit_of_work import Work


@dataclass(frozen=True, slots=True)
class Contradiction:
    """A memory that cannot be true together with the one that is being stated."""

    stored: StoredMemory
    reason: str


FindConflicts = Callable[["Work", StoredMemory], Sequence[Contradiction]]
ReadStatement = Callable[[str, NewMemory, bool], FindConflicts | None]
"""Of an owner's new memory: what looks for conflicts inside the write, by rules or also by the judge, or None. Called
before the write begins."""
