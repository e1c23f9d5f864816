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
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from commonplace.directives import dag
from commonplace.directives.values import CATEGORIES
from commonplace.errors import Invalid
from commonplace.model import Category

MOST_STEPS = 100
MOST_MEMORIES = 100
LONGEST_MEMORY = 4_000
LONGEST_TEXT = 20_000
MOST_FAILURES = 2_000
"""Places where JSON could begin and does not; a hostile answer may have millions."""
WRAPPED = 2
ENDINGS = {"completed": "completed", "complete": "completed", "done": "completed", "success": "completed"}
ENDINGS |= {"succeeded": "completed", "ok": "completed", "failed": "failed", "failure": "failed", "error": "failed"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Reported:
    """A memory as an agent reports it; who reported it is not for the agent to say."""

    text: str
    category: Category = "context"


@dataclass(frozen=True, slots=True, kw_only=True)
class Planned:
    """A step of a plan; ``depends_on`` holds keys of this plan and of steps that exist."""

    key: str
    name: str
    description: str | None = None
    task_plan: str | None = None
    depends_on: tuple[str, ...] = ()


@dataclass(slots=True, kw_only=True)
class Answer:
    """Everything that was understood."""

    steps: list[Planned] = field(default_factory=list)
    memories: list[Reported] = field(default_factory=list)
    status: str | None = None
    result: str | None = None
    done: str | None = None
    """Why nothing is left to plan, if the planner said so."""
    tokens: int | None = None


def read(text: str) -> Answer:
    """Everything in ``text`` that is understood; never raises."""
    answer = Answer()
    for found in objects(text):
        _take(answer, found, WRAPPED)
    return answer


def plan(answer: Answer, existing: Mapping[str, str]) -> list[Planned]:
    """The steps, with every dependency a key of the plan or the id of a step that exists.

    ``existing`` maps the names under which a plan may speak of those (keys and names) to their ids. Raises ``Invalid``.
    """
    if not answer.steps and answer.done is None:
        raise Invalid('there is no step in it: write one {"step": {"name": "…"}} a line, or {"done": true}')
    keys = [one.key for one in answer.steps]
    if len(set(keys)) != len(keys):
        raise Invalid("two steps have the same key; give each its own")
    by_name = {one.name.casefold(): one.key for one in answer.steps}
    waits: dict[str, tuple[str, ...]] = {}
    for number, one in enumerate(answer.steps, 1):
        waits[one.key] = tuple(_dependency(number, dep, keys, by_name, existing) for dep in one.depends_on)
    path = dag.cycle(waits)
    if path is not None:
        shown = " → ".join(str(keys.index(key) + 1) for key in path)
        raise Invalid(f"the steps wait for each other (by their place in the plan): {shown}")
    return [
        Planned(
            key=one.key, name=one.name, description=one.description, task_plan=one.task_plan, depends_on=waits[one.key]
        )
        for one in answer.steps
    ]


def ending(answer: Answer) -> tuple[str, str]:
    """How a step ended, and its result. Raises ``Invalid`` if it is not said."""
    if answer.status is None:
        raise Invalid('it does not say how the step ended: write {"status": "completed", "result": "…"} or "failed"')
    return answer.status, answer.result or ""


def objects(text: str) -> Iterator[dict[str, Any]]:
    """Every JSON object that begins a line (or an element of a list that does), wherever in the text it stands."""
    decoder = json.JSONDecoder()
    at = failures = 0
    while at < len(text) and failures < MOST_FAILURES:
        start = _next_line(text, at)
        if start is None:
            return
        try:
            value, at = decoder.raw_decode(text, start)
        except (ValueError, RecursionError):
            failures += 1
            at = start + 1
            continue
        yield from (one for one in (value if isinstance(value, list) else [value]) if isinstance(one, dict))


def _next_line(text: str, at: int) -> int | None:
    """The next place where a line begins with a bracket."""
    while at < len(text):
        end = text.find("\n", at)
        end = len(text) if end < 0 else end
        start = at
        while start < end and text[start] in " \t\r`>":
            start += 1
        if start < end and text[start] in "{[" and _begins(text, start):
            return start
        at = end + 1
    return None


def _begins(text: str, at: int) -> bool:
    before = text.rfind("\n", 0, at) + 1
    return not text[before:at].strip(" \t\r`>")


def _take(answer: Answer, found: Mapping[str, Any], deep: int) -> None:
    wrapped = _wrapped(found)
    if wrapped is not None and deep:
        for inner in objects(wrapped):
            _take(answer, inner, deep - 1)
        _take_tokens(answer, found)
        return
    kind = found.get("type")
    for one in (*_listed(found.get("step")), *_listed(found.get("steps")), *([found] if kind == "step" else [])):
        _take_step(answer, one)
    memories = (*_listed(found.get("memory")), *_listed(found.get("memories")))
    for one in (*memories, *([found] if kind == "memory" and not memories else [])):
        _take_memory(answer, one)
    if found.get("done") is True:
        answer.done = _text(found.get("reason")) or "the planner says that the goal is reached"
    if kind in (None, "result", "status") and isinstance(found.get("status"), str):
        status = ENDINGS.get(found["status"].strip().casefold())
        if status is not None:
            answer.status, answer.result = status, _text(found.get("result", found.get("reason"))) or answer.result
    _take_tokens(answer, found)


def _wrapped(found: Mapping[str, Any]) -> str | None:
    """The text inside an envelope: the result object of `claude`, an agent's message in the events of `codex`."""
    if found.get("type") == "result" and "status" not in found and isinstance(found.get("result"), str):
        return str(found["result"])
    item = found.get("item")
    if isinstance(item, dict) and item.get("type") == "agent_message" and isinstance(item.get("text"), str):
        return str(item["text"])
    return None


def _take_step(answer: Answer, one: Any) -> None:
    if isinstance(one, str):
        one = {"name": one}
    if not isinstance(one, dict) or len(answer.steps) >= MOST_STEPS:
        return
    name = _text(one.get("name", one.get("title")))
    if not name:
        return
    waits = one.get("depends_on", one.get("dependencies", one.get("after")))
    answer.steps.append(
        Planned(
            key=str(one.get("key", one.get("id", f"#{len(answer.steps) + 1}")))[:100],
            name=" ".join(name.split())[:300],
            description=_text(one.get("description")),
            task_plan=_text(one.get("task_plan", one.get("plan", one.get("instructions")))),
            depends_on=tuple(str(dep)[:300] for dep in _listed(waits) if isinstance(dep, str | int)),
        )
    )


def _take_memory(answer: Answer, one: Any) -> None:
    if isinstance(one, str):
        one = {"content": one}
    if not isinstance(one, dict) or len(answer.memories) >= MOST_MEMORIES:
        return
    text = _text(one.get("content", one.get("text")), LONGEST_MEMORY)
    said = str(one.get("category", "context")).strip().casefold()
    if text:
        category: Category = next((known for known in CATEGORIES if known == said), "context")
        answer.memories.append(Reported(text=text, category=category))


def _take_tokens(answer: Answer, found: Mapping[str, Any]) -> None:
    usage = found.get("usage")
    given = found.get("tokens")
    if given is None and isinstance(usage, dict):
        given = sum(_count(usage.get(name)) for name in ("input_tokens", "output_tokens"))
    if count := _count(given):
        answer.tokens = (answer.tokens or 0) + count


def _count(value: Any) -> int:
    good = isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 10**12
    return int(value) if good else 0


def _dependency(
    number: int, given: str, keys: Sequence[str], by_name: Mapping[str, str], existing: Mapping[str, str]
) -> str:
    for known in (given if given in keys else None, existing.get(given), by_name.get(given.casefold())):
        if known is not None:
            return known
    if given.isdecimal() and 1 <= int(given[:6]) <= len(keys):
        return keys[int(given) - 1]
    known = existing.get(given.casefold())
    if known is None:
        raise Invalid(f"step {number} waits for a key that no step has")
    return known


def _listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [] if value is None else [value]


def _text(value: Any, most: int = LONGEST_TEXT) -> str | None:
    if value is None:
        return None
    if not isinstance(value, str):
        value = json.dumps(value, ensure_ascii=False)
    kept = value.encode("utf-8", "replace").decode().strip()
    return kept[:most] or None
