"""A session of the OpenAI Agents SDK: the items of a run, exact and in order."""

import asyncio
from collections.abc import Callable
from itertools import islice
from typing import Any

from agents.items import TResponseInputItem
from agents.memory import SessionSettings
from agents.memory.session_settings import coerce_session_settings

from commonplace.adapters.items import PAGE, every, findable, name_of
from commonplace.book import Commonplace
from commonplace.model import Memory


class CommonplaceSession:
    """Implements ``agents.memory.Session``; pass it as ``session=`` to ``Runner.run``.

    Each item is a core memory with its own key, so that concurrent runs never overwrite each other. The session is
    indexed metadata, so that reading a few items does not read the others.
    """

    def __init__(
        self,
        session_id: str,
        book: Commonplace,
        *,
        namespace: str = "openai-agents",
        session_settings: SessionSettings | dict[str, Any] | None = None,
    ) -> None:
        self.session_id, self.session_settings = session_id, coerce_session_settings(session_settings or {})
        self._book = book.within(namespace)
        # a book compares metadata without case and accents; session ids are compared byte for byte
        self._session = name_of(session_id)

    async def get_items(self, limit: int | None = None) -> list[TResponseInputItem]:
        """The latest ``limit`` items, or all, oldest first."""
        if limit is None:
            limit = self.session_settings.limit
        memories = await asyncio.to_thread(self._latest, limit)
        return [memory.metadata["item"] for memory in reversed(memories)]

    async def add_items(self, items: list[TResponseInputItem]) -> None:
        """Store the items, all or none."""
        if items:
            ids, metadata = self._book.clock.new_id, {"session": self._session}
            memories = [
                {"text": _text(item), "kind": "core", "key": ids(), "metadata": {**metadata, "item": item}}
                for item in items
            ]
            await _settled(self._book.remember_many, memories)

    async def pop_item(self) -> TResponseInputItem | None:
        """Remove the newest item and return it."""
        item: TResponseInputItem | None = await _settled(self._pop)
        return item

    async def clear_session(self) -> None:
        await _settled(self._clear)

    def _latest(self, limit: int | None) -> list[Memory]:
        """Newest first."""
        size = max(1, min(PAGE, PAGE if limit is None else limit))
        memories = every(self._book, size=size, kinds=["core"], metadata={"session": self._session})
        return list(islice(memories, None if limit is None else max(0, limit)))

    def _pop(self) -> TResponseInputItem | None:
        """Concurrent callers get different items: only one of them archives each."""
        while newest := self._latest(1):
            if self._book.archive(newest[0].id, reason="popped").changes:
                item: TResponseInputItem = newest[0].metadata["item"]
                return item
        return None

    def _clear(self) -> None:
        memories = self._latest(None)
        if memories:
            self._book.archive(*(memory.id for memory in memories), reason="cleared")


async def _settled(work: Callable[..., Any], *args: Any) -> Any:
    """Write in a thread. A cancelled caller waits for it to end, so that the result is known."""
    task = asyncio.ensure_future(asyncio.to_thread(work, *args))
    cancelled: asyncio.CancelledError | None = None
    while not task.done():
        try:
            await asyncio.wait([task])
        except asyncio.CancelledError as error:
            cancelled = error
    if cancelled is not None:
        raise cancelled
    return task.result()


def _text(item: Any) -> str:
    """The text that finds the item; never empty or only a secret."""
    role = item.get("role") or item.get("type") or "item" if isinstance(item, dict) else "item"
    content = item.get("content", "") if isinstance(item, dict) else ""
    if not isinstance(content, str):
        texts = (part.get("text") for part in content or () if isinstance(part, dict))
        content = "\n".join(text for text in texts if isinstance(text, str))
    return findable(f"Message of {role}: {content}")
