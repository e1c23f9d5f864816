"""Edits are noticed while a process runs."""

import threading
from pathlib import Path

from commonplace.notebook.notebook import Notebook
from commonplace.notebook.sync import Synced
from commonplace.notebook.watch import watch


def test_a_saved_file_is_brought_in(notebook: Notebook, project: Path):
    notebook.lay_out()
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
