"""Strands Agents: a memory store that is searched before each call and learns from each conversation.

store = CommonplaceMemoryStore(book)
agent = Agent(model=model, memory_manager=MemoryManager(stores=[store], add_tool_config=True))
"""

import asyncio
from typing import Any

from strands.memory import MemoryEntry
from strands.memory.extraction.triggers import InvocationTrigger
from strands.memory.extraction.types import ExtractionConfig

from commonplace.adapters.agent_memory import LIMIT, AgentMemory, plain
from commonplace.adapters.items import bounded
from commonplace.book import Commonplace
from commonplace.model import Message, Metadata

DESCRIPTION = "What was learned in earlier conversations."


class CommonplaceMemoryStore:
    """Implements ``strands.memory.MemoryStore``. What the agent adds is a candidate until a person confirms it."""

    def __init__(
        self,
        book: Commonplace,
        *,
        name: str = "commonplace",
        description: str = DESCRIPTION,
        max_search_results: int = LIMIT,
        session: str | None = None,
        writable: bool = True,
    ) -> None:
        """``session`` names the conversation that messages belong to."""
        self.name, self.description, self.writable = name, description, writable
        self.max_search_results = max_search_results
        self.extraction = ExtractionConfig(trigger=InvocationTrigger()) if writable else None
        self._memory, self._session = AgentMemory(book, "strands", limit=max_search_results), session

    async def search(self, query: str, options: Any = None) -> list[MemoryEntry]:
        limit = (options or {}).get("max_search_results") or self.max_search_results
        hits = await asyncio.to_thread(self._memory.agent.recall, query, limit=limit)
        return [
            MemoryEntry(
                content=plain(hit),
                metadata={
                    "id": hit.memory.id,
                    "score": bounded(hit.score),
                    "status": hit.memory.status,
                    **hit.memory.metadata,
                },
            )
            for hit in hits
        ]

    async def add(self, content: str, metadata: Metadata | None = None) -> str | None:
        """Returns the id of the memory."""
        receipt = await asyncio.to_thread(self._memory.agent.remember, content, metadata=metadata)
        return receipt.id

    async def add_messages(self, messages: list[Any], context: Any = None) -> None:
        """Learn from the messages of person and agent, not from tools."""
        turns = [
            Message("\n".join(block["text"] for block in message["content"] if "text" in block), role=message["role"])
            for message in messages
        ]
        await asyncio.to_thread(self._memory.observe, turns, session=self._session)

    async def initialize(self) -> None: ...

    def get_tools(self) -> list[Any]:
        return []
