"""Sealed token vectors."""

from tests.conformance.store.build import HOME, home, memory

from commonplace.store.ports import Store
from commonplace.store.rows import PassageRow

MODEL = "model: a 'quoted' 100% one"


def _row(doc: int, model: str = MODEL, sealed: bytes = b"\x00\x01\xff") -> PassageRow:
    return PassageRow(doc=doc, model=model, namespace=HOME, sealed=sealed)


def passages_come_back_as_they_were_put(store: Store, owner: str) -> None:
    with store.write(owner) as tx:
        tx.passages.put([_row(3), _row(1), _row(1, "other", b"else")])
        tx.passages.put([_row(3, sealed=b"anew")])
    with store.read(owner) as tx:
        assert tx.passages.get(MODEL, [3, 2, 1]) == [_row(1), _row(3, sealed=b"anew")]
        assert tx.passages.get(MODEL, []) == []
        assert tx.passages.docs(after=0, limit=9) == [1, 3]
        assert tx.passages.docs(after=1, limit=9) == [3]


def texts_without_passages_are_listed(store: Store, owner: str) -> None:
    with store.write(owner) as tx:
        home(tx)
        tx.memories.put_many([memory(f"m{doc}", doc) for doc in (1, 2, 3)])
        tx.passages.put([_row(2)])
        assert tx.passages.missing(HOME, MODEL, limit=9) == [1, 3]
        assert tx.passages.missing(HOME, MODEL, after=1, limit=9) == [3]
        assert tx.passages.missing(HOME, "other", limit=2) == [1, 2]


def passages_go_by_document_and_by_model(store: Store, owner: str) -> None:
    with store.write(owner) as tx:
        tx.passages.put([_row(1), _row(2), _row(1, "other"), _row(2, "other")])
        tx.passages.delete([1, 99])
        assert [tx.passages.get(model, [1, 2]) for model in (MODEL, "other")] == [[_row(2)], [_row(2, "other")]]
        tx.passages.drop_others(MODEL)
        assert [tx.passages.get(model, [1, 2]) for model in (MODEL, "other")] == [[_row(2)], []]


CHECKS = [passages_come_back_as_they_were_put, texts_without_passages_are_listed, passages_go_by_document_and_by_model]
