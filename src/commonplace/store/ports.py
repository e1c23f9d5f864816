"""What the package asks of a store, and of what stands beside it: keyrings, ledger, final acts.

``Store.write(owner)`` and ``Store.read(owner)`` open a transaction; everything inside sees that owner and nothing
else. A write is durable when the ``with`` block ends without raising, and absent as a whole otherwise. Errors of the
driver arrive as ``StoreError`` (``StoreBusy``, ``StoreFull`` …) with the driver's error as ``__cause__``.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from commonplace.store.rows import LedgerEntry
from commonplace.store.statements import BoundQuery

if TYPE_CHECKING:
    from commonplace.store.migrate import Migrated
    from commonplace.store.tables.account import AccountTable
    from commonplace.store.transaction import Transaction


class FinalActs(Protocol):
    """What this transaction forgets, rejects or erases: in the ledger if it commits, and never otherwise."""

    def append(self, entries: Sequence[LedgerEntry]) -> None:
        """Whatever owner the entries name, they are recorded for the transaction's own."""


class Keyrings(Protocol):
    """Wrapped keys, kept beside the book and outside its backups."""

    def get(self, owner: str) -> bytes | None: ...

    def get_all(self, owners: Sequence[str]) -> list[bytes | None]:
        """The records of several owners, read at once."""

    def put(self, owner: str, record: bytes, *, expected: bytes | None, shred: bool = False) -> bool:
        """Compare and set, durably; False if another process wrote first.

        ``shred`` overwrites the record before it, where the engine can.
        """

    def drop(self, owner: str) -> None:
        """Destroy, durably."""

    def owners(self) -> list[str]: ...


class Ledger(Protocol):
    """Final acts, append-only, outside the book's backups. Written through ``Transaction.final_acts``."""

    def entries(self, owner: str | None = None) -> Iterator[LedgerEntry]:
        """Every act whose transaction was committed, in order."""

    def exists(self) -> bool: ...

    def problem(self, mark: str | None) -> str | None:
        """What is wrong with the ledger, judged by ``OwnerRow.ledger``: missing, cut short or replaced."""


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
    def accounts(self) -> "AccountTable": ...

    def write(
        self, owner: str, *, synced: bool = True, prefetch: Sequence[BoundQuery] = ()
    ) -> "AbstractContextManager[Transaction]":
        """A transaction that may write; one writer per owner at a time. Nesting raises ``StoreError``.

        On disk when it ends, unless ``synced`` is False: then a failure of the machine may lose it, whole.
        ``prefetch`` is what will likely be asked in it first: an engine behind a wire may answer that on the way.
        """

    def read(self, owner: str) -> "AbstractContextManager[Transaction]":
        """A consistent snapshot. Inside a ``write`` of the same thread it is that transaction."""

    def read_together(self, owners: Sequence[str]) -> "AbstractContextManager[list[Transaction]]":
        """As ``read`` of each, in that order, all at the same moment and on one connection.

        Where this thread reads one of them already, the others join that moment.
        """

    def revision(self, owner: str) -> int:
        """Cheap: changes whenever any process has committed something of this owner. For caches."""

    def scrub(self) -> bool:
        """Make deleted bytes unreadable where the engine can; False while something (a reader) prevents it."""

    def backup(self, target: Path, *, progress: "Progress | None" = None) -> None:
        """A consistent copy, online, without keyring and ledger. Only where the engine keeps a file."""

    def replace_with(self, source: Path) -> None:
        """Replace the contents by those of another book's file, atomically, while others may have it open.

        Keyring and ledger stay. Only where the engine keeps a file.
        """

    def check(self) -> list[str]:
        """Integrity problems in words; empty if sound."""

    def sizes(self) -> Mapping[str, int]:
        """Bytes on disk per part."""

    def close(self) -> None: ...


class Progress(Protocol):
    def __call__(self, count: int, total: int | None) -> None: ...


__all__ = [name for name, value in globals().items() if getattr(value, "_is_protocol", False)]
