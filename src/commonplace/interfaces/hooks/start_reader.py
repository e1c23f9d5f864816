"""Starts the process that reads with the judge what hooks left, where no server listens. A hook needs only this."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from hashlib import blake2b
from pathlib import Path

from commonplace.settings import Settings, child_environment
from commonplace.system import HERE

READER = "commonplace.interfaces.hooks.reader"


def start_reader(settings: Settings, folder: Path) -> None:
    """Start one for the book of these settings, unless one is running or is not wanted."""
    if not settings.hook_reader or settings.judge != "on":
        return
    with suppress(OSError):  # a machine that starts no more programs: maintenance reads them
        with reading(settings) as alone:
            pass
        if alone:
            HERE.start_alone([sys.executable, "-m", READER, str(folder)], child_environment())


@contextmanager
def reading(settings: Settings) -> Iterator[bool]:
    """Take the lock of who reads for this book; False where another process has it."""
    name = blake2b(settings.book_url.encode(), digest_size=6).hexdigest()
    with (settings.home / f"reading-{name}.lock").open("a") as file:
        try:
            HERE.lock(file)
        except OSError:
            yield False
            return
        try:
            yield True
        finally:
            HERE.unlock(file)
