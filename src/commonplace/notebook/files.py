"""Text files that people, agents and we write concurrently: appended under a lock, replaced as a whole, durable."""

import errno
import os
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path

from commonplace import system
from commonplace.errors import Refused, StoreError, StoreFull
from commonplace.notebook.paths import NotebookPaths
from commonplace.store.locks import held

LARGEST = 2_000_000
"""Maximum bytes of a file to read; larger ones have something pasted into them."""
TORN = 4
"""Bytes at the end of a file to check for a character that a crash has cut."""
BINARY = getattr(os, "O_BINARY", 0)
NOFOLLOW = getattr(os, "O_NOFOLLOW", 0)
CONFLICT = re.compile(r"^(?:<{7}|>{7}|={7}|\|{7})(?: .*)?$", re.M)


@dataclass(frozen=True, slots=True)
class Text:
    """A file's text with normalised line ends; ``newline`` is the original kind."""

    text: str
    newline: str = "\n"

    @property
    def conflicted(self) -> bool:
        """Whether the file has unresolved git conflicts."""
        marks = {match[0][0] for match in CONFLICT.finditer(self.text)}
        return {"<", "=", ">"} <= marks


def read(paths: NotebookPaths, path: Path) -> Text:
    """The file's text; empty if there is none. Raises ``Refused`` for a binary or huge file, or a link out."""
    behind = paths.checked(path)
    name = paths.name(path)
    try:
        if not behind.is_file():
            return Text("")
        if behind.stat().st_size > LARGEST:
            raise Refused(f"{name} has more than {LARGEST:,} bytes and is not read; move old parts to another file")
        data = behind.read_bytes()
    except OSError as fault:
        raise Refused(f"{name} cannot be read: {fault.strerror}") from fault
    if b"\0" in data:
        raise Refused(f"{name} is a binary file, not text; it is not changed")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as fault:
        if len(data) - fault.start >= TORN:
            raise Refused(f"{name} is not UTF-8 text; it is not changed") from None
        text = data[: fault.start].decode("utf-8-sig")
    return Text(text.replace("\r\n", "\n"), "\r\n" if "\r\n" in text else "\n")


def append(
    paths: NotebookPaths, home: Path, path: Path, lines: Callable[[Text], Sequence[str]], *, heading: str
) -> tuple[int, list[str]]:
    """Append lines to a file and return the number of the first one; durable when this returns.

    ``lines`` is called with the file's text under the lock, so that nothing is written twice. A last line without an
    end, left by a crash, is completed. On a full disk nothing is written and ``StoreFull`` is raised.
    """
    behind = paths.checked(path)
    _folder(behind.parent, paths.root)
    with locked(home, behind):
        current = read(paths, path)
        new_lines = list(lines(current))
        if not new_lines:
            return 0, []
        first = current.text.count("\n") + 1 + (current.text != "" and not current.text.endswith("\n"))
        body = new_lines if current.text else [f"# {heading}", "", *new_lines]
        first += 0 if current.text else 2
        _append(behind, "".join(line + current.newline for line in body), current.newline, paths.name(path))
    return first, new_lines


def replace(paths: NotebookPaths, home: Path, path: Path, before: str, after: str) -> None:
    """Replace ``before`` by ``after``, atomically and durably. Raises ``Refused`` if the file changed meanwhile."""
    behind = paths.checked(path)
    _folder(behind.parent, paths.root)
    with locked(home, behind):
        current = read(paths, path)
        if current.text != before:
            raise Refused(
                f"{paths.name(path)} was changed meanwhile; nothing was written, check the edit again",
                code="changed_meanwhile",
            )
        data = after.replace("\n", current.newline).encode("utf-8")
        part = behind.with_name(f".{behind.name}.part")
        try:
            mode = behind.stat().st_mode & 0o777 if behind.exists() else None
            _write(part, behind, data, mode)
        except OSError as fault:
            part.unlink(missing_ok=True)
            raise _failed(paths.name(path), fault) from fault


@contextmanager
def locked(home: Path, path: Path) -> Iterator[None]:
    """Lock a file against our other processes. The lock file is in the home folder, not in the project."""
    name = blake2b(os.fsencode(path), digest_size=12).hexdigest()
    folder = home / "locks"
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as fault:
        raise StoreError(f"no lock can be made in {folder}: {fault.strerror}") from fault
    with held(folder / name):
        yield


def sync_folder(folder: Path) -> None:
    """Make a new name in a folder durable."""
    system.HERE.sync_folder(folder)


def _folder(folder: Path, root: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if folder != root:
            sync_folder(folder.parent)
    except OSError as fault:
        raise _failed(folder.name, fault) from fault


def _append(path: Path, text: str, newline: str, name: str) -> None:
    try:
        is_new = not path.exists()
        handle = os.open(path, os.O_RDWR | os.O_APPEND | os.O_CREAT | BINARY, 0o644)
        try:
            size = os.fstat(handle).st_size
            start = _whole_end(handle, size)
            if start < size:
                os.ftruncate(handle, start)
            if os.name == "nt":
                torn = size > 0 and not path.read_bytes().endswith(b"\n")
            else:
                torn = start > 0 and os.pread(handle, 1, start - 1) != b"\n"
            _all(handle, ((newline if torn else "") + text).encode("utf-8", "replace"), start)
            os.fsync(handle)
        finally:
            os.close(handle)
        if is_new:
            sync_folder(path.parent)
    except OSError as fault:
        raise _failed(name, fault) from fault


def _all(handle: int, data: bytes, start: int) -> None:
    """Write everything or nothing."""
    written = 0
    try:
        while written < len(data):
            written += os.write(handle, data[written:])
    except OSError:
        os.ftruncate(handle, start)
        raise


def _whole_end(handle: int, size: int) -> int:
    """The end of the last complete character: a crash may have cut one."""
    if not size or os.name == "nt":
        return size
    tail = os.pread(handle, TORN, max(0, size - TORN))
    for cut in range(min(TORN, len(tail))):
        byte = tail[len(tail) - 1 - cut]
        if byte < 0x80:
            return size
        if byte >= 0xC0:
            needs = 2 if byte < 0xE0 else 3 if byte < 0xF0 else 4
            return size if cut + 1 == needs else size - cut - 1
    return size


def write_whole(path: Path, data: bytes) -> None:
    """Write one of our files in the home folder, whole or not at all; durable when this returns."""
    path.parent.mkdir(parents=True, exist_ok=True)
    _write(path.with_name(f"{path.name}.{os.getpid()}.part"), path, data, 0o600)


def _write(part: Path, path: Path, data: bytes, mode: int | None) -> None:
    """Write to a temporary file, then replace. ``mode`` None: the user's umask decides."""
    handle = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | BINARY | NOFOLLOW, 0o644 if mode is None else 0o600)
    try:
        _all(handle, data, 0)
        os.fsync(handle)
    finally:
        os.close(handle)
    if mode is not None:
        part.chmod(mode)
    part.replace(path)
    sync_folder(path.parent)


def _failed(name: str, fault: OSError) -> StoreError:
    if fault.errno in (errno.ENOSPC, errno.EDQUOT):
        return StoreFull(f"no room is left on the disk for {name}; nothing was written")
    return StoreError(f"{name} cannot be written: {fault.strerror}; nothing was written")
