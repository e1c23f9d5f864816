"""Detects histories that are sent again: many programs send the whole conversation with every new message."""

from collections.abc import Sequence

from commonplace.clock import micros
from commonplace.memories.unit_of_work import Work
from commonplace.model import Message
from commonplace.store.rows import Filter, MemoryRow

LONGEST = 500
"""Number of stored messages to compare with the beginning of a history."""


def resent(
    work: Work, namespace: str, history: Sequence[tuple[Message, bytes]], session: str | None
) -> tuple[int, str | None]:
    """How many messages at the beginning of a history are the last stored ones, and their conversation.

    Each message has its fingerprint. ``session`` is the id of the conversation if it is named; otherwise the latest
    messages of the namespace are compared. A single message counts only if it is a whole conversation that continues:
    people say "yes" more than once.
    """
    sessions = () if session is None else (session,)
    where = Filter(namespaces=(namespace,), kinds=("episodic",), sessions=sessions)
    newest = work.tx.memories.find(where, limit=min(len(history), LONGEST), newest=True)
    stored = list(reversed(newest))
    for count in range(min(len(stored), len(history)), 0, -1):
        tail = stored[-count:]
        whole = tail[0].position == 0 and len(history) > count
        if (count > 1 or whole) and all(map(_same, tail, history)):
            return count, tail[-1].session
    return 0, None


def _same(row: MemoryRow, sent: tuple[Message, bytes]) -> bool:
    message, fingerprint = sent
    at = None if message.at is None else micros(message.at)
    return row.fingerprint == fingerprint and row.role == message.role and at in (None, row.said_at)
