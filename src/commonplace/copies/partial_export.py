"""An export that was broken off: what it had written is taken over, where it is still what the book says.

The file that comes of it is of one moment all the same, that of the last run: which memories there are is read anew,
and a line is taken over only if nothing that stands in it has changed.
"""

import json
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

from commonplace import system
from commonplace.errors import Invalid
from commonplace.store.rows import MemoryRow
from commonplace.store.transaction import Transaction

FINAL = ("FORGET", "ERASE", "PURGE", "REPLAY")
"""Acts that delete, or change a text without a version: a line from before one of them is not taken over."""
PART, BEFORE = ".part", ".before"
NO_FOLLOW = getattr(os, "O_NOFOLLOW", 0)


class Earlier:
    """The lines of an unfinished export. ``follows`` must have said yes before any is asked for."""

    def __init__(self, lines: IO[str], path: Path) -> None:
        self._lines, self._path = lines, path
        self._next: tuple[str, dict[str, Any]] | None = None
        self._header = self._read()
        self.taken = 0

    def follows(self, tx: Transaction, owner: str) -> bool:
        """Whether the book is the one the lines came from, with nothing deleted since.

        Every act is in the audit, each line of which is tied to all before it: the same hash at the same place means
        the same past.
        """
        header = self._header[1] if self._header else {}
        if header.get("type") != "header" or header.get("owner") != owner or "audited" not in header:
            return False
        after, hash = header["audited"]
        entries = tx.audit.page(after=after - 1, limit=1)
        if not entries or (entries[0].sequence, entries[0].hash.hex()) != (after, hash):
            return False
        if any(row.action in FINAL for row in tx.audit.walk(after=after)):
            return False
        self._advance()
        return True

    def discard(self) -> None:
        """Delete the unfinished export now: it may hold text that was forgotten since."""
        self._lines.close()
        self._path.unlink(missing_ok=True)

    def line(self, row: MemoryRow, used: str | None, tags: Sequence[str], evidence: Sequence[object]) -> str | None:
        """The text of a memory's line, if it still holds. To be asked in the order of ids."""
        while self._next is not None and self._next[1]["id"] < row.id:
            self._advance()
        if self._next is None or self._next[1]["id"] != row.id:
            return None
        text, line = self._next
        self._advance()
        compared = (line["version"], line["uses"], line["last_used_at"], line["tags"], line["evidence"])
        newest = line["versions"][-1]["version"] if line["versions"] else None
        if compared != (row.version, row.uses, used, list(tags), list(evidence)) or newest != row.version:
            return None
        self.taken += 1
        return text

    def _advance(self) -> None:
        self._next = self._read()
        while self._next is not None and self._next[1]["type"] not in ("memory", "tombstone"):
            self._next = self._read()
        if self._next is not None and self._next[1]["type"] == "tombstone":
            self._next = None

    def _read(self) -> tuple[str, dict[str, Any]] | None:
        """The next whole line; None where the file ends, or was torn."""
        text = next(self._lines, "")
        if not text.endswith("\n"):
            return None
        try:
            return text, json.loads(text)
        except ValueError:
            return None


@contextmanager
def earlier(path: Path) -> Iterator[Earlier | None]:
    """What a run that was broken off left of the file at ``path``; kept until the file is whole."""
    before = _set_aside(path)
    if before is None:
        yield None
        return
    with os.fdopen(os.open(before, os.O_RDONLY | NO_FOLLOW), encoding="utf-8", errors="surrogatepass") as lines:
        yield Earlier(lines, before)
    before.unlink(missing_ok=True)


def _set_aside(path: Path) -> Path | None:
    """Of what two broken runs left, the longer is of more use."""
    part, before = path.with_name(path.name + PART), path.with_name(path.name + BEFORE)
    if part.is_file() and not part.is_symlink():
        with part.open("rb") as file:
            claim(file, path)
        if not before.is_file() or part.stat().st_size > before.stat().st_size:
            part.replace(before)
    return before if before.is_file() and not before.is_symlink() else None


def claim(file: IO[Any], path: Path) -> None:
    """Refuse a file that somebody else is writing; the claim ends with whoever holds it. Windows sees to it itself."""
    if system.HERE.name == "win32":
        return
    try:
        system.HERE.lock(file)
    except BlockingIOError as fault:
        raise Invalid(f"{path} is being written by another export; wait for it, or name another file") from fault
    except OSError:
        return  # a file system that knows no locks
