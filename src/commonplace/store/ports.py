"""What the house asks of a store: one small port per noun, bundled in a transaction of one owner.

``Store.write(owner)`` and ``Store.read(owner)`` open a transaction; everything inside sees that owner and nothing
else. A write is durable when the ``with`` block ends without raising, and absent as a whole otherwise. Errors of the
driver arrive as ``StoreError`` (``StoreBusy``, ``StoreFull`` …) with the driver's error as ``__cause__``.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from commonplace.store.rows import (
    AuditRow,
    BlockRow,
    ChangeRow,
    DirectiveRow,
    EntityRow,
    EvidenceRow,
    Filter,
    JobRow,
    LedgerEntry,
    MemoryRow,
    NamespaceRow,
    OwnerRow,
    ReceiptRow,
    RelationRow,
    SessionRow,
    StepRow,
    TagRow,
    TiedRow,
    TokenRow,
    TombstoneRow,
    TraceRow,
    UsageRow,
    VectorRow,
    VersionRow,
)
from commonplace.store.statements import Asked

if TYPE_CHECKING:
    from commonplace.store.migrate import Migrated


class Owners(Protocol):
    """The account itself: always the transaction's own."""

    def get(self) -> OwnerRow:
        """The owner's row, made on first use. Inside ``write`` it is locked until the transaction ends."""

    def put(self, *, plan: str, timezone: str | None, language: str | None) -> None: ...

    def take_docs(self, count: int) -> int:
        """Reserve ``count`` consecutive document numbers and return the first."""

    def drop(self) -> None:
        """Remove every row of the owner from every table but tokens, usage and the account itself."""


class Changes(Protocol):
    """Every write and delete in commit order, so that caches and feeds miss nothing."""

    def record(self, rows: Sequence[tuple[str, str, str, int | None, str | None]], *, at: int) -> int:
        """Append (noun, id, operation, doc, namespace) each; return the last sequence number."""

    def since(self, sequence: int, *, limit: int = 1000) -> list[ChangeRow]: ...

    def last(self) -> int: ...

    def trim(self, *, before: int) -> int:
        """Drop changes recorded before that moment; return how many."""


class Namespaces(Protocol):
    def put(self, row: NamespaceRow) -> None:
        """Insert, or replace label and sealed name of the same id. A label taken by another id raises ``Conflict``."""

    def get(self, id: str) -> NamespaceRow | None: ...

    def by_label(self, label: bytes) -> NamespaceRow | None: ...

    def all(self) -> list[NamespaceRow]: ...

    def count(self, id: str, *, documents: int, length: int) -> None:
        """Add (or, negative, take away) to the statistics of the word index."""

    def drop(self, id: str) -> None:
        """Remove the namespace and every row in it, from every table."""


class Memories(Protocol):
    """The present state of each memory."""

    def put(self, row: MemoryRow, *, expected: int | None = None) -> None:
        """Insert (``expected`` None) or replace the row whose version is ``expected``, else ``Conflict``."""

    def put_many(self, rows: Sequence[MemoryRow]) -> None:
        """Insert new rows, all or none. An id that is taken raises ``Conflict``, at the latest when the write ends."""

    def get(self, ids: Sequence[str]) -> list[MemoryRow]:
        """The rows that exist, in the order asked."""

    def by_docs(self, docs: Sequence[int]) -> list[MemoryRow]:
        """Rows whose *present* text stands under these numbers, any order."""

    def tied(self, docs: Sequence[int]) -> list[TiedRow]:
        """As ``by_docs``, each with its tags and its evidence: one question instead of three."""

    def by_value(
        self, namespace: str, fingerprints: Sequence[bytes], *, statuses: Sequence[str]
    ) -> tuple[dict[bytes, str], dict[bytes, list[str]]]:
        """What is known of values, in one round trip: why each is tombstoned, and the ids of memories that say it."""

    def find(
        self, filter: Filter, *, after: str | None = None, limit: int = 100, newest: bool = False
    ) -> list[MemoryRow]:
        """A page by id (ids sort by time of making), after the cursor, ascending unless ``newest``."""

    def important(self, filter: Filter, *, after: tuple[float, str] | None = None, limit: int) -> list[MemoryRow]:
        """The rows that fit, highest importance first, then by id; ``after`` is where the last page ended."""

    def docs(self, filter: Filter, *, limit: int) -> list[int] | None:
        """Document numbers of all rows that fit, or None if there are more than ``limit``."""

    def touch(self, ids: Sequence[str], *, at: int) -> None:
        """Count one use each. No version: use is not a change."""

    def set_attributes(self, id: str, attributes: Sequence[bytes]) -> None: ...

    def delete(self, ids: Sequence[str]) -> None:
        """Remove rows with their attributes, tag links, evidence (both ways) and versions."""

    def counts(self) -> list[tuple[str, str, str, str, int, int, int]]:
        """(namespace, kind, category, status, how many, oldest recorded_at, newest recorded_at)."""

    def spread(self, filter: Filter, *, step: int) -> list[tuple[str, int, int]]:
        """(kind, when, how many): those that fit, counted by spans of ``step`` from the beginning of the first year.

        An episode counts when it was said, anything else when it was recorded; ``when`` is where the span begins.
        """

    def doubles(self, namespace: str, statuses: Sequence[str], *, after: bytes, limit: int) -> list[bytes]:
        """Fingerprints that several memories of these statuses share, episodes apart, in their order."""


class Versions(Protocol):
    def put(self, row: VersionRow) -> None:
        """Add a version and close the one before it at the same moment."""

    def put_many(self, rows: Sequence[VersionRow]) -> None:
        """As ``put`` for each; a first version that is there already may be told of only when the write ends."""

    def of(self, noun: str, id: str) -> list[VersionRow]:
        """All states, oldest first."""

    def at(self, noun: str, ids: Sequence[str], known_at: int) -> list[VersionRow]:
        """For each id the state that stood at that moment, where one did."""

    def by_docs(self, docs: Sequence[int], *, known_at: int) -> list[VersionRow]:
        """States of memories that stood at that moment under these document numbers."""

    def page(self, noun: str, *, after: tuple[str, int], limit: int) -> list[VersionRow]:
        """Every version, ordered by id and version: for re-sealing, export and checks."""

    def replace(self, row: VersionRow) -> None:
        """Write the same version again (re-sealed or redacted)."""

    def delete(self, noun: str, ids: Sequence[str]) -> None: ...


class Evidences(Protocol):
    def put(self, rows: Sequence[EvidenceRow]) -> None:
        """Idempotent per (noun, id, episode)."""

    def of(self, noun: str, ids: Sequence[str]) -> list[EvidenceRow]: ...

    def resting_on(self, episodes: Sequence[str]) -> list[EvidenceRow]:
        """What is believed because of these episodes."""

    def move(self, noun: str, source: str, target: str) -> None: ...

    def delete(self, noun: str, ids: Sequence[str], *, episodes: Sequence[str] | None = None) -> None: ...


class Sessions(Protocol):
    def put(self, row: SessionRow) -> None: ...

    def by_label(self, namespace: str, label: bytes) -> SessionRow | None: ...

    def get(self, ids: Sequence[str]) -> list[SessionRow]: ...

    def all(self, *, namespace: str | None = None) -> list[SessionRow]: ...

    def delete(self, ids: Sequence[str]) -> None: ...


class Tags(Protocol):
    def put(self, row: TagRow) -> None:
        """Insert or replace, with its synonyms. A label or synonym taken by another tag raises ``Conflict``."""

    def get(self, ids: Sequence[str]) -> list[TagRow]: ...

    def by_label(self, namespace: str, label: bytes) -> TagRow | None:
        """By its own label or a synonym's."""

    def all(self, namespace: str) -> list[tuple[TagRow, int]]:
        """Each tag with the number of its links."""

    def links(self, noun: str, ids: Sequence[str]) -> dict[str, tuple[str, ...]]:
        """Tag ids per memory or entity."""

    def set_links(self, noun: str, id: str, tags: Sequence[str]) -> None: ...

    def linked(self, tag: str) -> list[tuple[str, str]]:
        """(noun, id) of everything tied to it."""

    def delete(self, id: str) -> None: ...


class Entities(Protocol):
    def put(self, row: EntityRow, *, expected: int | None = None) -> None: ...

    def get(self, ids: Sequence[str]) -> list[EntityRow]: ...

    def by_label(self, namespaces: Sequence[str], label: bytes) -> list[EntityRow]:
        """By label or alias, any type."""

    def all(self, namespaces: Sequence[str], *, after: str | None = None, limit: int = 100) -> list[EntityRow]: ...

    def delete(self, ids: Sequence[str]) -> None: ...


class Relations(Protocol):
    def put(self, row: RelationRow, *, expected: int | None = None) -> None: ...

    def get(self, ids: Sequence[str]) -> list[RelationRow]: ...

    def find(
        self,
        namespaces: Sequence[str],
        *,
        subjects: Sequence[str] = (),
        predicates: Sequence[str] = (),
        objects: Sequence[str] = (),
        either: Sequence[str] = (),
        statuses: Sequence[str] = (),
        valid_at: int | None = None,
        after: str | None = None,
        limit: int = 100,
    ) -> list[RelationRow]:
        """A page by id; ``either`` asks for an entity on any end."""

    def surest(
        self,
        namespaces: Sequence[str],
        *,
        types: Sequence[str],
        sources: Sequence[str],
        statuses: Sequence[str],
        valid_at: int,
        limit: int,
    ) -> list[RelationRow]:
        """Those with an end of one of ``types``, most confident first, the earlier first among equals.

        Verified ones, and others that one of ``sources`` told.
        """

    def by_fingerprint(self, namespace: str, fingerprint: bytes) -> list[RelationRow]: ...

    def delete(self, ids: Sequence[str]) -> None: ...


class Tombstones(Protocol):
    def put(self, rows: Sequence[TombstoneRow]) -> None: ...

    def among(self, namespace: str, fingerprints: Sequence[bytes]) -> list[TombstoneRow]: ...

    def all(self, *, namespace: str | None = None) -> list[TombstoneRow]: ...

    def lift(self, namespace: str, fingerprints: Sequence[bytes]) -> int: ...


class Directives(Protocol):
    def put(self, row: DirectiveRow, *, expected: int | None = None) -> None: ...

    def get(self, id: str) -> DirectiveRow | None: ...

    def all(self, namespaces: Sequence[str], *, statuses: Sequence[str] = ()) -> list[DirectiveRow]: ...

    def lease(self, id: str, *, holder: str, now: int, until: int) -> bool:
        """Take or prolong the right to run it; False while somebody else holds it."""

    def release(self, id: str, *, holder: str) -> None: ...

    def delete(self, id: str) -> None: ...


class Steps(Protocol):
    def put(self, row: StepRow, *, expected: int | None = None) -> None: ...

    def get(self, id: str) -> StepRow | None: ...

    def of(self, directive: str) -> list[StepRow]:
        """In their order."""

    def delete(self, id: str) -> None: ...


class Jobs(Protocol):
    def put(self, row: JobRow) -> bool:
        """Insert or replace by id; False (and nothing changed) if ``unique`` is taken by another unfinished job."""

    def lease(self, *, kinds: Sequence[str], now: int, until: int, holder: str, limit: int = 1) -> list[JobRow]:
        """Take due jobs, and those whose lease ran out. No two holders get the same one.

        ``kinds`` empty means any. Taking counts as an attempt, so that a job that kills its runner dies out too.
        """

    def finish(self, id: str, *, holder: str, at: int) -> bool:
        """Mark it done; False if the lease was lost meanwhile."""

    def get(self, id: str) -> JobRow | None: ...

    def all(self, *, states: Sequence[str] = (), kinds: Sequence[str] = (), limit: int = 100) -> list[JobRow]: ...

    def counts(self) -> dict[tuple[str, str], int]:
        """How many per (kind, state)."""

    def delete(self, *, finished_before: int) -> int: ...


class Audits(Protocol):
    def append(self, rows: Sequence[AuditRow]) -> None: ...

    def last(self) -> AuditRow | None: ...

    def page(self, *, after: int = 0, limit: int = 1000) -> list[AuditRow]: ...

    def drop_reasons(self, targets: Sequence[str]) -> None:
        """Of acts on these; their digests stay, and so does the chain."""

    def reseal(self, sequence: int, reason: bytes | None) -> None: ...


class Receipts(Protocol):
    def put(self, row: ReceiptRow) -> None: ...

    def get(self, ref: str) -> ReceiptRow | None: ...

    def page(self, *, before: str | None = None, limit: int = 100, actions: Sequence[str] = ()) -> list[ReceiptRow]:
        """Newest first."""

    def at(self, times: Sequence[int]) -> list[ReceiptRow]:
        """Those of exactly these times."""

    def delete(self, refs: Sequence[str]) -> None: ...


class Traces(Protocol):
    def put(self, row: TraceRow) -> None: ...

    def get(self, id: str) -> TraceRow | None: ...

    def page(
        self, kind: str, *, target: str | None = None, before: str | None = None, limit: int = 100
    ) -> list[TraceRow]:
        """Newest first."""

    def delete(self, *, kind: str | None = None, before: int | None = None, ids: Sequence[str] = ()) -> int: ...


class Usage(Protocol):
    def add(self, day: str, what: str, *, calls: int, tokens: int) -> None: ...

    def of(self, day: str) -> list[UsageRow]: ...

    def page(self, *, since: str) -> list[UsageRow]: ...


class Words(Protocol):
    """The lexical index: postings of blinded terms, fresh ones as rows, older ones packed in blocks."""

    def fetch(self, namespace: str, terms: Sequence[int]) -> dict[int, bytes]:
        """Every posting of each term, packed records joined (blocks, then fresh), in one round trip."""

    def add(self, namespace: str, rows: Sequence[tuple[int, int, int, int]], *, new: bool = False) -> None:
        """The cells of a ``FreshRow`` each, or one itself; ``new``: these documents have no postings here yet, and
        nobody needs to look for them.
        """

    def remove(self, namespace: str, docs: Sequence[int], terms: Sequence[int] | None) -> None:
        """Take documents out of blocks and fresh rows; ``terms`` None searches every block of the namespace."""

    def pack(self, namespace: str, *, limit: int) -> int:
        """Move up to ``limit`` fresh postings into blocks; return how many moved."""

    def fresh(self, namespace: str) -> int:
        """How many postings wait to be packed."""

    def blocks(self, namespace: str, *, after: tuple[int, int] | None, limit: int) -> list[BlockRow]: ...

    def clear(self, namespace: str) -> None: ...


class Vectors(Protocol):
    def put(self, namespace: str, model: str, rows: Sequence[VectorRow], *, new: bool = False) -> None:
        """``new``: these documents have no vectors here yet, and nobody needs to look for them."""

    def load(self, namespace: str, model: str, *, docs: Sequence[int] | None = None) -> Iterator[list[VectorRow]]:
        """All rows (or those of ``docs``) in batches, by doc and part."""

    def joined(
        self, namespace: str, model: str, *, docs: Sequence[int] | None = None
    ) -> Iterator[tuple[list[int], bytes]]:
        """As ``load``, each batch as the documents of its rows and their bytes one after another."""

    def nearest(self, namespace: str, model: str, question: bytes, *, limit: int) -> list[tuple[int, int]] | None:
        """(doc, inner product) best first by the engine's own means, or None: then the caller scans."""

    def multiplied(self, namespace: str, model: str, question: bytes) -> Callable[[], bytes] | None:
        """Where to ask for the document and the inner product of every row, two big-endian numbers of four bytes each,
        in any order; the way to the engine may be shared with what is asked before. None where the rows are near, and
        the caller multiplies.
        """

    def index(self, namespace: str, model: str, *, limit: int) -> int:
        """Move up to ``limit`` rows into the engine's own index, where it has one; return how many moved."""

    def missing(self, namespace: str, model: str, *, limit: int) -> list[int]:
        """Documents that stand for a memory's present text and have no vector of this model."""

    def counts(self) -> list[tuple[str, str, int]]:
        """(namespace, model, documents)."""

    def delete(self, docs: Sequence[int]) -> None: ...

    def drop_model(self, namespace: str, model: str) -> None: ...


class Tables(Protocol):
    """Every row of the owner as it lies there, whatever it means: for copying and for sealing anew."""

    def names(self) -> tuple[str, ...]:
        """All tables but the owner's own row, in an order in which they can be written."""

    def key(self, table: str, row: Mapping[str, Any]) -> tuple[Any, ...]: ...

    def page(self, table: str, *, after: Sequence[Any] | None, limit: int) -> list[dict[str, Any]]:
        """Rows by column, in the order of their keys, after the key given."""

    def put(self, table: str, rows: Sequence[dict[str, Any]]) -> None:
        """Insert, or replace what has the same key. Says nothing in the change table."""

    def count(self, table: str) -> int: ...

    def account(self) -> dict[str, Any] | None:
        """The owner's own row, if there is one."""

    def put_account(self, row: dict[str, Any]) -> None: ...


class Transaction(Protocol):
    """The ports of one owner, at one moment."""

    @property
    def owner(self) -> str: ...
    @property
    def revision(self) -> int | None:
        """As ``Store.revision``, of what is seen here: two transactions that say the same see the same rows of the
        owner. None inside ``write``, where that does not hold.
        """

    @property
    def owners(self) -> Owners: ...
    @property
    def changes(self) -> Changes: ...
    @property
    def namespaces(self) -> Namespaces: ...
    @property
    def memories(self) -> Memories: ...
    @property
    def versions(self) -> Versions: ...
    @property
    def evidence(self) -> Evidences: ...
    @property
    def sessions(self) -> Sessions: ...
    @property
    def tags(self) -> Tags: ...
    @property
    def entities(self) -> Entities: ...
    @property
    def relations(self) -> Relations: ...
    @property
    def tombstones(self) -> Tombstones: ...
    @property
    def directives(self) -> Directives: ...
    @property
    def steps(self) -> Steps: ...
    @property
    def jobs(self) -> Jobs: ...
    @property
    def audit(self) -> Audits: ...
    @property
    def receipts(self) -> Receipts: ...
    @property
    def traces(self) -> Traces: ...
    @property
    def usage(self) -> Usage: ...
    @property
    def words(self) -> Words: ...
    @property
    def vectors(self) -> Vectors: ...
    @property
    def tables(self) -> Tables: ...


class Keyrings(Protocol):
    """Wrapped keys, kept beside the book and outside its backups."""

    def get(self, owner: str) -> bytes | None: ...

    def put(self, owner: str, record: bytes, *, expected: bytes | None) -> bool:
        """Compare and set, durably; False if another process wrote first."""

    def drop(self, owner: str) -> None:
        """Destroy, durably."""

    def owners(self) -> list[str]: ...


class Ledger(Protocol):
    """Final acts, append-only, durable when ``append`` returns, outside the book's backups."""

    def append(self, entries: Sequence[LedgerEntry]) -> None: ...

    def entries(self, owner: str | None = None) -> Iterator[LedgerEntry]: ...

    def exists(self) -> bool: ...


class Accounts(Protocol):
    """What must be known before an owner is: tokens, owners, work that waits, leases of the whole house."""

    def token(self, hash: bytes) -> TokenRow | None: ...

    def put_token(self, row: TokenRow) -> None: ...

    def tokens(self, owner: str) -> list[TokenRow]: ...

    def owners(self) -> list[OwnerRow]: ...

    def due_owners(self, now: int) -> list[str]:
        """Owners with a job that is due or whose lease ran out."""

    def lease(self, name: str, *, holder: str, now: int, until: int) -> bool:
        """Take or prolong a named lease; False while somebody else holds it."""

    def release(self, name: str, *, holder: str) -> None: ...

    def schema(self) -> int:
        """The number of the newest migration that the book has had, by whatever release."""


class Store(Protocol):
    """One book's rows. Threads may share it; a forked child opens its own connections by itself."""

    engine: str
    """``sqlite`` or ``postgres``."""

    migrated: "Migrated | None"
    """What opening it changed in an older book, if anything."""

    @property
    def place(self) -> str:
        """Where it lives, fit for a message: a path, or a URL without its password."""

    @property
    def keyrings(self) -> Keyrings: ...

    @property
    def ledger(self) -> Ledger: ...

    @property
    def accounts(self) -> Accounts: ...

    def write(
        self, owner: str, *, synced: bool = True, foreseen: Sequence[Asked] = ()
    ) -> AbstractContextManager[Transaction]:
        """A transaction that may write; one writer per owner at a time. Nesting raises ``StoreError``.

        On disk when it ends, unless ``synced`` is False: then a failure of the machine may lose it, whole.
        ``foreseen`` is what will likely be asked in it first: an engine behind a wire may answer that on the way.
        """

    def read(self, owner: str) -> AbstractContextManager[Transaction]:
        """A consistent snapshot. Inside a ``write`` of the same thread it is that transaction."""

    def revision(self, owner: str) -> int:
        """Cheap: changes whenever any process has committed something of this owner. For caches."""

    def scrub(self) -> bool:
        """Make deleted bytes unreadable where the engine can; False while something (a reader) prevents it."""

    def backup(self, target: Path, *, progress: "Progress | None" = None) -> None:
        """A consistent copy, online, without keyring and ledger. Only where the engine keeps a file."""

    def replace_with(self, source: Path) -> None:
        """Put the contents of another book's file in the place of this one, at once, while others may have it open.

        Keyring and ledger stay. Only where the engine keeps a file.
        """

    def check(self) -> list[str]:
        """Integrity problems in words; empty if sound."""

    def sizes(self) -> Mapping[str, int]:
        """Bytes on disk per part."""

    def close(self) -> None: ...


class Progress(Protocol):
    def __call__(self, done: int, total: int | None) -> None: ...


__all__ = [name for name, value in globals().items() if getattr(value, "_is_protocol", False)]
