"""Statements that give no answer leave together, as one: a write has a dozen, and each by itself would cost its way.

They become parts of one ``with``, which all see the rows as they were before it. So a statement joins only those that
write to other tables than it reads or writes; the others are sent before it.
"""

import re
from functools import cache, lru_cache, partial
from typing import Any

from commonplace.store.postgres.dialect import NAME, worded

MOST = 12
"""Statements in one bundle."""
READS = re.compile(r"\b(?:from|join) ([\w.]+)", re.IGNORECASE)
WRITES = re.compile(r"\s*(?:insert into|update|delete from) ([\w.]+)", re.IGNORECASE)
ADDS = re.compile(r"\s*(?:insert into|update)\b", re.IGNORECASE)


@cache
def read(text: str) -> frozenset[str]:
    """The tables that a statement asks."""
    return frozenset(READS.findall(text))


@cache
def written(text: str) -> str | None:
    """The table that a statement writes to."""
    match = WRITES.match(text)
    return match[1] if match else None


@cache
def joins(text: str) -> bool:
    """A delete goes alone: what falls with its row might be a row that another part adds."""
    return bool(ADDS.match(text))


@lru_cache(1024)
def together(texts: tuple[str, ...]) -> str:
    """One statement of several, each value but the owner with the number of its part behind its name."""
    parts = [NAME.sub(partial(_numbered, place), worded(text)) for place, text in enumerate(texts)]
    before = ", ".join(f"part_{place} as ({text})" for place, text in enumerate(parts[:-1]))
    return f"with {before} {parts[-1]}" if before else parts[-1]


def _numbered(place: int, match: re.Match[str]) -> str:
    return match[0] if match[1] == "owner" else f"{match[0]}_{place}"


class Bundle:
    """Statements that wait for each other."""

    def __init__(self) -> None:
        self._texts: list[str] = []
        self._values: dict[str, Any] = {}
        self._tables: set[str] = set()

    def __bool__(self) -> bool:
        return bool(self._texts)

    def fits(self, text: str) -> bool:
        """Whether it may be said at the same moment as those that wait."""
        return len(self._texts) < MOST and written(text) not in self._tables and self._tables.isdisjoint(read(text))

    def add(self, text: str, values: dict[str, Any]) -> None:
        place = len(self._texts)
        self._values |= {name if name == "owner" else f"{name}_{place}": value for name, value in values.items()}
        self._texts.append(text)
        self._tables.add(str(written(text)))

    def taken_out(self) -> tuple[str, dict[str, Any]]:
        """The statement that says them all, and its values; then none waits."""
        batch = together(tuple(self._texts)), self._values
        self._texts, self._values, self._tables = [], {}, set()
        return batch
