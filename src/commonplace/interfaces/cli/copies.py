"""``backup``, ``restore`` and ``migrate``."""

from pathlib import Path

from commonplace.errors import Invalid
from commonplace.interfaces.cli.call import Call
from commonplace.interfaces.cli.parsing import Parser, positive
from commonplace.interfaces.cli.progress import progress
from commonplace.interfaces.cli.tidy import report
from commonplace.maintenance.backup import finish, routine
from commonplace.settings import without_credentials
from commonplace.store.open import migrate_store


def backup(parser: Parser) -> None:
    parser.add_argument("target", nargs="?", help="a file, or a folder that gets a file named by the time")
    parser.add_argument(
        "--schedule",
        action="store_true",
        help="do now what the setting backup_schedule does each time: a copy at home, thinned, a restore practised",
    )
    parser.add_argument("--keep", type=positive, metavar="N", help="only the newest copies of the folder")
    parser.add_argument(
        "--with-keys", action="store_true", help="copy the keyring too: then it opens with the master key"
    )
    parser.runs(_backup)


def restore(parser: Parser) -> None:
    parser.add_argument("source", nargs="?", help="a copy that `backup` made")
    parser.add_argument(
        "--without-ledger", action="store_true", help="go on although nobody knows what was forgotten since"
    )
    parser.add_argument(
        "--replay", action="store_true", help="only forget again what the ledger says, after `pg_restore`"
    )
    parser.add_argument("--yes", action="store_true", help="do not ask")
    parser.runs(_restore)


def migrate(parser: Parser) -> None:
    parser.runs(_migrate)


def _backup(call: Call) -> None:
    given = call.given
    if (given.target is None) != given.schedule:
        raise Invalid("name a file or a folder, or say --schedule")
    if given.schedule:
        with progress("copying", continues=False) as show:
            report(call, routine(call.parts, progress=show))
        return
    with progress("copying", continues=False) as show:
        made = call.book.backup(_path(given.target), keep=given.keep, with_keys=given.with_keys, progress=show)
    report(call, made)


def _restore(call: Call) -> None:
    given = call.given
    if (given.source is None) != given.replay:
        raise Invalid("name the copy to restore, or say --replay")
    if given.replay:
        counts = finish(call.parts)
        call.answer({"counts": counts}, [f"{name}: {number}" for name, number in counts.items()] or ["nothing to do"])
        return
    call.agreed(f"Put {given.source} in the place of the book at {without_credentials(call.settings.book_url)}?")
    with progress("restoring", continues=False) as show:
        made = call.book.restore(_path(given.source), without_ledger=given.without_ledger, progress=show)
    report(call, made)


def _migrate(call: Call) -> None:
    done = migrate_store(call.settings.book_url)
    lines = [f"the book is at schema {done.now}"]
    if done.found != done.now:
        lines = [f"brought from schema {done.found} to {done.now}"]
    if done.backup is not None:
        lines.append(f"a copy from before is {done.backup}")
    if done.way_back is not None:
        lines.append(f"with the earlier release, go back by: {done.way_back}")
    call.answer({"found": done.found, "now": done.now, "backup": done.backup, "way_back": done.way_back}, lines)


def _path(given: str) -> Path:
    return Path(given).expanduser().absolute()
