"""Records and background work: undo, receipts, conversations, audit, maintenance, jobs."""

from typing import Annotated, Any, Literal

from mcp.server.mcpserver import Context, MCPServer
from mcp_types import CallToolResult
from pydantic import Field

from commonplace.errors import Invalid
from commonplace.interfaces.mcp.access import BookAccess
from commonplace.interfaces.mcp.answers import (
    CHANGES,
    READS,
    inert,
    memories_answer,
    receipt_answer,
    text_answer,
)
from commonplace.interfaces.mcp.tools.parameters import Namespace, PageSize
from commonplace.interfaces.mcp.tools.progress import progress_of

Reference = Annotated[str, Field(description="The receipt that a write answered with.")]


def add(server: MCPServer[Any], access: BookAccess) -> None:
    _add_records(server, access)
    _add_background(server, access)


def _add_records(server: MCPServer[Any], access: BookAccess) -> None:
    @server.tool(title="Undo", annotations=CHANGES)
    def undo(ctx: Context, receipt: Reference, namespace: Namespace = None) -> CallToolResult:
        """Undo everything a receipt did; forgetting and erasing cannot be undone."""
        return receipt_answer(access.book(namespace, "write").undo(receipt, progress=progress_of(ctx)))

    @server.tool(title="Receipts", annotations=READS)
    def receipts(
        limit: PageSize = 10,
        before: Annotated[str | None, Field(description="Last receipt of the page before.")] = None,
    ) -> CallToolResult:
        """What was done lately, newest first."""
        receipts = access.all_namespaces("read").receipts.list(limit=limit, before=before)
        lines = [f"- {entry.ref} {entry.at:%Y-%m-%d %H:%M} {entry.action} by {entry.actor}" for entry in receipts]
        return text_answer("\n".join(lines) or "Nothing was done yet.")

    @server.tool(title="Verify a receipt", annotations=READS)
    def verify_receipt(receipt: Reference) -> CallToolResult:
        """Search again for what a forget or an erasure removed."""
        check = access.all_namespaces("read").verify_receipt(receipt)
        return text_answer("\n".join([check.summary, *(f"still there: {place}" for place in check.found)]))

    @server.tool(title="Sessions", annotations=READS)
    def sessions(limit: PageSize = 10, namespace: Namespace = None) -> CallToolResult:
        """Conversations that were kept, the latest to begin first."""
        kept = access.book(namespace, "read").sessions.list(limit=limit)
        lines = (f"- {inert(entry.name)} ({entry.started_at:%Y-%m-%d}, {entry.turns} turns)" for entry in kept)
        return memories_answer(lines, nothing="None was kept.")

    @server.tool(title="Audit", annotations=READS)
    def audit(
        action: Annotated[Literal["list", "verify"], Field(description="What to do.")] = "list",
        after: Annotated[int, Field(ge=0, description="Last number of the page before.")] = 0,
        limit: PageSize = 20,
    ) -> CallToolResult:
        """Who did what, in order; or check that no line was changed."""
        book = access.all_namespaces("read")
        if action == "verify":
            check = book.audit.verify()
            return text_answer(f"OK: {check.lines} lines are unchanged." if check.ok else str(check.problem))
        entries = book.audit.list(after=after, limit=limit)
        lines = [
            f"- {entry.sequence} {entry.at:%Y-%m-%d} {entry.actor} {entry.action} {entry.noun} {entry.target}"
            for entry in entries
        ]
        return text_answer("\n".join(lines) or "No lines.")


def _add_background(server: MCPServer[Any], access: BookAccess) -> None:
    @server.tool(title="Maintenance", annotations=CHANGES)
    def maintain(
        ctx: Context,
        action: Annotated[Literal["run", "reindex", "rotate_keys", "doctor"], Field(description="What to do.")] = "run",
        model: Annotated[str | None, Field(description="reindex: another embedder, before it is set.")] = None,
        full: Annotated[bool, Field(description="doctor: read every row.")] = False,
    ) -> CallToolResult:
        """Run pending work and tidy now; rebuild all indexes; seal with a new key; or check the book."""
        if action == "doctor":
            report = access.whole_store().doctor(full=full, progress=progress_of(ctx))
            lines = [f"- {symptom.grade}: {symptom.check}: {symptom.what}" for symptom in report.symptoms]
            return text_answer("\n".join(lines) or "OK: no problems found.")
        if action == "run":
            work = access.all_namespaces("write").maintain()
            return text_answer(f"{work.jobs} jobs done, {len(work.reports)} changes.")
        book = access.all_namespaces("admin") if model is None else access.whole_store()
        show = progress_of(ctx)
        if action == "reindex":
            return text_answer(f"Reindexed: {book.reindex(model=model, progress=show).count} memories.")
        return text_answer(f"Sealed with a new key: {book.rotate_keys(progress=show).count} records.")

    @server.tool(title="Jobs", annotations=CHANGES)
    def jobs(
        action: Annotated[Literal["list", "retry"], Field(description="What to do.")] = "list",
        id: Annotated[str | None, Field(description="retry: the job.")] = None,
        limit: PageSize = 20,
    ) -> CallToolResult:
        """Background work: pending, failed or done; or try one again."""
        if action == "retry":
            if id is None:
                raise Invalid("to retry, name the job's id")
            job = access.all_namespaces("write").jobs.replay(id)
            return text_answer(f"Job {job.id} is pending again.")
        page = access.all_namespaces("read").jobs.list(limit=limit)
        lines = [f"- {job.id} {job.kind} {job.state}, {job.attempts} attempts" for job in page]
        return text_answer("\n".join(lines) or "No jobs.")
