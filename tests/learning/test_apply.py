"""From what was said to what is believed, on both engines."""

from datetime import UTC, datetime, timedelta

import pytest

from commonplace import Commonplace, Message
from commonplace.memories.review import REJECTED_BEFORE
from commonplace.testing.clock import StoppedClock

BELIEFS = ("core", "associative", "relational", "proactive")
EVERY = ("candidate", "verified", "rejected", "stale", "archived")
MARCH = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)


def believed(book: Commonplace, **fields: object) -> list[str]:
    return sorted(one.text for one in book.browse(kinds=BELIEFS, limit=500, **fields))


def actions(receipt: object) -> list[str]:
    return [change.action for change in receipt.changes]  # type: ignore[attr-defined]


def test_a_cfo_is_a_relation_and_a_core_value(book: Commonplace) -> None:
    receipt = book.observe("My CFO is Giulia")
    assert actions(receipt) == ["ADD", "ADD"]
    (edge,) = book.relations()
    assert (edge.subject.label, edge.subject.type, edge.predicate) == ("Giulia", "person", "cfo_of")
    assert book.core.get("cfo").text == "Giulia"


def test_a_project_manager_is_a_stakeholder(book: Commonplace) -> None:
    book.observe("Marco is the PM on Project Acme")
    (edge,) = book.relations()
    assert (edge.subject.label, edge.subject.type) == ("Marco", "person")
    assert (edge.predicate, edge.object.label, edge.object.type) == ("stakeholder_of", "Acme", "project")


def test_who_moved_lives_there_now_and_lived_elsewhere_before(book: Commonplace, clock: StoppedClock) -> None:
    book.observe(Message("I live in Vienna", at=MARCH))
    receipt = book.observe(Message("I moved to Oslo", at=MARCH + timedelta(days=30)))
    assert actions(receipt) == ["UPDATE"]
    now = [hit.memory.text for hit in book.recall("where does the owner live", kinds=["associative"])]
    before = book.recall("where does the owner live", kinds=["associative"], as_of=MARCH + timedelta(days=10))
    assert now == ["Owner lives in Oslo"]
    assert [hit.memory.text for hit in before] == ["Owner lives in Vienna"]


def test_a_sister_taken_back_stays_away_when_the_message_comes_again(book: Commonplace) -> None:
    first = book.observe("I have a sister in Rome")
    assert "Owner has a sister" in believed(book)
    book.observe("I misspoke, I don't have a sister")
    assert believed(book) == []
    book.observe("I have a sister in Rome")
    assert believed(book) == []
    book.reindex()
    book.observe("I have a sister in Rome.")
    assert believed(book) == []
    assert first.changes


def test_a_sister_with_a_name_is_taken_back_too_and_a_brother_stays(book: Commonplace) -> None:
    book.observe("My sister is Anna")
    book.observe("My brother is Lars")
    assert len(book.relations()) == 2
    book.observe("I misspoke, I don't have a sister")
    assert [edge.subject.label for edge in book.relations()] == ["Lars"]
    book.observe("My sister is Anna")
    assert [edge.subject.label for edge in book.relations()] == ["Lars"]


def test_said_again_in_other_words_it_waits_for_a_person(book: Commonplace) -> None:
    book.observe("I have a sister in Rome")
    book.observe("I misspoke, I don't have a sister")
    book.observe("By the way, my sister lives in Rome")
    (waiting,) = book.review.list()
    assert waiting.reason == REJECTED_BEFORE
    book.observe("As I said before, my sister lives in Rome")
    assert book.get(waiting.memory.id).status == "candidate"
    book.confirm(waiting.memory.id)
    assert book.get(waiting.memory.id).status == "verified"


def test_what_is_concluded_points_at_the_very_words(book: Commonplace) -> None:
    receipt = book.observe("Hello! I moved to Oslo last week. Nice weather.")
    (change,) = receipt.changes
    ((episode, quote),) = book.evidence(change.id)
    assert quote == "I moved to Oslo last week"
    assert episode.text.startswith("Hello! ")


def test_the_owners_words_are_verified_and_anothers_are_not(book: Commonplace) -> None:
    book.observe([Message("I live in Vienna"), Message("I live in Rome", speaker="Marco")])
    statuses = {one.text: one.status for one in book.browse(kinds=BELIEFS)}
    assert statuses == {"Owner lives in Vienna": "verified", "Marco lives in Rome": "candidate"}


def test_who_speaks_alone_is_the_owner_whatever_the_name(book: Commonplace) -> None:
    book.observe([Message("I live in Rome", speaker="Marco"), Message("Noted.", role="assistant", speaker="Bot")])
    assert {one.text: one.status for one in book.browse(kinds=BELIEFS)} == {"Owner lives in Rome": "verified"}


def test_who_speaks_by_another_name_than_the_owners_is_somebody_else(book: Commonplace) -> None:
    book.observe(Message("My name is Ada", speaker="Ada"))
    book.observe(Message("I live in Rome", speaker="Marco"))
    book.observe(Message("I live in Oslo", speaker="Ada"))
    texts = {one.text: one.status for one in book.browse(kinds=["associative"])}
    assert texts == {"Marco lives in Rome": "candidate", "Owner lives in Oslo": "verified"}


def test_a_second_independent_saying_verifies(book: Commonplace) -> None:
    book.observe("Good morning")  # somebody without a name, so that Marco is another
    book.observe(Message("I live in Rome", speaker="Marco"))
    book.observe(Message("I live in Rome", speaker="Marco"))
    (belief,) = book.browse(kinds=BELIEFS)
    assert belief.status == "candidate"
    book.observe(Message("Yes, I live in Rome, near the station", speaker="Marco"))
    (belief,) = book.browse(kinds=BELIEFS)
    assert belief.status == "verified"
    assert belief.confidence > 0.7


@pytest.mark.parametrize("stated", ["Owner lives in Vienna", "I live in Vienna"])
def test_what_was_stated_by_hand_is_replaced_when_a_person_agrees(
    book: Commonplace, clock: StoppedClock, stated: str
) -> None:
    book.remember(stated, category="fact")
    book.remember("Owner likes Vienna", category="preference")
    clock.advance(days=1)
    book.observe("I moved to Oslo")
    (waiting,) = book.review.list()
    assert waiting.conflict is not None and waiting.conflict.text == stated
    book.review.decide(waiting.memory.id, "approve")
    assert believed(book) == ["Owner likes Vienna", "Owner lives in Oslo"]
    assert believed(book, statuses=["stale"]) == [stated]


def test_a_relation_made_by_hand_waits_for_the_person(book: Commonplace, clock: StoppedClock) -> None:
    book.relate("Owner", "reports_to", "Henrik", subject_type="person", object_type="person")
    clock.advance(days=1)
    book.observe("My boss is Maria now")
    for waiting in book.review.list():
        assert waiting.conflict is not None and waiting.conflict.text == "Owner reports to Henrik"
        book.review.decide(waiting.memory.id, "approve")
    assert [edge.object.label for edge in book.relations(predicate="reports_to")] == ["Maria"]


def test_from_an_agent_nothing_is_verified(book: Commonplace) -> None:
    book.acting_as("agent", source="assistant", person=False).observe("I live in Vienna")
    (belief,) = book.browse(kinds=BELIEFS)
    assert belief.status == "candidate"


def test_said_again_is_left_alone_and_surer(book: Commonplace) -> None:
    book.observe("I live in Oslo")
    (before,) = book.browse(kinds=BELIEFS)
    receipt = book.observe("I live in Oslo, as you know")
    (after,) = book.browse(kinds=BELIEFS)
    assert actions(receipt) == ["NOOP"]
    assert after.id == before.id
    assert after.confidence > before.confidence
    assert len(book.evidence(after.id)) == 2


def test_no_longer_ends_and_does_not_reject(book: Commonplace) -> None:
    book.observe(Message("I work at Acme", at=MARCH))
    book.observe(Message("I no longer work at Acme", at=MARCH + timedelta(days=5)))
    assert believed(book) == []
    assert believed(book, statuses=["stale"]) == ["Owner works at Acme"]
    book.observe(Message("I work at Acme again", at=MARCH + timedelta(days=9)))
    assert believed(book) == ["Owner works at Acme"]


def test_forget_that_takes_the_belief_and_the_words(book: Commonplace) -> None:
    book.observe("I live in Oslo")
    book.observe("I like tea")
    receipt = book.observe("Forget that I live in Oslo")
    assert actions(receipt) == ["DELETE"]
    everything = " ".join(one.text for one in book.browse(statuses=EVERY, limit=100))
    assert "Oslo" not in everything
    assert "tea" in everything


def test_late_news_does_not_replace_newer_truth(book: Commonplace) -> None:
    book.observe(Message("I moved to Oslo", at=MARCH))
    book.observe(Message("I live in Vienna", at=MARCH - timedelta(days=400)))
    assert believed(book) == ["Owner lives in Oslo"]


def test_several_languages_stand_side_by_side(book: Commonplace) -> None:
    book.observe("I speak Italian")
    book.observe("I speak Norwegian")
    assert believed(book) == ["Owner speaks Italian", "Owner speaks Norwegian"]


def test_another_speaker_does_not_overwrite_what_the_owner_said(book: Commonplace) -> None:
    book.observe("My brother Marco lives in Paris")
    book.observe(Message("I live in Rome", speaker="Marco"))
    statuses = {one.text: one.status for one in book.browse(kinds=["associative"])}
    assert statuses == {"Marco lives in Paris": "verified", "Marco lives in Rome": "candidate"}
    (waiting,) = book.review.list()
    assert waiting.conflict is not None
    assert waiting.conflict.text == "Marco lives in Paris"


def test_two_people_of_one_name_are_not_made_one(book: Commonplace) -> None:
    book.observe("My CFO is Giulia")
    book.observe("My sister Giulia lives in Rome")
    edges = {edge.predicate: edge.subject.id for edge in book.relations()}
    assert edges["cfo_of"] != edges["sibling_of"]
    book.observe("As of today my CFO is Giulia, still")
    assert len(book.graph.entities(type="person")) == 3


def test_two_roles_of_one_circle_are_one_person(book: Commonplace) -> None:
    book.observe("My boss is Tom")
    book.observe("Tom is the PM on Project Acme")
    people = {
        edge.predicate: {edge.subject.label: edge.subject.id, edge.object.label: edge.object.id}
        for edge in book.relations()
    }
    assert people["reports_to"]["Tom"] == people["stakeholder_of"]["Tom"]


def test_undoing_the_observation_takes_back_what_it_taught(book: Commonplace) -> None:
    book.observe("I live in Vienna")
    receipt = book.observe("I moved to Oslo")
    book.undo(receipt)
    assert believed(book) == ["Owner lives in Vienna"]
    texts = [one.text for one in book.browse(kinds=["episodic"])]
    assert texts == ["I live in Vienna"]


@pytest.mark.parametrize(
    "text", ["Thanks, that helps!", "What is the weather like?", "lol", "If I lived in Oslo I would ski"]
)
def test_small_talk_teaches_nothing_and_leaves_no_job(book: Commonplace, text: str) -> None:
    receipt = book.observe(text)
    assert receipt.changes == ()
    assert receipt.trace is None
    assert book.jobs.list() == []


def test_an_answer_of_the_assistant_teaches_nothing(book: Commonplace) -> None:
    book.observe([Message("You live in Paris. I live in Rome.", role="assistant")])
    assert believed(book) == []


def test_why_tells_what_was_seen_and_decided(book: Commonplace) -> None:
    first = book.observe("I live in Vienna")
    second = book.observe("I moved to Oslo")
    (run,) = book.why(second.trace or "")
    (step,) = run.steps
    assert step.action == "UPDATE"
    assert step.near == (first.changes[0].id,)
    assert step.statement == "Owner lives in Oslo"
    (of_memory,) = book.why(second.changes[0].id)
    assert of_memory.steps == run.steps


def test_forgetting_a_belief_drops_what_was_traced_of_it(book: Commonplace) -> None:
    receipt = book.observe("I live in Vienna")
    book.forget(receipt.changes[0].id)
    (run,) = book.why(receipt.trace or "")
    assert run.steps == ()
