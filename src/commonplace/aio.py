"""The book for asynchronous programs: the same verbs, each run in a worker thread."""

import asyncio
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from functools import partial, wraps
from typing import Any, Concatenate, ParamSpec, Self, TypeVar

from commonplace.book import Commonplace
from commonplace.clock import Clock
from commonplace.directives.directives import Directives
from commonplace.memories.audit import Audit
from commonplace.memories.bulk import Bulk
from commonplace.memories.core import Core
from commonplace.memories.feed import Feed
from commonplace.memories.glossary import Glossary
from commonplace.memories.graph import Graph
from commonplace.memories.jobs import Jobs
from commonplace.memories.namespaces import Namespaces
from commonplace.memories.receipts import Receipts
from commonplace.memories.review import Review
from commonplace.memories.sessions import Sessions
from commonplace.memories.timeline import Timeline
from commonplace.settings import Settings
from commonplace.sharing.sharing import Sharing

WORKERS = 8

P = ParamSpec("P")
R = TypeVar("R")
Run = Callable[[Callable[[], Any]], Coroutine[Any, Any, Any]]


def twin(verb: Callable[Concatenate[Any, P], R]) -> Callable[Concatenate[Any, P], Coroutine[Any, Any, R]]:
    """A verb with the same parameters, awaited; it calls that of whichever book is underneath, local or remote."""
    name = verb.__name__

    @wraps(verb)
    async def awaited(self: Any, /, *args: P.args, **kwargs: P.kwargs) -> R:
        result: R = await self._run(lambda: getattr(self._synchronous(), name)(*args, **kwargs))
        return result

    return awaited


class AsyncCollection:
    """One of the book's collections (`core`, `review` …), its verbs awaited."""

    def __init__(self, collection: object, run: Run) -> None:
        self._collection, self._run = collection, run

    def _synchronous(self) -> object:
        return self._collection


class AsyncCore(AsyncCollection):
    set = twin(Core.set)
    get = twin(Core.get)
    list = twin(Core.list)
    forget = twin(Core.forget)


class AsyncGlossary(AsyncCollection):
    list = twin(Glossary.list)
    get = twin(Glossary.get)
    create = twin(Glossary.create)
    revise = twin(Glossary.revise)
    merge = twin(Glossary.merge)
    delete = twin(Glossary.delete)


class AsyncNamespaces(AsyncCollection):
    list = twin(Namespaces.list)
    get = twin(Namespaces.get)
    create = twin(Namespaces.create)
    revise = twin(Namespaces.revise)
    move = twin(Namespaces.move)
    delete = twin(Namespaces.delete)


class AsyncSharing(AsyncCollection):
    list = twin(Sharing.list)
    get = twin(Sharing.get)
    share = twin(Sharing.share)
    preview = twin(Sharing.preview)
    join = twin(Sharing.join)
    withdraw = twin(Sharing.withdraw)
    leave = twin(Sharing.leave)
    set_role = twin(Sharing.set_role)
    remove = twin(Sharing.remove)
    transfer = twin(Sharing.transfer)
    delete = twin(Sharing.delete)


class AsyncGraph(AsyncCollection):
    relate = twin(Graph.relate)
    revise = twin(Graph.revise)
    get = twin(Graph.get)
    relations = twin(Graph.relations)
    walk = twin(Graph.walk)
    entities = twin(Graph.entities)
    entity = twin(Graph.entity)
    revise_entity = twin(Graph.revise_entity)
    merge = twin(Graph.merge)
    split = twin(Graph.split)
    predicates = twin(Graph.predicates)
    declare = twin(Graph.declare)


class AsyncReview(AsyncCollection):
    list = twin(Review.list)
    decide = twin(Review.decide)
    lift = twin(Review.lift)


class AsyncAudit(AsyncCollection):
    list = twin(Audit.list)
    record_call = twin(Audit.record_call)
    verify = twin(Audit.verify)


class AsyncJobs(AsyncCollection):
    list = twin(Jobs.list)
    counts = twin(Jobs.counts)
    replay = twin(Jobs.replay)


class AsyncReceipts(AsyncCollection):
    list = twin(Receipts.list)
    get = twin(Receipts.get)


class AsyncSessions(AsyncCollection):
    list = twin(Sessions.list)


class AsyncFeed(AsyncCollection):
    last = twin(Feed.last)
    since = twin(Feed.since)
    revision = twin(Feed.revision)


class AsyncBulk(AsyncCollection):
    confirm = twin(Bulk.confirm)
    reject = twin(Bulk.reject)
    tag = twin(Bulk.tag)


class AsyncTimeline(AsyncCollection):
    days = twin(Timeline.days)
    usage = twin(Timeline.usage)


class AsyncDirectives(AsyncCollection):
    create = twin(Directives.create)
    get = twin(Directives.get)
    list = twin(Directives.list)
    revise = twin(Directives.revise)
    delete = twin(Directives.delete)
    steps = twin(Directives.steps)
    step = twin(Directives.step)
    add_step = twin(Directives.add_step)
    revise_step = twin(Directives.revise_step)
    delete_step = twin(Directives.delete_step)
    pause = twin(Directives.pause)
    resume = twin(Directives.resume)
    memories = twin(Directives.memories)
    remember = twin(Directives.remember)
    correct = twin(Directives.correct)
    forget = twin(Directives.forget)
    prompt = twin(Directives.prompt)
    explain = twin(Directives.explain)
    history = twin(Directives.history)


class AsyncCommonplace:
    """``async with AsyncCommonplace.open(…) as book``; everything as in ``Commonplace``, with ``await``."""

    def __init__(self, book: Commonplace | Callable[[], Commonplace]) -> None:
        self._book = book
        self._pool = ThreadPoolExecutor(WORKERS, thread_name_prefix="commonplace")

    @classmethod
    def open(
        cls,
        url: str | None = None,
        *,
        owner: str = "me",
        namespace: str = "default",
        settings: Settings | None = None,
        clock: Clock | None = None,
        token: str | None = None,
    ) -> Self:
        """The store is opened when the ``async with`` begins (or at the first verb), off the event loop."""
        options = {"owner": owner, "namespace": namespace, "settings": settings, "clock": clock, "token": token}
        return cls(partial(Commonplace.open, url, **options))  # type: ignore[arg-type]  # one dict of several types

    async def __aenter__(self) -> Self:
        await self._run(self._synchronous)
        return self

    async def __aexit__(self, *fault: object) -> None:
        await self.close()

    @property
    def book(self) -> Commonplace:
        """The synchronous book underneath."""
        if not isinstance(self._book, Commonplace):
            self._book = self._book()
        return self._book

    async def close(self) -> None:
        if isinstance(self._book, Commonplace):
            await self._run(self._book.close)
        self._pool.shutdown()

    def _synchronous(self) -> Commonplace:
        return self.book

    async def _run(self, call: Callable[[], R]) -> R:
        return await asyncio.get_running_loop().run_in_executor(self._pool, call)

    remember = twin(Commonplace.remember)
    remember_many = twin(Commonplace.remember_many)
    observe = twin(Commonplace.observe)
    recall = twin(Commonplace.recall)
    context = twin(Commonplace.context)
    page = twin(Commonplace.page)
    useful = twin(Commonplace.useful)
    get = twin(Commonplace.get)
    browse = twin(Commonplace.browse)
    why = twin(Commonplace.why)
    evidence = twin(Commonplace.evidence)
    uses = twin(Commonplace.uses)
    revise = twin(Commonplace.revise)
    confirm = twin(Commonplace.confirm)
    reject = twin(Commonplace.reject)
    archive = twin(Commonplace.archive)
    end = twin(Commonplace.end)
    history = twin(Commonplace.history)
    rollback = twin(Commonplace.rollback)
    undo = twin(Commonplace.undo)
    forget = twin(Commonplace.forget)
    erase = twin(Commonplace.erase)
    verify_receipt = twin(Commonplace.verify_receipt)
    relate = twin(Commonplace.relate)
    relations = twin(Commonplace.relations)
    walk = twin(Commonplace.walk)
    agenda = twin(Commonplace.agenda)
    hints = twin(Commonplace.hints)
    dismiss = twin(Commonplace.dismiss)
    stats = twin(Commonplace.stats)
    sync = twin(Commonplace.sync)
    sync_status = twin(Commonplace.sync_status)
    sync_private = twin(Commonplace.sync_private)
    prune = twin(Commonplace.prune)
    merge = twin(Commonplace.merge)
    maintain = twin(Commonplace.maintain)
    reindex = twin(Commonplace.reindex)
    rotate_keys = twin(Commonplace.rotate_keys)
    backup = twin(Commonplace.backup)
    restore = twin(Commonplace.restore)
    export = twin(Commonplace.export)
    import_ = twin(Commonplace.import_)
    doctor = twin(Commonplace.doctor)

    @property
    def core(self) -> AsyncCore:
        return AsyncCore(self.book.core, self._run)

    @property
    def glossary(self) -> AsyncGlossary:
        return AsyncGlossary(self.book.glossary, self._run)

    @property
    def namespaces(self) -> AsyncNamespaces:
        return AsyncNamespaces(self.book.namespaces, self._run)

    @property
    def sharing(self) -> AsyncSharing:
        return AsyncSharing(self.book.sharing, self._run)

    @property
    def graph(self) -> AsyncGraph:
        return AsyncGraph(self.book.graph, self._run)

    @property
    def review(self) -> AsyncReview:
        return AsyncReview(self.book.review, self._run)

    @property
    def audit(self) -> AsyncAudit:
        return AsyncAudit(self.book.audit, self._run)

    @property
    def jobs(self) -> AsyncJobs:
        return AsyncJobs(self.book.jobs, self._run)

    @property
    def receipts(self) -> AsyncReceipts:
        return AsyncReceipts(self.book.receipts, self._run)

    @property
    def sessions(self) -> AsyncSessions:
        return AsyncSessions(self.book.sessions, self._run)

    @property
    def feed(self) -> AsyncFeed:
        return AsyncFeed(self.book.feed, self._run)

    @property
    def bulk(self) -> AsyncBulk:
        return AsyncBulk(self.book.bulk, self._run)

    @property
    def timeline(self) -> AsyncTimeline:
        return AsyncTimeline(self.book.timeline, self._run)

    @property
    def directives(self) -> AsyncDirectives:
        return AsyncDirectives(self.book.directives, self._run)
