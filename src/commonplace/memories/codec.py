"""Converts memories to encrypted rows and versions, and back."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from operator import attrgetter
from typing import Any

from commonplace.clock import micros, moment
from commonplace.memories.scope import Scope
from commonplace.memories.trust import WORDS, unrecorded_rank
from commonplace.model import Memory, MemoryColumns, MemoryContent, Metadata, Turn, Version, time_fields
from commonplace.security.vault import Vault
from commonplace.store.frozen import changed, maker
from commonplace.store.rows import MemoryRow, RelationRow, VersionRow, from_row
from commonplace.store.transaction import Transaction

NOUN = "memory"
BYTE_FIELDS = ("fingerprint", "key")
STATE_FIELDS = tuple(field.name for field in fields(MemoryRow) if field.name not in ("sealed", "uses", "last_used_at"))

_columns = attrgetter(*STATE_FIELDS)
_plain = [field.name for field in fields(MemoryColumns)]
_plain_columns = attrgetter(*_plain)
_times = [place for place, name in enumerate(_plain) if name in time_fields(MemoryColumns)]
_canonical = json.JSONEncoder(sort_keys=True).encode


@dataclass(frozen=True, slots=True, kw_only=True)
class Content(MemoryContent):
    """The encrypted part: the fields with typed text, and what belongs to them."""

    speaker: str | None = None
    session: str | None = None
    triple: Mapping[str, Any] | None = None
    """For a relation: the ids of subject and object, the predicate and notes."""
    rank: int | None = None
    """The trust rank of the writer of this state; encrypted, so that nobody can raise it in the file."""
    author: str | None = None
    """In a shared namespace, the member who stated it."""
    agent: str | None = None
    """The agent that wrote it; None if a person did."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredMemory:
    """A memory as stored: plain columns, content, the ids of its tags."""

    row: MemoryRow
    content: Content
    tags: tuple[str, ...] = ()

    @property
    def id(self) -> str:
        return self.row.id

    @property
    def spoken(self) -> str:
        """Its text, with its speaker or its key."""
        label = self.content.speaker or self.content.key
        return f"{label}: {self.content.text}" if label else self.content.text

    @property
    def rank(self) -> int:
        """The trust rank of the writer of this state."""
        if self.content.rank is not None:
            return self.content.rank
        return unrecorded_rank(source=self.row.source, confirmed=self.row.last_confirmed_at is not None)

    def protected_from(self, scope: Scope) -> bool:
        """Whether a higher rank or another member stated it: ``scope`` can only propose changes."""
        return self.rank > scope.rank or self.is_from_another_member(scope)

    def is_from_another_member(self, scope: Scope) -> bool:
        """Whether another member of the shared namespace, or that member's agent, stated it."""
        anothers = scope.member is not None and self.content.author not in (None, scope.member)
        return anothers and (self.rank >= WORDS or not scope.person) and not scope.decides

    def with_row(self, **columns: Any) -> "StoredMemory":
        return StoredMemory(row=changed(self.row, **columns), content=self.content, tags=self.tags)

    def with_rank(self, rank: int) -> "StoredMemory":
        return StoredMemory(row=self.row, content=replace(self.content, rank=rank), tags=self.tags)

    def with_metadata(self, metadata: Metadata) -> "StoredMemory":
        return StoredMemory(row=self.row, content=replace(self.content, metadata=metadata), tags=self.tags)


CONTENT_FIELDS = tuple(field.name for field in fields(Content))
TYPED_FIELDS = tuple(field.name for field in fields(MemoryContent))
RELATION_FIELDS = tuple(field.name for field in fields(RelationRow) if field.name in STATE_FIELDS)


def sealed(vault: Vault, stored: StoredMemory, **columns: Any) -> MemoryRow:
    """The row to store; its content is encrypted under its id. ``columns`` are those that differ."""
    content = stored.content
    plain = {name: value for name in CONTENT_FIELDS if (value := getattr(content, name)) or name in ("text", "rank")}
    if content.rank is None:
        del plain["rank"]
    return changed(stored.row, **columns, sealed=vault.seal_json(NOUN, stored.id, plain))


def relation(vault: Vault, stored: StoredMemory) -> RelationRow:
    """The row of a relational memory in the graph's table: same id, status, times and version."""
    row, triple = stored.row, stored.content.triple
    assert triple is not None
    shared: dict[str, Any] = {name: getattr(row, name) for name in RELATION_FIELDS}
    ends = {name: triple[name] for name in ("subject", "predicate", "object")}
    return vault.sealed(RelationRow(**(shared | ends), sealed=b""), triple.get("notes"))


def opened(scope: Scope, row: MemoryRow, tags: tuple[str, ...] = ()) -> StoredMemory:
    plain = scope.open_json(NOUN, row.id, row.sealed)
    plain.setdefault("metadata", {})
    return _stored_memory((row, _content([plain.get(name) for name in CONTENT_FIELDS]), tags))


def all_opened(scope: Scope, tx: Transaction, rows: Sequence[MemoryRow]) -> list[StoredMemory]:
    tags = tx.tags.links("memory", [row.id for row in rows]) if rows else {}
    return [opened(scope, row, tags.get(row.id, ())) for row in rows]


def state(stored: StoredMemory) -> dict[str, Any]:
    """Everything that a version stores, as JSON."""
    plain = dict(zip(STATE_FIELDS, _columns(stored.row), strict=True))
    for name in BYTE_FIELDS:
        plain[name] = plain[name].hex() if plain[name] else None
    content = {name: getattr(stored.content, name) for name in CONTENT_FIELDS}
    for name in ("metadata", "triple"):
        content[name] = None if content[name] is None else dict(content[name])
    for name in ("rank", "author", "agent"):
        if content[name] is None:
            del content[name]
    plain["content"] = content
    plain["tags"] = list(stored.tags)
    return plain


def from_state(plain: Mapping[str, Any]) -> StoredMemory:
    columns = {name: plain[name] for name in STATE_FIELDS if name in plain}
    for name in BYTE_FIELDS:
        columns[name] = bytes.fromhex(columns[name]) if columns[name] else None
    return StoredMemory(
        row=MemoryRow(**columns, sealed=b""), content=Content(**plain["content"]), tags=tuple(plain.get("tags", ()))
    )


def version_row(
    vault: Vault,
    stored: StoredMemory,
    *,
    at: int,
    actor: str,
    action: str,
    reason: str | None,
    known: Mapping[str, Any] | None = None,
) -> VersionRow:
    """``known`` is its ``state``, if already computed."""
    row = stored.row
    plain = {**(known or state(stored)), "reason": reason}
    sealed = vault.seal_json("version", f"{NOUN}/{row.id}/{row.version}", plain)
    return _version_row((NOUN, row.id, row.version, at, None, actor, action, sealed, row.doc))


def version_again(
    vault: Vault, row: VersionRow, stored: StoredMemory, *, reason: str | None, **also: Any
) -> VersionRow:
    """The row of an existing version with another state."""
    return vault.sealed(changed(row, doc=stored.row.doc), {**state(stored), **also, "reason": reason})


def opened_version(scope: Scope, row: VersionRow) -> tuple[StoredMemory, str | None]:
    """The state stored in a version, and its reason."""
    plain = scope.opened(row)
    return from_state(plain), plain.get("reason")


def all_texts(scope: Scope, tx: Transaction, stored: StoredMemory) -> list[StoredMemory]:
    """Every text that a memory ever had, once per document number."""
    by_doc = {stored.row.doc: stored}
    for row in tx.versions.of(NOUN, stored.id):
        earlier, _ = opened_version(scope, row)
        by_doc.setdefault(earlier.row.doc, earlier)
    return list(by_doc.values())


def digest(vault: Vault, stored: StoredMemory, *, known: Mapping[str, Any] | None = None) -> bytes:
    """A digest of the state; ``known`` is the state, if already computed."""
    return vault.digest(_canonical(known or state(stored)).encode("utf-8", "surrogatepass"))


def memory(scope: Scope, stored: StoredMemory, *, namespace: str, tags: Iterable[str]) -> Memory:
    row, content = stored.row, stored.content
    turn = None
    if row.kind == "episodic":
        assert row.said_at is not None
        assert row.position is not None
        turn = Turn(
            session=content.session or "",
            speaker=content.speaker,
            role=row.role or "user",
            said_at=moment(row.said_at),
            position=row.position,
        )
    columns = list(_plain_columns(row))
    for place in _times:
        if columns[place] is not None:
            columns[place] = moment(columns[place])
    content_fields = [getattr(content, name) for name in TYPED_FIELDS]
    return _memory(
        (
            row.id,
            scope.owner,
            namespace,
            *content_fields,
            *columns,
            tuple(sorted(tags)),
            turn,
            content.author,
            content.agent,
        )
    )


_memory, _content, _stored_memory = maker(Memory), maker(Content), maker(StoredMemory)
_version_row = maker(VersionRow)
"""In field order, because recall builds whole pages of these, and a batch thousands of versions."""


def version(scope: Scope, row: VersionRow, *, namespace: str, tags: Mapping[str, str]) -> Version:
    stored, reason = opened_version(scope, row)
    names = [tags[tag] for tag in stored.tags if tag in tags]
    return from_row(Version, row, memory=memory(scope, stored, namespace=namespace, tags=names), reason=reason)


def attributes(vault: Vault, metadata: Metadata) -> list[bytes]:
    """Hashes of the metadata pairs that filters can match: each top-level name with its whole value."""
    return [attribute(vault, name, value) for name, value in metadata.items()]


def attribute(vault: Vault, name: str, value: Any) -> bytes:
    return vault.label("metadata", f"{name}={as_json(value)}")


def as_json(value: Any) -> str:
    """The form that decides whether two metadata values are equal: 1, true and "1" all differ."""
    return json.dumps(value, sort_keys=True, ensure_ascii=False)


def stamp(value: Any) -> int | None:
    return None if value is None else micros(value)
