"""Many small transactions as one act: it continues after an interruption, and one receipt undoes all."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from commonplace.batches.report import SHOWN, Finding, Report
from commonplace.clock import micros
from commonplace.errors import Invalid
from commonplace.memories import codec as states
from commonplace.memories import receipts
from commonplace.memories.gateway import UNDOERS, Gateway, evidence_rows
from commonplace.memories.scope import Scope
from commonplace.memories.unit_of_work import Work, write_transaction
from commonplace.store.ports import Progress
from commonplace.store.rows import EvidenceRow, Filter, MemoryRow
from commonplace.store.transaction import Transaction

BATCH = 200
"""Maximum memories per transaction, so that other writers wait only milliseconds."""
PART, PURGED = "receipt", "purged"
COPIED, TAKEN = "copied evidence", "copied evidence taken back"
"""The target has the memory, the episode, and the memory that the evidence was copied from."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunDecision:
    """What to do with a memory, and why; ``columns`` are the plain columns to change."""

    row: MemoryRow
    columns: Mapping[str, Any]
    action: str
    reason: str
    kind: str
    """The reason without figures, for counting."""


Decide = Callable[[Transaction, Sequence[MemoryRow]], list[RunDecision]]


class Run:
    """One act on one namespace of one owner."""

    def __init__(self, scope: Scope, action: str, *, dry_run: bool = False, progress: Progress | None = None) -> None:
        self.scope, self.action, self.dry_run = scope, action, dry_run
        self._progress, self._seen = progress, 0
        self.now = micros(scope.clock.now())
        self.notes: list[str] = []
        self._ref = scope.clock.new_id()
        self._parts: list[str] = []
        self._counts: Counter[str] = Counter()
        self._findings: list[Finding] = []

    @property
    def namespace(self) -> str | None:
        """The id of the namespace; None if there is none of that name."""
        with self.scope.store.read(self.scope.owner) as tx:
            row = tx.namespaces.by_label(self.scope.vault.label("namespace", self.scope.namespace))
        return None if row is None else row.id

    @contextmanager
    def batch(self) -> Iterator[Work]:
        """One transaction of the act. Its receipt is part of the one for the whole act, which commits with it."""
        with write_transaction(self.scope, self.action) as work:
            yield work
            if work.touched:
                self._parts.append(work.receipt(state=receipts.PART).ref)
                last = work.tx.audit.last()
                plain = {
                    "ids": [finding.id for finding in self._findings],
                    "changes": [],
                    "notes": [f"{kind}: {count}" for kind, count in self._counts.items()],
                    "trace": None,
                    "audited": last.sequence if last else 0,
                    "touched": [[PART, ref, None, 0] for ref in self._parts],
                    "tombstones": [],
                }
                work.tx.receipts.put(work.receipt_row(self._ref, "done", plain, action=self.action, at=self.now))

    def found(self, id: str, reason: str, *, kind: str | None = None, noun: str = states.NOUN) -> None:
        """Record a finding. Call it inside the batch, so that the batch's receipt includes it."""
        self._counts[kind or reason] += 1
        if len(self._findings) < SHOWN:
            self._findings.append(Finding(id=id, reason=reason, noun=noun))

    def went_through(self, count: int) -> None:
        self._seen += count
        if self._progress is not None:
            self._progress(self._seen, None)

    def report(self, *, undoable: bool = True) -> Report:
        return Report(
            action=self.action,
            at=self.scope.clock.now(),
            dry_run=self.dry_run,
            namespace=self.scope.namespace,
            count=sum(self._counts.values()),
            counts=dict(self._counts),
            findings=tuple(self._findings),
            receipt=self._ref if self._parts and undoable else None,
            notes=tuple(self.notes),
        )


def sweep(run: Run, decide: Decide, **wanted: Any) -> None:
    """Walk the matching memories (fields of ``Filter``) by pages; each page's decisions are one transaction."""
    namespace = run.namespace
    after: str | None = None
    while namespace is not None:
        filter = Filter(namespaces=(namespace,), **wanted)
        with run.scope.store.read(run.scope.owner) as tx:
            page = tx.memories.find(filter, after=after, limit=BATCH)
            decisions = decide(tx, page)
        if run.dry_run:
            for decision in decisions:
                run.found(decision.row.id, decision.reason, kind=decision.kind)
        elif decisions:
            _carry_out(run, decisions)
        run.went_through(len(page))
        if len(page) < BATCH:
            return
        after = page[-1].id


def _carry_out(run: Run, decisions: Sequence[RunDecision]) -> None:
    """Carry out the decisions; a memory that changed since it was read is left for the next run."""
    with run.batch() as work:
        present = {row.id: row for row in work.tx.memories.get([decision.row.id for decision in decisions])}
        tags = work.tx.tags.links("memory", list(present)) if present else {}
        for decision in decisions:
            row = present.get(decision.row.id)
            if row is None or row.version != decision.row.version:
                continue
            before = states.opened(run.scope, row, tags.get(row.id, ()))
            after = before.with_row(**decision.columns)
            work.change(before, after, action=decision.action, reason=decision.reason, receipt_action="UPDATE")
            run.found(row.id, decision.reason, kind=decision.kind)


def undo_part(gateway: Gateway, work: Work, ref: str) -> None:
    """Undo one transaction of an act; what changed or was forgotten since stays, and is listed."""
    row = work.tx.receipts.get(ref)
    if row is None:
        return
    for noun, id, earlier, later in reversed(gateway.scope.open_json("receipt", ref, row.sealed)["touched"]):
        if noun == states.NOUN:
            _put_back(gateway.scope, work, id, earlier, later)
        else:
            UNDOERS[noun](gateway, work, id, earlier, later)


def _put_back(scope: Scope, work: Work, id: str, earlier: int | None, later: int) -> None:
    rows = work.tx.memories.get([id])
    if not rows or rows[0].version != later:
        work.note("NOOP", id, "changed since, left as it is")
        return
    memory = states.all_opened(scope, work.tx, rows)[0]
    if earlier is None:
        archived = memory.with_row(status="archived", retired_at=work.now)
        work.change(memory, archived, action="UNDO", reason="undone", receipt_action="DELETE")
        return
    version = next(candidate for candidate in work.tx.versions.of(states.NOUN, id) if candidate.version == earlier)
    state, _ = states.opened_version(scope, version)
    back = state.with_row(uses=memory.row.uses, last_used_at=memory.row.last_used_at, doc=memory.row.doc)
    work.change(
        memory,
        back,
        action="UNDO",
        reason=f"undone: back to version {earlier}",
        receipt_action="UPDATE",
        receipt_reason="undone",
    )


def undo_copy(gateway: Gateway, work: Work, id: str, before: int | None, after: int) -> None:
    memory, episode, _ = id.split("/")
    work.tx.evidence.delete(states.NOUN, [memory], episodes=[episode])
    work.touched.append((TAKEN, id, None, 0))


def copy_again(gateway: Gateway, work: Work, id: str, before: int | None, after: int) -> None:
    """Copy evidence again if the episode still exists, with the quote if the other memory still has it."""
    memory, episode, other_episode = id.split("/")
    if work.tx.memories.get([episode]):
        quoted = next(
            (row for row in work.tx.evidence.of(states.NOUN, [other_episode]) if row.episode == episode), None
        )
        copy_evidence(
            gateway.scope,
            work,
            quoted or EvidenceRow(noun=states.NOUN, id=other_episode, episode=episode, sealed=None),
            memory,
        )


def copy_evidence(scope: Scope, work: Work, row: EvidenceRow, to: str) -> None:
    work.tx.evidence.put(evidence_rows(work, to, [(row.episode, scope.opened(row))]))
    work.touched.append((COPIED, f"{to}/{row.episode}/{row.id}", None, 0))


def undo_purge(gateway: Gateway, work: Work, id: str, before: int | None, after: int) -> None:
    raise Invalid("purged memories are deleted for good; a backup may still have them")
