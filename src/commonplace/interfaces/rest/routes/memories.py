"""Memories: kept, read, corrected, forgotten."""

import json
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Query
from starlette.responses import Response

from commonplace.errors import Conflict, Invalid, NotFound
from commonplace.interfaces.json import evidence
from commonplace.interfaces.rest import shapes
from commonplace.interfaces.rest.answers import Json, listed, versioned
from commonplace.interfaces.rest.call import Call, Read, Write
from commonplace.interfaces.rest.shapes import Limit, Moment, Name
from commonplace.model import Category, Kind, Source, Status

router = APIRouter(prefix="/v1", tags=["memories"])


@router.post("/memories", status_code=201, response_model=shapes.Receipt)
def remember(given: shapes.NewMemory, call: Write) -> Response:
    """Keep a memory; durable when this answers."""
    return call.write(lambda book: book.remember(**given.model_dump()), status=201)


@router.post("/memories/batch", status_code=201, response_model=shapes.Receipt)
def remember_many(given: shapes.Batch, call: Write) -> Response:
    """Keep many memories, all or none."""
    return call.write(lambda book: book.remember_many([one.model_dump() for one in given.items]), status=201)


@router.get("/memories", response_model=shapes.page_of(shapes.Memory, "Memory"))
def browse(
    call: Read,
    kinds: Annotated[list[Kind] | None, Query()] = None,
    categories: Annotated[list[Category] | None, Query()] = None,
    statuses: Annotated[list[Status] | None, Query()] = None,
    sources: Annotated[list[Source] | None, Query()] = None,
    tags: Annotated[list[Name] | None, Query()] = None,
    namespaces: Annotated[list[Name] | None, Query()] = None,
    since: Moment | None = None,
    until: Moment | None = None,
    as_of: Moment | None = None,
    known_at: Moment | None = None,
    metadata: Annotated[str | None, Query(description="A JSON object; every pair of it must be there.")] = None,
    directive: Name | None = None,
    session: Name | None = None,
    sort: Literal["newest", "oldest", "importance"] = "newest",
    cursor: Name | None = None,
    limit: Limit = 50,
) -> Response:
    """A page of memories by filter, without ranking.

    ``known_at`` shows each as it was known then, and does not go with ``sort=importance``, which is an order of now: a
    memory whose importance changes between two pages may be on both, or on neither.
    """
    call.reach(namespaces)
    filters = {
        "kinds": kinds,
        "categories": categories,
        "statuses": statuses,
        "sources": sources,
        "tags": tags,
        "namespaces": namespaces,
        "since": since,
        "until": until,
        "as_of": as_of,
        "known_at": known_at,
        "metadata": None if metadata is None else _pairs(metadata),
        "directive": directive,
        "session": session,
    }
    found = call.book.browse(
        after=cursor, newest=sort == "newest", important=sort == "importance", limit=limit + 1, **filters
    )
    return listed(found, limit=limit, cursor=found[limit - 1].id if len(found) > limit else None)


@router.post("/memories/bulk", response_model=shapes.Receipt)
def bulk(given: shapes.Bulk, call: Write) -> Response:
    """One act on many memories, in one transaction: archive, confirm, reject or tag."""
    if given.action == "archive":
        return call.write(lambda book: book.archive(*given.ids, reason=given.reason))
    if given.action == "confirm":
        return call.write(lambda book: book.bulk.confirm(given.ids))
    if given.action == "reject":
        return call.write(lambda book: book.bulk.reject(given.ids, reason=given.reason))
    return call.write(lambda book: book.bulk.tag(given.ids, given.tags))


@router.get("/memories/{id}", response_model=shapes.Memory)
def get(id: str, call: Read, as_of: Moment | None = None, known_at: Moment | None = None) -> Response:
    """One memory, as it is or as it was; its ``ETag`` is its version."""
    memory = call.book.get(id, as_of=as_of, known_at=known_at)
    return versioned(memory, memory.version, call.request)


@router.patch("/memories/{id}", response_model=shapes.Receipt)
def revise(id: str, given: shapes.Revision, call: Write, dry_run: bool = False) -> Response:
    """Correct text or fields as a new version; ``If-Match`` refuses it if a newer one stands."""
    fields = given.model_dump(exclude_unset=True)
    text = fields.pop("text", None)
    return Json(call.book.revise(id, text, dry_run=dry_run, expected=call.expected, **fields))


@router.delete("/memories/{id}", response_model=shapes.Receipt)
def forget(id: str, call: Write, dry_run: bool = False) -> Response:
    """Forget for good. Cannot be undone; archiving can. ``dry_run`` only shows what would go."""
    _match(call, id)
    return Json(call.book.forget(id, dry_run=dry_run))


@router.post("/memories/{id}/confirm", response_model=shapes.Receipt)
def confirm(id: str, call: Write) -> Response:
    return call.write(lambda book: book.confirm(id, expected=call.expected))


@router.post("/memories/{id}/reject", response_model=shapes.Receipt)
def reject(id: str, given: shapes.Reason, call: Write) -> Response:
    """Say that it is wrong; its value cannot come back by itself."""
    return call.write(lambda book: book.reject(id, reason=given.reason, expected=call.expected))


@router.post("/memories/{id}/archive", response_model=shapes.Receipt)
def archive(id: str, call: Write, given: shapes.Reason | None = None) -> Response:
    """Put it out of sight without judging it; undo brings it back."""
    return call.write(lambda book: book.archive(id, reason=given.reason if given else None))


@router.post("/memories/{id}/end", response_model=shapes.Receipt)
def end(id: str, given: shapes.Ending, call: Write) -> Response:
    """Say that it was true until now, or until ``at``."""
    return call.write(lambda book: book.end(id, at=given.at, reason=given.reason))


@router.post("/memories/{id}/rollback", response_model=shapes.Receipt)
def rollback(id: str, given: shapes.To, call: Write) -> Response:
    """Restore an earlier version as the newest one."""
    return call.write(lambda book: book.rollback(id, to=given.to, expected=call.expected))


@router.get("/memories/{id}/versions", response_model=shapes.page_of(shapes.Version, "Version"))
def history(id: str, call: Read) -> Response:
    """Every version, oldest first, with who made it and why."""
    return listed(call.book.history(id))


@router.get("/memories/{id}/evidence", response_model=shapes.page_of(shapes.Proof, "Proof"))
def proofs(id: str, call: Read) -> Response:
    """The episodes it rests on, each with the words that matter."""
    call.book.get(id)
    return listed(evidence(call.book.evidence(id)))


@router.get("/memories/{id}/why", response_model=shapes.page_of(shapes.Trace, "Trace"))
def why(id: str, call: Read) -> Response:
    """How a belief came about: what was heard, decided and by whom; newest first. Also of a receipt or a run of
    learning, for who may see every namespace."""
    try:
        call.book.get(id)
    except NotFound:
        if call.token.namespaces:
            raise
    return listed(call.book.why(id))


@router.get("/memories/{id}/uses", response_model=shapes.page_of(shapes.Use, "Use"))
def uses(id: str, call: Read, cursor: Name | None = None, limit: Limit = 50) -> Response:
    """The pages made for a prompt that it was on, newest first, of the last 90 days."""
    found = call.book.uses(id, before=cursor, limit=limit + 1)
    return listed(found, limit=limit, cursor=found[limit - 1].id if len(found) > limit else None)


@router.post("/forget", response_model=shapes.Receipt)
def forget_described(given: shapes.Described, call: Write) -> Response:
    """Forget for good what a description means; ``dry_run`` only shows what that would be."""
    return call.write(lambda book: book.forget(**given.model_dump()))


@router.post("/revise", response_model=shapes.Receipt)
def revise_described(given: shapes.DescribedRevision, call: Write) -> Response:
    """Correct what a description means; ``dry_run`` only shows what that would be."""
    fields = given.model_dump(exclude_unset=True)
    return call.write(lambda book: book.revise(None, expected=call.expected, **fields))


def _pairs(text: str) -> dict[str, Any]:
    try:
        found = json.loads(text)
    except ValueError:
        found = None
    if not isinstance(found, dict):
        raise Invalid('metadata is a JSON object, such as {"project": "x"}')
    return found


def _match(call: Call, id: str) -> None:
    """Forgetting takes no version, so the door looks."""
    expected = call.expected
    if expected is not None:
        found = call.book.get(id).version
        if found != expected:
            raise Conflict("memory", id, expected=expected, found=found)
