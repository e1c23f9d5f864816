"""The process that reads with the judge what hooks left: ``python -m commonplace.interfaces.hooks.reader FOLDER``.

A hook is over before the judge has loaded. The process reads what waits within seconds, stays while more comes, and
then ends.
"""

import os
import sys
import time
from contextlib import suppress
from pathlib import Path

from commonplace.errors import CommonplaceError
from commonplace.interfaces.hooks.start_reader import reading
from commonplace.learning.triggers import scan
from commonplace.memories.member_store import READER
from commonplace.notebook.answer_jobs import read_waiting
from commonplace.providers.judge import judge_of
from commonplace.runtime import open_parts
from commonplace.settings import Settings
from commonplace.workplace import DEFAULT

LASTS = 60.0
"""Seconds without anything to read after which it ends."""
PAUSE = 0.5


def main(folder: Path) -> None:
    settings = Settings.load(start=folder)
    with reading(settings) as alone:
        if alone:
            if hasattr(os, "nice"):
                os.nice(10)
            with suppress(CommonplaceError):  # what was not read stays in the queue
                read(settings)


def read(settings: Settings) -> None:
    """Read until nothing has come for a while, or the home folder is gone."""
    judge = judge_of(settings)
    if judge is None:
        return
    parts = open_parts(None, settings)
    try:
        own, until = parts.scope(settings.owner, DEFAULT), time.monotonic() + LASTS
        looked: dict[str, int] = {}
        while time.monotonic() < until and settings.home.is_dir():
            owners = [settings.owner, *(scope.owner for scope in parts.shared(own) if scope.role != READER)]
            revisions = {owner: parts.store.revision(owner) for owner in owners}
            scopes = [parts.scope(owner, DEFAULT) for owner in owners if revisions != looked]
            looked = revisions
            if sum([read_waiting(scope, settings, judge, scan) for scope in scopes]):
                until = time.monotonic() + LASTS
            time.sleep(PAUSE)
    finally:
        parts.close()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
