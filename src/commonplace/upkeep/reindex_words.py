"""Reindexes the words of many texts at once: adds what the index lacks, removes what no text has any more.

One pass over the index per chunk of texts, and only differences are written: if the words are already right, nothing is
written or locked.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from operator import itemgetter
from typing import TYPE_CHECKING

from commonplace.memories import indexing
from commonplace.memories.codec import StoredMemory
from commonplace.memories.scope import Scope
from commonplace.store.rows import FreshRow
from commonplace.store.tables.postings import RECORD
from commonplace.store.transaction import Transaction

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

SCANNED = 500
"""Blocks read at once."""
WRITTEN = 20_000
"""Maximum postings per transaction, so that other writers wait only milliseconds."""
FED = 1_000

Posting = tuple[int, int, int, int]
"""Term, document, frequency with flags, length."""


@dataclass(slots=True)
class Wanted:
    """The postings that the texts of a chunk should have in one namespace."""

    docs: set[int] = field(default_factory=set)
    postings: list["NDArray[np.int64]"] = field(default_factory=list)

    def sorted(self) -> "NDArray[np.int64]":
        """One row per posting, sorted by term and document."""
        import numpy as np  # noqa: PLC0415  # only a reindex pays for it

        every = np.concatenate(self.postings) if self.postings else np.empty((0, 4), np.int64)
        return every[np.lexsort((every[:, 1], every[:, 0]))]


class Chunk:
    """Texts whose words are compared with the index. ``since`` is the position of the change feed before they were
    read.
    """

    def __init__(self, scope: Scope, since: int) -> None:
        self._scope, self._since = scope, since
        self._places: dict[str, Wanted] = {}

    def add(self, memories: Iterable[StoredMemory]) -> None:
        """Add each text once: versions with the same text share its number."""
        import numpy as np  # noqa: PLC0415  # only a reindex pays for it

        vault, language, zone = self._scope.vault, self._scope.language, self._scope.zone
        packed: dict[str, list[Posting]] = {}
        for memory in memories:
            place, doc = memory.row.namespace, memory.row.doc
            expected = self._places.setdefault(place, Wanted())
            if doc not in expected.docs:
                expected.docs.add(doc)
                rows, _ = indexing.postings(vault, memory, language=language, zone=zone)
                packed.setdefault(place, []).extend((row.term, doc, row.tf, row.length) for row in rows)
        for place, postings in packed.items():
            self._places[place].postings.append(np.array(postings, np.int64).reshape(-1, 4))

    def write(self) -> bool:
        """Write the differences; False if so much has changed meanwhile that the texts must be read again."""
        for place, expected in self._places.items():
            with self._scope.store.read(self._scope.owner) as tx:
                if tx.namespaces.get(place) is None:
                    continue
                missing, stale = compared(tx, place, expected)
            for batch in _batches(missing):
                if not self._put(place, batch):
                    return False
            for batch in _batches(stale):
                with self._scope.store.write(self._scope.owner) as tx:
                    for term, rows in groupby(batch, key=itemgetter(0)):
                        tx.words.remove(place, [row[1] for row in rows], [term])
        return True

    def _put(self, place: str, batch: Sequence[Posting]) -> bool:
        """Skip texts that were forgotten since they were read: their words must not return."""
        with self._scope.store.write(self._scope.owner) as tx:
            removed: set[int] = set()
            after = self._since
            while page := tx.changes.since(after, limit=FED):
                after = page[-1].sequence
                deleted = [row for row in page if row.operation == "delete"]
                if any(row.noun == "owner" for row in page) or place in {row.id for row in deleted}:
                    return False
                removed.update(row.doc for row in deleted if row.doc is not None)
            rows = [FreshRow(term=t, doc=d, tf=tf, length=n) for t, d, tf, n in batch if d not in removed]
            if rows:
                tx.words.add(place, rows)
        return True


def compared(tx: Transaction, place: str, expected: Wanted) -> tuple["NDArray[np.int64]", "NDArray[np.int64]"]:
    """The postings that the index lacks or has with other values, and superfluous ones of the same texts."""
    import numpy as np  # noqa: PLC0415  # only a reindex pays for it

    every = expected.sorted()
    terms, ranks = np.unique(every[:, 0], return_inverse=True)
    keys = _keys(ranks.reshape(-1), every[:, 1])
    right = np.zeros(len(every), bool)
    covered = np.zeros(max(expected.docs, default=0) + 1, bool)
    covered[list(expected.docs)] = True
    stale = [np.empty((0, 4), np.int64)]
    for page in every_posting(tx, place):
        page = page[page[:, 1] < len(covered)]
        page = page[covered[page[:, 1]]]
        rank = np.minimum(np.searchsorted(terms, page[:, 0]), max(len(terms) - 1, 0))
        at = np.minimum(np.searchsorted(keys, _keys(rank, page[:, 1])), max(len(keys) - 1, 0))
        matching = (every[at][:, :2] == page[:, :2]).all(axis=1) if len(every) else np.zeros(len(page), bool)
        same = matching.copy()
        same[matching] = (every[at[matching]] == page[matching]).all(axis=1)
        right[at[same]] = True
        stale.append(page[~matching])
    return every[~right], np.concatenate(stale)


def _keys(ranks: "NDArray[np.int64]", docs: "NDArray[np.int64]") -> "NDArray[np.int64]":
    """A unique number for each pair of term and document; documents have four bytes."""
    return (ranks << 32) | docs


def every_posting(tx: Transaction, place: str) -> Iterator["NDArray[np.int64]"]:
    """Every posting of a namespace, packed and fresh, in portions."""
    import numpy as np  # noqa: PLC0415  # only a reindex pays for it

    after: tuple[int, int] | None = None
    while blocks := tx.words.blocks(place, after=after, limit=SCANNED):
        data = np.frombuffer(b"".join(block.data for block in blocks), np.uint8).reshape(-1, RECORD.size)
        array = np.empty((len(data), 4), np.int64)
        array[:, 0] = np.repeat([block.term for block in blocks], [len(block.data) // RECORD.size for block in blocks])
        array[:, 1] = np.ascontiguousarray(data[:, :4]).view("<u4").ravel()
        array[:, 2:] = data[:, 4:]
        yield array
        after = (blocks[-1].term, blocks[-1].first)
    loose: tuple[object, ...] | None = (place, -(2**63), 0)
    while loose is not None and (rows := tx.tables.page("fresh", after=loose, limit=SCANNED * 10)):
        postings = [(row["term"], row["doc"], row["tf"], row["length"]) for row in rows if row["namespace"] == place]
        yield np.array(postings, np.int64).reshape(-1, 4)
        loose = tx.tables.key("fresh", rows[-1]) if len(postings) == len(rows) else None


def _batches(rows: "NDArray[np.int64]") -> Iterator[list[Posting]]:
    """In order of term and document, as plain integers: a driver would bind numpy's as bytes."""
    import numpy as np  # noqa: PLC0415  # only a reindex pays for it

    ordered = rows[np.lexsort((rows[:, 1], rows[:, 0]))]
    for start in range(0, len(ordered), WRITTEN):
        yield [(t, d, tf, n) for t, d, tf, n in ordered[start : start + WRITTEN].tolist()]
