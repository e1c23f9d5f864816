"""Nouns to JSON, in the same words on every interface: a field's name is its key.

Times are ISO 8601 in UTC with a ``Z``; tuples are lists. A receipt also carries its ``id``.
"""

from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import fields, is_dataclass
from datetime import UTC, date, datetime
from enum import Enum
from functools import cache
from pathlib import PurePath
from typing import Any, cast

from commonplace.context.render import Page
from commonplace.memories.audit import AuditCheck
from commonplace.memories.review import Waiting
from commonplace.memories.verifying import Verification
from commonplace.model import Memory, Receipt, Relation
from commonplace.security.tokens import Token
from commonplace.upkeep.doctor import Diagnosis

PLAIN = frozenset({str, int, float, bool, type(None)})


def to_json(value: Any) -> Any:
    """A noun (or a list, mapping or plain value of them) as plain JSON."""
    kind = type(value)
    if kind in PLAIN:
        return value
    if is_dataclass(kind):
        special = SPECIAL.get(kind)
        return special(value) if special else _plain(value)
    if kind is tuple or kind is list:
        return [to_json(item) for item in value]
    return _other(value)


def _other(value: Any) -> Any:
    if isinstance(value, datetime):
        return time(value)
    if isinstance(value, Enum):
        return to_json(value.value)
    if isinstance(value, str | int | float):
        return value
    if isinstance(value, Mapping):
        return {str(name): to_json(item) for name, item in value.items()}
    if isinstance(value, date | PurePath):
        return str(value)
    if isinstance(value, Iterable):
        return [to_json(item) for item in value]
    raise TypeError(f"{type(value).__name__} has no JSON form")


def time(moment: datetime) -> str:
    at = moment if moment.tzinfo is UTC else moment.astimezone(UTC)
    return at.isoformat()[:-6] + "Z"


def evidence(pairs: Iterable[tuple[Memory, str | None]]) -> list[dict[str, Any]]:
    """What a memory rests on: each episode with the words that matter."""
    return [{"episode": to_json(episode), "quote": quote} for episode, quote in pairs]


def core_value(memory: Memory) -> dict[str, Any]:
    """A core memory as the key and value it is."""
    return {
        "id": memory.id,
        "key": memory.key,
        "value": memory.text,
        "updated_at": time(memory.recorded_at),
        "namespace": memory.namespace,
        "version": memory.version,
    }


def tie(relation: Relation) -> dict[str, Any]:
    """A relation by the names of its ends."""
    return {
        "id": relation.id,
        "subject": relation.subject.label,
        "predicate": relation.predicate,
        "object": relation.object.label,
        "confidence": relation.confidence,
        "last_confirmed_at": to_json(relation.last_confirmed_at),
        "notes": relation.notes,
        "version": relation.version,
    }


@cache
def _names(kind: Any) -> tuple[str, ...]:
    return tuple(field.name for field in fields(kind))


def _plain(value: Any) -> dict[str, Any]:
    plain, kind = {}, cast("Hashable", type(value))
    for name in _names(kind):
        field_value = getattr(value, name)
        # most fields are plain already, and a call for each is most of what an answer costs
        plain[name] = field_value if type(field_value) in PLAIN else to_json(field_value)
    return plain


def _waiting(waiting: Waiting) -> dict[str, Any]:
    return {
        "memory": to_json(waiting.memory),
        "evidence": evidence(waiting.quotes),
        "reason": waiting.reason,
        "conflict": to_json(waiting.conflict),
    }


SPECIAL: dict[type, Callable[[Any], dict[str, Any]]] = {
    Receipt: lambda receipt: {"ref": receipt.ref, "id": receipt.id, **_plain(receipt)},
    Waiting: _waiting,
    Page: lambda page: {"text": page.text, "tokens": page.tokens, "memories": list(page.ids)},
    AuditCheck: lambda check: {"ok": check.ok, **_plain(check)},
    Verification: lambda verification: {"gone": verification.gone, **_plain(verification)},
    Token: lambda token: {**_plain(token), "scopes": list(token.scopes)},
    Diagnosis: lambda diagnosis: {"sound": diagnosis.sound, **_plain(diagnosis)},
}
