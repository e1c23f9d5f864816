"""Google ADK's memory service: sessions are observed, questions recalled."""

import asyncio
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime

from google.adk.events.event import Event
from google.adk.memory.base_memory_service import BaseMemoryService, SearchMemoryResponse
from google.adk.memory.memory_entry import MemoryEntry
from google.adk.sessions.session import Session
from google.genai import types

from commonplace.adapters.agent_memory import observe, plain
from commonplace.adapters.foreign_ids import namespace_of
from commonplace.adapters.items import name_of
from commonplace.book import Commonplace
from commonplace.model import Hit, Message

FOUND = 10
EVENT = "adk_event"
"""Metadata of a turn: a hash of session and event id, because a book ignores case."""


class CommonplaceMemoryService(BaseMemoryService):
    """Each application and user has its own namespace."""

    def __init__(self, book: Commonplace) -> None:
        self._book = book

    async def add_session_to_memory(self, session: Session) -> None:
        await self.add_events_to_memory(
            app_name=session.app_name, user_id=session.user_id, events=session.events, session_id=session.id
        )

    async def add_events_to_memory(
        self,
        *,
        app_name: str,
        user_id: str,
        events: Sequence[Event],
        session_id: str | None = None,
        custom_metadata: Mapping[str, object] | None = None,
    ) -> None:
        """Observe events; one that is passed twice is stored once, by its id."""
        book, by_id = self._within(app_name, user_id), {event.id: event for event in events}
        await asyncio.to_thread(_observe, book, by_id, session_id, custom_metadata)

    async def add_memory(
        self,
        *,
        app_name: str,
        user_id: str,
        memories: Sequence[MemoryEntry],
        custom_metadata: Mapping[str, object] | None = None,
    ) -> None:
        """Store the application's statements unchanged; images and files are left out."""
        entries = [(_text(entry.content), {**(custom_metadata or {}), **entry.custom_metadata}) for entry in memories]
        new = [{"text": text, "metadata": metadata} for text, metadata in entries if text.strip()]
        await asyncio.to_thread(self._within(app_name, user_id).remember_many, new)

    async def delete_memory(self, *, app_name: str, user_id: str, memory_id: str | None = None) -> None:
        """Delete one memory for good."""
        if memory_id is None:
            raise ValueError("memory_id is needed: it names the memory to forget")
        await asyncio.to_thread(self._within(app_name, user_id).forget, memory_id)

    async def search_memory(self, *, app_name: str, user_id: str, query: str) -> SearchMemoryResponse:
        book = self._within(app_name, user_id)
        hits = await asyncio.to_thread(book.recall, query, limit=FOUND, namespaces=[book.namespace])
        # a statement is stored twice: as it was said and as what was learned from it
        distinct: dict[str, Hit] = {}
        for hit in hits:
            distinct.setdefault(plain(hit).rstrip(".!").casefold(), hit)
        return SearchMemoryResponse(memories=[_entry(hit) for hit in distinct.values()])

    def _within(self, app_name: str, user_id: str) -> Commonplace:
        return self._book.within(namespace_of("adk", app_name, user_id))


def _observe(
    book: Commonplace, events: Mapping[str, Event], session: str | None, metadata: Mapping[str, object] | None
) -> None:
    def is_new(name: str) -> bool:
        return not book.browse(kinds=["episodic"], namespaces=[book.namespace], metadata={EVENT: name}, limit=1)

    messages = {name_of(f"{session} {id}"): event for id, event in events.items() if _text(event.content).strip()}
    turns = [
        Message(
            _text(event.content),
            speaker=event.author or None,
            role="user" if event.author == "user" else "assistant",
            at=datetime.fromtimestamp(event.timestamp, UTC),
            metadata={**(metadata or {}), EVENT: name},
        )
        for name, event in messages.items()
        if is_new(name)
    ]
    observe(book, turns, session=session)


def _text(content: types.Content | None) -> str:
    parts = content.parts if content else None
    return "\n".join(part.text for part in parts or () if part.text)


def _entry(hit: Hit) -> MemoryEntry:
    memory, turn = hit.memory, hit.memory.turn
    at = turn.said_at if turn else memory.recorded_at
    return MemoryEntry(
        id=memory.id,
        content=types.Content(role=turn.role if turn else "user", parts=[types.Part(text=plain(hit))]),
        author=(turn.speaker or turn.role) if turn else memory.source,
        timestamp=at.isoformat(),
        custom_metadata={name: value for name, value in memory.metadata.items() if name != EVENT},
    )
