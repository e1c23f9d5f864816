"""Every statement meets what is believed: the receipt names what it contradicts, and what became of that."""

import pytest
from tests.trust_table import AGENT, PERSON, acting

from commonplace import Commonplace


def statuses(book: Commonplace, *ids: str) -> list[str]:
    return [book.get(id).status for id in ids]


def test_a_newer_statement_ends_the_older_and_says_so(book: Commonplace) -> None:
    berlin = str(book.remember("Ada lives in Berlin").id)
    other = str(book.remember("Bruno lives in Berlin").id)
    receipt = book.remember("Ada lives in Lisbon")
    assert receipt.action == "ADD" and statuses(book, berlin, str(receipt.id)) == ["stale", "verified"]
    assert [(change.action, change.id) for change in receipt.changes][1:] == [("UPDATE", berlin)]
    assert receipt.changes[1].reason.startswith("contradicts") and receipt.changes[1].reason.endswith("ended")
    assert statuses(book, other) == ["verified"], "the control: somebody else's home stays"
    book.undo(receipt)
    assert statuses(book, berlin) == ["verified"]


def test_a_receipt_is_about_the_new_memory_first(book: Commonplace) -> None:
    book.core.set("editor", "vim")
    assert book.get(str(book.core.set("editor", "emacs").id)).text == "emacs"


def test_what_may_stand_together_does(book: Commonplace) -> None:
    first = str(book.remember("Ada speaks Italian").id)
    receipt = book.remember("Ada speaks German")
    assert len(receipt.changes) == 1 and statuses(book, first) == ["verified"]


def test_an_agent_proposes(book: Commonplace) -> None:
    berlin = str(book.remember("Ada lives in Berlin").id)
    receipt = acting(book, AGENT).remember("Ada lives in Lisbon")
    assert statuses(book, berlin, str(receipt.id)) == ["verified", "candidate"]
    assert [(change.action, change.id) for change in receipt.changes][1:] == [("PROPOSE", berlin)]
    assert receipt.changes[1].reason.endswith("proposed")
    (item,) = book.review.list()
    assert item.conflict is not None and item.conflict.id == berlin
    book.review.decide(item.memory.id, "approve")
    assert statuses(book, berlin, item.memory.id) == ["stale", "verified"]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Rex is my dog", "Rex died yesterday"),
        ("I drive a Golf", "sold the Golf"),
        ("I drink tea every morning", "I switched from tea to coffee"),
    ],
)
def test_the_judge_sees_a_change_in_other_words(book: Commonplace, old: str, new: str) -> None:
    first, other = str(book.remember(old).id), str(book.remember("The ferry leaves at nine").id)
    proposal = acting(book, AGENT).remember(new)
    assert statuses(book, first, str(proposal.id)) == ["verified", "candidate"]
    book.undo(proposal)
    receipt = book.remember(new)
    assert statuses(book, first, str(receipt.id), other) == ["stale", "verified", "verified"]
    assert any(first in note and "ended" in note for note in receipt.notes)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("I own a Golf", "I bought a Tesla too"),
        ("I work at Google", "I work at Starbucks on Saturdays"),
        ("Room 12 is booked for Friday", "Room 14 is booked for Friday"),
    ],
)
def test_both_stand_where_neither_makes_the_other_untrue(book: Commonplace, old: str, new: str) -> None:
    assert statuses(book, str(book.remember(old).id), str(book.remember(new).id)) == ["verified", "verified"]


@pytest.mark.parametrize("rank", [AGENT, PERSON])
def test_many_at_once(book: Commonplace, rank: int) -> None:
    berlin = str(book.remember("Ada lives in Berlin").id)
    receipt = acting(book, rank).remember_many(["Ada lives in Lisbon", "the ferry leaves at nine"])
    assert statuses(book, berlin) == ["stale" if rank == PERSON else "verified"]
    assert "PROPOSE" in [change.action for change in receipt.changes] or rank == PERSON


def test_relations(book: Commonplace) -> None:
    first = str(book.relate("Ada", "reports_to", "Olu", object_type="person").id)
    second = book.relate("Ada", "reports_to", "Beatrix", object_type="person")
    assert statuses(book, first) == ["stale"]
    assert any(change.id == first for change in second.changes)
    assert [edge.object.label for edge in book.relations(subject="Ada", predicate="reports_to")] == ["Beatrix"]


def test_a_core_value_and_its_relation_never_disagree(book: Commonplace) -> None:
    book.core.set("boss", "Olu")
    book.relate("Owner", "reports_to", "Beatrix", object_type="person")
    assert [value.text for value in book.core.list() if value.key == "boss"] in ([], ["Beatrix"])

    book.core.set("boss", "Carla")
    assert [edge.object.label for edge in book.relations(predicate="reports_to")] in ([], ["Carla"])
    book.relate("Owner", "reports_to", "Carla", object_type="person")
    assert book.core.get("boss").text == "Carla", "the control: they agree, and both stand"


def test_a_core_value_and_what_is_said(book: Commonplace, clock) -> None:
    book.observe("My boss is Olu.")
    clock.advance(days=1)
    book.observe("I report to Beatrix now.")
    bosses = [value.text for value in book.core.list() if value.key == "boss"]
    assert bosses in ([], ["Beatrix"])
    assert [edge.object.label for edge in book.relations(predicate="reports_to")] == ["Beatrix"]


def test_an_agents_core_value_does_not_end_a_persons_relation(book: Commonplace) -> None:
    relation = str(book.relate("Owner", "reports_to", "Beatrix", object_type="person").id)
    receipt = acting(book, AGENT).core.set("boss", "Olu")
    assert statuses(book, relation) == ["verified"]
    assert ("PROPOSE", relation) in [(change.action, change.id) for change in receipt.changes]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Ada lives in Berlin", "Ada lives in Lisbon"),
        ("I live in Berlin", "Ada moved to Lisbon"),
        ("lives in Berlin", "lives in Lisbon"),
        ("My dentist is Dr Falk", "My dentist is Dr Lind"),
    ],
)
def test_the_owner_is_meant_by_name_by_i_and_by_no_subject(open_book, old: str, new: str) -> None:
    book = open_book(owner="ada")
    first, other = str(book.remember(old).id), str(book.remember("Bruno lives in Berlin").id)
    receipt = book.remember(new)
    assert statuses(book, first, str(receipt.id), other) == ["stale", "verified", "verified"]
    assert any(first in note and "ended" in note for note in receipt.notes)


@pytest.mark.parametrize(
    ("key", "value", "text"), [("boss", "Olu", "My boss is Beatrix"), ("email", "a@b.org", "My email is ada@c.org")]
)
def test_a_core_value_and_a_statement_never_disagree(book: Commonplace, key: str, value: str, text: str) -> None:
    core, city = str(book.core.set(key, value).id), str(book.core.set("city", "Oslo").id)
    proposal = acting(book, AGENT).remember(text)
    assert statuses(book, core, str(proposal.id)) == ["verified", "candidate"]
    book.undo(proposal)
    stated = str(book.remember(text).id)
    assert statuses(book, core, stated, city) == ["stale", "verified", "verified"]
    receipt = book.core.set(key, value)
    assert statuses(book, stated, str(receipt.id)) == ["stale", "verified"]
    assert any(stated in note and "ended" in note for note in receipt.notes)


@pytest.mark.parametrize(
    ("key", "value", "said", "after"),
    [
        ("city", "Vienna", "I moved to Oslo", "Oslo"),
        ("employer", "Siemens", "I work at Bosch now", "Bosch"),
        ("city", "Vienna", "I'm living in Rome for the summer", "Vienna"),
        ("city", "Vienna", "I lived in Graz until 2019", "Vienna"),
        ("city", "Vienna, Austria", "I live in Vienna", "Vienna, Austria"),
        ("employer", "Siemens", "I work at Starbucks on Saturdays", "Siemens"),
    ],
)
def test_a_core_value_and_the_statement_of_the_same_never_disagree(book: Commonplace, key, value, said, after):
    book.core.set(key, value)
    book.remember(said)
    assert book.core.get(key).text == after


def test_words_in_a_conversation_against_a_core_value_wait_and_a_core_value_ends_what_was_learned(book: Commonplace):
    book.observe("I live in Graz")
    book.core.set("city", "Vienna")
    assert not any("Graz" in memory.text for memory in book.browse(kinds=["associative"]))
    book.observe("I moved to Oslo")
    (waiting,) = book.review.list()
    assert waiting.conflict is not None
    assert ("Oslo" in waiting.memory.text, waiting.conflict.text, book.core.get("city").text) == (
        True,
        "Vienna",
        "Vienna",
    )
