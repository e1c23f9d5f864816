"""Find. Among all tools it takes every filter of a question; in the default set those that a model asks by."""

from datetime import datetime
from typing import Annotated, Any, NotRequired

from mcp.server.mcpserver import MCPServer
from mcp_types import CallToolResult
from pydantic import Field
from typing_extensions import TypedDict

from commonplace.book import Commonplace
from commonplace.interfaces.mcp.desk import READS, Desk, answer, fenced, line, telling
from commonplace.model import Category, Hit, Kind, Memory, Source, Status, Why

DESCRIPTION = (
    "Search what was learned in earlier conversations, by meaning and by words. Ask in full sentences with the names "
    "you know. Each hit shows id, kind, category, status, date and tags. `as_of` asks what was true at a past moment, "
    "`known_at` what was known then. Nothing found means nothing is known: do not guess."
)
ALWAYS = {"anthropic/alwaysLoad": True}
Here = Annotated[str | None, Field(description="Left out: the present project.")]
Few = Annotated[int, Field(ge=1, le=50)]
Parts = Annotated[bool, Field(description="With the parts of each score.")]


class Found(TypedDict):
    memory: Memory
    score: float
    why: NotRequired[Why]


class Hits(TypedDict):
    """Best first."""

    hits: list[Found]


def add(server: MCPServer, desk: Desk) -> None:
    @server.tool(title="Recall", annotations=READS, meta=ALWAYS, description=DESCRIPTION)
    @telling
    def recall(
        query: str,
        namespace: Here = None,
        tag: str | None = None,
        category: Category | None = None,
        kind: Kind | None = None,
        as_of: datetime | None = None,
        known_at: datetime | None = None,
        limit: Few = 8,
        explain: Parts = False,
    ) -> Annotated[CallToolResult, Hits]:
        given = {"tags": tag, "categories": category, "kinds": kind, "as_of": as_of, "known_at": known_at}
        return _shown(desk.book(namespace, "read"), query, limit, explain, given)


def add_whole(server: MCPServer, desk: Desk) -> None:
    @server.tool(title="Recall", annotations=READS, meta=ALWAYS, description=DESCRIPTION)
    @telling
    def recall(
        query: str,
        namespace: Here = None,
        tag: str | None = None,
        category: Category | None = None,
        kind: Kind | None = None,
        as_of: datetime | None = None,
        known_at: datetime | None = None,
        limit: Few = 8,
        explain: Parts = False,
        tags: list[str] | None = None,
        categories: list[Category] | None = None,
        kinds: list[Kind] | None = None,
        statuses: list[Status] | None = None,
        sources: list[Source] | None = None,
        namespaces: Annotated[list[str] | None, Field(description="Search these instead.")] = None,
        since: datetime | None = None,
        until: datetime | None = None,
        metadata: dict[str, Any] | None = None,
        directive: str | None = None,
        session: str | None = None,
        recipe: str | None = None,
    ) -> Annotated[CallToolResult, Hits]:
        book = desk.book(namespace, "read")
        for name in namespaces or ():
            desk.book(name, "read")
        given = {
            "tags": tags or tag,
            "categories": categories or category,
            "kinds": kinds or kind,
            "statuses": statuses,
            "sources": sources,
            "namespaces": namespaces,
            "since": since,
            "until": until,
            "as_of": as_of,
            "known_at": known_at,
            "metadata": metadata,
            "directive": directive,
            "session": session,
            "recipe": recipe,
        }
        return _shown(book, query, limit, explain, given)


def _shown(book: Commonplace, query: str, limit: int, explain: bool, given: dict[str, Any]) -> CallToolResult:
    hits = book.recall(query, limit=limit, explain=explain, **{name: one for name, one in given.items() if one})
    text = fenced((line(hit.memory) + _scored(hit) for hit in hits), nothing="Nothing is known about that.")
    return answer(text, {"hits": [_found(hit) for hit in hits]})


def _scored(hit: Hit) -> str:
    if hit.why is None:
        return ""
    parts = ", ".join(f"{name} {value:+.2f}" for name, value in hit.why.parts.items())
    return f" (score {hit.score:.2f}: {parts})"


def _found(hit: Hit) -> Found:
    found = Found(memory=hit.memory, score=hit.score)
    if hit.why is not None:
        found["why"] = hit.why
    return found
