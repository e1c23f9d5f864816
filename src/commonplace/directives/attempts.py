"""One attempt at a plan or a step: ask the agent, keep what it reports, and write down how it ended.

Memories that come as lines are durable before the next line is looked at. Everything else an attempt leaves behind (the
rest of its memories, the step's status and result, the trace) is one transaction, so that no moment exists in which one
is there without the other.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from threading import Event as Flag
from typing import Any, Literal

from commonplace.clock import micros
from commonplace.directives import agents, dag, plan_format, prompts, records
from commonplace.directives.agents import Bounds, Reply
from commonplace.directives.directives import TEXT_LIMIT, Directives
from commonplace.directives.memory_selection import BUDGET, SelectedMemories
from commonplace.directives.plan_format import AgentAnswer, Planned, Reported
from commonplace.directives.scheduling import Limits
from commonplace.directives.values import Attempt, Directive, Step
from commonplace.errors import Invalid, Refused
from commonplace.memories import admission
from commonplace.memories.admission import CONTROLS
from commonplace.memories.gateway import Gateway
from commonplace.memories.unit_of_work import Work, write_transaction
from commonplace.model import NewMemory, Source
from commonplace.security.fence import strip_injected, strip_private
from commonplace.security.redact import redact
from commonplace.settings import for_a_child
from commonplace.store.rows import DirectiveRow, StepRow

RESULT_LIMIT = 20_000
STDERR_SHOWN = 500

Success = Literal["exit-code", "json"]
"""What completes a step: an exit code of 0 unless a failure is reported, or only a reported status."""
Told = Callable[..., None]
"""``tell(kind, **figures)``: hears of everything that happens."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunContext:
    """What every attempt of a run shares."""

    directives: Directives
    words: Sequence[str]
    holder: str
    limits: Limits
    stop: Flag
    tell: Told
    tokens: int = BUDGET
    success: Success = "exit-code"


@dataclass(slots=True)
class MemoryCapture:
    """Keeps the memories that one attempt reports, each once; none where the directive has memory disabled."""

    context: RunContext
    directive: Directive
    step: str | None
    source: Source
    ids: list[str] = field(default_factory=list)
    refused: int = 0
    _seen: set[str] = field(default_factory=set)
    _untold: list[str] = field(default_factory=list)

    def line(self, line: str) -> None:
        """A line of output, as it comes: a memory in it is durable when this returns."""
        fresh = self._fresh(plan_format.read(line).memories)
        if fresh:
            with write_transaction(self.context.directives.scope, "REMEMBER") as work:
                self._keep(work, fresh)
                work.receipt()
            self.tell()

    def rest(self, work: Work, reported: Sequence[Reported]) -> None:
        """What did not come as a line of its own, as part of a larger work."""
        self._keep(work, self._fresh(reported))

    def tell(self) -> None:
        """Say what was kept, once it is durable."""
        while self._untold:
            self.context.tell("memory", memory=self._untold.pop(0), step=self.step)

    def _fresh(self, reported: Sequence[Reported]) -> list[Reported]:
        if not self.directive.memory_enabled:
            return []
        room = max(plan_format.MOST_MEMORIES - len(self._seen), 0)
        fresh = [item for item in reported if item.text not in self._seen]
        self.refused += len(fresh[room:])
        return fresh[:room]

    def _keep(self, work: Work, reported: Sequence[Reported]) -> None:
        gateway = Gateway(self.context.directives.scope)
        exists = work.tx.directives.get(self.directive.id) is not None
        for item in reported if exists else ():
            self._seen.add(item.text)
            step = self.step if self.step and work.tx.steps.get(self.step) else None
            new = NewMemory(
                text=item.text.translate(CONTROLS),
                category=item.category,
                directive=self.directive.id,
                step=step,
                source=self.source,
            )
            try:
                stored = gateway.admit(work, new)
            except (Refused, Invalid):  # tombstoned, nothing but a secret, too long: the work goes on without it
                self.refused += 1
                continue
            work.flush()
            self.ids.append(stored.id)
            self._untold.append(stored.id)


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentResult:
    """What came of asking an agent, once or with one repair."""

    reply: Reply
    answer: AgentAnswer
    value: Any = None
    fault: str | None = None
    repaired: bool = False


def plan(context: RunContext, id: str, number: int) -> str | None:
    """Make the next plan; why it failed, if it did."""
    directives = context.directives
    directive, steps = directives.get(id), directives.steps(id)
    generation = dag.next_generation(directive, steps)
    chosen = directives.chosen(directive, None, tokens=context.tokens)
    attempt = _begun(context, "plan", generation, number, None, chosen)
    with write_transaction(directives.scope, "RUN") as work:
        records.put_attempt(work, id, attempt)
        work.receipt(keep=False)
    context.tell("planning", run=attempt.id, generation=generation, number=number)
    capture = MemoryCapture(context, directive, None, "planner")
    existing = {key: item for item, key in prompts.keys_of(steps).items()}
    existing |= {step.name.casefold(): step.id for step in steps} | {step.id: step.id for step in steps}
    text = prompts.planning(directive, steps, chosen, generation=generation)

    def check(answer: AgentAnswer, text: str) -> list[Planned]:
        return [_admitted(step) for step in plan_format.plan(answer, existing)]

    result = _ask(context, text, directive, attempt, capture, check)
    with write_transaction(directives.scope, "PLAN") as work:
        capture.rest(work, result.answer.memories)
        row = work.tx.directives.get(id)
        good = result.fault is None and row is not None and row.lease_holder == context.holder
        if good and row is not None:
            _write_plan(directives, work, row, directive, attempt, result)
        outcome = "planned" if good else "stopped" if context.stop.is_set() else "failed"
        ended = _ended(context, attempt, result, capture, outcome)
        records.put_attempt(work, id, ended)
        work.receipt()
    capture.tell()
    _tell_end(context, ended, None, result)
    return None if outcome in ("planned", "stopped") else result.fault or "another runner has taken over"


def carry_out(context: RunContext, id: str, step: Step) -> None:
    """Make one attempt at a step. Whatever comes of it stands in the step when this returns."""
    directives = context.directives
    directive = directives.get(id)
    chosen = directives.chosen(directive, step, tokens=context.tokens)
    attempt = _begun(context, "step", step.generation, step.attempts + 1, step.id, chosen)
    with write_transaction(directives.scope, "RUN") as work:
        row = work.tx.steps.get(step.id)
        if row is None or row.version != step.version:  # another runner was faster
            return
        row = replace(row, status="running", attempts=attempt.number, run=attempt.id, lease_holder=context.holder)
        records.put_step(work, row, records.plain_of(directives.scope, row), "RUN", work.namespace().id)
        records.put_attempt(work, id, attempt)
        work.receipt(keep=False)
    context.tell("started", run=attempt.id, step=step.id, name=step.name, number=attempt.number)
    capture = MemoryCapture(context, directive, step.id, "executor")
    text = prompts.execution(directive, step, chosen, directives.steps(id))

    def check(answer: AgentAnswer, text: str) -> tuple[str, str]:
        return plan_format.ending(answer, "" if context.success == "json" else text)

    agent_result = _ask(context, text, directive, attempt, capture, check)
    status, result, outcome = _verdict(context, attempt, agent_result)
    with write_transaction(directives.scope, "RUN") as work:
        capture.rest(work, agent_result.answer.memories)
        _write_result(context, work, id, attempt, status, result)
        ended = _ended(context, attempt, agent_result, capture, outcome)
        records.put_attempt(work, id, ended)
        work.receipt()
    capture.tell()
    _tell_end(context, ended, step.name, agent_result)


def _tell_end(context: RunContext, ended: Attempt, name: str | None, result: AgentResult) -> None:
    context.tell(
        ended.outcome,
        run=ended.id,
        step=ended.step,
        name=name,
        generation=ended.generation if ended.step is None else None,
        number=ended.number,
        tokens=ended.tokens,
        seconds=ended.seconds,
        detail=result.fault or "",
    )


def _verdict(context: RunContext, attempt: Attempt, agent_result: AgentResult) -> tuple[str, str, str]:
    """The step's next status, its result, and what the attempt is called."""
    if agent_result.reply.fault == "stopped":
        return "ready", "", "stopped"
    if agent_result.fault is None:
        status, result = agent_result.value
    else:  # in words for the next plan, with the end of what the command complained about
        complaint = " ".join(agent_result.reply.stderr[-STDERR_SHOWN:].split())
        parts = (f"The agent {agent_result.fault}.", agent_result.answer.result, complaint)
        status, result = "failed", " ".join(part for part in parts if part)
    if status == "completed":
        return status, result, status
    if attempt.number >= context.limits.attempts:
        return "failed", result, "failed"
    return "ready", result, "retry"


def _write_result(context: RunContext, work: Work, id: str, attempt: Attempt, status: str, result: str) -> None:
    parent = work.tx.directives.get(id)
    row = work.tx.steps.get(attempt.step or "")
    if parent is None or row is None or row.run != attempt.id or row.status != "running":
        return  # deleted or changed meanwhile: the later change wins
    if parent.lease_holder != context.holder:
        return
    scope = context.directives.scope
    plain = records.plain_of(scope, row)
    if fitted := _fit(result):
        plain["result"] = fitted
    given_back = 1 if context.stop.is_set() and status == "ready" else 0
    row = replace(row, status=status, lease_holder=None, attempts=row.attempts - given_back)
    records.put_step(work, row, plain, "RUN", parent.namespace)
    context.directives.refresh(work, parent)


def _write_plan(
    directives: Directives, work: Work, row: DirectiveRow, planned_for: Directive, attempt: Attempt, result: AgentResult
) -> None:
    """The open steps of earlier plans are dropped, the new ones put; all of it or nothing."""
    existing = work.tx.steps.of(row.id)
    for old in existing:
        if old.status in ("pending", "ready"):
            plain = records.plain_of(directives.scope, old)
            records.put_step(work, replace(old, status="skipped"), plain, "PLAN", row.namespace)
    steps: Sequence[Planned] = result.value
    ids = {step.key: directives.scope.clock.new_id() for step in steps}
    lost = {old.id for old in existing if old.status == "failed"}  # no step can wait for those
    first = max((old.order_index for old in existing), default=0) + 1
    for number, step in enumerate(steps):
        fresh = StepRow(
            id=ids[step.key],
            directive=row.id,
            status="pending",
            order_index=first + number,
            generation=attempt.generation,
            sealed=b"",
            version=0,
            depends_on=tuple(dict.fromkeys(ids.get(dep, dep) for dep in step.depends_on if dep not in lost)),
        )
        texts = {"name": step.name, "description": step.description, "task_plan": step.task_plan}
        plain = {name: value for name, value in texts.items() if value}
        records.put_step(work, fresh, plain, "PLAN", row.namespace)
    goal = planned_for.goal_updated_at
    plain = records.plain_of(directives.scope, row)
    plain |= {"generation": attempt.generation, "run": attempt.id, "planned_for": micros(goal) if goal else None}
    plain["done"] = None if steps else _fit(result.answer.done or "")
    records.put_directive(work, row, plain, "PLAN")
    directives.refresh(work, row)


def _ask(
    context: RunContext,
    prompt: str,
    directive: Directive,
    attempt: Attempt,
    capture: MemoryCapture,
    check: Callable[[AgentAnswer, str], Any],
) -> AgentResult:
    """Ask; if the answer cannot be read, say why and ask once more. Memories and tokens of the first are not lost."""
    text, reply, answer = prompt, Reply(text="", code=None), AgentAnswer()
    value, fault, repaired = None, None, False
    for repaired in (False, True):
        reply = _call(context, text, directive, attempt, capture)
        second = plan_format.read(reply.text)
        spent = [count for count in (answer.tokens, second.tokens) if count is not None]
        memories = [*answer.memories, *second.memories]
        answer = replace(second, memories=memories, tokens=sum(spent) if spent else None)
        fault = reply.fault or (f"ended with exit code {reply.code}" if reply.code else None)
        try:
            value = check(answer, reply.text)
            break
        except (Invalid, Refused) as unreadable:
            if fault is not None and not repaired:
                break
            if repaired:
                why = f"gave an answer that could not be read, and again after being told why: {unreadable}"
                fault = fault or why
                break
            text = prompts.repair(prompt, str(unreadable), reply.text)
            context.tell("repairing", run=attempt.id, step=attempt.step)
    return AgentResult(reply=reply, answer=answer, value=value, fault=fault, repaired=repaired)


def _call(context: RunContext, prompt: str, directive: Directive, attempt: Attempt, capture: MemoryCapture) -> Reply:
    variables = {
        "DIRECTIVE_ID": directive.id,
        "DIRECTIVE_RUN": attempt.id,
        "DIRECTIVE_PHASE": attempt.what,
        "DIRECTIVE_STEP": attempt.step or "",
        "DIRECTIVE_GENERATION": str(attempt.generation),
        "DIRECTIVE_REPOSITORY": directive.repository_url or "",
        "DIRECTIVE_BRANCH": directive.base_branch or "",
    }
    return agents.call(
        context.words,
        prompt,
        folder=Path(directive.local_path).expanduser() if directive.local_path else None,
        environ=for_a_child(variables),
        bounds=Bounds(timeout=context.limits.timeout, output=context.limits.output),
        stop=context.stop,
        clock=context.directives.scope.clock,
        on_line=capture.line,
    )


def _begun(
    context: RunContext,
    what: Literal["plan", "step"],
    generation: int,
    number: int,
    step: str | None,
    chosen: SelectedMemories,
) -> Attempt:
    clock = context.directives.scope.clock
    return Attempt(
        id=clock.new_id(),
        at=clock.now(),
        what=what,
        generation=generation,
        number=number,
        step=step,
        went_in=chosen.ids,
        left_out=chosen.left_out,
        fault=chosen.fault,
    )


def _ended(context: RunContext, attempt: Attempt, result: AgentResult, capture: MemoryCapture, outcome: str) -> Attempt:
    seconds = (context.directives.scope.clock.now() - attempt.at).total_seconds()
    return replace(
        attempt,
        came_out=tuple(dict.fromkeys(capture.ids)),
        refused=capture.refused,
        outcome=outcome,
        repaired=result.repaired,
        tokens=result.answer.tokens,
        seconds=round(seconds, 3),
    )


def _admitted(step: Planned) -> Planned:
    """The step with texts that may be kept. Raises ``Invalid`` or ``Refused``."""
    name = admission.name("name", step.name.translate(CONTROLS), limit=300)
    texts = (step.description, step.task_plan)
    description, task_plan = (
        None if text is None else admission.clean(text.translate(CONTROLS), max_text=TEXT_LIMIT).text for text in texts
    )
    return replace(step, name=name, description=description, task_plan=task_plan)


def _fit(text: str) -> str | None:
    """A result as it is kept: without secrets and what we injected ourselves, and not for ever long."""
    plain = strip_injected(strip_private(text.translate(CONTROLS))).strip()
    return redact(plain[:RESULT_LIMIT]).text or None
