"""Learning as a job: left in the transaction that keeps the turns, done by whoever comes first."""

import os
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime, time, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from commonplace.errors import CommonplaceError
from commonplace.learning.learn import ACTOR, Learner, LearningResult
from commonplace.memories import jobs
from commonplace.memories.codec import StoredMemory
from commonplace.memories.scope import Scope
from commonplace.memories.unit_of_work import Work
from commonplace.model import Message, Receipt
from commonplace.store.rows import JobRow

LEARN, THINK = "learn", "think"
"""The kinds of jobs: by rules, and by a language model."""


class ObservedLearning:
    """The learning that one observation leaves to be done. ``due`` None means at once."""

    def __init__(self, learner: Learner, *, due: datetime | None, think: bool) -> None:
        self._learner, self._scope, self._due, self.think = learner, learner.scope, due, think
        self._holder = f"{os.getpid()}/{self._scope.clock.new_id()}"
        self._job: JobRow | None = None

    def read_ahead(self, messages: Sequence[Message]) -> None:
        """Read the messages before they are stored, so that other writers do not wait for the rules and the judge."""
        if self._due is not None:
            return
        with suppress(Exception):  # the messages are stored whatever the rules make of them; the job will say how
            for message in messages:
                if message.role == "user":
                    self._learner.may_teach(message.text)

    def queue(self, work: Work, stored_messages: Sequence[StoredMemory]) -> None:
        """Leave a job beside the messages; none where nothing is to be learned, which is the usual case."""
        self._job = None
        turns = [stored for stored in stored_messages if stored.row.role == "user" and stored.row.status == "verified"]
        if self._due is not None and turns:
            jobs.enqueue(self._scope, work.tx, LEARN, self._payload(work, turns), due_at=self._due)
        elif teaching := self._teaching(turns):
            self._job = jobs.begin(self._scope, work.tx, LEARN, self._payload(work, teaching), holder=self._holder)
        if self.think and turns:
            jobs.enqueue(self._scope, work.tx, THINK, self._payload(work, turns), due_at=self._due)

    def _teaching(self, turns: Sequence[StoredMemory]) -> list[StoredMemory]:
        try:
            return [stored for stored in turns if self._learner.may_teach(stored.content.text)]
        except Exception:  # noqa: BLE001  # the messages are stored whatever happens; the job fails visibly
            return list(turns)

    def _payload(self, work: Work, turns: Sequence[StoredMemory]) -> dict[str, Any]:
        reach = self._scope.reach
        return {
            "episodes": [stored.id for stored in turns],
            "person": self._scope.person,
            "receipt": work.ref,
            "reach": None if reach is None else sorted(reach),
            "run": self._scope.clock.new_id(),
        }

    def finish(self, receipt: Receipt) -> Receipt:
        """Do the work now, if it is to be done now. Never raises into the request: a failure is on the job."""
        if self._job is None:
            return receipt
        result = LearningResult()

        def handle(scope: Scope, payload: Mapping[str, Any]) -> None:
            nonlocal result
            result = learn_job(self._learner, payload)

        try:
            finished = jobs.run_job(self._scope, self._job, handle, self._holder)
        except CommonplaceError:
            # The store failed even to record the failure: the lease runs out and the job comes up again by itself.
            finished = False
        notes = (
            (*receipt.notes, *result.notes) if finished else (*receipt.notes, "learning failed and will be tried again")
        )
        return replace(receipt, changes=(*receipt.changes, *result.changes), trace=result.trace, notes=notes)


def next_day(now: datetime, timezone: str | None) -> datetime:
    """When the next day begins for the owner: the time of the daily batch."""
    zone = ZoneInfo(timezone) if timezone else None
    local = now.astimezone(zone)
    tomorrow = (local + timedelta(days=1)).date()
    return datetime.combine(tomorrow, time.min, local.tzinfo).astimezone(UTC)


def learn_job(learner: Learner, payload: Mapping[str, Any]) -> LearningResult:
    """Do what a job asks: its payload names turns, and the receipt they came with."""
    return learner.learn(list(payload["episodes"]), receipt=payload.get("receipt"), run=payload.get("run"))


def scope_of(scope: Scope, payload: Mapping[str, Any]) -> Scope | None:
    """The scope in which a job's turns were said; None if none of them is left."""
    with scope.store.read(scope.owner) as tx:
        rows = tx.memories.get(list(payload["episodes"]))
        row = tx.namespaces.get(rows[0].namespace) if rows else None
        if row is None:
            return None
        name = scope.open_json("namespace", row.id, row.sealed)["name"]
    reach = payload.get("reach")
    where = scope if reach is None else replace(scope, reach=frozenset(reach))  # no further than who said it
    return where.within(name).acting_as(ACTOR, source="user", person=bool(payload["person"]))
