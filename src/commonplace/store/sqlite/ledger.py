"""The ledger of final acts: a file beside the book and outside its backups."""

import json
import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from commonplace.errors import StoreError
from commonplace.store.durable_files import BINARY, PRIVATE, exclusive, sync_folder, unwritten, write_all
from commonplace.store.ledger import chained, from_line, lost, to_line
from commonplace.store.rows import LedgerEntry

TAIL = 65_536
"""Bytes at the end of the ledger in which its last line is looked for first."""
INTENT, OUTCOME = "intent", "outcome"
DONE, VOID = "done", "void"

Line = dict[str, Any]


class FileLedger:
    """Append-only JSON lines, each carrying the hash of the one before it. A torn last line was never acknowledged.

    A write is recorded in two phases. Its acts are written and synced as *intents*, and the same transaction stores
    their mark (where the last one ends, and its hash) in the owner's row. After the commit a line follows that says
    ``done`` or ``void``. If it is missing because the process was killed or the disk was full, the mark in the book
    tells whether the commit happened. The ledger stays locked from the intents to their outcome, so there is never
    more than one open write, and it is always the last one in the file.
    """

    def __init__(self, path: Path, committed_mark: Callable[[str], str | None]) -> None:
        """``committed_mark`` reads the mark that an owner's row has now, apart from any open transaction."""
        self.path = path
        self._committed_mark = committed_mark

    def exists(self) -> bool:
        return self.path.exists()

    def entries(self, owner: str | None = None) -> Iterator[LedgerEntry]:
        """Every act that was committed, in order. Acts without phases are from releases that did not have them."""
        self.settle()
        undecided: list[Line] = []
        last_mark = ""
        for mark, line in self._checked_lines():
            last_mark = mark
            if OUTCOME in line:
                acts = undecided if line[OUTCOME] == DONE else []
                undecided = []
            elif INTENT in line:
                acts = []
                undecided.append(line)
            else:
                acts = [line]
            yield from (from_line(act) for act in acts if owner in (None, act["owner"]))
        if undecided and self._committed_mark(undecided[-1]["owner"]) == last_mark:
            yield from (from_line(act) for act in undecided if owner in (None, act["owner"]))

    @contextmanager
    def recording(self, entries: Sequence[LedgerEntry], put_mark: Callable[[str], None]) -> Iterator[None]:
        """Record acts around the commit, which is the body. ``put_mark`` writes the mark in the same transaction."""
        if not entries:
            yield
            return
        with exclusive(self.path):
            self._settle_locked()
            owner = entries[0].owner
            if self.problem(self._committed_mark(owner)):
                entries = [lost(owner, entries[0].at), *entries]
            mark = self._append([{**to_line(entry), INTENT: True} for entry in entries], durable=True)
            try:
                put_mark(mark)
                yield
            finally:
                with suppress(StoreError):  # an outcome that cannot be written now is found out later
                    self._settle_locked()

    def settle(self) -> None:
        """Write the outcome of a write that was cut short, if there is one. What cannot be written now, later."""
        with suppress(StoreError):
            last, _ = self._end()
            if last is not None and INTENT in last:
                with exclusive(self.path):
                    self._settle_locked()

    def problem(self, mark: str | None) -> str | None:
        """What is wrong with the file, judged by the mark in an owner's row: missing, cut short or replaced."""
        if mark is None:
            return None
        end, hash = mark.split(":")
        try:
            size = self.path.stat().st_size
        except FileNotFoundError:
            return f"the ledger {self.path} is missing: a restore could bring back what was forgotten"
        if size < int(end):
            return f"the ledger {self.path} was cut short: a restore could bring back what was forgotten"
        try:
            last, _ = self._end(int(end))
        except StoreError as fault:
            return str(fault)
        if last is None or last["hash"] != hash:
            return f"the ledger {self.path} is not the one that belongs to this book, or it was changed"
        return None

    def _settle_locked(self) -> None:
        last, end = self._end()
        if last is not None and INTENT in last:
            committed = self._committed_mark(last["owner"]) == _mark(end, last["hash"])
            self._append([{OUTCOME: DONE if committed else VOID}], durable=False)

    def _append(self, lines: Sequence[Line], *, durable: bool) -> str:
        """Add lines to the file; return the mark of the last. An outcome need not be durable: the book knows it."""
        new = not self.path.exists()
        last, end = self._end()
        hash = "" if last is None else str(last["hash"])
        added = bytearray()
        for line in lines:
            hash = chained(hash, line)
            added += json.dumps({**line, "hash": hash}, separators=(",", ":")).encode() + b"\n"
        try:
            file = os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_APPEND | BINARY, PRIVATE)
            try:
                if os.fstat(file).st_size > end:
                    os.ftruncate(file, end)
                try:
                    write_all(file, bytes(added))
                except OSError:
                    os.ftruncate(file, end)
                    raise
                if durable:
                    os.fsync(file)
            finally:
                os.close(file)
            if new:
                sync_folder(self.path.parent)
        except OSError as error:
            raise unwritten(self.path, error) from error
        return _mark(end + len(added), hash)

    def _end(self, size: int | None = None) -> tuple[Line | None, int]:
        """The last whole line (of the first ``size`` bytes), and where it ends."""
        data = b""
        try:
            with self.path.open("rb") as file:
                size = file.seek(0, os.SEEK_END) if size is None else size
                for length in (TAIL, size):
                    file.seek(max(size - length, 0))
                    data = file.read(min(length, size))
                    if data.count(b"\n") > 1 or length >= size:
                        break
        except FileNotFoundError:
            return None, 0
        except OSError as error:
            raise self._unreadable() from error
        complete = data[: data.rfind(b"\n") + 1]
        if not complete:
            return None, 0
        line = _parsed(complete.splitlines()[-1])
        if line is None or "hash" not in line:
            raise StoreError(f"the ledger {self.path} was changed at its end; put back your copy of it")
        return line, size - len(data) + len(complete)

    def _checked_lines(self) -> Iterator[tuple[str, Line]]:
        """The mark and the content of each whole line. Raises at the first one that is not right."""
        try:
            data = self.path.read_bytes()
        except FileNotFoundError:
            return
        except OSError as error:
            raise self._unreadable() from error
        previous, end = "", 0
        for number, text in enumerate(data[: data.rfind(b"\n") + 1].splitlines(keepends=True), start=1):
            line = _parsed(text)
            hash = line.pop("hash", None) if line else None
            if line is None or hash != chained(previous, line):
                raise StoreError(f"the ledger {self.path} was changed at line {number}; put back your copy of it")
            previous, end = hash, end + len(text)
            yield _mark(end, hash), line

    def _unreadable(self) -> StoreError:
        return StoreError(f"the ledger {self.path} cannot be read; check who may read it")


def _mark(end: int, hash: object) -> str:
    return f"{end}:{hash}"


def _parsed(text: bytes) -> Line | None:
    try:
        line = json.loads(text)
    except ValueError:
        return None
    return line if isinstance(line, dict) else None
