"""The asynchronous book: the same verbs, each run in a worker thread.

The types are in aio.pyi, which `python tools/stubs.py` generates from the signatures in book.py and its collections.
"""

import asyncio
import inspect
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from functools import partial, wraps
from typing import Any, Self

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
from commonplace.verbs import VERBS

WORKERS = 8
COLLECTIONS: dict[str, type] = {
    collection.__name__.lower(): collection
    for collection in (
        *(Core, Glossary, Namespaces, Sharing, Graph, Review, Audit, Jobs),
        *(Receipts, Sessions, Feed, Bulk, Timeline, Directives),
    )
}
"""The book's collections by attribute name."""
NOT_VERBS = ("acting", "chosen", "drawing", "surest")
"""Public methods of collections that only other modules call."""

Run = Callable[[Callable[[], Any]], Coroutine[Any, Any, Any]]


def verbs_of(collection: type) -> list[str]:
    """The verbs of a collection: public methods that are not steps of a larger transaction."""
    return [
        name
        for name, method in vars(collection).items()
        if inspect.isfunction(method)
        and not name.startswith("_")
        and name not in NOT_VERBS
        and not {"work", "tx"} & inspect.signature(method).parameters.keys()
    ]


def _awaited(verb: Callable[..., Any]) -> Callable[..., Coroutine[Any, Any, Any]]:
    """The awaitable version of a verb; it calls whichever book is underneath, local or remote."""

    @wraps(verb)
    async def awaited(self: Any, /, *args: Any, **kwargs: Any) -> Any:
        return await self._run(lambda: getattr(self._synchronous(), verb.__name__)(*args, **kwargs))

    return awaited


class AsyncCollection:
    """One of the book's collections (`core`, `review` …), its verbs awaited."""

    def __init__(self, collection: object, run: Run) -> None:
        self._collection, self._run = collection, run

    def _synchronous(self) -> object:
        return self._collection


class AsyncCommonplace:
    """``async with AsyncCommonplace.open(…) as book``: like ``Commonplace``, with ``await``."""

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
        return cls(partial(Commonplace.open, url, **options))

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

    async def _run(self, call: Callable[[], Any]) -> Any:
        return await asyncio.get_running_loop().run_in_executor(self._pool, call)


def _collection(name: str, collection: type) -> property:
    verbs = {verb: _awaited(vars(collection)[verb]) for verb in verbs_of(collection)}
    twin = type(f"Async{collection.__name__}", (AsyncCollection,), {"__module__": __name__, **verbs})
    globals()[twin.__name__] = twin
    return property(lambda book: twin(getattr(book.book, name), book._run))


for _verb in VERBS:
    setattr(AsyncCommonplace, _verb, _awaited(getattr(Commonplace, _verb)))
for _name, _class in COLLECTIONS.items():
    setattr(AsyncCommonplace, _name, _collection(_name, _class))
