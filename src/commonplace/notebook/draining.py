"""What waited in the spool, brought into the book; and learning, left to a job by those who have no time for it."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from commonplace.errors import KeyringError, Refused, StoreError
from commonplace.memories import jobs
from commonplace.memories.admission import NewMemory
from commonplace.memories.gateway import Gateway
from commonplace.memories.scope import Scope
from commonplace.memories.states import Held
from commonplace.memories.work import Work
from commonplace.model import Message
from commonplace.notebook.spool import Spool

LEARN = "learn"
"""The kind of job that extraction does."""


@dataclass(frozen=True, slots=True)
class Drained:
    """What became of the writes that waited."""

    kept: int = 0
    refused: int = 0
    """Not let in, as they would not have been in the first place: empty, a secret, forgotten before."""
    damaged: int = 0
    """Could not be opened; moved aside, where `doctor` finds them."""
    waiting: int = 0
    """Still there: they belong to another owner."""


def drain(scope: Scope, spool: Spool) -> Drained:
    """Make good what waits for this owner, oldest first. Twice does no harm; an unreachable book leaves the rest."""
    kept = refused = damaged = others = 0
    for path in spool.waiting():
        try:
            plain = spool.opened(path)
        except FileNotFoundError:  # another process was quicker
            continue
        except KeyringError:
            spool.aside(path)
            damaged += 1
            continue
        if plain["owner"] != scope.owner:
            others += 1
            continue
        try:
            _make_good(scope.within(plain["namespace"]), plain["what"], plain["data"])
            kept += 1
        except Refused:
            refused += 1
        path.unlink(missing_ok=True)
    return Drained(kept=kept, refused=refused, damaged=damaged, waiting=others)


def learn_later(scope: Scope) -> Callable[[Work, Sequence[Held]], None]:
    """Leaves learning to a job, in the transaction that keeps the turns: there is no time for it in a hook."""

    def leave(work: Work, kept: Sequence[Held]) -> None:
        turns = [held.id for held in kept if held.row.role == "user" and held.row.status == "verified"]
        if turns:
            payload = {"episodes": turns, "person": scope.person, "receipt": work.ref}
            jobs.enqueue(scope, work.tx, LEARN, payload)

    return leave


def _make_good(scope: Scope, what: str, data: Mapping[str, Any]) -> None:
    gateway = Gateway(scope.acting_as("hook", source=data.get("source", "user"), person=data.get("person", True)))
    if what == "observe":
        said = [
            Message(
                one["text"],
                role=one.get("role", "user"),
                at=datetime.fromisoformat(one["at"]) if one.get("at") else None,
                metadata=one.get("metadata"),
            )
            for one in data["messages"]
        ]
        gateway.observe(said, session=data.get("session"), then=learn_later(gateway.scope))
    elif what == "remember":
        gateway.remember(NewMemory(text=data["text"], category=data["category"], metadata=data.get("metadata") or {}))
    else:
        raise StoreError(f"a spooled write of an unknown kind {what!r}; it was left by a newer release")
