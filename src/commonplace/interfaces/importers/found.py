"""What a reader finds in another program's file."""

from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, NamedTuple

from commonplace.model import Category, Message


@dataclass(frozen=True, slots=True, kw_only=True)
class Note:
    """Something another program remembered."""

    text: str
    place: str
    """The file, and the line or entry in it."""
    category: Category = "fact"
    tags: tuple[str, ...] = ()
    at: datetime | None = None
    until: datetime | None = None
    """When it ceased to be true."""
    metadata: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Talk:
    """A conversation; every message has its moment, so that it is known when it comes again."""

    session: str
    messages: tuple[Message, ...]
    place: str


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundRelation:
    subject: str
    predicate: str
    object: str
    place: str
    subject_type: str = "topic"
    object_type: str = "topic"


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """Something that could not be read."""

    place: str
    what: str


class Skipped(NamedTuple):
    """Something that was read and is not imported on purpose."""

    what: str
    """What kind of thing it is, in the plural."""
    number: int = 1


Found = Note | Talk | FoundRelation | Problem | Skipped
