"""Agno: a memory manager whose memories are in a book, one namespace for each user.

agent = Agent(model=model, memory_manager=CommonplaceMemoryManager(book), update_memory_on_run=True)
"""

from collections.abc import Sequence
from typing import Any, Literal

from agno.db.schemas import UserMemory
from agno.memory import MemoryManager
from agno.models.message import Message as AgnoMessage

from commonplace.adapters.agent_memory import AgentMemory, observe, statement
from commonplace.adapters.foreign_ids import namespace_of
from commonplace.adapters.items import awaited
from commonplace.book import Commonplace
from commonplace.errors import NotFound
from commonplace.model import CURRENT, Kind, Memory, Message
from commonplace.security.fence import escape

SHOWN = 50
FACTS: tuple[Kind, ...] = ("core", "associative")


class CommonplaceMemoryManager(MemoryManager):
    """Needs no model or database of Agno's. User ids are compared byte for byte."""

    def __init__(self, book: Commonplace, *, shown: int = SHOWN, **options: Any) -> None:
        """``shown`` is the maximum number of memories in a prompt, the most important ones."""
        super().__init__(**options)
        self._book, self._shown = book, shown

    # Read

    def get_user_memories(self, user_id: str | None = None) -> list[UserMemory]:
        book = self._of(user_id)
        memories = book.browse(kinds=FACTS, namespaces=[book.namespace], important=True, limit=self._shown)
        return [_user_memory(memory, user_id) for memory in memories]

    aget_user_memories = awaited(get_user_memories)

    def get_user_memory(self, memory_id: str, user_id: str | None = None) -> UserMemory | None:
        memory = self._get(memory_id, user_id)
        return None if memory is None else _user_memory(memory, user_id)

    def search_user_memories(
        self,
        query: str | None = None,
        limit: int | None = None,
        retrieval_method: Literal["last_n", "first_n", "agentic"] | None = None,
        user_id: str | None = None,
    ) -> list[UserMemory]:
        """By relevance if there is a query, else the newest or the oldest."""
        book, most = self._of(user_id), limit or self._shown
        if query:
            memories = [hit.memory for hit in book.recall(query, limit=most, namespaces=[book.namespace])]
        else:
            newest = retrieval_method != "first_n"
            memories = book.browse(kinds=FACTS, namespaces=[book.namespace], newest=newest, limit=most)
        return [_user_memory(memory, user_id) for memory in memories]

    # Write

    def create_user_memories(
        self,
        message: str | None = None,
        messages: Sequence[AgnoMessage] | None = None,
        agent_id: str | None = None,
        team_id: str | None = None,
        user_id: str | None = None,
        run_metrics: Any = None,
    ) -> str:
        """Learn from messages, except system prompts and tool output."""
        turns = [Message(message)] if message else []
        turns += [
            Message(text, role="assistant" if turn.role == "assistant" else "user")
            for turn in messages or ()
            if turn.role in ("user", "assistant") and (text := turn.get_content_string())
        ]
        observe(self._of(user_id), turns)
        self.memories_updated = True
        return "Memories updated."

    acreate_user_memories = awaited(create_user_memories)

    def update_memory_task(self, task: str, user_id: str | None = None) -> str:
        """Store what the model asks to keep, as a candidate."""
        return AgentMemory(self._of(user_id), "agno").memory_memorize(task)

    aupdate_memory_task = awaited(update_memory_task)

    def add_user_memory(self, memory: UserMemory, user_id: str | None = None) -> str | None:
        return self._of(user_id).remember(memory.memory, tags=memory.topics or ()).id

    def replace_user_memory(self, memory_id: str, memory: UserMemory, user_id: str | None = None) -> str | None:
        if self._get(memory_id, user_id) is None:
            return None
        topics: dict[str, Any] = {} if memory.topics is None else {"tags": memory.topics}
        self._of(user_id).revise(memory_id, memory.memory, reason="replaced", **topics)
        return memory_id

    def delete_user_memory(self, memory_id: str, user_id: str | None = None) -> None:
        """Delete it for good."""
        if self._get(memory_id, user_id) is not None:
            self._of(user_id).forget(memory_id)

    def clear_user_memories(self, user_id: str | None = None) -> None:
        """Erase all memories of one user."""
        self._erase(lambda name: name == self._of(user_id).namespace)

    aclear_user_memories = awaited(clear_user_memories)

    def clear(self) -> None:
        """Erase all memories of every user."""
        self._erase(lambda name: name.startswith("agno/"))

    def _of(self, user_id: str | None) -> Commonplace:
        return self._book.within(namespace_of("agno", "default" if user_id is None else user_id))

    def _get(self, id: str, user_id: str | None) -> Memory | None:
        book = self._of(user_id)
        try:
            memory = book.get(id)
        except NotFound:
            return None
        return memory if memory.namespace == book.namespace and memory.status in CURRENT else None

    def _erase(self, chosen: Any) -> None:
        for namespace in self._book.namespaces.list():
            if chosen(namespace.name):
                self._book.erase(confirm=True, namespace=namespace.name)


def _user_memory(memory: Memory, user_id: str | None) -> UserMemory:
    return UserMemory(
        memory=escape(" ".join(statement(memory).split())),
        memory_id=memory.id,
        topics=list(memory.tags),
        user_id="default" if user_id is None else user_id,
        created_at=int(memory.recorded_at.timestamp()),
        updated_at=int(memory.recorded_at.timestamp()),
    )
