"""Forgotten is gone: through re-feeding, jobs, reindexing, restarts and restores; its neighbour stays throughout."""

import io
from dataclasses import replace
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
    from commonplace.memories.gateway import Gateway
    from commonplace.memories.unit_of_work import write_transaction
    from commonplace.model import NewMemory

    first, second = (book.observe(text).ids[0] for text in ("I keep bees", "my bees made honey"))
    with write_transaction(book._scope, "TEST") as work:
        gateway = Gateway(book._scope)
        bees = gateway.admit(work, NewMemory(text="Ada keeps many bees"), evidence=[(first, None), (second, None)])
        work.receipt()
    book.forget(first)
    assert book.get(bees.id).text == "Ada keeps many bees"
    book.forget(second)
    with pytest.raises(NotFound):
        book.get(bees.id)


def test_forgetting_a_belief_redacts_its_quote_and_nothing_else(book: Commonplace) -> None:
    from commonplace.memories.gateway import Gateway
    from commonplace.memories.unit_of_work import write_transaction
    from commonplace.model import NewMemory

    said = book.observe("We met at noon. My allergy is to walnuts. Then we left for Kiel.").ids[0]
    with write_transaction(book._scope, "TEST") as work:
        quote = "My allergy is to walnuts."
        belief = Gateway(book._scope).admit(work, NewMemory(text="Ada is allergic to nuts"), evidence=[(said, quote)])
        work.receipt()
    book.forget(belief.id)
    episode = book.get(said)
    assert "walnuts" not in episode.text and "We met at noon." in episode.text and "Kiel" in episode.text
    assert all("walnuts" not in version.memory.text for version in book.history(said))
    assert not [text for text in found(book, "walnuts") if "walnuts" in text]
    assert "Kiel" in book.recall("Kiel", limit=1)[0].memory.text


def test_words_go_whatever_language_was_set_when_they_came(open_book, settings) -> None:
    italian, english = (open_book(settings=replace(settings, language=one)) for one in ("it", "en"))
    kept = italian.remember("i cavalli corrono veloci nella valle").id
    other = english.remember("the horses are running fast in the valley").id
    place = english.namespaces.get("default").id
    with english._scope.store.read("me") as tx:
        assert tx.words.fresh(place) >= 8
    english.forget(kept)
    italian.forget(other)
    with english._scope.store.read("me") as tx:
        assert tx.words.fresh(place) == 0 and tx.words.blocks(place, after=None, limit=9) == []


def told(book: Commonplace) -> str:
    """Every reason that the audit and the receipts still give."""
    lines = [line.reason for line in book.audit.list()]
    return repr([lines, [change.reason for receipt in book.receipts.list() for change in receipt.changes]])


def changed_for_reasons(book: Commonplace, clock) -> tuple[str, str]:
    secret, other = book.remember(SECRET).id, book.remember(NEIGHBOUR).id
    clock.advance(seconds=1)
    book.revise(secret, f"{SECRET} now", reason="the word is heliotrope")
    clock.advance(seconds=1)
    book.archive(secret, other, reason="heliotrope and the canteen")
    clock.advance(seconds=1)
    book.reject(secret, reason="heliotrope is wrong")
    assert told(book).count("heliotrope") == 8
    return secret, other


def only_the_neighbours_reason_is_left(book: Commonplace, other: str) -> None:
    assert book.audit.verify().ok
    assert told(book).count("heliotrope") == told(book).count("heliotrope and the canteen") == 2
    assert [version.reason for version in book.history(other)][-1] == "heliotrope and the canteen"


def test_why_it_was_changed_is_forgotten_with_it(book: Commonplace, clock) -> None:
    secret, other = changed_for_reasons(book, clock)
    book.forget(secret)
    only_the_neighbours_reason_is_left(book, other)


@pytest.mark.one_engine("a PostgreSQL book is restored by its server; the same replay follows")
def test_why_it_was_changed_stays_forgotten_when_an_older_copy_is_restored(book: Commonplace, clock, tmp_path) -> None:
    secret, other = changed_for_reasons(book, clock)
    book.backup(tmp_path / "copy.db")
    book.forget(secret)
    book.restore(tmp_path / "copy.db")
    only_the_neighbours_reason_is_left(book, other)


def test_why_a_text_was_changed_is_forgotten_with_a_part_of_it(book: Commonplace, clock) -> None:
    id = book.remember("Ada keeps bees").id
    clock.advance(seconds=1)
    book.revise(id, "Ada keeps bees and plays chess", reason="she told me about chess")
    assert told(book).count("chess") == 2
    clock.advance(seconds=1)
    book.forget(query="Ada plays chess")
    assert book.get(id).text == "Ada keeps bees"
    assert "chess" not in told(book) + repr(book.history(id)) and book.audit.verify().ok


def test_why_something_was_changed_is_erased_with_its_namespace(open_book) -> None:
    trial, rest = open_book(namespace="trial"), open_book(namespace="rest")
    for book in (trial, rest):
        book.archive(book.remember("the bus is late").id, reason=f"{book.namespace}: no bus")
    assert "trial: no bus" in told(rest)
    rest.erase(confirm=True, namespace="trial")
    assert "trial: no bus" not in told(rest) and "rest: no bus" in told(rest)
    assert rest.audit.verify().ok


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


def test_an_agent_cannot_bring_back_what_was_forgotten_as_the_value_of_a_key(book: Commonplace) -> None:
    id = book.remember("The safe opens with the old song").id
    assert id is not None
    book.forget(id)
    agent = book.acting_as("agent", source="assistant", person=False)
    for verb in (agent.core.set, lambda key, text: agent.remember(text, kind="core", key=key)):
        with pytest.raises(Tombstoned):
            verb("safe", "the SAFE opens with the old song")
    agent.core.set("safe", "It stands in the cellar")
    with pytest.raises(Tombstoned):
        agent.revise(agent.core.get("safe").id, "The safe opens with the old song")
    assert book.core.get("safe").text == "It stands in the cellar"
    book.core.set("safe", "The safe opens with the old song")
    assert book.core.get("safe").text == "The safe opens with the old song"
