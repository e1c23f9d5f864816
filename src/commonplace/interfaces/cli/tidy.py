"""``stats``, ``prune``, ``merge``, ``consolidate``, ``maintain``, ``maintenance`` and ``reindex``."""

import json
import signal
import sys
from collections.abc import Iterator
from threading import Event

from commonplace.batches.report import Report, Stats
from commonplace.errors import CommonplaceError
from commonplace.interfaces.cli.built import rollback
from commonplace.interfaces.cli.call import Call
from commonplace.interfaces.cli.parsing import Parser, positive
from commonplace.interfaces.cli.progress import progress
from commonplace.interfaces.cli.show import Paper
from commonplace.interfaces.json import to_json
from commonplace.upkeep.prune import expire, purge
from commonplace.upkeep.schedule import LogLine, Round, read_log, watch

SHOWN = 50


def stats(parser: Parser) -> None:
    parser.runs(_stats)


def prune(parser: Parser) -> None:
    _dry_run(parser)
    parser.runs(_prune)


def merge(parser: Parser) -> None:
    _dry_run(parser)
    parser.runs(_merge)


def consolidate(parser: Parser) -> None:
    group = parser.group()
    group.command("stats", "as `commonplace stats`", _stats)
    prune(group.command("prune", "as `commonplace prune`", _stats))
    merge(group.command("merge", "as `commonplace merge`", _stats))
    rollback(group.command("rollback", "as `commonplace rollback`", _stats))
    _dry_run(group.command("expire", "end memories that are past their expiry date", _expire))
    command = group.command("purge", "delete what was archived or expired 30 days ago, for good", _purge)
    _dry_run(command)
    command.add_argument("--yes", action="store_true", help="do not ask for confirmation")


def maintain(parser: Parser) -> None:
    parser.add_argument(
        "--watch", action="store_true", help="keep running: do what is due for every owner, until Ctrl-C"
    )
    parser.add_argument(
        "--seconds", type=positive, default=60, metavar="N", help="with --watch: seconds between two looks (default 60)"
    )
    parser.runs(_maintain)


def maintenance(parser: Parser) -> None:
    group = parser.group()
    command = group.command("log", "what maintenance did, newest first, with receipts that `undo` takes", _log)
    command.add_argument("--limit", type=positive, default=20, metavar="N", help="maximum (default 20)")


def reindex(parser: Parser) -> None:
    parser.add_argument("--model", metavar="NAME", help="build this embedder's vectors before switching to it")
    parser.runs(_reindex)


def report(call: Call, outcome: Report) -> None:
    """Print what an act did or would do."""
    call.answer({"id": outcome.receipt, **_fields(outcome)}, lambda paper: report_lines(paper, outcome))


def report_lines(paper: Paper, outcome: Report) -> Iterator[str]:
    counts = ", ".join(f"{reason}: {number:,}" for reason, number in outcome.counts.items())
    would = "would " if outcome.dry_run else ""
    yield paper.paint(f"{would}{outcome.action.lower()}: {outcome.count:,}", "bold") + (
        f"  ({counts})" if counts else ""
    )
    findings = outcome.findings[:SHOWN]
    yield from (paper.cut(f"  {finding.noun} {finding.id}  {finding.reason}") for finding in findings)
    if outcome.count > len(findings) > 0:
        yield paper.paint(f"  … and {outcome.count - len(findings):,} more", "dim")
    yield from (paper.paint(f"  {note}", "yellow") for note in outcome.notes)
    if outcome.receipt is not None:
        yield paper.paint(f"  `commonplace undo {outcome.receipt}` takes it back", "dim")


def _fields(outcome: Report) -> dict[str, object]:
    names = ("action", "at", "dry_run", "namespace", "count", "counts", "findings", "receipt", "notes")
    return {name: getattr(outcome, name) for name in names}


def _dry_run(parser: Parser) -> None:
    parser.add_argument("--dry-run", action="store_true", help="show what would change and why; change nothing")


def _prune(call: Call) -> None:
    with progress("looking") as show:
        outcome = call.book.prune(dry_run=call.given.dry_run, progress=show)
    report(call, outcome)


def _merge(call: Call) -> None:
    with progress("comparing") as show:
        outcome = call.book.merge(dry_run=call.given.dry_run, progress=show)
    report(call, outcome)


def _expire(call: Call) -> None:
    report(call, expire(call.parts.scope(call.settings.owner, call.place[0]), dry_run=call.given.dry_run))


def _purge(call: Call) -> None:
    dry_run = call.given.dry_run
    if not dry_run:
        call.agreed("Delete what was archived or expired 30 days ago, for good?")
    report(call, purge(call.parts.scope(call.settings.owner, call.place[0]), dry_run=dry_run))


def _stats(call: Call) -> None:
    figures = call.book.stats()
    call.answer(figures, lambda paper: _figures(paper, figures))


def _figures(paper: Paper, stats: Stats) -> Iterator[str]:
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


def _maintain(call: Call) -> None:
    if call.given.watch:
        _watch(call)
        return
    maintenance_round = call.book.maintain()
    call.answer(maintenance_round, lambda paper: _round(paper, maintenance_round))


def _watch(call: Call) -> None:
    """In the foreground; Ctrl-C and a polite kill end it, after the owner at hand."""
    # says what is done daily and who does which job
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
        yield from report_lines(paper, outcome)
    yield from (f"  {name}: {number:,}" for name, number in (maintenance_round.figures or {}).items())
    yield from (paper.paint(f"  {note}", "yellow") for note in maintenance_round.notes)


def _log(call: Call) -> None:
    lines = read_log(call.parts.scope(call.settings.owner, call.place[0]), limit=call.given.limit)
    columns = {"at": "at", "what": "what", "namespace": "namespace", "figures": _log_figures}
    call.table(lines, columns | {"receipts": lambda line: " ".join(line.receipts)})


def _log_figures(line: LogLine) -> str:
    return ", ".join((*(f"{name} {number}" for name, number in line.figures.items()), *line.notes))


def _reindex(call: Call) -> None:
    with progress("indexing") as show:
        outcome = call.book.reindex(model=call.given.model, progress=show)
    report(call, outcome)
