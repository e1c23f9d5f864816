"""Verbs that change single memories, or keep many, beyond the default set."""

from datetime import datetime
from typing import Annotated, Any

from mcp.server.mcpserver import MCPServer, Resolve
from mcp_types import CallToolResult
from pydantic import BaseModel, ConfigDict, Field

from commonplace.interfaces.mcp.desk import ADDS, CHANGES, DESTROYS, Desk, done, telling
from commonplace.interfaces.mcp.tools.confirming import Consent, asked, must_agree
from commonplace.interfaces.mcp.tools.revise import Seen
from commonplace.model import Category, Kind, Message, Role


class New(BaseModel):
    """One memory to keep."""

    model_config = ConfigDict(extra="forbid")
    text: str
    kind: Kind = "associative"
    category: Category = "context"
    key: str | None = None
    importance: float | None = Field(None, ge=0, le=1)
    confidence: float | None = Field(None, ge=0, le=1)
    tags: list[str] = []
    valid_from: datetime | None = None
    valid_to: datetime | None = None
    expires_at: datetime | None = None
    pinned: bool = False
    metadata: dict[str, Any] | None = None


def add(server: MCPServer, desk: Desk) -> None:
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


def _correcting(server: MCPServer, desk: Desk) -> None:
    @server.tool(title="Confirm", annotations=ADDS)
    @telling
    def confirm(id: str, expected: Seen = None, namespace: str | None = None) -> CallToolResult:
        """Vouch for a memory: it becomes surer. Only a person's own door makes it verified."""
        return done(desk.book(namespace, "write").confirm(id, expected=expected))

    @server.tool(title="Reject", annotations=CHANGES)
    @telling
    def reject(
        id: str, reason: str | None = None, expected: Seen = None, namespace: str | None = None
    ) -> CallToolResult:
        """Say that a memory is wrong: it stays out of sight and its value cannot come back by itself."""
        return done(desk.book(namespace, "write").reject(id, reason=reason, expected=expected))

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
    def rollback(
        id: str, to: Annotated[int, Field(ge=1)], expected: Seen = None, namespace: str | None = None
    ) -> CallToolResult:
        """Restore an earlier version as the newest one."""
        return done(desk.book(namespace, "write").rollback(id, to=to, expected=expected))

    @server.tool(title="Useful", annotations=CHANGES)
    @telling
    def useful(id: str, yes: bool = True, namespace: str | None = None) -> CallToolResult:
        """Say whether a memory helped; its importance goes up or down a little."""
        return done(desk.book(namespace, "write").useful(id, yes=yes))


def _many(server: MCPServer, desk: Desk) -> None:
    @server.tool(title="Memorize many", annotations=ADDS)
    @telling
    def remember_many(items: list[str | New], namespace: str | None = None) -> CallToolResult:
        """Save many memories in one transaction: sentences, or objects with every field a memory may be given."""
        given = [one if isinstance(one, str) else one.model_dump(exclude_none=True) for one in items]
        return done(desk.book(namespace, "write").remember_many(given))

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
