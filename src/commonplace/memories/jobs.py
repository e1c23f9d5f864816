"""Durable background jobs: each one succeeds, is retried, or ends visibly in the dead-letter state."""

import builtins
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from commonplace.clock import micros
from commonplace.errors import NotFound
from commonplace.memories.admission import page_size
from commonplace.memories.ids import takes_ids
from commonplace.memories.scope import Scope
from commonplace.store.rows import JobRow, from_row
from commonplace.store.transaction import Transaction

MOST_ATTEMPTS = 5
FIRST_BACKOFF = 30
"""Seconds before the second attempt; each later wait is four times as long."""
LEASE = 300
"""Seconds after which another runner may take over a job."""

Handler = Callable[[Scope, Mapping[str, Any]], object]
"""Runs one job; raising means retry. Must be idempotent, because it may run twice."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    id: str
    kind: str
    state: str
    attempts: int
    due_at: datetime
    created_at: datetime
    finished_at: datetime | None
    error: str | None
    """The kind of the last failure; never the text of a memory."""


def enqueue(
    scope: Scope,
    tx: Transaction,
    kind: str,
    payload: Mapping[str, Any],
    *,
    unique: str | None = None,
    due_at: datetime | None = None,
) -> str | None:
    """Queue a job in the same transaction as its cause; None if an equal job already waits."""
    row = _new(scope, kind, payload)
    if due_at is not None:
        row = replace(row, due_at=micros(due_at))
    if unique is not None:
        row = replace(row, unique=scope.vault.label("job", unique))
    return row.id if tx.jobs.put(row) else None


def begin(scope: Scope, tx: Transaction, kind: str, payload: Mapping[str, Any], *, holder: str) -> JobRow:
    """Queue a job that ``holder`` runs at once; if it dies, another runner takes over."""
    row = _new(scope, kind, payload)
    row = replace(row, state="leased", attempts=1, lease_until=row.created_at + LEASE * 1_000_000, lease_holder=holder)
    tx.jobs.put(row)
    return row


def _new(scope: Scope, kind: str, payload: Mapping[str, Any]) -> JobRow:
    vault = scope.current_vault()  # the keys may have been rotated since this process last read them
    id, now = scope.clock.new_id(), micros(scope.clock.now())
    row = JobRow(id=id, kind=kind, state="waiting", due_at=now, created_at=now, sealed=b"")
    return vault.sealed(row, dict(payload))


def run_due(scope: Scope, handlers: Mapping[str, Handler], *, holder: str, limit: int = 100, lease: int = LEASE) -> int:
    """Run this owner's due jobs one by one; returns the number that succeeded. Failures are recorded on the jobs."""
    done = 0
    for _ in range(limit):
        now = micros(scope.clock.now())
        with scope.store.write(scope.owner) as tx:
            leased = tx.jobs.lease(
                kinds=tuple(handlers), now=now, until=now + lease * 1_000_000, holder=holder, limit=1
            )
        if not leased:
            return done
        done += run_job(scope, leased[0], handlers[leased[0].kind], holder)
    return done


def run_job(scope: Scope, row: JobRow, handler: Handler, holder: str) -> bool:
    """Run a job that ``holder`` has leased; returns whether it succeeded. A failure is recorded and retried later."""
    try:
        handler(scope, scope.opened(row))
    except Exception as fault:  # noqa: BLE001  # a failure becomes a record: nothing is dropped or hidden
        with scope.store.write(scope.owner) as tx:
            tx.jobs.put(_failed(scope, row, fault))
        return False
    with scope.store.write(scope.owner) as tx:
        return tx.jobs.finish(row.id, holder=holder, at=micros(scope.clock.now()))


def where(fault: Exception) -> str:
    last = fault.__traceback__
    while last is not None and last.tb_next is not None:
        last = last.tb_next
    return last.tb_frame.f_code.co_name if last is not None else "nowhere"


def _failed(scope: Scope, row: JobRow, fault: Exception) -> JobRow:
    now = micros(scope.clock.now())
    attempts = row.attempts  # the lease already counted the attempt
    error = f"{type(fault).__name__} in {where(fault)}: {fault}"
    backoff = FIRST_BACKOFF * 4 ** max(attempts - 1, 0) * 1_000_000
    state, finished = ("dead", now) if attempts >= MOST_ATTEMPTS else ("waiting", None)
    sealed = scope.current_vault().seal_json("job error", row.id, error)
    return replace(released(row, state, finished), due_at=now + backoff, error=sealed)


def released(row: JobRow, state: str, finished_at: int | None) -> JobRow:
    """The job without a holder."""
    return replace(row, state=state, finished_at=finished_at, lease_until=None, lease_holder=None)


@takes_ids
class Jobs:
    """The job queue: what waits, what failed, and retrying it."""

    def __init__(self, scope: Scope) -> None:
        self._scope = scope

    def list(
        self, *, states: Sequence[str] = (), kinds: Sequence[str] = (), limit: int = 100, newest: bool = False
    ) -> builtins.list[Job]:
        """By due time; the latest first if ``newest``."""
        limit = page_size(limit)
        with self._scope.store.read(self._scope.owner) as tx:
            rows = tx.jobs.all(states=states, kinds=kinds, limit=limit, newest=newest)
            return [self._job(row) for row in rows]

    def counts(self) -> dict[str, dict[str, int]]:
        with self._scope.store.read(self._scope.owner) as tx:
            counted = tx.jobs.counts()
        by_kind: dict[str, dict[str, int]] = {}
        for (kind, state), number in sorted(counted.items()):
            by_kind.setdefault(kind, {})[state] = number
        return by_kind

    def replay(self, id: str) -> Job:
        """Put a dead or waiting job at the head of the queue, with all its attempts again."""
        scope = self._scope
        with scope.store.write(scope.owner) as tx:
            row = tx.jobs.get(id)
            if row is None:
                raise NotFound("job", id)
            row = replace(released(row, "waiting", None), attempts=0, due_at=micros(scope.clock.now()))
            tx.jobs.put(row)
        return self._job(row)

    def _job(self, row: JobRow) -> Job:
        error = None if row.error is None else str(self._scope.open_json("job error", row.id, row.error))
        return from_row(Job, row, error=error)
