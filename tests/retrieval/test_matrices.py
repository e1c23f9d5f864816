"""The matrix in memory is always what the store holds, whoever wrote it and however."""

import os
import random
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from commonplace import Commonplace, Settings
from commonplace.retrieval import coarse
from commonplace.retrieval.matrices import Matrices


@pytest.fixture
def books(tmp_path: Path, book_url: str) -> Iterator[tuple[Commonplace, Commonplace]]:
    """Two openings of one book, as two processes would have them."""
    settings = Settings(home=tmp_path)
    with Commonplace.open(book_url, settings=settings) as one, Commonplace.open(book_url, settings=settings) as two:
        yield one, two


def held(book: Commonplace, matrices: Matrices) -> dict[int, bytes]:
    encoder = book._parts.encoder(book._scope.vault)
    with book._scope.store.read(book.owner) as tx:
        namespace = tx.namespaces.all()[0].id
        matrix = matrices.of(tx, namespace, encoder.model, encoder.dims)
        fresh = Matrices().of(tx, namespace, encoder.model, encoder.dims)
    assert np.array_equal(matrix.docs, fresh.docs) and np.array_equal(matrix.rows, fresh.rows)
    assert all(map(np.array_equal, matrix.signs, fresh.signs))
    assert matrix.rows.flags.c_contiguous
    return {int(doc): row.tobytes() for doc, row in zip(matrix.docs, matrix.rows, strict=True)}


@pytest.mark.parametrize("settled", [20, coarse.SETTLED])
def test_it_follows_random_writes_of_two_openings(
    books: tuple[Commonplace, Commonplace], monkeypatch: pytest.MonkeyPatch, settled: int
) -> None:
    monkeypatch.setattr(coarse, "SETTLED", settled)
    one, _ = books
    matrices, chance = Matrices(), random.Random(7)
    ids = [one.remember("the first thing to know").id]
    for step in range(60):
        writer = chance.choice(books)
        act = chance.choice(["remember", "remember", "many", "observe", "revise", "forget", "confirm"])
        if act == "remember":
            ids.append(writer.remember(f"thing number {step} to know").id)
        elif act == "many":
            ids += writer.remember_many([f"thing {step}.{n} of many" for n in range(5)]).ids
        elif act == "observe":
            ids += writer.observe([f"we spoke of {step}", "and of the weather"], session=f"s{step % 3}").ids
        elif act == "revise":
            writer.revise(chance.choice(ids), f"revised in step {step}", reason="test")
        elif act == "confirm":
            writer.confirm(chance.choice(ids))
        elif len(ids) > 3:
            writer.forget(ids.pop(chance.randrange(len(ids))))
        held(one, matrices)
    assert len(held(one, matrices)) >= len(ids)


def test_a_reader_keeps_the_matrix_it_has(books: tuple[Commonplace, Commonplace]) -> None:
    one, _ = books
    one.remember("the first thing")
    matrices, encoder = Matrices(), one._parts.encoder(one._scope.vault)
    with one._scope.store.read(one.owner) as tx:
        namespace = tx.namespaces.all()[0].id
        old = matrices.of(tx, namespace, encoder.model, encoder.dims)
    before = old.rows.copy(), old.docs.copy()
    for n in range(20):
        one.remember(f"thing {n}")
        held(one, matrices)
    assert np.array_equal(old.rows, before[0]) and np.array_equal(old.docs, before[1])


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system does not fork")
def test_a_forked_process_and_its_parent_find_what_either_wrote(books: tuple[Commonplace, Commonplace]) -> None:
    one, _ = books
    one.remember_many([f"note {n} on apples and rivers" for n in range(50)])
    assert one.recall("rivers")
    child = os.fork()
    if not child:  # pragma: no cover - another process
        one.remember("a heron stood in the reeds")
        found = one.recall("a bird among the plants", limit=1, recipe="meaning")
        os._exit(0 if found and "heron" in found[0].memory.text else 1)
    assert os.waitpid(child, 0)[1] == 0
    assert "heron" in one.recall("a bird among the plants", limit=1, recipe="meaning")[0].memory.text
