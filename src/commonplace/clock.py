"""The only source of time and randomness."""

import os
import threading
import time
from datetime import UTC, datetime, timedelta, tzinfo
from typing import Protocol

from commonplace.errors import SettingsError

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


class Clock(Protocol):
    def now(self) -> datetime:
        """The present time, in UTC."""

    def new_id(self) -> str:
        """A fresh UUIDv7: unique across processes, sorted by creation time."""


class SystemClock:
    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._last = 0

    def now(self) -> datetime:
        return datetime.now(UTC)

    def new_id(self) -> str:
        # Lay out `stamp` (milliseconds × 4096) and 62 random bits as RFC 9562 says.
        stamp = self._tick()
        chance = int.from_bytes(os.urandom(8)) & ((1 << 62) - 1)
        value = (stamp >> 12) << 80 | 0x7 << 76 | (stamp & 0xFFF) << 64 | 0b10 << 62 | chance
        digits = f"{value:032x}"
        return f"{digits[:8]}-{digits[8:12]}-{digits[12:16]}-{digits[16:20]}-{digits[20:]}"

    def _tick(self) -> int:
        """Milliseconds with a 12-bit fraction; never returns the same value twice in one process."""
        with self._lock:
            stamp = max(time.time_ns() * 4096 // 1_000_000, self._last + 1)
            self._last = stamp
            return stamp


def micros(moment: datetime) -> int:
    """Microseconds since 1970, exact: the stored form of a time."""
    return (moment - EPOCH) // timedelta(microseconds=1)


def moment(stored: int) -> datetime:
    return EPOCH + timedelta(microseconds=stored)


def zone(name: str | None) -> tzinfo | None:
    """The time zone of that name; None is the machine's. Raises ``SettingsError`` for an unknown one."""
    if not name:
        return None
    # most people's time zone is the machine's, and loading zones would cost a hook milliseconds
    from zoneinfo import ZoneInfo, ZoneInfoNotFoundError  # noqa: PLC0415

    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError) as fault:
        raise SettingsError(f"timezone {name!r} is unknown; write one such as Europe/Rome") from fault


def local(at: datetime, zone: tzinfo | None) -> datetime:
    """A moment on the clocks of a zone; the first and the last day of the calendar stay as they are."""
    try:
        return at.astimezone(zone)
    except OverflowError:
        return at
