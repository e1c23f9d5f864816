"""Writes that cannot reach the book now: sealed, durable, one file each, made good later in the order they came."""

import json
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from hashlib import blake2b
from pathlib import Path
from typing import Any

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from commonplace.clock import Clock
from commonplace.errors import KeyringError, Refused, StoreError, StoreFull
from commonplace.memories import jobs
from commonplace.memories.admission import NewMemory
from commonplace.memories.gateway import Gateway
from commonplace.memories.scope import Scope
from commonplace.memories.states import Held
from commonplace.memories.work import Work
from commonplace.model import Message
from commonplace.notebook.files import write_whole
from commonplace.security.master import MasterKeySource, master_key
from commonplace.settings import Settings

FOLDER, DAMAGED = "spool", "damaged"
NONCE = 12
LEARN = "learn"
"""The kind of job that extraction does."""


@dataclass(frozen=True, slots=True)
class Drained:
    """What became of the writes that waited."""

    kept: int = 0
    refused: int = 0
    """Not let in, as they would not have been in the first place: empty, a secret, forgotten before."""
    damaged: int = 0
    """Could not be opened; moved aside, where `doctor` finds them."""
    waiting: int = 0
    """Still there: they belong to another owner."""


@dataclass(frozen=True, slots=True)
class Spool:
    """The folder of waiting writes. Sealed with a key made from the master key, the only one surely at hand."""

    folder: Path
    key: bytes

    def put(self, clock: Clock, *, owner: str, namespace: str, what: str, data: Mapping[str, Any]) -> str:
        """Keep a write; durable when this returns. ``what``: ``observe`` or ``remember``."""
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
        """The writes that wait, oldest first."""
        if not self.folder.is_dir():
            return []
        return sorted(path for path in self.folder.iterdir() if path.is_file() and "." not in path.name)

    def opened(self, path: Path) -> dict[str, Any]:
        """Raises ``KeyringError`` if it does not open."""
        data = path.read_bytes()
        try:
            plain: dict[str, Any] = json.loads(AESGCM(self.key).decrypt(data[:NONCE], data[NONCE:], path.name.encode()))
        except (InvalidTag, ValueError) as fault:
            raise KeyringError("a spooled write does not open: damaged, or sealed under another master key") from fault
        return plain

    def aside(self, path: Path) -> None:
        (self.folder / DAMAGED).mkdir(exist_ok=True)
        path.replace(self.folder / DAMAGED / path.name)


def spool_of(settings: Settings) -> Spool:
    """The spool in the home folder. Raises ``KeyringError`` if the master key cannot be had."""
    source = MasterKeySource(value=settings.master_key, command=settings.key_command, file=settings.master_key_file)
    key = blake2b(key=master_key(source), digest_size=32, person=b"commonplace/spoo").digest()
    return Spool(settings.home / FOLDER, key)


def waits(settings: Settings) -> bool:
    """Whether anything waits, without touching a key."""
    folder = settings.home / FOLDER
    return folder.is_dir() and any(path.is_file() for path in folder.iterdir())


def drain(scope: Scope, spool: Spool) -> Drained:
    """Make good what waits for this owner, oldest first. Twice does no harm; an unreachable book leaves the rest."""
    kept = refused = damaged = others = 0
    for path in spool.waiting():
        try:
            plain = spool.opened(path)
        except FileNotFoundError:  # another process was quicker
            continue
        except KeyringError:
            spool.aside(path)
            damaged += 1
            continue
        if plain["owner"] != scope.owner:
            others += 1
            continue
        try:
            _make_good(scope.within(plain["namespace"]), plain["what"], plain["data"])
            kept += 1
        except Refused:
            refused += 1
        path.unlink(missing_ok=True)
    return Drained(kept=kept, refused=refused, damaged=damaged, waiting=others)


def drop(spool: Spool, owner: str) -> int:
    """Throw away what waits for an owner, because they were erased."""
    dropped = 0
    for path in spool.waiting():
        try:
            mine = spool.opened(path)["owner"] == owner
        except (KeyringError, FileNotFoundError):
            continue
        if mine:
            path.unlink(missing_ok=True)
            dropped += 1
    return dropped


def learn_later(scope: Scope) -> Callable[[Work, Sequence[Held]], None]:
    """Leaves learning to a job, in the transaction that keeps the turns: there is no time for it in a hook."""

    def leave(work: Work, kept: Sequence[Held]) -> None:
        turns = [held.id for held in kept if held.row.role == "user" and held.row.status == "verified"]
        if turns:
            payload = {"episodes": turns, "person": scope.person, "receipt": work.ref}
            jobs.enqueue(scope, work.tx, LEARN, payload)

    return leave


def _make_good(scope: Scope, what: str, data: Mapping[str, Any]) -> None:
    gateway = Gateway(scope.acting_as("hook", source=data.get("source", "user"), person=data.get("person", True)))
    if what == "observe":
        said = [
            Message(
                one["text"],
                role=one.get("role", "user"),
                at=datetime.fromisoformat(one["at"]) if one.get("at") else None,
                metadata=one.get("metadata"),
            )
            for one in data["messages"]
        ]
        gateway.observe(said, session=data.get("session"), then=learn_later(gateway.scope))
    elif what == "remember":
        gateway.remember(NewMemory(text=data["text"], category=data["category"], metadata=data.get("metadata") or {}))
    else:
        raise StoreError(f"a spooled write of an unknown kind {what!r}; it was left by a newer release")
