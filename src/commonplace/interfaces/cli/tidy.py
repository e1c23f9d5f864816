"""``stats``, ``prune``, ``merge``, ``consolidate``, ``maintain``, ``maintenance`` and ``reindex``."""

import json
import signal
import sys
from collections.abc import Iterator
from threading import Event

from commonplace.errors import CommonplaceError
from commonplace.interfaces.cli.call import Call
from commonplace.interfaces.cli.parsing import Parser, positive
from commonplace.interfaces.cli.progress import progress
from commonplace.interfaces.cli.show import Paper
from commonplace.interfaces.json import to_json
from commonplace.maintenance.prune import expire, purge
from commonplace.maintenance.report import Report, Stats
from commonplace.maintenance.schedule import Round, read_log, watch

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
    _dry_run(group.command("expire", "what has outlived its own date becomes history", _expire))
    one = group.command("purge", "delete what was archived or expired 30 days ago, for good", _purge)
    _dry_run(one)
    one.add_argument("--yes", action="store_true", help="do not ask")


def maintain(parser: Parser) -> None:
    parser.add_argument("--watch", action="store_true", help="go on: do what is due for every owner, until Ctrl-C")
    parser.add_argument(
        "--seconds", type=positive, default=60, metavar="N", help="with --watch, between two looks (60)"
    )
    parser.runs(_maintain)


def maintenance(parser: Parser) -> None:
    group = parser.group()
    one = group.command("log", "what maintenance did, newest first, with receipts that `undo` takes", _log)
    one.add_argument("--limit", type=positive, default=20, metavar="N", help="at most so many (20)")


def reindex(parser: Parser) -> None:
    parser.add_argument("--model", metavar="NAME", help="make this embedder's vectors, before it is set")
    parser.runs(_reindex)


def report(call: Call, made: Report) -> None:
    """Print what an act did or would do."""
    call.answer({"id": made.receipt, **_fields(made)}, lambda paper: report_lines(paper, made))


def report_lines(paper: Paper, made: Report) -> Iterator[str]:
    counts = ", ".join(f"{reason}: {number:,}" for reason, number in made.counts.items())
    would = "would " if made.dry_run else ""
    yield paper.paint(f"{would}{made.action.lower()}: {made.count:,}", "bold") + (f"  ({counts})" if counts else "")
    shown = made.findings[:SHOWN]
    yield from (paper.cut(f"  {one.noun} {one.id}  {one.reason}") for one in shown)
    if made.count > len(shown) > 0:
        yield paper.paint(f"  … and {made.count - len(shown):,} more", "dim")
    yield from (paper.paint(f"  {note}", "yellow") for note in made.notes)
    if made.receipt is not None:
        yield paper.paint(f"  `commonplace undo {made.receipt}` takes it back", "dim")


def _fields(made: Report) -> dict[str, object]:
    names = ("action", "at", "dry_run", "namespace", "count", "counts", "findings", "receipt", "notes")
    return {name: getattr(made, name) for name in names}


def _dry_run(parser: Parser) -> None:
    parser.add_argument("--dry-run", action="store_true", help="show what and why, and change nothing")


def _prune(call: Call) -> None:
    with progress("looking") as show:
        made = call.book.prune(dry_run=call.given.dry_run, progress=show)
    report(call, made)


def _merge(call: Call) -> None:
    with progress("comparing") as show:
        made = call.book.merge(dry_run=call.given.dry_run, progress=show)
    report(call, made)


def _expire(call: Call) -> None:
    report(call, expire(call.parts.scope(call.settings.owner, call.place[0]), dry_run=call.given.dry_run))


def _purge(call: Call) -> None:
    dry_run = call.given.dry_run
    if not dry_run:
        call.agreed("Delete what was archived or expired 30 days ago, for good?")
    report(call, purge(call.parts.scope(call.settings.owner, call.place[0]), dry_run=dry_run))


def _stats(call: Call) -> None:
    found = call.book.stats()
    call.answer(found, lambda paper: _figures(paper, found))


def _figures(paper: Paper, found: Stats) -> Iterator[str]:
    def listed(counts: object) -> str:
        return ", ".join(f"{name} {number:,}" for name, number in sorted(dict(counts).items()))  # type: ignore[call-overload]

    yield from paper.facts(
        {
            "owner": f"{found.owner}, plan {found.plan}",
            "memories": f"{found.memories:,}",
            "kinds": listed(found.kinds),
            "statuses": listed(found.statuses),
            "categories": listed(found.categories),
            "oldest": paper.time(found.oldest),
            "newest": paper.time(found.newest),
            "bytes": listed(found.sizes),
            "jobs": listed(found.jobs) or "none",
            "to prune": f"{found.prunable:,}",
            "tombstones": f"{found.tombstones:,}",
            "tokens": f"{found.tokens_today:,} of {found.tokens_cap:,} today",
            "embedder": found.embedder or "none",
        }
    )
    yield ""
    yield from paper.table(
        ("namespace", "memories", "unpacked", "without vector"),
        ((one.name, one.memories, one.words, one.vectors_missing) for one in found.namespaces),
    )


def _maintain(call: Call) -> None:
    if call.given.watch:
        _watch(call)
        return
    made = call.book.maintain()
    call.answer(made, lambda paper: _round(paper, made))


def _watch(call: Call) -> None:
    """In the foreground; Ctrl-C and a polite kill end it, after the owner at hand."""
    # says what is done daily and who does which job
    import commonplace.book  # noqa: F401

    stop = Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: stop.set())

    def told(made: Round | CommonplaceError) -> None:
        if call.json and isinstance(made, Round):
            print(json.dumps(to_json(made), ensure_ascii=False), flush=True)
        elif isinstance(made, CommonplaceError):
            print(f"{call.now():%H:%M:%S} failed: {made}", file=sys.stderr, flush=True)
        elif made.jobs or made.reports or made.notes:
            acts = "".join(f", {one.action.lower()} {one.count:,}" for one in made.reports)
            print("; ".join((f"{call.now():%H:%M:%S} {made.jobs:,} jobs done{acts}", *made.notes)), flush=True)

    watch(call.parts, stop, seconds=call.given.seconds, told=told)


def _round(paper: Paper, made: Round) -> Iterator[str]:
    yield paper.paint(f"{made.jobs:,} jobs done", "bold")
    for one in made.reports:
        yield from report_lines(paper, one)
    yield from (f"  {name}: {number:,}" for name, number in (made.figures or {}).items())
    yield from (paper.paint(f"  {note}", "yellow") for note in made.notes)


def _log(call: Call) -> None:
    lines = read_log(call.parts.scope(call.settings.owner, call.place[0]), limit=call.given.limit)
    call.answer(
        lines,
        lambda paper: paper.table(
            ("at", "what", "namespace", "figures", "receipts"),
            (
                (
                    paper.time(one.at),
                    one.what,
                    one.namespace,
                    ", ".join((*(f"{name} {number}" for name, number in one.figures.items()), *one.notes)),
                    " ".join(one.receipts),
                )
                for one in lines
            ),
        ),
    )


def _reindex(call: Call) -> None:
    with progress("indexing") as show:
        made = call.book.reindex(model=call.given.model, progress=show)
    report(call, made)
