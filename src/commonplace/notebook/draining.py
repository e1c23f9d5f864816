"""Writes spooled writes to the book, and queues jobs for learning."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from commonplace.errors import KeyringError, Refused, StoreError
from commonplace.memories import jobs
from commonplace.memories.codec import StoredMemory
from commonplace.memories.gateway import Gateway
from commonplace.memories.membership import capturing, home
from commonplace.memories.scope import Scope
from commonplace.memories.trust import WORDS
from commonplace.memories.unit_of_work import Work
from commonplace.model import Message, NewMemory
from commonplace.notebook.spool import Spool

LEARN = "learn"
"""The kind of extraction jobs."""
READ_ANSWER, READ_MESSAGE = "read answer", "read message"
"""The kinds of jobs that read messages for the notebook."""


@dataclass(slots=True)
class Drained:
    """Counts of spooled writes by what happened to them."""

    kept: int = 0
    refused: int = 0
    """Refused by the book: empty, only a secret, or forgotten before."""
    damaged: int = 0
    """Could not be opened; moved aside for `doctor` to report."""
    waiting: int = 0
    """Still waiting, because they belong to another owner."""


def drain(scope: Scope, spool: Spool) -> Drained:
    """Write this owner's spooled writes, oldest first. Safe to run twice; if the book is unreachable, the rest
    stays.
    """
    drained, scope = Drained(), home(scope)
    for path in spool.waiting():
        try:
            plain = spool.opened(path)
        except FileNotFoundError:  # another process was faster
            continue
        except KeyringError:
            spool.aside(path)
            drained.damaged += 1
            continue
        if plain["owner"] != scope.owner:
            drained.waiting += 1
            continue
        try:
            _write(capturing(scope.within(plain["namespace"])), plain["what"], plain["data"])
            drained.kept += 1
        except Refused:
            drained.refused += 1
        path.unlink(missing_ok=True)
    return drained


def learn_later(scope: Scope) -> Callable[[Work, Sequence[StoredMemory]], None]:
    """Queues learning in the transaction that stores the messages: a hook has no time for it."""

    def leave(work: Work, memories: Sequence[StoredMemory]) -> None:
        episodes = [stored.id for stored in memories if stored.row.role == "user" and stored.row.status == "verified"]
        if episodes:
            payload = {"episodes": episodes, "person": scope.person, "receipt": work.ref}
            jobs.enqueue(scope, work.tx, LEARN, payload)

    return leave


def read_later(
    scope: Scope, folder: Path, edited: Sequence[str] = ()
) -> Callable[[Work, Sequence[StoredMemory]], None]:
    """Queues the reading of a message in the transaction that stores it."""

    def leave(work: Work, memories: Sequence[StoredMemory]) -> None:
        for stored in memories:
            kind = READ_ANSWER if stored.row.role == "assistant" else READ_MESSAGE
            payload = {"episode": stored.id, "namespace": scope.namespace, "folder": str(folder)}
            jobs.enqueue(scope, work.tx, kind, payload | {"edited": list(edited)})

    return leave


def _write(scope: Scope, operation: str, data: Mapping[str, Any]) -> None:
    source, person = data.get("source", "user"), data.get("person", True)
    gateway = Gateway(scope.acting_as("hook", source=source, person=person, rank_limit=WORDS))
    if operation == "observe":
        times = [datetime.fromisoformat(item["at"]) if item.get("at") else None for item in data["messages"]]
        messages = [
            Message(item["text"], role=item.get("role", "user"), at=at, metadata=item.get("metadata"))
            for item, at in zip(data["messages"], times, strict=True)
        ]
        folder = data.get("folder")
        later = [learn_later(gateway.scope)]
        later += [read_later(gateway.scope, Path(folder), data["edited"])] if folder else []

        def then(work: Work, memories: Sequence[StoredMemory]) -> None:
            for leave in later:
                leave(work, memories)

        gateway.observe(messages, session=data.get("session"), then=then)
    elif operation == "remember":
        gateway.remember(NewMemory(text=data["text"], category=data["category"], metadata=data.get("metadata") or {}))
    else:
        raise StoreError(f"unknown kind of spooled write {operation!r}, from a newer release; update this one")
