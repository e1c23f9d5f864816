"""The lexical index: fresh postings as rows, older ones packed in blocks."""

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import Any

from commonplace.store.rows import BlockRow, FreshRow
from commonplace.store.statements import BoundQuery, sql
from commonplace.store.tables import postings
from commonplace.store.tables.postings import SIZE, Columns, Posting, Row
from commonplace.store.tables.shape import OwnedRows

SCAN = 500
"""Blocks read at once where a whole namespace is gone through."""
MANY = 64
"""Documents above which looking for each in a block costs more than reading the block."""


PACKED_AT_ONCE = 4_000
"""Postings written together from which on the way over fresh rows costs more than it saves."""

Block = tuple[int, int, bytes]
"""(term, first, data)."""
Change = tuple[int, int, bytes, bytes]
"""(term, first, data, data that takes its place)."""

NEW = -1
"""The key of a block that does not stand yet: no document has this number."""


def fetch(namespace: str, terms: Sequence[int]) -> BoundQuery:
    """What ``WordTable.fetch`` asks."""
    return BoundQuery(sql("word", "fetch"), {"namespace": namespace, "terms": list(terms)})


class WordTable(OwnedRows[FreshRow]):
    """The lexical index: postings of blinded terms, fresh ones as rows, older ones packed in blocks."""

    def fetch(self, namespace: str, terms: Sequence[int]) -> dict[int, bytes]:
        """Every posting of each term, packed records joined (blocks, then fresh), in one round trip."""
        packed: dict[int, list[tuple[int, bytes]]] = {}
        fresh: dict[int, list[Posting]] = {}
        text, values = fetch(namespace, terms)
        for term, doc, data, tf, length in self._db.run(text, **values):
            if data is None:
                fresh.setdefault(term, []).append((doc, tf, length))
            else:
                packed.setdefault(term, []).append((doc, data))
        return {
            term: b"".join([data for _, data in sorted(packed.get(term, []))])
            + postings.pack(sorted(fresh.get(term, [])))
            for term in packed.keys() | fresh.keys()
        }

    def add(self, namespace: str, rows: Sequence[Row] | Columns, *, new: bool = False) -> None:
        """Postings, or the rows that they are of; ``new``: these documents have none here yet, and nobody needs to look
        for them."""
        columns = rows if isinstance(rows, Columns) else Columns.of(rows)
        if len(columns) >= PACKED_AT_ONCE:
            self._merge(namespace, columns)
        else:
            self._add_fresh(namespace, columns.rows(), new=new)

    def remove(self, namespace: str, docs: Sequence[int], terms: Sequence[int] | None) -> None:
        """Take documents out of blocks and fresh rows; ``terms`` None searches every block of the namespace."""
        deleted = frozenset(docs)
        if terms is None:
            self._db.run(sql("word", "fresh_remove_anywhere"), namespace=namespace, docs=sorted(deleted))
            blocks = self._every_block(namespace)
        else:
            sorted_terms = sorted(set(terms))
            self._db.run(sql("word", "fresh_remove"), namespace=namespace, terms=sorted_terms, docs=sorted(deleted))
            # The blocks of these terms whose range covers one of the documents.
            firsts = self._firsts(namespace, sorted_terms)
            covered = {(term, _target(starts, doc)) for term, starts in firsts.items() for doc in deleted}
            blocks = ((*key, data) for key, data in self._load(namespace, covered).items())
        for term, first, data in blocks:
            if len(deleted) > MANY or postings.holds(data, deleted):
                self._replace(namespace, [(term, first, data, postings.without(data, deleted))])

    def pack(self, namespace: str, *, limit: int) -> int:
        """Move up to ``limit`` fresh postings into blocks; return how many moved."""
        rows = self._db.run(sql("word", "fresh_take"), namespace=namespace, limit=limit)
        if not rows:
            return 0
        self._merge(namespace, Columns.of(rows))
        names = ("first_term", "first_doc", "last_term", "last_doc")
        ends = dict(zip(names, (*rows[0][:2], *rows[-1][:2]), strict=True))
        self._db.run(sql("word", "fresh_drop"), namespace=namespace, **ends)
        return len(rows)

    def _merge(self, namespace: str, columns: Columns) -> None:
        added = columns.by_term()
        tails = self._db.run(sql("word", "tails"), namespace=namespace, terms=[term for term, _ in added])
        last = {term: (first, data) for term, first, data in tails}
        changed: list[Change] = []
        for term, data in added:
            first, tail = last.get(term, (NEW, b""))
            if postings.first(data) > first:  # nearly always: newer documents have higher numbers
                changed.append((term, first, tail, postings.merge(tail, data)))
            else:
                changed += self._among(namespace, term, data)
        self._replace(namespace, changed)

    def _among(self, namespace: str, term: int, added: bytes) -> Iterator[Change]:
        """Postings of one term, each to the block that it belongs to."""
        rows = self._db.run(sql("word", "term_blocks"), namespace=namespace, term=term)
        blocks = {row[0]: row[1] for row in rows}
        firsts = list(blocks)
        for first, part in groupby(postings.unpack(added), key=lambda posting: _target(firsts, posting[0])):
            yield term, first, blocks[first], postings.merge(blocks[first], postings.pack(part))

    def _add_fresh(self, namespace: str, rows: Sequence[Row], *, new: bool) -> None:
        """Write these, in order; of the same term and document the last stands. Each engine in its own way."""
        raise NotImplementedError

    def fresh(self, namespace: str) -> int:
        """How many postings wait to be packed."""
        return int(self._db.run(sql("word", "fresh_count"), namespace=namespace)[0][0])

    def blocks(self, namespace: str, *, after: tuple[int, int] | None, limit: int) -> list[BlockRow]:
        name, place = ("blocks_first", {}) if after is None else ("blocks_next", {"term": after[0], "first": after[1]})
        rows = self._db.run(sql("word", name), namespace=namespace, **place, limit=limit)
        return [BlockRow(term=term, first=first, data=data) for term, first, data in rows]

    def clear(self, namespace: str) -> None:
        self._db.run(sql("word", "clear_blocks"), namespace=namespace)
        self._db.run(sql("word", "clear_fresh"), namespace=namespace)

    def _every_block(self, namespace: str) -> Iterator[Block]:
        page = self.blocks(namespace, after=None, limit=SCAN)
        while page:
            yield from ((block.term, block.first, block.data) for block in page)
            page = self.blocks(namespace, after=(page[-1].term, page[-1].first), limit=SCAN)

    def _firsts(self, namespace: str, terms: list[int]) -> dict[int, list[int]]:
        firsts_by_term: dict[int, list[int]] = {}
        for term, first in self._db.run(sql("word", "firsts"), namespace=namespace, terms=terms):
            firsts_by_term.setdefault(term, []).append(first)
        return firsts_by_term

    def _load(self, namespace: str, keys: set[tuple[int, int]]) -> dict[tuple[int, int], bytes]:
        """Every wanted block; the few unwanted ones that share a term and a first are left out."""
        terms, firsts = sorted({term for term, _ in keys}), sorted({first for _, first in keys})
        rows = self._db.run(sql("word", "blocks_some"), namespace=namespace, terms=terms, firsts=firsts)
        return {(term, first): data for term, first, data in rows if (term, first) in keys}

    def _replace(self, namespace: str, changed: Iterable[Change]) -> None:
        """Write what changed of some blocks: each is keyed by its first document and may have grown to several."""
        dropped: list[dict[str, Any]] = []
        put: list[Block] = []
        for term, first, old, data in changed:
            if old and len(old) < len(data) <= SIZE and data.startswith(old):
                put.append((term, first, data))
                continue
            pieces = [(postings.first(piece), piece) for piece in postings.split(data)]
            if old and all(start != first for start, _ in pieces):
                dropped.append({"namespace": namespace, "term": term, "first": first})
            put += [(term, start, piece) for start, piece in pieces if start != first or piece != old]
        if dropped:
            self._db.run_many(sql("word", "block_delete"), dropped)
        if put:
            self._put_blocks(namespace, put)

    def _put_blocks(self, namespace: str, blocks: Sequence[Block]) -> None:
        """Write these, in place of those with the same term and first. Each engine in its own way."""
        raise NotImplementedError


def _target(firsts: Sequence[int], doc: int) -> int:
    """The block a document belongs to: the last that starts at or before it, else the first."""
    return firsts[max(bisect_right(firsts, doc) - 1, 0)]
