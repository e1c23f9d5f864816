"""``export``, ``import`` and ``copy``."""

import sys
from dataclasses import replace
from pathlib import Path

from commonplace.copies.copy import copy as copied
from commonplace.errors import Invalid
from commonplace.interfaces.cli.call import Call, listed
from commonplace.interfaces.cli.parsing import Parser, several
from commonplace.interfaces.cli.progress import progress
from commonplace.interfaces.cli.tidy import report
from commonplace.interfaces.importers import bring_in
from commonplace.runtime import open_parts


def export(parser: Parser) -> None:
    parser.add_argument("target", help="a file, which only you may read, or `-` for standard output")
    several(parser, "--namespaces", "only these namespaces")
    parser.runs(_export)


FROM = (
    "mcp-memory",
    "mem0",
    "chatgpt",
    "claude",
    "claude-code",
    "instructions",
    "obsidian",
    "basic-memory",
    "letta",
    "markdown",
    "claude-code-transcripts",
    "codex",
    "gemini",
    "claude-mem",
    "mcp-memory-service",
    "zep",
    "hindsight",
)
"""Formats of other programs. Named here, so that the help loads no importer."""
SHOWN = 50


def import_(parser: Parser) -> None:
    parser.add_argument("source", help="a file that `export` wrote, `-` for standard input, or with --from any path")
    parser.add_argument("--from", dest="format", metavar="FORMAT", help=f"the program it comes from: {', '.join(FROM)}")
    parser.add_argument("--strict", action="store_true", help="with --from: refuse everything if a part cannot be read")
    parser.add_argument("--dry-run", action="store_true", help="show what would be imported; change nothing")
    parser.runs(_import)


def copy(parser: Parser) -> None:
    parser.add_argument("target", metavar="URL", help="an empty book: sqlite:///path or postgresql://…")
    parser.runs(_copy)


def _export(call: Call) -> None:
    target, namespaces = call.given.target, listed(call.given.namespaces)
    if target == "-":
        call.book.export(sys.stdout, namespaces=namespaces)
        return
    with progress("exporting") as show:
        export_report = call.book.export(Path(target).expanduser(), namespaces=namespaces, progress=show)
    report(call, export_report)


def _import(call: Call) -> None:
    arguments = call.given
    if arguments.format is not None:
        _bring_in(call)
        return
    source = sys.stdin if arguments.source == "-" else Path(arguments.source).expanduser()
    if isinstance(source, Path) and not source.is_file():
        raise Invalid(f"File not found: {source}; pass one that `commonplace export` wrote")
    with progress("importing") as show:
        import_report = call.book.import_(source, dry_run=arguments.dry_run, progress=show)
    report(call, import_report)


def _bring_in(call: Call) -> None:
    arguments = call.given
    with progress("importing") as show:
        imported = bring_in(
            call.book,
            arguments.format,
            Path(arguments.source).expanduser(),
            dry_run=arguments.dry_run,
            strict=arguments.strict,
            progress=show,
        )
    problems = [{"place": problem.place, "what": problem.what} for problem in imported.problems]
    fields = {
        "id": arguments.format,
        "counts": dict(imported.counts),
        "problems": problems,
        "skipped": dict(imported.skipped),
        "dry_run": imported.dry_run,
    }
    counts = ", ".join(f"{name}: {count:,}" for name, count in sorted(imported.counts.items())) or "nothing"
    lines = [f"{'would import' if imported.dry_run else 'imported'} {counts}"]
    lines += [f"  skipped {count:,}: {what}" for what, count in sorted(imported.skipped.items())]
    call.answer(fields, lines + [f"  {problem.place}: {problem.what}" for problem in imported.problems[:SHOWN]])


def _copy(call: Call) -> None:
    owner: str | None = getattr(call.given, "owner", None)
    target = open_parts(call.given.target, replace(call.settings, url=call.given.target))
    try:
        with progress("copying") as show:
            copy_report = copied(call.parts, target, owners=None if owner is None else [owner], progress=show)
    finally:
        target.close()
    report(call, copy_report)
