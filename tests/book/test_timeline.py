"""What happened on which day, counted in the owner's time zone."""

from datetime import UTC, datetime, timedelta, timezone

from commonplace import Commonplace, Message
from commonplace.memories.timeline import Timeline
from commonplace.testing.clock import StoppedClock


def test_days_begin_and_end_where_the_owner_lives(book: Commonplace, clock: StoppedClock) -> None:
    clock.at = datetime(2026, 3, 1, 23, 50, tzinfo=UTC)
    book.remember("The valve is open.")
    book.remember("The pump hums.")
    told = [Message("Good evening.", speaker="Ada", at=clock.now()), Message("Long ago.", speaker="Ada", at=long_ago())]
    book.observe(told)
    clock.advance(minutes=15)
    gone = book.remember("The gate code is 4711.")
    book.forget(gone.ids[0])
    assert counted(book, UTC) == {"2026-03-02": (0, 0, 1), "2026-03-01": (1, 2, 0), "1969-12-31": (1, 0, 0)}
    nepal = timezone(timedelta(hours=5, minutes=45))
    assert counted(book, nepal) == {"2026-03-02": (1, 2, 1), "1970-01-01": (1, 0, 0)}
    assert [one.day for one in book.timeline.days(before="2026-03-02", limit=1)] == ["2026-03-01"]
    assert [one.day for one in book.timeline.days(until=clock.now() - timedelta(days=1))] == ["1969-12-31"]


def long_ago() -> datetime:
    return datetime(1969, 12, 31, 23, 59, 59, 999_999, tzinfo=UTC)


def counted(book: Commonplace, zone: timezone) -> dict[str, tuple[int, int, int]]:
    found = Timeline(book._scope, zone).days()
    return {one.day: (one.episodes, one.learned, one.forgotten) for one in found}
