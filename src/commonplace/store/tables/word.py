"""The lexical index: fresh postings as rows, older ones packed in blocks."""

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from operator import attrgetter, itemgetter
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

CELLS = attrgetter("term", "doc", "tf", "length")
Row = tuple[int, int, int, int]
"""(term, doc, tf, length)."""
Block = tuple[int, int, bytes]
"""(term, first, data)."""

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

    def add(self, namespace: str, rows: Sequence[FreshRow], *, new: bool = False) -> None:
        """Frequencies and lengths above 255 are kept as 255: a record has one byte for each."""
        ordered = sorted(map(CELLS, rows), key=itemgetter(0, 1))
        if any(tf > LARGEST or length > LARGEST for _, _, tf, length in ordered):
            ordered = [(term, doc, min(tf, LARGEST), min(length, LARGEST)) for term, doc, tf, length in ordered]
        if len(ordered) >= PACKED_AT_ONCE:
            self._merge(namespace, ordered)
        else:
            self._add_fresh(namespace, ordered, new=new)

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

    def _merge(self, namespace: str, taken: Sequence[Row]) -> None:
        """Put (term, doc, tf, length), in that order, into their blocks."""
        fresh = {term: [row[1:] for row in rows] for term, rows in groupby(taken, key=itemgetter(0))}
        firsts = self._firsts(namespace, list(fresh))
        parts = [
            (term, first, some)
            for term, added in fresh.items()
            for first, some in _by_block(firsts.get(term, ()), added)
        ]
        blocks = self._load(namespace, {(term, first) for term, first, _ in parts}) if firsts else {}
        changed: list[tuple[BlockRow, bytes]] = []
        for term, first, some in parts:
            old = blocks.get((term, first)) or BlockRow(term=term, first=first, data=b"")
            changed.append((old, postings.merge(old.data, some)))
        self._replace(namespace, changed)

    def _add_fresh(self, namespace: str, rows: Sequence[Row], *, new: bool) -> None:
        values = [
            {"namespace": namespace, "term": term, "doc": doc, "tf": tf, "length": length}
            for term, doc, tf, length in rows
        ]
        self._db.run_many(sql("word", "add"), values)

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
        put: list[Block] = []
        for old, data in changed:
            pieces = {postings.first(piece): piece for piece in postings.split(data)}
            if old.data and old.first not in pieces:
                dropped.append({"namespace": namespace, "term": old.term, "first": old.first})
            put += [
                (old.term, first, piece) for first, piece in pieces.items() if first != old.first or piece != old.data
            ]
        if dropped:
            self._db.run_many(sql("word", "block_delete"), dropped)
        if put:
            self._put_blocks(namespace, put)

    def _put_blocks(self, namespace: str, blocks: Sequence[Block]) -> None:
        values = [{"namespace": namespace, "term": term, "first": first, "data": data} for term, first, data in blocks]
        self._db.run_many(sql("word", "block_put"), values)

    def _drop_fresh(self, namespace: str, first: tuple[int, int], last: tuple[int, int]) -> None:
        self._db.run(
            sql("word", "fresh_drop"),
            namespace=namespace,
            first_term=first[0],
            first_doc=first[1],
            last_term=last[0],
            last_doc=last[1],
        )


def _by_block(firsts: Sequence[int], added: list[Posting]) -> list[tuple[int, list[Posting]]]:
    """Postings of one term with the block that each belongs to: nearly always all to the last one."""
    if not firsts or added[0][0] >= firsts[-1]:
        return [(firsts[-1] if firsts else NEW, added)]
    return [(first, list(some)) for first, some in groupby(added, key=lambda posting: _target(firsts, posting[0]))]


def _target(firsts: Sequence[int], doc: int) -> int:
    """The block a document belongs to: the last that starts at or before it, else the first."""
    return firsts[max(bisect_right(firsts, doc) - 1, 0)]
