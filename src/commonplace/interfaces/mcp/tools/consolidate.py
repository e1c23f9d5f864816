"""Maintain the memory: counts, an earlier version, prune, merge."""

from typing import Annotated, Any, Literal

from mcp.server.mcpserver import Context, MCPServer
from mcp_types import CallToolResult
from pydantic import Field

from commonplace.batches.report import Report
from commonplace.errors import Invalid
from commonplace.interfaces.mcp.access import BookAccess
from commonplace.interfaces.mcp.answers import CHANGES, VERBS, preview, receipt_answer, text_answer
from commonplace.interfaces.mcp.tools.parameters import DryRun, Namespace, OptionalId
from commonplace.interfaces.mcp.tools.progress import progress_of
from commonplace.protocol import Book


def add(server: MCPServer[Any], access: BookAccess) -> None:
    @server.tool(
        title="Consolidate",
        annotations=CHANGES,
        description=(
            "Maintain the memory. stats: counts. rollback: restore version `to` of memory `id`. prune: archive what is "
            "unimportant and old. merge: fold identical memories into one. prune and merge only show what they would "
            "do unless dry_run=false; both can be undone."
        ),
    )
    def consolidate(
        ctx: Context,
        action: Annotated[Literal["stats", "rollback", "prune", "merge"], Field(description="What to do.")],
        id: OptionalId = None,
        to: Annotated[int | None, Field(ge=1, description="Version number.")] = None,
        dry_run: DryRun = True,
        namespace: Namespace = None,
    ) -> CallToolResult:
        if action == "stats":
            stats = access.all_namespaces("read").stats()
            kinds = ", ".join(f"{count} {kind}" for kind, count in sorted(stats.kinds.items()))
            return text_answer(f"{stats.memories} memories ({kinds}). {stats.prunable} could be pruned.")
        book = access.book(namespace, "read" if dry_run and action != "rollback" else "write")
        if action == "rollback":
            if id is None or to is None:
                raise Invalid("to roll back, name the memory (`id`) and the version (`to`); memory_history lists them")
            return receipt_answer(book.rollback(id, to=to))
        tidy = book.prune if action == "prune" else book.merge
        return _report(book, tidy(dry_run=dry_run, progress=progress_of(ctx)))


def _report(book: Book, report: Report) -> CallToolResult:
    count = f"{report.count} {'memory' if report.count == 1 else 'memories'}"
    verb = report.action.lower()
    if report.dry_run:
        text = f"Nothing was changed. A {verb} would change {count}."
        if not report.count:
            return text_answer(text)
        shown = preview(book, [finding.id for finding in report.findings])
        return text_answer(f"{text}\n{shown}\nCall again with dry_run=false to {verb} them.")
    undo = f" To undo: receipt {report.receipt}." if report.receipt else ""
    return text_answer(f"{VERBS[report.action]}: {count}.{undo}")
