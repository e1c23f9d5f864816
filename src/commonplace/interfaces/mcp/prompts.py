"""Prompts that a person can choose: take up the work again, go through what waits."""

from mcp.server.mcpserver import MCPServer

from commonplace.interfaces.mcp.desk import Desk, fenced, line


def add(server: MCPServer, desk: Desk) -> None:
    @server.prompt(title="Take up the work again")
    def recover(topic: str = "") -> str:
        """What is known of the person and of the last conversations, to go on where they stopped."""
        page = desk.book(None, "read").context(topic or None, guidance=True)
        return (
            f"{page}\n\nSay in two sentences where we stopped, then go on from there."
            if page
            else "Nothing is known yet."
        )

    @server.prompt(title="Go through what waits")
    def review() -> str:
        """The candidates that wait for the person's decision."""
        waiting = desk.book(None, "read").review.list(limit=20)
        text = fenced((line(one.memory) for one in waiting), nothing="Nothing waits for review.")
        ask = "Ask me about each of these, one by one: is it right, wrong, or to be corrected? Then record my answer."
        return f"{text}\n\n{ask}" if waiting else text
