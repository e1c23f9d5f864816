"""Looking after the book: how it stands, tidying, taking it along and bringing it in."""

from datetime import timedelta
from typing import Annotated, Any

from anyio import to_thread
from fastapi import APIRouter, Query, Request
from starlette.responses import Response, StreamingResponse

from commonplace import plans
from commonplace.errors import Invalid, SettingsError
from commonplace.interfaces.rest import shapes, streaming
from commonplace.interfaces.rest.answers import Json, listed
from commonplace.interfaces.rest.call import Admin, Read, Stream, Write, house_admin, scope_of
from commonplace.interfaces.rest.shapes import Limit, Moment, Name
from commonplace.maintenance.decay import decay
from commonplace.maintenance.mine import mine
from commonplace.maintenance.schedule import read_log
from commonplace.plans import Feature

router = APIRouter(prefix="/v1", tags=["maintenance"])
SHOWN = timedelta(days=31)
BACKUPS = "backups"


@router.get("/stats", response_model=shapes.Stats)
def stats(call: Read) -> Response:
    """Counts, sizes, jobs, what would be pruned: of everything the caller has."""
    return Json(call.whole.stats())


@router.post("/maintenance/prune", response_model=shapes.Report)
def prune(given: shapes.Trial, call: Write) -> Response:
    """Archive what is unimportant and old; ``dry_run`` (the default) only says what that would be."""
    return Json(call.book.prune(dry_run=given.dry_run))


@router.post("/maintenance/merge", response_model=shapes.Report)
def merge(given: shapes.Trial, call: Write) -> Response:
    """Fold identical values into one each; ``dry_run`` (the default) only says which."""
    return Json(call.book.merge(dry_run=given.dry_run))


@router.post("/maintenance/decay", response_model=shapes.Report)
def fade(given: shapes.Trial, call: Write) -> Response:
    """Let relations and patterns fade that nobody confirmed for long."""
    return Json(decay(scope_of(call.house, call.token, call.book.namespace), dry_run=given.dry_run))


@router.post("/maintenance/mine", response_model=shapes.Noticed)
def notice(call: Write) -> Response:
    """Look through the last thirty days of what was said for what comes again; the hints are at ``/v1/hints``."""
    plans.require(call.whole.plan, Feature.PROACTIVE)
    found = mine(call.house.parts, scope_of(call.house, call.token, call.book.namespace))
    return Json({"noticed": sum(found.values())})


@router.post("/maintenance/run", response_model=shapes.Round)
def maintain(call: Write) -> Response:
    """Run what waits, and tidy every namespace of the caller now."""
    return Json(call.whole.maintain())


@router.post("/maintenance/reindex", response_model=shapes.Report)
def reindex(call: Admin, model: Name | None = None) -> Response:
    """Make all words and vectors anew; recall goes on meanwhile. ``model``: another embedder's, before it is set.

    Only the administrator of the house may name one: its texts may leave the machine, and its model be loaded here.
    """
    if model is None:
        return Json(call.whole.reindex())
    house_admin(call)
    try:
        return Json(call.whole.reindex(model=model))
    except SettingsError as fault:
        raise Invalid(str(fault)) from fault  # here the name is the caller's, and no setting of ours


@router.post("/maintenance/rotate-keys", response_model=shapes.Report)
def rotate_keys(call: Admin, destroy_old: bool = False) -> Response:
    """Seal everything with a new key; ``destroy_old`` also ends the old ones, and with them the older backups."""
    return Json(call.whole.rotate_keys(destroy_old=destroy_old))


@router.get("/doctor", response_model=shapes.Diagnosis)
def doctor(call: Admin, full: bool = False) -> Response:
    """Look the whole book over; only for the administrator of the house. Repairs are made on the machine itself."""
    house_admin(call)
    return Json(call.book.doctor(full=full))


@router.get("/maintenance/log", response_model=shapes.page_of(shapes.LogLine, "LogLine"))
def log(call: Read, limit: Limit = 50) -> Response:
    """What background rounds did, newest first."""
    return listed(read_log(scope_of(call.house, call.token, call.whole.namespace), limit=limit))


@router.get("/usage", response_model=shapes.Usage)
def usage(call: Read, since: Moment | None = None) -> Response:
    """Calls and tokens of models per day, and the day's cap."""
    start = since or call.house.parts.clock.now() - SHOWN
    found = call.whole.timeline.usage(since=start.date().isoformat())
    return Json({"items": found, "next": None, "cap": call.book.settings.llm_daily_tokens})


@router.get("/timeline", response_model=shapes.page_of(shapes.Day, "Day"))
def timeline(
    call: Read,
    since: Moment | None = None,
    until: Moment | None = None,
    cursor: Name | None = None,
    limit: Limit = 60,
) -> Response:
    """Days on which something was said, learned or forgotten, newest first."""
    found = call.book.timeline.days(since=since, until=until, before=cursor, limit=limit + 1)
    return listed(found, limit=limit, cursor=found[limit - 1].day if len(found) > limit else None)


@router.post("/backup", response_model=shapes.Report)
def backup(call: Admin) -> Response:
    """Copy the whole book into the server's own folder for backups; only for the administrator of the house."""
    house_admin(call)
    settings = call.book.settings
    return Json(call.book.backup(settings.home / BACKUPS, keep=settings.backup_keep))


@router.get(
    "/me/memory/export",
    tags=["me"],
    response_class=StreamingResponse,
    responses={200: {"content": {streaming.LINES: {"schema": {"type": "string"}}}, "description": "JSON lines"}},
)
def export(call: Read, namespaces: Annotated[list[Name] | None, Query()] = None) -> Response:
    """Everything the caller has, or some namespaces, as JSON lines, streamed. In every plan."""
    book = call.whole
    headers = {"Content-Disposition": 'attachment; filename="commonplace.ndjson"'}
    lines = streaming.pulled(lambda pipe: book.export(pipe, namespaces=namespaces or ()))
    return StreamingResponse(lines, media_type=streaming.LINES, headers=headers)


@router.post(
    "/import",
    response_model=shapes.Report,
    openapi_extra={"requestBody": {"content": {streaming.LINES: {"schema": {"type": "string"}}}}},
)
async def import_lines(request: Request, call: Stream, dry_run: bool = False) -> Response:
    """Take in what an export wrote, read as it comes; twice changes nothing."""
    lines: Any = streaming.Lines(request.stream())
    return Json(await to_thread.run_sync(lambda: call.whole.import_(lines, dry_run=dry_run)))
