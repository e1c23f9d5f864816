"""Run by test_apart.py where Strands Agents is installed: an agent with a model of our own and a book."""

import asyncio
import sys
from pathlib import Path

from strands import Agent
from strands.memory import MemoryManager
from strands.models import Model

from commonplace import Commonplace, Settings
from commonplace.adapters.strands import CommonplaceMemoryStore


class ScriptedModel(Model):
    """Answers each call with the next tool use or text, and keeps what it was sent."""

    def __init__(self, *answers):
        self.answers, self.calls = iter(answers), []

    def update_config(self, **config):
        pass

    def get_config(self):
        return {}

    def structured_output(self, *args, **options):
        raise NotImplementedError

    async def stream(self, messages, tool_specs=None, system_prompt=None, **options):
        self.calls.append(f"{system_prompt} {messages}")
        answer = next(self.answers)
        yield {"messageStart": {"role": "assistant"}}
        if isinstance(answer, str):
            yield {"contentBlockDelta": {"delta": {"text": answer}}}
            yield {"contentBlockStop": {}}
            yield {"messageStop": {"stopReason": "end_turn"}}
            return
        name, text = answer
        yield {"contentBlockStart": {"start": {"toolUse": {"name": name, "toolUseId": f"call-{len(self.calls)}"}}}}
        yield {"contentBlockDelta": {"delta": {"toolUse": {"input": text}}}}
        yield {"contentBlockStop": {}}
        yield {"messageStop": {"stopReason": "tool_use"}}


def main(home: Path) -> None:
    with Commonplace.open(settings=Settings(home=home)) as book:
        book.remember("Ada prefers <b>trains</b> to planes")
        model = ScriptedModel(
            ("search_memory", '{"query": "how does Ada travel?"}'),
            ("add_memory", '{"entries": ["Ada bought a night train ticket"]}'),
            "By train.",
        )
        manager = MemoryManager(stores=[CommonplaceMemoryStore(book, session="monday")], add_tool_config=True)
        agent = Agent(model=model, memory_manager=manager, callback_handler=None)

        async def talk() -> None:
            await agent.invoke_async("I moved to Oslo. How should Ada travel?")
            await manager.flush()

        asyncio.run(talk())
        assert "trains" in model.calls[0] and "<b>" not in model.calls[0], "injected before the first call"
        assert "trains" in model.calls[1].split("toolResult")[1], "found by the tool"
        saved = book.recall("night train ticket", kinds=["associative"])[0].memory
        assert (saved.text, saved.status) == ("Ada bought a night train ticket", "candidate")
        episodes = {memory.text for memory in book.browse(kinds=["episodic"])}
        assert episodes == {"I moved to Oslo. How should Ada travel?", "By train."}, episodes
        assert [session.name for session in book.sessions.list()] == ["monday"]
        read_only = CommonplaceMemoryStore(book, writable=False)
        assert 0 < asyncio.run(MemoryManager(stores=[read_only]).search("train"))[0].metadata["score"] <= 1


if __name__ == "__main__":
    main(Path(sys.argv[1]))
