"""Files beside the book: locked, written whole, and on disk when the call returns."""

import errno
import os
from contextlib import AbstractContextManager
from pathlib import Path

from commonplace import system
from commonplace.errors import StoreError, StoreFull
from commonplace.store.locks import held

BINARY = getattr(os, "O_BINARY", 0)
PRIVATE = 0o600


def exclusive(path: Path) -> AbstractContextManager[None]:
    """Keep other threads and processes away from the file at ``path``, by a lock file beside it."""
    return held(path.with_name(path.name + ".lock"))


def write_whole(path: Path, data: bytes) -> None:
    file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | BINARY, PRIVATE)
    try:
        write_all(file, data)
        os.fsync(file)
    finally:
        os.close(file)


def write_all(file: int, data: bytes) -> None:
    unwritten_part = memoryview(data)
    while unwritten_part:
        unwritten_part = unwritten_part[os.write(file, unwritten_part) :]


def sync_folder(folder: Path) -> None:
    """Make a new or renamed file name durable."""
    system.HERE.sync_folder(folder)


def unwritten(path: Path, error: OSError) -> StoreError:
    """What to raise when ``path`` could not be written."""
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return StoreFull(f"no space left for {path}; nothing was changed; free some space and try again")
    return StoreError(f"{path} cannot be written; nothing was changed; make it and its folder writable")
