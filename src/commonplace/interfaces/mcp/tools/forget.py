"""Forget."""

from typing import Annotated

from mcp.server.mcpserver import MCPServer, Resolve

from commonplace.interfaces.mcp.desk import DESTROYS, Desk, Done, done, telling
from commonplace.interfaces.mcp.tools.confirming import Consent, asked_unless_trial, must_agree


def add(server: MCPServer, desk: Desk) -> None:
    @server.tool(
        title="Forget",
        annotations=DESTROYS,
        description=(
            "Forget for good, by id (from `recall`) or by a description (`query`): text, history and quotes are erased "
            "and cannot come back. Only when the person asked for it; dry_run=true shows what would go, confirm=true "
            "does it once they agreed. A description that fits several is refused unless all or best is true. To put "
            "something out of sight so that it can be brought back, archive it instead (id and archive=true)."
        ),
    )
    @telling
    def forget(
        consent: Annotated[Consent, Resolve(asked_unless_trial)],
        id: str | None = None,
        query: str | None = None,
        dry_run: bool = False,
        all: bool = False,
        best: bool = False,
        confirm: bool = False,
        archive: bool = False,
        namespace: str | None = None,
    ) -> Done:
        book = desk.book(namespace, "write")
        if archive and id is not None:
            return done(book.archive(id))
        if not dry_run:
            must_agree(consent)
        return done(book.forget(id, query=query, dry_run=dry_run, all=all, best=best))
