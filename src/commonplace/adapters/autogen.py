"""AutoGen: a memory for ``AssistantAgent(memory=[…])``.

memory = CommonplaceMemory(book)
agent = AssistantAgent("assistant", model_client=client, memory=[memory])
"""

import asyncio
import json
from typing import Any

from autogen_core import CancellationToken
from autogen_core.memory import Memory, MemoryContent, MemoryMimeType, MemoryQueryResult, UpdateContextResult
from autogen_core.model_context import ChatCompletionContext
from autogen_core.models import SystemMessage, UserMessage

from commonplace.adapters.agent_memory import LIMIT, TOKENS, AgentMemory, plain
from commonplace.adapters.items import bounded
from commonplace.book import Commonplace

PAGE = 500


class CommonplaceMemory(Memory):
    """Adds what is known before each call; ``clear`` archives what was added through a memory with this name."""

    component_type = "memory"

    def __init__(
        self, book: Commonplace, *, name: str = "commonplace", tokens: int = TOKENS, limit: int = LIMIT
    ) -> None:
        self.name, self._book = name, book
        self._memory = AgentMemory(book, "autogen", tokens=tokens, limit=limit)

    async def update_context(self, model_context: ChatCompletionContext) -> UpdateContextResult:
        """Add a fenced page about the user's last message."""
        messages = await model_context.get_messages()
        content = next((message.content for message in reversed(messages) if isinstance(message, UserMessage)), "")
        parts = [content] if isinstance(content, str) else content
        question = "\n".join(part for part in parts if isinstance(part, str)) or None
        book, memory = self._book, self._memory
        page = await asyncio.to_thread(book.page, question, tokens=memory.tokens, limit=memory.limit)
        if not page.ids:
            return UpdateContextResult(memories=MemoryQueryResult(results=[]))
        await model_context.add_message(SystemMessage(content=page.text))
        content = MemoryContent(content=page.text, mime_type=MemoryMimeType.TEXT, metadata={"ids": list(page.ids)})
        return UpdateContextResult(memories=MemoryQueryResult(results=[content]))

    async def query(
        self, query: str | MemoryContent, cancellation_token: CancellationToken | None = None, **options: Any
    ) -> MemoryQueryResult:
        question = query if isinstance(query, str) else _text(query)
        limit = options.get("limit", self._memory.limit)
        hits = await asyncio.to_thread(self._book.recall, question, limit=limit)
        results = []
        for hit in hits:
            own = {"id": hit.memory.id, "score": bounded(hit.score), "status": hit.memory.status}
            metadata = {**hit.memory.metadata, **own}
            results.append(MemoryContent(content=plain(hit), mime_type=MemoryMimeType.TEXT, metadata=metadata))
        return MemoryQueryResult(results=results)

    async def add(self, content: MemoryContent, cancellation_token: CancellationToken | None = None) -> None:
        metadata = {**(content.metadata or {}), "autogen": self.name}
        await asyncio.to_thread(self._book.remember, _text(content), metadata=metadata)

    async def clear(self) -> None:
        await asyncio.to_thread(self._clear)

    async def close(self) -> None:
        """Does nothing: whoever opened the book closes it."""

    def _clear(self) -> None:
        while memories := self._book.browse(metadata={"autogen": self.name}, limit=PAGE):
            self._book.archive(*(memory.id for memory in memories), reason="cleared")


def _text(content: MemoryContent) -> str:
    """Raises ``ValueError`` for images and bytes: a memory is text."""
    if isinstance(content.content, str):
        return content.content
    if isinstance(content.content, dict):
        return json.dumps(content.content, ensure_ascii=False)
    raise ValueError(f"a memory is text, not {content.mime_type}")
