"""Correct."""

from typing import Annotated, Any

from mcp.server.mcpserver import MCPServer
from pydantic import Field

from commonplace.interfaces.mcp.desk import CHANGES, Desk, Done, done, telling
from commonplace.model import Category


def add(server: MCPServer, desk: Desk) -> None:
    @server.tool(
        title="Revise",
        annotations=CHANGES,
        description=(
            "Correct a memory: give its id (from `recall`), or describe it (`query`), and the right text. "
            "The old text stays in its history and "
            "cannot come back by itself. Also changes category, importance or tags; what you leave out stays."
        ),
    )
    @telling
    def revise(
        id: str | None = None,
        text: str | None = None,
        query: str | None = None,
        reason: str | None = None,
        category: Category | None = None,
        importance: Annotated[float | None, Field(ge=0, le=1)] = None,
        tags: list[str] | None = None,
        namespace: str | None = None,
    ) -> Done:
        given = {"category": category, "importance": importance, "tags": tags}
        fields: dict[str, Any] = {name: value for name, value in given.items() if value is not None}
        return done(desk.book(namespace, "write").revise(id, text, query=query, reason=reason, **fields))
