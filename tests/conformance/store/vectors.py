"""Vectors."""

from struct import iter_unpack

from tests.conformance.store.build import HOME, home, memory

from commonplace.store.ports import Store
from commonplace.store.rows import VectorRow

MODEL = "model: a 'quoted' 100% one"


def vectors_come_back_to_the_last_bit(store: Store, owner: str) -> None:
    rows = [VectorRow(doc=doc, part=part, data=_data(doc * 3 + part)) for doc in (1, 2, 2**32 - 1) for part in (0, 1)]
    every = VectorRow(doc=3, part=0, data=bytes(range(256)))
    with store.write(owner) as tx:
        tx.vectors.put(HOME, MODEL, list(reversed(rows)))
        tx.vectors.put(HOME, "other", [every])
    with store.read(owner) as tx:
        assert [row for batch in tx.vectors.load(HOME, MODEL) for row in batch] == rows
        assert [row for batch in tx.vectors.load(HOME, "other") for row in batch] == [every]
        assert [row for batch in tx.vectors.load(HOME, MODEL, docs=[2, 77]) for row in batch] == rows[2:4]
        assert list(tx.vectors.load(HOME, MODEL, docs=[])) == []
        assert list(tx.vectors.load("n-two", MODEL)) == []
        together = b"".join(row.data for row in rows)
        assert list(tx.vectors.joined(HOME, MODEL)) == [([row.doc for row in rows], together)]
        assert list(tx.vectors.joined(HOME, MODEL, docs=[2, 77])) == [([2, 2], rows[2].data + rows[3].data)]
        assert list(tx.vectors.joined(HOME, MODEL, docs=[])) == []


def a_long_load_comes_in_batches(store: Store, owner: str) -> None:
    rows = [VectorRow(doc=doc, part=0, data=_data(doc)) for doc in range(1, 5_001)]
    with store.write(owner) as tx:
        tx.vectors.put(HOME, MODEL, rows)
    with store.read(owner) as tx:
        batches = list(tx.vectors.load(HOME, MODEL))
        assert len(batches) > 1
        assert [row.doc for batch in batches for row in batch] == list(range(1, 5_001))


def documents_are_counted_once_each(store: Store, owner: str) -> None:
    with store.write(owner) as tx:
        tx.vectors.put(HOME, MODEL, [VectorRow(doc=1, part=part, data=b"\x01\x02") for part in (0, 1)])
        tx.vectors.put(
            HOME, MODEL, [VectorRow(doc=1, part=0, data=b"\x05\x06"), VectorRow(doc=2, part=0, data=b"\x01\x01")]
        )
        tx.vectors.put("n-two", MODEL, [VectorRow(doc=3, part=0, data=b"\x01\x02")])
        assert tx.vectors.counts() == [(HOME, MODEL, 2), ("n-two", MODEL, 1)]
        tx.vectors.delete([1, 3, 99])
        assert tx.vectors.counts() == [(HOME, MODEL, 1)]
        assert [row.doc for batch in tx.vectors.load(HOME, MODEL) for row in batch] == [2]
        tx.vectors.put(HOME, "other", [VectorRow(doc=2, part=0, data=b"\x01\x02")])
        tx.vectors.drop_model(HOME, MODEL)
        assert tx.vectors.counts() == [(HOME, "other", 1)]
        assert list(tx.vectors.load(HOME, MODEL)) == []


def what_has_no_vector_is_named(store: Store, owner: str) -> None:
    with store.write(owner) as tx:
        home(tx, HOME, "n-two")
        tx.memories.put_many([memory(f"m{doc}", doc) for doc in (1, 2, 3)])
        tx.memories.put(memory("m9", 9, namespace="n-two"))
        tx.vectors.put(HOME, MODEL, [VectorRow(doc=2, part=0, data=b"\x01\x02")])
        assert tx.vectors.missing(HOME, MODEL, limit=9) == [1, 3]
        assert tx.vectors.missing(HOME, MODEL, limit=1) == [1]
        assert tx.vectors.missing(HOME, "other", limit=9) == [1, 2, 3]
        assert tx.vectors.missing("n-two", MODEL, limit=9) == [9]


def the_nearest_are_exact_or_left_to_the_caller(store: Store, owner: str) -> None:
    rows = [VectorRow(doc=doc, part=part, data=_data(doc * 31 + part)) for doc in range(1, 300) for part in (0, 1)]
    question = _data(4_711)
    with store.write(owner) as tx:
        tx.vectors.put(HOME, MODEL, rows)
        tx.vectors.put(HOME, "other", [VectorRow(doc=1_000, part=0, data=_data(4_711))])
        tx.vectors.put("n-two", MODEL, [VectorRow(doc=1_001, part=0, data=_data(4_711))])
        assert tx.vectors.index(HOME, MODEL, limit=10) == 0
    best: dict[int, int] = {}
    for row in rows:
        best[row.doc] = max(best.get(row.doc, -(10**9)), _product(row.data, question))
    expected = sorted(best.items(), key=lambda pair: (-pair[1], pair[0]))[:10]
    with store.read(owner) as tx:
        nearest = tx.vectors.nearest(HOME, MODEL, question, limit=10)
        assert nearest is None or nearest == expected
        assert tx.vectors.nearest(HOME, "none", question, limit=10) in (None, [])


def every_product_is_exact_or_left_to_the_caller(store: Store, owner: str) -> None:
    rows = [VectorRow(doc=doc, part=part, data=_data(doc * 31 + part)) for doc in range(1, 300) for part in (0, 1)]
    rows.append(VectorRow(doc=4_000_000_000, part=0, data=_data(3)))
    question = _data(4_711)
    with store.write(owner) as tx:
        tx.vectors.put(HOME, MODEL, rows)
        tx.vectors.put(HOME, "other", [VectorRow(doc=1_000, part=0, data=_data(4_711))])
        tx.vectors.put("n-two", MODEL, [VectorRow(doc=1_001, part=0, data=_data(4_711))])
    expected = sorted((row.doc, _product(row.data, question)) for row in rows)
    with store.read(owner) as tx:
        products = tx.vectors.multiplied(HOME, MODEL, question)
        nobody = tx.vectors.multiplied(HOME, "none", question)
        assert products is None or sorted(iter_unpack(">Ii", products())) == expected
        assert nobody is None or nobody() == b""


def _data(seed: int) -> bytes:
    """Thirty-two axes that look random and are not."""
    return bytes((seed * 7_919 + axis * 104_729 + seed * seed * axis) % 251 for axis in range(32))


def _product(first: bytes, second: bytes) -> int:
    return sum(_signed(a) * _signed(right) for a, right in zip(first, second, strict=True))


def _signed(byte: int) -> int:
    return byte - 256 if byte > 127 else byte


CHECKS = [
    vectors_come_back_to_the_last_bit,
    a_long_load_comes_in_batches,
    documents_are_counted_once_each,
    what_has_no_vector_is_named,
    the_nearest_are_exact_or_left_to_the_caller,
    every_product_is_exact_or_left_to_the_caller,
]
