"""One attempt at a plan or a step: call the agent, store what it reports, and record the result.

Memories on lines are durable before the next line is read. Everything else of an attempt (its other memories, the
step's status and result, the trace) is one transaction.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from threading import Event as Flag
from typing import Any, Literal

from commonplace.clock import micros
from commonplace.directives import agents, dag, plan_format, prompts, records
from commonplace.directives.agents import Bounds, Reply
from commonplace.directives.directives import TEXT_LIMIT, Directives
from commonplace.directives.memory_selection import BUDGET
from commonplace.directives.plan_format import AgentAnswer, Planned, Reported
from commonplace.directives.scheduling import Limits
from commonplace.directives.values import Attempt, Step
from commonplace.errors import Invalid, Refused
from commonplace.memories import admission
from commonplace.memories.admission import CONTROLS
from commonplace.memories.gateway import Gateway
from commonplace.memories.unit_of_work import Work, write_transaction
from commonplace.model import NewMemory
from commonplace.security.fence import strip_injected, strip_private
from commonplace.security.redact import redact
from commonplace.settings import command_environment
from commonplace.store.rows import DirectiveRow, StepRow

RESULT_LIMIT = 20_000
STDERR_SHOWN = 500

Success = Literal["exit-code", "json"]
"""What completes a step: exit code 0 unless a failure is reported, or only a reported status."""
Told = Callable[..., None]
"""``tell(kind, **figures)``: called with everything that happens."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunContext:
    """What all attempts of a run share."""

    directives: Directives
    words: Sequence[str]
    holder: str
    limits: Limits
    stop: Flag
    tell: Told
    tokens: int = BUDGET
    success: Success = "exit-code"


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentResult:
    """The result of calling an agent, once or with one repair."""

    reply: Reply
    answer: AgentAnswer
    value: Any = None
    fault: str | None = None
    repaired: bool = False


class AgentWork:
    """One attempt: the agent's input, and the memories it reports, without duplicates.

    None are stored if the directive has memory disabled.
    """

    def __init__(self, context: RunContext, id: str, step: Step | None, generation: int, number: int) -> None:
        self.context, self.directives, self.scope = context, context.directives, context.directives.scope
        self.directive, self.step = self.directives.get(id), step
        self.memories = self.directives.chosen(self.directive, step, tokens=context.tokens)
        self.attempt = Attempt(
            id=self.scope.clock.new_id(),
            at=self.scope.clock.now(),
            what="plan" if step is None else "step",
            generation=generation,
            number=number,
            step=step.id if step else None,
            went_in=self.memories.ids,
            left_out=self.memories.left_out,
            fault=self.memories.fault,
        )
        self.ids: list[str] = []
        self.refused = 0
        self._seen: set[str] = set()
        self._untold: list[str] = []

    def ask(self, prompt: str, check: Callable[[AgentAnswer, str], Any]) -> AgentResult:
        """Call the agent; if the answer cannot be read, say why and call once more. Costs and reports of both count."""
        text, reply, answer = prompt, Reply(text="", code=None), AgentAnswer()
        value, fault, repaired = None, None, False
        for repaired in (False, True):
            reply = self._call(text)
            latest = plan_format.read(reply.text)
            spent = [count for count in (answer.tokens, latest.tokens) if count is not None]
            memories = [*answer.memories, *latest.memories]
            answer = replace(latest, memories=memories, tokens=sum(spent) if spent else None)
            fault = reply.fault or (f"ended with exit code {reply.code}" if reply.code else None)
            try:
                value = check(answer, reply.text)
                break
            except (Invalid, Refused) as unreadable:
                if repaired:
                    why = f"gave an answer that could not be read, and again after being told why: {unreadable}"
                    fault = fault or why
                if fault is not None:
                    break
                text = prompts.repair(prompt, str(unreadable), reply.text)
                self.context.tell("repairing", run=self.attempt.id, step=self.attempt.step)
        return AgentResult(reply=reply, answer=answer, value=value, fault=fault, repaired=repaired)

    def _call(self, prompt: str) -> Reply:
        directive, limits = self.directive, self.context.limits
        variables = {
            "DIRECTIVE_ID": directive.id,
            "DIRECTIVE_RUN": self.attempt.id,
            "DIRECTIVE_PHASE": self.attempt.what,
            "DIRECTIVE_STEP": self.attempt.step or "",
            "DIRECTIVE_GENERATION": str(self.attempt.generation),
            "DIRECTIVE_REPOSITORY": directive.repository_url or "",
            "DIRECTIVE_BRANCH": directive.base_branch or "",
        }
        return agents.call(
            self.context.words,
            prompt,
            folder=Path(directive.local_path).expanduser() if directive.local_path else None,
            environ=command_environment(variables),
            bounds=Bounds(timeout=limits.timeout, output=limits.output),
            stop=self.context.stop,
            clock=self.scope.clock,
            on_line=self._line,
        )

    def _line(self, line: str) -> None:
        """An output line as it arrives: a memory in it is durable when this returns."""
        fresh = self._fresh(plan_format.read(line).memories)
        if fresh:
            with write_transaction(self.scope, "REMEMBER") as work:
                self._keep(work, fresh)
                work.receipt()
            self._tell_memories()

    def _fresh(self, reported: Sequence[Reported]) -> list[Reported]:
        if not self.directive.memory_enabled:
            return []
        room = max(plan_format.MOST_MEMORIES - len(self._seen), 0)
        fresh = [item for item in reported if item.text not in self._seen]
        self.refused += len(fresh[room:])
        return fresh[:room]

    def _keep(self, work: Work, reported: Sequence[Reported]) -> None:
        gateway = Gateway(self.scope)
        exists = work.tx.directives.get(self.directive.id) is not None
        for item in reported if exists else ():
            self._seen.add(item.text)
            new = NewMemory(
                text=item.text.translate(CONTROLS),
                category=item.category,
                directive=self.directive.id,
                step=self.step.id if self.step and work.tx.steps.get(self.step.id) else None,
                source="executor" if self.step else "planner",
            )
            try:
                stored = gateway.admit(work, new)
            except (Refused, Invalid):  # tombstoned, only a secret, too long: the work goes on without it
                self.refused += 1
                continue
            work.flush()
            self.ids.append(stored.id)
            self._untold.append(stored.id)

    def _tell_memories(self) -> None:
        """Emit an event for each new memory, after it is stored durably."""
        while self._untold:
            self.context.tell("memory", memory=self._untold.pop(0), step=self.attempt.step)

    def end(self, result: AgentResult, name: str, write: Callable[[Work], str]) -> str:
        """Record the result, with the rest of its memories, in one transaction; ``write`` returns the outcome."""
        with write_transaction(self.scope, name) as work:
            self._keep(work, self._fresh(result.answer.memories))
            outcome = write(work)
            ended = replace(
                self.attempt,
                came_out=tuple(dict.fromkeys(self.ids)),
                refused=self.refused,
                outcome=outcome,
                repaired=result.repaired,
                tokens=result.answer.tokens,
                seconds=round((self.scope.clock.now() - self.attempt.at).total_seconds(), 3),
            )
            records.put_attempt(work, self.directive.id, ended)
            work.receipt()
        self._tell_memories()
        self.context.tell(
            outcome,
            run=ended.id,
            step=ended.step,
            name=self.step.name if self.step else None,
            generation=None if self.step else ended.generation,
            number=ended.number,
            tokens=ended.tokens,
            seconds=ended.seconds,
            detail=result.fault or "",
        )
        return outcome


def plan(context: RunContext, id: str, number: int) -> str | None:
    """Make the next plan; returns why it failed, if it did."""
    steps = context.directives.steps(id)
    generation = dag.next_generation(context.directives.get(id), steps)
    agent = AgentWork(context, id, None, generation, number)
    with write_transaction(agent.scope, "RUN") as work:
        records.put_attempt(work, id, agent.attempt)
        work.receipt(keep=False)
    context.tell("planning", run=agent.attempt.id, generation=generation, number=number)
    existing = {key: item for item, key in prompts.keys_of(steps).items()}
    existing |= {step.name.casefold(): step.id for step in steps} | {step.id: step.id for step in steps}

    def check(answer: AgentAnswer, text: str) -> list[Planned]:
        return [_admitted(step) for step in plan_format.plan(answer, existing)]

    result = agent.ask(prompts.planning(agent.directive, steps, agent.memories, generation=generation), check)

    def write(work: Work) -> str:
        row = work.tx.directives.get(id)
        if result.fault is None and row is not None and row.lease_holder == context.holder:
            _write_plan(work, row, agent, result)
            return "planned"
        return "stopped" if context.stop.is_set() else "failed"

    outcome = agent.end(result, "PLAN", write)
    return None if outcome in ("planned", "stopped") else result.fault or "another runner has taken over"


def _write_plan(work: Work, row: DirectiveRow, agent: AgentWork, result: AgentResult) -> None:
    """Drop the open steps of earlier plans and write the new ones, all or none."""
    existing = work.tx.steps.of(row.id)
    for old in existing:
        if old.status in ("pending", "ready"):
            plain = records.plain_of(agent.scope, old)
            records.put_step(work, replace(old, status="skipped"), plain, "PLAN", row.namespace)
    steps: Sequence[Planned] = result.value
    ids = {step.key: agent.scope.clock.new_id() for step in steps}
    lost = {old.id for old in existing if old.status == "failed"}  # no step may depend on these
    first = max((old.order_index for old in existing), default=0) + 1
    for number, step in enumerate(steps):
        fresh = StepRow(
            id=ids[step.key],
            directive=row.id,
            status="pending",
            order_index=first + number,
            generation=agent.attempt.generation,
            sealed=b"",
            version=0,
            depends_on=tuple(dict.fromkeys(ids.get(dep, dep) for dep in step.depends_on if dep not in lost)),
        )
        texts = {"name": step.name, "description": step.description, "task_plan": step.task_plan}
        plain = {name: value for name, value in texts.items() if value}
        records.put_step(work, fresh, plain, "PLAN", row.namespace)
    goal = agent.directive.goal_updated_at
    plain = records.plain_of(agent.scope, row)
    plain |= {
        "generation": agent.attempt.generation,
        "run": agent.attempt.id,
        "planned_for": micros(goal) if goal else None,
    }
    plain["done"] = None if steps else _fit(result.answer.done or "")
    records.put_directive(work, row, plain, "PLAN")
    agent.directives.refresh(work, row)


def carry_out(context: RunContext, id: str, step: Step) -> None:
    """Make one attempt at a step and record the result."""
    agent = AgentWork(context, id, step, step.generation, step.attempts + 1)
    attempt, scope = agent.attempt, agent.scope
    with write_transaction(scope, "RUN") as work:
        row = work.tx.steps.get(step.id)
        if row is None or row.version != step.version:  # another runner was faster
            return
        row = replace(row, status="running", attempts=attempt.number, run=attempt.id, lease_holder=context.holder)
        records.put_step(work, row, records.plain_of(scope, row), "RUN", work.namespace().id)
        records.put_attempt(work, id, attempt)
        work.receipt(keep=False)
    context.tell("started", run=attempt.id, step=step.id, name=step.name, number=attempt.number)

    def check(answer: AgentAnswer, text: str) -> tuple[str, str]:
        return plan_format.ending(answer, "" if context.success == "json" else text)

    steps = context.directives.steps(id)
    answered = agent.ask(prompts.execution(agent.directive, step, agent.memories, steps), check)
    status, result, outcome = _verdict(context, attempt, answered)

    def write(work: Work) -> str:
        parent, row = work.tx.directives.get(id), work.tx.steps.get(step.id)
        # deleted or changed meanwhile, or another runner works on it: the later change wins
        if parent is None or row is None or row.run != attempt.id or row.status != "running":
            return outcome
        if parent.lease_holder == context.holder:
            plain = records.plain_of(scope, row) | ({"result": fitted} if (fitted := _fit(result)) else {})
            given_back = 1 if context.stop.is_set() and status == "ready" else 0
            row = replace(row, status=status, lease_holder=None, attempts=row.attempts - given_back)
            records.put_step(work, row, plain, "RUN", parent.namespace)
            context.directives.refresh(work, parent)
        return outcome

    agent.end(answered, "RUN", write)


def _verdict(context: RunContext, attempt: Attempt, agent_result: AgentResult) -> tuple[str, str, str]:
    """The step's next status, its result, and the attempt's outcome."""
    if agent_result.reply.fault == "stopped":
        return "ready", "", "stopped"
    if agent_result.fault is None:
        status, result = agent_result.value
    else:  # for the next plan, with the end of the command's error output
        complaint = " ".join(agent_result.reply.stderr[-STDERR_SHOWN:].split())
        parts = (f"The agent {agent_result.fault}.", agent_result.answer.result, complaint)
        status, result = "failed", " ".join(part for part in parts if part)
    if status == "completed":
        return status, result, status
    if attempt.number >= context.limits.attempts:
        return "failed", result, "failed"
    return "ready", result, "retry"


def _admitted(step: Planned) -> Planned:
    """The step with cleaned texts. Raises ``Invalid`` or ``Refused``."""
    name = admission.name("name", step.name.translate(CONTROLS), limit=300)
    texts = (step.description, step.task_plan)
    description, task_plan = (
        None if text is None else admission.clean(text.translate(CONTROLS), max_text=TEXT_LIMIT).text for text in texts
    )
    return replace(step, name=name, description=description, task_plan=task_plan)


def _fit(text: str) -> str | None:
    """A result for storage: without secrets and injected text, and of limited length."""
    plain = strip_injected(strip_private(text.translate(CONTROLS))).strip()
    return redact(plain[:RESULT_LIMIT]).text or None
