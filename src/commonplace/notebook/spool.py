"""Writes made while the book is unreachable: encrypted, durable, one file each, replayed later in order.

Separate from `draining`, so that a hook which only spools a write imports nothing else.
"""

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from typing import Any

from commonplace.clock import Clock
from commonplace.errors import KeyringError, StoreFull
from commonplace.notebook.files import write_whole
from commonplace.security.master import MasterKeySource, master_key
from commonplace.settings import Settings

FOLDER, DAMAGED = "spool", "damaged"
NONCE = 12


@dataclass(frozen=True, slots=True)
class Spool:
    """The folder of spooled writes. Their key is derived from the master key, the only one that is always available."""

    folder: Path
    key: bytes

    def put(self, clock: Clock, *, owner: str, namespace: str, what: str, data: Mapping[str, Any]) -> str:
        """Store a write; durable when this returns. ``what``: ``observe`` or ``remember``."""
        # imported late: checking an empty spool need not pay six milliseconds
        from cryptography.hazmat.primitives.ciphers.aead import AESGCM  # noqa: PLC0415

        id = clock.new_id()
        plain = {"owner": owner, "namespace": namespace, "what": what, "data": dict(data)}
        nonce = os.urandom(NONCE)
        sealed = AESGCM(self.key).encrypt(nonce, json.dumps(plain).encode(), id.encode())
        try:
            write_whole(self.folder / id, nonce + sealed)
        except OSError as fault:
            raise StoreFull("no room is left on the disk; nothing was written") from fault
        return id

    def waiting(self) -> list[Path]:
        """The spooled writes, oldest first."""
        paths = self.folder.iterdir() if self.folder.is_dir() else ()
        return sorted(path for path in paths if path.is_file() and "." not in path.name)

    def opened(self, path: Path) -> dict[str, Any]:
        """Raises ``KeyringError`` if it cannot be decrypted."""
        # as above
        from cryptography.exceptions import InvalidTag  # noqa: PLC0415
        from cryptography.hazmat.primitives.ciphers.aead import AESGCM  # noqa: PLC0415

        data = path.read_bytes()
        try:
            plain: dict[str, Any] = json.loads(AESGCM(self.key).decrypt(data[:NONCE], data[NONCE:], path.name.encode()))
        except (InvalidTag, ValueError) as fault:
            raise KeyringError("cannot decrypt a spooled write: it is damaged, or has another master key") from fault
        return plain

    def aside(self, path: Path) -> None:
        (self.folder / DAMAGED).mkdir(exist_ok=True)
        path.replace(self.folder / DAMAGED / path.name)


def spool_of(settings: Settings) -> Spool:
    """The spool in the home folder. Raises ``KeyringError`` without a master key."""
    source = MasterKeySource(value=settings.master_key, command=settings.key_command, file=settings.master_key_file)
    key = blake2b(key=master_key(source), digest_size=32, person=b"commonplace/spoo").digest()
    return Spool(settings.home / FOLDER, key)


def waits(settings: Settings) -> bool:
    """Whether anything is spooled; needs no key."""
    folder = settings.home / FOLDER
    return folder.is_dir() and any(path.is_file() for path in folder.iterdir())


def drop(spool: Spool, owner: str) -> int:
    """Delete the spooled writes of an owner who was erased."""
    dropped = 0
    for path in spool.waiting():
        try:
            is_theirs = spool.opened(path)["owner"] == owner
        except (KeyringError, FileNotFoundError):
            continue
        if is_theirs:
            path.unlink(missing_ok=True)
            dropped += 1
    return dropped
