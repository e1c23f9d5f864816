"""Edits are noticed while a process runs."""

import threading
from dataclasses import replace
from pathlib import Path

from commonplace import Commonplace
from commonplace.notebook.notebook import Notebook
from commonplace.notebook.sync import Synced
from commonplace.notebook.watch import watch, watcher


def test_a_saved_file_is_brought_in(notebook: Notebook, project: Path):
    for path, text in notebook.missing().items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    notebook.sync()
    stop = threading.Event()
    seen: list[Synced] = []
    noticed = threading.Event()

    def follow() -> None:
        for done in watch(notebook, stop):
            seen.append(done)
            noticed.set()

    thread = threading.Thread(target=follow)
    thread.start()
    try:
        for attempt in range(40):  # the watcher needs a moment to begin
            (project / "tasks/lessons.md").write_text(f"# Lessons\n\n- measure before tuning {attempt}\n")
            if noticed.wait(0.5):
                break
    finally:
        stop.set()
        thread.join(20)
    assert seen
    assert seen[0].added or seen[0].changed


def test_only_a_notebook_that_exists_is_watched_and_only_where_that_is_wanted(
    book: Commonplace, project: Path, notebook: Notebook
):
    def told(done: object) -> None: ...

    assert watcher(notebook, told) is None
    for path, text in notebook.missing().items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    watching = watcher(notebook, told)
    assert watching is not None
    watching.close()
    off = Notebook(book._scope, project, replace(book.settings, notebook_watch=False))
    assert watcher(off, told) is None
