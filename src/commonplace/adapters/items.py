"""Exact values under exact keys in one namespace: the basis of the frameworks' stores.

An item is a core memory, so a new value ends the old one and history has both. Deleted items are archived, so that the
same value can be stored again. The metadata has the exact value, the text is for search.
"""

import asyncio
import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import wraps
from hashlib import sha256
from typing import Any

from commonplace.book import Commonplace
from commonplace.model import Memory

PAGE = 500
MOST_FOUND = 1000
MOST_TEXT = 20_000


@dataclass(frozen=True, slots=True)
class Item:
    key: str
    value: Any
    created_at: datetime
    updated_at: datetime
    expires_at: datetime | None
    searchable: bool
    text: str
    id: str
    """The id of its memory."""


class Items:
    def __init__(self, book: Commonplace, namespace: str) -> None:
        self._book, self._namespace = book.within(namespace), namespace

    def get(self, key: str) -> Item | None:
        metadata = {"item": name_of(key)}
        memories = self._book.browse(kinds=["core"], namespaces=[self._namespace], metadata=metadata, limit=1)
        items = (_item(memory) for memory in memories)
        return next((item for item in items if not _over(item, self._now())), None)

    def put(
        self,
        key: str,
        value: Any,
        *,
        text: str,
        searchable: bool = True,
        expires_at: datetime | None = None,
        labels: Sequence[str] = (),
    ) -> None:
        """Set a key's value; ``text`` is what search finds it by, ``labels`` what lists are filtered by."""
        before, now, text = self.get(key), self._now().isoformat(), findable(text) or findable(key) or "item"
        metadata = {
            **{f"label{number}": name_of(label) for number, label in enumerate(labels)},
            "item": name_of(key),
            "key": key,
            "value": value,
            "created": before.created_at.isoformat() if before else now,
            "updated": now,
            "searchable": searchable,
        }
        if before is not None and before.text == text:
            self._book.revise(before.id, metadata=metadata, expires_at=expires_at, reason="put again")
        else:
            self._book.remember(text, kind="core", key=name_of(key), metadata=metadata, expires_at=expires_at)

    def renew(self, item: Item, expires_at: datetime) -> None:
        self._book.revise(item.id, expires_at=expires_at, reason="read again")

    def delete(self, key: str) -> None:
        item = self.get(key)
        if item is not None:
            self._book.archive(item.id, reason="deleted")

    def all(self, label: tuple[int, str] | None = None) -> Iterator[Item]:
        """Every item, or those with a label at its position among the labels, oldest first."""
        memories = every(self._book, kinds=["core"], newest=False, metadata=_labelled(label))
        yield from (item for item in map(_item, memories) if not _over(item, self._now()))

    def search(self, query: str, label: tuple[int, str] | None = None) -> list[tuple[Item, float]]:
        """Items by relevance, best first."""
        scope: dict[str, Any] = {"kinds": ["core"], "namespaces": [self._namespace], "metadata": _labelled(label)}
        hits = self._book.recall(query, limit=MOST_FOUND, **scope)
        scored = [(_item(hit.memory), hit.score) for hit in hits if "item" in hit.memory.metadata]
        return [(item, score) for item, score in scored if item.searchable]

    def _now(self) -> datetime:
        return self._book.clock.now()


def every(book: Commonplace, *, size: int = PAGE, **filters: Any) -> Iterator[Memory]:
    """The memories of the book's own namespace, read page by page."""
    after = None
    while page := book.browse(namespaces=[book.namespace], limit=size, after=after, **filters):
        yield from page
        after = page[-1].id


def awaited(method: Callable[..., Any], owner: str = "") -> Any:
    """The asynchronous version of a method; it runs in a thread. ``owner`` is the attribute with the object,
    else self.
    """

    @wraps(method)
    async def call(self: Any, *args: Any, **options: Any) -> Any:
        return await asyncio.to_thread(method, getattr(self, owner) if owner else self, *args, **options)

    return call


def bounded(score: float) -> float:
    """A hit's score between 0 and 1, in the same order."""
    return 1 - math.exp(-max(score, 0.0))


def findable(text: str) -> str:
    """The text for search: bounded, and without anything that a book would refuse."""
    return "".join(letter if letter.isprintable() else " " for letter in text[:MOST_TEXT]).strip()


def name_of(key: str) -> str:
    """A name of fixed length that distinguishes case, which names of core values do not."""
    return sha256(key.encode("utf-8", "surrogatepass")).hexdigest()[:40]


def _labelled(label: tuple[int, str] | None) -> dict[str, str] | None:
    return None if label is None else {f"label{label[0]}": name_of(label[1])}


def _over(item: Item, now: datetime) -> bool:
    return item.expires_at is not None and item.expires_at <= now


def _item(memory: Memory) -> Item:
    metadata = memory.metadata
    return Item(
        key=metadata["key"],
        value=metadata["value"],
        created_at=datetime.fromisoformat(metadata["created"]),
        updated_at=datetime.fromisoformat(metadata["updated"]),
        expires_at=memory.expires_at,
        searchable=metadata["searchable"],
        text=memory.text,
        id=memory.id,
    )
