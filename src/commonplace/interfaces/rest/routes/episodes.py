"""What was said: conversations kept word for word."""

from typing import Annotated

from fastapi import APIRouter, Query
from starlette.responses import Response

from commonplace.interfaces.rest import shapes
from commonplace.interfaces.rest.answers import listed
from commonplace.interfaces.rest.call import Read, Write
from commonplace.interfaces.rest.shapes import Limit, Moment, Name
from commonplace.model import Message

router = APIRouter(prefix="/v1", tags=["episodes"])


@router.post("/episodes", status_code=201, response_model=shapes.Receipt)
def observe(given: shapes.Conversation, call: Write) -> Response:
    """Keep a conversation, durable and findable when this answers, and learn from it."""
    messages = [
        Message(one.text, speaker=one.speaker, role=one.role, at=one.at, metadata=one.metadata)
        for one in given.messages
    ]
    return call.write(lambda book: book.observe(messages, session=given.session), status=201)


@router.get("/episodes", response_model=shapes.page_of(shapes.Memory, "Episode"))
def episodes(
    call: Read,
    session: Name | None = None,
    since: Moment | None = None,
    until: Moment | None = None,
    order: Annotated[str, Query(pattern="^(newest|oldest)$")] = "newest",
    cursor: Name | None = None,
    limit: Limit = 50,
) -> Response:
    """Episodes, a page at a time."""
    found = call.book.browse(
        kinds=["episodic"],
        session=session,
        since=since,
        until=until,
        after=cursor,
        newest=order == "newest",
        limit=limit + 1,
    )
    return listed(found, limit=limit, cursor=found[limit - 1].id if len(found) > limit else None)


@router.get("/sessions", response_model=shapes.page_of(shapes.Session, "Session"))
def sessions(call: Read, limit: Limit = 100) -> Response:
    """Conversations, the latest to begin first."""
    return listed(call.book.sessions.list(limit=limit))
