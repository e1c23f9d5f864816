"""Core values: pairs of key and value that are always in the profile."""

import builtins
from datetime import datetime

from commonplace.errors import NotFound
from commonplace.memories.forgetting import Forgetting
from commonplace.memories.gateway import Gateway
from commonplace.memories.reading import Reader
from commonplace.memories.scope import Scope
from commonplace.model import Category, Memory, NewMemory, Receipt


class Core:
    def __init__(self, scope: Scope) -> None:
        self._scope = scope

    def set(self, key: str, value: str, *, category: Category = "preference", confirm: bool = False) -> Receipt:
        """Set a key's value from now on; the old value stays in history.

        ``confirm`` brings back a value that was rejected or forgotten; only a person may pass it.
        """
        new = NewMemory(text=value, kind="core", key=key, category=category, confirm=confirm)
        return Gateway(self._scope).remember(new)

    def get(self, key: str, *, as_of: datetime | None = None, known_at: datetime | None = None) -> Memory:
        """The memory with a key, now or at a moment; the namespace's own value wins over the personal one."""
        name = " ".join(key.split()).casefold()
        for memory in self.list(as_of=as_of, known_at=known_at):
            if (memory.key or "").casefold() == name:
                return memory
        raise NotFound("core value", key)

    def list(self, *, as_of: datetime | None = None, known_at: datetime | None = None) -> builtins.list[Memory]:
        return Reader(self._scope).core(as_of=as_of, known_at=known_at)

    def forget(self, key: str) -> Receipt:
        """Delete the key's value for good."""
        return Forgetting(self._scope).forget([self.get(key).id])
