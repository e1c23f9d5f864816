"""How goals that outlive a session are shown. Agents are never run from here."""

from mcp_types import CallToolResult

from commonplace.directives.values import Attempt, Directive, Step
from commonplace.interfaces.mcp.answers import inert, memories_answer
from commonplace.interfaces.mcp.tools.tool import ToolCall


def show(call: ToolCall, id: str) -> CallToolResult:
    goals = call.book("read").directives
    goal = goals.get(id)
    lines = [goal_line(goal), f"  goal: {inert(goal.goal, None)}", *map(_step_line, goals.steps(id))]
    return memories_answer(lines, nothing="")


def goal_line(goal: Directive) -> str:
    return f"- [id {goal.id}; {goal.status}; generation {goal.generation}] {inert(goal.title, None)}"


def attempt_line(attempt: Attempt) -> str:
    return (
        f"- {attempt.what} {attempt.step or ''} (generation {attempt.generation}, attempt {attempt.number}): "
        f"{attempt.outcome}; in: {', '.join(attempt.went_in) or 'nothing'}; "
        f"out: {', '.join(attempt.came_out) or 'nothing'}"
    )


def _step_line(step: Step) -> str:
    after = f"; after {', '.join(step.depends_on)}" if step.depends_on else ""
    result = f" result: {inert(step.result, 300)}" if step.result else ""
    return f"- step [id {step.id}; {step.status}; generation {step.generation}{after}] {inert(step.name, None)}{result}"
