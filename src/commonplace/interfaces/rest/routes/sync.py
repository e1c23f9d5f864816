"""Sync: how the book stands with other machines, and the exchange itself, which `commonplace sync` calls."""

from typing import Any

from fastapi import APIRouter
from starlette.responses import Response

from commonplace.interfaces.rest import shapes
from commonplace.interfaces.rest.answers import Json
from commonplace.interfaces.rest.call import Write

router = APIRouter(prefix="/v1/sync", tags=["sync"])


@router.post("/hello", response_model=dict[str, Any])
def begin_sync(call: Write) -> Response:
    """What a machine must know before it exchanges changes. Needs a person's token."""
    call.need_person("syncing a book")
    return Json(call.whole.sync_peer.hello())


@router.post("/changes", response_model=shapes.SyncPage)
def list_changes(body: shapes.SyncCursor, call: Write) -> Response:
    """The next page of changes after a cursor, as lines of an export. Needs a person's token."""
    call.need_person("syncing a book")
    return Json(call.whole.sync_peer.changes(body.cursor))


@router.post("/apply", response_model=shapes.SyncApplied)
def apply_changes(body: shapes.SyncLines, call: Write) -> Response:
    """Take a page of changes in; durable when it is answered. Needs a person's token."""
    call.need_person("syncing a book")
    return Json(call.whole.sync_peer.apply(body.lines))


@router.post("/finish", response_model=shapes.SyncStatus)
def finish_sync(body: shapes.SyncRecord, call: Write) -> Response:
    """Note which machine exchanged what."""
    call.need_person("syncing a book")
    call.whole.sync_peer.finish(body.record.model_dump(mode="json"))
    return Json(call.whole.sync_status())
