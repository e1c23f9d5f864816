"""Pydantic AI, on the real package with its own function model."""

import asyncio

import pytest

pytest.importorskip("pydantic_ai")
from pydantic_ai import Agent
from pydantic_ai.messages import ModelResponse, TextPart, ToolCallPart
from pydantic_ai.models.function import FunctionModel

from commonplace import Commonplace
from commonplace.adapters.pydantic_ai import CommonplaceMemory


def test_a_run_knows_saves_and_is_learned_from(book: Commonplace) -> None:
    book.remember("Ada prefers <b>trains</b> to planes")
    memory = CommonplaceMemory(book)
    seen: list[str] = []

    def model(messages, info):
        seen.append(str(info.instructions))
        replies = [part for message in messages for part in message.parts if part.part_kind == "tool-return"]
        if not replies:
            return ModelResponse(parts=[
                ToolCallPart("memory_recall", {"query": "how does Ada travel?"}),
                ToolCallPart("memory_memorize", {"text": "Ada bought a night train ticket"}),
            ])  # fmt: skip
        seen.extend(str(reply.content) for reply in replies)
        return ModelResponse(parts=[TextPart("By train.")])

    agent = Agent(FunctionModel(model), instructions=memory.instructions, toolsets=[memory.toolset])

    async def talk() -> None:
        result = await agent.run("I moved to Oslo. How should I travel, by train?")
        await memory.observe(result.new_messages(), session="monday")

    asyncio.run(talk())
    page, recalled = seen[0], next(text for text in seen if "Recalled" in text)
    for text in (page, recalled):
        assert "<memory_context>" in text and "trains" in text and "<b>" not in text
    saved = book.recall("night train ticket", kinds=["associative"])[0].memory
    assert (saved.text, saved.status) == ("Ada bought a night train ticket", "candidate")
    episodes = [found.text for found in book.browse(kinds=["episodic"], limit=10)]
    assert "I moved to Oslo. How should I travel, by train?" in episodes and "By train." in episodes
    assert len(episodes) == 2, "tools and instructions are not conversation"
