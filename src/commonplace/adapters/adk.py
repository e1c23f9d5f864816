"""Google ADK's memory service: sessions are observed, questions are recalled."""

import asyncio
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime

from google.adk.events.event import Event
from google.adk.memory.base_memory_service import BaseMemoryService, SearchMemoryResponse
from google.adk.memory.memory_entry import MemoryEntry
from google.adk.sessions.session import Session
from google.genai import types

from commonplace.book import Commonplace
from commonplace.errors import Refused
from commonplace.model import Hit, Message

FOUND = 10


class CommonplaceMemoryService(BaseMemoryService):
    """Each application and user has a namespace of its own."""

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
        """Observe what was said; an event fed twice is kept once."""
        said = [message for event in events if (message := _message(event, custom_metadata)) is not None]
        if said:
            await asyncio.to_thread(self._observe, app_name, user_id, said, session_id)

    async def search_memory(self, *, app_name: str, user_id: str, query: str) -> SearchMemoryResponse:
        book = self._book.within(_namespace(app_name, user_id))
        hits = await asyncio.to_thread(book.recall, query, limit=FOUND)
        return SearchMemoryResponse(memories=[_entry(hit) for hit in hits])

    def _observe(self, app_name: str, user_id: str, said: list[Message], session: str | None) -> None:
        try:
            self._book.within(_namespace(app_name, user_id)).observe(said, session=session)
        except Refused:
            # Nothing worth keeping was said: a session of empty or private messages is no fault of the caller's.
            return


def _namespace(app_name: str, user_id: str) -> str:
    return f"adk {app_name} {user_id}"


def _message(event: Event, metadata: Mapping[str, object] | None) -> Message | None:
    parts = event.content.parts if event.content else None
    text = "\n".join(part.text for part in parts or () if part.text)
    if not text.strip():
        return None
    return Message(
        text,
        speaker=event.author or None,
        role="user" if event.author == "user" else "assistant",
        at=datetime.fromtimestamp(event.timestamp, UTC),
        metadata=dict(metadata) if metadata else None,
    )


def _entry(hit: Hit) -> MemoryEntry:
    memory, turn = hit.memory, hit.memory.turn
    at = turn.said_at if turn else memory.recorded_at
    return MemoryEntry(
        id=memory.id,
        content=types.Content(role=turn.role if turn else "user", parts=[types.Part(text=memory.text)]),
        author=(turn.speaker or turn.role) if turn else memory.source,
        timestamp=at.isoformat(),
        custom_metadata=dict(memory.metadata),
    )
