"""The data types: frozen values that modules pass to each other. None of them knows how it is stored."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import cache
from typing import Annotated, Any, Generic, Literal, TypedDict, TypeVar, get_args, get_type_hints

from commonplace.errors import Invalid

Kind = Literal["core", "episodic", "associative", "relational", "proactive"]
Category = Literal[
    "insight", "decision", "context", "error", "pattern", "fact", "preference", "routine", "correction", "lesson"
]
Source = Literal["user", "planner", "executor", "assistant", "tool", "import", "system"]
Status = Literal["candidate", "verified", "rejected", "stale", "archived"]
Role = Literal["user", "assistant", "system", "tool"]
Action = Literal["ADD", "UPDATE", "DELETE", "NOOP", "PROPOSE"]

KINDS: tuple[Kind, ...] = get_args(Kind)
CATEGORIES: tuple[Category, ...] = get_args(Category)
SOURCES: tuple[Source, ...] = get_args(Source)
STATUSES: tuple[Status, ...] = get_args(Status)
ROLES: tuple[Role, ...] = get_args(Role)

CURRENT: tuple[Status, ...] = ("candidate", "verified")
"""The statuses that recall shows by default."""

PERSONAL = "personal"
"""The namespace for what holds in every project; every search in another namespace includes it."""

Metadata = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Message:
    """An incoming message. ``at`` defaults to now, ``speaker`` to the owner or the role."""

    text: str
    speaker: str | None = field(default=None, kw_only=True)
    role: Role = field(default="user", kw_only=True)
    at: datetime | None = field(default=None, kw_only=True)
    metadata: Metadata | None = field(default=None, kw_only=True)


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """The position of an episode in its conversation."""

    session: str
    speaker: str | None
    role: Role
    said_at: datetime
    position: int


Time = TypeVar("Time")
"""A ``datetime`` in these types; in the rows of the store, microseconds since 1970 in UTC."""


@dataclass(frozen=True, kw_only=True)
class MemoryColumns(Generic[Time]):
    """The fields of a memory that are stored unencrypted: never text that somebody typed."""

    __slots__ = ()
    kind: Kind
    category: Category
    status: Status
    source: Source
    importance: float
    confidence: float
    recorded_at: Time
    version: int = 1
    pinned: bool = False
    valid_from: Time | None = None
    valid_to: Time | None = None
    retired_at: Time | None = None
    last_confirmed_at: Time | None = None
    last_used_at: Time | None = None
    uses: int = 0
    expires_at: Time | None = None
    directive: str | None = None
    step: str | None = None


@dataclass(frozen=True, kw_only=True)
class MemoryContent:
    """The fields of a memory that are encrypted together: text that somebody typed."""

    __slots__ = ()
    text: str
    key: str | None = None
    metadata: Metadata = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class _Identity:
    __slots__ = ()
    id: str
    owner: str
    namespace: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Memory(MemoryColumns[datetime], MemoryContent, _Identity):
    """A stored memory. An episode is a memory of kind ``episodic`` with a ``turn``."""

    tags: tuple[str, ...] = ()
    turn: Turn | None = None
    author: str | None = None
    """The member who stated it in a shared namespace; None in other namespaces."""
    agent: str | None = None
    """The agent that wrote it; None if a person did."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NewMemory:
    """A memory before validation. The annotations are the help texts of the command line and the tools."""

    text: str
    kind: Kind = "associative"
    category: Category = "context"
    key: Annotated[str | None, "the name of a core value"] = None
    importance: Annotated[float | None, "default: computed"] = None
    confidence: Annotated[float | None, "default by source"] = None
    tags: Annotated[tuple[str, ...], "file it under this tag"] = ()
    source: Annotated[Source | None, "default by caller"] = None
    valid_from: Annotated[datetime | None, "true since"] = None
    valid_to: Annotated[datetime | None, "true until"] = None
    expires_at: Annotated[datetime | None, "when it expires"] = None
    pinned: Annotated[bool, "never pruned"] = False
    metadata: Annotated[Metadata, "anything else"] = field(default_factory=dict)
    directive: str | None = None
    step: str | None = None
    confirm: bool = False
    """Store it although it was rejected or forgotten before. Only a person may."""


class NewMemoryFields(TypedDict, total=False):
    """The keywords of `remember`: the fields of ``NewMemory`` except its text and its directive."""

    kind: Kind
    category: Category
    key: str | None
    importance: float | None
    confidence: float | None
    tags: Iterable[str]
    source: Source | None
    valid_from: datetime | None
    valid_to: datetime | None
    expires_at: datetime | None
    pinned: bool
    metadata: Metadata | None
    confirm: bool


class RevisionFields(TypedDict, total=False):
    """The fields of a memory that `revise` can change; absent ones stay."""

    category: Category
    importance: float
    confidence: float
    pinned: bool
    tags: Iterable[str]
    metadata: Metadata
    valid_from: datetime | None
    valid_to: datetime | None
    expires_at: datetime | None


@cache
def field_types(noun: type) -> dict[str, Any]:
    """The types of a class's fields with their annotations; ``Time`` becomes ``datetime``."""
    hints = get_type_hints(noun, include_extras=True)
    return {name: _with_datetime(hints[name]) for name in getattr(noun, "__dataclass_fields__", hints)}


def _with_datetime(hint: Any) -> Any:
    if hint is Time:
        return datetime
    return hint[datetime] if Time in getattr(hint, "__parameters__", ()) else hint


@cache
def time_fields(noun: type) -> frozenset[str]:
    """Names of the fields of type ``datetime``."""
    types = {name: plain_type(hint) for name, hint in field_types(noun).items()}
    return frozenset(name for name, hint in types.items() if datetime in (hint, *get_args(hint)))


def plain_type(hint: Any) -> Any:
    """The type without its annotations."""
    return get_args(hint)[0] if hasattr(hint, "__metadata__") else hint


def words(hint: Any) -> str:
    """The annotation of a field, for help texts and schemas; empty if it has none."""
    return str(hint.__metadata__[0]) if hasattr(hint, "__metadata__") else ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """Evidence for a memory: an episode and, if known, the quote in it."""

    episode: str
    quote: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Version:
    """One state of a memory, and who wrote it."""

    memory: Memory
    version: int
    recorded_at: datetime
    superseded_at: datetime | None
    actor: str
    action: str
    reason: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Entity:
    """A node of the graph: a person, company, project, topic or any other type."""

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


@dataclass(frozen=True, kw_only=True)
class RelationColumns(Generic[Time]):
    """The fields that a relation shares with its memory."""

    __slots__ = ()
    predicate: str
    confidence: float
    status: Status
    source: Source
    recorded_at: Time
    version: int = 1
    pinned: bool = False
    valid_from: Time | None = None
    valid_to: Time | None = None
    retired_at: Time | None = None
    last_confirmed_at: Time | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Relation(RelationColumns[datetime], _Identity):
    """An edge of the graph: ``subject —predicate→ object``, with the lifecycle of a memory."""

    subject: Entity
    object: Entity
    notes: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Query:
    """A search. All filters must match; an empty one matches everything."""

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


class QueryFilters(TypedDict, total=False):
    """The keywords of `recall` and `browse`: the fields of ``Query`` except its text and limit."""

    kinds: Iterable[Kind] | None
    categories: Iterable[Category] | None
    tags: Iterable[str] | None
    glossary_tag: Annotated[str | None, "the same as one tag"]
    statuses: Iterable[Status] | None
    sources: Iterable[Source] | None
    namespaces: Iterable[str] | None
    since: datetime | None
    until: datetime | None
    as_of: datetime | None
    known_at: datetime | None
    metadata: Metadata | None
    directive: str | None
    session: str | None
    explain: bool
    recipe: str | None


class RelationFields(TypedDict, total=False):
    """The fields of a relation that `graph.revise` can change; absent ones stay."""

    subject: str | None
    predicate: str | None
    object: str | None
    confidence: float | None
    notes: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Why:
    """Explains a hit: the candidate lists it was on, the matching words, the score of each part."""

    parts: Mapping[str, float]
    lists: Mapping[str, float]
    terms: tuple[str, ...] = ()
    evidence: tuple[Evidence, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit:
    """A memory that recall found. ``overturned``: the conclusion drawn from this episode no longer holds."""

    memory: Memory
    score: float
    why: Why | None = None
    overturned: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """One change that a write made, or decided not to make."""

    action: Action
    noun: str
    id: str
    reason: str
    statement: str | None = None
    before: int | None = None
    """The version before the change; None if it is new."""
    after: int | None = None
    """The version after the change."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Receipt:
    """What a write or an erasure did; returned to the caller and stored.

    ``action`` is the verb; `remember` returns its outcome instead (``ADD``, ``NOOP``). ``id`` is the first of ``ids``,
    the memories, relations or directives concerned. ``ref`` names the receipt itself: `undo` and `verify_receipt`
    take it.
    """

    ref: str
    action: str
    at: datetime
    actor: str
    ids: tuple[str, ...] = ()
    changes: tuple[Change, ...] = ()
    state: str = "done"
    """``done``; ``scrubbed`` or ``scrub pending`` for an erasure; ``dry run``; ``unfinished`` for an interrupted undo;
    ``part`` for one transaction of many."""
    trace: str | None = None
    notes: tuple[str, ...] = ()

    @property
    def id(self) -> str | None:
        return self.ids[0] if self.ids else None


CandidateType = Literal["fact", "preference", "relation", "routine", "decision", "correction", "lesson", "value"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """A possible memory learned from a conversation, before the decision whether to store it."""

    type: CandidateType
    statement: str
    kind: Kind
    category: Category
    quote: str
    episode: str
    """The id of the episode that contains the quote."""
    subject: str | None = None
    subject_type: str | None = None
    predicate: str | None = None
    object: str | None = None
    object_type: str | None = None
    key: str | None = None
    confidence: float = 0.7
    retracts: Literal["ended", "wrong", "forget"] | None = None
    """For a retraction: what it says about the earlier belief."""
    many: bool = False
    """The slot has several values at once (hobbies, children, languages): a new one replaces none."""
    valid_from: datetime | None = None
    valid_to: datetime | None = None
    fades_at: datetime | None = None
    """When it is likely to be over by itself, if it changes nothing that is believed."""
    passing: bool = False
    """Not worth storing itself; it may still change existing beliefs."""
    in_full: str | None = None
    """The quote with its references resolved, such as who "he" is; None if the quote needs no context."""


def messages(conversation: Sequence["Message | str | Mapping[str, Any]"] | Message | str) -> tuple[Message, ...]:
    """Convert a conversation to messages: from messages, strings, or ``{"role", "content"}`` mappings."""
    if isinstance(conversation, Message | str | Mapping):
        conversation = [conversation]
    items: Any = conversation
    if isinstance(items, bytes) or not isinstance(items, Iterable):
        raise Invalid(f"a conversation is a list of messages, not {type(items).__name__}")
    return tuple(item if isinstance(item, Message) else _message(item) for item in items)


def _message(item: Any) -> Message:
    if isinstance(item, str):
        return Message(item)
    if not isinstance(item, Mapping):
        raise Invalid(f"a message is a text, a Message or a mapping, not {type(item).__name__}")
    text = item.get("text", item.get("content", ""))
    return Message(
        text,
        speaker=item.get("speaker") or item.get("name"),
        role=item.get("role", "user"),
        at=item.get("at"),
        metadata=item.get("metadata"),
    )
