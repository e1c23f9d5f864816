"""Goals that outlive a session: read them, plan by them, leave what was learned. Agents are never run from here."""

from collections.abc import Callable, Mapping
from typing import Any, Literal

from mcp.server.mcpserver import MCPServer
from mcp_types import CallToolResult

from commonplace.directives.desk import Directives
from commonplace.directives.values import Directive, Step
from commonplace.errors import Invalid
from commonplace.interfaces.mcp.desk import CHANGES, Desk, answer, done, fenced, inert, line, telling
from commonplace.model import Receipt

Action = Literal[
    "list", "show", "create", "revise", "add_step", "revise_step", "remember", "memories", "prompt", "explain"
]


def add(server: MCPServer, desk: Desk) -> None:
    @server.tool(
        title="Directive",
        annotations=CHANGES,
        description=(
            "Work on a goal that outlives a session. `list` goals; `show` one (id) with its steps; `create` (title, "
            "goal) or `revise` (id and what changes); `add_step` (id, name, description, task_plan, depends_on) or "
            "`revise_step` (step and what changes, such as status completed or failed with a result); `remember` (id, "
            "text, category insight, decision, context, error or pattern, step) for whoever goes on later; `memories` "
            "lists what earlier cycles learned; `prompt` is what the next plan, or a step, is to be done by; `explain` "
            "tells which memories went into which prompt."
        ),
    )
    @telling
    def directive(
        action: Action,
        id: str | None = None,
        title: str | None = None,
        goal: str | None = None,
        memory_enabled: bool | None = None,
        status: str | None = None,
        step: str | None = None,
        name: str | None = None,
        description: str | None = None,
        task_plan: str | None = None,
        depends_on: list[str] | None = None,
        result: str | None = None,
        text: str | None = None,
        category: Literal["insight", "decision", "context", "error", "pattern"] | None = None,
        namespace: str | None = None,
    ) -> CallToolResult:
        named: dict[str, Any] = {
            "id": id,
            "title": title,
            "goal": goal,
            "memory_enabled": memory_enabled,
            "status": status,
        }
        named |= {"step": step, "name": name, "description": description, "task_plan": task_plan, "result": result}
        named |= {"depends_on": depends_on, "text": text, "category": category}
        given = {key: one for key, one in named.items() if one is not None}
        if action in READING:
            return READING[action](desk.book(namespace, "read").directives, given)
        return done(WRITING[action](desk.book(namespace, "write").directives, given))


Given = Mapping[str, Any]


def _list(goals: Directives, given: Given) -> CallToolResult:
    found = goals.list(status=given.get("status"))
    return answer(fenced(map(_goal, found), nothing="There are no goals."), {"directives": found})


def _show(goals: Directives, given: Given) -> CallToolResult:
    found, steps = goals.get(_needed(given, "id")), goals.steps(given["id"])
    lines = [_goal(found), f"  goal: {inert(found.goal, None)}", *map(_step, steps)]
    return answer(fenced(lines, nothing=""), {"directive": found, "steps": steps})


def _memories(goals: Directives, given: Given) -> CallToolResult:
    found = goals.memories(_needed(given, "id"), category=given.get("category"), step=given.get("step"))
    return answer(fenced(map(line, found), nothing="Nothing was learned yet."), {"memories": found})


def _prompt(goals: Directives, given: Given) -> CallToolResult:
    made = goals.prompt(_needed(given, "id"), step=given.get("step"))
    return answer(made.text, made)


def _explain(goals: Directives, given: Given) -> CallToolResult:
    found = goals.explain(_needed(given, "id"))
    lines = (
        f"- {one.what} {one.step or ''} (generation {one.generation}, attempt {one.number}): {one.outcome}; "
        f"in: {', '.join(one.went_in) or 'nothing'}; out: {', '.join(one.came_out) or 'nothing'}"
        for one in found
    )
    return answer(fenced(lines, nothing="Nothing was tried yet."), {"attempts": found})


READING: dict[str, Callable[[Directives, Given], CallToolResult]] = {
    "list": _list,
    "show": _show,
    "memories": _memories,
    "prompt": _prompt,
    "explain": _explain,
}
WRITING: dict[str, Callable[[Directives, Given], Receipt]] = {
    "create": lambda goals, given: goals.create(
        _needed(given, "title"), _needed(given, "goal"), **_some(given, "memory_enabled", "status")
    ),
    "revise": lambda goals, given: goals.revise(
        _needed(given, "id"), **_some(given, "title", "goal", "memory_enabled", "status")
    ),
    "add_step": lambda goals, given: goals.add_step(
        _needed(given, "id"), _needed(given, "name"), **_some(given, "description", "task_plan", "depends_on")
    ),
    "revise_step": lambda goals, given: goals.revise_step(
        _needed(given, "step"), **_some(given, "name", "description", "task_plan", "depends_on", "status", "result")
    ),
    "remember": lambda goals, given: goals.remember(
        _needed(given, "id"), _needed(given, "text"), **_some(given, "category", "step")
    ),
}


def _goal(one: Directive) -> str:
    return f"- [id {one.id}; {one.status}; generation {one.generation}] {inert(one.title, None)}"


def _step(one: Step) -> str:
    after = f"; after {', '.join(one.depends_on)}" if one.depends_on else ""
    ended = f" result: {inert(one.result, 300)}" if one.result else ""
    return f"- step [id {one.id}; {one.status}; generation {one.generation}{after}] {inert(one.name, None)}{ended}"


def _some(given: Given, *names: str) -> dict[str, Any]:
    return {name: given[name] for name in names if name in given}


def _needed(given: Given, name: str) -> str:
    if name not in given:
        raise Invalid(f"this action needs `{name}`")
    return str(given[name])
