"""mem0's ``Memory`` over a book, so that moving takes one changed import. Does not need mem0.

``user_id`` (else ``agent_id``, else ``run_id``) is the namespace, byte for byte; the other ids are in the metadata.
Both call forms work: ids and ``limit`` at the top level (version 1), or ``filters`` and ``top_k`` (version 2).
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime
from hashlib import md5
from itertools import islice
from typing import Any, Self

from commonplace.adapters.agent_memory import observe, statement
from commonplace.adapters.foreign_ids import ids_of, namespace_of
from commonplace.adapters.items import awaited, bounded, every
from commonplace.book import Commonplace
from commonplace.errors import NotFound, Tombstoned
from commonplace.model import CURRENT, Message
from commonplace.model import Memory as StoredMemory

IDS = ("user_id", "agent_id", "run_id")
TOP, MOST, PAGE = 20, 1000, 100
THRESHOLD = 0.1
"""mem0's default: hits with a lower score are left out."""
PREFIX = "mem0/"
NO_ID = "one of user_id, agent_id or run_id is needed, as an argument or among the filters"
Filters = Mapping[str, Any]
Results = dict[str, list[dict[str, Any]]]
Messages = str | Mapping[str, Any] | Sequence[Mapping[str, Any]]
COMPARE: dict[str, Callable[[Any, Any], bool]] = {
    "eq": lambda value, operand: bool(value == operand),
    "ne": lambda value, operand: bool(value != operand),
    "in": lambda value, operand: value in operand,
    "nin": lambda value, operand: value not in operand,
    "gt": lambda value, operand: value is not None and bool(value > operand),
    "gte": lambda value, operand: value is not None and bool(value >= operand),
    "lt": lambda value, operand: value is not None and bool(value < operand),
    "lte": lambda value, operand: value is not None and bool(value <= operand),
    "contains": lambda value, operand: value is not None and str(operand) in str(value),
    "icontains": lambda value, operand: value is not None and str(operand).lower() in str(value).lower(),
}


class Memory:
    """``Memory()`` opens the user's own book; ``Memory(book)`` uses one that is open."""

    def __init__(self, book: Commonplace | None = None) -> None:
        self._book = book or Commonplace.open()

    @classmethod
    def from_config(cls, config: Mapping[str, Any] | None = None) -> Self:
        """Only ``url`` and ``owner`` are used; models and vector stores need no configuration here."""
        values = config or {}
        return cls(Commonplace.open(values.get("url"), owner=values.get("owner", "me")))

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
        """Learn from messages, or with ``infer=False`` store each unchanged.

        System messages are skipped: they are instructions. Tombstoned values are left out.
        """
        ids = _ids({"user_id": user_id, "agent_id": agent_id, "run_id": run_id})
        stored = {**(metadata or {}), **ids}
        book, turns = self._within(*next(iter(ids.items()))), _messages(messages)
        if infer:
            return {"results": self._learn(book, turns, stored) if turns else []}
        expires = None if expiration_date is None else datetime.fromisoformat(expiration_date).replace(tzinfo=UTC)
        results = []
        for message in turns:
            with suppress(Tombstoned):
                receipt = book.remember(message.text, metadata={**stored, "role": message.role}, expires_at=expires)
                results.append({"id": receipt.id, "memory": message.text, "event": receipt.action})
        return {"results": results}

    def search(
        self,
        query: str,
        *,
        filters: Filters | None = None,
        top_k: int | None = None,
        limit: int | None = None,
        threshold: float | None = THRESHOLD,
        show_expired: bool = False,
        **ids: Any,
    ) -> Results:
        """Facts first, then messages, each best first; scores are between 0 and 1.

        Hits below ``threshold`` are left out; None keeps all.
        """
        condition = _condition(ids, filters)
        wanted = _most(top_k, limit)
        pool = min(wanted * 5, MOST)
        hits = [
            (hit, book)
            for book, ids in self._books(condition)
            for hit in (book.recall(query, limit=pool, namespaces=[book.namespace]) if wanted else ())
            if _fits(hit.memory, book, ids, condition)
        ]
        hits.sort(key=lambda pair: (pair[0].memory.kind == "episodic", -pair[0].score))
        results = [{**_result(hit.memory, book), "score": bounded(hit.score)} for hit, book in hits]
        above = [result for result in results if threshold is None or result["score"] >= threshold]
        return {"results": above[:wanted]}

    def get_all(
        self, *, filters: Filters | None = None, top_k: int | None = None, limit: int | None = None, **ids: Any
    ) -> Results:
        memories = self._fitting(_condition(ids, filters))
        return {"results": [_result(memory, book) for memory, book in islice(memories, _most(top_k, limit))]}

    def get(self, memory_id: str) -> dict[str, Any] | None:
        place = self._find(memory_id)
        return None if place is None or place[1].status not in CURRENT else _result(place[1], place[0])

    def update(
        self,
        memory_id: str,
        text: str | None = None,
        metadata: Mapping[str, Any] | None = None,
        data: str | None = None,
        **ignored: Any,
    ) -> dict[str, str]:
        book, memory = self._existing(memory_id)
        fields: dict[str, Any] = {} if metadata is None else {"metadata": {**memory.metadata, **metadata}}
        book.revise(memory_id, text if text is not None else data, reason="updated", **fields)
        return {"message": "Memory updated successfully!"}

    def delete(self, memory_id: str) -> dict[str, str]:
        """Delete it for good."""
        book, _ = self._existing(memory_id)
        book.forget(memory_id)
        return {"message": "Memory deleted successfully!"}

    def delete_all(
        self, user_id: str | None = None, agent_id: str | None = None, run_id: str | None = None
    ) -> dict[str, str]:
        ids = _ids({"user_id": user_id, "agent_id": agent_id, "run_id": run_id})
        for memory, book in list(self._fitting(ids)):
            with suppress(NotFound):  # deleted together with its evidence
                book.forget(memory.id)
        return {"message": "Memories deleted successfully!"}

    def history(self, memory_id: str) -> list[dict[str, Any]]:
        book, _ = self._existing(memory_id)
        versions = book.history(memory_id)
        return [
            {
                "id": f"{memory_id}/{after.version}",
                "memory_id": memory_id,
                "old_memory": before.memory.text if before else None,
                "new_memory": after.memory.text,
                "event": "UPDATE" if before else "ADD",
                "created_at": after.recorded_at.isoformat(),
                "updated_at": after.recorded_at.isoformat(),
                "is_deleted": False,
                "actor_id": after.actor,
                "role": None,
            }
            for before, after in zip([None, *versions], versions, strict=False)
        ]

    def reset(self) -> None:
        """Erase every namespace that this adapter created."""
        for name in self._names():
            self._book.erase(confirm=True, namespace=name)

    def close(self) -> None:
        self._book.close()

    def _within(self, kind: str, id: str) -> Commonplace:
        return self._book.within(namespace_of("mem0", kind.removesuffix("_id"), id))

    def _names(self) -> list[str]:
        return [space.name for space in self._book.namespaces.list() if space.name.startswith(PREFIX)]

    def _books(self, condition: Filters) -> Iterator[tuple[Commonplace, dict[str, str]]]:
        """The namespaces that a condition's ids can be in, each with its id; all of them for a wildcard."""
        for kind in IDS:
            values = _exact(condition, kind)
            if values is not None:
                for value in sorted(values):
                    own = self._within(kind, value)
                    yield own, {kind: value}
                    yield from ((self._book.within(name), {}) for name in self._naming(kind, value, own.namespace))
                return
        yield from ((self._book.within(name), {}) for name in self._names())

    def _naming(self, kind: str, value: str, own: str) -> Iterator[str]:
        """The namespaces of users, or of agents, with memories of this agent or run."""
        names = set() if kind == "user_id" else {name for name in self._names() if name != own}
        while names and (memories := self._book.browse(metadata={kind: value}, namespaces=sorted(names), limit=1)):
            names.discard(memories[0].namespace)
            yield memories[0].namespace

    def _fitting(self, condition: Filters) -> Iterator[tuple[StoredMemory, Commonplace]]:
        for book, ids in self._books(condition):
            yield from ((memory, book) for memory in every(book, size=PAGE) if _fits(memory, book, ids, condition))

    def _learn(self, book: Commonplace, turns: Sequence[Message], metadata: dict[str, Any]) -> list[dict[str, Any]]:
        messages = [replace(turn, metadata=metadata) for turn in turns]
        receipt = observe(book, messages, session=metadata.get("run_id"))
        if receipt is None:
            return []
        learned = [
            {"id": change.id, "memory": statement(book.get(change.id)), "event": change.action}
            for change in receipt.changes
            if change.statement and change.action != "NOOP"
        ]
        return learned or [{"id": id, "memory": statement(book.get(id)), "event": "ADD"} for id in receipt.ids]

    def _find(self, id: str) -> tuple[Commonplace, StoredMemory] | None:
        """The namespace and memory of an id: mem0 does not pass the owner of an id."""
        for name in self._names():
            book = self._book.within(name)
            try:
                memory = book.get(id)
            except NotFound:
                continue
            if memory.namespace == name:  # and not `personal`, which is searched too
                return book, memory
        return None

    def _existing(self, id: str) -> tuple[Commonplace, StoredMemory]:
        place = self._find(id)
        if place is None:
            raise ValueError(f"Memory with id {id} not found")
        return place


class AsyncMemory:
    """The same, awaited."""

    def __init__(self, book: Commonplace | None = None) -> None:
        self.memory = Memory(book)

    add = awaited(Memory.add, "memory")
    search = awaited(Memory.search, "memory")
    get_all = awaited(Memory.get_all, "memory")
    get = awaited(Memory.get, "memory")
    update = awaited(Memory.update, "memory")
    delete = awaited(Memory.delete, "memory")
    delete_all = awaited(Memory.delete_all, "memory")
    history = awaited(Memory.history, "memory")
    reset = awaited(Memory.reset, "memory")


def _condition(ids: Mapping[str, Any], filters: Filters | None) -> Filters:
    """One condition from top-level ids and filters; it must contain at least one id."""
    named = {name: value for name, value in ids.items() if name in IDS and value}
    condition = {**(filters or {}), **named}
    if not _names_an_id(condition):
        raise ValueError(NO_ID)
    return condition


def _names_an_id(condition: Filters) -> bool:
    nested = (part for name in ("AND", "OR", "NOT") for part in _parts(condition.get(name)))
    return any(condition.get(name) for name in IDS) or any(map(_names_an_id, nested))


def _ids(values: Mapping[str, Any]) -> dict[str, str]:
    ids = {name: str(values[name]) for name in IDS if values.get(name)}
    if not ids:
        raise ValueError(NO_ID)
    return ids


def _exact(condition: Filters, kind: str) -> set[str] | None:
    """The only values that an id can have under a condition; None if it can have any."""
    value = condition.get(kind)
    if isinstance(value, Mapping):
        if "eq" in value:
            return {str(value["eq"])}
        if "in" in value:
            return set(map(str, value["in"]))
    elif value and value != "*":
        return {str(value)}
    required = [values for part in _parts(condition.get("AND")) if (values := _exact(part, kind)) is not None]
    if required:
        return set.intersection(*required)
    either = [_exact(part, kind) for part in _parts(condition.get("OR"))]
    if either and all(values is not None for values in either):
        return set().union(*(values for values in either if values is not None))
    return None


def _parts(conditions: Any) -> list[Filters]:
    return [] if conditions is None else [conditions] if isinstance(conditions, Mapping) else list(conditions)


def _most(top_k: int | None, limit: int | None) -> int:
    most = next((number for number in (top_k, limit) if number is not None), TOP)
    if most < 0:
        raise ValueError(f"top_k is a whole number of at least 0, not {most}")
    return most


def _messages(messages: Messages) -> list[Message]:
    if isinstance(messages, str):
        return [Message(messages)]
    listed = [messages] if isinstance(messages, Mapping) else messages
    return [
        Message(text, role=message.get("role", "user"), speaker=message.get("name"))
        for message in listed
        if message.get("role") not in ("system", "developer") and (text := _text(message.get("content")))
    ]


def _text(content: Any) -> str:
    """The text of a message, whose content may be a list of parts."""
    if isinstance(content, str):
        return content
    parts = content if isinstance(content, list) else [content]
    return "\n".join(str(part["text"]) for part in parts if isinstance(part, Mapping) and part.get("text"))


def _fits(memory: StoredMemory, book: Commonplace, ids: Mapping[str, str], condition: Filters) -> bool:
    values = {**_metadata(memory, book), **ids, "created_at": memory.recorded_at.isoformat()}
    return _holds(values, condition)


def _metadata(memory: StoredMemory, book: Commonplace) -> dict[str, Any]:
    """The metadata for mem0; a fact takes it from the message that it was learned from."""
    metadata = dict(memory.metadata)
    if memory.kind != "episodic" and not any(name in metadata for name in IDS):
        for episode, _ in book.evidence(memory.id):
            metadata = {**episode.metadata, **metadata}
    ids = ids_of(book.namespace) if book.namespace.startswith(PREFIX) else None
    return {**metadata, f"{ids[0]}_id": ids[1]} if ids else metadata


def _holds(values: Mapping[str, Any], condition: Filters) -> bool:
    return all(_holds_for(values, name, operand) for name, operand in condition.items())


def _holds_for(values: Mapping[str, Any], name: str, operand: Any) -> bool:
    if name in ("AND", "OR", "NOT"):
        parts = [_holds(values, part) for part in _parts(operand)]
        return all(parts) if name == "AND" else any(parts) if name == "OR" else not any(parts)
    if name in IDS:
        operand = _as_text(operand)
    if isinstance(operand, Mapping):
        unknown = set(operand) - set(COMPARE)
        if unknown:
            raise ValueError(f"unknown filter operator {min(unknown)!r}; one of {', '.join(COMPARE)}")
        return all(COMPARE[compare](values.get(name), value) for compare, value in operand.items())
    return bool(name in values if operand == "*" else values.get(name) == operand)


def _as_text(operand: Any) -> Any:
    """Ids are stored as text."""
    if isinstance(operand, Mapping):
        return {compare: _as_text(value) for compare, value in operand.items()}
    return [str(value) for value in operand] if isinstance(operand, list | tuple | set) else str(operand)


def _result(memory: StoredMemory, book: Commonplace) -> dict[str, Any]:
    """A memory in mem0's form."""
    metadata = _metadata(memory, book)
    result: dict[str, Any] = {
        "id": memory.id,
        "memory": statement(memory),
        "hash": md5(memory.text.encode("utf-8", "surrogatepass"), usedforsecurity=False).hexdigest(),
        "created_at": memory.recorded_at.isoformat(),
        "updated_at": (memory.last_confirmed_at or memory.recorded_at).isoformat(),
        "metadata": {name: value for name, value in metadata.items() if name not in (*IDS, "role")},
    }
    result |= {name: metadata[name] for name in (*IDS, "role") if name in metadata}
    if memory.expires_at is not None:
        result["expiration_date"] = memory.expires_at.date().isoformat()
    return result
