"""The runner: plans, dispatches, retries, plans again, and ends with a reason.

It holds a lease on the directive. Everything it knows stands in the book, so it may be killed at any moment: the next
one takes over where it was. A step counts as completed when its status and result are written; one that was running is
attempted again.
"""

import os
import platform
import sys
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, Protocol

from commonplace.clock import micros
from commonplace.directives import agents, attempts, keeping
from commonplace.directives.attempts import Bench
from commonplace.directives.choose import BUDGET
from commonplace.directives.desk import Directives
from commonplace.directives.next_act import Limits, decide
from commonplace.directives.values import Directive, Step
from commonplace.errors import Invalid
from commonplace.memories.work import working

LEASE = timedelta(seconds=60)
RENEW = timedelta(seconds=15)
LOOK = 0.25
"""Seconds between looks at the book while agents work."""
PLANNING = "plan"

Tell = Callable[["Event"], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
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
    """How a run ended."""

    directive: str
    status: str
    reason: str
    generation: int
    completed: int
    failed: int
    attempts: int
    """Made in this run."""
    tokens: int
    """Of all attempts of the directive, as far as they were reported."""
    seconds: float


class Holder(Protocol):
    """A book, as far as it matters here."""

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
) -> Outcome:
    """Work on a directive until it is completed, has failed, or is paused; say which and why.

    ``tokens`` bounds the memories in each prompt. Setting ``stop``, or Ctrl-C, pauses: agents are ended, their steps
    wait to be attempted again. Raises ``Invalid`` if there is no such program or folder, or another runner is at it.
    """
    if parallel < 1:
        raise Invalid("parallel is a whole number of at least 1")
    desk = book.directives
    if not isinstance(desk, Directives):
        raise Invalid("an agent is run where the book is, never through a server")
    words = agents.command(agent)
    runner = _Runner(desk, id, words, parallel, limits or Limits(), tokens, on_event, stop or threading.Event())
    return runner.go()


class _Runner:
    def __init__(
        self,
        desk: Directives,
        id: str,
        words: Sequence[str],
        parallel: int,
        limits: Limits,
        tokens: int,
        on_event: Tell,
        stop: threading.Event,
    ) -> None:
        self.scope = desk.scope.acting_as("runner", source="executor", person=False)
        self.desk = desk.acting(self.scope)
        self.id, self.parallel, self.limits, self.on_event, self.stop = id, parallel, limits, on_event, stop
        self.holder = f"{platform.node()}/{os.getpid()}/{self.scope.clock.new_id()}"
        self.halt = threading.Event()
        self.bench = Bench(
            desk=self.desk,
            words=words,
            holder=self.holder,
            limits=limits,
            stop=self.halt,
            tell=self.tell,
            tokens=tokens,
        )
        self.began = self.renewed = self.scope.clock.now()
        self.working: dict[Future[Any], str] = {}
        self.attempts = self.plans_failed = 0
        self.plan_fault: str | None = None
        self.telling = threading.Lock()

    def go(self) -> Outcome:
        _folder(self.desk.get(self.id))
        self._take_lease()
        try:
            self._begin()
            with ThreadPoolExecutor(self.parallel, thread_name_prefix="agent") as pool:
                try:
                    status, reason = self._loop(pool)
                except KeyboardInterrupt:
                    status, reason = "paused", "interrupted"
                finally:
                    self._let_end()
            return self._settle(status, reason)
        finally:
            with self.scope.store.write(self.scope.owner) as tx:
                tx.directives.release(self.id, holder=self.holder)

    def tell(self, kind: str, **figures: Any) -> None:
        event = Event(kind=kind, at=self.scope.clock.now(), directive=self.id, **figures)
        with self.telling:
            self.on_event(event)

    def _loop(self, pool: ThreadPoolExecutor) -> tuple[str, str]:
        while True:
            self._collect()
            if not self._keep_lease():
                return "", "another runner has taken over"
            directive, steps = self.desk.get(self.id), self.desk.steps(self.id)
            if over := self._over(directive):
                return over
            if self.limits.tokens is not None and self._tokens() >= self.limits.tokens:
                if not self.working:
                    return "paused", f"{self._tokens():,} tokens were reported, the limit is {self.limits.tokens:,}"
                self._wait()
                continue
            act = decide(
                directive, steps, running=set(self.working.values()), parallel=self.parallel, limits=self.limits
            )
            if act.act == "end":
                return act.status or "", act.reason
            if act.act == "plan":
                self._submit(pool, PLANNING, attempts.plan, self.id, self.plans_failed + 1)
            elif act.step is not None:
                self._submit(pool, act.step.id, attempts.carry_out, self.id, act.step)
            else:
                self._wait()

    def _submit(self, pool: ThreadPoolExecutor, name: str, work: Callable[..., Any], *given: Any) -> None:
        self.attempts += 1
        self.working[pool.submit(work, self.bench, *given)] = name

    def _wait(self) -> None:
        wait(self.working, timeout=LOOK, return_when=FIRST_COMPLETED)

    def _collect(self) -> None:
        """Take notice of what has ended; an error that is not the agent's rises from here."""
        for future in [one for one in self.working if one.done()]:
            name = self.working.pop(future)
            fault = future.result()
            if name == PLANNING:
                self.plans_failed = self.plans_failed + 1 if fault else 0
                self.plan_fault = fault

    def _over(self, directive: Directive) -> tuple[str, str] | None:
        """Whether to stop, whatever could be done next."""
        if self.stop.is_set():
            return "paused", "stopped from outside"
        if directive.status != "active":
            return "", f"somebody called it {directive.status}"
        spent = (self.scope.clock.now() - self.began).total_seconds()
        if self.limits.seconds is not None and spent > self.limits.seconds:
            return "paused", f"{self.limits.seconds:g} seconds were the limit"
        if self.plans_failed >= self.limits.attempts:
            return "failed", f"planning failed {self.plans_failed} times; the last agent {self.plan_fault}"
        return None

    def _let_end(self) -> None:
        """End every agent and wait for its attempt to be written down."""
        self.halt.set()
        wait(self.working)

    def _settle(self, status: str, reason: str) -> Outcome:
        """Write down how it ended; a status of "" leaves what stands there."""
        self._collect()
        with working(self.scope, "RUN") as work:
            row = keeping.directive_row(self.scope, work.tx, self.id)
            if status and row.lease_holder == self.holder:
                plain = keeping.plain_of(self.scope, row) | {"reason": reason}
                row = keeping.put_directive(work, replace(row, status=status), plain, "RUN")
            work.receipt()
        steps = self.desk.steps(self.id)
        found = keeping.directive(self.scope, row)
        self.tell("ended", generation=found.generation, detail=f"{found.status}: {reason}")
        return Outcome(
            directive=self.id,
            status=found.status,
            reason=reason,
            generation=found.generation,
            completed=sum(one.status == "completed" for one in steps),
            failed=sum(one.status == "failed" for one in steps),
            attempts=self.attempts,
            tokens=self._tokens(),
            seconds=round((self.scope.clock.now() - self.began).total_seconds(), 3),
        )

    def _tokens(self) -> int:
        return sum(one.tokens or 0 for one in self.desk.explain(self.id))

    # Leases

    def _take_lease(self) -> None:
        with self.scope.store.write(self.scope.owner) as tx:
            row = keeping.directive_row(self.scope, tx, self.id)
            if row.lease_holder is not None and _dead(row.lease_holder):
                tx.directives.release(self.id, holder=row.lease_holder)
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
        """Put back what an earlier runner left running, and call the directive active."""
        for left in self._left_running():
            agents.end_leftovers(left.run or "")
        with working(self.scope, "RUN") as work:
            row = keeping.directive_row(self.scope, work.tx, self.id)
            plain = keeping.plain_of(self.scope, row)
            rows = work.tx.steps.of(self.id)
            for step in rows:
                if step.status == "running":
                    status = "ready" if step.attempts < self.limits.attempts else "failed"
                    back = replace(step, status=status, lease_holder=None)
                    keeping.put_step(work, back, keeping.plain_of(self.scope, step), "RECOVER", row.namespace)
            if rows and plain.get("planned_for") is None:
                plain["planned_for"] = row.goal_updated_at
            plain.pop("reason", None)
            started = row.started_at if row.started_at is not None else work.now
            keeping.put_directive(work, replace(row, status="active", started_at=started), plain, "RUN")
            self.desk.refresh(work, row)
            work.receipt()
        self.tell("begun")

    def _left_running(self) -> list[Step]:
        left = [one for one in self.desk.steps(self.id) if one.status == "running"]
        for one in left:
            self.tell("recovered", step=one.id, name=one.name, run=one.run)
        return left


def _folder(directive: Directive) -> None:
    if directive.local_path and not Path(directive.local_path).expanduser().is_dir():
        raise Invalid("the directive's local_path is not a folder on this machine")


def _dead(holder: str) -> bool:
    """Whether a holder was a process of this machine that is no more. Where that cannot be told, it is not."""
    node, _, rest = holder.partition("/")
    pid = rest.partition("/")[0]
    if sys.platform == "win32" or node != platform.node() or not pid.isdecimal():
        return False
    try:
        os.kill(int(pid), 0)
    except ProcessLookupError:
        return True
    except OSError:
        return False
    return False
