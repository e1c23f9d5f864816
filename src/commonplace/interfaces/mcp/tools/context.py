"""The page for a prompt."""

from datetime import datetime
from typing import Annotated, Any

from mcp.server.mcpserver import MCPServer
from mcp_types import CallToolResult
from pydantic import Field

from commonplace.interfaces.mcp.access import BookAccess
from commonplace.interfaces.mcp.answers import READS, text_answer
from commonplace.interfaces.mcp.tools.parameters import Namespace, rare


def add(server: MCPServer[Any], access: BookAccess) -> None:
    @server.tool(
        title="Context",
        annotations=READS,
        description=(
            "One page to start a task with: the profile (core values, most important facts, people and projects) and, "
            "given a query, the best hits for it. For single questions use memory_recall."
        ),
    )
    def context(
        query: Annotated[str | None, Field(description="The task.")] = None,
        tokens: Annotated[int, Field(ge=50, le=20_000, description="Longest page.")] = 1500,
        limit: Annotated[int | None, rare("Hits.", ge=1, le=50)] = None,
        session: Annotated[str | None, rare("Adds that conversation's last turns.")] = None,
        guidance: Annotated[bool, rare("Adds how to use the memory.")] = False,
        skip: Annotated[list[str] | None, rare("Ids already shown.")] = None,
        as_of: Annotated[datetime | None, rare("What was true then.")] = None,
        known_at: Annotated[datetime | None, rare("What was known then.")] = None,
        namespace: Namespace = None,
    ) -> CallToolResult:
        book = access.book(namespace, "read")
        when = {"as_of": as_of, "known_at": known_at}
        page = book.page(query, tokens=tokens, limit=limit, session=session, guidance=guidance, skip=skip or (), **when)
        return text_answer(page.text or "Nothing is known yet.")
