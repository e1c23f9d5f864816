"""Run by test_apart.py where AutoGen is installed: an assistant with AutoGen's own replay model and a book."""

import asyncio
import sys
from pathlib import Path

from autogen_agentchat.agents import AssistantAgent
from autogen_core.memory import MemoryContent, MemoryMimeType
from autogen_core.models import ChatCompletionClient, CreateResult, ModelInfo, RequestUsage

from commonplace import Commonplace, Settings
from commonplace.adapters.autogen import CommonplaceMemory


class ScriptedClient(ChatCompletionClient):
    """Answers with one text, and keeps what it was sent."""

    def __init__(self, answer):
        self.answer, self.calls = answer, []

    async def create(self, messages, **options):
        self.calls.append(list(messages))
        usage = RequestUsage(prompt_tokens=1, completion_tokens=1)
        return CreateResult(finish_reason="stop", content=self.answer, usage=usage, cached=False)

    def create_stream(self, *args, **options):
        raise NotImplementedError

    async def close(self):
        pass

    def actual_usage(self):
        return RequestUsage(prompt_tokens=1, completion_tokens=1)

    total_usage = actual_usage

    def count_tokens(self, *args, **options):
        return 1

    remaining_tokens = count_tokens

    @property
    def capabilities(self):
        return self.model_info

    @property
    def model_info(self):
        return ModelInfo(
            vision=False, function_calling=True, json_output=False, family="unknown", structured_output=False
        )


async def talk(book: Commonplace) -> None:
    memory = CommonplaceMemory(book)
    text = MemoryContent(content="Ada prefers <b>trains</b> to planes", mime_type=MemoryMimeType.TEXT)
    await memory.add(text)
    await memory.add(MemoryContent(content={"city": "Oslo"}, mime_type=MemoryMimeType.JSON, metadata={"n": 1}))
    client = ScriptedClient("By train.")
    agent = AssistantAgent("assistant", model_client=client, memory=[memory])
    result = await agent.run(task="How should Ada travel?")
    assert result.messages[-1].content == "By train."
    page = str(client.calls[0])
    assert "<memory_context>" in page and "trains" in page and "<b>" not in page
    found = (await memory.query("how does Ada travel?")).results
    assert "trains" in found[0].content and 0 < found[0].metadata["score"] <= 1
    try:
        await memory.add(MemoryContent(content=b"\x00", mime_type=MemoryMimeType.BINARY))
        raise AssertionError("bytes are no memory")
    except ValueError:
        pass
    book.remember("Ada plays chess")
    await memory.clear()
    assert [memory.text for memory in book.browse()] == ["Ada plays chess"], "only what was added through it"
    empty = await CommonplaceMemory(book.within("empty"), name="other").query("anything at all")
    assert empty.results == []


def main(home: Path) -> None:
    with Commonplace.open(settings=Settings(home=home)) as book:
        asyncio.run(talk(book))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
