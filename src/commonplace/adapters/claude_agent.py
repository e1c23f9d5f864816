"""Claude Agent SDK: tools and hooks that remember, and a store for session transcripts.

memory = CommonplaceMemory(book)
options = ClaudeAgentOptions(mcp_servers=memory.servers, allowed_tools=memory.tools, hooks=memory.hooks)
options = ClaudeAgentOptions(session_store=CommonplaceSessionStore(book))
"""

import asyncio
from typing import Any

from claude_agent_sdk import HookMatcher, McpSdkServerConfig, SdkMcpTool, create_sdk_mcp_server

from commonplace.adapters.agent_memory import LIMIT, MEMORIZE, RECALL, TOKENS, AgentMemory
from commonplace.adapters.foreign_ids import namespace_of
from commonplace.adapters.items import every, name_of
from commonplace.book import Commonplace
from commonplace.model import Memory, Message

SERVER = "commonplace"


class CommonplaceMemory:
    """Adds a page of what is known to each prompt; learns from prompts and final answers."""

    def __init__(self, book: Commonplace, *, tokens: int = TOKENS, limit: int = LIMIT) -> None:
        self._memory = AgentMemory(book, "claude-agent-sdk", tokens=tokens, limit=limit)
        recall = _tool("memory_recall", RECALL, "query", "A question in full words.", self._memory.memory_recall)
        what = "One sentence that is clear without this conversation."
        memorize = _tool("memory_memorize", MEMORIZE, "text", what, self._memory.memory_memorize)
        self.servers: dict[str, McpSdkServerConfig] = {SERVER: create_sdk_mcp_server(SERVER, tools=[recall, memorize])}
        self.tools = [f"mcp__{SERVER}__{tool.name}" for tool in (recall, memorize)]
        self.hooks: dict[str, list[HookMatcher]] = {
            "UserPromptSubmit": [HookMatcher(hooks=[self._on_prompt])],
            "Stop": [HookMatcher(hooks=[self._on_stop])],
        }

    async def _on_prompt(self, event: Any, tool_use_id: str | None, context: Any) -> Any:
        page = await asyncio.to_thread(self._memory.context, event["prompt"])
        turns = [Message(event["prompt"])]
        await asyncio.to_thread(self._memory.observe, turns, session=event["session_id"])
        return {"hookSpecificOutput": {"hookEventName": "UserPromptSubmit", "additionalContext": page}}

    async def _on_stop(self, event: Any, tool_use_id: str | None, context: Any) -> Any:
        turns = [Message(event.get("last_assistant_message", ""), role="assistant")]
        await asyncio.to_thread(self._memory.observe, turns, session=event["session_id"])
        return {}


def _tool(name: str, description: str, parameter: str, meaning: str, work: Any) -> SdkMcpTool[Any]:
    async def answer(arguments: dict[str, Any]) -> dict[str, Any]:
        text = await asyncio.to_thread(work, arguments[parameter])
        return {"content": [{"type": "text", "text": text}]}

    schema = {
        "type": "object",
        "properties": {parameter: {"type": "string", "description": meaning}},
        "required": [parameter],
        "additionalProperties": False,
    }
    return SdkMcpTool(name=name, description=description, input_schema=schema, handler=answer)


class CommonplaceSessionStore:
    """Implements ``claude_agent_sdk.SessionStore``: exact transcripts, one namespace per project.

    Each entry is a core memory with its own key; session and sub-path are indexed metadata.
    """

    def __init__(self, book: Commonplace) -> None:
        self._book = book

    async def append(self, key: Any, entries: list[Any]) -> None:
        """Store the entries, all or none; one whose ``uuid`` is stored already is skipped."""
        await asyncio.to_thread(self._append, key, entries)

    async def load(self, key: Any) -> list[Any] | None:
        memories = await asyncio.to_thread(self._memories, key["project_key"], _transcript(key))
        return [memory.metadata["entry"] for memory in memories] or None

    async def list_sessions(self, project_key: str) -> list[Any]:
        return await asyncio.to_thread(self._sessions, project_key)

    async def delete(self, key: Any) -> None:
        """Deletes a main transcript with those of its subagents. Archives them, so that they can be restored."""
        scope = _transcript(key) if key.get("subpath") else {"session": name_of(key["session_id"])}
        memories = await asyncio.to_thread(self._memories, key["project_key"], scope)
        if memories:
            book = self._of(key["project_key"])
            await asyncio.to_thread(book.archive, *(memory.id for memory in memories), reason="deleted")

    async def list_subkeys(self, key: Any) -> list[str]:
        heads = {"session": name_of(key["session_id"]), "head": "subagent"}
        memories = await asyncio.to_thread(self._memories, key["project_key"], heads)
        return [memory.metadata["key"]["subpath"] for memory in memories]

    def _of(self, project_key: str) -> Commonplace:
        return self._book.within(namespace_of("claude-agent", project_key))

    def _append(self, key: Any, entries: list[Any]) -> None:
        book, transcript = self._of(key["project_key"]), _transcript(key)
        fresh = {}
        for entry in entries:
            id = entry.get("uuid")
            name = name_of(f"{transcript['transcript']} {id}") if id else book.clock.new_id()
            if not id or not self._stored(book, {**transcript, "entry_name": name}):
                fresh[name] = entry
        is_new = bool(fresh) and not self._stored(book, transcript)
        items = []
        for position, (name, entry) in enumerate(fresh.items()):
            metadata: dict[str, Any] = {**transcript, "entry_name": name, "entry": entry}
            if is_new and position == 0:
                metadata |= {"head": "subagent" if key.get("subpath") else "main", "key": dict(key)}
            items.append({"text": f"Transcript entry {name}", "kind": "core", "key": name, "metadata": metadata})
        if items:
            book.remember_many(items)

    def _stored(self, book: Commonplace, metadata: dict[str, Any]) -> bool:
        return bool(book.browse(kinds=["core"], namespaces=[book.namespace], metadata=metadata, limit=1))

    def _memories(self, project_key: str, metadata: dict[str, Any]) -> list[Memory]:
        """Oldest first."""
        return list(every(self._of(project_key), kinds=["core"], metadata=metadata, newest=False))

    def _sessions(self, project_key: str) -> list[Any]:
        book, sessions = self._of(project_key), []
        for key in (head.metadata["key"] for head in self._memories(project_key, {"head": "main"})):
            latest = book.browse(kinds=["core"], namespaces=[book.namespace], metadata=_transcript(key), limit=1)[0]
            sessions.append({"session_id": key["session_id"], "mtime": int(latest.recorded_at.timestamp() * 1000)})
        return sessions


def _transcript(key: Any) -> dict[str, str]:
    """The metadata of all entries of one transcript. Names are hashed, because a book ignores case and accents."""
    session, subpath = key["session_id"], key.get("subpath", "")
    return {"session": name_of(session), "transcript": name_of(f"{len(session)} {session} {subpath}")}
