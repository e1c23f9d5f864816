"""What is kept decoded of a book's index is what the store holds, whoever wrote it, and is gone when it should be."""

import random
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from commonplace import Commonplace, Settings
from commonplace.retrieval import snapshots
from commonplace.retrieval.in_step import in_step
from commonplace.retrieval.snapshots import Snapshots

WORDS = "river apple train piano garden letter winter harbour"


@pytest.fixture
def books(tmp_path: Path, book_url: str) -> Iterator[tuple[Commonplace, Commonplace]]:
    """Two openings of one book, as two processes would have them."""
    settings = Settings(home=tmp_path)
    with Commonplace.open(book_url, settings=settings) as one, Commonplace.open(book_url, settings=settings) as two:
        yield one, two


def check(book: Commonplace, kept: Snapshots) -> int:
    """Compare what is kept with what a fresh look finds; say how many postings there are."""
    with book._scope.store.read(book.owner) as tx:
        known, fresh = (one.of(tx).place(tx, book._scope, "default") for one in (kept, Snapshots()))
        assert known == fresh is not None
        terms = book._scope.vault.terms(known.id, WORDS.split())
        both = in_step([one.of(tx).postings(tx, known.id, terms) for one in (kept, Snapshots())])
    for mine, theirs in zip(*both, strict=True):
        assert np.array_equal(mine.docs, theirs.docs) and np.array_equal(mine.codes, theirs.codes)
    return sum(map(len, both[0]))


def test_they_follow_random_writes_of_two_openings(books: tuple[Commonplace, Commonplace]) -> None:
    one, _ = books
    kept, chance = Snapshots(), random.Random(3)
    ids = [one.remember("the river behind the garden").id]
    assert check(one, kept) == 2
    for step in range(25):
        writer, said = chance.choice(books), " ".join(chance.sample(WORDS.split(), 3))
        act = chance.choice(["remember", "observe", "revise", "forget", "pack"])
        if act == "remember":
            ids.append(writer.remember(f"{said} {step}").id)
        elif act == "observe":
            ids += writer.observe([{"role": "user", "speaker": f"Ann{step}", "content": said}], session="s").ids
        elif act == "revise":
            writer.revise(chance.choice(ids), f"{said} {step}", reason="test")
        elif act == "pack":
            with writer._scope.store.write(writer.owner) as tx:
                tx.words.pack(tx.namespaces.all()[0].id, limit=10)
        elif len(ids) > 1:
            writer.forget(ids.pop(chance.randrange(len(ids))))
        check(one, kept)
        assert check(one, kept) > 0


def test_a_second_look_reads_nothing_again_until_somebody_writes(books: tuple[Commonplace, Commonplace]) -> None:
    one, two = books
    one.remember("the river behind the garden")
    kept = Snapshots()
    seen = []
    for _ in range(2):
        with one._scope.store.read(one.owner) as tx:
            seen.append(kept.of(tx))
    two.remember("an apple for the train")
    with one._scope.store.read(one.owner) as tx:
        seen.append(kept.of(tx))
    assert seen[0] is seen[1] is not seen[2]


def test_what_a_write_sees_is_not_kept(books: tuple[Commonplace, Commonplace]) -> None:
    one, _ = books
    one.remember("the river behind the garden")
    kept = Snapshots()
    with one._scope.store.write(one.owner) as tx:
        assert kept.of(tx) is not kept.of(tx)
    assert not kept._kept


def test_forgetting_lets_go_of_them(books: tuple[Commonplace, Commonplace]) -> None:
    one, _ = books
    id = one.remember("the river behind the garden").id
    one.recall("river")
    assert one.owner in one._parts.snapshots()._kept
    one.forget(id)
    assert one.owner not in one._parts.snapshots()._kept


def test_they_are_bounded_and_the_answer_is_the_same(
    books: tuple[Commonplace, Commonplace], monkeypatch: pytest.MonkeyPatch
) -> None:
    one, two = books
    one.remember_many([f"{' '.join(random.Random(n).sample(WORDS.split(), 3))} {n}" for n in range(60)])
    asked = [f"{a} {b}" for a in WORDS.split() for b in WORDS.split()]
    pages = [[hit.memory.id for hit in one.recall(question)] for question in asked]
    held = one._parts.snapshots()._kept[one.owner].nbytes
    most = held // 2
    monkeypatch.setattr(snapshots, "MOST_BYTES", most)
    assert [[hit.memory.id for hit in two.recall(question)] for question in asked] == pages
    assert 0 < two._parts.snapshots()._kept[two.owner].nbytes <= most
