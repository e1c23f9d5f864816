"""What an agent writes, read tolerantly: JSON lines, fenced JSON, or JSON in the middle of talk; the rest is ignored.

Objects that are understood (each also inside a list, and inside what `claude` and `codex` wrap around an answer):

``{"step": {"key", "name", "description", "task_plan", "depends_on"}}`` or ``{"steps": [{…}]}``: a plan
``{"done": true, "reason"}``: nothing is left to plan
``{"status": "completed" | "failed", "result"}``: how a step ended
``{"memory": {"category", "content"}}`` or ``{"memories": [{…}]}``: what later cycles should know
``{"tokens": 1234}``: what it took

Nothing in an error message repeats what the agent wrote.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from commonplace.directives import dag
from commonplace.directives.values import CATEGORIES
from commonplace.errors import Invalid
from commonplace.lazy import pattern
from commonplace.model import Category

MOST_STEPS = 100
MOST_MEMORIES = 100
LONGEST_MEMORY = 4_000
LONGEST_TEXT = 20_000
PROSE_RESULT = 2_000
"""Maximum characters of the end of a prose answer that become the result."""
MOST_FAILURES = 2_000
"""Maximum number of failed JSON parses; a hostile answer may have millions."""
WRAPPED = 2
ENDINGS = {"completed": "completed", "complete": "completed", "done": "completed", "success": "completed"}
ENDINGS |= {"succeeded": "completed", "ok": "completed", "failed": "failed", "failure": "failed", "error": "failed"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Reported:
    """A memory reported by an agent; the agent cannot set the source."""

    text: str
    category: Category = "context"


@dataclass(frozen=True, slots=True, kw_only=True)
class Planned:
    """A step of a plan; ``depends_on`` are keys of this plan and of existing steps."""

    key: str
    name: str
    description: str | None = None
    task_plan: str | None = None
    depends_on: tuple[str, ...] = ()


@dataclass(slots=True, kw_only=True)
class AgentAnswer:
    """The parts of an agent's answer that could be parsed."""

    steps: list[Planned] = field(default_factory=list)
    memories: list[Reported] = field(default_factory=list)
    status: str | None = None
    result: str | None = None
    done: str | None = None
    """Why nothing is left to plan, if the planner said so."""
    tokens: int | None = None


def read(text: str) -> AgentAnswer:
    """Parse everything in ``text`` that is understood; never raises."""
    answer = AgentAnswer()
    for parsed in objects(text):
        _take(answer, parsed, WRAPPED)
    return answer


def plan(answer: AgentAnswer, existing: Mapping[str, str]) -> list[Planned]:
    """The steps, with every dependency as a key of the plan or the id of an existing step.

    ``existing`` maps the names that a plan may use for existing steps (keys and names) to their ids. Raises
    ``Invalid``.
    """
    if not answer.steps and answer.done is None:
        raise Invalid('there is no step in it: write one {"step": {"name": "…"}} a line, or {"done": true}')
    keys = [step.key for step in answer.steps]
    if len(set(keys)) != len(keys):
        raise Invalid("two steps have the same key; give each its own")
    by_name = {step.name.casefold(): step.key for step in answer.steps}
    waits: dict[str, tuple[str, ...]] = {}
    for number, step in enumerate(answer.steps, 1):
        waits[step.key] = tuple(_dependency(number, dep, keys, by_name, existing) for dep in step.depends_on)
    path = dag.cycle(waits)
    if path is not None:
        path_text = " → ".join(str(keys.index(key) + 1) for key in path)
        raise Invalid(f"the steps wait for each other (by their place in the plan): {path_text}")
    return [replace(step, depends_on=waits[step.key]) for step in answer.steps]


def ending(answer: AgentAnswer, text: str = "") -> tuple[str, str]:
    """A step's final status and its result. Raises ``Invalid`` if it is not reported.

    ``text`` is the answer if exit code 0 counts as success: its end is the result then.
    """
    if answer.status is None and text.strip():
        return "completed", text.strip()[-PROSE_RESULT:]
    if answer.status is None:
        raise Invalid('it does not say how the step ended: write {"status": "completed", "result": "…"} or "failed"')
    return answer.status, answer.result or ""


def objects(text: str) -> Iterator[dict[str, Any]]:
    """Every JSON object at the start of a line (or in a list there), anywhere in the text."""
    decoder = json.JSONDecoder()
    at = failures = 0
    while failures < MOST_FAILURES and (place := _begins().search(text, at)):
        try:
            value, at = decoder.raw_decode(text, place.end() - 1)
        except (ValueError, RecursionError):
            failures += 1
            at = place.end()
            continue
        yield from (item for item in (value if isinstance(value, list) else [value]) if isinstance(item, dict))


_begins = pattern(r"^[ \t\r`>]*[{\[]", re.M)
"""A line that begins with a bracket."""


def _take(answer: AgentAnswer, parsed: Mapping[str, Any], deep: int) -> None:
    wrapped = _wrapped(parsed)
    if wrapped is not None and deep:
        for inner in objects(wrapped):
            _take(answer, inner, deep - 1)
        _take_tokens(answer, parsed)
        return
    kind = parsed.get("type")
    for item in (*_listed(parsed.get("step")), *_listed(parsed.get("steps")), *([parsed] if kind == "step" else [])):
        _take_step(answer, item)
    memories = (*_listed(parsed.get("memory")), *_listed(parsed.get("memories")))
    for item in (*memories, *([parsed] if kind == "memory" and not memories else [])):
        _take_memory(answer, item)
    if parsed.get("done") is True:
        answer.done = _text(parsed.get("reason")) or "the planner says that the goal is reached"
    if kind in (None, "result", "status") and isinstance(parsed.get("status"), str):
        status = ENDINGS.get(parsed["status"].strip().casefold())
        if status is not None:
            answer.status, answer.result = status, _text(parsed.get("result", parsed.get("reason"))) or answer.result
    _take_tokens(answer, parsed)


def _wrapped(parsed: Mapping[str, Any]) -> str | None:
    """The text inside an envelope: the result object of `claude`, an agent's message in the events of `codex`."""
    if parsed.get("type") == "result" and "status" not in parsed and isinstance(parsed.get("result"), str):
        return str(parsed["result"])
    item = parsed.get("item")
    if isinstance(item, dict) and item.get("type") == "agent_message" and isinstance(item.get("text"), str):
        return str(item["text"])
    return None


def _take_step(answer: AgentAnswer, step: Any) -> None:
    if isinstance(step, str):
        step = {"name": step}
    if not isinstance(step, dict) or len(answer.steps) >= MOST_STEPS:
        return
    name = _text(step.get("name", step.get("title")))
    if not name:
        return
    waits = step.get("depends_on", step.get("dependencies", step.get("after")))
    answer.steps.append(
        Planned(
            key=str(step.get("key", step.get("id", f"#{len(answer.steps) + 1}")))[:100],
            name=" ".join(name.split())[:300],
            description=_text(step.get("description")),
            task_plan=_text(step.get("task_plan", step.get("plan", step.get("instructions")))),
            depends_on=tuple(str(dep)[:300] for dep in _listed(waits) if isinstance(dep, str | int)),
        )
    )


def _take_memory(answer: AgentAnswer, memory: Any) -> None:
    if isinstance(memory, str):
        memory = {"content": memory}
    if not isinstance(memory, dict) or len(answer.memories) >= MOST_MEMORIES:
        return
    text = _text(memory.get("content", memory.get("text")), LONGEST_MEMORY)
    category_name = str(memory.get("category", "context")).strip().casefold()
    if text:
        category: Category = next((allowed for allowed in CATEGORIES if allowed == category_name), "context")
        answer.memories.append(Reported(text=text, category=category))


def _take_tokens(answer: AgentAnswer, parsed: Mapping[str, Any]) -> None:
    usage = parsed.get("usage")
    tokens = parsed.get("tokens")
    if tokens is None and isinstance(usage, dict):
        tokens = sum(_count(usage.get(name)) for name in ("input_tokens", "output_tokens"))
    if count := _count(tokens):
        answer.tokens = (answer.tokens or 0) + count


def _count(value: Any) -> int:
    good = isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 10**12
    return int(value) if good else 0


def _dependency(
    number: int, reference: str, keys: Sequence[str], by_name: Mapping[str, str], existing: Mapping[str, str]
) -> str:
    for key in (reference if reference in keys else None, existing.get(reference), by_name.get(reference.casefold())):
        if key is not None:
            return key
    if reference.isdecimal() and 1 <= int(reference[:6]) <= len(keys):
        return keys[int(reference) - 1]
    key = existing.get(reference.casefold())
    if key is None:
        raise Invalid(f"step {number} waits for a key that no step has")
    return key


def _listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [] if value is None else [value]


def _text(value: Any, limit: int = LONGEST_TEXT) -> str | None:
    if value is None:
        return None
    if not isinstance(value, str):
        value = json.dumps(value, ensure_ascii=False)
    text = value.encode("utf-8", "replace").decode().strip()
    return text[:limit] or None
