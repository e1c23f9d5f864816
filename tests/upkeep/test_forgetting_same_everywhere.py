"""What a forget leaves is what a restore of an older copy, and the import of an older export, leave too."""

import io
import random
from pathlib import Path

import pytest
from tests.upkeep.test_forgetting import older_copy

from commonplace import Commonplace
from commonplace.model import Receipt

EVERY_STATUS = ("candidate", "verified", "rejected", "stale", "archived")
SENTENCES = (
    "My sister Marta lives in Turin.",
    "My boss is Olu.",
    "I am allergic to peanuts.",
    "I prefer tea to coffee.",
    "My flight to Rome is on June 5.",
    "The door code is 4471.",
    "Never deploy on Fridays.",
    "My boss is Olu and my sister Marta lives in Turin.",
    "I am allergic to peanuts and I prefer tea.",
    "I live in Bergen, and my brother Tom lives in Rome.",
)
NAMES = ("Marta", "Olu", "peanuts", "Bergen", "Tom", "4471")


def view(book: Commonplace) -> tuple[object, ...]:
    memories = book.browse(limit=500, statuses=EVERY_STATUS)
    relations = [(row.subject.label, row.predicate, row.object.label) for row in book.relations()]
    return (
        sorted((memory.kind, memory.text, memory.status) for memory in memories),
        sorted(entity.label for entity in book.graph.entities()),
        sorted(relations),
    )


def texts(book: Commonplace) -> set[str]:
    return {memory.text for memory in book.browse(limit=500)}


def exported(book: Commonplace) -> str:
    out = io.StringIO()
    book.export(out)
    return out.getvalue()


def test_one_of_two_facts_in_a_sentence_goes_and_a_restore_keeps_the_other(book: Commonplace, tmp_path: Path) -> None:
    book.observe("I am allergic to peanuts and I prefer tea. The door code is 4471.")
    bring_back = older_copy(book, tmp_path)
    book.forget(next(memory.id for memory in book.browse() if memory.text == "Owner prefers tea"))
    left = view(book)
    assert "I am allergic to peanuts and [forgotten]. The door code is 4471." in texts(book)
    bring_back(book)
    assert view(book) == left and "Owner is allergic to peanuts" in texts(book)
    assert not [text for text in texts(book) if "tea" in text]


@pytest.mark.parametrize(("word", "stays"), [("Olu", "Marta lives in Turin"), ("Marta", "Owner reports to Olu")])
def test_the_other_half_of_a_sentence_is_still_believed(book: Commonplace, word: str, stays: str) -> None:
    book.observe("My boss is Olu and my sister Marta lives in Turin.")
    book.forget(query=word, all=True)
    assert not [text for text in texts(book) if word in text]
    (belief,) = (memory for memory in book.browse() if memory.text == stays)
    ((turn, quote),) = book.evidence(belief.id)
    assert quote is not None and quote in turn.text


def test_a_sentence_that_another_message_says_too_is_forgotten_with_one_message_only(
    book: Commonplace, tmp_path: Path
) -> None:
    first = book.observe("The door code is 4471. We sail on Sunday morning.", session="a").ids[0]
    book.observe("Please write it down. The door code is 4471.", session="b")
    bring_back = older_copy(book, tmp_path)
    receipt = book.forget(first)
    left = view(book)
    assert "Please write it down. The door code is 4471." in texts(book)
    bring_back(book)
    assert view(book) == left and book.verify_receipt(receipt).found == ()
    assert not [text for text in texts(book) if "Sunday" in text], "the control"


def test_a_forgotten_message_does_not_come_back_as_a_mark(book: Commonplace) -> None:
    id = book.observe("I am allergic to peanuts.").ids[0]
    older = exported(book)
    receipt = book.forget(id)
    book.import_(io.StringIO(older))
    assert texts(book) == set() and book.verify_receipt(receipt).found == ()
    assert [symptom.what for symptom in book.doctor(full=True).symptoms if symptom.grade == "problem"] == []


def test_a_statement_in_the_words_of_a_quote_that_was_cut_is_whole_after_a_restore(
    book: Commonplace, tmp_path: Path
) -> None:
    book.observe("I work at Acme as a nurse. The door code is 4471.")
    book.remember("I work at Acme as a nurse")
    bring_back = older_copy(book, tmp_path)
    book.forget(next(memory.id for memory in book.browse() if memory.kind == "relational"))
    bring_back(book)
    assert not [memory.text for memory in book.browse(kinds=("associative",)) if memory.text == "[forgotten]"]


def test_a_forgotten_belief_stays_away_when_its_message_comes_again(book: Commonplace) -> None:
    book.observe("My boss is Olu.", session="a")
    belief = next(memory.id for memory in book.browse() if memory.kind == "relational")
    book.forget(belief)
    book.observe("My boss is Olu.", session="b")
    assert not [text for text in texts(book) if "Olu" in text]


def forget_something(book: Commonplace, chance: random.Random) -> Receipt | None:
    memories = book.browse(limit=500, statuses=EVERY_STATUS)
    name = chance.choice(NAMES)
    if chance.random() < 0.3 and any(name in memory.text for memory in memories):
        receipt = book.forget(query=name, all=True)
        return receipt if isinstance(receipt, Receipt) else None
    return book.forget(chance.choice(memories).id) if memories else None


@pytest.mark.parametrize("seed", range(6))
def test_whatever_was_forgotten_copies_and_exports_leave_the_same(book: Commonplace, tmp_path: Path, seed: int) -> None:
    chance = random.Random(seed)
    pool = chance.sample(SENTENCES, 5)
    for number in range(3):
        book.observe(" ".join(chance.sample(pool, chance.randint(1, 4))), session=f"talk {number % 2}")
    older, bring_back = exported(book), older_copy(book, tmp_path)
    receipts = list(filter(None, [forget_something(book, chance) for _ in range(2)]))
    left = view(book)
    assert receipts and all(book.verify_receipt(receipt).found == () for receipt in receipts)
    book.import_(io.StringIO(older))
    assert view(book) == left
    bring_back(book)
    assert view(book) == left
