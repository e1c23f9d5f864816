"""The page for a prompt."""

from typing import Annotated

from mcp.server.mcpserver import MCPServer
from mcp_types import CallToolResult
from pydantic import Field
from typing_extensions import TypedDict

from commonplace.interfaces.mcp.desk import READS, Desk, answer, telling


class OnPage(TypedDict):
    """How long the page is, and which memories are on it."""

    tokens: int
    memories: list[str]


def add(server: MCPServer, desk: Desk) -> None:
    @server.tool(
        title="Context",
        annotations=READS,
        description=(
            "One page to start a task with: the profile (core values, most important facts, people and projects) and, "
            "given a query, the best hits for it, within a token budget. For single questions use `recall`."
        ),
    )
    @telling
    def context(
        query: str | None = None,
        tokens: Annotated[int, Field(ge=50, le=20_000)] = 1500,
        limit: Annotated[int, Field(ge=1, le=50)] = 8,
        session: Annotated[str | None, Field(description="Repeats the last turns of that conversation.")] = None,
        guidance: Annotated[bool, Field(description="Adds when to memorize, recall and correct.")] = False,
        skip: Annotated[list[str] | None, Field(description="Ids of memories already shown.")] = None,
        namespace: str | None = None,
    ) -> Annotated[CallToolResult, OnPage]:
        options = {"session": session, "guidance": guidance, "skip": skip or ()}
        page = desk.book(namespace, "read").page(query, tokens=tokens, limit=limit, **options)
        return answer(page.text or "Nothing is known yet.", {"tokens": page.tokens, "memories": list(page.ids)})
