"""A memory block for LlamaIndex: what is known, in front of the conversation; what is said, observed."""

import asyncio
from typing import Any

from llama_index.core.llms import ChatMessage
from llama_index.core.memory import BaseMemoryBlock
from pydantic import ConfigDict, Field

from commonplace.book import Commonplace
from commonplace.errors import Refused
from commonplace.model import Message, Role

ROLES: dict[str, Role] = {"user": "user", "assistant": "assistant", "system": "system", "tool": "tool"}


class CommonplaceMemoryBlock(BaseMemoryBlock[str]):
    """Give it to ``Memory.from_defaults(memory_blocks=[…])``."""

    model_config = ConfigDict(arbitrary_types_allowed=True)

    name: str = "commonplace"
    book: Commonplace = Field(exclude=True)
    tokens: int = 2000
    limit: int = 8

    async def _aget(self, messages: list[ChatMessage] | None = None, **options: Any) -> str:
        asked = next((one.content for one in reversed(messages or []) if one.role == "user" and one.content), None)
        return await asyncio.to_thread(self.book.context, asked, tokens=self.tokens, limit=self.limit)

    async def _aput(self, messages: list[ChatMessage]) -> None:
        said = [
            Message(one.content, role=ROLES.get(str(one.role.value), "assistant")) for one in messages if one.content
        ]
        if said:
            await asyncio.to_thread(self._observe, said)

    async def atruncate(self, content: str, tokens_to_truncate: int) -> str | None:
        """A smaller page: the budget is what a page is cut to."""
        tokens = max(self.tokens - tokens_to_truncate, 0)
        return await asyncio.to_thread(self.book.context, None, tokens=tokens) if tokens else None

    def _observe(self, said: list[Message]) -> None:
        try:
            self.book.observe(said)
        except Refused:
            # Empty or private messages are nothing to keep, and no fault of the caller's.
            return
