"""Every step at which a process that writes a book can die: each change to a file, each trip to the server.

For torture and tests alone: functions are replaced in this process, nothing in the package knows of it.
"""

import os
import signal
from collections.abc import Callable
from pathlib import Path
from typing import Any

import apsw

CALLS = ("open", "write", "fsync", "ftruncate", "replace", "rename", "unlink")
VFS, SYSTEM = "commonplace-steps", apsw.vfs_names()[0]


class Steps:
    """Counts steps once ``armed``, and at number ``kill_at`` ends the process with SIGKILL.

    It dies before the step; with ``torn``, after it, and in the middle of what it writes.
    """

    def __init__(self, kill_at: int = 0, *, torn: bool = False) -> None:
        self._kill_at, self._torn = kill_at, torn
        self.armed = False
        self.names: list[str] = []

    def reach(self, name: str, partly: Callable[[], object] | None = None) -> None:
        """``partly`` does what a torn step leaves."""
        if self.armed:
            self.names.append(name)
            if len(self.names) == self._kill_at:
                self.armed = False
                if self._torn and partly is not None:
                    partly()
                os.kill(os.getpid(), signal.SIGKILL)

    def install(self) -> None:
        """Before the book is opened: SQLite reaches its files through us, and so does Python."""
        for name in CALLS:
            setattr(os, name, self._counting(name, getattr(os, name)))
        self._vfs = CountingVFS(self)
        apsw.set_default_vfs(VFS)

    def install_wire(self) -> None:
        """The same for PostgreSQL: a step before each trip to the server, and one before its answer is heard."""
        from commonplace.store.postgres.wire import Wire

        ask = Wire.ask

        def counted(wire: Any, *arguments: Any, **options: Any) -> Any:
            self.reach("ask")
            answer = ask(wire, *arguments, **options)
            self.reach("answer")
            return answer

        Wire.ask = counted  # type: ignore[method-assign]

    def _counting(self, name: str, call: Callable[..., Any]) -> Callable[..., Any]:
        def counted(*arguments: Any, **options: Any) -> Any:
            target = arguments[0] if isinstance(arguments[0], str | Path) else _path(arguments[0])
            half = (arguments[0], arguments[1][: len(arguments[1]) // 2]) if name == "write" else arguments
            self.reach(f"{name} {Path(os.fsdecode(target)).name}", lambda: call(*half, **options))
            return call(*arguments, **options)

        return counted


class CountingVFS(apsw.VFS):
    def __init__(self, steps: Steps) -> None:
        self._steps = steps
        super().__init__(VFS, SYSTEM)

    def xOpen(self, name: Any, flags: list[int]) -> apsw.VFSFile:
        return CountingFile(self._steps, name, flags)

    def xDelete(self, name: str, syncdir: bool) -> None:
        delete = super().xDelete
        self._steps.reach(f"delete {Path(name).name}", lambda: delete(name, syncdir))
        delete(name, syncdir)


class CountingFile(apsw.VFSFile):
    def __init__(self, steps: Steps, name: Any, flags: list[int]) -> None:
        self._steps = steps
        path = name if isinstance(name, str) or name is None else name.filename()
        self._name = Path(path).name if path else "temporary"
        super().__init__(SYSTEM, name, flags)

    def xWrite(self, data: bytes, offset: int) -> None:
        write = super().xWrite
        self._steps.reach(f"write {self._name}", lambda: write(data[: len(data) // 2], offset))
        write(data, offset)

    def xSync(self, flags: int) -> None:
        sync = super().xSync
        self._steps.reach(f"sync {self._name}", lambda: sync(flags))
        sync(flags)

    def xTruncate(self, size: int) -> None:
        truncate = super().xTruncate
        self._steps.reach(f"truncate {self._name}", lambda: truncate(size))
        truncate(size)


def _path(file: Any) -> str:
    try:
        return str(Path(f"/proc/self/fd/{file}").readlink())
    except OSError:
        return str(file)
