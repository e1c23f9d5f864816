"""What happened on each day: how much was said, learned and forgotten."""

from collections import Counter
from dataclasses import dataclass
from datetime import UTC, datetime, tzinfo

from commonplace.clock import moment
from commonplace.memories.admission import aware, page_size
from commonplace.memories.codec import stamp
from commonplace.memories.reading import Reader
from commonplace.memories.scope import Scope
from commonplace.store.rows import Filter, from_row
from commonplace.store.transaction import Transaction

QUARTER = 15 * 60 * 1_000_000
"""In every time zone in use a day begins on a quarter of an hour."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Day:
    day: str
    """ISO date."""
    episodes: int
    learned: int
    forgotten: int


@dataclass(frozen=True, slots=True, kw_only=True)
class UsageDay:
    day: str
    what: str
    calls: int
    tokens: int


class Timeline:
    """Days of the scope's namespace, in the owner's time zone."""

    def __init__(self, scope: Scope, zone: tzinfo | None = None) -> None:
        self._scope, self._zone = scope, zone or UTC

    def days(
        self,
        *,
        since: datetime | None = None,
        until: datetime | None = None,
        before: str | None = None,
        limit: int = 60,
    ) -> list[Day]:
        """Days with activity, newest first; ``before`` is the last day of the previous page."""
        limit = page_size(limit)
        start, end = stamp(aware("since", since)), stamp(aware("until", until))
        with self._scope.store.read(self._scope.owner) as tx:
            counted: dict[str, Counter[str]] = {"episodes": Counter(), "learned": Counter()}
            names = Reader(self._scope).namespaces(tx)
            if names:
                filter = Filter(namespaces=tuple(names), since=start, until=end)
                for kind, at, many in tx.memories.spread(filter, step=QUARTER):
                    counted["episodes" if kind == "episodic" else "learned"][self._day(at)] += many
            counted["forgotten"] = self._forgotten(tx, start, end)
        all_days = sorted({day for counts in counted.values() for day in counts}, reverse=True)
        page = [day for day in all_days if before is None or day < before][:limit]
        return [Day(day=day, **{name: counts[day] for name, counts in counted.items()}) for day in page]

    def usage(self, *, since: str) -> list[UsageDay]:
        """Model calls and tokens per day and purpose, from an ISO date on."""
        with self._scope.store.read(self._scope.owner) as tx:
            rows = tx.usage.page(since=since)
        return [from_row(UsageDay, row) for row in rows]

    def _forgotten(self, tx: Transaction, start: int | None, end: int | None) -> Counter[str]:
        counted: Counter[str] = Counter()
        before = None
        while page := tx.receipts.page(before=before, limit=500, actions=("FORGET",)):
            for row in page:
                if (start is None or row.at >= start) and (end is None or row.at < end):
                    ids = self._scope.opened(row)["ids"]
                    counted[self._day(row.at)] += len(ids)
            before = page[-1].ref
        return counted

    def _day(self, at: int) -> str:
        return moment(at).astimezone(self._zone).date().isoformat()
