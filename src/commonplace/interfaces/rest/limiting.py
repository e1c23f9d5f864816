"""How often a caller may ask: a token bucket each, kept by one process or shared by the workers of one server."""

import struct
import threading
import time
from collections import OrderedDict
from contextlib import suppress
from hashlib import blake2b
from multiprocessing.context import BaseContext
from typing import Any, Protocol

MOST_BUCKETS = 10_000
ROW = struct.Struct("16sdd")
"""Who, how much is left, when that was."""
WAYS = 8
"""Rows that a caller may have; the one that was silent longest is replaced."""
BUCKETS = 2048
PATIENCE = 1.0
"""Seconds after which the lock, which is held for microseconds, must have belonged to a worker that died."""


class Limiter(Protocol):
    """Allows a burst of requests, refilled evenly over each minute."""

    def take(self, who: str, now: float | None = None) -> float:
        """0 if the caller may go on, else the seconds to wait."""


class OwnLimiter:
    """The buckets of one process."""

    def __init__(self, per_minute: int) -> None:
        self._rate, self._most = per_minute / 60, float(per_minute)
        self._buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()
        self._lock = threading.Lock()

    def take(self, who: str, now: float | None = None) -> float:
        if not self._most:
            return 0.0
        now = _now() if now is None else now
        with self._lock:
            tokens, last_seen = self._buckets.pop(who, (self._most, now))
            tokens, wait = _spent(tokens, now - last_seen, self._most, self._rate)
            self._buckets[who] = (tokens, now)
            if len(self._buckets) > MOST_BUCKETS:
                self._buckets.popitem(last=False)
        return wait


class Counters:
    """Memory that the workers of one server share, made before they are; goes to each as an argument."""

    def __init__(self, context: BaseContext) -> None:
        self.rows: Any = context.RawArray("c", BUCKETS * WAYS * ROW.size)
        self.lock = context.Lock()


class SharedLimiter:
    """The same for all workers together, whichever of them a request comes to."""

    def __init__(self, per_minute: int, counters: Counters, name: str) -> None:
        self._rate, self._most = per_minute / 60, float(per_minute)
        self._counters, self._name = counters, name

    def take(self, who: str, now: float | None = None) -> float:
        if not self._most:
            return 0.0
        now = _now() if now is None else now
        key = blake2b(f"{self._name} {who}".encode(), digest_size=16).digest()
        lock = self._counters.lock
        lock.acquire(timeout=PATIENCE)
        try:
            return self._count(key, now)
        finally:
            # two may find it left behind by a dead worker, and the other has released it already
            with suppress(ValueError):
                lock.release()

    def _count(self, key: bytes, now: float) -> float:
        rows = self._counters.rows
        first = int.from_bytes(key[:4], "big") % BUCKETS * WAYS * ROW.size
        places = range(first, first + WAYS * ROW.size, ROW.size)
        rows_by_place = {place: ROW.unpack_from(rows, place) for place in places}
        place = next((slot for slot, row in rows_by_place.items() if row[0] == key), None)
        if place is None:
            place, tokens, last_seen = min(rows_by_place, key=lambda slot: rows_by_place[slot][2]), self._most, now
        else:
            _, tokens, last_seen = rows_by_place[place]
        tokens, wait = _spent(tokens, now - last_seen, self._most, self._rate)
        ROW.pack_into(rows, place, key, tokens, now)
        return wait


def _spent(tokens: float, passed: float, capacity: float, rate: float) -> tuple[float, float]:
    """The tokens left after one more request, and the seconds to wait if there were too few."""
    tokens = min(capacity, tokens + passed * rate)
    return (tokens - 1, 0.0) if tokens >= 1 else (tokens, (1 - tokens) / rate)


def _now() -> float:
    """A pause is measured, not a date; the same clock for every process of the machine."""
    return time.monotonic()
