"""What was done: receipts, the audit, jobs."""

from typing import Annotated, Literal

from fastapi import APIRouter, Query
from starlette.responses import Response

from commonplace.interfaces.rest import shapes
from commonplace.interfaces.rest.answers import Json, listed
from commonplace.interfaces.rest.call import Read, Write
from commonplace.interfaces.rest.shapes import Count, Limit, Name

router = APIRouter(prefix="/v1", tags=["records"])


@router.get("/receipts", response_model=shapes.page_of(shapes.Receipt, "Receipt"))
def list_receipts(
    call: Read, actions: Annotated[list[Name] | None, Query()] = None, cursor: Name | None = None, limit: Limit = 50
) -> Response:
    """Newest first. Statements are not kept with receipts."""
    receipts = call.whole.receipts.list(actions=actions or (), before=cursor, limit=limit + 1)
    return listed(receipts, limit=limit, cursor=receipts[limit - 1].ref if len(receipts) > limit else None)


@router.get("/receipts/{ref}", response_model=shapes.Receipt)
def get_receipt(ref: str, call: Read) -> Response:
    return Json(call.whole.receipts.get(ref))


@router.post("/receipts/{ref}/undo", response_model=shapes.Receipt)
def undo(ref: str, call: Write) -> Response:
    """Take back what a receipt did: everything but forgetting and erasing."""
    call.book.receipts.get(ref)
    return call.write(lambda book: book.undo(ref))


@router.post("/receipts/{ref}/verify", response_model=shapes.Verification)
def verify_receipt(ref: str, call: Read) -> Response:
    """Search again for what a forget or an erasure took away."""
    return Json(call.whole.verify_receipt(ref))


@router.get("/audit", response_model=shapes.page_of(shapes.AuditLine, "AuditLine"))
def list_audit(call: Read, cursor: Count = 0, limit: Limit = 100, newest: bool = False) -> Response:
    """Who did what, without a word of content, in order or the newest first."""
    entries = call.whole.audit.list(after=cursor, limit=limit + 1, newest=newest)
    return listed(entries, limit=limit, cursor=str(entries[limit - 1].sequence) if len(entries) > limit else None)


@router.post("/audit/verify", response_model=shapes.AuditCheck)
def verify_audit(call: Read) -> Response:
    """Walk the whole chain."""
    return Json(call.whole.audit.verify())


@router.get("/jobs", response_model=shapes.page_of(shapes.Job, "Job"))
def list_jobs(
    call: Read,
    state: Annotated[list[Literal["waiting", "leased", "done", "dead"]] | None, Query()] = None,
    kind: Annotated[list[Name] | None, Query()] = None,
    limit: Annotated[int, Query(ge=1, le=10_000)] = 100,
    newest: bool = False,
) -> Response:
    """Background work: waiting, running, done, or failed for good."""
    return listed(call.whole.jobs.list(states=state or (), kinds=kind or (), limit=limit, newest=newest))


@router.get("/jobs/counts", response_model=dict[str, dict[str, int]])
def job_counts(call: Read) -> Response:
    """How many there are, by kind and state."""
    return Json(call.whole.jobs.counts())


@router.post("/jobs/{id}/retry", response_model=shapes.Job)
def retry_job(id: str, call: Write) -> Response:
    """Put a job back at the head of the queue."""
    return Json(call.whole.jobs.replay(id))
