""" "Forget what I said about …": what is surely meant goes; where it may be one of several, a person is asked."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from commonplace import Commonplace, Message, Settings
from commonplace.model import STATUSES
from commonplace.testing.clock import StoppedClock


def everything(book: Commonplace) -> str:
    return "\n".join(one.text for one in book.browse(statuses=STATUSES, limit=500))


@pytest.mark.parametrize(
    ("said", "asked", "gone", "left"),
    [
        ("My dentist is Dr. Weiss", "Forget what I said about my dentist", "Weiss", "peanuts"),
        ("My therapist is Ms. Lund.", "Please forget what I told you about my therapist", "Lund", "Oslo"),
        ("Il mio dentista è Dr. Rossi", "Dimentica quello che ho detto su Rossi", "Rossi", "Oslo"),
        ("Mi dentista es Dr. Vega", "Olvida lo que dije sobre Vega", "Vega", "Oslo"),
        ("Mon dentiste est Dr. Blanc", "Oublie ce que j'ai dit sur Blanc", "Blanc", "Oslo"),
        ("Mein Zahnarzt ist Dr. Weiss", "Vergiss das über Weiss", "Weiss", "Oslo"),
    ],
)
def test_the_one_that_is_meant_is_forgotten_and_its_words(
    book: Commonplace, clock: StoppedClock, said: str, asked: str, gone: str, left: str
) -> None:
    book.observe(["I'm allergic to peanuts", "I live in Oslo"])
    book.observe(said)
    assert gone in everything(book)
    clock.advance(hours=2)
    receipt = book.observe(asked)
    assert gone not in everything(book)
    assert left in everything(book)
    assert any(change.action == "DELETE" for change in receipt.changes)
    assert not book.review.list()


def test_of_a_compound_sentence_only_the_part_goes(book: Commonplace, clock: StoppedClock) -> None:
    book.observe("I live in Oslo and work at Fjordlight.")
    clock.advance(hours=1)
    book.observe("Forget what I said about Fjordlight")
    assert "Fjordlight" not in everything(book)
    assert "I live in Oslo" in everything(book)


def test_where_several_may_be_meant_nothing_goes_and_a_person_is_asked(book: Commonplace, clock: StoppedClock) -> None:
    book.observe(["My brother lives in Turin", "My cousin Giulia lives in Graz", "I like oat milk"])
    before = everything(book)
    clock.advance(hours=1)
    book.observe("Forget what I said about my family")
    assert set(before.split("\n")) <= set(everything(book).split("\n"))
    (asked,) = book.review.list()
    named = asked.memory.metadata["forget"]
    assert len(named) > 1
    assert all(id in asked.reason for id in named)
    assert asked.conflict is not None
    assert "family" not in asked.memory.text
    assert [quote for _, quote in asked.quotes] == ["Forget what I said about my family"]


def test_the_person_decides_what_goes(book: Commonplace, clock: StoppedClock) -> None:
    book.observe(["My brother lives in Turin", "My cousin Giulia lives in Graz", "I like oat milk"])
    clock.advance(hours=1)
    book.observe("Forget what I said about my family")
    (asked,) = book.review.list()
    book.review.decide(asked.memory.id, "approve")
    assert "Turin" not in everything(book)
    assert "oat milk" in everything(book)
    assert not book.review.list()


def test_a_person_may_say_that_nothing_was_meant(book: Commonplace, clock: StoppedClock) -> None:
    book.observe(["My brother lives in Turin", "My cousin Giulia lives in Graz"])
    clock.advance(hours=1)
    book.observe("Forget what I said about my family")
    (asked,) = book.review.list()
    book.review.decide(asked.memory.id, "reject")
    assert "Turin" in everything(book)
    assert not book.review.list()


def test_what_nobody_said_cannot_be_forgotten(book: Commonplace) -> None:
    book.observe("I live in Oslo")
    receipt = book.observe("Forget what I said about the wedding")
    assert "Oslo" in everything(book)
    assert not book.review.list()
    assert not any(change.action == "DELETE" for change in receipt.changes)


def test_somebody_elses_wish_takes_nothing(book: Commonplace, clock: StoppedClock) -> None:
    book.observe("My dentist is Dr. Weiss")
    clock.advance(hours=1)
    book.observe(Message("Forget what I said about the dentist", speaker="Marco"))
    assert "Weiss" in everything(book)


def test_what_is_said_after_the_wish_stays(
    open_book: Callable[..., Commonplace], settings: Settings, clock: StoppedClock
) -> None:
    book = open_book(settings=replace(settings, plan="free"))
    book.observe("My dentist is Dr. Weiss", session="a")
    clock.advance(hours=1)
    book.observe("Forget what I said about my dentist", session="b")
    clock.advance(hours=1)
    book.observe("My dentist is Dr. Hansen", session="c")
    clock.advance(days=1)
    book.maintain()
    assert "Weiss" not in everything(book)
    assert "Hansen" in everything(book)
