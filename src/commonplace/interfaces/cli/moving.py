"""``export``, ``import`` and ``copy``."""

import sys
from dataclasses import replace
from pathlib import Path

from commonplace.copies.copy import copy as copied
from commonplace.errors import Invalid
from commonplace.interfaces.cli.call import Call, named
from commonplace.interfaces.cli.progress import progress
from commonplace.interfaces.importers import bring_in
from commonplace.runtime import open_parts

SHOWN = 50


def export(call: Call) -> None:
    target, keywords = call.given.target, call.keywords("target")
    if target == "-":
        call.book.export(sys.stdout, **keywords)
        return
    with progress("exporting") as show:
        export_report = call.book.export(Path(target).expanduser(), **keywords, progress=show)
    call.report(export_report)


def import_(call: Call) -> None:
    arguments = call.given
    if arguments.format is not None:
        _bring_in(call)
        return
    source = sys.stdin if arguments.source == "-" else Path(arguments.source).expanduser()
    if isinstance(source, Path) and not source.is_file():
        raise Invalid(f"File not found: {source}; pass one that `commonplace export` wrote")
    with progress("importing") as show:
        import_report = call.book.import_(source, dry_run=arguments.dry_run, progress=show)
    call.report(import_report)


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
    counts = ", ".join(f"{name}: {count:,}" for name, count in sorted(imported.counts.items())) or "nothing"
    lines = [f"{'would import' if imported.dry_run else 'imported'} {counts}"]
    lines += [f"  skipped {count:,}: {what}" for what, count in sorted(imported.skipped.items())]
    call.answer(
        named(arguments.format, imported),
        lines + [f"  {problem.place}: {problem.what}" for problem in imported.problems[:SHOWN]],
    )


def copy(call: Call) -> None:
    owner: str | None = getattr(call.given, "owner", None)
    target = open_parts(call.given.target, replace(call.settings, url=call.given.target))
    try:
        with progress("copying") as show:
            copy_report = copied(call.parts, target, owners=None if owner is None else [owner], progress=show)
    finally:
        target.close()
    call.report(copy_report)
