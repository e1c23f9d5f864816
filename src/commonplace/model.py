"""The nouns. Frozen values that cross rooms; no noun knows where it is stored."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal, get_args

from commonplace.errors import Invalid

Kind = Literal["core", "episodic", "associative", "relational", "proactive"]
Category = Literal[
    "insight", "decision", "context", "error", "pattern", "fact", "preference", "routine", "correction", "lesson"
]
Source = Literal["user", "planner", "executor", "assistant", "tool", "import", "system"]
Status = Literal["candidate", "verified", "rejected", "stale", "archived"]
Role = Literal["user", "assistant", "system", "tool"]
Action = Literal["ADD", "UPDATE", "DELETE", "NOOP"]

KINDS: tuple[Kind, ...] = get_args(Kind)
CATEGORIES: tuple[Category, ...] = get_args(Category)
SOURCES: tuple[Source, ...] = get_args(Source)
STATUSES: tuple[Status, ...] = get_args(Status)
ROLES: tuple[Role, ...] = get_args(Role)

CURRENT: tuple[Status, ...] = ("candidate", "verified")
"""What recall shows unless asked otherwise."""

PERSONAL = "personal"
"""The namespace of what is true of the person in every project; read along with each other one."""

Metadata = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Message:
    """One thing said, as it comes in. ``at`` defaults to now, ``speaker`` to the owner or the role."""

    text: str
    speaker: str | None = field(default=None, kw_only=True)
    role: Role = field(default="user", kw_only=True)
    at: datetime | None = field(default=None, kw_only=True)
    metadata: Metadata | None = field(default=None, kw_only=True)


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """Where an episode stands in its conversation."""

    session: str
    speaker: str | None
    role: Role
    said_at: datetime
    position: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Memory:
    """One thing worth keeping. An episode is a memory of kind ``episodic`` with a ``turn``."""

    id: str
    owner: str
    namespace: str
    kind: Kind
    category: Category
    text: str
    status: Status
    source: Source
    importance: float
    confidence: float
    recorded_at: datetime
    version: int = 1
    key: str | None = None
    tags: tuple[str, ...] = ()
    metadata: Metadata = field(default_factory=dict)
    pinned: bool = False
    valid_from: datetime | None = None
    valid_to: datetime | None = None
    retired_at: datetime | None = None
    last_confirmed_at: datetime | None = None
    last_used_at: datetime | None = None
    uses: int = 0
    expires_at: datetime | None = None
    directive: str | None = None
    step: str | None = None
    turn: Turn | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """Why something is believed: an episode and, where known, the very words in it."""

    episode: str
    quote: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Version:
    """An earlier or the present state of a memory, and who made it so."""

    memory: Memory
    version: int
    recorded_at: datetime
    superseded_at: datetime | None
    actor: str
    action: str
    reason: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Entity:
    """A node of the graph: a person, company, project, topic, or whatever a namespace speaks of."""

    id: str
    owner: str
    namespace: str
    label: str
    type: str
    recorded_at: datetime
    aliases: tuple[str, ...] = ()
    notes: str | None = None
    tags: tuple[str, ...] = ()
    status: Status = "verified"
    version: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Relation:
    """An edge of the graph: ``subject —predicate→ object``, with the lifecycle of a memory."""

    id: str
    owner: str
    namespace: str
    subject: Entity
    predicate: str
    object: Entity
    confidence: float
    status: Status
    source: Source
    recorded_at: datetime
    version: int = 1
    notes: str | None = None
    pinned: bool = False
    valid_from: datetime | None = None
    valid_to: datetime | None = None
    retired_at: datetime | None = None
    last_confirmed_at: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Query:
    """A question to the book. Every filter is a conjunction; an empty one means "any"."""

    text: str = ""
    limit: int = 8
    kinds: tuple[Kind, ...] = ()
    categories: tuple[Category, ...] = ()
    tags: tuple[str, ...] = ()
    statuses: tuple[Status, ...] = CURRENT
    sources: tuple[Source, ...] = ()
    namespaces: tuple[str, ...] = ()
    since: datetime | None = None
    until: datetime | None = None
    as_of: datetime | None = None
    known_at: datetime | None = None
    metadata: Metadata | None = None
    directive: str | None = None
    session: str | None = None
    explain: bool = False
    recipe: str = "balanced"


@dataclass(frozen=True, slots=True, kw_only=True)
class Why:
    """How a hit came to be: which lists held it, which words met, what each part added."""

    parts: Mapping[str, float]
    lists: Mapping[str, float]
    terms: tuple[str, ...] = ()
    evidence: tuple[Evidence, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit:
    """A memory that recall found. ``overturned``: it was said, but what was concluded from it no longer holds."""

    memory: Memory
    score: float
    why: Why | None = None
    overturned: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """One thing a write did or decided not to do."""

    action: Action
    noun: str
    id: str
    reason: str
    statement: str | None = None
    before: int | None = None
    """The version that stood before, or None if the thing is new."""
    after: int | None = None
    """The version that stands now."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Receipt:
    """What a write or an erasure did; returned to the caller and kept.

    ``action`` is the verb; the receipt that `remember` hands back says what became of it instead (``ADD``, ``NOOP``).

    ``id`` is the memory (or relation, directive …) it is about, ``ids`` all of them; ``ref`` is the receipt's own
    name, which `undo` and `verify_receipt` take.
    """

    ref: str
    action: str
    at: datetime
    actor: str
    ids: tuple[str, ...] = ()
    changes: tuple[Change, ...] = ()
    state: str = "done"
    """``done``; for an erasure ``scrubbed`` or ``scrub pending``; for a dry run ``dry run``; for an undoing that was
    broken off ``unfinished``; for one transaction of many ``part``."""
    trace: str | None = None
    notes: tuple[str, ...] = ()

    @property
    def id(self) -> str | None:
        return self.ids[0] if self.ids else None


CandidateType = Literal["fact", "preference", "relation", "routine", "decision", "correction", "lesson", "value"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """Something a conversation may have taught us, before anybody decided about it."""

    type: CandidateType
    statement: str
    kind: Kind
    category: Category
    quote: str
    episode: str
    """The id of the episode the quote stands in."""
    subject: str | None = None
    subject_type: str | None = None
    predicate: str | None = None
    object: str | None = None
    object_type: str | None = None
    key: str | None = None
    confidence: float = 0.7
    retracts: Literal["ended", "wrong", "forget"] | None = None
    """Set on a retraction: what it says of the earlier belief."""
    many: bool = False
    """The slot holds several values at once (hobbies, children, languages): a new one does not replace."""
    valid_from: datetime | None = None
    valid_to: datetime | None = None


def messages(given: Sequence["Message | str | Mapping[str, Any]"] | Message | str) -> tuple[Message, ...]:
    """Accept a conversation in the shapes people have it: messages, strings, or ``{"role", "content"}`` dicts."""
    if isinstance(given, Message | str | Mapping):
        given = [given]
    said: Any = given
    if isinstance(said, bytes) or not isinstance(said, Iterable):
        raise Invalid(f"a conversation is a list of messages, not {type(said).__name__}")
    return tuple(one if isinstance(one, Message) else _message(one) for one in said)


def _message(one: Any) -> Message:
    if isinstance(one, str):
        return Message(one)
    if not isinstance(one, Mapping):
        raise Invalid(f"a message is a text, a Message or a mapping, not {type(one).__name__}")
    text = one.get("text", one.get("content", ""))
    return Message(
        text,
        speaker=one.get("speaker") or one.get("name"),
        role=one.get("role", "user"),
        at=one.get("at"),
        metadata=one.get("metadata"),
    )
