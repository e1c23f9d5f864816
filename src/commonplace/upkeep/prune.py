"""Archives unimportant old memories, and deletes them thirty days later."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from commonplace.batches.report import Report
from commonplace.batches.runs import BATCH, PURGED, Run, RunDecision, sweep
from commonplace.errors import OverQuota
from commonplace.memories import codec as states
from commonplace.memories import indexing
from commonplace.memories.codec import StoredMemory
from commonplace.memories.scope import Scope
from commonplace.memories.unit_of_work import Work
from commonplace.model import CURRENT, Kind
from commonplace.store.ports import Progress
from commonplace.store.rows import Filter, MemoryRow
from commonplace.store.transaction import Transaction

BELIEFS: tuple[Kind, ...] = ("core", "associative", "relational", "proactive")
UNIMPORTANT = 0.3
OLD_DAYS = 30
ARCHIVED_DAYS = 30
MICROS_A_DAY = 86_400_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class PruneRule:
    """Maximum importance and minimum age of memories to archive; episodes only if an age is set for them."""

    importance: float = UNIMPORTANT
    days: float = OLD_DAYS
    episode_days: float | None = None


DEFAULT_RULE = PruneRule()


def prune(
    scope: Scope, *, rule: PruneRule = DEFAULT_RULE, dry_run: bool = False, progress: Progress | None = None
) -> Report:
    """Archive unimportant old memories of the namespace; `undo` restores them all.

    Never archives pinned memories, verified core values, or episodes that are evidence for a belief.
    """
    run = Run(scope, "PRUNE", dry_run=dry_run, progress=progress)
    living: dict[str, Any] = {"statuses": (*CURRENT, "stale"), "unpinned": True}
    reason = f"importance below {rule.importance:g} and older than {rule.days:g} days"
    before = run.now - int(rule.days * MICROS_A_DAY)
    unimportant = partial(_archivals, now=run.now, reason=reason)
    sweep(run, unimportant, kinds=BELIEFS, importance_below=rule.importance, recorded_before=before, **living)
    if rule.episode_days is not None:
        old = partial(_archivals, now=run.now, reason=f"an episode older than {rule.episode_days:g} days")
        sweep(run, old, kinds=("episodic",), until=run.now - int(rule.episode_days * MICROS_A_DAY), **living)
    return run.report()


def _archivals(tx: Transaction, rows: Sequence[MemoryRow], now: int, reason: str) -> list[RunDecision]:
    relied_on = referenced(tx, rows)
    columns = {"status": "archived", "retired_at": now}
    return [
        RunDecision(row=row, columns=columns, action="ARCHIVE", reason=reason, kind=reason)
        for row in rows
        if row.id not in relied_on and not (row.kind == "core" and row.status == "verified")
    ]


def referenced(tx: Transaction, rows: Sequence[MemoryRow]) -> set[str]:
    """The memories among ``rows`` that are evidence for a belief."""
    return {row.episode for row in tx.evidence.resting_on([row.id for row in rows])} if rows else set()


def require_room(scope: Scope, quota: int | None, added: int = 1) -> None:
    """Raise ``OverQuota`` unless the owner may store that many more memories; archived and rejected ones do not
    count.
    """
    if quota is None:
        return
    with scope.store.read(scope.owner) as tx:
        total = sum(count for _, _, _, status, count, _, _ in tx.memories.counts() if status in (*CURRENT, "stale"))
    if total + added > quota:
        raise OverQuota(total, quota)


def keep_within(scope: Scope, *, quota: int, dry_run: bool = False) -> Report:
    """Archive the least important beliefs of the namespace until at most ``quota`` memories are left."""
    run = Run(scope, "QUOTA", dry_run=dry_run)
    namespace = run.namespace
    with scope.store.read(scope.owner) as tx:
        counted = tx.memories.counts()
    excess = sum(row[4] for row in counted if row[0] == namespace and row[3] in CURRENT) - quota
    for band in range(11):
        if excess <= 0:
            break
        excess -= _least(run, band / 10, excess, f"more than {quota:,} memories")
    return run.report()


def _least(run: Run, least: float, surplus: int, reason: str) -> int:
    """Archive up to ``surplus`` memories whose importance is within a tenth above ``least``; returns how many."""
    left = surplus

    def some(tx: Transaction, rows: Sequence[MemoryRow]) -> list[RunDecision]:
        nonlocal left
        chosen = _archivals(tx, [row for row in rows if row.importance >= least], run.now, reason)[: max(left, 0)]
        left -= len(chosen)
        return chosen

    sweep(run, some, kinds=BELIEFS, statuses=CURRENT, importance_below=least + 0.1, unpinned=True)
    return surplus - left


def expire(scope: Scope, *, dry_run: bool = False) -> Report:
    """Mark memories past their ``expires_at`` as stale: visible in history only, and deleted thirty days later."""
    run = Run(scope, "EXPIRE", dry_run=dry_run)
    decision: dict[str, Any] = {"action": "EXPIRE", "reason": "its expiry date has passed", "kind": "expired"}

    def over(tx: Transaction, rows: Sequence[MemoryRow]) -> list[RunDecision]:
        return [RunDecision(row=row, columns=_ended(row), **decision) for row in rows]

    sweep(run, over, statuses=CURRENT, expired_at=run.now)
    return run.report()


def _ended(row: MemoryRow) -> dict[str, object]:
    assert row.expires_at is not None
    end = row.expires_at if row.valid_to is None else min(row.valid_to, row.expires_at)
    if row.valid_from is not None:
        end = max(end, row.valid_from + 1)
    return {"status": "stale", "valid_to": end}


def purge(scope: Scope, *, dry_run: bool = False) -> Report:
    """Delete rows, words and vectors of memories archived or expired ``ARCHIVED_DAYS`` ago. Leaves no tombstone.

    The only maintenance act that cannot be undone. Pinned memories and evidence for others stay.
    """
    run = Run(scope, "PURGE", dry_run=dry_run)
    namespace = run.namespace
    if namespace is not None:
        before, place = run.now - ARCHIVED_DAYS * MICROS_A_DAY, Filter(namespaces=(namespace,), unpinned=True)
        _purge(run, replace(place, statuses=("archived",), retired_before=before), f"archived for {ARCHIVED_DAYS} days")
        _purge(run, replace(place, statuses=("stale",), expired_at=before), f"expired for {ARCHIVED_DAYS} days")
    return run.report(undoable=False)


def _purge(run: Run, filter: Filter, reason: str) -> None:
    after: str | None = None
    while True:
        with run.scope.store.read(run.scope.owner) as tx:
            page = tx.memories.find(filter, after=after, limit=BATCH)
            referenced_ids = referenced(tx, page)
        purgeable = [row for row in page if row.id not in referenced_ids]
        if purgeable and not run.dry_run:
            with run.batch() as work:
                present = {row.id: row for row in work.tx.memories.get([row.id for row in purgeable])}
                purgeable = [row for row in purgeable if row.id in present and present[row.id].version == row.version]
                delete(run.scope, work, states.all_opened(run.scope, work.tx, purgeable))
                _found(run, purgeable, reason)
        else:
            _found(run, purgeable, reason)
        if len(page) < BATCH:
            return
        after = page[-1].id


def _found(run: Run, rows: Sequence[MemoryRow], reason: str) -> None:
    for row in rows:
        run.found(row.id, reason)


def delete(scope: Scope, work: Work, memories: Sequence[StoredMemory]) -> None:
    """Delete memories from every table and index, without a tombstone."""
    for memory in memories:
        texts = states.all_texts(scope, work.tx, memory)
        indexing.unindex(work.tx, work.vault, texts, language=scope.language)
        for state in texts:
            work.gone(states.NOUN, memory.id, state.row.doc, state.row.namespace)
        work.audit("PURGE", states.NOUN, memory.id, states.digest(work.vault, memory), None, None)
        work.note("DELETE", memory.id, "purged", before=memory.row.version)
        work.touched.append((PURGED, memory.id, memory.row.version, 0))
    work.tx.relations.delete([memory.id for memory in memories if memory.row.kind == "relational"])
    work.tx.memories.delete([memory.id for memory in memories])
