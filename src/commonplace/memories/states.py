"""A memory between its two forms: the value people hold, and the sealed row and versions that lie in the store."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields
from operator import attrgetter
from typing import Any

from commonplace.clock import micros, moment
from commonplace.memories.scope import Scope
from commonplace.model import Memory, Metadata, Turn, Version
from commonplace.security.vault import Vault
from commonplace.store.frozen import changed, maker
from commonplace.store.rows import MemoryRow, RelationRow, VersionRow

NOUN = "memory"
BYTE_FIELDS = ("fingerprint", "key")
STATE_FIELDS = tuple(one.name for one in fields(MemoryRow) if one.name not in ("sealed", "uses", "last_used_at"))

_columns = attrgetter(*STATE_FIELDS)
_canonical = json.JSONEncoder(sort_keys=True).encode


@dataclass(frozen=True, slots=True, kw_only=True)
class Content:
    """What somebody typed, and therefore lies sealed."""

    text: str
    key: str | None = None
    metadata: Metadata = field(default_factory=dict)
    speaker: str | None = None
    session: str | None = None
    triple: Mapping[str, Any] | None = None
    """Of a relation: the ids of subject and object, the predicate, and notes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Held:
    """A memory as the writing rooms hold it: its plain columns, its content, the ids of its tags."""

    row: MemoryRow
    content: Content
    tags: tuple[str, ...] = ()

    @property
    def id(self) -> str:
        return self.row.id

    def with_row(self, **columns: Any) -> "Held":
        return Held(row=changed(self.row, **columns), content=self.content, tags=self.tags)


def sealed(vault: Vault, held: Held) -> MemoryRow:
    """The row to store, its content sealed under its own id."""
    content = held.content
    plain: dict[str, Any] = {"text": content.text}
    for name in ("key", "metadata", "speaker", "session", "triple"):
        if value := getattr(content, name):
            plain[name] = value
    return changed(held.row, sealed=vault.seal_json(NOUN, held.id, plain))


def relation(held: Held, sealed_notes: bytes) -> RelationRow:
    """The graph's view of a relational memory: the same id, status, clocks and version."""
    row, triple = held.row, held.content.triple
    assert triple is not None
    return RelationRow(
        id=row.id,
        namespace=row.namespace,
        subject=triple["subject"],
        predicate=triple["predicate"],
        object=triple["object"],
        status=row.status,
        source=row.source,
        confidence=row.confidence,
        fingerprint=row.fingerprint,
        sealed=sealed_notes,
        recorded_at=row.recorded_at,
        version=row.version,
        pinned=row.pinned,
        valid_from=row.valid_from,
        valid_to=row.valid_to,
        retired_at=row.retired_at,
        last_confirmed_at=row.last_confirmed_at,
    )


def opened(scope: Scope, row: MemoryRow, tags: tuple[str, ...] = ()) -> Held:
    told = scope.open_json(NOUN, row.id, row.sealed).get
    content = told("text"), told("key"), told("metadata") or {}, told("speaker"), told("session"), told("triple")
    return _held((row, _content(content), tags))


def state(held: Held) -> dict[str, Any]:
    """Everything a version must know, as JSON."""
    plain = dict(zip(STATE_FIELDS, _columns(held.row), strict=True))
    for name in BYTE_FIELDS:
        plain[name] = plain[name].hex() if plain[name] else None
    content = held.content
    plain["content"] = {
        "text": content.text,
        "key": content.key,
        "metadata": dict(content.metadata),
        "speaker": content.speaker,
        "session": content.session,
        "triple": None if content.triple is None else dict(content.triple),
    }
    plain["tags"] = list(held.tags)
    return plain


def from_state(plain: Mapping[str, Any]) -> Held:
    columns = {name: plain[name] for name in STATE_FIELDS if name in plain}
    for name in BYTE_FIELDS:
        columns[name] = bytes.fromhex(columns[name]) if columns[name] else None
    return Held(
        row=MemoryRow(**columns, sealed=b""), content=Content(**plain["content"]), tags=tuple(plain.get("tags", ()))
    )


def version_row(
    vault: Vault,
    held: Held,
    *,
    at: int,
    actor: str,
    action: str,
    reason: str | None,
    known: Mapping[str, Any] | None = None,
) -> VersionRow:
    """``known`` is its ``state``, where that was worked out already."""
    plain = {**(known or state(held)), "reason": reason}
    row = held.row
    return VersionRow(
        noun=NOUN,
        id=row.id,
        version=row.version,
        recorded_at=at,
        superseded_at=None,
        actor=actor,
        action=action,
        sealed=vault.seal_json("version", f"{NOUN}/{row.id}/{row.version}", plain),
        doc=row.doc,
    )


def opened_version(scope: Scope, row: VersionRow) -> tuple[Held, str | None]:
    """The state a version holds, and the reason given for it."""
    plain = scope.open_json("version", f"{row.noun}/{row.id}/{row.version}", row.sealed)
    return from_state(plain), plain.get("reason")


def digest(vault: Vault, held: Held, *, known: Mapping[str, Any] | None = None) -> bytes:
    """Proves the state; ``known`` is it, where that was worked out already."""
    return vault.digest(_canonical(known or state(held)).encode("utf-8", "surrogatepass"))


def memory(scope: Scope, held: Held, *, namespace: str, tags: Iterable[str]) -> Memory:
    row, content = held.row, held.content
    turn = None
    if row.kind == "episodic":
        assert row.said_at is not None
        assert row.position is not None
        turn = Turn(
            session=content.session or "",
            speaker=content.speaker,
            role=row.role,  # type: ignore[arg-type]  # checked on the way in
            said_at=moment(row.said_at),
            position=row.position,
        )
    return _memory(
        (
            row.id,
            scope.owner,
            namespace,
            row.kind,
            row.category,
            content.text,
            row.status,
            row.source,
            row.importance,
            row.confidence,
            moment(row.recorded_at),
            row.version,
            content.key,
            tuple(sorted(tags)),
            content.metadata,
            row.pinned,
            _moment(row.valid_from),
            _moment(row.valid_to),
            _moment(row.retired_at),
            _moment(row.last_confirmed_at),
            _moment(row.last_used_at),
            row.uses,
            _moment(row.expires_at),
            row.directive,
            row.step,
            turn,
        )
    )


_memory, _content, _held = maker(Memory), maker(Content), maker(Held)
"""In the order of the fields: a recall makes a page of the first, and more of the others."""


def version(scope: Scope, row: VersionRow, *, namespace: str, tags: Mapping[str, str]) -> Version:
    held, reason = opened_version(scope, row)
    return Version(
        memory=memory(scope, held, namespace=namespace, tags=[tags[tag] for tag in held.tags if tag in tags]),
        version=row.version,
        recorded_at=moment(row.recorded_at),
        superseded_at=_moment(row.superseded_at),
        actor=row.actor,
        action=row.action,
        reason=reason,
    )


def attributes(vault: Vault, metadata: Metadata) -> list[bytes]:
    """Hashes of the pairs a memory can be filtered by: each top-level name with its whole value."""
    return [attribute(vault, name, value) for name, value in metadata.items()]


def attribute(vault: Vault, name: str, value: Any) -> bytes:
    return vault.label("metadata", f"{name}={as_json(value)}")


def as_json(value: Any) -> str:
    """By which two values of metadata are equal: 1, true and "1" are three."""
    return json.dumps(value, sort_keys=True, ensure_ascii=False)


def stamp(value: Any) -> int | None:
    return None if value is None else micros(value)


def _moment(value: int | None) -> Any:
    return None if value is None else moment(value)
