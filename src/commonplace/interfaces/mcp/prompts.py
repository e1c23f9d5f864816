"""Prompts that a person can choose: continue earlier work, decide about what waits for review."""

from typing import Annotated, Any

from mcp.server.mcpserver import MCPServer
from pydantic import Field

from commonplace.interfaces.mcp.access import BookAccess
from commonplace.interfaces.mcp.answers import fenced, memory_line


def add(server: MCPServer[Any], access: BookAccess) -> None:
    @server.prompt(title="Continue earlier work")
    def recover(topic: Annotated[str, Field(description="What the work is about.")] = "") -> str:
        """What is known of the person and of the last conversations."""
        page = access.book(None, "read").context(topic or None, guidance=True)
        return (
            f"{page}\n\nSay in two sentences where we stopped, then go on from there."
            if page
            else "Nothing is known yet."
        )

    @server.prompt(title="Review candidates")
    def review() -> str:
        """The candidates that need the person's decision."""
        waiting = access.book(None, "read").review.list(limit=20)
        text = fenced((memory_line(item.memory) for item in waiting), nothing="Nothing needs review.")
        ask = "Ask me about each of these, one by one: is it right, wrong, or to be corrected? Then record my answer."
        return f"{text}\n\n{ask}" if waiting else text
