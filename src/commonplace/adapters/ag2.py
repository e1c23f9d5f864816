"""AG2: a plugin with tools to recall and save, a page of what is known in front of each turn, and learning after it.

agent = Agent("assistant", config=config, plugins=[CommonplacePlugin(book, session="monday")])
"""

import asyncio
from collections.abc import Sequence
from typing import Any

from ag2 import Context, Plugin
from ag2.events import BaseEvent, ModelRequest, ModelResponse, TextInput
from ag2.middleware import BaseMiddleware, Middleware

from commonplace.adapters.agent_memory import LIMIT, TOKENS, AgentMemory
from commonplace.book import Commonplace
from commonplace.model import Message


class CommonplacePlugin(Plugin):
    """One book for an agent. What the agent saves is a candidate until a person confirms it."""

    def __init__(
        self, book: Commonplace, *, session: str | None = None, tokens: int = TOKENS, limit: int = LIMIT
    ) -> None:
        memory = AgentMemory(book, "ag2", tokens=tokens, limit=limit)
        super().__init__(
            tools=[memory.memory_recall, memory.memory_memorize],
            middleware=[Middleware(_MemoryMiddleware, memory=memory, session=session)],
        )


class _MemoryMiddleware(BaseMiddleware):
    """One turn: the page is read once, however many tools are called."""

    def __init__(self, event: BaseEvent, context: Context, memory: AgentMemory, session: str | None) -> None:
        super().__init__(event, context)
        self._memory, self._session, self._page = memory, session, ""

    async def on_turn(self, call_next: Any, event: BaseEvent, context: Context) -> ModelResponse:
        question = _text(event)
        self._page = await asyncio.to_thread(self._memory.context, question or None)
        response: ModelResponse = await call_next(event, context)
        answer = response.message.content if response.message else ""
        turns = [Message(question), Message(answer, role="assistant")]
        await asyncio.to_thread(self._memory.observe, turns, session=self._session)
        return response

    async def on_llm_call(self, call_next: Any, events: Sequence[BaseEvent], context: Context) -> ModelResponse:
        before = list(context.prompt)
        context.prompt[:] = [*before, *([self._page] if self._page else [])]
        try:
            response: ModelResponse = await call_next(events, context)
        finally:
            context.prompt[:] = before
        return response


def _text(event: BaseEvent) -> str:
    parts = event.parts if isinstance(event, ModelRequest) else []
    return "\n".join(part.content for part in parts if isinstance(part, TextInput))
