"""What a description is taken to mean, before anything is done."""

from collections.abc import Sequence
from dataclasses import dataclass

from commonplace.errors import NotFound


@dataclass(frozen=True, slots=True, kw_only=True)
class ProposalTarget:
    """One memory that a description may mean, whole or in part."""

    id: str
    text: str
    """What would go or change."""
    remains: str | None = None
    """What would stay of the memory; None if all of it is meant."""
    clauses: tuple[str, ...] = ()
    """The clauses that are meant, as they stand in the text; empty if all of it is."""
    version: int
    episode: bool = False
    confidence: float
    sure: bool = False
    """Whether it may be acted on without a question."""
    reasons: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposal:
    """The answer to a description that is not certain enough to act on. Nothing was changed.

    ``book.forget(proposal)`` and ``book.revise(proposal, text)`` act on ``targets``; ``choose=[id, …]`` picks others
    by their ids, the alternatives included.
    """

    query: str
    targets: tuple[ProposalTarget, ...]
    alternatives: tuple[ProposalTarget, ...] = ()
    confidence: float
    """Of the least certain target."""
    reasons: tuple[str, ...] = ()
    """Why it was not done at once, or why it could be."""
    sure: bool = False
    """Whether it may be acted on at once: every target is certain, and nothing else is meant."""
    state: str = "proposed"

    @property
    def ids(self) -> tuple[str, ...]:
        """The memories that `forget(proposal)` would act on."""
        return tuple(target.id for target in self.targets)

    def choose(self, ids: Sequence[str]) -> list[ProposalTarget]:
        """The targets and alternatives that ``ids`` name. Raises ``NotFound`` for one that is not proposed."""
        by_id = {target.id: target for target in (*self.targets, *self.alternatives)}
        for id in ids:
            if id not in by_id:
                raise NotFound("memory", id)
        return [by_id[id] for id in dict.fromkeys(ids)]
