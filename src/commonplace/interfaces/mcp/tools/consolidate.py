"""Look after the book: how it stands, back to an earlier version, prune, merge."""

from typing import Annotated, Literal

from mcp.server.mcpserver import MCPServer
from mcp_types import CallToolResult
from pydantic import Field

from commonplace.errors import Invalid
from commonplace.interfaces.mcp.desk import CHANGES, Desk, answer, done, telling
from commonplace.maintenance.report import Report


def add(server: MCPServer, desk: Desk) -> None:
    @server.tool(
        title="Consolidate",
        annotations=CHANGES,
        description=(
            "Look after the memory. action=stats: how many there are and how the book stands. action=rollback: restore "
            "version `to` of memory `id`. action=prune: archive what is unimportant and old; action=merge: fold "
            "identical memories into one. prune and merge only show what they would do unless dry_run=false, and can "
            "be taken back by their receipt."
        ),
    )
    @telling
    def consolidate(
        action: Literal["stats", "rollback", "prune", "merge"],
        id: str | None = None,
        to: Annotated[int | None, Field(ge=1)] = None,
        dry_run: bool = True,
        namespace: str | None = None,
    ) -> CallToolResult:
        if action == "stats":
            found = desk.whole("read").stats()
            kinds = ", ".join(f"{count} {kind}" for kind, count in sorted(found.kinds.items()))
            return answer(f"{found.memories} memories ({kinds}). {found.prunable} could be pruned.", found)
        book = desk.book(namespace, "read" if dry_run and action != "rollback" else "write")
        if action == "rollback":
            if id is None or to is None:
                raise Invalid("to roll back, name the memory (`id`) and the version (`to`); `history` lists them")
            return done(book.rollback(id, to=to))
        return _told(book.prune(dry_run=dry_run) if action == "prune" else book.merge(dry_run=dry_run))


def _told(report: Report) -> CallToolResult:
    verb = "would change" if report.dry_run else "changed"
    back = f" Undo with receipt {report.receipt}." if report.receipt else ""
    more = " Call again with dry_run=false to do it." if report.dry_run and report.count else ""
    return answer(f"{report.action} {verb} {report.count} memories.{back}{more}", report)
