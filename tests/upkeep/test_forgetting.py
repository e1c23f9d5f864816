"""The forgetting sequence, on both engines: whatever is done afterwards, it stays gone and its neighbour stays."""

import io
from collections.abc import Callable
from pathlib import Path

import pytest

from commonplace import Commonplace, NotFound
from commonplace.copies.backup import finish
from commonplace.errors import Tombstoned
from commonplace.memories.gateway import Gateway
from commonplace.memories.unit_of_work import write_transaction
from commonplace.model import NewMemory
from commonplace.store.rows import Filter
from commonplace.testing.clock import StoppedClock

SECRET = "My sister Zelda has a scar on her knee."
SPOKEN = f"{SECRET} We sail to Bergen in June."
QUOTED = f"It rained in Trondheim all week. {SECRET}"
MARKS = ("Zelda", "scar", "knee")


def older_copy(book: Commonplace, folder: Path) -> Callable[[Commonplace], object]:
    """Take a copy now; the call brings it back as that engine does it."""
    if book._parts.store.engine == "sqlite":
        book.backup(folder / "old.backup")
        return lambda book: book.restore(folder / "old.backup")
    with book._scope.store.read(book.owner) as tx:
        rows = {table: tx.tables.page(table, after=None, limit=10_000) for table in tx.tables.names()}

    def back(book: Commonplace) -> None:
        """What `pg_restore` does to the owner's rows, and then the replay."""
        with book._scope.store.write(book.owner) as tx:
            tx.owners.drop()
            for table, kept in rows.items():
                tx.tables.put(table, kept)
        finish(book._parts)

    return back


def everything(book: Commonplace) -> str:
    """All that can be read of the book by any way."""
    stream = io.StringIO()
    book.export(stream)
    found = [hit.memory.text for word in MARKS for hit in book.recall(word, limit=50)]
    shown = [book.context("Tell me of Zelda's knee"), stream.getvalue(), *found]
    for memory in book.browse(limit=1000, statuses=("candidate", "verified", "rejected", "stale", "archived")):
        shown += [version.memory.text for version in book.history(memory.id)]
        shown += [quote or "" for _, quote in book.evidence(memory.id)]
    return "\n".join(shown)


def test_the_sentence_that_a_forgotten_conclusion_was_drawn_from_stays_away(open_book) -> None:
    book = open_book()
    book.observe(SPOKEN, session="talk")
    concluded, *_ = (one.id for one in book.browse(limit=100) if "Zelda" in one.text and not one.turn)
    book.forget(concluded)
    assert "Zelda" not in everything(book)
    book.observe(QUOTED, session="another")
    assert "Zelda" not in everything(book)
    assert book.recall("rain in Trondheim", limit=1)[0].memory.text == "It rained in Trondheim all week. [forgotten]"


def test_forgotten_stays_forgotten(open_book, tmp_path: Path, clock: StoppedClock) -> None:
    book = open_book()
    stated = book.remember("Zelda's knee has a scar", tags=["family"]).id
    neighbour = book.remember("Zelma plays the cello", tags=["family"]).id
    turn = next(one.id for one in (book.get(id) for id in book.observe(SPOKEN, session="talk").ids) if one.turn)
    concluded = [one.id for one in book.browse(limit=100) if any(mark in one.text for mark in MARKS)]
    assert stated in concluded and turn in concluded and all(mark in everything(book) for mark in MARKS)  # control
    bring_back = older_copy(book, tmp_path)
    for id in concluded:
        try:
            book.forget(id)
        except NotFound:  # gone already with the evidence it rested on
            assert id not in (stated, turn)

    def still_gone() -> None:
        left = everything(book)
        assert [mark for mark in MARKS if mark in left] == []
        assert book.recall("Who plays the cello?", limit=1)[0].memory.id == neighbour
        for id in (stated, turn):
            with pytest.raises(NotFound):
                book.get(id)

    still_gone()
    book.observe(SPOKEN, session="talk")
    book.observe(QUOTED, session="talk")
    assert book.recall("rain in Trondheim", limit=1)[0].memory.text == "It rained in Trondheim all week. [forgotten]"
    still_gone()
    with pytest.raises(Tombstoned):
        book.remember("zelda's KNEE has a scar")
    clock.advance(days=2)
    book.maintain()
    still_gone()
    book.reindex()
    book.rotate_keys()
    still_gone()
    book.close()
    book = open_book()
    still_gone()
    bring_back(book)
    still_gone()
    book.maintain()
    book.observe(SPOKEN, session="talk")
    book.observe(QUOTED, session="talk")
    still_gone()
    assert [one.what for one in book.doctor(full=True).symptoms if one.grade == "problem"] == []


def test_an_erased_namespace_leaves_no_words_where_its_memories_came_from(
    open_book, tmp_path: Path, clock: StoppedClock
) -> None:
    """A memory that was moved has earlier versions, whose words stand in the index of the namespace it was in."""
    book = open_book()
    moved, stays = book.remember_many(["the safe is behind the painting", "the sea is salt"]).ids
    bring_back, then = older_copy(book, tmp_path), clock.at
    clock.advance(hours=1)
    book.namespaces.move([moved], to="attic")
    assert book.recall("safe painting", known_at=then)[0].memory.id == moved  # control: found in its old place
    for erase_again in (lambda: book.erase(confirm=True, namespace="attic"), lambda: bring_back(book)):
        erase_again()
        with book._scope.store.read(book.owner) as tx:
            [home] = [row.id for row in tx.namespaces.all()]
            texts = {row.id: row for row in tx.memories.find(Filter(namespaces=(home,)))}
            assert list(texts) == [stays] and tx.namespaces.get(home).documents == 1
            assert [docs for _, _, docs in tx.vectors.counts()] == [1]
        assert book.doctor(full=True).sound


def test_what_was_moved_goes_with_the_turn_it_rests_on(open_book) -> None:
    book = open_book()
    turn, other = (book.observe(f"turn {number}").id for number in range(2))
    with write_transaction(book._scope, "LEARN") as work:
        gone = Gateway(book._scope).admit(work, NewMemory(text="the safe is open"), evidence=[(turn, None)]).id
        evidence = [(turn, None), (other, None)]
        stays = Gateway(book._scope).admit(work, NewMemory(text="the sea is salt"), evidence=evidence).id
        work.receipt()
    book.namespaces.move([gone, stays], to="attic")
    book.forget(turn)
    assert [one.id for one in book.within("attic").browse()] == [stays]
    with pytest.raises(Tombstoned):
        book.within("attic").remember("the safe is open")
