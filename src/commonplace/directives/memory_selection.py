"""Selects the memories for a prompt. Pure: memories and their order of relevance are given."""

from collections.abc import Sequence
from dataclasses import dataclass

from commonplace.model import Memory
from commonplace.text.tokens import count, cut

BUDGET = 1_500
"""Default token budget for memories in a prompt."""
MAX_TOKENS = 300
"""Maximum tokens of one memory; its id gives access to the rest."""
PRIORITY = {"error": 0, "decision": 0, "insight": 1, "pattern": 1}
"""Errors and decisions are the last to be left out, context the first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PromptMemory:
    category: str
    source: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SelectedMemories:
    """The memories of a prompt, oldest first."""

    lines: tuple[PromptMemory, ...] = ()
    ids: tuple[str, ...] = ()
    left_out: int = 0
    """Number of memories left out because of the token budget; the prompt mentions it."""
    fault: str | None = None
    """Why the memories could not be loaded, if so; the prompt mentions it."""


def choose(memories: Sequence[Memory], relevant: Sequence[str] = (), *, tokens: int = BUDGET) -> SelectedMemories:
    """As many memories as fit the budget: errors and decisions first, the most relevant first among equals.

    ``relevant`` are ids, best first; the others follow, newest first. The result is in order of creation.
    """
    rank = {id: number for number, id in enumerate(relevant)}
    newest = sorted(memories, key=lambda memory: memory.id, reverse=True)
    ranked = sorted(newest, key=lambda memory: rank.get(memory.id, len(rank)))
    room = tokens
    chosen: dict[str, PromptMemory] = {}
    for memory in sorted(ranked, key=lambda memory: PRIORITY.get(memory.category, 2)):
        text = " ".join(memory.text.split())
        short = cut(text, MAX_TOKENS)
        shown = text if short == text else f"{short} …"
        line = PromptMemory(category=memory.category, source=memory.source, text=shown)
        size = count(f"- [{line.category}] ({line.source}): {line.text}\n")
        if size > room:
            break
        room -= size
        chosen[memory.id] = line
    ids = tuple(sorted(chosen))
    return SelectedMemories(lines=tuple(chosen[id] for id in ids), ids=ids, left_out=len(memories) - len(ids))
