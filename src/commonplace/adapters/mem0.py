"""mem0's ``Memory`` over a book, so that people can move by changing an import. Needs nothing of mem0 itself.

``user_id`` (else ``agent_id``, else ``run_id``) chooses the namespace; the other ids are kept in the metadata. Both
forms of call are taken: ids and ``limit`` at the top (version 1), or ``filters`` and ``top_k`` (version 2).
"""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from functools import wraps
from hashlib import md5
from typing import Any, Self

from commonplace.book import Commonplace
from commonplace.errors import NotFound, Refused, Tombstoned
from commonplace.model import CURRENT, Message, Version
from commonplace.model import Memory as Kept

IDS = ("user_id", "agent_id", "run_id")
TOP, MOST = 20, 1000
Results = dict[str, list[dict[str, Any]]]
Messages = str | Mapping[str, Any] | Sequence[Mapping[str, Any]]
COMPARE: dict[str, Callable[[Any, Any], bool]] = {
    "eq": lambda held, wanted: bool(held == wanted),
    "ne": lambda held, wanted: bool(held != wanted),
    "in": lambda held, wanted: held in wanted,
    "nin": lambda held, wanted: held not in wanted,
    "gt": lambda held, wanted: held is not None and bool(held > wanted),
    "gte": lambda held, wanted: held is not None and bool(held >= wanted),
    "lt": lambda held, wanted: held is not None and bool(held < wanted),
    "lte": lambda held, wanted: held is not None and bool(held <= wanted),
    "contains": lambda held, wanted: held is not None and str(wanted) in str(held),
    "icontains": lambda held, wanted: held is not None and str(wanted).lower() in str(held).lower(),
}


class Memory:
    """``Memory()`` opens the user's own book; ``Memory(book)`` uses one that is open."""

    def __init__(self, book: Commonplace | None = None) -> None:
        self._book = book or Commonplace.open()

    @classmethod
    def from_config(cls, config: Mapping[str, Any] | None = None) -> Self:
        """Only ``{"url": …, "owner": …}`` is looked at; models and vector stores need no configuration here."""
        given = config or {}
        return cls(Commonplace.open(given.get("url"), owner=given.get("owner", "me")))

    def add(
        self,
        messages: Messages,
        *,
        user_id: str | None = None,
        agent_id: str | None = None,
        run_id: str | None = None,
        metadata: Mapping[str, Any] | None = None,
        infer: bool = True,
        expiration_date: str | None = None,
        **ignored: Any,
    ) -> Results:
        """Learn from messages, or with ``infer=False`` keep each as it is. What is tombstoned is left out."""
        ids = _ids({"user_id": user_id, "agent_id": agent_id, "run_id": run_id}, {})
        kept = {**(metadata or {}), **ids}
        book, said = self._within(ids), _messages(messages)
        if infer:
            return {"results": self._learn(book, said, kept)}
        expires = None if expiration_date is None else _day(expiration_date)
        found = [self._keep(book, message, kept, expires) for message in said]
        return {"results": [one for one in found if one is not None]}

    def search(
        self,
        query: str,
        *,
        filters: Mapping[str, Any] | None = None,
        top_k: int | None = None,
        limit: int | None = None,
        threshold: float | None = None,
        show_expired: bool = False,
        **given: Any,
    ) -> Results:
        ids, rest = _scope(given, filters)
        wanted = top_k or limit or TOP
        hits = self._within(ids).recall(query, limit=min(wanted * (5 if rest else 1), MOST))
        found = [{**_shown(hit.memory), "score": hit.score} for hit in hits if _fits(hit.memory, rest)]
        kept = [one for one in found if threshold is None or one["score"] >= threshold]
        return {"results": kept[:wanted]}

    def get_all(
        self,
        *,
        filters: Mapping[str, Any] | None = None,
        top_k: int | None = None,
        limit: int | None = None,
        **given: Any,
    ) -> Results:
        ids, rest = _scope(given, filters)
        wanted, found, after = top_k or limit or TOP, list[dict[str, Any]](), None
        book = self._within(ids)
        while len(found) < wanted and (page := book.browse(limit=MOST, after=after, namespaces=[book.namespace])):
            found += [_shown(one) for one in page if _fits(one, rest)]
            after = page[-1].id
        return {"results": found[:wanted]}

    def get(self, memory_id: str) -> dict[str, Any] | None:
        place = self._place(memory_id)
        if place is None or place[1].status not in CURRENT:
            return None
        return _shown(place[1])

    def update(
        self,
        memory_id: str,
        text: str | None = None,
        metadata: Mapping[str, Any] | None = None,
        data: str | None = None,
        **ignored: Any,
    ) -> dict[str, str]:
        book, memory = self._known(memory_id)
        fields: dict[str, Any] = {} if metadata is None else {"metadata": {**memory.metadata, **metadata}}
        book.revise(memory_id, text if text is not None else data, reason="updated", **fields)
        return {"message": "Memory updated successfully!"}

    def delete(self, memory_id: str) -> dict[str, str]:
        """Forget it, for good."""
        book, _ = self._known(memory_id)
        book.forget(memory_id)
        return {"message": "Memory deleted successfully!"}

    def delete_all(
        self, user_id: str | None = None, agent_id: str | None = None, run_id: str | None = None
    ) -> dict[str, str]:
        ids = _ids({"user_id": user_id, "agent_id": agent_id, "run_id": run_id}, {})
        rest = dict(list(ids.items())[1:])
        book, after = self._within(ids), None
        while page := book.browse(limit=MOST, newest=False, after=after, namespaces=[book.namespace]):
            after = page[-1].id
            for memory in page:
                if _fits(memory, rest):
                    _forgotten(book, memory.id)
        return {"message": "Memories deleted successfully!"}

    def history(self, memory_id: str) -> list[dict[str, Any]]:
        book, _ = self._known(memory_id)
        versions = book.history(memory_id)
        return [_told(memory_id, before, one) for before, one in zip([None, *versions], versions, strict=False)]

    def reset(self) -> None:
        """Erase every namespace that this façade made."""
        for namespace in self._book.namespaces.list():
            if namespace.name.startswith("mem0 "):
                self._book.erase(confirm=True, namespace=namespace.name)

    def close(self) -> None:
        self._book.close()

    def _within(self, ids: Mapping[str, str]) -> Commonplace:
        name, value = next(iter(ids.items()))
        return self._book.within(f"mem0 {name.removesuffix('_id')} {value}")

    def _learn(self, book: Commonplace, said: Sequence[Message], metadata: dict[str, Any]) -> list[dict[str, Any]]:
        messages = [Message(one.text, role=one.role, speaker=one.speaker, metadata=metadata) for one in said]
        try:
            receipt = book.observe(messages, session=metadata.get("run_id"))
        except Refused:
            return []
        learned = [
            {"id": change.id, "memory": change.statement, "event": change.action}
            for change in receipt.changes
            if change.statement and change.action != "NOOP"
        ]
        return learned or [{"id": id, "memory": book.get(id).text, "event": "ADD"} for id in receipt.ids]

    def _keep(
        self, book: Commonplace, message: Message, metadata: dict[str, Any], expires: datetime | None
    ) -> dict[str, Any] | None:
        try:
            receipt = book.remember(message.text, metadata={**metadata, "role": message.role}, expires_at=expires)
        except Tombstoned:
            return None
        return {"id": receipt.id, "memory": message.text, "event": receipt.action}

    def _place(self, id: str) -> tuple[Commonplace, Kept] | None:
        """The namespace an id lives in: mem0's ids are looked up without saying whose they are."""
        for namespace in self._book.namespaces.list():
            book = self._book.within(namespace.name)
            try:
                return book, book.get(id)
            except NotFound:
                continue
        return None

    def _known(self, id: str) -> tuple[Commonplace, Kept]:
        place = self._place(id)
        if place is None:
            raise ValueError(f"Memory with id {id} not found")
        return place


def _awaited(verb: Callable[..., Any]) -> Callable[..., Any]:
    @wraps(verb)
    async def awaited(self: "AsyncMemory", *args: Any, **kwargs: Any) -> Any:
        return await asyncio.to_thread(verb, self.memory, *args, **kwargs)

    return awaited


class AsyncMemory:
    """The same, awaited."""

    def __init__(self, book: Commonplace | None = None) -> None:
        self.memory = Memory(book)

    add = _awaited(Memory.add)
    search = _awaited(Memory.search)
    get_all = _awaited(Memory.get_all)
    get = _awaited(Memory.get)
    update = _awaited(Memory.update)
    delete = _awaited(Memory.delete)
    delete_all = _awaited(Memory.delete_all)
    history = _awaited(Memory.history)
    reset = _awaited(Memory.reset)


def _scope(given: Mapping[str, Any], filters: Mapping[str, Any] | None) -> tuple[dict[str, str], dict[str, Any]]:
    """Whose memories, and what else must hold. Ids may stand at the top or among the filters."""
    ids = _ids(given, filters or {})
    main = next(iter(ids))
    rest = {name: value for name, value in {**(filters or {}), **ids}.items() if name != main and value != "*"}
    return ids, rest


def _ids(given: Mapping[str, Any], filters: Mapping[str, Any]) -> dict[str, str]:
    found = {name: given.get(name) or filters.get(name) for name in IDS}
    ids = {name: str(value) for name, value in found.items() if value and not isinstance(value, Mapping)}
    if not ids:
        raise ValueError("one of user_id, agent_id or run_id is needed, as an argument or among the filters")
    return ids


def _messages(given: Messages) -> list[Message]:
    if isinstance(given, str):
        return [Message(given)]
    listed = [given] if isinstance(given, Mapping) else given
    return [
        Message(str(one.get("content", "")), role=one.get("role", "user"), speaker=one.get("name")) for one in listed
    ]


def _fits(memory: Kept, wanted: Mapping[str, Any]) -> bool:
    held: dict[str, Any] = {**memory.metadata, "created_at": memory.recorded_at.isoformat()}
    return all(_holds(held, name, value) for name, value in wanted.items())


def _holds(held: Mapping[str, Any], name: str, wanted: Any) -> bool:
    if name in ("AND", "OR"):
        parts = [all(_holds(held, *pair) for pair in one.items()) for one in wanted]
        return all(parts) if name == "AND" else any(parts)
    if name == "NOT":
        return not any(all(_holds(held, *pair) for pair in one.items()) for one in wanted)
    if isinstance(wanted, Mapping):
        return all(COMPARE[compare](held.get(name), value) for compare, value in wanted.items())
    return bool(wanted == "*" or held.get(name) == wanted)


def _shown(memory: Kept) -> dict[str, Any]:
    """A memory in mem0's form."""
    shown: dict[str, Any] = {
        "id": memory.id,
        "memory": memory.text,
        "hash": md5(memory.text.encode("utf-8", "surrogatepass"), usedforsecurity=False).hexdigest(),
        "created_at": memory.recorded_at.isoformat(),
        "updated_at": (memory.last_confirmed_at or memory.recorded_at).isoformat(),
        "metadata": {name: value for name, value in memory.metadata.items() if name not in (*IDS, "role")},
    }
    shown |= {name: memory.metadata[name] for name in (*IDS, "role") if name in memory.metadata}
    if memory.expires_at is not None:
        shown["expiration_date"] = memory.expires_at.date().isoformat()
    return shown


def _told(id: str, before: Version | None, one: Version) -> dict[str, Any]:
    return {
        "id": f"{id}/{one.version}",
        "memory_id": id,
        "old_memory": before.memory.text if before else None,
        "new_memory": one.memory.text,
        "event": "UPDATE" if before else "ADD",
        "created_at": one.recorded_at.isoformat(),
        "updated_at": one.recorded_at.isoformat(),
        "is_deleted": False,
        "actor_id": one.actor,
        "role": None,
    }


def _forgotten(book: Commonplace, id: str) -> None:
    try:
        book.forget(id)
    except NotFound:
        return  # it went with what it rested on


def _day(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)
