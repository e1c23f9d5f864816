"""A book large enough for PostgreSQL's index of vectors: what it finds, and that no filter shortens a page.

A slice of ``benchmarks/nearest.py``: the same sentences and filters, with the limit of the exact scan lowered.
"""

from collections.abc import Iterator
from pathlib import Path

import pytest
from benchmarks import nearest

from commonplace import Commonplace, Settings
from commonplace.store.postgres import vectors

pytestmark = [pytest.mark.postgres, pytest.mark.slow]

MEMORIES, ASKED = 900, 25


@pytest.fixture(scope="module")
def told() -> tuple[list[str], list[str]]:
    texts = nearest.sentences(MEMORIES + ASKED)
    return texts[:ASKED], texts[ASKED:]


@pytest.fixture
def book(
    postgres_url: str, tmp_path: Path, told: tuple[list[str], list[str]], monkeypatch: pytest.MonkeyPatch
) -> Iterator[Commonplace]:
    monkeypatch.setattr(vectors, "EXACT", 300)
    monkeypatch.setattr(vectors, "HELD", 0)
    with Commonplace.open(postgres_url, settings=Settings(home=tmp_path)) as book:
        nearest.filled(book, told[1])
        yield book


def test_the_index_finds_what_the_scan_finds_and_no_filter_shortens_a_page(
    book: Commonplace, told: tuple[list[str], list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(nearest, "PAGES", ASKED)
    questions, _ = told
    store, encoder = book._scope.store, book._parts.encoder(book._scope.vault)
    with store.read(book.owner) as tx:
        [namespace] = [one.id for one in tx.namespaces.all()]
        assert tx._db.run("select count(*) from vector where owner = :owner and indexed")[0][0] >= MEMORIES  # type: ignore[attr-defined]
        right = found = 0
        for text in questions:
            asked = encoder.question(text).tobytes()
            near = tx.vectors.nearest(namespace, encoder.model, asked, limit=10)
            with monkeypatch.context() as patch:
                patch.setattr(vectors, "EXACT", MEMORIES * 10)
                exact = tx.vectors.nearest(namespace, encoder.model, asked, limit=10)
            assert near is not None
            assert exact is not None
            right += len(dict(near).keys() & dict(exact).keys())
            found += len(exact)
        assert right >= 0.97 * found
    for name, pages, shorter, shared in nearest.filters(book, questions):
        assert (pages, shorter) == (ASKED, 0), name
        assert shared >= 0.97, name
