"""Merges memories with the same value into one, with all evidence and tags and the earliest date."""

from collections.abc import Sequence
from dataclasses import replace

from commonplace.batches.report import Report
from commonplace.batches.runs import Run, copy_evidence
from commonplace.memories import codec as states
from commonplace.memories.codec import StoredMemory
from commonplace.memories.scope import Scope
from commonplace.memories.unit_of_work import Work
from commonplace.model import CURRENT
from commonplace.store.ports import Progress
from commonplace.store.rows import Filter, MemoryRow
from commonplace.store.transaction import Transaction

PAGE = 50
"""Maximum number of values per transaction."""
MOST_SAME = 1_000


def merge(scope: Scope, *, dry_run: bool = False, progress: Progress | None = None) -> Report:
    """Merge memories of one value, kind and key into the oldest one; the others are archived.

    Only values that differ in nothing but case, spacing and look-alike letters. Memories that were true at different
    times stay separate.
    """
    run = Run(scope, "MERGE", dry_run=dry_run, progress=progress)
    namespace = run.namespace
    after = b""
    while namespace is not None:
        with scope.store.read(scope.owner) as tx:
            prints = tx.memories.doubles(namespace, CURRENT, after=after, limit=PAGE)
            groups = [group for fingerprint in prints for group in same(tx, namespace, fingerprint)]
        if run.dry_run:
            _found(run, groups)
        elif groups:
            _merge(run, namespace, prints)
        run.went_through(len(prints))
        if len(prints) < PAGE:
            break
        after = prints[-1]
    return run.report()


def same(tx: Transaction, namespace: str, fingerprint: bytes) -> list[list[MemoryRow]]:
    """The memories with that value in groups that can be merged, oldest first; groups of one are left out."""
    filter = Filter(namespaces=(namespace,), fingerprint=fingerprint, statuses=CURRENT)
    kinds: dict[tuple[object, ...], list[list[MemoryRow]]] = {}
    for row in tx.memories.find(filter, limit=MOST_SAME):
        if row.kind == "episodic":
            continue
        groups = kinds.setdefault((row.kind, row.key, row.directive, row.step), [])
        fitting = next((group for group in groups if all(_meet(row, member) for member in group)), None)
        if fitting is None:
            groups.append([row])
        else:
            fitting.append(row)
    return [
        sorted(group, key=lambda row: (row.recorded_at, row.id))
        for groups in kinds.values()
        for group in groups
        if len(group) > 1
    ]


def _meet(left: MemoryRow, right: MemoryRow) -> bool:
    """Whether both are true at some common moment."""
    starts = [row.valid_from for row in (left, right) if row.valid_from is not None]
    ends = [row.valid_to for row in (left, right) if row.valid_to is not None]
    return not starts or not ends or max(starts) < min(ends)


def _merge(run: Run, namespace: str, prints: Sequence[bytes]) -> None:
    with run.batch() as work:
        for fingerprint in prints:
            groups = same(work.tx, namespace, fingerprint)
            for group in groups:
                _fold(run.scope, work, states.all_opened(run.scope, work.tx, group))
            _found(run, groups)


def _found(run: Run, groups: Sequence[Sequence[MemoryRow]]) -> None:
    for group in groups:
        for row in group[1:]:
            run.found(row.id, f"the same as {group[0].id}", kind="the same as another")


def _fold(scope: Scope, work: Work, helds: Sequence[StoredMemory]) -> None:
    kept, others = helds[0], helds[1:]
    # Copied, not moved: the archived memories keep theirs, so that undo only has to remove the copies.
    existing = {row.episode for row in work.tx.evidence.of(states.NOUN, [kept.id])}
    for row in work.tx.evidence.of(states.NOUN, [held.id for held in others]):
        if row.episode in existing:
            continue
        existing.add(row.episode)
        copy_evidence(scope, work, row, kept.id)
    reason = f"merged with {len(others)} of the same value"
    work.change(kept, together(helds), action="MERGE", reason=reason, receipt_action="UPDATE", receipt_reason="merged")
    for held in others:
        archived = held.with_row(status="archived", retired_at=work.now)
        reason = f"the same as {kept.id}"
        work.change(
            held, archived, action="ARCHIVE", reason=reason, receipt_action="DELETE", receipt_reason="merged away"
        )


def together(helds: Sequence[StoredMemory]) -> StoredMemory:
    """One memory that combines all of them, with the first one's text. Pure."""
    kept, rows = helds[0], [held.row for held in helds]
    metadata = {name: value for held in reversed(helds) for name, value in held.content.metadata.items()}
    tags = tuple(dict.fromkeys(tag for held in helds for tag in held.tags))
    return replace(
        kept, content=replace(kept.content, metadata=metadata, rank=max(held.rank for held in helds)), tags=tags
    ).with_row(
        status="verified" if any(row.status == "verified" for row in rows) else "candidate",
        importance=max(row.importance for row in rows),
        confidence=max(row.confidence for row in rows),
        pinned=any(row.pinned for row in rows),
        valid_from=_start(rows),
        valid_to=_last([row.valid_to for row in rows]),
        expires_at=_last([row.expires_at for row in rows]),
        last_confirmed_at=max((at for row in rows if (at := row.last_confirmed_at) is not None), default=None),
    )


def _start(rows: Sequence[MemoryRow]) -> int | None:
    """The earliest start; None where that is the recording of one without a date."""
    undated = [row.recorded_at for row in rows if row.valid_from is None]
    first = min((row.valid_from for row in rows if row.valid_from is not None), default=None)
    is_dated = first is not None and first < min(undated, default=first + 1) and rows[0].kind != "core"
    return first if is_dated or not undated else None


def _last(ends: Sequence[int | None]) -> int | None:
    """The latest end; an open one wins over any."""
    return None if None in ends else max(end for end in ends if end is not None)
