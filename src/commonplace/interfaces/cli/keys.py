"""``keys``: rotate and check the keys, print the recovery copy, and restore from it."""

import sys
from pathlib import Path

from commonplace.errors import Invalid
from commonplace.interfaces.cli.call import Call
from commonplace.interfaces.cli.progress import progress
from commonplace.security.keys import Keychain
from commonplace.security.master import MasterKeySource, from_recovery_text, master_key, write_key
from commonplace.store.open import open_keyrings
from commonplace.upkeep import keys

BROKEN = 1


def check(call: Call) -> None:
    problems = keys.check(call.parts)
    call.given.exit_code = BROKEN if problems else 0
    copy = keys.copied(call.parts)
    lines = problems or ["every key opens"]
    lines += [] if copy else ["the master key has no recovery copy yet: run `commonplace keys recovery`"]
    call.answer({"ok": not problems, "problems": problems, "copied": copy, "source": _source(call)}, lines)


def recovery(call: Call) -> None:
    text = keys.recovery(call.parts)
    call.answer(
        {"id": "master", "text": text},
        [
            "# This opens everything; without it and without the key file nothing can be read.",
            "# `commonplace keys restore` takes it back.",
            text,
        ],
    )


def restore(call: Call) -> None:
    settings = call.settings
    if settings.master_key or settings.key_command:
        raise Invalid("the master key comes from the settings, not from a key file; restore it where it is set")
    if not call.given.text and sys.stdin.isatty():
        print("Type the four lines, then end the input (Ctrl-D, on Windows Ctrl-Z):", file=sys.stderr)
    master = from_recovery_text(call.text(call.given.text or "-"))
    # Raise `KeyringError` unless every owner's keys open with it.
    with open_keyrings(call.settings.book_url) as keyrings:
        keychain = Keychain(keyrings, master)
        for owner in keyrings.owners():
            keychain.fresh(owner)
    file = settings.master_key_file
    if file.exists() and not _same(file, master):
        call.agreed(f"{file} holds another key. Replace it?")
    write_key(file, master)
    call.answer({"id": "master", "file": file}, [f"the master key is in {file} again"])


def _same(file: Path, master: bytes) -> bool:
    return master_key(MasterKeySource(file=file), create=False) == master


def _source(call: Call) -> str:
    settings = call.settings
    if settings.master_key:
        return "the settings"
    return "a command" if settings.key_command else str(settings.master_key_file)


def rotate(call: Call) -> None:
    old = call.given.destroy_old
    if old:
        call.agreed("Destroy the old keys, and with them every backup made before?")
    with progress("sealing") as show:
        rotation = call.book.rotate_keys(destroy_old=old, progress=show)
    call.report(rotation)
