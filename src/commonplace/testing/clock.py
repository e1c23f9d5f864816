from datetime import UTC, datetime, timedelta

from commonplace.clock import SystemClock


class StoppedClock(SystemClock):
    """A clock that is set by hand. Ids still come from the system clock, so that they stay unique and ordered."""

    def __init__(self, at: datetime | None = None) -> None:
        super().__init__()
        self.at = at or datetime(2026, 5, 1, 12, 0, tzinfo=UTC)

    def now(self) -> datetime:
        return self.at

    def advance(self, **by: float) -> datetime:
        self.at += timedelta(**by)
        return self.at
