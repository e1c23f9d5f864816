"""``backup``, ``restore``, ``migrate``, ``export``, ``import`` and ``copy``."""

import sys
from dataclasses import replace
from pathlib import Path

from commonplace.copies.backup import finish, routine
from commonplace.copies.backup import restore as restore_copy
from commonplace.copies.copy import copy as copied
from commonplace.errors import Invalid
from commonplace.interfaces.cli.call import Call, named
from commonplace.interfaces.cli.progress import progress
from commonplace.interfaces.importers import bring_in
from commonplace.runtime import open_parts
from commonplace.settings import without_credentials
from commonplace.store.open import migrate_store


def backup(call: Call) -> None:
    arguments = call.given
    if (arguments.target is None) != arguments.schedule:
        raise Invalid("pass a file or a folder, or --schedule")
    if arguments.schedule:
        with progress("copying", continues=False) as show:
            call.report(routine(call.parts, progress=show))
        return
    with progress("copying", continues=False) as show:
        backup_report = call.book.backup(
            _path(arguments.target), keep=arguments.keep, with_keys=arguments.with_keys, progress=show
        )
    call.report(backup_report)


def restore(call: Call) -> None:
    arguments = call.given
    if (arguments.source is None) != arguments.replay:
        raise Invalid("pass the backup to restore, or --replay")
    if arguments.replay:
        counts = finish(call.parts)
        call.answer({"counts": counts}, [f"{name}: {number}" for name, number in counts.items()] or ["nothing to do"])
        return
    source = newest_backup(_path(arguments.source))
    if not source.exists():  # checked before asking
        raise Invalid(f"File not found: {source}; pass what `commonplace backup` wrote, or its folder")
    call.agreed(f"Replace the book at {without_credentials(call.settings.book_url)} with the backup {source}?")
    call.to_restore = True
    with progress("restoring", continues=False) as show:
        # without opening a book, which would create keys: the backup has its own
        restored = restore_copy(call.parts, source, without_ledger=arguments.without_ledger, progress=show)
    call.report(restored)


def migrate(call: Call) -> None:
    migration = migrate_store(call.settings.book_url)
    lines = [f"the book is at schema {migration.now}"]
    if migration.found != migration.now:
        lines = [f"migrated from schema {migration.found} to {migration.now}"]
    if migration.backup is not None:
        lines.append(f"a copy from before is {migration.backup}")
    if migration.way_back is not None:
        lines.append(f"to return to the earlier release, run: {migration.way_back}")
    call.answer(migration, lines)


def newest_backup(path: Path) -> Path:
    """The file itself, or the newest backup in a folder. Raises ``Invalid`` if there is none."""
    if not path.is_dir():
        return path
    backups = sorted(path.glob("commonplace-*.backup"))
    if not backups:
        raise Invalid(f"No backup found in {path}")
    return backups[-1]


def _path(text: str) -> Path:
    return Path(text).expanduser().absolute()


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
