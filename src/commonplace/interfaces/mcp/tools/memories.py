"""The verbs on single memories that the default set leaves out."""

from datetime import datetime
from typing import Annotated, Any

from mcp.server.mcpserver import MCPServer, Resolve
from mcp_types import CallToolResult
from pydantic import Field

from commonplace.interfaces.json import evidence as pairs
from commonplace.interfaces.mcp.desk import (
    ADDS,
    CHANGES,
    DESTROYS,
    READS,
    Desk,
    answer,
    done,
    fenced,
    inert,
    line,
    telling,
)
from commonplace.interfaces.mcp.tools.confirming import Consent, asked, must_agree
from commonplace.model import Kind, Message, Role, Status


def add(server: MCPServer, desk: Desk) -> None:
    _reading(server, desk)
    _correcting(server, desk)
    _many(server, desk)

    @server.tool(title="Erase", annotations=DESTROYS, meta={"anthropic/requiresUserInteraction": True})
    @telling
    def erase(
        consent: Annotated[Consent, Resolve(asked)], confirm: bool = False, namespace: str | None = None
    ) -> CallToolResult:
        """Erase a whole namespace, or without one everything of this person, and the keys. Cannot be undone."""
        must_agree(consent)
        return done(desk.whole("admin").erase(confirm=True, namespace=namespace))


def _reading(server: MCPServer, desk: Desk) -> None:
    @server.tool(title="Get", annotations=READS)
    @telling
    def get(
        id: str, as_of: datetime | None = None, known_at: datetime | None = None, namespace: str | None = None
    ) -> CallToolResult:
        """One memory whole, as it is or as it was."""
        memory = desk.book(namespace, "read").get(id, as_of=as_of, known_at=known_at)
        return answer(fenced([line(memory, whole=True)], nothing=""), memory)

    @server.tool(title="Browse", annotations=READS)
    @telling
    def browse(
        kind: Kind | None = None,
        status: Status | None = None,
        tag: str | None = None,
        after: str | None = None,
        limit: Annotated[int, Field(ge=1, le=50)] = 10,
        namespace: str | None = None,
    ) -> CallToolResult:
        """Memories by filter, newest first, a page at a time; `after` is the last id of the page before."""
        found = desk.book(namespace, "read").browse(
            after=after,
            limit=limit,
            kinds=[kind] if kind else None,
            statuses=[status] if status else None,
            tags=[tag] if tag else None,
        )
        return answer(fenced(map(line, found), nothing="Nothing fits."), {"memories": found})

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
    def uses(
        id: str, limit: Annotated[int, Field(ge=1, le=50)] = 10, namespace: str | None = None
    ) -> CallToolResult:
        """When a memory was on a page made for a prompt, newest first."""
        found = desk.book(namespace, "read").uses(id, limit=limit)
        lines = [f"- {one.at:%Y-%m-%d %H:%M}, one of {one.memories}" for one in found]
        return answer("\n".join(lines) or "It was on no page lately.", {"uses": found})

    @server.tool(title="History", annotations=READS)
    @telling
    def history(id: str, namespace: str | None = None) -> CallToolResult:
        """Every version of a memory, oldest first."""
        found = desk.book(namespace, "read").history(id)
        text = fenced((f"- version {one.version}, {one.action}: {line(one.memory)[2:]}" for one in found), nothing="")
        return answer(text, {"versions": found})


def _correcting(server: MCPServer, desk: Desk) -> None:
    @server.tool(title="Confirm", annotations=ADDS)
    @telling
    def confirm(id: str, namespace: str | None = None) -> CallToolResult:
        """Vouch for a memory: it becomes surer. Only a person's own door makes it verified."""
        return done(desk.book(namespace, "write").confirm(id))

    @server.tool(title="Reject", annotations=CHANGES)
    @telling
    def reject(id: str, reason: str | None = None, namespace: str | None = None) -> CallToolResult:
        """Say that a memory is wrong: it stays out of sight and its value cannot come back by itself."""
        return done(desk.book(namespace, "write").reject(id, reason=reason))

    @server.tool(title="Archive", annotations=CHANGES)
    @telling
    def archive(ids: list[str], reason: str | None = None, namespace: str | None = None) -> CallToolResult:
        """Put memories out of sight without judging them; undo brings them back."""
        return done(desk.book(namespace, "write").archive(*ids, reason=reason))

    @server.tool(title="End", annotations=CHANGES)
    @telling
    def end(
        id: str, at: datetime | None = None, reason: str | None = None, namespace: str | None = None
    ) -> CallToolResult:
        """Say that a memory is no longer true: it was, until now or `at`."""
        return done(desk.book(namespace, "write").end(id, at=at, reason=reason))

    @server.tool(title="Rollback", annotations=CHANGES)
    @telling
    def rollback(id: str, to: Annotated[int, Field(ge=1)], namespace: str | None = None) -> CallToolResult:
        """Restore an earlier version as the newest one."""
        return done(desk.book(namespace, "write").rollback(id, to=to))

    @server.tool(title="Useful", annotations=CHANGES)
    @telling
    def useful(id: str, yes: bool = True, namespace: str | None = None) -> CallToolResult:
        """Say whether a memory helped; its importance goes up or down a little."""
        return done(desk.book(namespace, "write").useful(id, yes=yes))


def _many(server: MCPServer, desk: Desk) -> None:
    @server.tool(title="Memorize many", annotations=ADDS)
    @telling
    def remember_many(items: list[str | dict[str, Any]], namespace: str | None = None) -> CallToolResult:
        """Save many memories in one transaction: sentences, or objects with `text`, `category`, `tags` …"""
        allowed = [one if isinstance(one, str) else {**one, "source": None} for one in items]
        return done(desk.book(namespace, "write").remember_many(allowed))

    @server.tool(title="Observe", annotations=ADDS)
    @telling
    def observe(
        messages: list[dict[str, Any]], session: str | None = None, namespace: str | None = None
    ) -> CallToolResult:
        """Keep a conversation word for word: objects with `text`, and optionally `speaker`, `role`, `at`."""
        said = [
            Message(
                str(one.get("text", one.get("content", ""))),
                speaker=one.get("speaker"),
                role=_role(one.get("role")),
                at=one.get("at"),
                metadata=one.get("metadata"),
            )
            for one in messages
        ]
        return done(desk.book(namespace, "write").observe(said, session=session))


def _role(given: Any) -> Role:
    role: Role = given or "user"
    return role
