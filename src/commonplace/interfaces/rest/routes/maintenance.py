"""Looking after the book: how it stands, tidying, taking it along and bringing it in."""

from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated, Any

from anyio import to_thread
from fastapi import APIRouter, Query, Request
from starlette.responses import Response, StreamingResponse

from commonplace import plans
from commonplace.errors import Invalid, SettingsError
from commonplace.interfaces.importers import bring_in, uploads
from commonplace.interfaces.rest import shapes, streaming
from commonplace.interfaces.rest.answers import Json, listed
from commonplace.interfaces.rest.call import Admin, Read, Stream, Write, require_server_admin, scope_of
from commonplace.interfaces.rest.shapes import Limit, Moment, Name
from commonplace.plans import Feature
from commonplace.settings import help_and_defaults
from commonplace.upkeep.decay import decay as decay_relations
from commonplace.upkeep.mine import mine
from commonplace.upkeep.schedule import read_log

router = APIRouter(prefix="/v1", tags=["maintenance"])
SHOWN = timedelta(days=31)
BACKUPS = "backups"
BINARY = "application/octet-stream"
SHOWN_PROBLEMS = 50


@router.post("/maintenance/decay", response_model=shapes.Report)
def decay(body: shapes.DryRun, call: Write) -> Response:
    """Let relations and patterns fade that nobody confirmed for long."""
    return Json(decay_relations(scope_of(call.service, call.token, call.book.namespace), dry_run=body.dry_run))


@router.post("/maintenance/mine", response_model=shapes.PatternCount)
def mine_patterns(call: Write) -> Response:
    """Look through the last thirty days of what was said for what comes again; the hints are at ``/v1/hints``."""
    plans.require(call.whole.plan, Feature.PROACTIVE)
    patterns = mine(call.service.parts, scope_of(call.service, call.token, call.book.namespace))
    return Json({"noticed": sum(patterns.values())})


@router.post("/maintenance/reindex", response_model=shapes.Report)
def reindex(call: Admin, model: Name | None = None) -> Response:
    """Make all words and vectors anew; recall goes on meanwhile. ``model``: another embedder's, before it is set.

    Only the administrator of the server may name one: its texts may leave the machine, and its model be loaded here.
    """
    if model is None:
        return Json(call.whole.reindex())
    require_server_admin(call)
    try:
        return Json(call.whole.reindex(model=model))
    except SettingsError as fault:
        raise Invalid(str(fault)) from fault  # here the name is the caller's, and no setting of ours


@router.post("/maintenance/rotate-keys", response_model=shapes.Report)
def rotate_keys(call: Admin, destroy_old: bool = False) -> Response:
    """Seal everything with a new key. ``destroy_old`` also destroys the old keys, so that older backups cannot be read;
    that needs a person's token and ``X-Confirm: true``."""
    if destroy_old:
        call.confirm("destroying keys")
    return Json(call.whole.rotate_keys(destroy_old=destroy_old))


@router.get("/settings", response_model=shapes.page_of(shapes.SettingValue, "SettingValue"))
def list_settings(call: Admin) -> Response:
    """What the server is set to and where that comes from, without secrets; for the server's administrator."""
    require_server_admin(call)
    settings, meanings = call.service.parts.settings, help_and_defaults()
    return listed(
        [
            {"name": name, "value": value, "help": meanings[name][0], "origin": settings.origins.get(name)}
            for name, value in settings.public().items()
        ]
    )


@router.get("/maintenance/log", response_model=shapes.page_of(shapes.LogLine, "LogLine"))
def maintenance_log(call: Read, limit: Limit = 50) -> Response:
    """What background rounds did, newest first."""
    return listed(read_log(scope_of(call.service, call.token, call.whole.namespace), limit=limit))


@router.get("/usage", response_model=shapes.Usage)
def usage(call: Read, since: Moment | None = None) -> Response:
    """Calls and tokens of models per day, and the day's cap."""
    start = since or call.service.parts.clock.now() - SHOWN
    usage = call.whole.timeline.usage(since=start.date().isoformat())
    return Json({"items": usage, "next": None, "cap": call.book.settings.llm_daily_tokens})


@router.post("/backup", response_model=shapes.Report)
def backup(call: Admin) -> Response:
    """Copy the whole book into the server's own folder for backups; only for the administrator of the server."""
    require_server_admin(call)
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
async def import_export(request: Request, call: Stream, dry_run: bool = False) -> Response:
    """Take in what an export wrote, read as it comes; twice changes nothing."""
    lines: Any = streaming.Lines(request.stream())
    return Json(await to_thread.run_sync(lambda: call.whole.import_(lines, dry_run=dry_run)))


@router.post(
    "/import/file",
    response_model=shapes.ImportedFile,
    openapi_extra={"requestBody": {"content": {BINARY: {"schema": {"type": "string", "format": "binary"}}}}},
)
async def import_file(
    request: Request, call: Stream, format: Name, name: Name = "upload", dry_run: bool = True
) -> Response:
    """Another program's export (ChatGPT, Claude, mem0, a zipped vault …); ``dry_run`` (the default) only counts.

    The file lies in a private temporary folder while it is read, and is deleted afterwards.
    """
    uploads.require_format(format)
    with TemporaryDirectory(prefix="commonplace-") as folder:
        file = Path(folder) / uploads.upload_name(name)
        await streaming.save(request.stream(), file, most=uploads.MOST_BYTES, refusal=uploads.too_large())
        imported = await to_thread.run_sync(
            lambda: bring_in(call.book, format, uploads.unpacked(file), dry_run=dry_run)
        )
    return Json(replace(imported, problems=imported.problems[:SHOWN_PROBLEMS]))
