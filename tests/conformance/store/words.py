"""The lexical index."""

from struct import iter_unpack

from commonplace.store.ports import Store
from commonplace.store.rows import FreshRow
from commonplace.store.tables.word import WordTable

MOST = 700
"""Records a block may hold."""


def postings_are_found_fresh_packed_and_both(store: Store, owner: str) -> None:
    with store.write(owner) as tx:
        tx.words.add("n1", _rows([(5, 1), (5, 2), (-(2**63), 1), (2**63 - 1, 2)]))
        fresh = tx.words.fetch("n1", [5, -(2**63), 2**63 - 1, 77])
        assert {term: _docs(data) for term, data in fresh.items()} == {5: [1, 2], -(2**63): [1], 2**63 - 1: [2]}
        assert tx.words.fresh("n1") == 4
        assert tx.words.pack("n1", limit=3) == 3
        assert tx.words.fresh("n1") == 1
        assert tx.words.fetch("n1", [5, -(2**63), 2**63 - 1, 77]) == fresh
        tx.words.add("n1", _rows([(5, 3)]))
        assert _docs(tx.words.fetch("n1", [5])[5]) == [1, 2, 3]
        assert tx.words.fetch("n1", []) == {}
        assert tx.words.fetch("n2", [5]) == {}


def a_record_holds_frequency_and_length(store: Store, owner: str) -> None:
    with store.write(owner) as tx:
        tx.words.add(
            "n1", [FreshRow(term=1, doc=2**32 - 1, tf=300, length=200), FreshRow(term=1, doc=7, tf=2, length=9)]
        )
        expected = [(7, 2, 9), (2**32 - 1, 255, 200)]
        assert list(iter_unpack("<IBB", tx.words.fetch("n1", [1])[1])) == expected
        tx.words.pack("n1", limit=10)
        assert list(iter_unpack("<IBB", tx.words.fetch("n1", [1])[1])) == expected


def blocks_are_full_sorted_and_never_too_long(store: Store, owner: str) -> None:
    with store.write(owner) as tx:
        tx.words.add("n1", _rows([(1, doc) for doc in range(1, 2_001, 2)]))
        assert tx.words.pack("n1", limit=10_000) == 1_000
        tx.words.add("n1", _rows([(1, doc) for doc in range(2, 1_001, 2)] + [(1, 5_000), (2, 3)]))
        while tx.words.pack("n1", limit=100):
            pass
        expected = sorted({*range(1, 2_001, 2), *range(2, 1_001, 2), 5_000})
        assert _docs(tx.words.fetch("n1", [1])[1]) == expected
        blocks = [block for block in tx.words.blocks("n1", after=None, limit=99) if block.term == 1]
        assert all(0 < len(block.data) <= MOST * 6 for block in blocks)
        assert [block.first for block in blocks] == [_docs(block.data)[0] for block in blocks]
        assert [doc for block in blocks for doc in _docs(block.data)] == expected


def blocks_are_paged(store: Store, owner: str) -> None:
    with store.write(owner) as tx:
        tx.words.add("n1", _rows([(term, 1) for term in (-3, 0, 4, 9)]))
        tx.words.pack("n1", limit=99)
        first = tx.words.blocks("n1", after=None, limit=3)
        remaining = tx.words.blocks("n1", after=(first[-1].term, first[-1].first), limit=3)
        assert [block.term for block in first + remaining] == [-3, 0, 4, 9]


def a_removed_document_is_nowhere(store: Store, owner: str) -> None:
    with store.write(owner) as tx:
        for place in ("n1", "n2"):
            tx.words.add(place, _rows([(term, doc) for term in (1, 2) for doc in range(1, 1_500)]))
            tx.words.pack(place, limit=2_000)
        tx.words.remove("n1", [1, 700, 1_499], [1, 2])
        assert _missing(tx.words, "n1", 1_500) == {1: {1, 700, 1_499}, 2: {1, 700, 1_499}}
        assert _missing(tx.words, "n2", 1_500) == {1: set(), 2: set()}
        tx.words.remove("n1", [2, 1_498], None)
        assert _missing(tx.words, "n1", 1_500)[2] == {1, 2, 700, 1_498, 1_499}
        tx.words.remove("n1", [3], [1])
        assert _missing(tx.words, "n1", 1_500) == {
            1: {1, 2, 3, 700, 1_498, 1_499},
            2: {1, 2, 700, 1_498, 1_499},
        }
        tx.words.remove("n1", list(range(1, 1_500)), None)
        assert tx.words.fetch("n1", [1, 2]) == {}
        assert tx.words.blocks("n1", after=None, limit=9) == []
        assert tx.words.fresh("n1") == 0
        assert len(tx.words.fetch("n2", [1, 2])) == 2


def packing_twice_the_same_document_keeps_the_later(store: Store, owner: str) -> None:
    with store.write(owner) as tx:
        tx.words.add("n1", [FreshRow(term=1, doc=1, tf=1, length=1)])
        tx.words.pack("n1", limit=9)
        tx.words.add("n1", [FreshRow(term=1, doc=1, tf=5, length=6)])
        tx.words.pack("n1", limit=9)
        assert list(iter_unpack("<IBB", tx.words.fetch("n1", [1])[1])) == [(1, 5, 6)]


def clearing_empties_one_namespace(store: Store, owner: str) -> None:
    with store.write(owner) as tx:
        for place in ("n1", "n2"):
            tx.words.add(place, _rows([(1, 1), (2, 1)]))
            tx.words.pack(place, limit=1)
        tx.words.clear("n1")
        assert tx.words.fetch("n1", [1, 2]) == {}
        assert set(tx.words.fetch("n2", [1, 2])) == {1, 2}


def many_terms_are_fetched_at_once(store: Store, owner: str) -> None:
    terms = [number * 7_919 - 10**15 for number in range(5_000)]
    with store.write(owner) as tx:
        tx.words.add("n1", _rows([(term, 1) for term in terms]))
        tx.words.pack("n1", limit=2_500)
        assert set(tx.words.fetch("n1", terms * 2)) == set(terms)


def _rows(pairs: list[tuple[int, int]]) -> list[FreshRow]:
    return [FreshRow(term=term, doc=doc, tf=1, length=10) for term, doc in pairs]


def _docs(data: bytes) -> list[int]:
    return [record[0] for record in iter_unpack("<IBB", data)]


def _missing(words: WordTable, place: str, end: int) -> dict[int, set[int]]:
    return {term: set(range(1, end)) - set(_docs(data)) for term, data in words.fetch(place, [1, 2]).items()}


CHECKS = [
    postings_are_found_fresh_packed_and_both,
    a_record_holds_frequency_and_length,
    blocks_are_full_sorted_and_never_too_long,
    blocks_are_paged,
    a_removed_document_is_nowhere,
    packing_twice_the_same_document_keeps_the_later,
    clearing_empties_one_namespace,
    many_terms_are_fetched_at_once,
]
