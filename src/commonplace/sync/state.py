"""A book's sync state: its peers and cursors, stored encrypted, one row per owner."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from commonplace.clock import micros
from commonplace.memories import codec
from commonplace.memories.proposals import WAITING
from commonplace.memories.scope import Scope
from commonplace.store.rows import Filter, TraceRow
from commonplace.store.transaction import Transaction

KIND, ROW = "sync", "sync/state"
CONFLICT = "sync_conflict"
"""Metadata key of a conflict in review."""
MOST_COUNTED = 1_000


@dataclass(frozen=True, slots=True, kw_only=True)
class SyncPeer:
    address: str
    """Its URL; for a machine that syncs with this book, its name."""
    owner: str | None
    last_at: datetime | None
    """When the last exchange ended."""
    sent: int
    received: int
    """Changes that were new to one side, in all exchanges."""
    waiting: int
    """Changes made here that it does not have yet, at most a thousand."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SyncStatus:
    peers: tuple[SyncPeer, ...]
    waiting: int
    """The most pending changes of any peer."""
    conflicts: int
    """Conflicts in review."""
    conflicts_in: tuple[str, ...]
    """The namespaces with conflicts in review."""
    private: tuple[str, ...]
    """Namespaces that leave this machine only encrypted."""
    sealed: int
    """Encrypted records that this book stores for other machines and cannot read."""


def load(scope: Scope, tx: Transaction) -> dict[str, Any]:
    row = tx.traces.get(ROW)
    return {"peers": {}} if row is None else dict(scope.opened(row))


def save(scope: Scope, tx: Transaction, state: dict[str, Any]) -> None:
    row = TraceRow(id=ROW, kind=KIND, at=micros(scope.clock.now()), sealed=b"")
    tx.traces.put(scope.current_vault().sealed(row, state))


def status(scope: Scope) -> SyncStatus:
    """Peers, their last exchange, pending changes, and conflicts for a person to decide."""
    with scope.store.read(scope.owner) as tx:
        peers = [_peer(tx, address, record) for address, record in load(scope, tx)["peers"].items()]
        places = {row.id: scope.opened(row) for row in tx.namespaces.all()}
        attributes = tuple(codec.attribute(scope.vault, name, True) for name in (CONFLICT, WAITING))
        conflicts = tx.memories.find(Filter(attributes=attributes), limit=MOST_COUNTED)
        sealed = tx.traces.page("sealed", limit=MOST_COUNTED)
    return SyncStatus(
        peers=tuple(peers),
        waiting=max((peer.waiting for peer in peers), default=0),
        conflicts=len(conflicts),
        conflicts_in=tuple(sorted({places[row.namespace]["name"] for row in conflicts})),
        private=tuple(sorted(plain["name"] for plain in places.values() if plain.get("private"))),
        sealed=len(sealed),
    )


def _peer(tx: Transaction, address: str, record: dict[str, Any]) -> SyncPeer:
    rows = tx.changes.since(int((record.get("pushed") or {}).get("sequence", 0)), limit=MOST_COUNTED)
    changed = {row.id for row in rows if row.noun == codec.NOUN}
    at = record.get("at")
    return SyncPeer(
        address=record.get("name", address),
        owner=record.get("owner"),
        last_at=None if at is None else datetime.fromisoformat(at),
        sent=int(record.get("sent", 0)),
        received=int(record.get("received", 0)),
        waiting=len(changed),
    )
