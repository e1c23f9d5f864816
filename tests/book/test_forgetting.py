"""Forgotten is gone: through re-feeding, jobs, reindexing, restarts and restores; its neighbour stays throughout."""

import io
from pathlib import Path

import pytest

from commonplace import Commonplace, Message
from commonplace.errors import NotFound, Tombstoned

SECRET = "The reactor code word is heliotrope"
NEIGHBOUR = "The canteen opens at noon"


def found(book: Commonplace, question: str) -> set[str]:
    return {hit.memory.text for hit in book.recall(question, limit=20)}


def holds(book: Commonplace, id: str) -> None:
    """The forgotten one is nowhere to be seen, and its neighbour everywhere."""
    for question in ("reactor code word", "heliotrope", SECRET, ""):
        assert not [text for text in found(book, question) if "heliotrope" in text], question
    assert NEIGHBOUR in found(book, "when does the canteen open")
    assert "heliotrope" not in book.context("what is the reactor code word?")
    with pytest.raises(NotFound):
        book.get(id)
    with pytest.raises(NotFound):
        book.history(id)
    out = io.StringIO()
    book.export(out)
    assert "heliotrope" not in out.getvalue() and NEIGHBOUR in out.getvalue()


def feed(book: Commonplace, clock) -> None:
    """The sources again: the same statement, and the same conversation."""
    with pytest.raises(Tombstoned):
        book.remember(SECRET.upper())
    book.observe([Message(f"Hello there. {SECRET}. {NEIGHBOUR}.", speaker="Ada", at=clock.at)], session="monday")
    with pytest.raises(Tombstoned):
        book.remember(SECRET)


def test_forgotten_stays_forgotten_whatever_happens_next(open_book, clock, tmp_path: Path, book_url: str) -> None:
    book = open_book()
    kept = book.remember(SECRET).id
    book.remember(NEIGHBOUR)
    said = book.observe([Message(f"{SECRET}. {NEIGHBOUR}.", speaker="Ada")], session="monday")
    assert {SECRET, NEIGHBOUR} <= found(book, "reactor code word canteen"), "the control: both are found"
    on_sqlite = book_url.startswith("sqlite")
    if on_sqlite:
        book.backup(tmp_path / "before.db")

    assert book.verify_receipt(book.forget(kept)).found == ()
    book.forget(said.ids[0])
    holds(book, kept)

    clock.advance(days=1)
    feed(book, clock)
    holds(book, kept)

    book.maintain()
    book.reindex()
    book.rotate_keys()
    clock.advance(days=40)
    book.maintain()
    holds(book, kept)

    book.close()
    book = open_book()
    holds(book, kept)

    if on_sqlite:
        book.restore(tmp_path / "before.db")
        holds(book, kept)
        feed(book, clock)
        holds(book, kept)
        book.close()
        holds(open_book(), kept)


def test_a_conclusion_goes_with_its_last_evidence_and_keeps_what_is_left(book: Commonplace) -> None:
    from commonplace.memories.admission import NewMemory
    from commonplace.memories.gateway import Gateway
    from commonplace.memories.work import working

    first, second = (book.observe(text).ids[0] for text in ("I keep bees", "my bees made honey"))
    with working(book._scope, "TEST") as work:
        gateway = Gateway(book._scope)
        bees = gateway.admit(work, NewMemory(text="Ada keeps many bees"), evidence=[(first, None), (second, None)])
        work.receipt()
    book.forget(first)
    assert book.get(bees.id).text == "Ada keeps many bees"
    book.forget(second)
    with pytest.raises(NotFound):
        book.get(bees.id)


def test_forgetting_a_belief_redacts_its_quote_and_nothing_else(book: Commonplace) -> None:
    from commonplace.memories.admission import NewMemory
    from commonplace.memories.gateway import Gateway
    from commonplace.memories.work import working

    said = book.observe("We met at noon. My allergy is to walnuts. Then we left for Kiel.").ids[0]
    with working(book._scope, "TEST") as work:
        quote = "My allergy is to walnuts."
        belief = Gateway(book._scope).admit(work, NewMemory(text="Ada is allergic to nuts"), evidence=[(said, quote)])
        work.receipt()
    book.forget(belief.id)
    episode = book.get(said)
    assert "walnuts" not in episode.text and "We met at noon." in episode.text and "Kiel" in episode.text
    assert all("walnuts" not in version.memory.text for version in book.history(said))
    assert not [text for text in found(book, "walnuts") if "walnuts" in text]
    assert book.recall("Kiel", limit=1)[0].memory.id == said


def test_erasing_a_namespace_leaves_the_others(open_book) -> None:
    work, home = open_book(namespace="work"), open_book(namespace="home")
    work.remember("the budget is signed")
    home.remember("the bread is baked")
    receipt = work.erase(confirm=True, namespace="work")
    assert work.recall("budget") == [] and work.verify_receipt(receipt).found == ()
    assert found(home, "bread") == {"the bread is baked"}
    assert [one.name for one in home.namespaces.list()] == ["home"]


def test_erasing_an_owner_leaves_the_account_and_the_others(open_book) -> None:
    ada, bob = open_book(owner="ada"), open_book(owner="bob")
    ada.remember("ada's diary is blue")
    bob.remember("bob's diary is red")
    with pytest.raises(ValueError, match="confirm"):
        ada.erase(confirm=False)
    ada.erase(confirm=True)
    assert ada.recall("diary") == [] and ada.audit.verify().ok
    assert [line.action for line in ada.audit.list()] == ["ERASE"]
    assert found(bob, "diary") == {"bob's diary is red"}
    assert ada.remember("ada's diary is blue").action == "ADD", "an erased account starts anew"
