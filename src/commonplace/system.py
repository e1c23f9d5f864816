"""What differs between Linux, macOS and Windows: folders, locks, file modes, processes, commands. One class each.

``HERE`` is the current system. Other modules ask it instead of checking ``sys.platform``, so that tests can try every
variant on any machine. docs/platforms.md says what users notice.
"""

import os
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Protocol


class File(Protocol):
    def fileno(self) -> int: ...


class Process(Protocol):
    @property
    def pid(self) -> int: ...
    def kill(self) -> None: ...


class Linux:
    name = "linux"
    queues = True
    """Whether waiting processes get a lock in the order in which they asked."""
    overwrites = True
    """Whether a file that was replaced can still be overwritten through its open handle."""

    # Folders

    def home_variable(self) -> str:
        return "HOME"

    def data_folder(self, home: Path, environ: Mapping[str, str]) -> Path:
        return _absolute(environ.get("XDG_DATA_HOME"), home / ".local/share")

    def config_folder(self, home: Path, environ: Mapping[str, str]) -> Path:
        return _absolute(environ.get("XDG_CONFIG_HOME"), home / ".config")

    # Files

    def lock(self, file: File, *, wait: bool = False) -> None:
        """Lock the file for this process. Raises ``OSError`` if another process has it (unless ``wait``) or if locking
        fails.
        """
        import fcntl  # noqa: PLC0415 — not on Windows

        fcntl.flock(file.fileno(), fcntl.LOCK_EX if wait else fcntl.LOCK_EX | fcntl.LOCK_NB)

    def unlock(self, file: File) -> None:
        import fcntl  # noqa: PLC0415 — as above

        fcntl.flock(file.fileno(), fcntl.LOCK_UN)

    def sync_folder(self, folder: Path) -> None:
        """Make a new or renamed file name durable."""
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)

    def readable_by_others(self, path: Path) -> bool:
        return bool(path.stat().st_mode & 0o077)

    def private_command(self, path: Path) -> str:
        """The shell command that makes a file private."""
        return f"chmod 600 {path}"

    # Processes and commands

    def split(self, line: str) -> list[str]:
        """Split a command line into words as this system's shell does."""
        import shlex  # noqa: PLC0415 — hooks start without it

        return shlex.split(line)

    def put_back_command(self, backup: Path, book: Path) -> str:
        """The shell command that replaces a SQLite book by its backup, while no process has it open."""
        import shlex  # noqa: PLC0415 — as above

        stale = " ".join(shlex.quote(f"{book}{ending}") for ending in ("-wal", "-shm"))
        return f"rm -f {stale} && mv {shlex.quote(str(backup))} {shlex.quote(str(book))}"

    def own_group(self) -> dict[str, Any]:
        """Arguments of ``Popen`` that start a process in its own group, so that Ctrl-C does not reach it."""
        return {"start_new_session": True}

    def start_alone(self, command: list[str], environ: Mapping[str, str]) -> None:
        """Start a program that keeps running when this one ends, detached from its streams."""
        nothing = [(os.POSIX_SPAWN_OPEN, stream, os.devnull, os.O_RDWR, 0) for stream in range(3)]
        os.posix_spawn(command[0], command, environ, file_actions=nothing, setsid=True)

    def end_group(self, process: Process, *, kill: bool) -> None:
        """Terminate or kill a process of ``own_group`` and its children."""
        import signal  # noqa: PLC0415 — hooks start without it

        os.killpg(process.pid, signal.SIGKILL if kill else signal.SIGTERM)

    def ended(self, pid: int) -> bool:
        """Whether there is certainly no such process any more."""
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            return True
        except OSError:
            return False
        return False


class MacOS(Linux):
    name = "darwin"

    def data_folder(self, home: Path, environ: Mapping[str, str]) -> Path:
        return home / "Library/Application Support"

    config_folder = data_folder


class Windows:
    name = "win32"
    queues = False
    overwrites = False
    NEW_PROCESS_GROUP, NO_WINDOW = 0x200, 0x8000000

    def __init__(self, msvcrt: Any = None) -> None:
        self._msvcrt = msvcrt

    def home_variable(self) -> str:
        return "USERPROFILE"

    def data_folder(self, home: Path, environ: Mapping[str, str]) -> Path:
        return Path(environ.get("LOCALAPPDATA") or home / "AppData/Local")

    def config_folder(self, home: Path, environ: Mapping[str, str]) -> Path:
        return Path(environ.get("APPDATA") or home / "AppData/Roaming")

    def lock(self, file: File, *, wait: bool = False) -> None:
        """Lock the first byte. With ``wait`` the system tries for ten seconds and then raises ``OSError``."""
        locks = self._locks()
        locks.locking(file.fileno(), locks.LK_LOCK if wait else locks.LK_NBLCK, 1)

    def unlock(self, file: File) -> None:
        locks = self._locks()
        locks.locking(file.fileno(), locks.LK_UNLCK, 1)

    def _locks(self) -> Any:
        if self._msvcrt is None:
            from importlib import import_module  # noqa: PLC0415 — only on Windows

            self._msvcrt = import_module("msvcrt")
        return self._msvcrt

    def sync_folder(self, folder: Path) -> None:
        """Does nothing: a folder cannot be opened, and names are durable with their files."""

    def readable_by_others(self, path: Path) -> bool:
        """False: file modes mean nothing here; the folder's permissions decide."""
        return False

    def private_command(self, path: Path) -> str:
        return f'icacls "{path}" /inheritance:r /grant:r "%USERNAME%:F"'

    def split(self, line: str) -> list[str]:
        """Backslashes are part of paths; surrounding quotes are removed."""
        import shlex  # noqa: PLC0415 — as above

        return [word.strip('"') for word in shlex.split(line, posix=False)]

    def put_back_command(self, backup: Path, book: Path) -> str:
        return f'del "{book}-wal" "{book}-shm" & move /Y "{backup}" "{book}"'

    def own_group(self) -> dict[str, Any]:
        return {"creationflags": self.NEW_PROCESS_GROUP}

    def start_alone(self, command: list[str], environ: Mapping[str, str]) -> None:
        import subprocess  # noqa: PLC0415 — as above

        nothing = subprocess.DEVNULL
        flags = self.NEW_PROCESS_GROUP | self.NO_WINDOW
        subprocess.Popen(command, env=dict(environ), stdin=nothing, stdout=nothing, stderr=nothing, creationflags=flags)

    def end_group(self, process: Process, *, kill: bool) -> None:
        """Ends only the process itself: its children cannot be signalled."""
        process.kill()

    def ended(self, pid: int) -> bool:
        """False: another process may have the number by now, and checking it would end that process."""
        return False


System = Linux | Windows


def _absolute(value: str | None, default: Path) -> Path:
    """The path, or ``default`` if it is relative: XDG says that relative paths are ignored."""
    return Path(value) if value and Path(value).is_absolute() else default


HERE: System = {"win32": Windows, "darwin": MacOS}.get(sys.platform, Linux)()
