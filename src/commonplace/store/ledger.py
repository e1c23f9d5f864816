"""What a ledger's line says, on both engines, and the hash that ties each line to those before it."""

import base64
import json
from collections.abc import Iterable
from dataclasses import fields
from hashlib import blake2b
from typing import Any

from commonplace.store.rows import LedgerEntry

LOST, REBUILT = "lost", "rebuilt"
NAMES = tuple(field.name for field in fields(LedgerEntry))


def to_line(entry: LedgerEntry) -> dict[str, Any]:
    line = {name: getattr(entry, name) for name in NAMES}
    return line | {"fingerprints": [base64.b64encode(print).decode() for print in entry.fingerprints]}


def from_line(line: dict[str, Any]) -> LedgerEntry:
    values = {name: line[name] for name in NAMES}
    return LedgerEntry(**{**values, "fingerprints": tuple(base64.b64decode(text) for text in line["fingerprints"])})


def lost(owner: str, at: int) -> LedgerEntry:
    """Written before the next act where entries are missing, so that it is still known afterwards."""
    return LedgerEntry(owner=owner, at=at, act=LOST, target=owner)


def incomplete(entries: Iterable[LedgerEntry]) -> bool:
    """Whether entries were lost, and the ledger was not begun again from the book's tombstones since."""
    notes = [entry.act for entry in entries if entry.act in (LOST, REBUILT)]
    return notes[-1:] == [LOST]


def chained(previous: str, line: dict[str, Any]) -> str:
    return blake2b((previous + json.dumps(line, sort_keys=True)).encode(), digest_size=32).hexdigest()
