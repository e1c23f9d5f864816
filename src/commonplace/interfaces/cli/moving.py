"""``export``, ``import`` and ``copy``."""

import sys
from dataclasses import replace
from pathlib import Path

from commonplace.errors import Invalid
from commonplace.interfaces.cli.call import Call, listed
from commonplace.interfaces.cli.parsing import Parser, several
from commonplace.interfaces.cli.progress import progress
from commonplace.interfaces.cli.tidy import report
from commonplace.interfaces.importers import bring_in
from commonplace.maintenance.copying import copy as copied
from commonplace.opening import open_parts


def export(parser: Parser) -> None:
    parser.add_argument("target", help="a file, which only you may read, or `-` for standard output")
    several(parser, "--namespaces", "only these namespaces")
    parser.runs(_export)


FROM = ("mcp-memory", "mem0", "chatgpt", "claude", "claude-code", "instructions", "obsidian", "basic-memory", "letta")
SHOWN = 50


def import_(parser: Parser) -> None:
    parser.add_argument("source", help="a file that `export` wrote, `-` for standard input, or with --from any path")
    parser.add_argument("--from", dest="format", metavar="FORMAT", help=f"another program's: {', '.join(FROM)}")
    parser.add_argument("--strict", action="store_true", help="with --from: refuse everything if a part cannot be read")
    parser.add_argument("--dry-run", action="store_true", help="show what would come in, and change nothing")
    parser.runs(_import)


def copy(parser: Parser) -> None:
    parser.add_argument("target", metavar="URL", help="an empty book: sqlite:///path or postgresql://…")
    parser.runs(_copy)


def _export(call: Call) -> None:
    target, wanted = call.given.target, listed(call.given.namespaces)
    if target == "-":
        call.book.export(sys.stdout, namespaces=wanted)
        return
    with progress("exporting") as show:
        made = call.book.export(Path(target).expanduser(), namespaces=wanted, progress=show)
    report(call, made)


def _import(call: Call) -> None:
    given = call.given
    if given.format is not None:
        _bring_in(call)
        return
    source = sys.stdin if given.source == "-" else Path(given.source).expanduser()
    if isinstance(source, Path) and not source.is_file():
        raise Invalid(f"{source} is no file; name what `commonplace export` wrote")
    with progress("importing") as show:
        made = call.book.import_(source, dry_run=given.dry_run, progress=show)
    report(call, made)


def _bring_in(call: Call) -> None:
    given = call.given
    with progress("importing") as show:
        made = bring_in(
            call.book,
            given.format,
            Path(given.source).expanduser(),
            dry_run=given.dry_run,
            strict=given.strict,
            progress=show,
        )
    problems = [{"place": one.place, "what": one.what} for one in made.problems]
    fields = {"id": given.format, "counts": dict(made.counts), "problems": problems, "dry_run": made.dry_run}
    counts = ", ".join(f"{name}: {count:,}" for name, count in sorted(made.counts.items())) or "nothing"
    lines = [f"{'would import' if made.dry_run else 'imported'} {counts}"]
    call.answer(fields, lines + [f"  {one.place}: {one.what}" for one in made.problems[:SHOWN]])


def _copy(call: Call) -> None:
    owner: str | None = getattr(call.given, "owner", None)
    target = open_parts(call.given.target, replace(call.settings, url=call.given.target))
    try:
        with progress("copying") as show:
            made = copied(call.parts, target, owners=None if owner is None else [owner], progress=show)
    finally:
        target.close()
    report(call, made)
