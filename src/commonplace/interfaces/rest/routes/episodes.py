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
def observe(body: shapes.NewConversation, call: Write) -> Response:
    """Keep a conversation, durable and findable when this answers, and learn from it."""
    messages = [
        Message(message.text, speaker=message.speaker, role=message.role, at=message.at, metadata=message.metadata)
        for message in body.messages
    ]
    return call.write(lambda book: book.observe(messages, session=body.session), status=201)


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
