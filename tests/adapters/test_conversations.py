"""Sessions of the OpenAI Agents SDK, Google ADK's memory service and LlamaIndex's block, on the real packages."""

import asyncio
import gc
import importlib.util
from typing import Any

import pytest

from commonplace import Commonplace


def installed(name: str) -> Any:
    return pytest.mark.skipif(importlib.util.find_spec(name) is None, reason=f"{name} is not installed")


@installed("agents")
def test_an_agents_session_keeps_items_exactly_and_in_order(book: Commonplace) -> None:
    from agents.memory import Session

    from commonplace.adapters.openai_agents import CommonplaceSession

    async def talk() -> None:
        session, other = CommonplaceSession("s1", book), CommonplaceSession("s2", book)
        assert isinstance(session, Session)
        items = [{"role": "user", "content": "hi"}, {"role": "assistant", "content": "hi"}, {"type": "x", "n": [1]}]
        await session.add_items(items)
        await other.add_items(items[:1])
        await session.add_items(items[:1])
        assert await session.get_items() == [*items, items[0]]
        assert await session.get_items(limit=2) == [items[2], items[0]]
        assert await session.pop_item() == items[0] and await session.get_items() == items
        await session.clear_session()
        assert await session.get_items() == [] and await session.pop_item() is None
        assert await other.get_items() == items[:1]
        await session.add_items(items[:2])
        assert await CommonplaceSession("s1", book).get_items() == items[:2]

    asyncio.run(talk())


@installed("google.adk")
def test_an_adk_session_is_remembered_for_its_user_only(book: Commonplace) -> None:
    from google.adk.events.event import Event
    from google.adk.sessions.session import Session
    from google.genai import types

    from commonplace.adapters.adk import CommonplaceMemoryService

    def event(author: str, text: str) -> Event:
        return Event(author=author, content=types.Content(parts=[types.Part(text=text)]), timestamp=1_760_000_000.0)

    async def talk() -> None:
        service = CommonplaceMemoryService(book)
        session = Session(
            id="s", app_name="shop", user_id="ada", events=[event("user", "I ride a red bicycle"), event("bot", "")]
        )
        await service.add_session_to_memory(session)
        await service.add_session_to_memory(session)
        found = await service.search_memory(app_name="shop", user_id="ada", query="bicycle")
        texts = [entry.content.parts[0].text for entry in found.memories]
        assert texts.count("I ride a red bicycle") == 1 and found.memories[0].author == "user"
        assert (await service.search_memory(app_name="shop", user_id="bob", query="bicycle")).memories == []
        assert (await service.search_memory(app_name="other", user_id="ada", query="bicycle")).memories == []

    asyncio.run(talk())


@installed("llama_index.core")
@pytest.mark.filterwarnings("ignore::ResourceWarning", "ignore::pytest.PytestUnraisableExceptionWarning")
def test_a_llamaindex_block_brings_what_is_known_and_keeps_what_is_said(book: Commonplace) -> None:
    from llama_index.core.llms import ChatMessage
    from llama_index.core.memory import Memory

    from commonplace.adapters.llamaindex import CommonplaceMemoryBlock

    book.remember("Ada prefers trains to planes")

    async def talk() -> str:
        memory = Memory.from_defaults(
            session_id="s", token_limit=200, chat_history_token_ratio=0.1, token_flush_size=20,
            memory_blocks=[CommonplaceMemoryBlock(book=book)],
        )  # fmt: skip
        for n in range(12):
            said = f"turn {n}: the harbour is full of quiet green boats today"
            await memory.aput(ChatMessage(role="user", content=said))
        await memory.aput(ChatMessage(role="user", content="how should I travel, by train?"))
        return "\n".join(str(message.content) for message in await memory.aget())

    assert "Ada prefers trains to planes" in asyncio.run(talk())
    assert book.recall("harbour boats", kinds=["episodic"])
    gc.collect()  # its history's connection is left to the collector, which must not strike in somebody else's test
