"""Forget."""

from typing import Annotated

from mcp.server.mcpserver import MCPServer, Resolve
from mcp_types import CallToolResult

from commonplace.interfaces.mcp.desk import DESTROYS, Desk, done, telling
from commonplace.interfaces.mcp.tools.confirming import Consent, asked, must_agree


def add(server: MCPServer, desk: Desk) -> None:
    @server.tool(
        title="Forget",
        annotations=DESTROYS,
        description=(
            "Forget a memory for good, by id (from `recall`): its text, its history and its quotes are erased and it "
            "cannot come back. Only when the person asked for it; pass confirm=true once they agreed. To put something "
            "out of sight so that it can be brought back, archive it instead (archive=true)."
        ),
    )
    @telling
    def forget(
        id: str,
        consent: Annotated[Consent, Resolve(asked)],
        confirm: bool = False,
        archive: bool = False,
        namespace: str | None = None,
    ) -> CallToolResult:
        book = desk.book(namespace, "write")
        if archive:
            return done(book.archive(id))
        must_agree(consent)
        return done(book.forget(id))
