"""Which memories enter a prompt. Pure: the memories and their order of relevance are given."""

from collections.abc import Sequence
from dataclasses import dataclass

from commonplace.model import Memory
from commonplace.text.tokens import count, cut

BUDGET = 1_500
"""Tokens of memories in a prompt, unless the caller says otherwise."""
LONGEST = 300
"""Tokens of one memory; the rest of it can be had by its id."""
CLASS = {"error": 0, "decision": 0, "insight": 1, "pattern": 1}
"""Errors and decisions are the last to be dropped, context the first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    category: str
    source: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Chosen:
    """What the prompt shows, most relevant first."""

    lines: tuple[Line, ...] = ()
    ids: tuple[str, ...] = ()
    left_out: int = 0
    fault: str | None = None
    """Why the memories could not be loaded, if so; the prompt says it."""


def choose(memories: Sequence[Memory], relevant: Sequence[str] = (), *, tokens: int = BUDGET) -> Chosen:
    """As many as the budget holds: no context while an error or a decision waits, the most relevant first in each.

    ``relevant`` are ids, best first; what is not among them follows, newest first.
    """
    place = {id: at for at, id in enumerate(relevant)}
    newest = sorted(memories, key=lambda one: one.id, reverse=True)
    ranked = sorted(newest, key=lambda one: place.get(one.id, len(place)))
    room = tokens
    kept: dict[str, Line] = {}
    for memory in sorted(ranked, key=lambda one: CLASS.get(one.category, 2)):
        line = _line(memory)
        size = count(f"- [{line.category}] ({line.source}): {line.text}\n")
        if size > room:
            break
        room -= size
        kept[memory.id] = line
    shown = [one.id for one in ranked if one.id in kept]
    return Chosen(lines=tuple(kept[id] for id in shown), ids=tuple(shown), left_out=len(memories) - len(shown))


def _line(memory: Memory) -> Line:
    text = " ".join(memory.text.split())
    short = cut(text, LONGEST)
    return Line(category=memory.category, source=memory.source, text=text if short == text else f"{short} …")
