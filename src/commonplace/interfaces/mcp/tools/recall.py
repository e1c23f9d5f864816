"""Find."""

from datetime import datetime
from typing import Annotated, NotRequired

from mcp.server.mcpserver import MCPServer
from mcp_types import CallToolResult
from pydantic import Field
from typing_extensions import TypedDict

from commonplace.interfaces.mcp.desk import READS, Desk, answer, fenced, line, telling
from commonplace.model import Category, Hit, Kind, Memory, Why


class Found(TypedDict):
    memory: Memory
    score: float
    why: NotRequired[Why]


class Hits(TypedDict):
    """Best first."""

    hits: list[Found]


def add(server: MCPServer, desk: Desk) -> None:
    @server.tool(
        title="Recall",
        annotations=READS,
        meta={"anthropic/alwaysLoad": True},
        description=(
            "Search what was learned in earlier conversations, by meaning and by words. Ask in full sentences with the "
            "names you know. Each hit shows id, kind, category, status, date and tags. `as_of` asks what was true at a "
            "past moment. Nothing found means nothing is known: do not guess."
        ),
    )
    @telling
    def recall(
        query: str,
        namespace: Annotated[str | None, Field(description="Left out: the present project.")] = None,
        tag: str | None = None,
        category: Category | None = None,
        kind: Kind | None = None,
        as_of: datetime | None = None,
        limit: Annotated[int, Field(ge=1, le=50)] = 8,
        explain: Annotated[bool, Field(description="With the parts of each score.")] = False,
    ) -> Annotated[CallToolResult, Hits]:
        hits = desk.book(namespace, "read").recall(
            query,
            limit=limit,
            tags=[tag] if tag else None,
            categories=[category] if category else None,
            kinds=[kind] if kind else None,
            as_of=as_of,
            explain=explain,
        )
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
