"""What can be read of memories beyond `recall`: one of them whole, lists by filter, and how each came about."""

from datetime import datetime
from typing import Annotated, Any, Literal

from mcp.server.mcpserver import MCPServer
from mcp_types import CallToolResult
from pydantic import Field

from commonplace.interfaces.json import evidence as pairs
from commonplace.interfaces.mcp.desk import READS, Desk, answer, fenced, inert, line, telling
from commonplace.model import Category, Kind, Source, Status

Few = Annotated[int, Field(ge=1, le=50)]


def add(server: MCPServer, desk: Desk) -> None:
    _one(server, desk)
    _lists(server, desk)
    _grounds(server, desk)


def _one(server: MCPServer, desk: Desk) -> None:
    @server.tool(title="Get", annotations=READS)
    @telling
    def get(
        id: str, as_of: datetime | None = None, known_at: datetime | None = None, namespace: str | None = None
    ) -> CallToolResult:
        """One memory whole, as it is or as it was."""
        memory = desk.book(namespace, "read").get(id, as_of=as_of, known_at=known_at)
        return answer(fenced([line(memory, whole=True)], nothing=""), memory)

    @server.tool(title="History", annotations=READS)
    @telling
    def history(id: str, namespace: str | None = None) -> CallToolResult:
        """Every version of a memory, oldest first."""
        found = desk.book(namespace, "read").history(id)
        text = fenced((f"- version {one.version}, {one.action}: {line(one.memory)[2:]}" for one in found), nothing="")
        return answer(text, {"versions": found})


def _lists(server: MCPServer, desk: Desk) -> None:
    @server.tool(title="Browse", annotations=READS)
    @telling
    def browse(
        kind: Kind | None = None,
        status: Status | None = None,
        tag: str | None = None,
        kinds: list[Kind] | None = None,
        categories: list[Category] | None = None,
        statuses: list[Status] | None = None,
        sources: list[Source] | None = None,
        tags: list[str] | None = None,
        namespaces: list[str] | None = None,
        since: datetime | None = None,
        until: datetime | None = None,
        as_of: datetime | None = None,
        known_at: datetime | None = None,
        metadata: dict[str, Any] | None = None,
        directive: str | None = None,
        session: str | None = None,
        sort: Literal["newest", "oldest", "importance"] = "newest",
        after: str | None = None,
        limit: Few = 10,
        namespace: str | None = None,
    ) -> CallToolResult:
        """Memories by filter, newest first, a page at a time; `after` is the last id of the page before."""
        book = desk.book(namespace, "read")
        for name in namespaces or ():
            desk.book(name, "read")
        given: dict[str, Any] = {"kinds": kinds or kind, "statuses": statuses or status, "tags": tags or tag}
        given |= {"categories": categories, "sources": sources, "namespaces": namespaces, "metadata": metadata}
        given |= {"since": since, "until": until, "as_of": as_of, "known_at": known_at}
        given |= {"directive": directive, "session": session}
        order = {"newest": sort == "newest", "important": sort == "importance"}
        found = book.browse(after=after, limit=limit, **order, **{name: one for name, one in given.items() if one})
        return answer(fenced(map(line, found), nothing="Nothing fits."), {"memories": found})


def _grounds(server: MCPServer, desk: Desk) -> None:
    @server.tool(title="Evidence", annotations=READS)
    @telling
    def evidence(id: str, namespace: str | None = None) -> CallToolResult:
        """What was said that a memory rests on."""
        book = desk.book(namespace, "read")
        book.get(id)
        found = book.evidence(id)
        text = fenced((line(episode) for episode, _ in found), nothing="It rests on nothing but its own statement.")
        return answer(text, {"evidence": pairs(found)})

    @server.tool(title="Why", annotations=READS)
    @telling
    def why(id: str, namespace: str | None = None) -> CallToolResult:
        """How a belief came about: what was heard and decided."""
        book = desk.book(namespace, "read")
        book.get(id)
        found = book.why(id)
        steps = (f"- {one.action} by {inert(one.by)}: {inert(one.reason)}" for run in found for one in run.steps)
        return answer(fenced(steps, nothing="It was stated, not learned."), {"traces": found})

    @server.tool(title="Uses", annotations=READS)
    @telling
    def uses(id: str, before: str | None = None, limit: Few = 10, namespace: str | None = None) -> CallToolResult:
        """When a memory was on a page made for a prompt, newest first; `before` is the last id of the page before."""
        found = desk.book(namespace, "read").uses(id, before=before, limit=limit)
        lines = [f"- {one.at:%Y-%m-%d %H:%M}, one of {one.memories}" for one in found]
        return answer("\n".join(lines) or "It was on no page lately.", {"uses": found})
