"""``keys``: rotate, check, keep a copy of, and bring back the keys that the book is sealed with."""

import sys
from pathlib import Path

from commonplace.errors import Invalid
from commonplace.interfaces.cli.call import Call
from commonplace.interfaces.cli.parsing import Parser
from commonplace.interfaces.cli.progress import progress
from commonplace.interfaces.cli.tidy import report
from commonplace.security.keys import Keychain
from commonplace.security.master import MasterKeySource, from_recovery_text, master_key, write_key
from commonplace.store.open import open_keyrings
from commonplace.upkeep.keys import check, copied, recovery

BROKEN = 1


def keys(parser: Parser) -> None:
    group = parser.group()
    group.command("check", "check that every owner's keys open; exit code 1 if not", _check)
    group.command("recovery", "print a copy of the master key to write down", _recovery)
    command = group.command("restore", "restore the master key from a written copy", _restore)
    command.add_argument("text", nargs="*", help="the four lines; otherwise they are read from standard input")
    command.add_argument("--yes", action="store_true", help="replace another key file without asking")
    command = group.command("rotate", "re-encrypt everything with a new key", _rotate)
    command.add_argument(
        "--destroy-old", action="store_true", help="destroy the old keys too; older backups can no longer be read"
    )
    command.add_argument("--yes", action="store_true", help="do not ask for confirmation")


def _check(call: Call) -> None:
    problems = check(call.parts)
    call.given.exit_code = BROKEN if problems else 0
    copy = copied(call.parts)
    lines = problems or ["every key opens"]
    lines += [] if copy else ["there is no copy of the master key yet: run `commonplace keys recovery`"]
    call.answer({"ok": not problems, "problems": problems, "copied": copy, "source": _source(call)}, lines)


def _recovery(call: Call) -> None:
    text = recovery(call.parts)
    call.answer(
        {"id": "master", "text": text},
        [
            "# This opens everything; without it and without the key file nothing can be read.",
            "# `commonplace keys restore` takes it back.",
            text,
        ],
    )


def _restore(call: Call) -> None:
    settings = call.settings
    if settings.master_key or settings.key_command:
        raise Invalid("the master key comes from the settings, not from a key file; restore it where it is set")
    if not call.given.text and sys.stdin.isatty():
        print("Type the four lines, then end the input (Ctrl-D, on Windows Ctrl-Z):", file=sys.stderr)
    master = from_recovery_text(call.text(call.given.text or "-"))
    _fits(call, master)
    file = settings.master_key_file
    if file.exists() and not _same(file, master):
        call.agreed(f"{file} holds another key. Replace it?")
    write_key(file, master)
    call.answer({"id": "master", "file": file}, [f"the master key is in {file} again"])


def _fits(call: Call, master: bytes) -> None:
    """Raise ``KeyringError`` unless every owner's keys open with it."""
    with open_keyrings(call.settings.book_url) as keyrings:
        keychain = Keychain(keyrings, master)
        for owner in keyrings.owners():
            keychain.fresh(owner)


def _same(file: Path, master: bytes) -> bool:
    return master_key(MasterKeySource(file=file), create=False) == master


def _source(call: Call) -> str:
    settings = call.settings
    if settings.master_key:
        return "the settings"
    return "a command" if settings.key_command else str(settings.master_key_file)


def _rotate(call: Call) -> None:
    old = call.given.destroy_old
    if old:
        call.agreed("Destroy the old keys, and with them every backup made before?")
    with progress("sealing") as show:
        rotation = call.book.rotate_keys(destroy_old=old, progress=show)
    report(call, rotation)
