"""The lexical index: fresh postings as rows, older ones packed in blocks."""

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from operator import itemgetter
from typing import Any

from commonplace.store.rows import BlockRow, FreshRow
from commonplace.store.statements import Connection, sql
from commonplace.store.tables import postings
from commonplace.store.tables.postings import LARGEST, Posting

SCAN = 500
"""Blocks read at once where a whole namespace is gone through."""
MANY = 64
"""Documents above which looking for each in a block costs more than reading the block."""


PACKED_AT_ONCE = 4_000
"""Postings written together from which on the way over fresh rows costs more than it saves."""

NEW = -1
"""The key of a block that does not stand yet: no document has this number."""


class WordTable:
    def __init__(self, db: Connection) -> None:
        self._db = db

    def fetch(self, namespace: str, terms: Sequence[int]) -> dict[int, bytes]:
        packed: dict[int, list[tuple[int, bytes]]] = {}
        fresh: dict[int, list[Posting]] = {}
        for term, doc, data, tf, length in self._db.run(sql("word", "fetch"), namespace=namespace, terms=list(terms)):
            if data is None:
                fresh.setdefault(term, []).append((doc, tf, length))
            else:
                packed.setdefault(term, []).append((doc, data))
        return {
            term: b"".join([data for _, data in sorted(packed.get(term, []))])
            + postings.pack(sorted(fresh.get(term, [])))
            for term in packed.keys() | fresh.keys()
        }

    def add(self, namespace: str, rows: Sequence[FreshRow]) -> None:
        """Frequencies and lengths above 255 are kept as 255: a record has one byte for each."""
        ordered = sorted(rows, key=lambda row: (row.term, row.doc))
        if len(ordered) >= PACKED_AT_ONCE:
            few = [(row.term, row.doc, min(row.tf, LARGEST), min(row.length, LARGEST)) for row in ordered]
            self._merge(namespace, few)
            return
        self._db.run_many(
            sql("word", "add"),
            [
                {
                    "namespace": namespace,
                    "term": row.term,
                    "doc": row.doc,
                    "tf": min(row.tf, LARGEST),
                    "length": min(row.length, LARGEST),
                }
                for row in ordered
            ],
        )

    def remove(self, namespace: str, docs: Sequence[int], terms: Sequence[int] | None) -> None:
        gone = frozenset(docs)
        if terms is None:
            self._db.run(sql("word", "fresh_remove_anywhere"), namespace=namespace, docs=sorted(gone))
            blocks: Iterable[BlockRow] = self._every_block(namespace)
        else:
            wanted = sorted(set(terms))
            self._db.run(sql("word", "fresh_remove"), namespace=namespace, terms=wanted, docs=sorted(gone))
            blocks = self._blocks_with(namespace, wanted, gone)
        for block in blocks:
            if len(gone) > MANY or postings.holds(block.data, gone):
                self._replace(namespace, [(block, postings.without(block.data, gone))])

    def pack(self, namespace: str, *, limit: int) -> int:
        taken = self._db.run(sql("word", "fresh_take"), namespace=namespace, limit=limit)
        if not taken:
            return 0
        self._merge(namespace, taken)
        self._drop_fresh(namespace, taken[0][:2], taken[-1][:2])
        return len(taken)

    def _merge(self, namespace: str, taken: Sequence[tuple[int, int, int, int]]) -> None:
        """Put (term, doc, tf, length), in that order, into their blocks."""
        fresh = {term: [(doc, tf, n) for _, doc, tf, n in rows] for term, rows in groupby(taken, key=itemgetter(0))}
        firsts = self._firsts(namespace, list(fresh))
        targets = {
            (term, _target(firsts.get(term, []), posting[0])) for term, added in fresh.items() for posting in added
        }
        blocks = self._load(namespace, targets) if firsts else {}
        changed: list[tuple[BlockRow, bytes]] = []
        for term, added in fresh.items():
            starts = firsts.get(term, [])
            for first, some in groupby(added, key=lambda posting: _target(starts, posting[0])):
                old = blocks.get((term, first)) or BlockRow(term=term, first=first, data=b"")
                changed.append((old, postings.merge(old.data, some)))
        self._replace(namespace, changed)

    def fresh(self, namespace: str) -> int:
        return int(self._db.run(sql("word", "fresh_count"), namespace=namespace)[0][0])

    def blocks(self, namespace: str, *, after: tuple[int, int] | None, limit: int) -> list[BlockRow]:
        if after is None:
            found = self._db.run(sql("word", "blocks_first"), namespace=namespace, limit=limit)
        else:
            found = self._db.run(
                sql("word", "blocks_next"), namespace=namespace, term=after[0], first=after[1], limit=limit
            )
        return [BlockRow(term=term, first=first, data=data) for term, first, data in found]

    def clear(self, namespace: str) -> None:
        self._db.run(sql("word", "clear_blocks"), namespace=namespace)
        self._db.run(sql("word", "clear_fresh"), namespace=namespace)

    def _every_block(self, namespace: str) -> Iterator[BlockRow]:
        page = self.blocks(namespace, after=None, limit=SCAN)
        while page:
            yield from page
            page = self.blocks(namespace, after=(page[-1].term, page[-1].first), limit=SCAN)

    def _blocks_with(self, namespace: str, terms: list[int], docs: frozenset[int]) -> list[BlockRow]:
        """The blocks of these terms whose range covers one of the documents."""
        firsts = self._firsts(namespace, terms)
        covered = {(term, _target(starts, doc)) for term, starts in firsts.items() for doc in docs}
        return list(self._load(namespace, covered).values())

    def _firsts(self, namespace: str, terms: list[int]) -> dict[int, list[int]]:
        found: dict[int, list[int]] = {}
        for term, first in self._db.run(sql("word", "firsts"), namespace=namespace, terms=terms):
            found.setdefault(term, []).append(first)
        return found

    def _load(self, namespace: str, keys: set[tuple[int, int]]) -> dict[tuple[int, int], BlockRow]:
        """Every wanted block; the few unwanted ones that share a term and a first are left out."""
        terms, firsts = sorted({term for term, _ in keys}), sorted({first for _, first in keys})
        found = self._db.run(sql("word", "blocks_some"), namespace=namespace, terms=terms, firsts=firsts)
        return {
            (term, first): BlockRow(term=term, first=first, data=data)
            for term, first, data in found
            if (term, first) in keys
        }

    def _replace(self, namespace: str, changed: Iterable[tuple[BlockRow, bytes]]) -> None:
        """Write what changed of some blocks: each is keyed by its first document and may have grown to several."""
        dropped: list[dict[str, Any]] = []
        put: list[dict[str, Any]] = []
        for old, data in changed:
            pieces = {postings.first(piece): piece for piece in postings.split(data)}
            key = {"namespace": namespace, "term": old.term}
            if old.data and old.first not in pieces:
                dropped.append({**key, "first": old.first})
            put += [
                {**key, "first": first, "data": piece}
                for first, piece in pieces.items()
                if (first, piece) != (old.first, old.data)
            ]
        if dropped:
            self._db.run_many(sql("word", "block_delete"), dropped)
        if put:
            self._db.run_many(sql("word", "block_put"), put)

    def _drop_fresh(self, namespace: str, first: tuple[int, int], last: tuple[int, int]) -> None:
        self._db.run(
            sql("word", "fresh_drop"),
            namespace=namespace,
            first_term=first[0],
            first_doc=first[1],
            last_term=last[0],
            last_doc=last[1],
        )


def _target(firsts: list[int], doc: int) -> int:
    """The block a document belongs to: the last that starts at or before it, else the first, else a new one."""
    return firsts[max(bisect_right(firsts, doc) - 1, 0)] if firsts else NEW
