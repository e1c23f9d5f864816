"""Verbs of the book where a request is no plain call of the verb; docs/rest.md says why of each."""

import json
from collections.abc import Callable
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Query
from starlette.responses import Response

from commonplace import plans
from commonplace.book import Commonplace, as_query
from commonplace.describing.proposal import Proposal
from commonplace.errors import Invalid, NotFound
from commonplace.interfaces.hooks.prompt import recalled
from commonplace.interfaces.hooks.server import full_recall
from commonplace.interfaces.json import evidence, to_json
from commonplace.interfaces.rest import shapes
from commonplace.interfaces.rest.answers import Json, listed
from commonplace.interfaces.rest.call import ApiCall, Read, Write, scope_of
from commonplace.interfaces.rest.shapes import Limit, Moment, Name
from commonplace.memories.drawing import Drawing
from commonplace.memories.reading import Reader
from commonplace.model import Receipt

router = APIRouter(prefix="/v1")


@router.get("/memories", tags=["memories"], response_model=shapes.page_of(shapes.Memory, "Memory"))
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


@router.get("/memories/counts", tags=["memories"], response_model=dict[str, int])
def count_memories(call: Read, query: Annotated[shapes.CountRequest, Query()]) -> Response:
    """How many memories fit the filters, by kind."""
    call.reach(query.namespaces)
    filters = as_query("", None, query.model_dump())
    return Json(Reader(scope_of(call.service, call.token, call.book.namespace)).counts(filters))


@router.post("/memories/bulk", tags=["memories"], response_model=shapes.Receipt)
def act_on_many(body: shapes.BulkAction, call: Write) -> Response:
    """One act on many memories, in one transaction: archive, confirm, reject or tag."""
    if body.action == "archive":
        return call.write(lambda book: book.archive(*body.ids, reason=body.reason))
    if body.action == "confirm":
        return call.write(lambda book: book.bulk.confirm(body.ids))
    if body.action == "reject":
        return call.write(lambda book: book.bulk.reject(body.ids, reason=body.reason))
    return call.write(lambda book: book.bulk.tag(body.ids, body.tags))


@router.patch("/memories/{id}", tags=["memories"], response_model=shapes.Receipt)
def revise(id: str, body: shapes.Revision, call: Write, dry_run: bool = False) -> Response:
    """Correct text or fields as a new version; ``If-Match`` refuses it if a newer one stands."""
    fields = body.model_dump(exclude_unset=True)
    text = fields.pop("text", None)
    return Json(call.book.revise(id, text, dry_run=dry_run, expected=call.expected, **fields))


@router.delete("/memories/{id}", tags=["memories"], response_model=shapes.Receipt)
def forget(id: str, call: Write, dry_run: bool = False) -> Response:
    """Forget for good. Cannot be undone; archiving can. ``dry_run`` only shows what would go."""
    call.match("memory", id, call.book.get)
    return Json(call.book.forget(id, dry_run=dry_run))


@router.post("/memories/{id}/archive", tags=["memories"], response_model=shapes.Receipt)
def archive(id: str, call: Write, body: shapes.ReasonRequest | None = None) -> Response:
    """Put it out of sight without judging it; undo brings it back."""
    return call.write(lambda book: book.archive(id, reason=body.reason if body else None))


@router.get("/memories/{id}/why", tags=["memories"], response_model=shapes.page_of(shapes.Trace, "Trace"))
def why(id: str, call: Read) -> Response:
    """How a belief came about: what was heard, decided and by whom; newest first. Also of a receipt or a run of
    learning, for who may see every namespace."""
    try:
        call.book.get(id)
    except NotFound:
        if call.token.namespaces:
            raise
    return listed(call.book.why(id))


@router.post("/forget", tags=["memories"], response_model=shapes.Receipt | shapes.Proposal)
def forget_by_description(body: shapes.ForgetByDescription, call: Write) -> Response:
    """Forget for good what a description surely means; otherwise the answer is a proposal and nothing is changed."""
    return _described(call, lambda book: book.forget(**body.model_dump()))


@router.post("/revise", tags=["memories"], response_model=shapes.Receipt | shapes.Proposal)
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


@router.post("/context/prompt", tags=["recall"], response_model=shapes.ContextPage)
def prompt_context(body: shapes.PromptRequest, call: Read) -> Response:
    """What a coding agent with hooks is given with one prompt; `POST /v1/context` without a query is its start page."""
    scope = scope_of(call.service, call.token, call.book.namespace)
    parts = call.service.parts
    page = recalled(scope, parts.settings, body.query, skip=body.skip, session=None, find=full_recall(parts))
    return Json(page)


@router.get("/episodes", tags=["episodes"], response_model=shapes.page_of(shapes.Memory, "Episode"))
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


@router.get("/graph", tags=["graph"], response_model=shapes.answer_to(Drawing))
def draw_graph(call: Read, as_of: Moment | None = None) -> Response:
    """The whole graph as columns, at most 10,000 entities and 30,000 relations; with `as_of` as it was then."""
    plan = call.book.plan
    plans.require(plan, plans.Feature.RELATIONS)
    return Json(call.book.graph.drawing(as_of=as_of, shows=lambda *types: plans.allows_relation(plan, *types)))


@router.get("/namespaces", tags=["namespaces"], response_model=shapes.page_of(shapes.Namespace, "Namespace"))
def list_namespaces(call: Read) -> Response:
    """Those that the token reaches."""
    reached = call.token.namespaces
    return listed([namespace for namespace in call.book.namespaces.list() if not reached or namespace.id in reached])


@router.post("/namespaces/{name:path}/move", tags=["namespaces"], response_model=shapes.Receipt)
def move_memories(name: str, body: shapes.MoveRequest, call: Write) -> Response:
    """Take memories from this namespace to another."""
    call.reach([name, body.to])
    return call.write(lambda book: book.within(name).namespaces.move(body.ids, to=body.to))


@router.post("/sync/hello", tags=["sync"], response_model=dict[str, Any])
def begin_sync(call: Write) -> Response:
    """What a machine must know before it exchanges changes. Needs a person's token."""
    call.need_person("syncing a book")
    return Json(call.whole.sync_peer.hello())


@router.post("/sync/changes", tags=["sync"], response_model=shapes.SyncPage)
def list_changes(body: shapes.SyncCursor, call: Write) -> Response:
    """The next page of changes after a cursor, as lines of an export. Needs a person's token."""
    call.need_person("syncing a book")
    return Json(call.whole.sync_peer.changes(body.cursor))


@router.post("/sync/apply", tags=["sync"], response_model=shapes.SyncApplied)
def apply_changes(body: shapes.SyncLines, call: Write) -> Response:
    """Take a page of changes in; durable when it is answered. Needs a person's token."""
    call.need_person("syncing a book")
    return Json(call.whole.sync_peer.apply(body.lines))


@router.post("/sync/finish", tags=["sync"], response_model=shapes.SyncStatus)
def finish_sync(body: shapes.SyncRecord, call: Write) -> Response:
    """Note which machine exchanged what."""
    call.need_person("syncing a book")
    call.whole.sync_peer.finish(body.record.model_dump(mode="json"))
    return Json(call.whole.sync_status())


@router.get("/review", tags=["review"], response_model=shapes.page_of(shapes.Waiting, "Waiting", total=(int, ...)))
def list_review(call: Read, cursor: Name | None = None, limit: Limit = 50) -> Response:
    """Candidates, oldest first, with the words they rest on; ``total`` is how many wait in all."""
    candidates = call.book.review.list(limit=limit + 1, after=cursor)
    return listed(candidates, limit=limit, end="memory.id", total=call.book.review.count())


@router.post("/review/lift", tags=["review"], response_model=shapes.LiftedCount)
def lift_tombstone(body: shapes.LiftRequest, call: Write) -> Response:
    """Let a rejected or forgotten value be stated again; only with a person's token."""
    return Json({"lifted": call.book.review.lift(body.text)})


@router.get("/hints", tags=["review"], response_model=shapes.page_of(shapes.Hint, "Hint"))
def hints(call: Read, limit: Limit = 50) -> Response:
    """Patterns noticed by themselves, surest first, with what they rest on."""
    hints = call.book.hints()[:limit]
    return listed([{**to_json(hint), "evidence": evidence(call.book.evidence(hint.id))} for hint in hints])


@router.get("/jobs", tags=["records"], response_model=shapes.page_of(shapes.Job, "Job"))
def list_jobs(
    call: Read,
    state: Annotated[list[Literal["waiting", "leased", "done", "dead"]] | None, Query()] = None,
    kind: Annotated[list[Name] | None, Query()] = None,
    limit: Annotated[int, Query(ge=1, le=10_000)] = 100,
    newest: bool = False,
) -> Response:
    """Background work: waiting, running, done, or failed for good."""
    return listed(call.whole.jobs.list(states=state or (), kinds=kind or (), limit=limit, newest=newest))
