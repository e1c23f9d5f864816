"""What was done: undoing, jobs."""

from typing import Annotated, Literal

from fastapi import APIRouter, Query
from starlette.responses import Response

from commonplace.interfaces.rest import shapes
from commonplace.interfaces.rest.answers import listed
from commonplace.interfaces.rest.call import Read
from commonplace.interfaces.rest.shapes import Name

router = APIRouter(prefix="/v1", tags=["records"])


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
