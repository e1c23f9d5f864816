"""Find memories by a question and filters."""

from typing import Annotated, Any

from mcp.server.mcpserver import MCPServer
from mcp_types import CallToolResult
from pydantic import Field

from commonplace.interfaces.mcp.access import BookAccess, Where
from commonplace.interfaces.mcp.answers import READS, memories_answer, memory_line
from commonplace.interfaces.mcp.tools.parameters import (
    FILTER_WORDS,
    FILTERS,
    AsOf,
    KnownAt,
    Limit,
    Namespace,
    rare,
    taking,
)
from commonplace.model import PERSONAL, Category, Hit, Kind
from commonplace.protocol import Book

DESCRIPTION = (
    "Search what was learned in earlier conversations, by meaning and by words. Ask in full sentences with the names "
    "you know. Each hit shows id, category, status, date and tags. Nothing found means nothing is known: do not guess."
)


def add(server: MCPServer[Any], access: BookAccess) -> None:
    @server.tool(title="Recall", annotations=READS, meta={"anthropic/alwaysLoad": True}, description=DESCRIPTION)
    @taking(FILTERS, FILTER_WORDS)
    def recall(
        query: Annotated[str, Field(description="A question in full words.")],
        scope: Annotated[Where | None, Field(description="Only personal or only project. Default: both.")] = None,
        glossary_tag: Annotated[str | None, Field(description="Only with this tag.")] = None,
        category: Annotated[Category | None, Field(description="Only this category.")] = None,
        as_of: AsOf = None,
        known_at: KnownAt = None,
        limit: Limit = 8,
        kind: Annotated[Kind | None, rare("Only this kind.")] = None,
        explain: Annotated[bool, rare("With the parts of each score.")] = False,
        namespace: Namespace = None,
        tag: Annotated[str | None, rare("Same as glossary_tag.")] = None,
        **filters: Any,
    ) -> CallToolResult:
        book = access.book(namespace, "read")
        for name in filters.get("namespaces", ()):
            access.book(name, "read")
        single: dict[str, Any] = {
            "tags": glossary_tag or tag,
            "categories": category,
            "kinds": kind,
            "as_of": as_of,
            "known_at": known_at,
        }
        single["namespaces"] = _namespaces(access, book, scope)
        chosen: dict[str, Any] = {name: value for name, value in {**single, **filters}.items() if value}
        hits = book.recall(query, limit=limit, explain=explain, **chosen)
        lines = (memory_line(hit.memory) + _score(hit) for hit in hits)
        return memories_answer(lines, nothing="Nothing is known about that.")


def _namespaces(access: BookAccess, book: Book, scope: Where | None) -> list[str] | None:
    if scope == "personal":
        return [access.book(PERSONAL, "read").namespace]
    return [book.namespace] if scope == "project" else None


def _score(hit: Hit) -> str:
    if hit.why is None:
        return ""
    parts = ", ".join(f"{name} {value:+.2f}" for name, value in hit.why.parts.items())
    return f" (score {hit.score:.2f}: {parts})"
