"""What a description is taken to mean, before anything is done."""

from collections.abc import Sequence
from dataclasses import dataclass

from commonplace.errors import NotFound


@dataclass(frozen=True, slots=True, kw_only=True)
class ProposalTarget:
    """A memory, or part of one, that a description may mean."""

    id: str
    text: str
    """The text that would be removed or changed."""
    remains: str | None = None
    """The rest of the memory; None if all of it is meant."""
    clauses: tuple[str, ...] = ()
    """The clauses that are meant, as written; empty if all of it is."""
    version: int
    episode: bool = False
    confidence: float
    sure: bool = False
    """Whether it is certain enough to act on without asking."""
    reasons: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposal:
    """The result of a description that is not certain enough to act on. Nothing was changed.

    ``book.forget(proposal)`` and ``book.revise(proposal, text)`` act on ``targets``; ``choose=[id, …]`` picks others by
    their ids, including alternatives.
    """

    query: str
    targets: tuple[ProposalTarget, ...]
    alternatives: tuple[ProposalTarget, ...] = ()
    confidence: float
    """The confidence of the least certain target."""
    reasons: tuple[str, ...] = ()
    """Why it was not done at once, or why it can be."""
    sure: bool = False
    """Whether it can be acted on at once: every target is certain, and nothing else is meant."""
    state: str = "proposed"

    @property
    def ids(self) -> tuple[str, ...]:
        return tuple(target.id for target in self.targets)

    def choose(self, ids: Sequence[str]) -> list[ProposalTarget]:
        """The targets and alternatives with these ids. Raises ``NotFound`` for an id that is not proposed."""
        by_id = {target.id: target for target in (*self.targets, *self.alternatives)}
        for id in ids:
            if id not in by_id:
                raise NotFound("memory", id)
        return [by_id[id] for id in dict.fromkeys(ids)]
