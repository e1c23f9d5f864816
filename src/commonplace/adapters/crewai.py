"""CrewAI: its ``Memory`` over a book, without a model, an embedder or a vector store of CrewAI's own.

memory = CommonplaceMemory.over(book)
crew = Crew(agents=[…], tasks=[…], memory=memory)
"""

from collections import Counter
from collections.abc import Iterator
from datetime import UTC, datetime
from itertools import islice
from typing import Any

from crewai.memory.types import MemoryMatch, MemoryRecord, ScopeInfo
from crewai.memory.unified_memory import Memory
from crewai.memory.utils import join_scope_paths

from commonplace.adapters.agent_memory import AgentMemory
from commonplace.adapters.items import bounded, every, name_of
from commonplace.book import Commonplace
from commonplace.errors import NotFound
from commonplace.model import CURRENT, Message
from commonplace.model import Memory as StoredMemory
from commonplace.security.fence import escape


class CommonplaceMemory(Memory):
    """What agents save is a candidate until a person confirms it. The book's own rules learn from results."""

    @classmethod
    def over(cls, book: Commonplace, **options: Any) -> "CommonplaceMemory":
        """``options`` are those of ``crewai.Memory``, such as ``root_scope`` and ``read_only``."""
        return cls(storage=BookStorage(book), **options)

    @property
    def _book(self) -> "BookStorage":
        assert isinstance(self._storage, BookStorage)
        return self._storage

    def remember(self, content: str, scope: str | None = None, **fields: Any) -> MemoryRecord | None:
        if self.read_only:
            return None
        fields.pop("agent_role", None)
        path = _within(fields.pop("root_scope", None) or self.root_scope, scope)
        values = {name: value for name, value in fields.items() if value is not None}
        record = MemoryRecord(content=content, scope=path, **values)
        return self._book.keep(record)

    def remember_many(self, contents: list[str], scope: str | None = None, **fields: Any) -> list[MemoryRecord]:
        records = [self.remember(content, scope, **fields) for content in contents]
        return [record for record in records if record is not None]

    def extract_memories(self, content: str) -> list[str]:
        """Learns from a result at once: it is stored word for word, and CrewAI has nothing left to save."""
        if not self.read_only:
            self._book.memory.observe([Message(content, role="assistant")])
        return []

    def recall(
        self,
        query: str,
        scope: str | None = None,
        categories: list[str] | None = None,
        limit: int = 10,
        depth: str = "deep",
        source: str | None = None,
        include_private: bool = False,
    ) -> list[MemoryMatch]:
        path = _within(self.root_scope, scope) if scope or self.root_scope else None
        filters: dict[str, Any] = {"metadata": _under(path), "tags": categories or ()}
        hits = self._book.memory.agent.recall(query, limit=limit * 3, **filters)
        matches = [
            MemoryMatch(record=_record(hit.memory), score=bounded(hit.score), match_reasons=["commonplace"])
            for hit in hits
        ]
        visible = [
            match for match in matches if include_private or not match.record.private or match.record.source == source
        ]
        return visible[:limit]

    def update(self, record_id: str, content: str | None = None, **fields: Any) -> MemoryRecord:
        record = self._book.get_record(record_id)
        if record is None:
            raise ValueError(f"Record not found: {record_id}")
        if self.read_only:
            return record
        changes = {name: value for name, value in {"content": content, **fields}.items() if value is not None}
        changed = record.model_copy(update=changes)
        self._book.update(changed)
        return changed


class BookStorage:
    """What CrewAI lists, counts and deletes; ``CommonplaceMemory`` saves and searches."""

    def __init__(self, book: Commonplace) -> None:
        self.memory, self._book = AgentMemory(book, "crewai"), book

    def keep(self, record: MemoryRecord) -> MemoryRecord:
        fields: dict[str, Any] = {"tags": record.categories, "metadata": _metadata(record)}
        receipt = self.memory.agent.remember(record.content, importance=record.importance, **fields)
        return record.model_copy(update={"id": receipt.id})

    def save(self, records: list[MemoryRecord]) -> None:
        for record in records:
            self.keep(record)

    def update(self, record: MemoryRecord) -> None:
        fields: dict[str, Any] = {"tags": record.categories, "metadata": _metadata(record)}
        self._book.revise(record.id, record.content, importance=record.importance, reason="updated", **fields)

    def get_record(self, record_id: str) -> MemoryRecord | None:
        try:
            memory = self._book.get(record_id)
        except NotFound:
            return None
        return _record(memory) if memory.status in CURRENT else None

    def list_records(self, scope_prefix: str | None = None, limit: int = 200, offset: int = 0) -> list[MemoryRecord]:
        return list(islice(self._all(scope_prefix), offset, offset + limit))

    def delete(
        self,
        scope_prefix: str | None = None,
        categories: list[str] | None = None,
        record_ids: list[str] | None = None,
        older_than: datetime | None = None,
        metadata_filter: dict[str, Any] | None = None,
    ) -> int:
        """Archives them, so that they can be restored."""
        ids = [
            record.id
            for record in self._all(scope_prefix)
            if (not categories or set(categories) & set(record.categories))
            and (record_ids is None or record.id in record_ids)
            and (older_than is None or record.created_at < older_than)
            and all(record.metadata.get(name) == value for name, value in (metadata_filter or {}).items())
        ]
        if ids:
            self._book.archive(*ids, reason="deleted")
        return len(ids)

    def reset(self, scope_prefix: str | None = None) -> None:
        self.delete(scope_prefix)

    def count(self, scope_prefix: str | None = None) -> int:
        return sum(1 for _ in self._all(scope_prefix))

    def list_categories(self, scope_prefix: str | None = None) -> dict[str, int]:
        return dict(Counter(category for record in self._all(scope_prefix) for category in record.categories))

    def list_scopes(self, parent: str = "/") -> list[str]:
        depth = len(_parts(parent))
        paths = (_parts(record.scope) for record in self._all(parent))
        return sorted({"/" + "/".join(parts[: depth + 1]) for parts in paths if len(parts) > depth})

    def get_scope_info(self, scope: str) -> ScopeInfo:
        records = list(self._all(scope))
        times = [record.created_at for record in records]
        return ScopeInfo(
            path=scope,
            record_count=len(records),
            categories=sorted({category for record in records for category in record.categories}),
            oldest_record=min(times, default=None),
            newest_record=max(times, default=None),
            child_scopes=self.list_scopes(scope),
        )

    def _all(self, scope: str | None) -> Iterator[MemoryRecord]:
        """The records below a scope, newest first, found by the scope's label."""
        return map(_record, every(self._book, metadata=_under(scope) or {"crewai": "record"}))


def _parts(scope: str) -> list[str]:
    return [part for part in scope.split("/") if part]


def _within(root: str | None, scope: str | None) -> str:
    return join_scope_paths(root, scope) if root else scope or "/"


def _under(scope: str | None) -> dict[str, str] | None:
    """The label of all records below a scope."""
    parts = _parts(scope or "")
    return {f"scope{len(parts)}": name_of("/".join(parts))} if parts else None


def _metadata(record: MemoryRecord) -> dict[str, Any]:
    parts = _parts(record.scope)
    labels = {f"scope{size}": name_of("/".join(parts[:size])) for size in range(1, len(parts) + 1)}
    own = record.model_dump(mode="json", include={"scope", "metadata", "source", "private"})
    return {**labels, "crewai": "record", "record": own}


def _record(memory: StoredMemory) -> MemoryRecord:
    """Times are without a zone, as CrewAI's are."""
    at = memory.recorded_at.astimezone(UTC).replace(tzinfo=None)
    return MemoryRecord(
        id=memory.id,
        content=escape(" ".join(memory.text.split())),
        categories=list(memory.tags),
        importance=memory.importance,
        created_at=at,
        last_accessed=at,
        **memory.metadata.get("record", {}),
    )
