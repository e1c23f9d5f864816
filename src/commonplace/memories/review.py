"""What waits for a person: approve it, correct it, or say that it is wrong. Who decided is recorded."""

from collections.abc import Sequence
from dataclasses import dataclass

from commonplace.errors import Invalid
from commonplace.memories import previews, states
from commonplace.memories.forgetting import Forgetting
from commonplace.memories.gateway import Gateway
from commonplace.memories.reading import Reader
from commonplace.memories.scope import Scope
from commonplace.model import Kind, Memory, Query, Receipt

REJECTED_BEFORE = "rejected before"
FORGET = "forget"
"""The metadata of a question which memories are to be forgotten: their ids."""
BELIEFS: tuple[Kind, ...] = ("core", "associative", "relational", "proactive")
DECISIONS = ("approve", "correct", "reject")


@dataclass(frozen=True, slots=True, kw_only=True)
class Waiting:
    """A candidate with the words it rests on, why it waits, and the belief it contradicts, if any."""

    memory: Memory
    quotes: tuple[tuple[Memory, str | None], ...]
    reason: str
    conflict: Memory | None = None


class Review:
    def __init__(self, scope: Scope) -> None:
        self._scope = scope
        self._reader = Reader(scope)

    def list(self, *, limit: int = 100, after: str | None = None) -> list[Waiting]:
        """Candidates, oldest first; episodes are evidence and do not wait."""
        found = self._reader.page(Query(statuses=("candidate",), kinds=BELIEFS, limit=limit), after=after, newest=False)
        return [self._waiting(memory) for memory in found]

    def decide(self, id: str, decision: str, *, text: str | None = None, reason: str | None = None) -> Receipt:
        """One decision: ``approve``, ``correct`` (with the right text) or ``reject``.

        To approve a question what is to be forgotten forgets all that it names, and the question.
        """
        gateway = Gateway(self._scope)
        if decision == "approve":
            asked = self._reader.get(id).metadata.get(FORGET)
            return gateway.confirm(id) if not asked else self._forget([*map(str, asked), id])
        if decision == "correct":
            if text is None:
                raise Invalid("to correct, say what is right: pass the text")
            return gateway.revise(id, text, reason=reason or "corrected in review")
        if decision == "reject":
            return gateway.reject(id, reason=reason or "rejected in review")
        raise Invalid(f"unknown decision {decision[:20]!r}; one of {', '.join(DECISIONS)}")

    def _forget(self, ids: Sequence[str]) -> Receipt:
        left = [memory.id for memory in self._reader.get_many(ids)]
        return Forgetting(self._scope).forget_meant([previews.whole(self._scope, id) for id in left])

    def lift(self, text: str) -> int:
        """Let a rejected or forgotten value be stated again; how many tombstones were lifted."""
        return Gateway(self._scope).lift(text)

    def _waiting(self, memory: Memory) -> Waiting:
        first = self._reader.history(memory.id)[0]
        quotes = tuple(self._reader.evidence(memory.id, noun=states.NOUN))
        reason = first.reason or f"not vouched for: from {memory.source}"
        conflict = None
        if contradicted := memory.metadata.get("contradicts"):
            conflict = next(iter(self._reader.get_many([str(contradicted)])), None)
        return Waiting(memory=memory, quotes=quotes, reason=reason, conflict=conflict)
