"""Episodes, a page at a time."""

from typing import Annotated

from fastapi import APIRouter, Query
from starlette.responses import Response

from commonplace.interfaces.rest import shapes
from commonplace.interfaces.rest.answers import listed
from commonplace.interfaces.rest.call import Read
from commonplace.interfaces.rest.shapes import Limit, Moment, Name

router = APIRouter(prefix="/v1", tags=["episodes"])


@router.get("/episodes", response_model=shapes.page_of(shapes.Memory, "Episode"))
def list_episodes(
    call: Read,
    session: Name | None = None,
    since: Moment | None = None,
    until: Moment | None = None,
    order: Annotated[str, Query(pattern="^(newest|oldest)$")] = "newest",
    cursor: Name | None = None,
    limit: Limit = 50,
) -> Response:
    """Episodes, a page at a time."""
    memories = call.book.browse(
        kinds=["episodic"],
        session=session,
        since=since,
        until=until,
        after=cursor,
        newest=order == "newest",
        limit=limit + 1,
    )
    return listed(memories, limit=limit)
