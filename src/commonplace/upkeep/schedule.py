"""The scheduler: due jobs, maintenance every few hours, daily work, backups. One process at a time.

A failed step is recorded in the log and in the result, and the next one runs: a problem of one owner, namespace or step
does not stop the others.
"""

import os
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from datetime import datetime, timedelta
from functools import partial
from typing import Any, TypeVar

from commonplace.batches.opened_book import OpenedBook, namespaces, own_scope
from commonplace.batches.report import Report
from commonplace.clock import micros
from commonplace.context.uses import KIND as USE
from commonplace.copies.backup import scheduled
from commonplace.errors import CommonplaceError
from commonplace.memories import jobs
from commonplace.memories.admission import page_size
from commonplace.memories.forgetting import Forgetting
from commonplace.memories.jobs import Handler
from commonplace.memories.scope import Scope
from commonplace.memories.verifying import PENDING
from commonplace.store.rows import TraceRow, from_row
from commonplace.upkeep.decay import decay
from commonplace.upkeep.handlers import cannot_scrub, handlers
from commonplace.upkeep.merge import merge
from commonplace.upkeep.passages import await_passages
from commonplace.upkeep.prune import PruneRule, expire, keep_within, prune, purge
from commonplace.upkeep.reindex import LOOSE, await_vectors, pack

LEASE = "maintenance"
LEASE_SECONDS = 300
KIND = "maintenance"
ROUND, TICK = "round", "tick"
KEPT_JOBS = timedelta(days=30)
KEPT_LOG = timedelta(days=90)
KEPT_CHANGES = timedelta(days=90)
HOUR = 3_600_000_000
LOOKED_AT = 200
"""Number of newest receipts to check for a pending scrub."""
LET_END = 10.0
"""Seconds that a running call gets to finish when its process ends; the next process continues the rest."""
FAILED = "failed"
T = TypeVar("T")

Call = Callable[[OpenedBook, Scope], Mapping[str, int]]
"""Recurring work for one owner, registered by another module; returns figures for the log."""


@dataclass(frozen=True, slots=True)
class RecurringWork:
    name: str
    hours: float
    call: Call


HOOKS: dict[str, RecurringWork] = {}


def every(name: str, call: Call, *, hours: float = 24) -> None:
    """Have ``call`` run for each owner at least ``hours`` apart, by the scheduler and `maintain`."""
    HOOKS[name] = RecurringWork(name, hours, call)


HANDLERS: dict[str, Callable[[OpenedBook], Handler]] = {}
"""Handlers of other modules' jobs by kind; the composition root adds them."""


def handles(kind: str, act: Callable[[OpenedBook, Scope, Mapping[str, Any]], object]) -> None:
    """Register ``act`` as the handler of a kind of job."""
    HANDLERS[kind] = lambda book: partial(act, book)


@dataclass(frozen=True, slots=True, kw_only=True)
class Round:
    """The result of one call of the scheduler."""

    at: datetime
    owners: int = 0
    jobs: int = 0
    reports: tuple[Report, ...] = ()
    figures: Mapping[str, int] | None = None
    """Figures of the daily work, and under ``failed`` the number of failed steps; the notes name them."""
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class LogLine:
    id: str
    at: datetime
    what: str
    namespace: str | None
    figures: Mapping[str, int]
    receipts: tuple[str, ...]
    """Refs for `undo`."""
    notes: tuple[str, ...] = ()
    """What failed, and how."""


def maintain(
    book: OpenedBook, *, owners: Iterable[str] | None = None, force: bool = False, stop: threading.Event | None = None
) -> Round:
    """Do everything that is due, for all or the given owners; ``force`` runs maintenance whether due or not.

    Only the process with the lease works; others get a note. After an interruption the next call continues.
    """
    holder = f"{os.getpid()}/{book.clock.new_id()}"
    if not _lease(book, holder):
        return Round(at=book.clock.now(), notes=("another process is running maintenance; nothing was done",))
    try:
        return _maintained(book, holder, owners, force=force, stop=stop)
    finally:
        book.store.accounts.release(LEASE, holder=holder)


def _maintained(
    book: OpenedBook, holder: str, owners: Iterable[str] | None, *, force: bool, stop: threading.Event | None
) -> Round:
    job_count, reports, owner_count, attempt = 0, list[Report](), 0, Tried()
    figures: dict[str, int] = {}
    work = {**handlers(book), **{kind: make(book) for kind, make in HANDLERS.items()}}
    for owner in [row.owner for row in book.store.accounts.owners()] if owners is None else list(owners):
        if (stop is not None and stop.is_set()) or not _lease(book, holder):
            break
        owner_count += 1
        scope = attempt(owner, "opening", lambda owner=owner: _own_scope(book, owner))  # type: ignore[misc]
        if scope is None:
            continue  # an owner whose keys are not available
        due = partial(jobs.run_due, scope, work, holder=holder)
        job_count += attempt(owner, "jobs", due) or 0
        if book.settings.maintenance or force:
            reports += attempt(owner, "round", partial(_round, book, scope, holder, attempt, force=force)) or ()
            for hook in list(HOOKS.values()):
                hook_counts = attempt(scope.owner, hook.name, partial(_hook, book, scope, hook, force=force))
                for name, count in (hook_counts or {}).items():
                    figures[name] = figures.get(name, 0) + count
        job_count += attempt(owner, "jobs", due) or 0
        attempt(owner, "scrub", partial(_scrub, scope))
        attempt(owner, "tick", partial(_tick, book, scope, force=force))
        attempt.write_down(scope)
    copied = attempt(book.settings.owner, "backup", partial(_copied, book))
    reports += [copied] if copied is not None else []
    if attempt.notes:
        figures[FAILED] = len(attempt.notes)
    notes = tuple(attempt.notes)
    return Round(
        at=book.clock.now(), owners=owner_count, jobs=job_count, reports=tuple(reports), figures=figures, notes=notes
    )


class Tried:
    """Runs steps and records failures: owner, step and kind of error, never any text."""

    def __init__(self) -> None:
        self.notes: list[str] = []
        self._unwritten: list[str] = []

    def __call__(self, owner: str, step: str, call: Callable[[], T]) -> T | None:
        """The result of ``call``; None if it failed."""
        try:
            return call()
        except Exception as fault:  # noqa: BLE001  # recorded like a job's, and the others' turn comes all the same
            note = f"{step} of {owner} failed: {type(fault).__name__} in {jobs.where(fault)}"
            self.notes.append(note)
            self._unwritten.append(note)
            return None

    def write_down(self, scope: Scope) -> None:
        notes, self._unwritten = self._unwritten, []
        if notes:
            self(scope.owner, "log", partial(log, scope, FAILED, {}, figures={FAILED: len(notes)}, notes=notes))


def _own_scope(book: OpenedBook, owner: str) -> Scope:
    scope = own_scope(book, owner, book.settings.namespace or "default")
    scope.current_vault()
    return scope


def _scrub(scope: Scope) -> None:
    """Finish receipts whose process ended between deleting and scrubbing."""
    if cannot_scrub(scope.store):
        return
    with scope.store.read(scope.owner) as tx:
        rows = tx.receipts.page(limit=LOOKED_AT, actions=("FORGET", "ERASE"))
    for row in rows:
        if row.state == PENDING:
            Forgetting(scope).verify(row.ref)


def _copied(book: OpenedBook) -> Report | None:
    copied = scheduled(book)
    if copied is not None:
        log(own_scope(book, book.settings.owner, "default"), "backup", {}, reports=[copied])
    return copied


def _lease(book: OpenedBook, holder: str) -> bool:
    now = micros(book.clock.now())
    return book.store.accounts.lease(LEASE, holder=holder, now=now, until=now + LEASE_SECONDS * 1_000_000)


def _round(book: OpenedBook, scope: Scope, holder: str, attempt: Tried, *, force: bool) -> list[Report]:
    """Maintain each namespace once; those that an interrupted run has finished are skipped.

    A failed one counts as finished until the next run.
    """
    last = _last_round(scope)
    if last.open is None:
        waited = micros(book.clock.now()) - last.ended
        if not force and waited < book.settings.maintenance_hours * HOUR:
            return []
        last = LastRound(open=book.clock.new_id())
        log(scope, ROUND, {"begin": last.open})
    reports = []
    for id, name in namespaces(scope).items():
        if id in last.done:
            continue
        _lease(book, holder)
        namespace_reports = (
            attempt(scope.owner, f"tidying {id}", partial(tidy, book, scope.within(name), attempt)) or []
        )
        reports += namespace_reports
        log(scope.within(name), ROUND, {"namespace": id, "round": last.open}, reports=namespace_reports)
    # Delete old bookkeeping: finished jobs, old log lines, the tail of the change feed.
    now = scope.clock.now()
    with scope.store.write(scope.owner) as tx:
        tx.jobs.delete(finished_before=micros(now - KEPT_JOBS))
        tx.traces.delete(kind=KIND, before=micros(now - KEPT_LOG))
        tx.traces.delete(kind=USE, before=micros(now - KEPT_LOG))
        tx.changes.trim(before=micros(now - KEPT_CHANGES))
    log(scope, ROUND, {"end": last.open})
    return reports


def tidy(book: OpenedBook, scope: Scope, attempt: Tried) -> list[Report]:
    """Maintain one namespace: expire, prune, merge, decay, purge, pack, queue missing vectors. Returns acts with
    changes.
    """
    settings = book.settings
    steps: dict[str, Callable[[], Report]] = {
        "expire": partial(expire, scope),
        "prune": partial(prune, scope, rule=PruneRule(episode_days=settings.episode_retention_days)),
        "merge": partial(merge, scope),
        "decay": partial(decay, scope),
        "purge": partial(purge, scope),
    }
    if settings.quota_memories is not None:
        steps["quota"] = partial(keep_within, scope, quota=settings.quota_memories)
    reports = [attempt(scope.owner, name, step) for name, step in steps.items()]
    with scope.store.read(scope.owner) as tx:
        row = tx.namespaces.by_label(scope.vault.label("namespace", scope.namespace))
    if row is not None:
        attempt(scope.owner, "pack", partial(pack, scope, row.id, least=LOOSE))
        attempt(scope.owner, "vectors", partial(await_vectors, book, scope, row.id))
        attempt(scope.owner, "passages", partial(await_passages, book, scope, row.id))
    return [report for report in reports if report is not None and report.count]


def _hook(book: OpenedBook, scope: Scope, hook: RecurringWork, *, force: bool) -> Mapping[str, int]:
    """Run registered work if it is due, and return its figures. After a failure it runs again in an hour."""
    now, name = micros(book.clock.now()), f"hook/{hook.name}"
    last, failed = _latest(scope, name), _latest(scope, f"{name}/{FAILED}")
    waits = last is not None and now - last.at < hook.hours * HOUR
    waits = waits or (failed is not None and now - failed.at < HOUR)
    if waits and not force:
        return {}
    try:
        hook_counts = dict(hook.call(book, scope))
    except Exception:
        log(scope, f"{name}/{FAILED}", {})
        raise
    log(scope, name, {}, figures=hook_counts)
    return hook_counts


def _tick(book: OpenedBook, scope: Scope, *, force: bool) -> None:
    last = _latest(scope, TICK)
    if not force and last is not None and micros(book.clock.now()) - last.at < HOUR:
        return
    with scope.store.read(scope.owner) as tx:
        figures = {f"jobs {state}": 0 for state in ("waiting", "leased", "dead")}
        for (_, state), count in tx.jobs.counts().items():
            figures[f"jobs {state}"] = figures.get(f"jobs {state}", 0) + count
        figures["memories"] = sum(row[4] for row in tx.memories.counts())
        figures["changes"] = tx.changes.last()
    log(scope, TICK, {}, figures=figures)


def log(
    scope: Scope,
    what: str,
    state: Mapping[str, Any],
    *,
    reports: Iterable[Report] = (),
    figures: Mapping[str, int] | None = None,
    notes: Sequence[str] = (),
) -> None:
    """Write a line to the maintenance log, encrypted."""
    id = scope.clock.new_id()
    plain = {
        "what": what,
        "state": dict(state),
        "namespace": scope.namespace,
        "reports": [_plain(report) for report in reports],
        "figures": dict(figures or {}),
        "notes": list(notes),
    }
    row = TraceRow(id=id, kind=KIND, at=micros(scope.clock.now()), sealed=b"", target=what)
    with scope.store.write(scope.owner) as tx:
        tx.traces.put(scope.current_vault().sealed(row, plain))


def _plain(report: Report) -> dict[str, Any]:
    plain = asdict(replace(report, findings=report.findings[:100]))
    return {**plain, "at": micros(report.at), "findings": [asdict(finding) for finding in report.findings[:100]]}


def read_log(scope: Scope, *, limit: int = 50) -> list[LogLine]:
    """The newest lines of the maintenance log."""
    limit = page_size(limit)
    lines = []
    with scope.store.read(scope.owner) as tx:
        for row in tx.traces.page(KIND, limit=limit):
            plain = scope.opened(row)
            counts = {report["action"].lower(): report["count"] for report in plain["reports"]}
            receipts = tuple(report["receipt"] for report in plain["reports"] if report["receipt"])
            namespace = plain["namespace"] if plain["state"].get("namespace") else None
            figures, notes = {**plain["figures"], **counts}, tuple(plain.get("notes", ()))
            line = {"namespace": namespace, "figures": figures, "receipts": receipts, "notes": notes}
            lines.append(from_row(LogLine, row, what=plain["what"], **line))
    return lines


def _latest(scope: Scope, activity: str) -> TraceRow | None:
    with scope.store.read(scope.owner) as tx:
        return next(iter(tx.traces.page(KIND, target=activity, limit=1)), None)


@dataclass(frozen=True, slots=True)
class LastRound:
    open: str | None = None
    """The run that began and did not end."""
    done: frozenset[str] = frozenset()
    """Namespaces (by id) that it has finished."""
    ended: int = 0
    """When the last complete run ended."""


def _last_round(scope: Scope) -> LastRound:
    finished: set[str] = set()
    with scope.store.read(scope.owner) as tx:
        for row in tx.traces.page(KIND, target=ROUND, limit=10_000):
            state = scope.opened(row)["state"]
            if "end" in state:
                return LastRound(ended=row.at)
            if "begin" in state:
                return LastRound(open=state["begin"], done=frozenset(finished))
            finished.add(state["namespace"])
    return LastRound()


def watch(
    book: OpenedBook, stop: threading.Event, *, seconds: float = 60, told: Callable[[Round | CommonplaceError], None]
) -> None:
    """Call ``maintain`` every ``seconds`` until ``stop`` is set; ``told`` is called with each result or error.

    One of our own errors (a locked file, an unreachable server) ends that call only.
    """
    while not stop.wait(seconds):
        try:
            told(maintain(book, stop=stop))
        except CommonplaceError as fault:
            told(fault)


@contextmanager
def alongside(
    book: OpenedBook, *, seconds: float = 60, told: Callable[[Round | CommonplaceError], None] = lambda made: None
) -> Iterator[None]:
    """Run ``watch`` in a thread for the duration of the block."""
    stop = threading.Event()
    thread = threading.Thread(
        target=watch, args=(book, stop), kwargs={"seconds": seconds, "told": told}, name="maintenance", daemon=True
    )
    thread.start()
    try:
        yield
    finally:
        stop.set()
        thread.join(LET_END)
