"""Reading beyond ``memory_recall``: one memory whole, lists by filter, and how each came about."""

from typing import Annotated, Any, Literal

from mcp.server.mcpserver import MCPServer
from mcp_types import CallToolResult
from pydantic import Field

from commonplace.interfaces.mcp.access import BookAccess
from commonplace.interfaces.mcp.answers import READS, inert, memories_answer, memory_line, text_answer
from commonplace.interfaces.mcp.tools.parameters import (
    FILTER_WORDS,
    FILTERS,
    After,
    AsOf,
    KnownAt,
    Limit,
    MemoryId,
    Namespace,
    rare,
    taking,
)
from commonplace.model import Kind, Status

BROWSE_FILTERS = tuple(field for field in FILTERS if field.name != "recipe")


def add(server: MCPServer[Any], access: BookAccess) -> None:
    _add_single(server, access)
    _add_lists(server, access)
    _add_grounds(server, access)


def _add_single(server: MCPServer[Any], access: BookAccess) -> None:
    @server.tool(title="Get", annotations=READS)
    def get(id: MemoryId, as_of: AsOf = None, known_at: KnownAt = None, namespace: Namespace = None) -> CallToolResult:
        """One memory whole, as it is or as it was."""
        memory = access.book(namespace, "read").get(id, as_of=as_of, known_at=known_at)
        return memories_answer([memory_line(memory, whole=True)], nothing="")

    @server.tool(title="History", annotations=READS)
    def history(id: MemoryId, namespace: Namespace = None) -> CallToolResult:
        """Every version of a memory, oldest first."""
        versions = access.book(namespace, "read").history(id)
        lines = (f"- version {entry.version}, {entry.action}: {memory_line(entry.memory)[2:]}" for entry in versions)
        return memories_answer(lines, nothing="")


def _add_lists(server: MCPServer[Any], access: BookAccess) -> None:
    @server.tool(title="Browse", annotations=READS)
    @taking(BROWSE_FILTERS, FILTER_WORDS)
    def browse(
        kind: Annotated[Kind | None, Field(description="Only this kind.")] = None,
        status: Annotated[Status | None, Field(description="Only this status.")] = None,
        tag: Annotated[str | None, Field(description="Only with this tag.")] = None,
        as_of: AsOf = None,
        known_at: KnownAt = None,
        sort: Annotated[Literal["newest", "oldest", "importance"], Field(description="Order.")] = "newest",
        after: After = None,
        limit: Limit = 10,
        namespace: Namespace = None,
        glossary_tag: Annotated[str | None, rare("Same as tag.")] = None,
        **filters: Any,
    ) -> CallToolResult:
        """Memories by filter, newest first, a page at a time."""
        book = access.book(namespace, "read")
        for name in filters.get("namespaces", ()):
            access.book(name, "read")
        single: dict[str, Any] = {"kinds": kind, "statuses": status, "tags": tag or glossary_tag}
        single |= {"as_of": as_of, "known_at": known_at}
        filters = {**single, **filters}
        filters |= {"newest": sort == "newest", "important": sort == "importance"}
        chosen = {name: value for name, value in filters.items() if value not in (None, [])}
        page = book.browse(after=after, limit=limit, **chosen)
        return memories_answer(map(memory_line, page), nothing="Nothing fits.")


def _add_grounds(server: MCPServer[Any], access: BookAccess) -> None:
    @server.tool(title="Evidence", annotations=READS)
    def evidence(id: MemoryId, namespace: Namespace = None) -> CallToolResult:
        """What was said that a memory rests on."""
        book = access.book(namespace, "read")
        book.get(id)
        episodes = [episode for episode, _ in book.evidence(id)]
        return memories_answer(map(memory_line, episodes), nothing="It rests on nothing but its own statement.")

    @server.tool(title="Why", annotations=READS)
    def why(id: MemoryId, namespace: Namespace = None) -> CallToolResult:
        """How a belief came about: what was heard and decided."""
        book = access.book(namespace, "read")
        book.get(id)
        steps = (step for trace in book.why(id) for step in trace.steps)
        lines = (f"- {step.action} by {inert(step.by)}: {inert(step.reason)}" for step in steps)
        return memories_answer(lines, nothing="It was stated, not learned.")

    @server.tool(title="Uses", annotations=READS)
    def uses(
        id: MemoryId,
        before: Annotated[str | None, Field(description="Last id of the page before.")] = None,
        limit: Limit = 10,
        namespace: Namespace = None,
    ) -> CallToolResult:
        """When a memory was on a page made for a prompt, newest first."""
        uses = access.book(namespace, "read").uses(id, before=before, limit=limit)
        lines = [f"- {use.at:%Y-%m-%d %H:%M}, one of {use.memories}" for use in uses]
        return text_answer("\n".join(lines) or "It was on no page lately.")
