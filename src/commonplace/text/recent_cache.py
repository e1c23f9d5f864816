"""A cache of recent results."""

from collections.abc import Callable, Mapping
from typing import TypeVar

Value = TypeVar("Value")


class RecentCache(dict[str, Value]):
    """``cache[key]`` is ``compute(key)``, computed once; at ``capacity`` the older half is dropped.

    Half the cost of ``lru_cache``, for tables that are read about fifty times per memory. Thread-safe: two threads may
    compute the same value.
    """

    def __init__(self, compute: Callable[[str], Value], capacity: int) -> None:
        super().__init__()
        self._compute, self._capacity = compute, capacity

    def __missing__(self, key: str) -> Value:
        value = self._compute(key)
        if len(self) >= self._capacity:
            self._drop_older_half()
        self[key] = value
        return value

    def add(self, values: Mapping[str, Value]) -> None:
        """Add values that were computed elsewhere."""
        if len(self) + len(values) > self._capacity:
            self._drop_older_half()
        self.update(values)

    def _drop_older_half(self) -> None:
        for old in list(self)[: self._capacity // 2]:
            self.pop(old, None)
