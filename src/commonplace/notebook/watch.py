"""Watches the notebook's files for edits while a process runs."""

import threading
from collections.abc import Callable, Iterator
from pathlib import Path

from commonplace.errors import CommonplaceError
from commonplace.notebook.notebook import Notebook
from commonplace.notebook.paths import NotebookPaths
from commonplace.notebook.sync import Synced

SETTLED = 400
"""Milliseconds without changes after which a file counts as saved: editors write in several steps."""
LOOK = 1000
"""Milliseconds between checks for other work."""
ENDING = 5.0
"""Seconds that a watcher gets to finish the current edit when it is closed."""

Told = Callable[[Synced | CommonplaceError], None]


def watch(notebook: Notebook, stop: threading.Event) -> Iterator[Synced]:
    """Yield each edit as it is saved, until ``stop``; edits without an effect are skipped.

    Edits made before the start are included. New folders are watched too.
    """
    # a Rust library that only long-running processes need
    from watchfiles import watch as changes  # noqa: PLC0415

    paths = notebook.pages.paths
    files = _files(paths)

    def is_ours(path: Path) -> bool:
        return path in files | {file.parent for file in files} or (path.parent == paths.logs and path.suffix == ".md")

    yield from _brought_in(notebook)
    while not stop.is_set():
        folders, first = _folders(paths), True
        for changed in changes(
            *folders,
            watch_filter=lambda _, path: is_ours(Path(path)),
            stop_event=stop,
            debounce=SETTLED,
            step=SETTLED // 4,
            recursive=False,
            rust_timeout=LOOK,
            yield_on_timeout=True,
            raise_interrupt=False,
        ):
            if changed or first:
                yield from _brought_in(notebook)
            first = False
            if _folders(paths) != folders:
                break
        else:
            return


class Watcher:
    """Watches in its own thread until closed. ``told`` is called with each edit and each failure."""

    def __init__(self, notebook: Notebook, told: Told) -> None:
        self._notebook, self._told = notebook, told
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name="notebook", daemon=True)
        self._thread.start()

    def close(self) -> None:
        self._stop.set()
        self._thread.join(ENDING)

    def _run(self) -> None:
        while not self._stop.is_set():
            try:
                for synced in watch(self._notebook, self._stop):
                    self._told(synced)
            except CommonplaceError as fault:  # a locked book, a full disk: reported and retried
                self._told(fault)
                self._stop.wait(ENDING)


def watcher(notebook: Notebook, told: Told) -> Watcher | None:
    """A watcher of an existing notebook; None if it has no file, or watching is switched off."""
    is_watched = notebook.watched and any(True for _ in notebook.pages.paths.files())
    return Watcher(notebook, told) if is_watched else None


def _brought_in(notebook: Notebook) -> Iterator[Synced]:
    synced = notebook.sync()
    if not synced.nothing or synced.problems:
        yield synced


def _files(paths: NotebookPaths) -> set[Path]:
    return {paths.buffer, paths.long_term, paths.todo, paths.lessons}


def _folders(paths: NotebookPaths) -> list[Path]:
    """The folders of the files, existing or not; the project folder reports new ones."""
    parents = {path.parent for path in _files(paths)} | {paths.logs, paths.root}
    return sorted(folder for folder in parents if folder.is_dir())
