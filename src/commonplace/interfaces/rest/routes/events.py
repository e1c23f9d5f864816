"""The change feed: server-sent events of what was written, ids only."""

import json
from collections.abc import AsyncIterator
from typing import Annotated

from anyio import sleep, to_thread
from fastapi import APIRouter, Header
from starlette.responses import Response, StreamingResponse

from commonplace.errors import Invalid, NotAllowed
from commonplace.interfaces.json import to_json
from commonplace.interfaces.rest.call import DEFAULT, ApiCall, Read, scope_of

router = APIRouter(prefix="/v1", tags=["events"])
PAUSE = 0.25
"""Seconds between two looks at the book's revision, which costs one number."""
OFTEN = 60
"""Looks after which a comment is sent, so that no proxy closes the connection, and the token is checked."""
SHARED_OFTEN = 4
"""Looks after which the shared namespaces are looked at, which costs a few more numbers."""


@router.get(
    "/events",
    response_class=StreamingResponse,
    responses={200: {"content": {"text/event-stream": {"schema": {"type": "string"}}}, "description": "Changes"}},
)
async def events(
    call: Read, last_event_id: Annotated[str | None, Header(description="The last change that was seen.")] = None
) -> Response:
    """Every change from now on, or since ``Last-Event-ID``.

    An event ``shared`` says that something was written in a namespace shared with the person, or that another is shared
    with them now, or one no longer.
    """
    since = await to_thread.run_sync(lambda: _start(call, last_event_id))
    headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
    return StreamingResponse(_stream(call, since), media_type="text/event-stream", headers=headers)


def _start(call: ApiCall, last: str | None) -> int:
    feed = call.book.feed
    if last is None:
        return feed.last()
    if not last.isdecimal() or len(last) > 15:
        raise Invalid("Last-Event-ID is the number of a change, as the feed sent it")
    return min(int(last), feed.last())


async def _stream(call: ApiCall, since: int) -> AsyncIterator[str]:
    # the number lets a client that loses this line before its first change go on from here
    yield f": connected\nid: {since}\n\n"
    last_revision, looks, shared = -1, 0, await to_thread.run_sync(_shared, call)
    while not call.service.stopping.is_set():
        looks += 1
        if looks % OFTEN == 0:
            yield ": still here\n\n"
            if not await to_thread.run_sync(_still_valid, call):
                return
        if looks % SHARED_OFTEN == 0 and shared != (shared := await to_thread.run_sync(_shared, call)):
            yield "event: shared\ndata: {}\n\n"
        try:
            revision = await to_thread.run_sync(call.book.feed.revision)
            events = await to_thread.run_sync(call.book.feed.since, since) if revision != last_revision else []
        except NotAllowed:
            return  # no longer a member of this shared namespace
        for signal in events:
            since = signal.sequence
            if not call.token.namespaces or signal.namespace in call.token.namespaces:
                yield f"id: {signal.sequence}\nevent: change\ndata: {json.dumps(to_json(signal))}\n\n"
        if not events:
            last_revision = revision
            await sleep(PAUSE)


def _shared(call: ApiCall) -> dict[str, int]:
    """The shared namespaces that the person may read, and the revision of each."""
    scope = scope_of(call.service, call.token, DEFAULT)
    return {shared.owner: scope.store.revision(shared.owner) for shared in scope.shared(scope)}


def _still_valid(call: ApiCall) -> bool:
    """A stream outlives its request's check: a revoked token must not go on listening."""
    now = call.service.parts.clock.now()
    tokens = [token for token in call.service.accounts.tokens(call.token.owner) if token.id == call.token.id]
    return all(token.revoked_at is None and (token.expires_at is None or token.expires_at > now) for token in tokens)
