"""Correcting: every change is a version, any version comes back, and what was wrong stays out."""

from datetime import UTC, datetime

import pytest

from commonplace import Commonplace, Conflict, Invalid, NotFound
from commonplace.errors import NotAllowed, Tombstoned


@pytest.fixture
def tea(book: Commonplace) -> str:
    return book.remember("Ada drinks black tea", tags=["drinks"]).id


def test_a_revision_is_found_and_the_old_text_is_not(book: Commonplace, tea: str) -> None:
    book.remember("Bob drinks coffee")
    book.revise(tea, "Ada drinks oolong", reason="she said so")
    assert book.recall("oolong", limit=1)[0].memory.id == tea
    assert all("black tea" not in hit.memory.text for hit in book.recall("black tea"))
    assert [hit.memory.text for hit in book.recall("coffee", limit=1)] == ["Bob drinks coffee"]
    assert [(one.version, one.memory.text, one.reason) for one in book.history(tea)] == [
        (1, "Ada drinks black tea", None),
        (2, "Ada drinks oolong", "she said so"),
    ]


def test_a_corrected_value_cannot_be_stated_again(book: Commonplace, tea: str) -> None:
    book.revise(tea, "Ada drinks oolong", reason="corrected")
    with pytest.raises(Tombstoned):
        book.remember("ada  drinks BLACK tea")
    assert book.remember("Bob drinks black tea").action == "ADD"


def test_rollback_is_itself_a_version_and_is_found(book: Commonplace, tea: str) -> None:
    book.revise(tea, "Ada drinks oolong", reason="corrected")
    book.rollback(tea, to=1)
    assert book.get(tea).text == "Ada drinks black tea" and book.get(tea).version == 3
    assert book.recall("black tea", limit=1)[0].memory.id == tea
    with pytest.raises(Invalid):
        book.rollback(tea, to=9)


def test_a_person_who_rolls_back_a_rejection_may_state_the_value_again(book: Commonplace, tea: str) -> None:
    book.reject(tea)
    with pytest.raises(Tombstoned):
        book.remember("Ada drinks black tea")
    book.rollback(tea, to=1)
    assert book.get(tea).status == "verified"
    assert book.remember("Ada drinks black tea").action == "NOOP"


def test_an_agent_brings_back_what_was_corrected_but_not_what_was_rejected(book: Commonplace) -> None:
    agent = book.acting_as("agent", source="assistant", person=False)
    tea = str(agent.remember("Ada drinks black tea").id)
    agent.revise(tea, "Ada drinks oolong", reason="misheard")
    agent.rollback(tea, to=1)
    assert book.get(tea).text == "Ada drinks black tea"
    rejected = book.reject(tea)
    with pytest.raises(Tombstoned):
        agent.rollback(tea, to=1)
    with pytest.raises(NotAllowed):
        agent.undo(rejected)
    agent.confirm(tea)
    assert book.get(tea).status == "rejected" and book.recall("black tea") == []
    book.rollback(tea, to=1)
    assert book.recall("black tea")[0].memory.id == tea


def test_an_agent_takes_back_its_own_correction(book: Commonplace) -> None:
    agent = book.acting_as("agent", source="assistant", person=False)
    tea = str(agent.remember("Ada drinks black tea").id)
    agent.undo(agent.revise(tea, "Ada drinks oolong", reason="misheard"))
    assert book.get(tea).text == "Ada drinks black tea"
    assert book.remember("Ada drinks black tea").action == "NOOP"


def test_a_stale_writer_is_told_and_nothing_changes(book: Commonplace, tea: str) -> None:
    book.revise(tea, "Ada drinks oolong", reason="first")
    with pytest.raises(Conflict) as caught:
        book.revise(tea, "Ada drinks matcha", reason="second", expected=1)
    assert (caught.value.expected, caught.value.found) == (1, 2)
    assert book.get(tea).text == "Ada drinks oolong"


def test_fields_change_without_the_text(book: Commonplace, tea: str) -> None:
    book.revise(tea, importance=0.1, tags=["hot", "drinks"], metadata={"cup": 2}, pinned=True)
    memory = book.get(tea)
    assert (memory.importance, memory.tags, memory.pinned) == (0.1, ("drinks", "hot"), True)
    assert memory.metadata == {"cup": 2}
    assert book.recall("tea", tags=["hot"])[0].memory.id == tea
    assert book.remember("Ada drinks black tea").action == "NOOP"


@pytest.mark.parametrize("verb", ["remember", "revise", "reject", "confirm", "archive", "relate", "end", "observe"])
def test_everything_but_forgetting_can_be_undone(book: Commonplace, tea: str, verb: str) -> None:
    before = book.get(tea)
    acts = {
        "remember": lambda: book.remember("Ada owns a boat"),
        "revise": lambda: book.revise(tea, "Ada drinks oolong", reason="r"),
        "reject": lambda: book.reject(tea, reason="wrong"),
        "confirm": lambda: book.confirm(tea),
        "archive": lambda: book.archive(tea),
        "relate": lambda: book.relate("Ada", "works_at", "Acme", object_type="company"),
        "end": lambda: book.end(tea),
        "observe": lambda: book.observe("Ada said something about a boat"),
    }
    receipt = acts[verb]()
    book.undo(receipt)
    after = book.get(tea)
    assert (after.text, after.status, after.valid_to) == (before.text, before.status, before.valid_to)
    assert [hit.memory.id for hit in book.recall("black tea", limit=1)] == [tea]
    assert not [hit for hit in book.recall("boat") if "boat" in hit.memory.text]
    assert book.relations() == []
    if verb == "revise":
        assert book.remember("Ada drinks black tea").action == "NOOP"


def test_undo_refuses_what_changed_since(book: Commonplace, tea: str) -> None:
    receipt = book.revise(tea, "Ada drinks oolong", reason="r")
    book.revise(tea, "Ada drinks matcha", reason="r")
    with pytest.raises(Conflict):
        book.undo(receipt)
    assert book.get(tea).text == "Ada drinks matcha"


def test_forget_and_erase_cannot_be_undone(book: Commonplace, tea: str) -> None:
    with pytest.raises(Invalid):
        book.undo(book.forget(tea))
    with pytest.raises(NotFound):
        book.get(tea)


def test_ended_wrong_and_forgotten_are_three_things(book: Commonplace, clock) -> None:
    stated = ("Ada lives in Oslo", "Ada has a sister", "Ada hates pins")
    oslo, sister, pin = (book.remember(text).id for text in stated)
    book.end(oslo)
    book.reject(sister, reason="she misspoke")
    book.forget(pin)
    assert not [hit for hit in book.recall("Ada") if hit.memory.id in (oslo, sister, pin)]
    clock.advance(days=1)
    assert book.remember("Ada lives in Oslo").action == "ADD"
    for text in ("Ada has a sister", "Ada hates pins"):
        with pytest.raises(Tombstoned):
            book.remember(text)
    assert book.get(sister).status == "rejected"
    with pytest.raises(NotFound):
        book.get(pin)


@pytest.mark.parametrize(
    "look_alike",
    [
        "ada has a SISTER",
        "Ada  has\ta sister.",
        "\u0410da has a sister",
        "Ada\u200b has a sis\u00adter",
        "\uff21\uff44\uff41 has a sister",
    ],
)
def test_a_tombstone_holds_against_look_alikes(book: Commonplace, look_alike: str) -> None:
    book.reject(book.remember("Ada has a sister").id, reason="wrong")
    with pytest.raises(Tombstoned):
        book.remember(look_alike)
    assert book.remember("Ada has a brother").action == "ADD"


def test_only_a_persons_confirmation_lifts_a_tombstone(book: Commonplace) -> None:
    sister = book.remember("Ada has a sister").id
    book.reject(sister, reason="wrong")
    book.confirm(sister)
    assert book.get(sister).status == "verified"
    assert book.remember("Ada has a sister").action == "NOOP"
    book.forget(sister)
    assert book.review.lift("Ada has a sister") == 1
    assert book.remember("Ada has a sister").action == "ADD"


def test_both_clocks_answer_with_old_texts(book: Commonplace, clock) -> None:
    lived = book.remember(
        "Ada lives in Vienna", valid_from=datetime(2020, 1, 1, tzinfo=UTC), valid_to=datetime(2024, 1, 1, tzinfo=UTC)
    ).id
    learned = clock.now()
    clock.advance(days=1)
    book.revise(lived, "Ada lives in Graz", reason="it was Graz")
    question = "where does Ada live"
    assert book.recall(question, as_of=datetime(2022, 1, 1, tzinfo=UTC))[0].memory.text == "Ada lives in Graz"
    assert book.recall(question, as_of=datetime(2025, 1, 1, tzinfo=UTC)) == []
    then = book.recall("Vienna", as_of=datetime(2022, 1, 1, tzinfo=UTC), known_at=learned)
    assert [hit.memory.text for hit in then] == ["Ada lives in Vienna"]
    assert book.get(lived, known_at=learned).text == "Ada lives in Vienna"
    with pytest.raises(NotFound):
        book.get(lived, as_of=datetime(2025, 1, 1, tzinfo=UTC))


def test_review_lists_what_waits_and_takes_one_decision_a_line(book: Commonplace) -> None:
    ids = [book.remember(f"the agent noticed thing {n}", source="assistant").id for n in range(4)]
    assert [one.memory.id for one in book.review.list()] == ids
    book.review.decide(ids[0], "approve")
    book.review.decide(ids[1], "correct", text="the agent noticed thing one")
    book.review.decide(ids[2], "reject")
    assert [one.memory.id for one in book.review.list()] == ids[3:]
    assert [book.get(id).status for id in ids] == ["verified", "verified", "rejected", "candidate"]
    assert book.history(ids[0])[-1].actor == "owner"
    with pytest.raises(Invalid):
        book.review.decide(ids[3], "shrug")
