"""Pydantic AI: what is known goes in front of each run, tools to recall and save, and runs can be learned from.

memory = CommonplaceMemory(book)
agent = Agent(model, instructions=memory.instructions, toolsets=[memory.toolset])
result = await agent.run("…")
await memory.observe(result.new_messages(), session="monday")
"""

import asyncio
from collections.abc import Sequence
from typing import Any

from pydantic_ai import FunctionToolset, RunContext
from pydantic_ai.messages import ModelMessage, TextPart, UserPromptPart

from commonplace.adapters.agent_memory import LIMIT, TOKENS, AgentMemory
from commonplace.book import Commonplace
from commonplace.model import Message


class CommonplaceMemory:
    """One book for an agent. What the agent saves is a candidate until a person confirms it."""

    def __init__(self, book: Commonplace, *, tokens: int = TOKENS, limit: int = LIMIT) -> None:
        self._memory = AgentMemory(book, "pydantic-ai", tokens=tokens, limit=limit)
        self.toolset: FunctionToolset[Any] = FunctionToolset(
            [self._memory.memory_recall, self._memory.memory_memorize], id="commonplace"
        )

    async def instructions(self, context: RunContext[Any]) -> str:
        """A fenced page for the prompt of this run."""
        prompt = context.prompt if isinstance(context.prompt, str) else None
        return await asyncio.to_thread(self._memory.context, prompt)

    async def observe(self, messages: Sequence[ModelMessage], *, session: str | None = None) -> None:
        """Learn from the messages of person and agent in a run, not from tools and instructions."""
        turns = []
        for message in messages:
            for part in message.parts:
                if isinstance(part, UserPromptPart):
                    content = [part.content] if isinstance(part.content, str) else part.content
                    text = "\n".join(item for item in content if isinstance(item, str))
                    turns.append(Message(text, at=part.timestamp))
                elif isinstance(part, TextPart):
                    turns.append(Message(part.content, role="assistant", at=message.timestamp))
        await asyncio.to_thread(self._memory.observe, turns, session=session)
