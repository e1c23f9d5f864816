"""Edits of the notebook's files, noticed while a process runs."""

import threading
from collections.abc import Iterator
from pathlib import Path

from commonplace.notebook.notebook import Notebook
from commonplace.notebook.sync import Synced

SETTLED = 400
"""Milliseconds of quiet after which a file counts as saved: editors write in several steps."""


def watch(notebook: Notebook, stop: threading.Event) -> Iterator[Synced]:
    """Bring in each edit as it is saved, until ``stop``; what changed nothing is not told."""
    # a library in Rust that only a long-running process needs
    from watchfiles import watch as changes  # noqa: PLC0415

    places = notebook.pages.places
    ours = {places.buffer, places.long_term, places.todo, places.lessons}

    def wanted(_: object, path: str) -> bool:
        return Path(path) in ours or (Path(path).parent == places.logs and Path(path).suffix == ".md")

    folders = {path.parent for path in ours} | {places.logs}
    there = sorted(folder for folder in folders if folder.is_dir())
    for _ in changes(
        *there,
        watch_filter=wanted,
        stop_event=stop,
        debounce=SETTLED,
        step=SETTLED // 4,
        recursive=False,
        rust_timeout=1000,
        yield_on_timeout=False,
    ):
        done = notebook.sync()
        if not done.nothing or done.problems:
            yield done
