"""Adapters for agents on the real packages, each with a model or a transport of the test's own."""

import asyncio
import json
from typing import Any

import pytest

from commonplace import Commonplace


def episodes(book: Commonplace, namespace: str | None = None) -> set[str]:
    place = book.within(namespace) if namespace else book
    return {memory.text for memory in place.browse(kinds=["episodic"], namespaces=[place.namespace], limit=50)}


def test_ag2_knows_saves_and_learns(book: Commonplace) -> None:
    pytest.importorskip("ag2")
    from ag2 import Agent
    from ag2.events import ToolCallEvent
    from ag2.testing import TestConfig, TrackingConfig

    from commonplace.adapters.ag2 import CommonplacePlugin

    book.remember("Ada prefers <b>trains</b> to planes")
    calls = [
        ToolCallEvent(name="memory_recall", arguments=json.dumps({"query": "how does Ada travel?"})),
        ToolCallEvent(name="memory_memorize", arguments=json.dumps({"text": "Ada bought a night train ticket"})),
    ]
    config = TrackingConfig(TestConfig(calls, "By train."))
    agent = Agent("assistant", prompt="You plan.", config=config, plugins=[CommonplacePlugin(book, session="monday")])
    reply = asyncio.run(agent.ask("I moved to Oslo. How should Ada travel?"))
    assert reply.body == "By train."
    for call in config.calls:
        assert call.prompt[0] == "You plan." and len(call.prompt) == 2
        assert "<memory_context>" in call.prompt[1] and "trains" in call.prompt[1] and "<b>" not in call.prompt[1]
    results = [result.result.parts[0].content for result in config.mock.call_args_list[1].args[0].results]
    assert "## Recalled" in results[0] and "trains" in results[0] and results[1] == "Stored as a candidate."
    saved = book.recall("night train ticket", kinds=["associative"])[0].memory
    assert (saved.text, saved.status) == ("Ada bought a night train ticket", "candidate")
    assert episodes(book) == {"I moved to Oslo. How should Ada travel?", "By train."}
    assert [session.name for session in book.sessions.list()] == ["monday"]


def agno_model(seen: list[str], answer: str) -> Any:
    from agno.models.base import Model
    from agno.models.response import ModelResponse

    class ScriptedModel(Model):
        def invoke(self, messages: Any, *args: Any, **options: Any) -> ModelResponse:
            seen.append("\n".join(str(message.content) for message in messages))
            return ModelResponse(role="assistant", content=answer)

        async def ainvoke(self, *args: Any, **options: Any) -> ModelResponse:
            return self.invoke(*args, **options)

        def invoke_stream(self, *args: Any, **options: Any) -> Any:
            raise NotImplementedError

        ainvoke_stream = _parse_provider_response = _parse_provider_response_delta = invoke_stream

    return ScriptedModel(id="scripted")


def test_agno_gives_each_user_memories_of_their_own(book: Commonplace) -> None:
    pytest.importorskip("agno")
    from agno.agent import Agent
    from agno.db.schemas import UserMemory

    from commonplace.adapters.agno import CommonplaceMemoryManager

    manager = CommonplaceMemoryManager(book)
    id = manager.add_user_memory(UserMemory(memory="Prefers <b>trains</b>", topics=["travel"]), user_id="Ada")
    assert id is not None
    seen: list[str] = []
    agent = Agent(
        model=agno_model(seen, "By train."), memory_manager=manager, update_memory_on_run=True, telemetry=False
    )
    assert agent.run("I moved to Oslo. How should I travel?", user_id="Ada").content == "By train."
    asyncio.run(agent.arun("My favourite colour is green.", user_id="ada"))
    assert "Prefers ‹b>trains" in seen[0] and "trains" not in seen[1]
    assert episodes(book, "agno/~41da") == {"I moved to Oslo. How should I travel?"}
    assert episodes(book, "agno/ada") == {"My favourite colour is green."}
    assert [memory.memory_id for memory in manager.search_user_memories("trains", user_id="Ada", limit=1)] == [id]
    assert "trains" not in str(manager.search_user_memories("trains", user_id="ada", limit=5))
    assert manager.get_user_memory(id, user_id="ada") is None
    manager.replace_user_memory(id, UserMemory(memory="Prefers night trains"), user_id="Ada")
    found = manager.get_user_memory(id, user_id="Ada")
    assert found is not None and (found.memory, found.topics) == ("Prefers night trains", ["travel"])
    assert manager.update_memory_task("Remember that Ada sails", user_id="Ada") == "Stored as a candidate."
    manager.delete_user_memory(id, user_id="Ada")
    assert manager.get_user_memory(id, user_id="Ada") is None
    manager.clear_user_memories("Ada")
    assert manager.get_user_memories("Ada") == [] and episodes(book, "agno/~41da") == set()
    assert episodes(book, "agno/ada") == {"My favourite colour is green."}
    manager.clear()
    assert [space.name for space in book.namespaces.list() if space.name.startswith("agno/")] == []


class ScriptedTransport:
    """Speaks the protocol of the Claude Code process: asks the SDK what ``script`` says, then ends the turn."""

    def __init__(self, script: list[dict[str, Any]], answers: list[Any]) -> None:
        self.inbox: asyncio.Queue[Any] = asyncio.Queue()
        self.requests, self.answers = iter(script), answers

    async def connect(self) -> None:
        pass

    async def write(self, data: str) -> None:
        message = json.loads(data)
        if message["type"] == "control_request":  # the only one is `initialize`
            self.hooks = message["request"]["hooks"]
            answer = {"subtype": "success", "request_id": message["request_id"], "response": {}}
            await self.inbox.put({"type": "control_response", "response": answer})
            return
        if message["type"] == "control_response":
            self.answers.append(message["response"].get("response"))
        await self.inbox.put(self.next_request())

    def next_request(self) -> dict[str, Any]:
        request = next(self.requests, None)
        if request is None:
            return RESULT
        if event := request.get("input", {}).get("hook_event_name"):
            request = {**request, "callback_id": self.hooks[event][0]["hookCallbackIds"][0]}
        return {"type": "control_request", "request_id": str(len(self.answers)), "request": request}

    async def read_messages(self) -> Any:
        while (message := await self.inbox.get()) is not None:
            yield message

    async def close(self) -> None:
        await self.inbox.put(None)

    def is_ready(self) -> bool:
        return True

    async def end_input(self) -> None:
        pass


RESULT = {
    "type": "result",
    "subtype": "success",
    "duration_ms": 1,
    "duration_api_ms": 1,
    "is_error": False,
    "num_turns": 1,
    "session_id": "s1",
    "result": "By train.",
}


def hook(event: str, **fields: Any) -> dict[str, Any]:
    base = {"hook_event_name": event, "session_id": "s1", "transcript_path": "", "cwd": "/"}
    return {"subtype": "hook_callback", "tool_use_id": None, "input": {**base, **fields}}


def mcp(method: str, **params: Any) -> dict[str, Any]:
    message: dict[str, Any] = {"jsonrpc": "2.0", "method": method, "params": params}
    if not method.startswith("notifications/"):
        message["id"] = 1
    return {"subtype": "mcp_message", "server_name": "commonplace", "message": message}


def tool_call(name: str, **arguments: Any) -> dict[str, Any]:
    return mcp("tools/call", name=name, arguments=arguments)


def test_the_claude_agent_sdk_gets_pages_tools_and_learns(book: Commonplace) -> None:
    pytest.importorskip("claude_agent_sdk")
    from claude_agent_sdk import ClaudeAgentOptions, ClaudeSDKClient

    from commonplace.adapters.claude_agent import CommonplaceMemory

    book.remember("Ada prefers <b>trains</b> to planes")
    memory = CommonplaceMemory(book)
    assert memory.tools == ["mcp__commonplace__memory_recall", "mcp__commonplace__memory_memorize"]
    client_info = {"name": "claude-code", "version": "1"}
    script = [
        mcp("initialize", protocolVersion="2025-06-18", capabilities={}, clientInfo=client_info),
        mcp("notifications/initialized"),
        hook("UserPromptSubmit", prompt="I moved to Oslo. How should Ada travel?"),
        tool_call("memory_recall", query="how does Ada travel?"),
        tool_call("memory_memorize", text="Ada bought a night train ticket"),
        hook("Stop", stop_hook_active=False, last_assistant_message="By train."),
    ]
    answers: list[Any] = []

    async def talk() -> None:
        options = ClaudeAgentOptions(mcp_servers=memory.servers, allowed_tools=memory.tools, hooks=memory.hooks)
        async with ClaudeSDKClient(options, transport=ScriptedTransport(script, answers)) as client:
            await client.query("I moved to Oslo. How should Ada travel?")
            async for _ in client.receive_response():
                pass

    asyncio.run(talk())
    del answers[:2]
    page = answers[0]["hookSpecificOutput"]["additionalContext"]
    recalled = answers[1]["mcp_response"]["result"]["content"][0]["text"]
    for text in (page, recalled):
        assert "<memory_context>" in text and "trains" in text and "<b>" not in text
    assert answers[2]["mcp_response"]["result"]["content"][0]["text"] == "Stored as a candidate."
    assert episodes(book) == {"I moved to Oslo. How should Ada travel?", "By train."}
    assert [session.name for session in book.sessions.list()] == ["s1"]


def test_the_claude_session_store_passes_the_conformance_tests_of_the_sdk(book: Commonplace) -> None:
    pytest.importorskip("claude_agent_sdk")
    from claude_agent_sdk.testing import run_session_store_conformance

    from commonplace.adapters.claude_agent import CommonplaceSessionStore

    count = 0

    def fresh() -> CommonplaceSessionStore:
        """A store of its own for each test: no two share a project."""
        nonlocal count
        count += 1
        number = count

        class OwnProjects(CommonplaceSessionStore):
            def _of(self, project_key: str) -> Commonplace:
                return super()._of(f"{number} {project_key}")

        return OwnProjects(book)

    asyncio.run(run_session_store_conformance(fresh, skip_optional=frozenset({"list_session_summaries"})))
    assert count > 5
