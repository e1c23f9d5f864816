"""Leaves the reading of messages to jobs. Apart from `answer_jobs`, which does them: a hook needs only this."""

from collections.abc import Callable, Sequence
from pathlib import Path

from commonplace.memories import jobs
from commonplace.memories.codec import StoredMemory
from commonplace.memories.scope import Scope
from commonplace.memories.unit_of_work import Work

READ_ANSWER, READ_MESSAGE = "read answer", "read message"
"""The kinds of jobs."""


def read_later(
    scope: Scope, folder: Path, edited: Sequence[str] = ()
) -> Callable[[Work, Sequence[StoredMemory]], None]:
    """Leaves the reading of a message to a job, in the transaction that keeps the message."""

    def leave(work: Work, memories: Sequence[StoredMemory]) -> None:
        for stored in memories:
            kind = READ_ANSWER if stored.row.role == "assistant" else READ_MESSAGE
            payload = {"episode": stored.id, "namespace": scope.namespace, "folder": str(folder)}
            jobs.enqueue(scope, work.tx, kind, payload | {"edited": list(edited)})

    return leave
