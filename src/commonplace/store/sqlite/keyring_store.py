"""The keyring: a file beside the book and outside its backups."""

import base64
import json
import os
from collections.abc import Sequence
from pathlib import Path

from commonplace import system
from commonplace.errors import KeyringError
from commonplace.store.durable_files import BINARY, exclusive, sync_folder, unwritten, write_all, write_whole

FORMAT = 1
READS = 3
"""A reader that opened the file just before it was replaced and overwritten finds zeros, and reads again."""


class FileKeyring:
    """Wrapped keys in one JSON file, replaced as a whole; compare-and-set under a lock file.

    ``drop`` and ``put`` with ``shred`` overwrite the old bytes in place where the system allows it. A disk that writes
    elsewhere (flash, copy-on-write) may still hold them: the file never leaves this machine through us, the disk may.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._last: tuple[bytes, dict[str, bytes]] = b"", {}
        """What was read last, and what it says: every write asks for it."""

    def get(self, owner: str) -> bytes | None:
        return self._read().get(owner)

    def get_all(self, owners: Sequence[str]) -> list[bytes | None]:
        records = self._read()
        return [records.get(owner) for owner in owners]

    def put(self, owner: str, record: bytes, *, expected: bytes | None, shred: bool = False) -> bool:
        with exclusive(self.path):
            records = self._read()
            if records.get(owner) != expected:
                return False
            self._write({**records, owner: record}, shred=shred)
            return True

    def drop(self, owner: str) -> None:
        with exclusive(self.path):
            records = self._read()
            if owner in records:
                self._write({name: record for name, record in records.items() if name != owner}, shred=True)

    def owners(self) -> list[str]:
        return sorted(self._read())

    def _read(self) -> dict[str, bytes]:
        data = b""
        for _ in range(READS):
            try:
                data = self.path.read_bytes()
            except FileNotFoundError:
                return {}
            except OSError as error:
                raise KeyringError(f"the keyring {self.path} cannot be read; check who may read it") from error
            if data.strip(b"\0"):
                break
        last, opened = self._last
        if data == last and data:
            return opened
        try:
            records: dict[str, str] = json.loads(data)["owners"]
            opened = {owner: base64.b64decode(record, validate=True) for owner, record in records.items()}
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
            raise KeyringError(f"the keyring {self.path} is damaged; restore your copy of it") from error
        self._last = data, opened
        return opened

    def _write(self, records: dict[str, bytes], *, shred: bool) -> None:
        encoded = {owner: base64.b64encode(record).decode() for owner, record in records.items()}
        data = json.dumps({"format": FORMAT, "owners": encoded}, indent=1).encode()
        part = self.path.with_name(self.path.name + ".part")
        old = os.open(self.path, os.O_WRONLY | BINARY) if shred and system.HERE.overwrites else None
        try:
            write_whole(part, data)
            part.replace(self.path)
            sync_folder(self.path.parent)
            if old is not None:
                write_all(old, bytes(os.fstat(old).st_size))
                os.fsync(old)
        except OSError as error:
            part.unlink(missing_ok=True)
            raise unwritten(self.path, error) from error
        finally:
            if old is not None:
                os.close(old)
