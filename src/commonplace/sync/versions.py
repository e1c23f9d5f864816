"""Merges the versions of a memory from several machines and finds the current one. Pure.

Versions are a set that only grows. Each names its parents: the versions that its writer had. Versions without
successors are heads; the current one is the best head by rank, then by time. Machines with the same versions show the
same text, in whatever order the versions arrived.
"""

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from heapq import heapify, heappop, heappush

from commonplace.copies.export import plain_state
from commonplace.memories.codec import StoredMemory
from commonplace.memories.residue import FORGOTTEN
from commonplace.model import CURRENT

SYNC, MAINTENANCE = "sync", "maintenance"
LOCAL_FIELDS = ("namespace", "doc", "session", "tags", "version")
"""Fields of a state with ids that are only valid in this book."""


@dataclass(frozen=True, slots=True)
class MemoryVersion:
    """One version: ``key`` is the same on every machine, ``parents`` are the keys of the versions before it."""

    key: str
    recorded_at: int
    actor: str
    action: str
    reason: str | None
    parents: frozenset[str]
    state: StoredMemory

    @property
    def rank(self) -> int:
        """Its trust rank; automatic changes have the lowest."""
        return -1 if self.actor in (SYNC, MAINTENANCE) else self.state.rank

    @property
    def precedence(self) -> tuple[int, int, str]:
        return self.rank, self.recorded_at, self.key


Versions = Mapping[str, MemoryVersion]


def keys(acts: Iterable[tuple[int, str, str]]) -> list[str]:
    """The key of each version, from time, actor and action, with a counter for equal ones."""
    seen: Counter[str] = Counter()
    names = []
    for at, actor, action in acts:
        name = f"{at}/{actor}/{action}"
        seen[name] += 1
        names.append(name if seen[name] == 1 else f"{name}/{seen[name]}")
    return names


def heads(versions: Versions) -> list[MemoryVersion]:
    """Versions without a successor."""
    built_on = {parent for version in versions.values() for parent in version.parents}
    return [version for key, version in versions.items() if key not in built_on] or list(versions.values())


def current(versions: Versions) -> MemoryVersion:
    return max(heads(versions), key=lambda version: version.precedence)


def union(ours: Versions, theirs: Versions) -> dict[str, MemoryVersion]:
    """Every version of both sides, in order."""
    joined = dict(ours)
    for key, version in theirs.items():
        joined[key] = version if key not in joined else _join(joined[key], version)
    return {version.key: version for version in in_order(joined)}


def same(ours: Versions, theirs: Versions) -> bool:
    """Whether both sides have the same versions in the same order.

    A book appends its own versions, which differs from `in_order` if the current version was not the latest.
    """
    return list(ours) == list(theirs) and all(
        version.parents == theirs[key].parents and portable(version.state) == portable(theirs[key].state)
        for key, version in ours.items()
    )


def in_order(versions: Versions) -> list[MemoryVersion]:
    """Parents before children, earlier ones first, the current one last."""
    last = current(versions)
    waiting = {key: version for key, version in versions.items() if key != last.key}
    unplaced = {key: len(version.parents & waiting.keys()) for key, version in waiting.items()}
    children: dict[str, list[str]] = {}
    for version in waiting.values():
        for parent in version.parents:
            children.setdefault(parent, []).append(version.key)
    free = [(version.recorded_at, key) for key, version in waiting.items() if not unplaced[key]]
    heapify(free)
    ordered: list[MemoryVersion] = []
    while waiting:
        # machines with wrong clocks can derive a version from each other's: then the earliest comes first
        _, key = heappop(free) if free else min((version.recorded_at, key) for key, version in waiting.items())
        ordered.append(waiting.pop(key))
        for child in children.get(key, ()):
            unplaced[child] -= 1
            if child in waiting and not unplaced[child]:
                heappush(free, (waiting[child].recorded_at, child))
    return [*ordered, last]


def conflicts(versions: Versions) -> list[MemoryVersion]:
    """Statements made at the same time as the current one with another content, which lost."""
    winner = current(versions)
    return [
        version
        for version in heads(versions)
        if version.key != winner.key
        and version.rank >= 0
        and version.state.row.status in CURRENT
        and version.state.content.text != winner.state.content.text
    ]


def numbered(
    rows: Sequence[tuple[int, str, str, str | None, Sequence[str] | None, StoredMemory]],
) -> dict[str, MemoryVersion]:
    """The versions of one book in order; one without parents has all earlier heads as parents."""
    versions: dict[str, MemoryVersion] = {}
    for key, (at, actor, action, reason, parents, state) in zip(
        keys((at, actor, action) for at, actor, action, *_ in rows), rows, strict=True
    ):
        if parents is None:
            parents = [version.key for version in heads(versions)]
        versions[key] = MemoryVersion(key, at, actor, action, reason, frozenset(parents), state)
    return versions


def portable(state: StoredMemory) -> str:
    """A state as JSON that means the same on every machine."""
    plain = {name: value for name, value in plain_state(state).items() if name not in LOCAL_FIELDS}
    return json.dumps(plain, sort_keys=True)


def _join(ours: MemoryVersion, theirs: MemoryVersion) -> MemoryVersion:
    """Only forgetting changes a version's text in place: of two, the one that lost more stays."""
    parents = ours.parents | theirs.parents
    state = min(ours.state, theirs.state, key=_remaining)
    reason = ours.reason if state is ours.state else theirs.reason
    return replace(ours, parents=parents, state=state, reason=reason)


def _remaining(state: StoredMemory) -> tuple[int, int, str]:
    text = state.content.text
    return -text.count(FORGOTTEN), len(text), portable(state)
