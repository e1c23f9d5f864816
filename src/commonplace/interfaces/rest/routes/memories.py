"""Memories, where a request is no plain call of the verb."""

import json
from collections.abc import Callable
from typing import Annotated, Any

from fastapi import APIRouter, Query
from starlette.responses import Response

from commonplace.book import Commonplace, as_query
from commonplace.describing.proposal import Proposal
from commonplace.errors import Conflict, Invalid, NotFound
from commonplace.interfaces.rest import shapes
from commonplace.interfaces.rest.answers import Json, listed
from commonplace.interfaces.rest.call import ApiCall, Read, Write, scope_of
from commonplace.memories.reading import Reader
from commonplace.model import Receipt

router = APIRouter(prefix="/v1", tags=["memories"])


@router.get("/memories", response_model=shapes.page_of(shapes.Memory, "Memory"))
def browse(call: Read, query: Annotated[shapes.BrowseRequest, Query()]) -> Response:
    """A page of memories by filter, without ranking.

    ``known_at`` shows each as it was known then, and does not go with ``sort=importance``, which is an order of now: a
    memory whose importance changes between two pages may be on both, or on neither.
    """
    call.reach(query.namespaces)
    filters = query.model_dump(exclude={"sort", "cursor", "limit", "metadata"})
    memories = call.book.browse(
        after=query.cursor,
        newest=query.sort == "newest",
        important=query.sort == "importance",
        limit=query.limit + 1,
        metadata=None if query.metadata is None else _pairs(query.metadata),
        **filters,
    )
    return listed(memories, limit=query.limit)


@router.get("/memories/counts", response_model=dict[str, int])
def count_memories(call: Read, query: Annotated[shapes.CountRequest, Query()]) -> Response:
    """How many memories fit the filters, by kind."""
    call.reach(query.namespaces)
    filters = as_query("", None, query.model_dump())
    return Json(Reader(scope_of(call.service, call.token, call.book.namespace)).counts(filters))


@router.post("/memories/bulk", response_model=shapes.Receipt)
def act_on_many(body: shapes.BulkAction, call: Write) -> Response:
    """One act on many memories, in one transaction: archive, confirm, reject or tag."""
    if body.action == "archive":
        return call.write(lambda book: book.archive(*body.ids, reason=body.reason))
    if body.action == "confirm":
        return call.write(lambda book: book.bulk.confirm(body.ids))
    if body.action == "reject":
        return call.write(lambda book: book.bulk.reject(body.ids, reason=body.reason))
    return call.write(lambda book: book.bulk.tag(body.ids, body.tags))


@router.patch("/memories/{id}", response_model=shapes.Receipt)
def revise(id: str, body: shapes.Revision, call: Write, dry_run: bool = False) -> Response:
    """Correct text or fields as a new version; ``If-Match`` refuses it if a newer one stands."""
    fields = body.model_dump(exclude_unset=True)
    text = fields.pop("text", None)
    return Json(call.book.revise(id, text, dry_run=dry_run, expected=call.expected, **fields))


@router.delete("/memories/{id}", response_model=shapes.Receipt)
def forget(id: str, call: Write, dry_run: bool = False) -> Response:
    """Forget for good. Cannot be undone; archiving can. ``dry_run`` only shows what would go."""
    # Forgetting takes no version, so the route checks it.
    expected = call.expected
    if expected is not None:
        version = call.book.get(id).version
        if version != expected:
            raise Conflict("memory", id, expected=expected, found=version)
    return Json(call.book.forget(id, dry_run=dry_run))


@router.post("/memories/{id}/archive", response_model=shapes.Receipt)
def archive(id: str, call: Write, body: shapes.ReasonRequest | None = None) -> Response:
    """Put it out of sight without judging it; undo brings it back."""
    return call.write(lambda book: book.archive(id, reason=body.reason if body else None))


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


@router.post("/forget", response_model=shapes.Receipt | shapes.Proposal)
def forget_by_description(body: shapes.ForgetByDescription, call: Write) -> Response:
    """Forget for good what a description surely means; otherwise the answer is a proposal and nothing is changed."""
    return _described(call, lambda book: book.forget(**body.model_dump()))


@router.post("/revise", response_model=shapes.Receipt | shapes.Proposal)
def revise_by_description(body: shapes.ReviseRequest, call: Write) -> Response:
    """Correct what a description surely means; otherwise the answer is a proposal and nothing is changed."""
    fields = body.model_dump(exclude_unset=True)
    return _described(call, lambda book: book.revise(None, expected=call.expected, **fields))


class _Proposed(Exception):
    """Ends a write that did nothing."""

    def __init__(self, proposal: Proposal) -> None:
        self.proposal = proposal


def _described(call: ApiCall, act: Callable[[Commonplace], Receipt | Proposal]) -> Response:
    def receipt(book: Commonplace) -> Receipt:
        result = act(book)
        if isinstance(result, Proposal):
            raise _Proposed(result)
        return result

    try:
        return call.write(receipt)
    except _Proposed as end:
        return Json(end.proposal)


def _pairs(text: str) -> dict[str, Any]:
    try:
        pairs = json.loads(text)
    except ValueError:
        pairs = None
    if not isinstance(pairs, dict):
        raise Invalid('metadata is a JSON object, such as {"project": "x"}')
    return pairs
