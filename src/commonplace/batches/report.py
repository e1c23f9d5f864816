"""The result of a maintenance act, and statistics of a book."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

SHOWN = 1_000
"""Maximum number of findings in a report; the counts include all."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One thing that changed or would change, and why."""

    id: str
    reason: str
    noun: str = "memory"


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """What an act changed, or with ``dry_run`` would change.

    ``receipt`` is the reference to undo the whole act; None if nothing changed, or the act cannot be undone.
    ``findings`` has at most a thousand; ``count`` counts all, ``counts`` by reason.
    """

    action: str
    at: datetime
    dry_run: bool = False
    namespace: str | None = None
    count: int = 0
    counts: Mapping[str, int] = field(default_factory=dict)
    findings: tuple[Finding, ...] = ()
    receipt: str | None = None
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class NamespaceStats:
    name: str
    memories: int
    words: int
    """Postings that are not packed yet."""
    vectors_missing: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Stats:
    """Statistics of an owner's book."""

    owner: str
    plan: str
    at: datetime
    memories: int
    """Without archived and rejected ones."""
    kinds: Mapping[str, int]
    statuses: Mapping[str, int]
    categories: Mapping[str, int]
    namespaces: tuple[NamespaceStats, ...]
    oldest: datetime | None
    newest: datetime | None
    sizes: Mapping[str, int]
    """Bytes on disk per part, of the whole store."""
    jobs: Mapping[str, int]
    """By state: waiting, leased, done, dead."""
    prunable: int
    """How many memories `prune` would archive now, in all namespaces."""
    tombstones: int
    tokens_today: int
    tokens_cap: int
    embedder: str | None
    keys: Mapping[str, int]
    """``seal``: generations still in use; ``current``: the newest; ``blind``: generation of the search keys."""
    receipts: tuple[tuple[str, str, str], ...] = ()
    """The newest ten: (ref, action, state)."""
    warnings: tuple[str, ...] = ()
    """Problems of the files beside the book."""
