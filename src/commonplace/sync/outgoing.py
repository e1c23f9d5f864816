"""The changes of a book since a cursor, as export lines, page by page.

First the final acts (forgotten, rejected, lifted, erased), then the memories by the change feed, each with the rows it
needs. A private namespace is sent encrypted, one record per memory or act.
"""

import base64
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import Any

from cryptography.exceptions import InvalidTag

from commonplace.copies.check_lines import stamp, text
from commonplace.copies.export import (
    Line,
    entity_line,
    evidence_line,
    iso,
    namespace_line,
    plain_state,
    session_line,
    tag_line,
    text_line,
)
from commonplace.copies.replay import since_erasure
from commonplace.errors import Invalid
from commonplace.memories import codec
from commonplace.memories.admission import is_count
from commonplace.memories.codec import StoredMemory
from commonplace.memories.scope import Scope
from commonplace.security.keys import decrypt, encrypt
from commonplace.store.rows import Filter, LedgerEntry, MemoryRow, VersionRow
from commonplace.store.transaction import Transaction
from commonplace.sync import versions as version_sets
from commonplace.sync.versions import MemoryVersion

PAGE = 200
MOST_BYTES = 1_000_000
"""A page ends after the line that exceeds this."""
ACTS = ("forget", "tombstone", "lift", "erase-namespace")
Cursor = dict[str, Any]
START: Cursor = {"sequence": 0, "acts": 0, "walk": None}


@dataclass(frozen=True, slots=True, kw_only=True)
class SyncPage:
    """``cursor`` is the start of the next page; ``more`` says whether there is one now."""

    lines: list[str]
    cursor: Cursor
    more: bool


def page(scope: Scope, cursor: Cursor, *, key: bytes | None = None, limit: int = PAGE) -> SyncPage:
    """The next changes after ``cursor`` (empty: from the beginning), from one snapshot."""
    cursor = START | cursor
    if not (
        stamp(cursor["sequence"]) and is_count(cursor["acts"]) and (cursor["walk"] is None or text(cursor["walk"]))
    ):
        raise Invalid("unknown cursor; pass one from a page of changes", code="damaged_cursor")
    with scope.store.read(scope.owner) as tx:
        out = _Lines(scope, tx, key, cursor)
        acts = final_acts(scope)
        if cursor["acts"] > len(acts):
            cursor["acts"] = 0  # the ledger was started again
        if batch := acts[cursor["acts"] : cursor["acts"] + limit]:
            for entry in batch:
                out.act(entry)
            return SyncPage(lines=out.lines, cursor=cursor | {"acts": cursor["acts"] + len(batch)}, more=True)
        rows = tx.changes.since(cursor["sequence"], limit=2 * limit)
        trimmed = rows[0].sequence > cursor["sequence"] + 1 if rows else tx.changes.last() != cursor["sequence"]
        if cursor["walk"] == "" or (cursor["walk"] is None and trimmed):
            cursor |= {"walk": "", "sequence": tx.changes.last()}
        if cursor["walk"] is not None:
            return _walk(tx, out, cursor, limit)
        seen: set[tuple[str, str]] = set()
        for row in rows:
            if out.size > MOST_BYTES or len(seen) >= limit:
                break
            cursor["sequence"] = row.sequence
            if (row.noun, row.id) not in seen:
                seen.add((row.noun, row.id))
                out.change(row.noun, row.id)
        return SyncPage(lines=out.lines, cursor=cursor, more=cursor["sequence"] < tx.changes.last())


def _walk(tx: Transaction, out: "_Lines", cursor: Cursor, limit: int) -> SyncPage:
    """Every memory by id, for when the change feed does not reach back far enough."""
    for row in tx.memories.find(Filter(), after=cursor["walk"] or None, limit=limit):
        cursor["walk"] = row.id
        out.memory(row)
        if out.size > MOST_BYTES:
            break
    else:
        if not tx.memories.find(Filter(), after=cursor["walk"] or None, limit=1):
            for blob in tx.traces.page(SEALED, limit=MOST_SEALED):
                out.change(SEALED, blob.id)
            cursor["walk"] = None
            return SyncPage(lines=out.lines, cursor=cursor, more=cursor["sequence"] < tx.changes.last())
    return SyncPage(lines=out.lines, cursor=cursor, more=True)


SEALED = "sealed"
MOST_SEALED = 100_000


def final_acts(scope: Scope) -> list[LedgerEntry]:
    """The acts since the owner's last erasure that other books need."""
    entries = since_erasure(list(scope.store.ledger.entries(scope.owner)))
    return [entry for entry in entries if entry.act in ACTS]


@dataclass(slots=True)
class _Lines:
    """The lines of one page; rows that a line refers to come before it, once."""

    scope: Scope
    tx: Transaction
    key: bytes | None
    cursor: Cursor
    lines: list[str] = field(default_factory=list)
    size: int = 0
    written: set[tuple[str, str]] = field(default_factory=set)
    places: dict[str, Line] = field(default_factory=dict)

    def act(self, entry: LedgerEntry) -> None:
        elders = self.scope.vault.keys.elders
        line: Line = {
            "type": "act",
            "act": entry.act,
            "target": entry.target,
            "namespace": entry.namespace,
            "fingerprints": [base64.b64encode(print).decode() for print in entry.fingerprints],
            "reason": entry.reason,
            "at": entry.at,
        }
        if entry.act == "erase-namespace":
            line["aliases"] = [elder.source for elder in elders if elder.scope == entry.target]
            self._write([line])
        elif entry.namespace is not None and (place := self._place(entry.namespace)) is not None:
            self._put(f"act/{entry.at}/{entry.act}/{entry.target}", place, [line])

    def change(self, noun: str, id: str) -> None:
        if noun == codec.NOUN:
            for row in self.tx.memories.get([id]):
                self.memory(row)
        elif noun == "entity":
            for entity in self.tx.entities.get([id]):
                if (place := self._place(entity.namespace)) is not None:
                    self._put(f"entity/{id}", place, self._entities([id]))
        elif noun == SEALED:
            blob = self.tx.traces.get(id)
            if blob is not None:
                data = self.scope.open_json("trace", id, blob.sealed)["data"]
                self._write([{"type": SEALED, "name": blob.target, "data": data}])

    def memory(self, row: MemoryRow) -> None:
        """What a directive stores stays on the machine that runs it."""
        place = self._place(row.namespace)
        if place is None or row.directive is not None:
            return
        tags = self.tx.tags.links("memory", [row.id]).get(row.id, ())
        stored = codec.opened(self.scope, row, tags)
        versions = stored_versions(self.scope, self.tx.versions.of(codec.NOUN, row.id))
        states = [stored, *(version.state for version in versions.values())]
        lines = [self._place(id) for id in dict.fromkeys(state.row.namespace for state in states)]
        lines += [tag_line(self.scope, tag) for tag in self.tx.tags.get(list({tag for s in states for tag in s.tags}))]
        sessions = dict.fromkeys(state.row.session for state in states if state.row.session)
        lines += [session_line(self.scope, talk) | {"docs": [0, 0]} for talk in self.tx.sessions.get(list(sessions))]
        ends = dict.fromkeys(
            id for s in states if (triple := s.content.triple) for id in (triple["subject"], triple["object"])
        )
        lines += self._entities(list(ends))
        evidence = [evidence_line(self.scope, quote) for quote in self.tx.evidence.of(codec.NOUN, [row.id])]
        lines.append(_memory_line(stored, versions, evidence))
        self._put(f"memory/{row.id}", place, [line for line in lines if line is not None])

    def _entities(self, ids: Sequence[str]) -> list[Line]:
        lines: list[Line] = []
        links = self.tx.tags.links("entity", ids) if ids else {}
        for row in self.tx.entities.get(ids):
            tags = links.get(row.id, ())
            lines += [tag_line(self.scope, tag) for tag in self.tx.tags.get(tags)]
            lines.append(entity_line(self.scope, self.tx, row, tags))
        return lines

    def _place(self, id: str) -> Line | None:
        """The line of a namespace, with its fingerprint keys; None if it is not synced."""
        if id not in self.places:
            row = self.tx.namespaces.get(id)
            line = {} if row is None else namespace_line(self.scope, row)
            vault = self.scope.vault
            elders = [(elder.key, elder.source) for elder in vault.keys.elders if elder.scope == id]
            line["keys"] = [
                {"key": base64.b64encode(key).decode(), "source": source}
                for key, source in [(vault.values_key, id), *elders]
            ]
            self.places[id] = {} if row is None or line.get("shared") else line
        return self.places[id] or None

    def _put(self, name: str, place: Line, lines: list[Line]) -> None:
        if not place.get("private"):
            self._write([place, *lines])
        elif self.key is not None:
            plain = "".join(text_line(line) for line in [place, *lines])
            hidden = hidden_name(self.key, name)
            sealed = {"type": SEALED, "name": hidden, "data": seal(self.key, hidden, plain)}
            self._write([sealed | {"after": self.cursor.get("pulled", 0)}])

    def _write(self, lines: Iterable[Line]) -> None:
        for line in lines:
            name = (line["type"], line.get("id", ""))
            if line["type"] in ("act", SEALED) or name not in self.written:
                self.written.add(name)
                text = text_line(line)
                self.lines.append(text)
                self.size += len(text)


def _memory_line(stored: StoredMemory, versions: dict[str, MemoryVersion], evidence: list[Line]) -> Line:
    line: Line = {"type": "memory", "id": stored.id, **plain_state(stored)}
    line["versions"] = []
    for number, version in enumerate(versions.values(), start=1):
        head: Line = {"version": number, "recorded_at": iso(version.recorded_at), "superseded_at": None}
        head |= {"actor": version.actor, "action": version.action, "reason": version.reason}
        head["parents"] = sorted(version.parents)
        line["versions"].append(head | {"state": plain_state(version.state)})
    return line | {"evidence": evidence}


def stored_versions(scope: Scope, rows: Sequence[VersionRow]) -> dict[str, MemoryVersion]:
    """A memory's versions as stored in this book."""
    opened = [scope.opened(row) for row in rows]
    return version_sets.numbered(
        [
            (row.recorded_at, row.actor, row.action, plain.get("reason"), plain.get("parents"), codec.from_state(plain))
            for row, plain in zip(rows, opened, strict=True)
        ]
    )


def hidden_name(key: bytes, name: str) -> str:
    """A name that reveals nothing without the key, and is the same on every machine with the key."""
    return blake2b(name.encode(), key=key, digest_size=16, person=b"commonplace/sync").hexdigest()


def seal(key: bytes, name: str, plain: str) -> str:
    return base64.b64encode(encrypt(key, plain.encode(), name.encode())).decode()


def unseal(key: bytes, name: str, data: str) -> list[str] | None:
    """The lines of an encrypted record; None if another key encrypted it."""
    try:
        plain = decrypt(key, base64.b64decode(data), name.encode()).decode()
    except InvalidTag:
        return None
    return [line for line in plain.split("\n") if line]
