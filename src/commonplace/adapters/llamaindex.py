"""LlamaIndex memory block: adds what is known before the conversation, and observes messages."""

import asyncio
from typing import Any

from llama_index.core.llms import ChatMessage
from llama_index.core.memory import BaseMemoryBlock
from pydantic import ConfigDict, Field

from commonplace.adapters.agent_memory import observe
from commonplace.book import Commonplace
from commonplace.context.render import CLOSE
from commonplace.model import Message, Role

ROLES: dict[str, Role] = {"user": "user", "assistant": "assistant", "chatbot": "assistant", "model": "assistant"}
"""The roles to learn from; system prompts and tool output are skipped."""


class CommonplaceMemoryBlock(BaseMemoryBlock[str]):
    """Give it to ``Memory.from_defaults(memory_blocks=[…])``."""

    model_config = ConfigDict(arbitrary_types_allowed=True)

    name: str = "commonplace"
    book: Commonplace = Field(exclude=True)
    tokens: int = 2000
    limit: int = 8

    async def _aget(self, messages: list[ChatMessage] | None = None, **options: Any) -> str:
        question = next(
            (message.content for message in reversed(messages or []) if message.role == "user" and message.content),
            None,
        )
        return await asyncio.to_thread(self.book.context, question, tokens=self.tokens, limit=self.limit)

    async def _aput(self, messages: list[ChatMessage]) -> None:
        turns = [Message(message.content or "", role=ROLES.get(message.role.value, "system")) for message in messages]
        await asyncio.to_thread(observe, self.book, turns)

    async def atruncate(self, content: str, tokens_to_truncate: int) -> str | None:
        """The page without its last lines; None if no memory would be left on it."""
        lines, end = content.removesuffix(f"\n{CLOSE}").split("\n"), len(content.encode()) - 4 * tokens_to_truncate
        while lines and len("\n".join([*lines, CLOSE]).encode()) > end:
            lines.pop()
        while lines and not lines[-1].startswith("- "):
            lines.pop()
        return "\n".join([*lines, CLOSE]) if lines else None
