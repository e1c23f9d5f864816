"""Beside the book and outside its backups: the keyring, and the ledger of final acts."""

import base64
import errno
import json
import os
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager
from hashlib import blake2b
from pathlib import Path
from typing import Any

from commonplace.errors import KeyringError, StoreError, StoreFull
from commonplace.store.locks import held
from commonplace.store.rows import LedgerEntry

FORMAT = 1
BINARY = getattr(os, "O_BINARY", 0)
PRIVATE = 0o600
TAIL = 65_536
"""Bytes at the end of the ledger in which its last line is looked for first."""


class FileKeyring:
    """Wrapped keys in one JSON file, replaced as a whole; compare-and-set under a lock file.

    After ``drop`` the old bytes are overwritten in place where the system allows it. A disk that writes elsewhere
    (flash, copy-on-write) may still hold them: the file never leaves this machine through us, the disk may.
    """

    def __init__(self, path: Path) -> None:
        self._path = path

    def get(self, owner: str) -> bytes | None:
        found = self._read().get(owner)
        return None if found is None else base64.b64decode(found)

    def put(self, owner: str, record: bytes, *, expected: bytes | None) -> bool:
        with _held(self._path):
            records = self._read()
            found = records.get(owner)
            if (None if found is None else base64.b64decode(found)) != expected:
                return False
            self._write({**records, owner: base64.b64encode(record).decode()})
            return True

    def drop(self, owner: str) -> None:
        with _held(self._path):
            records = self._read()
            if owner in records:
                del records[owner]
                old = os.open(self._path, os.O_WRONLY | BINARY) if os.name != "nt" else None
                self._write(records)
                if old is not None:
                    _blank(old)

    def owners(self) -> list[str]:
        return sorted(self._read())

    def _read(self) -> dict[str, str]:
        try:
            text = self._path.read_bytes()
        except FileNotFoundError:
            return {}
        except OSError as error:
            raise KeyringError(f"the keyring {self._path} cannot be read; check who may read it") from error
        try:
            found: dict[str, str] = json.loads(text)["owners"]
        except (ValueError, KeyError, TypeError) as error:
            raise KeyringError(f"the keyring {self._path} is damaged; put back your copy of it") from error
        return found

    def _write(self, records: dict[str, str]) -> None:
        data = json.dumps({"format": FORMAT, "owners": records}, indent=1).encode()
        part = self._path.with_name(self._path.name + ".part")
        try:
            _write_whole(part, data)
            part.replace(self._path)
            _sync_folder(self._path.parent)
        except OSError as error:
            part.unlink(missing_ok=True)
            raise _unwritten(self._path, error) from error


class FileLedger:
    """Append-only JSON lines, each carrying the hash of the one before. A torn last line was never acknowledged."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def append(self, entries: Sequence[LedgerEntry]) -> None:
        if not entries:
            return
        with _held(self._path):
            new = not self._path.exists()
            last, size = self._end()
            added = bytearray()
            for entry in entries:
                body = _body(entry)
                last = _chained(last, body)
                added += json.dumps({**body, "hash": last}, separators=(",", ":")).encode() + b"\n"
            self._add(bytes(added), keep=size)
            if new:
                _sync_folder(self._path.parent)

    def entries(self, owner: str | None = None) -> Iterator[LedgerEntry]:
        last = ""
        for number, line in enumerate(self._lines(), start=1):
            body = _parsed(line)
            found = body.pop("hash", None) if body else None
            if body is None or found != _chained(last, body):
                raise StoreError(f"the ledger {self._path} was changed at line {number}; put back your copy of it")
            last = found
            if owner is None or body["owner"] == owner:
                yield _entry(body)

    def exists(self) -> bool:
        return self._path.exists()

    def _end(self) -> tuple[str, int]:
        """The hash of the last whole line, and where that line ends."""
        data = b""
        try:
            with self._path.open("rb") as file:
                size = file.seek(0, os.SEEK_END)
                for back in (TAIL, size):
                    file.seek(max(size - back, 0))
                    data = file.read()
                    if data.count(b"\n") > 1 or back >= size:
                        break
        except FileNotFoundError:
            return "", 0
        except OSError as error:
            raise self._unread() from error
        whole = data[: data.rfind(b"\n") + 1]
        if not whole:
            return "", 0
        body = _parsed(whole.splitlines()[-1])
        if body is None:
            raise StoreError(f"the ledger {self._path} was changed at its end; put back your copy of it")
        return str(body["hash"]), size - len(data) + len(whole)

    def _lines(self) -> list[bytes]:
        """The whole lines."""
        try:
            data = self._path.read_bytes()
        except FileNotFoundError:
            return []
        except OSError as error:
            raise self._unread() from error
        return data[: data.rfind(b"\n") + 1].splitlines()

    def _unread(self) -> StoreError:
        return StoreError(f"the ledger {self._path} cannot be read; check who may read it")

    def _add(self, added: bytes, *, keep: int) -> None:
        try:
            file = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_APPEND | BINARY, PRIVATE)
            try:
                if os.fstat(file).st_size > keep:
                    os.ftruncate(file, keep)
                _write_all(file, added)
                os.fsync(file)
            finally:
                os.close(file)
        except OSError as error:
            raise _unwritten(self._path, error) from error


def _body(entry: LedgerEntry) -> dict[str, Any]:
    return {
        "owner": entry.owner,
        "at": entry.at,
        "act": entry.act,
        "target": entry.target,
        "namespace": entry.namespace,
        "fingerprints": [base64.b64encode(one).decode() for one in entry.fingerprints],
        "reason": entry.reason,
    }


def _entry(body: dict[str, Any]) -> LedgerEntry:
    return LedgerEntry(**{**body, "fingerprints": tuple(base64.b64decode(one) for one in body["fingerprints"])})


def _parsed(line: bytes) -> dict[str, Any] | None:
    try:
        body = json.loads(line)
    except ValueError:
        return None
    return body if isinstance(body, dict) else None


def _chained(last: str, body: dict[str, Any]) -> str:
    return blake2b((last + json.dumps(body, sort_keys=True)).encode(), digest_size=32).hexdigest()


def _held(path: Path) -> AbstractContextManager[None]:
    return held(path.with_name(path.name + ".lock"))


def _unwritten(path: Path, error: OSError) -> StoreError:
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return StoreFull(f"no room is left for {path}; nothing was changed; free some space and try again")
    return StoreError(f"{path} cannot be written; nothing was changed; make it and its folder writable")


def _write_whole(path: Path, data: bytes) -> None:
    file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | BINARY, PRIVATE)
    try:
        _write_all(file, data)
        os.fsync(file)
    finally:
        os.close(file)


def _write_all(file: int, data: bytes) -> None:
    rest = memoryview(data)
    while rest:
        rest = rest[os.write(file, rest) :]


def _blank(file: int) -> None:
    try:
        _write_all(file, bytes(os.fstat(file).st_size))
        os.fsync(file)
    finally:
        os.close(file)


def _sync_folder(folder: Path) -> None:
    """Make a new or renamed file name durable; Windows has no such call and needs none."""
    if os.name != "nt":
        file = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(file)
        finally:
            os.close(file)
