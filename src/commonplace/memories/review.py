"""The review queue: candidates and proposals that a person approves, corrects or rejects. The decision is recorded."""

import builtins
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from operator import itemgetter
from typing import Any, Literal, get_args

from commonplace.errors import Conflict, Invalid, NotAllowed
from commonplace.memories import codec, previews, proposals
from commonplace.memories.admission import page_size
from commonplace.memories.forgetting import Forgetting
from commonplace.memories.gateway import Gateway
from commonplace.memories.graph import Graph
from commonplace.memories.ids import AlsoShared, takes_ids
from commonplace.memories.namespaces import Namespaces
from commonplace.memories.reading import Reader
from commonplace.memories.scope import Scope
from commonplace.memories.trust import OWN_WORK
from commonplace.memories.unit_of_work import write_transaction
from commonplace.model import Kind, Memory, NewMemory, Query, Receipt, time_fields

REJECTED_BEFORE = "rejected before"
NEW = "new"
"""The reason of a decision to add something that contradicts nothing."""
FORGET = "forget"
"""Metadata key of a question about which memories to forget: their ids."""
BELIEFS: tuple[Kind, ...] = ("core", "associative", "relational", "proactive")
Decision = Literal["approve", "correct", "reject"]
DECISIONS: tuple[Decision, ...] = get_args(Decision)
CANDIDATES = Query(statuses=("candidate",), kinds=BELIEFS)
PROPOSALS = Query(statuses=("archived",), kinds=BELIEFS, metadata={proposals.WAITING: True})


@dataclass(frozen=True, slots=True, kw_only=True)
class Waiting:
    """A candidate or proposal with its evidence, why it waits, and the belief it would change, if any.

    For a proposal, ``memory.text`` is the proposed text and ``conflict`` the present one.
    """

    memory: Memory
    quotes: tuple[tuple[Memory, str | None], ...]
    reason: str
    conflict: Memory | None = None

    @property
    def act(self) -> str | None:
        """The verb of a proposal: ``revise``, ``end``, ``reject`` …; None for a candidate."""
        act = self.memory.metadata.get(proposals.ACT)
        return None if act is None else str(act)


@takes_ids
class Review(AlsoShared):
    def __init__(self, scope: Scope) -> None:
        self._scope = scope
        self._reader = Reader(scope)

    def list(self, *, limit: int = 100, after: str | None = None) -> builtins.list[Waiting]:
        """Candidates and proposals, oldest first, shared namespaces included; episodes are never in review."""
        limit = page_size(limit)
        waiting = [
            (memory.id, review, memory)
            for review in self._queues()
            for query in (CANDIDATES, PROPOSALS)
            for memory in review._page(replace(query, limit=limit), after)
        ]
        return [review._waiting(memory) for _, review, memory in sorted(waiting, key=itemgetter(0))[:limit]]

    def count(self) -> int:
        """The number of items in review."""
        return sum(review._count() for review in self._queues())

    def _queues(self) -> "Iterator[Review]":
        """This collection, and those of the shared namespaces where the person may decide."""
        yield self
        yield from (Review(scope) for scope in self._scope.shared(self._scope) if scope.role != "reader")

    def _count(self) -> int:
        own_work = self._reader.count(replace(CANDIDATES, metadata={OWN_WORK: True}))
        return self._reader.count(CANDIDATES) + self._reader.count(PROPOSALS) - own_work

    def _page(self, query: Query, after: str | None) -> Sequence[Memory]:
        """The next waiting memories, without an agent's notes on its own work."""
        memories: Sequence[Memory] = ()
        while len(memories) < query.limit:
            page = self._reader.page(query, after=after, newest=False)
            memories = (*memories, *(memory for memory in page if OWN_WORK not in memory.metadata))
            if len(page) < query.limit:
                break
            after = page[-1].id
        return memories

    def decide(self, id: str, decision: Decision, *, text: str | None = None, reason: str | None = None) -> Receipt:
        """Decide: ``approve``, ``correct`` (with the right text) or ``reject``.

        Approving a proposal carries it out with the rank of the approver; rejecting it drops it. Approving a question
        about forgetting forgets all memories that it names, and the question itself.
        """
        if decision not in DECISIONS:
            raise Invalid(f"unknown decision {decision[:20]!r}; one of {', '.join(DECISIONS)}")
        if decision == "correct" and text is None:
            raise Invalid("to correct it, pass the right text")
        memory = self._reader.get(id)
        if proposals.ACT in memory.metadata:
            return self._decide_proposal(memory, decision, text, reason)
        gateway = Gateway(self._scope)
        if decision == "approve":
            targets = memory.metadata.get(FORGET)
            return gateway.confirm(id) if not targets else self._forget([*map(str, targets), id])
        if decision == "correct":
            return gateway.revise(id, text, reason=reason or "corrected in review")
        return gateway.reject(id, reason=reason or "rejected in review")

    def _decide_proposal(self, proposal: Memory, decision: str, text: str | None, reason: str | None) -> Receipt:
        if not proposals.is_waiting(proposal.metadata):
            raise Invalid("this proposal was decided already", code="already_decided")
        if not self._scope.person:
            raise NotAllowed("only a person can decide a proposal", code="needs_person")
        if decision == "reject":
            if proposal.author != self._scope.member:  # their own, which they may withdraw
                for target in self._reader.get_many([str(proposal.metadata[proposals.TARGET])]):
                    self._scope.deciding_about(target.author)
            return self._close(proposal.id, proposals.DECLINED)
        # The target, if its text has not changed since the proposal.
        id, version = str(proposal.metadata[proposals.TARGET]), int(proposal.metadata[proposals.VERSION])
        target = self._reader.get(id)
        then = [state.memory for state in self._reader.history(id) if state.version == version]
        if not then or then[0].text != target.text:
            raise Conflict("memory", id, expected=version, found=target.version)
        scope = self._scope.deciding_about(target.author)
        if decision == "correct":
            receipt = Gateway(scope).revise(target.id, text, reason=reason or "corrected in review")
        else:
            act = ACTS[str(proposal.metadata[proposals.ACT])]
            receipt = act(scope, target.id, proposal.text, proposal.metadata[proposals.ARGUMENTS])
        if self._reader.get_many([proposal.id]):  # forgetting the target deletes the proposal too
            self._close(proposal.id, proposals.ACCEPTED)
        return receipt

    def _close(self, id: str, decision: str) -> Receipt:
        with write_transaction(self._scope, "REVIEW") as work:
            proposals.close(work, work.load(id), decision)
            work.note("NOOP", id, f"proposal {decision}")
            return work.receipt()

    def _forget(self, ids: Sequence[str]) -> Receipt:
        left = [memory.id for memory in self._reader.get_many(ids)]
        return Forgetting(self._scope).forget_targets([previews.whole(self._scope, id) for id in left])

    def lift(self, text: str) -> int:
        """Let a rejected or forgotten value be stated again; returns the number of lifted tombstones."""
        return Gateway(self._scope).lift(text)

    def _waiting(self, memory: Memory) -> Waiting:
        first = self._reader.history(memory.id)[0]
        quotes = tuple(self._reader.evidence(memory.id, noun=codec.NOUN))
        reason = first.reason or f"not confirmed: from {memory.source}"
        if reason == NEW and quotes:
            reason = "learned from a message"
        conflict = None
        if contradicted := memory.metadata.get("contradicts"):
            conflict = next(iter(self._reader.get_many([str(contradicted)])), None)
        return Waiting(memory=memory, quotes=quotes, reason=reason, conflict=conflict)


Arguments = Mapping[str, Any]


def _revise(scope: Scope, id: str, text: str, arguments: Arguments) -> Receipt:
    fields: dict[str, Any] = {
        name: datetime.fromisoformat(value) if name in time_fields(NewMemory) and value is not None else value
        for name, value in arguments["fields"].items()
    }
    return Gateway(scope).revise(id, text if arguments["text"] else None, reason="proposal accepted", **fields)


ACTS: Mapping[str, Callable[[Scope, str, str, Arguments], Receipt]] = {
    "revise": _revise,
    "set": lambda scope, id, text, arguments: Gateway(scope).remember(
        NewMemory(text=text, kind="core", key=arguments["key"], category=arguments["category"])
    ),
    "end": lambda scope, id, text, arguments: Gateway(scope).end(
        id, at=datetime.fromisoformat(arguments["at"]), reason="proposal accepted"
    ),
    "reject": lambda scope, id, text, arguments: Gateway(scope).reject(id, reason="proposal accepted"),
    "archive": lambda scope, id, text, arguments: Gateway(scope).archive([id], reason="proposal accepted"),
    "rollback": lambda scope, id, text, arguments: Gateway(scope).rollback(id, to=arguments["to"]),
    "undo": lambda scope, id, text, arguments: Gateway(scope).undo(arguments["ref"]),
    "forget": lambda scope, id, text, arguments: Forgetting(scope).forget([id]),
    "move": lambda scope, id, text, arguments: Namespaces(scope).move([id], to=arguments["to"]),
    "revise-relation": lambda scope, id, text, arguments: Graph(scope).revise(id, **arguments["fields"]),
    "revise-entity": lambda scope, id, text, arguments: Graph(scope).revise_entity(
        arguments["id"], **arguments["fields"]
    ),
    "merge-entities": lambda scope, id, text, arguments: Graph(scope).merge(arguments["keep"], arguments["absorb"]),
    "split-entity": lambda scope, id, text, arguments: Graph(scope).split(
        arguments["id"], **{name: arguments[name] for name in ("label", "relations", "aliases")}
    ),
}
"""How each verb is carried out when a person approves: scope, target id, text, arguments."""
