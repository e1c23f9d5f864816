"""The book for asynchronous programs: the same verbs, each run in a worker thread."""

import asyncio
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial, wraps
from typing import Any, Self, TypeVar

from commonplace.book import Commonplace

WORKERS = 8

R = TypeVar("R")


def _twin(verb: Callable[..., R]) -> Callable[..., Awaitable[R]]:
    @wraps(verb)
    async def twin(self: "AsyncCommonplace", /, *args: Any, **kwargs: Any) -> R:
        return await self._run(partial(verb, self.book, *args, **kwargs))

    return twin


class AsyncShelf:
    """One of the book's small objects (`core`, `review` …), its verbs awaited."""

    def __init__(self, shelf: object, run: Callable[[Callable[[], Any]], Awaitable[Any]]) -> None:
        self._shelf, self._run = shelf, run

    def __getattr__(self, name: str) -> Any:
        verb = getattr(self._shelf, name)
        return lambda *args, **kwargs: self._run(partial(verb, *args, **kwargs))


class AsyncCommonplace:
    """``async with AsyncCommonplace.open(…) as book``; everything as in ``Commonplace``, with ``await``."""

    def __init__(self, book: Commonplace | Callable[[], Commonplace]) -> None:
        self._book = book
        self._pool = ThreadPoolExecutor(WORKERS, thread_name_prefix="commonplace")

    @classmethod
    def open(cls, url: str | None = None, **options: Any) -> Self:
        """The store is opened when the ``async with`` begins (or at the first verb), off the event loop."""
        return cls(partial(Commonplace.open, url, **options))

    async def __aenter__(self) -> Self:
        await self._run(lambda: self.book)
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

    async def _run(self, call: Callable[[], R]) -> R:
        return await asyncio.get_running_loop().run_in_executor(self._pool, call)

    remember = _twin(Commonplace.remember)
    remember_many = _twin(Commonplace.remember_many)
    observe = _twin(Commonplace.observe)
    recall = _twin(Commonplace.recall)
    context = _twin(Commonplace.context)
    page = _twin(Commonplace.page)
    useful = _twin(Commonplace.useful)
    get = _twin(Commonplace.get)
    browse = _twin(Commonplace.browse)
    why = _twin(Commonplace.why)
    evidence = _twin(Commonplace.evidence)
    uses = _twin(Commonplace.uses)
    revise = _twin(Commonplace.revise)
    confirm = _twin(Commonplace.confirm)
    reject = _twin(Commonplace.reject)
    archive = _twin(Commonplace.archive)
    end = _twin(Commonplace.end)
    history = _twin(Commonplace.history)
    rollback = _twin(Commonplace.rollback)
    undo = _twin(Commonplace.undo)
    forget = _twin(Commonplace.forget)
    erase = _twin(Commonplace.erase)
    verify_receipt = _twin(Commonplace.verify_receipt)
    relate = _twin(Commonplace.relate)
    relations = _twin(Commonplace.relations)
    walk = _twin(Commonplace.walk)
    hints = _twin(Commonplace.hints)
    dismiss = _twin(Commonplace.dismiss)
    stats = _twin(Commonplace.stats)
    prune = _twin(Commonplace.prune)
    merge = _twin(Commonplace.merge)
    maintain = _twin(Commonplace.maintain)
    backup = _twin(Commonplace.backup)
    restore = _twin(Commonplace.restore)
    export = _twin(Commonplace.export)
    import_ = _twin(Commonplace.import_)
    doctor = _twin(Commonplace.doctor)
    reindex = _twin(Commonplace.reindex)
    rotate_keys = _twin(Commonplace.rotate_keys)

    def __getattr__(self, name: str) -> AsyncShelf:
        if name in SHELVES:
            return AsyncShelf(getattr(self.book, name), self._run)
        raise AttributeError(f"AsyncCommonplace has no {name!r}")


SHELVES = (
    "core",
    "glossary",
    "namespaces",
    "graph",
    "review",
    "audit",
    "jobs",
    "receipts",
    "sessions",
    "feed",
    "bulk",
    "timeline",
    "directives",
)
