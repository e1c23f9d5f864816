"""``stats``, ``consolidate``, ``maintain``, ``maintenance`` and ``doctor``."""

import json
import signal
import sys
from collections.abc import Iterator
from threading import Event
from typing import TYPE_CHECKING

from commonplace.batches.report import Stats
from commonplace.errors import CommonplaceError
from commonplace.interfaces.cli.call import Call
from commonplace.interfaces.cli.progress import progress
from commonplace.interfaces.cli.show import Paper
from commonplace.interfaces.json import to_json
from commonplace.memories.membership import resolved
from commonplace.memories.scope import Scope
from commonplace.settings import own_variables
from commonplace.upkeep import prune as prunes
from commonplace.upkeep.schedule import LogLine, Round, read_log, watch

if TYPE_CHECKING:
    from commonplace.upkeep.doctor import Diagnosis


def _scope(call: Call) -> Scope:
    return resolved(call.parts.scope(call.settings.owner, call.place[0]))


def expire(call: Call) -> None:
    call.report(prunes.expire(_scope(call), dry_run=call.given.dry_run))


def purge(call: Call) -> None:
    dry_run = call.given.dry_run
    if not dry_run:
        call.agreed("Delete what was archived or expired 30 days ago, for good?")
    call.report(prunes.purge(_scope(call), dry_run=dry_run))


def stats_lines(paper: Paper, stats: Stats) -> Iterator[str]:
    def listed(counts: object) -> str:
        return ", ".join(f"{name} {number:,}" for name, number in sorted(dict(counts).items()))  # type: ignore[call-overload]

    yield from paper.facts(
        {
            "owner": f"{stats.owner}, plan {stats.plan}",
            "memories": f"{stats.memories:,}",
            "kinds": listed(stats.kinds),
            "statuses": listed(stats.statuses),
            "categories": listed(stats.categories),
            "oldest": paper.time(stats.oldest),
            "newest": paper.time(stats.newest),
            "bytes": listed(stats.sizes),
            "jobs": listed(stats.jobs) or "none",
            "to prune": f"{stats.prunable:,}",
            "tombstones": f"{stats.tombstones:,}",
            "tokens": f"{stats.tokens_today:,} of {stats.tokens_cap:,} today",
            "embedder": stats.embedder or "none",
        }
    )
    yield from (f"Warning: {warning}" for warning in stats.warnings)
    yield ""
    yield from paper.table(
        ("namespace", "memories", "words to index", "texts to embed"),
        (
            (namespace.name, namespace.memories, namespace.words, namespace.vectors_missing)
            for namespace in stats.namespaces
        ),
    )


def maintain(call: Call) -> None:
    if call.given.watch:
        _watch(call)
        return
    maintenance_round = call.book.maintain()
    call.answer(maintenance_round, lambda paper: _round(paper, maintenance_round))


def _watch(call: Call) -> None:
    """Watch in the foreground; Ctrl-C or a termination signal ends it after the current owner."""
    # importing it registers the daily work and the jobs' handlers
    import commonplace.book  # noqa: F401

    stop = Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: stop.set())

    def told(maintenance_round: Round | CommonplaceError) -> None:
        if call.json and isinstance(maintenance_round, Round):
            print(json.dumps(to_json(maintenance_round), ensure_ascii=False), flush=True)
        elif isinstance(maintenance_round, CommonplaceError):
            print(f"{call.now():%H:%M:%S} failed: {maintenance_round}", file=sys.stderr, flush=True)
        elif maintenance_round.jobs or maintenance_round.reports or maintenance_round.notes:
            acts = "".join(f", {outcome.action.lower()} {outcome.count:,}" for outcome in maintenance_round.reports)
            print(
                "; ".join(
                    (f"{call.now():%H:%M:%S} {maintenance_round.jobs:,} jobs done{acts}", *maintenance_round.notes)
                ),
                flush=True,
            )

    watch(call.parts, stop, seconds=call.given.seconds, told=told)


def _round(paper: Paper, maintenance_round: Round) -> Iterator[str]:
    yield paper.paint(f"{maintenance_round.jobs:,} jobs done", "bold")
    for outcome in maintenance_round.reports:
        yield from paper.report(outcome)
    yield from (f"  {name}: {number:,}" for name, number in (maintenance_round.figures or {}).items())
    yield from (paper.paint(f"  {note}", "yellow") for note in maintenance_round.notes)


def log(call: Call) -> None:
    lines = read_log(_scope(call), limit=call.given.limit)
    columns = {"at": "at", "what": "what", "namespace": "namespace", "figures": _log_figures}
    call.table(lines, columns | {"receipts": lambda line: " ".join(line.receipts)})


def _log_figures(line: LogLine) -> str:
    return ", ".join((*(f"{name} {number}" for name, number in line.figures.items()), *line.notes))


UNSOUND = 1


def doctor(call: Call) -> None:
    arguments = call.given
    with progress("looking", continues=False) as show:
        diagnosis = call.book.doctor(fix=arguments.fix, full=arguments.full, environ=own_variables(), progress=show)
    arguments.exit_code = 0 if diagnosis.sound else UNSOUND
    call.answer(diagnosis, lambda paper: _diagnosis_lines(paper, diagnosis))


def _diagnosis_lines(paper: Paper, diagnosis: "Diagnosis") -> Iterator[str]:
    number = len(diagnosis.checks)
    yield (
        paper.paint(f"OK: {number} checks passed", "green")
        if diagnosis.sound
        else paper.paint(f"Problems found in {number} checks", "red")
    )
    for symptom in diagnosis.symptoms:
        grade = "fixed" if symptom.fixed else symptom.grade
        remedy = f"; {symptom.remedy}" if symptom.remedy and not symptom.fixed else ""
        yield f"{paper.paint(grade, 'yellow')}: {symptom.what}{remedy}"
