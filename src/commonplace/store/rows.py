"""What lies in the tables, one frozen value a row.

Ids, times, kinds, statuses and numbers are plain; everything that somebody typed is ``sealed`` bytes, and equality
goes through keyed hashes (``label``, ``key``, ``fingerprint``, ``attribute``), so that a stolen file tells no words.
Times are integer microseconds since 1970 in UTC. The owner is not in the rows: a transaction belongs to one owner.
"""

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Annotated, Any, NamedTuple, TypeVar, get_type_hints

from commonplace.clock import moment
from commonplace.model import MemoryColumns, RelationColumns, Role, field_types, time_fields
from commonplace.store.frozen import row

Noun = TypeVar("Noun")


class Seal(NamedTuple):
    """Marks a sealed column: its table, and the names of noun and row that its bytes are bound to."""

    table: str
    row: str = "{id}"
    noun: str = ""


@row
class OwnerRow:
    owner: str
    plan: str
    timezone: str | None
    language: str | None
    created_at: int
    sequence: int
    """The last number given out in the change table."""
    next_doc: int
    """The next free document number; never given out twice."""
    ledger: str | None
    """Where the ledger stood when this owner's last final act was recorded in it; read by the ledger alone."""


@row
class NamespaceRow:
    id: str
    label: bytes
    sealed: Annotated[bytes, Seal("namespace")]
    created_at: int
    documents: int = 0
    length: int = 0
    """How many documents the word index of this namespace holds, and their lengths summed."""


@row
class MemoryRow(MemoryColumns[int]):
    id: str
    namespace: str
    fingerprint: bytes
    sealed: Annotated[bytes, Seal("memory")]
    doc: int
    """The number under which the present text stands in words and vectors."""
    key: bytes | None = None
    session: str | None = None
    role: Role | None = None
    said_at: int | None = None
    position: int | None = None


@row
class TiedRow:
    """A memory with the ids of its tags, in their order, and of the episodes it rests on."""

    row: MemoryRow
    tags: tuple[str, ...]
    episodes: tuple[str, ...]


@row
class VersionRow:
    """One state of a memory, entity, relation, directive or step; ``sealed`` holds the whole of it."""

    noun: str
    id: str
    version: int
    recorded_at: int
    superseded_at: int | None
    actor: str
    action: str
    sealed: Annotated[bytes, Seal("version", "{noun}/{id}/{version}")]
    doc: int | None = None


@row
class EvidenceRow:
    noun: str
    id: str
    episode: str
    sealed: Annotated[bytes | None, Seal("evidence", "{noun}/{id}/{episode}")]
    """The sealed quote, where it is known."""


@row
class SessionRow:
    """A conversation. Its turns get consecutive document numbers out of a reserved run, so neighbours are d ± 1."""

    id: str
    namespace: str
    label: bytes
    sealed: Annotated[bytes, Seal("session")]
    started_at: int
    position: int
    """Position of the next turn."""
    next_doc: int
    end_doc: int
    """The reserved run is next_doc … end_doc − 1; what follows stays unused, as the gap."""


@row
class TagRow:
    id: str
    namespace: str
    label: bytes
    sealed: Annotated[bytes, Seal("tag")]
    synonyms: tuple[bytes, ...] = ()
    created_at: int = 0


@row
class EntityRow:
    id: str
    namespace: str
    type: str
    label: bytes
    sealed: Annotated[bytes, Seal("entity")]
    status: str
    recorded_at: int
    version: int = 1
    aliases: tuple[bytes, ...] = ()
    retired_at: int | None = None


@row
class RelationRow(RelationColumns[int]):
    id: str
    namespace: str
    subject: str
    object: str
    fingerprint: bytes
    sealed: Annotated[bytes, Seal("relation")]


@row
class TombstoneRow:
    namespace: str
    fingerprint: bytes
    reason: str
    """``rejected``, ``forgotten`` or ``corrected``."""
    at: int
    target: str | None
    """The id of the memory it was made for."""


@row
class DirectiveRow:
    id: str
    namespace: str
    status: str
    created_at: int
    sealed: Annotated[bytes, Seal("directive")]
    version: int = 1
    memory_enabled: bool = False
    goal_updated_at: int | None = None
    started_at: int | None = None
    lease_until: int | None = None
    lease_holder: str | None = None


@row
class StepRow:
    id: str
    directive: str
    status: str
    order_index: int
    generation: int
    sealed: Annotated[bytes, Seal("step")]
    version: int = 1
    attempts: int = 0
    run: str | None = None
    lease_until: int | None = None
    lease_holder: str | None = None
    depends_on: tuple[str, ...] = ()


@row
class JobRow:
    id: str
    kind: str
    state: str
    """``waiting``, ``leased``, ``done`` or ``dead``."""
    due_at: int
    created_at: int
    sealed: Annotated[bytes, Seal("job")]
    attempts: int = 0
    lease_until: int | None = None
    lease_holder: str | None = None
    finished_at: int | None = None
    error: Annotated[bytes | None, Seal("job", noun="job error")] = None
    """The sealed error of the last attempt."""
    unique: bytes | None = None
    """At most one unfinished job may carry this hash; a second one is the same wish."""


@row
class AuditRow:
    sequence: int
    at: int
    actor: str
    action: str
    noun: str
    target: str
    before: bytes | None
    after: bytes | None
    hash: bytes
    reason: Annotated[bytes | None, Seal("audit", "{sequence}")] = None
    """Sealed, and not part of the hash itself (a keyed digest of it is), so that keys can rotate."""
    reason_digest: bytes | None = None


@row
class ChangeRow:
    sequence: int
    at: int
    noun: str
    id: str
    operation: str
    """``put`` or ``delete``."""
    doc: int | None
    namespace: str | None


@row
class ReceiptRow:
    ref: str
    action: str
    at: int
    actor: str
    state: str
    sealed: Annotated[bytes, Seal("receipt", "{ref}")]


@row
class TraceRow:
    """A sealed record of what a background run or a prompt did: extraction, maintenance, retrieval."""

    id: str
    kind: str
    at: int
    sealed: Annotated[bytes, Seal("trace")]
    target: str | None = None


@row
class TokenRow:
    """An API token. Looked up by its hash before any owner is known."""

    id: str
    owner: str
    hash: bytes
    scope: str
    created_at: int
    expires_at: int | None
    revoked_at: int | None
    namespaces: tuple[str, ...]
    """Namespace ids it may reach; empty: all."""
    sealed: Annotated[bytes, Seal("token")]
    """Its sealed description."""


@row
class UsageRow:
    day: str
    """ISO date."""
    what: str
    calls: int
    tokens: int


class FreshRow(NamedTuple):
    """One posting that no job has packed yet. A tuple, because a thousand memories make fifteen thousand of them."""

    term: int
    doc: int
    tf: int
    length: int


@row
class BlockRow:
    """Up to 700 postings of a term, packed as little-endian records (doc u32, tf u8, length u8), sorted by doc."""

    term: int
    first: int
    data: bytes


@row
class VectorRow:
    """A rotated int8 vector. A long document has several parts."""

    doc: int
    part: int
    data: bytes


@row
class PassageRow:
    """The token vectors of a text. They tell its words nearly as well as the text does, hence sealed as a text is."""

    doc: int
    model: str
    namespace: str
    sealed: Annotated[bytes, Seal("passage", "{model}/{doc}")]


@row
class LedgerEntry:
    """A final act, kept beside the book and replayed on every restore. Holds no text."""

    owner: str
    at: int
    act: str
    """``forget``, ``cut``, ``tombstone``, ``lift``, ``erase-namespace`` or ``erase-owner``; of the ledger itself,
    ``lost`` and ``rebuilt``.

    A ``cut`` took a part out of a text: two fingerprints, of the whole and of the rest, and as the reason the places by
    which the one is made of the other.
    """
    target: str
    namespace: str | None = None
    fingerprints: tuple[bytes, ...] = ()
    reason: str | None = None


@row
class Filter:
    """Which memories are meant, by what stands in plain columns. Empty means any; all given must hold."""

    namespaces: tuple[str, ...] = ()
    kinds: tuple[str, ...] = ()
    categories: tuple[str, ...] = ()
    statuses: tuple[str, ...] = ()
    sources: tuple[str, ...] = ()
    sessions: tuple[str, ...] = ()
    tags: tuple[tuple[str, ...], ...] = ()
    """For each tag its ids, one a namespace; a memory must carry one of each."""
    attributes: tuple[bytes, ...] = ()
    """Hashes of metadata pairs; a memory must carry every one."""
    since: int | None = None
    until: int | None = None
    """Bounds (inclusive, exclusive) on said_at where there is one, else on recorded_at."""
    valid_at: int | None = None
    begun_by: int | None = None
    """Only memories with a start of their own, and those recorded by then; an undated core value holds always."""
    directive: str | None = None
    step: str | None = None
    key: bytes | None = None
    fingerprint: bytes | None = None
    importance_below: float | None = None
    recorded_before: int | None = None
    retired_before: int | None = None
    expired_at: int | None = None
    """Only memories whose expires_at is at or before this moment."""
    alive_at: int | None = None
    """Only memories whose expires_at, if they have one, is after this moment."""
    unpinned: bool = False


class Table(NamedTuple):
    """Where rows of a class lie: primary key without the owner, a field of another table, columns named otherwise."""

    row: Any
    key: str = "id"
    elsewhere: str = "owner"
    renamed: Mapping[str, str] = {}

    @property
    def columns(self) -> tuple[str, ...]:
        """The fields of the row, in their order."""
        names = self.row.__dataclass_fields__
        return tuple(self.renamed.get(name, name) for name in names if name != self.elsewhere)


TABLES: dict[str, Table] = {
    "namespace": Table(NamespaceRow),
    "session": Table(SessionRow),
    "memory": Table(MemoryRow),
    "version": Table(VersionRow, "noun id version"),
    "evidence": Table(EvidenceRow, "noun id episode"),
    "tag": Table(TagRow, elsewhere="synonyms"),
    "entity": Table(EntityRow, elsewhere="aliases"),
    "relation": Table(RelationRow),
    "tombstone": Table(TombstoneRow, "namespace fingerprint"),
    "directive": Table(DirectiveRow),
    "step": Table(StepRow),
    "job": Table(JobRow, renamed={"unique": "wish"}),
    "audit": Table(AuditRow, "sequence"),
    "receipt": Table(ReceiptRow, "ref"),
    "trace": Table(TraceRow),
    "usage": Table(UsageRow, "day what"),
    "passage": Table(PassageRow, "doc model"),
    "change": Table(ChangeRow, "sequence"),
    "token": Table(TokenRow),
}
"""Tables with a class of rows; the statements in ``sql/`` take their lists of columns from here."""


class SealedColumn(NamedTuple):
    name: str
    seal: Seal

    @property
    def table(self) -> str:
        return self.seal.table

    @property
    def noun(self) -> str:
        return self.seal.noun or self.seal.table

    def row(self, cells: Mapping[str, object]) -> str:
        """The name of a row, as its bytes are bound to it."""
        return self.seal.row.format_map(cells)


def _sealed_of(row_type: type) -> Iterator[SealedColumn]:
    for name, hint in get_type_hints(row_type, include_extras=True).items():
        yield from (SealedColumn(name, mark) for mark in getattr(hint, "__metadata__", ()) if isinstance(mark, Seal))


def sealed_columns() -> Iterator[SealedColumn]:
    """Every sealed column of the book, as the rows above define them."""
    for value in list(globals().values()):
        if isinstance(value, type) and hasattr(value, "__dataclass_fields__"):
            yield from _sealed_of(value)


@cache
def _sealed_column(row_type: type) -> SealedColumn:
    return next(column for column in _sealed_of(row_type) if column.name == "sealed")


def sealed_as(row: Any) -> tuple[str, str]:
    """Table and name that the bytes in a row's ``sealed`` are bound to."""
    column = _sealed_column(row.__class__)
    return column.noun, column.seal.row.replace("{", "{0.").format(row)


def from_row(noun: type[Noun], row: Any, **values: Any) -> Noun:
    """A noun with the fields of a row, by name, times as datetimes; ``values`` are those that differ from the row's."""
    kind: Any = noun
    times = time_fields(kind)
    for name in field_types(kind):
        if name not in values and hasattr(row, name):
            cell = getattr(row, name)
            values[name] = moment(cell) if cell is not None and name in times else cell
    return noun(**values)
