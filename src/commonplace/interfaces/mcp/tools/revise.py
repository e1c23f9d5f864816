"""Correct. Among all tools it changes every field that can be; in the default set those that a model corrects."""

from datetime import datetime
from typing import Annotated, Any

from mcp.server.mcpserver import MCPServer
from pydantic import Field

from commonplace.interfaces.mcp.desk import CHANGES, Desk, Done, done, telling
from commonplace.model import Category

DESCRIPTION = (
    "Correct a memory: give its id (from `recall`), or describe it (`query`), and the right text. The old text stays "
    "in its history and cannot come back by itself. Also changes category, importance or tags; what you leave out "
    "stays. A description that fits several is refused unless best=true; dry_run=true only shows what would be."
)
Share = Annotated[float | None, Field(ge=0, le=1)]
Seen = Annotated[int | None, Field(ge=1, description="Refused if another version than this one stands.")]


def add(server: MCPServer, desk: Desk) -> None:
    @server.tool(title="Revise", annotations=CHANGES, description=DESCRIPTION)
    @telling
    def revise(
        id: str | None = None,
        text: str | None = None,
        query: str | None = None,
        reason: str | None = None,
        category: Category | None = None,
        importance: Share = None,
        tags: list[str] | None = None,
        dry_run: bool = False,
        best: bool = False,
        namespace: str | None = None,
    ) -> Done:
        given = _given(category=category, importance=importance, tags=tags)
        book = desk.book(namespace, "write")
        return done(book.revise(id, text, query=query, reason=reason, dry_run=dry_run, best=best, **given))


def add_whole(server: MCPServer, desk: Desk) -> None:
    @server.tool(title="Revise", annotations=CHANGES, description=DESCRIPTION)
    @telling
    def revise(
        id: str | None = None,
        text: str | None = None,
        query: str | None = None,
        reason: str | None = None,
        category: Category | None = None,
        importance: Share = None,
        confidence: Share = None,
        pinned: bool | None = None,
        tags: list[str] | None = None,
        metadata: dict[str, Any] | None = None,
        valid_from: datetime | None = None,
        valid_to: datetime | None = None,
        expires_at: datetime | None = None,
        expected: Seen = None,
        dry_run: bool = False,
        best: bool = False,
        namespace: str | None = None,
    ) -> Done:
        given = _given(category=category, importance=importance, confidence=confidence, pinned=pinned, tags=tags)
        given |= _given(metadata=metadata, valid_from=valid_from, valid_to=valid_to, expires_at=expires_at)
        given |= _given(reason=reason, expected=expected)
        return done(desk.book(namespace, "write").revise(id, text, query=query, dry_run=dry_run, best=best, **given))


def _given(**fields: Any) -> dict[str, Any]:
    return {name: value for name, value in fields.items() if value is not None}
