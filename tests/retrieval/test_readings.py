"""What recall keeps opened is what the store holds now, and no more than a bound for all owners."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from commonplace import Commonplace, Message, Settings
from commonplace.memories import codec as states
from commonplace.retrieval import late_interaction
from commonplace.retrieval import memory_cache as readings
from commonplace.runtime import Parts, open_parts

FRUIT = [f"fruit {name} {number}" for number, name in enumerate(("fig", "plum", "pear", "quince", "medlar") * 4)]


@pytest.fixture
def parts(tmp_path: Path, book_url: str) -> Iterator[Parts]:
    parts = open_parts(book_url, Settings(home=tmp_path))
    yield parts
    parts.close()


@pytest.fixture
def openings(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The id of each memory that is opened."""
    found: list[str] = []
    opened = states.opened
    monkeypatch.setattr(states, "opened", lambda scope, row, tags=(): found.append(row.id) or opened(scope, row, tags))
    return found


def filled(parts: Parts, owner: str) -> Commonplace:
    book = Commonplace(parts, parts.scope(owner, "default"))
    book.remember_many(FRUIT)
    return book


def counted(book: Commonplace, openings: list[str]) -> int:
    openings.clear()
    book.recall("fruit plum")
    return len(openings)


def test_a_second_question_opens_nothing_and_one_after_a_change_what_changed(parts: Parts, openings: list[str]) -> None:
    book = filled(parts, "ada")
    assert counted(book, openings) >= 8
    assert counted(book, openings) == 0
    book.revise(book.recall("plum")[0].memory.id, "fruit plum 99", reason="test")
    assert counted(book, openings) >= 1
    assert book.recall("plum 99")[0].memory.text == "fruit plum 99"


def test_where_many_are_kept_a_memory_is_kept_when_it_was_read_twice(
    parts: Parts, openings: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(readings, "FEW", 0)
    book = filled(parts, "ada")
    first = counted(book, openings)
    assert first >= 8
    assert [counted(book, openings), counted(book, openings)] == [first, 0]


def test_all_owners_together_are_bounded_and_answers_stay_the_same(
    parts: Parts, monkeypatch: pytest.MonkeyPatch
) -> None:
    books = [filled(parts, f"owner-{number}") for number in range(4)]
    before = [[hit.memory.text for hit in book.recall("fruit pear")] for book in books]
    for book in books:
        parts.drop_caches(book.owner)
    monkeypatch.setattr(readings, "MOST_KEPT", 40)
    for _ in range(3):
        assert [[hit.memory.text for hit in book.recall("fruit pear")] for book in books] == before
        kept = parts.readings()._kept
        assert parts.readings()._many == sum(len(one) for _, one in kept.values())
        assert 0 < parts.readings()._many + readings.A_BOOK * len(kept) <= 40
    assert len(kept) < len(books)


def test_token_vectors_are_opened_once_and_not_kept_when_the_turn_before_goes(
    parts: Parts, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[int] = []
    open_passage = late_interaction._opened
    monkeypatch.setattr(
        late_interaction, "_opened", lambda scope, row: opened.append(row.doc) or open_passage(scope, row)
    )
    book = Commonplace(parts, parts.scope("ada", "default"))
    talk = [Message("Did the flat in Leith work out?"), Message("We signed yesterday."), Message("The dog is asleep.")]
    book.observe(talk, session="talk")
    book.remember_many(FRUIT)
    book.reindex()
    question = "Which fruit did the dog sign for?"
    assert book.recall(question, limit=30)
    first = sorted(opened)
    assert len(first) > len(talk)
    opened.clear()
    assert book.recall(question, limit=30)
    assert opened == []
    book.forget(book.browse(kinds=["episodic"], limit=10)[-1].id)
    texts = [hit.memory.text for hit in book.recall(question, limit=30)]
    assert talk[0].text not in texts and talk[1].text in texts
    assert first[2] in opened and not {*first[:2]} & {*opened}  # encoded with the words before, it is to be made again
    book.reindex()
    assert book.recall(question, limit=30)
    assert first[1] in opened
