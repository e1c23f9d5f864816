"""Learning as a job: left in the transaction that keeps the turns, done by whoever comes first."""

import os
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime, time, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from commonplace.errors import CommonplaceError, StoreError
from commonplace.extraction.learn import ACTOR, Learned, Learner
from commonplace.extraction.matching import found
from commonplace.extraction.rules import LOOK_BACK
from commonplace.memories import jobs
from commonplace.memories.scope import Scope
from commonplace.memories.states import Held
from commonplace.memories.work import Work
from commonplace.model import Message, Receipt
from commonplace.store.rows import JobRow

LEARN, THINK = "learn", "think"
"""The kinds of jobs: by rules, and by a language model."""


class Learning:
    """What one observation leaves to be learned. ``due`` None means at once."""

    def __init__(self, learner: Learner, *, due: datetime | None, think: bool) -> None:
        self._learner, self._scope, self._due, self.think = learner, learner.scope, due, think
        self._holder = f"{os.getpid()}/{self._scope.clock.new_id()}"
        self._job: JobRow | None = None

    def foresee(self, said: Sequence[Message]) -> None:
        """Read the turns before they are kept: others who want to write do not wait for the rules then."""
        if self._due is not None:
            return
        with suppress(Exception):  # the turns are kept whatever the rules make of them
            for one in said:
                if one.role == "user":
                    found(one.text)

    def queue(self, work: Work, kept: Sequence[Held]) -> None:
        """Leave the work beside the turns. Nothing is left where the rules find nothing: most talk teaches nothing."""
        self._job = None
        turns = [held for held in kept if _tells(held)]
        if self._due is not None and turns:
            jobs.enqueue(self._scope, work.tx, LEARN, self._payload(work, turns), due_at=self._due)
        elif telling := self._telling(work, kept):
            self._job = jobs.begin(self._scope, work.tx, LEARN, self._payload(work, telling), holder=self._holder)
        if self.think and turns:
            jobs.enqueue(self._scope, work.tx, THINK, self._payload(work, turns), due_at=self._due)

    def _payload(self, work: Work, turns: Sequence[Held]) -> dict[str, Any]:
        reach = self._scope.reach
        return {
            "episodes": [held.id for held in turns],
            "person": self._scope.person,
            "receipt": work.ref,
            "reach": None if reach is None else sorted(reach),
            "run": self._scope.clock.new_id(),
        }

    def finish(self, receipt: Receipt) -> Receipt:
        """Do the work now, if it is to be done now. Never raises into the request: a failure is on the job."""
        if self._job is None:
            return receipt
        found = Learned()

        def handle(scope: Scope, payload: Mapping[str, Any]) -> None:
            nonlocal found
            found = learn_job(self._learner, payload)

        try:
            done = jobs.carry_out(self._scope, self._job, handle, self._holder)
        except CommonplaceError:
            # The store failed even to record the failure: the lease runs out and the job comes up again by itself.
            done = False
        notes = (*receipt.notes, *found.notes) if done else (*receipt.notes, "learning failed and will be tried again")
        return replace(receipt, changes=(*receipt.changes, *found.changes), trace=found.trace, notes=notes)

    def _telling(self, work: Work, kept: Sequence[Held]) -> list[Held]:
        """The turns in which the rules see something. Where they fail on one, the job will say how."""
        turns = [held for held in kept if _tells(held)]
        if not turns:
            return []
        work.flush()
        try:
            before, found = self._learner.before(work.tx, kept[0].row), []
            names = self._learner.owner_names(work.tx, kept[0].row.namespace)
            for held in kept:
                if _tells(held) and not self._learner.read(work.tx, held, before, names=names).empty:
                    found.append(held)
                before = [*before, held][-LOOK_BACK:]
        except StoreError:
            raise  # the write has failed, and the turns with it
        except Exception:  # noqa: BLE001  # the turns are kept whatever the rules make of them; the job fails visibly
            return turns
        return found


def _tells(held: Held) -> bool:
    """Whether a turn may teach something: what a person said, and not nothing but a rejected value."""
    return held.row.role == "user" and held.row.status == "verified"


def next_day(now: datetime, timezone: str | None) -> datetime:
    """When the next day begins for the owner: the time of the daily batch."""
    zone = ZoneInfo(timezone) if timezone else None
    local = now.astimezone(zone)
    tomorrow = (local + timedelta(days=1)).date()
    return datetime.combine(tomorrow, time.min, local.tzinfo).astimezone(UTC)


def learn_job(learner: Learner, payload: Mapping[str, Any]) -> Learned:
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
