"""The runner: plans, dispatches, retries, re-plans, and ends with a reason.

It holds a lease on the directive. All its state is in the book, so it may be killed at any moment: the next runner
continues. A step is completed once its status and result are written; one that was running is attempted again.
"""

import os
import platform
import threading
from collections.abc import Callable, Iterator, MutableMapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, Protocol

from commonplace import system
from commonplace.clock import micros
from commonplace.directives import agents, attempts, plan_format, records
from commonplace.directives.attempts import RunContext, Success
from commonplace.directives.directives import Directives
from commonplace.directives.memory_selection import BUDGET
from commonplace.directives.scheduling import Limits, next_action
from commonplace.directives.values import Attempt, Directive, Step
from commonplace.errors import Invalid
from commonplace.memories.unit_of_work import Work, write_transaction
from commonplace.store.rows import Filter

LEASE = timedelta(seconds=60)
RENEW = timedelta(seconds=15)
LOOK = 0.25
"""Seconds between checks of the book while agents work."""
PLANNING = "plan"

Tell = Callable[["RunEvent"], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class RunEvent:
    """Something that happened while running.

    ``kind``: begun, recovered, planning, planned, started, memory, repairing, completed, retry, failed, stopped, ended.
    """

    kind: str
    at: datetime
    directive: str
    run: str | None = None
    step: str | None = None
    name: str | None = None
    generation: int | None = None
    number: int | None = None
    memory: str | None = None
    tokens: int | None = None
    seconds: float | None = None
    detail: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    directive: str
    status: str
    reason: str
    generation: int
    completed: int
    failed: int
    attempts: int
    """Attempts in this run."""
    tokens: int
    """Tokens of all attempts of the directive, as far as reported."""
    seconds: float


class Holder(Protocol):
    """The part of a book that the runner needs."""

    @property
    def directives(self) -> Directives: ...


def run(
    book: Holder,
    id: str,
    *,
    agent: str | Sequence[str],
    parallel: int = 1,
    limits: Limits | None = None,
    tokens: int = BUDGET,
    on_event: Tell = lambda event: None,
    stop: threading.Event | None = None,
    write: bool = False,
    success: Success = "exit-code",
) -> Outcome:
    """Work on a directive until it is completed, has failed, or is paused; returns which and why.

    ``tokens`` limits the memories in each prompt. ``write`` lets a preset agent edit files. ``success`` is what
    completes a step: exit code 0 (unless the agent reports a failure), or only a reported status. Setting ``stop``, or
    Ctrl-C, pauses: agents are ended, and their steps will be attempted again. Raises ``Invalid`` if the program or
    folder does not exist, or another runner works on it.
    """
    if parallel < 1:
        raise Invalid("parallel is a whole number of at least 1")
    directives = book.directives
    if not isinstance(directives, Directives):
        raise Invalid("an agent cannot be run through a server; run it on the machine that has the book")
    words = agents.command(agent, write=write)
    local_path = directives.get(id).local_path
    if local_path and not Path(local_path).expanduser().is_dir():
        raise Invalid("the directive's local_path is not a folder on this machine")
    scope = directives.scope.acting_as("runner", source="executor", person=False)
    telling = threading.Lock()

    def tell(kind: str, **figures: Any) -> None:
        event = RunEvent(kind=kind, at=scope.clock.now(), directive=id, **figures)
        with telling:
            on_event(event)

    context = RunContext(
        directives=directives.acting(scope),
        words=words,
        holder=f"{platform.node()}/{os.getpid()}/{scope.clock.new_id()}",
        limits=limits or Limits(),
        stop=threading.Event(),
        tell=tell,
        tokens=tokens,
        success=success,
    )
    return _Runner(context, id, parallel, stop or threading.Event()).go()


class _Runner:
    def __init__(self, context: RunContext, id: str, parallel: int, stop: threading.Event) -> None:
        self.context, self.id, self.parallel, self.stop = context, id, parallel, stop
        self.directives, self.scope = context.directives, context.directives.scope
        self.limits, self.holder, self.tell = context.limits, context.holder, context.tell
        self.began = self.renewed = self.scope.clock.now()
        self.running: dict[Future[Any], str] = {}
        self.attempts = self.plans_failed = 0
        self.plan_fault: str | None = None

    def go(self) -> Outcome:
        self._take_lease()
        try:
            self._begin()
            with ThreadPoolExecutor(self.parallel, thread_name_prefix="agent") as pool:
                try:
                    status, reason = self._loop(pool)
                except KeyboardInterrupt:
                    status, reason = "paused", "interrupted"
                finally:  # end every agent and wait until its attempt is recorded
                    self.context.stop.set()
                    wait(self.running)
            return self._settle(status, reason)
        finally:
            with self.scope.store.write(self.scope.owner) as tx:
                tx.directives.release(self.id, holder=self.holder)

    def _loop(self, pool: ThreadPoolExecutor) -> tuple[str, str]:
        while True:
            self._collect()
            if not self._keep_lease():
                return "", "another runner has taken over"
            directive, steps = self.directives.get(self.id), self.directives.steps(self.id)
            if over := self._over(directive):
                return over
            if self.limits.tokens is not None and self._tokens() >= self.limits.tokens:
                if not self.running:
                    return "paused", f"{self._tokens():,} tokens were reported, the limit is {self.limits.tokens:,}"
                self._wait()
                continue
            names = set(self.running.values())
            act = next_action(directive, steps, running=names, parallel=self.parallel, limits=self.limits)
            if act.act == "end":
                return act.status or "", act.reason
            if act.act == "plan":
                self._submit(pool, PLANNING, attempts.plan, self.id, self.plans_failed + 1)
            elif act.step is not None:
                self._submit(pool, act.step.id, attempts.carry_out, self.id, act.step)
            else:
                self._wait()

    def _submit(self, pool: ThreadPoolExecutor, name: str, work: Callable[..., Any], *arguments: Any) -> None:
        self.attempts += 1
        self.running[pool.submit(work, self.context, *arguments)] = name

    def _wait(self) -> None:
        wait(self.running, timeout=LOOK, return_when=FIRST_COMPLETED)

    def _collect(self) -> None:
        """Collect finished attempts. Raises errors that did not come from the agent."""
        for future in [item for item in self.running if item.done()]:
            name = self.running.pop(future)
            fault = future.result()
            if name == PLANNING:
                self.plans_failed = self.plans_failed + 1 if fault else 0
                self.plan_fault = fault

    def _over(self, directive: Directive) -> tuple[str, str] | None:
        """The status and reason to stop with, or None to continue."""
        if self.stop.is_set():
            return "paused", "interrupted"
        if directive.status != "active":
            return "", f"it was set to {directive.status}"
        spent = (self.scope.clock.now() - self.began).total_seconds()
        if self.limits.seconds is not None and spent > self.limits.seconds:
            return "paused", f"{self.limits.seconds:g} seconds were the limit"
        if self.plans_failed >= self.limits.attempts:
            return "failed", f"planning failed {self.plans_failed} times; the last agent {self.plan_fault}"
        return None

    def _settle(self, status: str, reason: str) -> Outcome:
        """Record how the run ended; a status of "" leaves the present one."""
        self._collect()
        with write_transaction(self.scope, "RUN") as work:
            row = records.directive_row(self.scope, work.tx, self.id)
            if status and row.lease_holder == self.holder:
                plain = records.plain_of(self.scope, row) | {"reason": reason}
                row = records.put_directive(work, replace(row, status=status), plain, "RUN")
            work.receipt()
        steps = self.directives.steps(self.id)
        settled = records.directive(self.scope, row)
        self.tell("ended", generation=settled.generation, detail=f"{settled.status}: {reason}")
        return Outcome(
            directive=self.id,
            status=settled.status,
            reason=reason,
            generation=settled.generation,
            completed=sum(step.status == "completed" for step in steps),
            failed=sum(step.status == "failed" for step in steps),
            attempts=self.attempts,
            tokens=self._tokens(),
            seconds=round((self.scope.clock.now() - self.began).total_seconds(), 3),
        )

    def _tokens(self) -> int:
        return sum(item.tokens or 0 for item in self.directives.explain(self.id))

    # Leases

    def _take_lease(self) -> None:
        with self.scope.store.write(self.scope.owner) as tx:
            holder = records.directive_row(self.scope, tx, self.id).lease_holder
            # the process, of this machine, has ended; where that is unknown, the lease has to expire
            node, _, remainder = (holder or "").partition("/")
            pid = remainder.partition("/")[0]
            if holder and node == platform.node() and pid.isdecimal() and system.HERE.ended(int(pid)):
                tx.directives.release(self.id, holder=holder)
            now = self.scope.clock.now()
            if not tx.directives.lease(self.id, holder=self.holder, now=micros(now), until=micros(now + LEASE)):
                raise Invalid("another runner works on this directive; if it was killed, try again in a minute")

    def _keep_lease(self) -> bool:
        now = self.scope.clock.now()
        if now - self.renewed < RENEW:
            return True
        self.renewed = now
        with self.scope.store.write(self.scope.owner) as tx:
            return tx.directives.lease(self.id, holder=self.holder, now=micros(now), until=micros(now + LEASE))

    def _begin(self) -> None:
        """Reset what an earlier runner left running, and set the directive active."""
        for step in self.directives.steps(self.id):
            if step.status == "running":
                self.tell("recovered", step=step.id, name=step.name, run=step.run)
                agents.end_leftovers(step.run or "")
        with write_transaction(self.scope, "RUN") as work:
            row = records.directive_row(self.scope, work.tx, self.id)
            plain = records.plain_of(self.scope, row)
            rows = work.tx.steps.of(self.id)
            for left in rows:
                if left.status == "running":
                    status = "ready" if left.attempts < self.limits.attempts else "failed"
                    back = replace(left, status=status, lease_holder=None)
                    records.put_step(work, back, records.plain_of(self.scope, left), "RECOVER", row.namespace)
            if rows and plain.get("planned_for") is None:
                plain["planned_for"] = row.goal_updated_at
            for attempt in records.attempts(self.scope, work.tx, self.id):
                if attempt.outcome == "started":
                    records.put_attempt(work, self.id, self._interrupted(work, row.namespace, attempt))
            plain.pop("reason", None)
            started = row.started_at if row.started_at is not None else work.now
            records.put_directive(work, replace(row, status="active", started_at=started), plain, "RUN")
            self.directives.refresh(work, row)
            work.receipt()
        self.tell("begun")

    def _interrupted(self, work: Work, namespace: str, attempt: Attempt) -> Attempt:
        """An attempt whose runner was killed, with the memories that were already stored."""
        source = "planner" if attempt.what == "plan" else "executor"
        filter = Filter(namespaces=(namespace,), directive=self.id, step=attempt.step)
        rows = work.tx.memories.find(filter, limit=plan_format.MOST_MEMORIES, newest=True)
        since = micros(attempt.at)
        ids = sorted(row.id for row in rows if row.source == source and row.recorded_at >= since)
        return replace(attempt, outcome="interrupted", came_out=tuple(ids))


MAX_DETAIL = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class ProgressChange:
    """A directive or a step with its new status."""

    id: str
    name: str
    status: str
    detail: str = ""
    """The result of a step, or why the runner ended."""


def progress(directive: Directive, steps: Sequence[Step], seen: MutableMapping[str, str]) -> Iterator[ProgressChange]:
    """The changes since the last call; ``seen`` maps ids to the last seen status and is updated."""
    for step in steps:
        state = f"{step.status}/{step.attempts}"
        if seen.get(step.id) != state:
            seen[step.id] = state
            ended = step.status in ("completed", "failed")
            detail = " ".join((step.result or "").split())[:MAX_DETAIL] if ended else ""
            yield ProgressChange(id=step.id, name=step.name, status=step.status, detail=detail)
    if seen.get(directive.id) != directive.status:
        seen[directive.id] = directive.status
        name, status = directive.title, directive.status
        yield ProgressChange(id=directive.id, name=name, status=status, detail=directive.reason or "")
