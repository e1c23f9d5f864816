"""What was done: receipts, undo, the audit, jobs, conversations."""

from typing import Annotated, Literal

from mcp.server.mcpserver import MCPServer
from mcp_types import CallToolResult
from pydantic import Field

from commonplace.errors import Invalid
from commonplace.interfaces.mcp.desk import CHANGES, READS, Desk, answer, done, fenced, inert, telling

Few = Annotated[int, Field(ge=1, le=100)]


def add(server: MCPServer, desk: Desk) -> None:
    _done(server, desk)
    _background(server, desk)


def _done(server: MCPServer, desk: Desk) -> None:
    @server.tool(title="Undo", annotations=CHANGES)
    @telling
    def undo(receipt: str, namespace: str | None = None) -> CallToolResult:
        """Take back everything a receipt did; forgetting and erasing cannot be."""
        return done(desk.book(namespace, "write").undo(receipt))

    @server.tool(title="Receipts", annotations=READS)
    @telling
    def receipts(limit: Few = 10, before: str | None = None) -> CallToolResult:
        """What was done lately, newest first."""
        found = desk.whole("read").receipts.list(limit=limit, before=before)
        lines = [f"- {one.ref} {one.at:%Y-%m-%d %H:%M} {one.action} by {one.actor}: {one.state}" for one in found]
        return answer("\n".join(lines) or "Nothing was done yet.", {"receipts": found})

    @server.tool(title="Verify a receipt", annotations=READS)
    @telling
    def verify_receipt(receipt: str) -> CallToolResult:
        """Search again for what a forget or an erasure took away."""
        found = desk.whole("read").verify_receipt(receipt)
        return answer("It is gone." if found.gone else f"{found.state}; still there: {', '.join(found.found)}", found)

    @server.tool(title="Sessions", annotations=READS)
    @telling
    def sessions(limit: Few = 10, namespace: str | None = None) -> CallToolResult:
        """Conversations that were kept, the latest to begin first."""
        found = desk.book(namespace, "read").sessions.list(limit=limit)
        lines = (f"- {inert(one.name)} ({one.started_at:%Y-%m-%d}, {one.turns} turns)" for one in found)
        return answer(fenced(lines, nothing="None was kept."), {"sessions": found})

    @server.tool(title="Audit", annotations=READS)
    @telling
    def audit(
        action: Literal["list", "verify"] = "list", after: Annotated[int, Field(ge=0)] = 0, limit: Few = 20
    ) -> CallToolResult:
        """Who did what, in order; or check that no line was changed."""
        book = desk.whole("read")
        if action == "verify":
            check = book.audit.verify()
            return answer(f"{check.lines} lines, whole." if check.ok else str(check.problem), check)
        found = book.audit.list(after=after, limit=limit)
        lines = [
            f"- {one.sequence} {one.at:%Y-%m-%d} {one.actor} {one.action} {one.noun} {one.target}" for one in found
        ]
        return answer("\n".join(lines) or "No lines.", {"audit": found})


def _background(server: MCPServer, desk: Desk) -> None:
    @server.tool(title="Maintenance", annotations=CHANGES)
    @telling
    def maintain(
        action: Literal["run", "reindex", "rotate_keys", "doctor"] = "run",
        model: Annotated[str | None, Field(description="reindex: another embedder's vectors, before it is set")] = None,
        full: Annotated[bool, Field(description="doctor: read every row")] = False,
    ) -> CallToolResult:
        """Run what waits and tidy now; make all indexes anew; seal with a new key; or look the book over."""
        if action == "doctor":
            found = desk.house().doctor(full=full)
            lines = [f"- {one.grade}: {one.check}: {one.what}" for one in found.symptoms]
            return answer("\n".join(lines) or "The book is sound.", found)
        if action == "run":
            round = desk.whole("write").maintain()
            return answer(f"{round.jobs} jobs done, {len(round.reports)} acts.", round)
        book = desk.whole("admin") if model is None else desk.house()
        report = book.reindex(model=model) if action == "reindex" else book.rotate_keys()
        return answer(f"{report.action}: {report.count}.", report)

    @server.tool(title="Jobs", annotations=CHANGES)
    @telling
    def jobs(action: Literal["list", "retry"] = "list", id: str | None = None, limit: Few = 20) -> CallToolResult:
        """Background work: what waits, failed, or is done; or try one again."""
        if action == "retry":
            if id is None:
                raise Invalid("to retry, name the job's id")
            job = desk.whole("write").jobs.replay(id)
            return answer(f"Job {job.id} waits again.", job)
        found = desk.whole("read").jobs.list(limit=limit)
        lines = [f"- {one.id} {one.kind} {one.state}, {one.attempts} attempts" for one in found]
        return answer("\n".join(lines) or "No jobs.", {"jobs": found})
