"""Find and read memories: by a question, by filter, one whole, and how each came about."""

from datetime import datetime
from typing import Any, Literal

from mcp_types import CallToolResult

from commonplace.context.uses import Use
from commonplace.interfaces.mcp.access import Where
from commonplace.interfaces.mcp.answers import inert, memories_answer, memory_line
from commonplace.interfaces.mcp.tools.tool import ToolCall
from commonplace.model import PERSONAL, Category, Hit, Kind, Status, Version
from commonplace.protocol import Book


def recall(
    call: ToolCall,
    query: str,
    scope: Where | None = None,
    glossary_tag: str | None = None,
    category: Category | None = None,
    as_of: datetime | None = None,
    known_at: datetime | None = None,
    limit: int = 8,
    kind: Kind | None = None,
    explain: bool = False,
    tag: str | None = None,
    **filters: Any,
) -> CallToolResult:
    book = _reading(call, filters)
    single = {"tags": glossary_tag or tag, "categories": category, "kinds": kind, "as_of": as_of, "known_at": known_at}
    fields: dict[str, Any] = {**single, "namespaces": _namespaces(call, book, scope), **filters}
    present = {name: value for name, value in fields.items() if value}
    hits = book.recall(query, limit=limit, explain=explain, **present)
    return memories_answer(
        (memory_line(hit.memory) + _score(hit) for hit in hits), nothing="Nothing is known about that."
    )


def browse(
    call: ToolCall,
    kind: Kind | None = None,
    status: Status | None = None,
    tag: str | None = None,
    as_of: datetime | None = None,
    known_at: datetime | None = None,
    sort: Literal["newest", "oldest", "importance"] = "newest",
    after: str | None = None,
    limit: int = 10,
    glossary_tag: str | None = None,
    **filters: Any,
) -> CallToolResult:
    book = _reading(call, filters)
    single = {"kinds": kind, "statuses": status, "tags": tag or glossary_tag, "as_of": as_of, "known_at": known_at}
    fields: dict[str, Any] = {**single, **filters, "newest": sort == "newest", "important": sort == "importance"}
    present = {name: value for name, value in fields.items() if value not in (None, [])}
    return memories_answer(map(memory_line, book.browse(after=after, limit=limit, **present)), nothing="Nothing fits.")


def evidence(call: ToolCall, id: str) -> CallToolResult:
    book = call.book("read")
    book.get(id)
    episodes = [episode for episode, _ in book.evidence(id)]
    return memories_answer(map(memory_line, episodes), nothing="It rests on nothing but its own statement.")


def why(call: ToolCall, id: str) -> CallToolResult:
    book = call.book("read")
    book.get(id)
    steps = (step for trace in book.why(id) for step in trace.steps)
    lines = (f"- {step.action} by {inert(step.by)}: {inert(step.reason)}" for step in steps)
    return memories_answer(lines, nothing="It was stated, not learned.")


def version_line(version: Version) -> str:
    return f"- version {version.version}, {version.action}: {memory_line(version.memory)[2:]}"


def use_line(use: Use) -> str:
    return f"- {use.at:%Y-%m-%d %H:%M}, one of {use.memories}"


def _reading(call: ToolCall, filters: dict[str, Any]) -> Book:
    """The caller's book, once they are known to reach every namespace that they name."""
    for name in filters.get("namespaces", ()):
        call.access.book(name, "read")
    return call.book("read")


def _namespaces(call: ToolCall, book: Book, scope: Where | None) -> list[str] | None:
    if scope == "personal":
        return [call.access.book(PERSONAL, "read").namespace]
    return [book.namespace] if scope == "project" else None


def _score(hit: Hit) -> str:
    if hit.why is None:
        return ""
    parts = ", ".join(f"{name} {value:+.2f}" for name, value in hit.why.parts.items())
    return f" (score {hit.score:.2f}: {parts})"
