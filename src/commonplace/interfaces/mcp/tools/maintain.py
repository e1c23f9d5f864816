"""Look after the memory: tidy, undo, records, background work, namespaces, and what waits for a person."""

from typing import Literal

from mcp_types import CallToolResult

from commonplace.batches.report import Report
from commonplace.errors import Invalid
from commonplace.interfaces.mcp.answers import (
    VERBS,
    inert,
    memories_answer,
    memory_line,
    preview,
    receipt_answer,
    text_answer,
)
from commonplace.interfaces.mcp.tools.tool import ToolCall
from commonplace.memories.audit import AuditCheck, AuditLine
from commonplace.memories.jobs import Job
from commonplace.memories.review import Waiting
from commonplace.memories.sessions import Session
from commonplace.memories.verifying import Verification
from commonplace.model import Receipt
from commonplace.protocol import Book
from commonplace.upkeep.schedule import Round


def consolidate(
    call: ToolCall,
    action: Literal["stats", "rollback", "prune", "merge"],
    id: str | None = None,
    to: int | None = None,
    dry_run: bool = True,
) -> CallToolResult:
    if action == "stats":
        stats = call.access.all_namespaces("read").stats()
        kinds = ", ".join(f"{count} {kind}" for kind, count in sorted(stats.kinds.items()))
        return text_answer(f"{stats.memories} memories ({kinds}). {stats.prunable} could be pruned.")
    book = call.book("read" if dry_run and action != "rollback" else "write")
    if action == "rollback":
        if id is None or to is None:
            raise Invalid("to roll back, name the memory (`id`) and the version (`to`); memory_history lists them")
        return receipt_answer(book.rollback(id, to=to))
    tidy = book.prune if action == "prune" else book.merge
    return _report(book, tidy(dry_run=dry_run, progress=call.progress))


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


def reindex(call: ToolCall, model: str | None = None) -> CallToolResult:
    book = call.access.all_namespaces("admin") if model is None else call.access.whole_store()
    return text_answer(f"Reindexed: {book.reindex(model=model, progress=call.progress).count} memories.")


def doctor(call: ToolCall, full: bool = False) -> CallToolResult:
    diagnosis = call.access.whole_store().doctor(full=full, progress=call.progress)
    lines = [f"- {symptom.grade}: {symptom.check}: {symptom.what}" for symptom in diagnosis.symptoms]
    return text_answer("\n".join(lines) or "OK: no problems found.")


def namespaces(call: ToolCall) -> CallToolResult:
    book = call.access.all_namespaces("read")
    shared = {space.name: space for space in book.sharing.list()}
    lines = []
    for space in book.namespaces.list():
        about = ""
        if space.name in shared:
            people = ", ".join(inert(member.person) for member in shared[space.name].members)
            about = f" (shared; you are {shared[space.name].role}; members: {people})"
        lines.append(f"- {inert(space.name)}{about}")
    return memories_answer(lines, nothing="None.")


def move(call: ToolCall, to: str, ids: list[str] | None = None) -> CallToolResult:
    target = call.access.book(to, "write")
    return receipt_answer(call.book("write").namespaces.move(ids or (), to=target.namespace))


def receipt_line(receipt: Receipt) -> str:
    return f"- {receipt.ref} {receipt.at:%Y-%m-%d %H:%M} {receipt.action} by {receipt.actor}"


def session_line(session: Session) -> str:
    return f"- {inert(session.name)} ({session.started_at:%Y-%m-%d}, {session.turns} turns)"


def audit_line(line: AuditLine) -> str:
    return f"- {line.sequence} {line.at:%Y-%m-%d} {line.actor} {line.action} {line.noun} {line.target}"


def job_line(job: Job) -> str:
    return f"- {job.id} {job.kind} {job.state}, {job.attempts} attempts"


def waiting_line(waiting: Waiting) -> str:
    return f"{memory_line(waiting.memory)} (why: {inert(waiting.reason)})"


def round_line(maintenance: Round) -> str:
    return f"{maintenance.jobs} jobs done, {len(maintenance.reports)} changes."


def rotation_line(rotation: Report) -> str:
    return f"Sealed with a new key: {rotation.count} records."


def retried_line(job: Job) -> str:
    return f"Job {job.id} is pending again."


def verification_lines(check: Verification) -> str:
    return "\n".join([check.summary, *(f"still there: {place}" for place in check.found)])


def check_line(check: AuditCheck) -> str:
    return f"OK: {check.lines} lines are unchanged." if check.ok else str(check.problem)
