"""The tables of one owner at one moment, made when first asked for."""

import os
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from functools import cached_property
from typing import TYPE_CHECKING, TypeVar

from commonplace.clock import Clock
from commonplace.errors import StoreError
from commonplace.store.statements import Answer, TableConnection
from commonplace.store.tables.account import ChangeTable, OwnerTable, UsageTable
from commonplace.store.tables.all_tables import WholeTable
from commonplace.store.tables.graph import EntityTable, RelationTable
from commonplace.store.tables.memory import MemoryTable
from commonplace.store.tables.place import NamespaceTable, SessionTable, TagTable, TombstoneTable
from commonplace.store.tables.record import AuditTable, ReceiptTable, TraceTable
from commonplace.store.tables.vector import PassageTable, VectorTable
from commonplace.store.tables.version import EvidenceTable, VersionTable
from commonplace.store.tables.word import WordTable
from commonplace.store.tables.work import DirectiveTable, JobTable, StepTable

if TYPE_CHECKING:
    from commonplace.store.ports import FinalActs


Table = TypeVar("Table")


def _table(kind: Callable[[TableConnection], Table]) -> "cached_property[Table]":
    return cached_property(lambda transaction: kind(transaction._db))


class Transaction:
    """One owner's tables at one moment; ``vectors``, ``words`` and ``final_acts`` are the engine's own."""

    namespaces = _table(NamespaceTable)
    memories = _table(MemoryTable)
    versions = _table(VersionTable)
    evidence = _table(EvidenceTable)
    sessions = _table(SessionTable)
    tags = _table(TagTable)
    entities = _table(EntityTable)
    relations = _table(RelationTable)
    tombstones = _table(TombstoneTable)
    directives = _table(DirectiveTable)
    steps = _table(StepTable)
    jobs = _table(JobTable)
    audit = _table(AuditTable)
    receipts = _table(ReceiptTable)
    traces = _table(TraceTable)
    usage = _table(UsageTable)
    passages = _table(PassageTable)

    def __init__(
        self,
        db: TableConnection,
        clock: Clock,
        *,
        vectors: VectorTable,
        words: WordTable,
        final_acts: "Callable[[OwnerTable], FinalActs]",
        key_record: Callable[[], bytes | None],
        writing: bool,
    ) -> None:
        self._db, self._clock = db, clock
        self.vectors, self.words = vectors, words
        self._final_acts = final_acts
        self.key_record = key_record
        """Gives the owner's record in the keyring."""
        self.writing = writing

    @property
    def owner(self) -> str:
        return self._db.owner

    @property
    def connection(self) -> TableConnection:
        """The engine's connection."""
        return self._db

    @property
    def revision(self) -> int | None:
        """As ``Store.revision``, of what is seen here: two transactions that say the same see the same rows of the
        owner. None inside ``write``, where that does not hold.
        """
        return None if self.writing else self.owners.revision()

    def soon(self, read: Callable[[], Answer]) -> Callable[[], Answer]:
        """What ``read`` will return, when it is called: it asks on the way of the next question.

        It asks without looking at an answer: an engine behind a wire calls it twice, at first with empty answers.
        """
        return self._db.soon(read)

    def ahead(self, *reads: Callable[[], object]) -> None:
        """Inside ``write``: answer together what these calls will ask. They may be called several times, and only read.

        The first calls see empty answers. An engine without a wire does nothing.
        """
        self._db.ahead(*reads)

    @cached_property
    def owners(self) -> OwnerTable:
        return OwnerTable(self._db, self._clock, afterwards=self._look_again)

    @cached_property
    def changes(self) -> ChangeTable:
        return ChangeTable(self._db, self.owners)

    @cached_property
    def tables(self) -> WholeTable:
        return WholeTable(self._db, self.vectors.codec, afterwards=self._look_again)

    @cached_property
    def final_acts(self) -> "FinalActs":
        return self._final_acts(self.owners)

    def _look_again(self) -> None:
        """Clear the tables' caches: their rows may have been written by other means."""
        self.owners.forget()
        self.namespaces.forget()


Begin = Callable[[list[str], Transaction | None], AbstractContextManager[Iterable[Transaction]]]
"""From owners, and a transaction that they join, to a transaction of each."""


class OpenTransactions(threading.local):
    """The transactions that this thread has open, by owner; a forked child starts without any."""

    def __init__(self) -> None:
        self._process, self._by_owner = 0, dict[str, Transaction]()

    def refuse_second_write(self, place: str) -> None:
        if any(transaction.writing for transaction in self._here().values()):
            raise StoreError(f"{place}: this thread is writing already; a write cannot hold another")

    @contextmanager
    def opened(self, owner: str, transaction: Transaction) -> Iterator[Transaction]:
        here = self._here()
        shadowed = here.get(owner)
        here[owner] = transaction
        try:
            yield transaction
        finally:
            here.pop(owner, None)
            if shadowed is not None:
                here[owner] = shadowed

    @contextmanager
    def together(self, owners: Sequence[str], begin: Begin) -> Iterator[list[Transaction]]:
        """The transaction of each owner; those that are not open are begun, all at once, until the block ends.

        Where one is open for reading, the others join it.
        """
        here = self._here()
        opening = [owner for owner in dict.fromkeys(owners) if owner not in here]
        if not opening:
            yield [here[owner] for owner in owners]
            return
        joined = next((here[owner] for owner in owners if owner in here and not here[owner].writing), None)
        with begin(opening, joined) as begun:
            try:
                here.update(zip(opening, begun, strict=True))
                yield [here[owner] for owner in owners]
            finally:
                for owner in opening:
                    here.pop(owner, None)

    def _here(self) -> dict[str, Transaction]:
        if self._process != os.getpid():
            self._process, self._by_owner = os.getpid(), {}
        return self._by_owner
