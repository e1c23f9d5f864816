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
from commonplace.directives import agents, dag, keeping, plan_format, prompts
from commonplace.directives.agents import Bounds, Reply
from commonplace.directives.choose import BUDGET, Chosen
from commonplace.directives.desk import TEXT_LIMIT, Directives
from commonplace.directives.next_act import Limits
from commonplace.directives.plan_format import Answer, Planned, Reported
from commonplace.directives.values import Attempt, Directive, Step
from commonplace.errors import Invalid, Refused
from commonplace.memories import admission
from commonplace.memories.admission import CONTROLS, NewMemory
from commonplace.memories.gateway import Gateway
from commonplace.memories.work import Work, working
from commonplace.model import Source
from commonplace.security.fence import strip_injected, strip_private
from commonplace.security.redact import redact
from commonplace.settings import for_a_child
from commonplace.store.rows import DirectiveRow, StepRow

RESULT_LIMIT = 20_000
STDERR_SHOWN = 500

Told = Callable[..., None]
"""``tell(kind, **figures)``: hears of everything that happens."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Bench:
    """What every attempt of a run shares."""

    desk: Directives
    words: Sequence[str]
    holder: str
    limits: Limits
    stop: Flag
    tell: Told
    tokens: int = BUDGET


@dataclass(slots=True)
class Capture:
    """Keeps the memories that one attempt reports, each once; none where the directive has memory disabled."""

    bench: Bench
    directive: Directive
    step: str | None
    source: Source
    ids: list[str] = field(default_factory=list)
    refused: int = 0
    _seen: set[str] = field(default_factory=set)
    _untold: list[str] = field(default_factory=list)

    def line(self, line: str) -> None:
        """A line of output, as it comes: a memory in it is durable when this returns."""
        found = self._fresh(plan_format.read(line).memories)
        if found:
            with working(self.bench.desk.scope, "REMEMBER") as work:
                self._keep(work, found)
                work.receipt()
            self.tell()

    def rest(self, work: Work, found: Sequence[Reported]) -> None:
        """What did not come as a line of its own, as part of a larger work."""
        self._keep(work, self._fresh(found))

    def tell(self) -> None:
        """Say what was kept, once it is durable."""
        while self._untold:
            self.bench.tell("memory", memory=self._untold.pop(0), step=self.step)

    def _fresh(self, found: Sequence[Reported]) -> list[Reported]:
        if not self.directive.memory_enabled:
            return []
        room = max(plan_format.MOST_MEMORIES - len(self._seen), 0)
        fresh = [one for one in found if one.text not in self._seen]
        self.refused += len(fresh[room:])
        return fresh[:room]

    def _keep(self, work: Work, found: Sequence[Reported]) -> None:
        gateway = Gateway(self.bench.desk.scope)
        here = work.tx.directives.get(self.directive.id) is not None
        for one in found if here else ():
            self._seen.add(one.text)
            step = self.step if self.step and work.tx.steps.get(self.step) else None
            new = NewMemory(
                text=one.text.translate(CONTROLS),
                category=one.category,
                directive=self.directive.id,
                step=step,
                source=self.source,
            )
            try:
                held = gateway.admit(work, new)
            except (Refused, Invalid):  # tombstoned, nothing but a secret, too long: the work goes on without it
                self.refused += 1
                continue
            work.flush()
            self.ids.append(held.id)
            self._untold.append(held.id)


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What came of asking an agent, once or with one repair."""

    reply: Reply
    answer: Answer
    value: Any = None
    fault: str | None = None
    repaired: bool = False


def plan(bench: Bench, id: str, number: int) -> str | None:
    """Make the next plan; why it failed, if it did."""
    desk = bench.desk
    directive, steps = desk.get(id), desk.steps(id)
    generation = dag.next_generation(directive, steps)
    chosen = desk.chosen(directive, None, tokens=bench.tokens)
    attempt = _begun(bench, "plan", generation, number, None, chosen)
    with working(desk.scope, "RUN") as work:
        keeping.put_attempt(work, id, attempt)
        work.receipt(keep=False)
    bench.tell("planning", run=attempt.id, generation=generation, number=number)
    capture = Capture(bench, directive, None, "planner")
    existing = {key: one for one, key in prompts.keys_of(steps).items()}
    existing |= {one.name.casefold(): one.id for one in steps} | {one.id: one.id for one in steps}
    text = prompts.planning(directive, steps, chosen, generation=generation)
    asked = _ask(bench, text, directive, attempt, capture, lambda answer: _checked(plan_format.plan(answer, existing)))
    with working(desk.scope, "PLAN") as work:
        capture.rest(work, asked.answer.memories)
        row = work.tx.directives.get(id)
        good = asked.fault is None and row is not None and row.lease_holder == bench.holder
        if good and row is not None:
            _write_plan(desk, work, row, directive, attempt, asked)
        outcome = "planned" if good else "stopped" if bench.stop.is_set() else "failed"
        ended = _ended(bench, attempt, asked, capture, outcome)
        keeping.put_attempt(work, id, ended)
        work.receipt()
    capture.tell()
    _tell_end(bench, ended, None, asked)
    return None if outcome in ("planned", "stopped") else asked.fault or "another runner has taken over"


def carry_out(bench: Bench, id: str, step: Step) -> None:
    """Make one attempt at a step. Whatever comes of it stands in the step when this returns."""
    desk = bench.desk
    directive = desk.get(id)
    chosen = desk.chosen(directive, step, tokens=bench.tokens)
    attempt = _begun(bench, "step", step.generation, step.attempts + 1, step.id, chosen)
    with working(desk.scope, "RUN") as work:
        row = work.tx.steps.get(step.id)
        if row is None or row.version != step.version:  # somebody was faster
            return
        row = replace(row, status="running", attempts=attempt.number, run=attempt.id, lease_holder=bench.holder)
        keeping.put_step(work, row, keeping.plain_of(desk.scope, row), "RUN", work.namespace().id)
        keeping.put_attempt(work, id, attempt)
        work.receipt(keep=False)
    bench.tell("started", run=attempt.id, step=step.id, name=step.name, number=attempt.number)
    capture = Capture(bench, directive, step.id, "executor")
    text = prompts.execution(directive, step, chosen)
    asked = _ask(bench, text, directive, attempt, capture, plan_format.ending)
    status, result, outcome = _verdict(bench, attempt, asked)
    with working(desk.scope, "RUN") as work:
        capture.rest(work, asked.answer.memories)
        _write_result(bench, work, id, attempt, status, result)
        ended = _ended(bench, attempt, asked, capture, outcome)
        keeping.put_attempt(work, id, ended)
        work.receipt()
    capture.tell()
    _tell_end(bench, ended, step.name, asked)


def _tell_end(bench: Bench, ended: Attempt, name: str | None, asked: Asked) -> None:
    bench.tell(
        ended.outcome,
        run=ended.id,
        step=ended.step,
        name=name,
        generation=ended.generation if ended.step is None else None,
        number=ended.number,
        tokens=ended.tokens,
        seconds=ended.seconds,
        detail=asked.fault or "",
    )


def _verdict(bench: Bench, attempt: Attempt, asked: Asked) -> tuple[str, str, str]:
    """The step's next status, its result, and what the attempt is called."""
    if asked.reply.fault == "stopped":
        return "ready", "", "stopped"
    status, result = asked.value if asked.fault is None else ("failed", _said(asked))
    if status == "completed":
        return status, result, status
    if attempt.number >= bench.limits.attempts:
        return "failed", result, "failed"
    return "ready", result, "retry"


def _said(asked: Asked) -> str:
    """A failure in words for the next plan, with the end of what the command complained about."""
    told = " ".join(asked.reply.stderr[-STDERR_SHOWN:].split())
    reported = asked.answer.result or ""
    return " ".join(part for part in (f"The agent {asked.fault}.", reported, told) if part)


def _write_result(bench: Bench, work: Work, id: str, attempt: Attempt, status: str, result: str) -> None:
    parent = work.tx.directives.get(id)
    row = work.tx.steps.get(attempt.step or "")
    if parent is None or row is None or row.run != attempt.id or row.status != "running":
        return  # deleted or changed by somebody meanwhile: theirs is the last word
    if parent.lease_holder != bench.holder:
        return
    scope = bench.desk.scope
    plain = keeping.plain_of(scope, row)
    if kept := _fit(result):
        plain["result"] = kept
    given_back = 1 if bench.stop.is_set() and status == "ready" else 0
    row = replace(row, status=status, lease_holder=None, attempts=row.attempts - given_back)
    keeping.put_step(work, row, plain, "RUN", parent.namespace)
    bench.desk.refresh(work, parent)


def _write_plan(
    desk: Directives, work: Work, row: DirectiveRow, planned_for: Directive, attempt: Attempt, asked: Asked
) -> None:
    """The open steps of earlier plans are dropped, the new ones put; all of it or nothing."""
    existing = work.tx.steps.of(row.id)
    for old in existing:
        if old.status in ("pending", "ready"):
            plain = keeping.plain_of(desk.scope, old)
            keeping.put_step(work, replace(old, status="skipped"), plain, "PLAN", row.namespace)
    steps: Sequence[Planned] = asked.value
    ids = {one.key: desk.scope.clock.new_id() for one in steps}
    lost = {old.id for old in existing if old.status == "failed"}  # nobody can wait for those
    first = max((old.order_index for old in existing), default=0) + 1
    for number, one in enumerate(steps):
        fresh = StepRow(
            id=ids[one.key],
            directive=row.id,
            status="pending",
            order_index=first + number,
            generation=attempt.generation,
            sealed=b"",
            version=0,
            depends_on=tuple(dict.fromkeys(ids.get(dep, dep) for dep in one.depends_on if dep not in lost)),
        )
        texts = {"name": one.name, "description": one.description, "task_plan": one.task_plan}
        plain = {name: value for name, value in texts.items() if value}
        keeping.put_step(work, fresh, plain, "PLAN", row.namespace)
    goal = planned_for.goal_updated_at
    plain = keeping.plain_of(desk.scope, row)
    plain |= {"generation": attempt.generation, "run": attempt.id, "planned_for": micros(goal) if goal else None}
    plain["done"] = None if steps else _fit(asked.answer.done or "")
    keeping.put_directive(work, row, plain, "PLAN")
    desk.refresh(work, row)


def _ask(
    bench: Bench,
    prompt: str,
    directive: Directive,
    attempt: Attempt,
    capture: Capture,
    check: Callable[[Answer], Any],
) -> Asked:
    """Ask; if the answer cannot be read, say why and ask once more."""
    first = _call(bench, prompt, directive, attempt, capture)
    answer = plan_format.read(first.text)
    fault = _ended_badly(first)
    try:
        value = check(answer)
    except (Invalid, Refused) as unreadable:
        if fault is not None:
            return Asked(reply=first, answer=answer, fault=fault)
        again = prompts.repair(prompt, str(unreadable), first.text)
    else:
        return Asked(reply=first, answer=answer, value=value, fault=fault)
    bench.tell("repairing", run=attempt.id, step=attempt.step)
    second = _call(bench, again, directive, attempt, capture)
    better = _joined(answer, plan_format.read(second.text))
    fault = _ended_badly(second)
    try:
        value = check(better)
    except (Invalid, Refused) as unreadable:
        fault = fault or f"gave an answer that could not be read, and again after being told why: {unreadable}"
        return Asked(reply=second, answer=better, fault=fault, repaired=True)
    return Asked(reply=second, answer=better, value=value, fault=fault, repaired=True)


def _joined(first: Answer, second: Answer) -> Answer:
    """The second answer counts; memories and tokens of the first are not lost."""
    tokens = None if first.tokens is None and second.tokens is None else (first.tokens or 0) + (second.tokens or 0)
    return replace(second, memories=[*first.memories, *second.memories], tokens=tokens)


def _call(bench: Bench, prompt: str, directive: Directive, attempt: Attempt, capture: Capture) -> Reply:
    named = {
        "DIRECTIVE_ID": directive.id,
        "DIRECTIVE_RUN": attempt.id,
        "DIRECTIVE_PHASE": attempt.what,
        "DIRECTIVE_STEP": attempt.step or "",
        "DIRECTIVE_GENERATION": str(attempt.generation),
        "DIRECTIVE_REPOSITORY": directive.repository_url or "",
        "DIRECTIVE_BRANCH": directive.base_branch or "",
    }
    return agents.call(
        bench.words,
        prompt,
        folder=Path(directive.local_path).expanduser() if directive.local_path else None,
        environ=for_a_child(named),
        bounds=Bounds(timeout=bench.limits.timeout, output=bench.limits.output),
        stop=bench.stop,
        clock=bench.desk.scope.clock,
        on_line=capture.line,
    )


def _ended_badly(reply: Reply) -> str | None:
    if reply.fault is not None:
        return reply.fault
    return f"ended with exit code {reply.code}" if reply.code else None


def _begun(
    bench: Bench, what: Literal["plan", "step"], generation: int, number: int, step: str | None, chosen: Chosen
) -> Attempt:
    clock = bench.desk.scope.clock
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


def _ended(bench: Bench, attempt: Attempt, asked: Asked, capture: Capture, outcome: str) -> Attempt:
    seconds = (bench.desk.scope.clock.now() - attempt.at).total_seconds()
    return replace(
        attempt,
        came_out=tuple(dict.fromkeys(capture.ids)),
        refused=capture.refused,
        outcome=outcome,
        repaired=asked.repaired,
        tokens=asked.answer.tokens,
        seconds=round(seconds, 3),
    )


def _checked(steps: Sequence[Planned]) -> list[Planned]:
    """The steps with texts that may be kept. Raises ``Invalid`` or ``Refused``."""
    return [
        replace(
            one,
            name=admission.name("name", one.name.translate(CONTROLS), limit=300),
            description=_clean(one.description),
            task_plan=_clean(one.task_plan),
        )
        for one in steps
    ]


def _clean(text: str | None) -> str | None:
    return None if text is None else admission.clean(text.translate(CONTROLS), max_text=TEXT_LIMIT).text


def _fit(text: str) -> str | None:
    """A result as it is kept: without secrets and what we injected ourselves, and not for ever long."""
    plain = strip_injected(strip_private(text.translate(CONTROLS))).strip()
    return redact(plain[:RESULT_LIMIT]).text or None
