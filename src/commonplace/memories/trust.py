"""Trust ranks: who wrote something decides who may change it.

A write changes only what has the same or a lower rank. Anything else becomes a proposal in review.
"""

from commonplace.model import Source

TOOL, AGENT, WORDS, PERSON = 0, 1, 2, 3
"""Tools, files and the web; an agent or a model; a person's words, read by rules; a person's own interface."""

WRITERS = {
    TOOL: "a tool or a file",
    AGENT: "an agent",
    WORDS: "a person in a conversation",
    PERSON: "a person",
}

OWN_WORK = "own work"
"""Metadata key of an agent's notes on its own work (tasks, lessons). They are in files and need no review."""


def scope_rank(*, person: bool, source: Source) -> int:
    """The rank of what is done through an interface."""
    return PERSON if person else source_rank(source, AGENT)


def source_rank(source: Source, limit: int) -> int:
    """The rank for ``source``, at most ``limit``: a person may write down what a tool said."""
    if source == "user":
        return limit
    return min(limit, TOOL if source in ("tool", "import") else AGENT)


def unrecorded_rank(*, source: Source, confirmed: bool) -> int:
    """The rank of a memory that was written before ranks were recorded."""
    return source_rank(source, PERSON if confirmed else WORDS)
