"""The process that a hook starts, where no server listens, to read with the judge the messages that hooks left.

A hook is over before the judge has loaded. The process reads what waits within seconds, stays while more comes, and
then ends.
"""

import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from hashlib import blake2b
from pathlib import Path

from commonplace.settings import Settings
from commonplace.system import HERE

LASTS = 60.0
"""Seconds without anything to read after which it ends."""
PAUSE = 0.5


def start(settings: Settings, folder: Path) -> None:
    """Start one for the book of these settings, unless one is running or is not wanted."""
    if not settings.hook_reader or settings.judge != "on":
        return
    with suppress(OSError), turn(settings) as mine:
        if not mine:
            return
    with suppress(OSError):  # a machine that starts no more programs: maintenance reads them
        HERE.start_alone([sys.executable, "-m", "commonplace.interfaces.hooks.reader", str(folder)])


@contextmanager
def turn(settings: Settings) -> Iterator[bool]:
    """Whether this process is the only one that reads this book now; the others need not wait."""
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


def main(folder: Path) -> None:
    settings = Settings.load(start=folder)
    with turn(settings) as mine:
        if mine:
            if hasattr(os, "nice"):
                os.nice(10)
            _read(settings)


def _read(settings: Settings) -> None:
    # most of the package, after it is known that nobody else does this
    from commonplace.errors import CommonplaceError
    from commonplace.learning.triggers import scan
    from commonplace.notebook.answer_jobs import read_waiting
    from commonplace.providers.judge import judge_of
    from commonplace.runtime import open_parts
    from commonplace.workplace import DEFAULT

    judge = judge_of(settings)
    if judge is None:
        return
    with suppress(CommonplaceError):  # what was not read stays in the queue
        parts = open_parts(None, settings)
        try:
            scope, looked = parts.scope(settings.owner, DEFAULT), -1
            until = time.monotonic() + LASTS
            while time.monotonic() < until and settings.home.is_dir():
                revision = parts.store.revision(settings.owner)
                if revision != looked:
                    looked = revision
                    if read_waiting(scope, settings, judge, scan):
                        until = time.monotonic() + LASTS
                time.sleep(PAUSE)
        finally:
            parts.close()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
