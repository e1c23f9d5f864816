"""A session of the OpenAI Agents SDK: the items of a run, kept exactly and in order."""

import asyncio
import json
from typing import Any

from agents.items import TResponseInputItem
from agents.memory import SessionSettings

from commonplace.adapters.items import Item, Items
from commonplace.book import Commonplace


class CommonplaceSession:
    """Implements ``agents.memory.Session``; pass it as ``session=`` to ``Runner.run``."""

    session_settings: SessionSettings | None = None

    def __init__(self, session_id: str, book: Commonplace, *, namespace: str = "openai-agents") -> None:
        self.session_id = session_id
        self._items = Items(book, namespace)

    async def get_items(self, limit: int | None = None) -> list[TResponseInputItem]:
        """The latest ``limit`` items, or all, oldest first."""
        held = await asyncio.to_thread(self._held)
        kept = held if limit is None else held[len(held) - limit :] if limit > 0 else []
        return [item.value["item"] for item in kept]

    async def add_items(self, items: list[TResponseInputItem]) -> None:
        await asyncio.to_thread(self._add, items)

    async def pop_item(self) -> TResponseInputItem | None:
        """Take away the newest item and return it."""
        return await asyncio.to_thread(self._pop)

    async def clear_session(self) -> None:
        await asyncio.to_thread(self._clear)

    def _held(self) -> list[Item]:
        mine = [item for item in self._items.all() if item.value["session"] == self.session_id]
        return sorted(mine, key=lambda item: int(item.value["place"]))

    def _add(self, items: list[TResponseInputItem]) -> None:
        held = self._held()
        place = held[-1].value["place"] + 1 if held else 0
        for offset, item in enumerate(items):
            value = {"session": self.session_id, "place": place + offset, "item": item}
            self._items.put(_key(self.session_id, place + offset), value, text=_text(item))

    def _pop(self) -> TResponseInputItem | None:
        held = self._held()
        if not held:
            return None
        self._items.delete(held[-1].key)
        last: TResponseInputItem = held[-1].value["item"]
        return last

    def _clear(self) -> None:
        for item in self._held():
            self._items.delete(item.key)


def _key(session: str, place: int) -> str:
    return json.dumps([session, place])


def _text(item: Any) -> str:
    content = item.get("content", "") if isinstance(item, dict) else ""
    if isinstance(content, str):
        return content
    return "\n".join(part["text"] for part in content if isinstance(part, dict) and isinstance(part.get("text"), str))
