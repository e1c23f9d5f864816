"""Goals that outlive a session: read them, plan by them, leave what was learned. Agents are never run from here."""

from collections.abc import Callable, Mapping
from typing import Annotated, Any, Literal

from mcp.server.mcpserver import MCPServer
from mcp_types import CallToolResult
from pydantic import Field

from commonplace.directives.directives import Directives
from commonplace.directives.values import Directive, Step
from commonplace.errors import Invalid
from commonplace.interfaces.mcp.access import BookAccess
from commonplace.interfaces.mcp.answers import (
    CHANGES,
    inert,
    memories_answer,
    memory_line,
    receipt_answer,
    text_answer,
)
from commonplace.interfaces.mcp.tools.parameters import Namespace, rare
from commonplace.model import Receipt

Action = Literal[
    "list", "show", "create", "revise", "add_step", "revise_step", "remember", "memories", "prompt", "explain"
]
Arguments = Mapping[str, Any]


def add(server: MCPServer[Any], access: BookAccess) -> None:
    @server.tool(
        title="Directive",
        annotations=CHANGES,
        description=(
            "Work on a goal that outlives a session: list; show (id); create (title, goal); revise (id); add_step (id, "
            "name); revise_step (step); remember (id, text); memories (id); prompt (id, step): what to do next; "
            "explain (id)."
        ),
    )
    def directive(
        action: Annotated[Action, Field(description="What to do.")],
        id: Annotated[str | None, Field(description="Directive.")] = None,
        title: Annotated[str | None, Field(description="Short name.")] = None,
        goal: Annotated[str | None, Field(description="Purpose.")] = None,
        step: Annotated[str | None, Field(description="Step id.")] = None,
        name: Annotated[str | None, Field(description="Step name.")] = None,
        task_plan: Annotated[str | None, Field(description="How to do it.")] = None,
        depends_on: Annotated[list[str] | None, Field(description="Step ids.")] = None,
        status: Annotated[str | None, Field(description="Such as completed.")] = None,
        result: Annotated[str | None, Field(description="Of the step.")] = None,
        text: Annotated[str | None, Field(description="What was learned.")] = None,
        category: Annotated[
            Literal["insight", "decision", "context", "error", "pattern"] | None,
            rare("Of the text."),
        ] = None,
        description: Annotated[str | None, rare("Of the step.")] = None,
        memory_enabled: Annotated[bool | None, rare("Keep what is learned.")] = None,
        namespace: Namespace = None,
    ) -> CallToolResult:
        values: dict[str, Any] = {"id": id, "title": title, "goal": goal, "status": status, "step": step, "name": name}
        values |= {"memory_enabled": memory_enabled, "description": description, "task_plan": task_plan}
        values |= {"depends_on": depends_on, "result": result, "text": text, "category": category}
        arguments = {key: value for key, value in values.items() if value is not None}
        if action in READING:
            return READING[action](access.book(namespace, "read").directives, arguments)
        return receipt_answer(WRITING[action](access.book(namespace, "write").directives, arguments))


def _list(goals: Directives, arguments: Arguments) -> CallToolResult:
    return memories_answer(map(_goal_line, goals.list(status=arguments.get("status"))), nothing="There are no goals.")


def _show(goals: Directives, arguments: Arguments) -> CallToolResult:
    goal, steps = goals.get(_required(arguments, "id")), goals.steps(arguments["id"])
    return memories_answer([_goal_line(goal), f"  goal: {inert(goal.goal, None)}", *map(_step_line, steps)], nothing="")


def _memories(goals: Directives, arguments: Arguments) -> CallToolResult:
    category, step = arguments.get("category"), arguments.get("step")
    memories = goals.memories(_required(arguments, "id"), category=category, step=step)
    return memories_answer(map(memory_line, memories), nothing="Nothing was learned yet.")


def _prompt(goals: Directives, arguments: Arguments) -> CallToolResult:
    return text_answer(goals.prompt(_required(arguments, "id"), step=arguments.get("step")).text)


def _explain(goals: Directives, arguments: Arguments) -> CallToolResult:
    lines = (
        f"- {attempt.what} {attempt.step or ''} (generation {attempt.generation}, attempt {attempt.number}): "
        f"{attempt.outcome}; in: {', '.join(attempt.went_in) or 'nothing'}; "
        f"out: {', '.join(attempt.came_out) or 'nothing'}"
        for attempt in goals.explain(_required(arguments, "id"))
    )
    return memories_answer(lines, nothing="Nothing was tried yet.")


READING: dict[str, Callable[[Directives, Arguments], CallToolResult]] = {
    "list": _list,
    "show": _show,
    "memories": _memories,
    "prompt": _prompt,
    "explain": _explain,
}
WRITING: dict[str, Callable[[Directives, Arguments], Receipt]] = {
    "create": lambda goals, arguments: goals.create(
        _required(arguments, "title"), _required(arguments, "goal"), **_only(arguments, "memory_enabled", "status")
    ),
    "revise": lambda goals, arguments: goals.revise(
        _required(arguments, "id"), **_only(arguments, "title", "goal", "memory_enabled", "status")
    ),
    "add_step": lambda goals, arguments: goals.add_step(
        _required(arguments, "id"),
        _required(arguments, "name"),
        **_only(arguments, "description", "task_plan", "depends_on"),
    ),
    "revise_step": lambda goals, arguments: goals.revise_step(
        _required(arguments, "step"),
        **_only(arguments, "name", "description", "task_plan", "depends_on", "status", "result"),
    ),
    "remember": lambda goals, arguments: goals.remember(
        _required(arguments, "id"), _required(arguments, "text"), **_only(arguments, "category", "step")
    ),
}


def _goal_line(goal: Directive) -> str:
    return f"- [id {goal.id}; {goal.status}; generation {goal.generation}] {inert(goal.title, None)}"


def _step_line(step: Step) -> str:
    after = f"; after {', '.join(step.depends_on)}" if step.depends_on else ""
    result = f" result: {inert(step.result, 300)}" if step.result else ""
    return f"- step [id {step.id}; {step.status}; generation {step.generation}{after}] {inert(step.name, None)}{result}"


def _only(arguments: Arguments, *names: str) -> dict[str, Any]:
    return {name: arguments[name] for name in names if name in arguments}


def _required(arguments: Arguments, name: str) -> str:
    if name not in arguments:
        raise Invalid(f"this action needs `{name}`")
    return str(arguments[name])
