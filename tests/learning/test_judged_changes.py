"""Changes that no rule knows: the judge sees them, ``decide`` acts, asks or leaves alone."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from commonplace import Commonplace, Message
from commonplace.learning.decide import Belief, decide
from commonplace.model import Candidate
from commonplace.providers.judge import Verdict
from commonplace.testing.clock import StoppedClock

BELIEFS = ("core", "associative", "relational")
NOW = datetime(2026, 3, 2, tzinfo=UTC)
UNRELATED = Verdict(same=0, refines=0, replaces=0, ends=0, denies=0, coexists=0, unrelated=1)
SENTENCE = Candidate(
    type="fact", statement="Rex died", kind="associative", category="fact", quote="Rex died", episode="e2"
)
REX = Belief(
    id="b1", statement="Owner has a dog called Rex", subject="owner", predicate="has_pet", object="a dog called Rex",
    many=True, said_at=NOW - timedelta(days=9), named=True,
)  # fmt: skip


def believed(book: Commonplace) -> list[str]:
    return sorted(memory.text for memory in book.browse(kinds=BELIEFS, limit=100) if memory.status == "verified")


def after(book: Commonplace, clock: StoppedClock, *said: str) -> list[str]:
    for text in said:
        clock.advance(days=3)
        book.observe(text, session="talk")
    return believed(book)


@pytest.mark.parametrize(
    ("change", "named", "action", "conflicts"),
    [(0.95, True, "UPDATE", ()), (0.7, True, "ADD", ("b1",)), (0.95, False, "ADD", ("b1",)), (0.3, True, "ADD", ())],
    ids=["sure", "unsure", "not named", "left alone"],
)
def test_above_the_high_threshold_act_between_ask_below_leave_alone(change, named, action, conflicts):
    judged = replace(UNRELATED, ends=change, unrelated=1 - change)
    decision = decide(SENTENCE, [replace(REX, judged=judged, named=named)], now=NOW)
    assert (decision.action, decision.conflicts, decision.review) == (action, conflicts, False)
    assert decision.target == ("b1" if action == "UPDATE" else None)


@pytest.mark.parametrize(("change", "action"), [(0.97, "UPDATE"), (0.92, "ADD")])
def test_of_a_belief_that_is_only_mentioned_the_judge_must_be_surer(change, action):
    judged = replace(UNRELATED, ends=change, unrelated=1 - change)
    decision = decide(SENTENCE, [replace(REX, judged=judged, named=False, mentioned=True)], now=NOW)
    assert (decision.action, decision.conflicts) == (action, () if action == "UPDATE" else ("b1",))


def test_thresholds_are_the_callers():
    judged = replace(UNRELATED, ends=0.7, unrelated=0.3)
    assert decide(SENTENCE, [replace(REX, judged=judged)], now=NOW, act=0.65).action == "UPDATE"
    assert decide(SENTENCE, [replace(REX, judged=judged)], now=NOW, ask=0.75).conflicts == ()


def test_a_passing_remark_ends_a_belief_or_does_nothing():
    passing = replace(SENTENCE, passing=True)
    judged = replace(UNRELATED, ends=0.95, unrelated=0.05)
    ended = decide(passing, [replace(REX, judged=judged)], now=NOW)
    assert (ended.action, ended.target, ended.tombstone) == ("DELETE", "b1", False)
    assert decide(passing, [replace(REX, judged=UNRELATED)], now=NOW).action == "NOOP"


def test_what_was_said_later_is_not_changed_by_older_words():
    judged = replace(UNRELATED, ends=0.95, unrelated=0.05)
    newer = replace(REX, judged=judged, said_at=NOW + timedelta(days=1))
    assert decide(SENTENCE, [newer], now=NOW).action == "ADD"


def test_a_models_conclusion_does_not_end_what_a_person_confirmed():
    judged = replace(UNRELATED, ends=0.95, unrelated=0.05)
    confirmed = replace(REX, judged=judged, vouched=True)
    decision = decide(SENTENCE, [confirmed], now=NOW, source="assistant")
    assert (decision.action, decision.review, decision.conflicts) == ("ADD", True, ("b1",))
    assert decide(SENTENCE, [confirmed], now=NOW).action == "UPDATE"


@pytest.mark.parametrize(
    ("first", "second", "gone", "there"),
    [
        ("I have a dog called Rex", "Rex died yesterday", "has a dog", ""),
        ("I drive a Golf", "We sold the Golf", "drives", "sold the Golf"),
        ("My girlfriend is Lena", "Lena and I broke up", "partner of", ""),
        ("I love coriander", "I can't stand coriander now", " likes", "dislikes"),
        ("I have diabetes", "Good news, the diabetes was a misdiagnosis", "has diabetes", ""),
        ("My dog is called Bruno", "sorry, I meant Hugo, not Bruno", "Bruno", "Hugo"),
        ("I was diagnosed with lupus in January", "it was a misdiagnosis", "has lupus", ""),
        ("I'm a waiter", "I'm the restaurant manager now", "a waiter", "restaurant manager"),
        ("I'm a junior developer", "I'm a senior developer now", "junior", "senior developer"),
        ("Our wedding is on June 14", "we moved the wedding to September 5", "2026-06-14", "2026-09-05"),
        ("The launch is due July 3", "we had to push the launch to July 20", "07-03", "07-20"),
        ("Die Hochzeit ist am 14. Juni", "wir haben die Hochzeit auf den 5. September verschoben", "06-14", "09-05"),
        ("La boda es el 14 de junio", "hemos pasado la boda al 5 de septiembre", "06-14", "09-05"),
        ("Le mariage est le 14 juin", "on a repoussé le mariage au 5 septembre", "06-14", "09-05"),
        ("Il matrimonio è il 14 giugno", "abbiamo spostato il matrimonio al 5 settembre", "06-14", "09-05"),
    ],
)
def test_an_indirect_change_ends_the_belief(book, clock, first, second, gone, there):
    assert any(gone in text for text in after(book, clock, first)), "the control: it is believed at first"
    texts = after(book, clock, second)
    assert not [text for text in texts if gone in text]
    assert not there or [text for text in texts if there in text]


@pytest.mark.parametrize(
    ("first", "second", "both"),
    [
        ("I work at Google", "I work at Starbucks on Saturdays", ("Google", "Starbucks on Saturdays")),
        ("I live in Vienna", "I'm living in Rome for the summer", ("Vienna", "Rome for the summer")),
        ("I drive a Golf", "I drive a Tesla too", ("Golf", "Tesla")),
        ("My flight to Oslo is on May 3", "My flight to Rome is on May 9", ("oslo", "rome")),
        ("I have a dog called Rex", "Rex ate my shoes", ("Rex",)),
        ("I work at Google", "Google moved its office to Zurich", ("works at Google",)),
        ("I'm a nurse", "I'm also a DJ", ("a nurse", "DJ")),
        ("I speak Polish", "I speak German", ("Polish", "German")),
        ("I have diabetes", "it was a great day", ("diabetes",)),
        ("Our wedding is on June 14", "the wedding venue is lovely", ("2026-06-14",)),
    ],
)
def test_a_qualified_or_unrelated_statement_leaves_the_belief_standing(book, clock, first, second, both):
    texts = after(book, clock, first, second)
    assert all(any(value in text for text in texts) for value in both), texts


def test_a_pronoun_that_may_mean_one_of_two_ends_nothing_and_asks(book, clock):
    texts = after(book, clock, "I have two dogs, Rex and Bello")
    assert after(book, clock, "he died") == texts and len(book.review.list()) > 0
    assert after(book, clock, "my cat is called Miso", "Miso died") == texts, "the control: a name ends what it names"


def test_what_goes_on_with_an_ended_belief_ends_with_it(book, clock):
    clock.advance(days=1)
    book.observe(["I have a dog called Rex", "twice a day he gets a walk in Vigeland Park"], session="a")
    assert any("Vigeland" in text for text in believed(book)), "the control"
    assert not any("Rex" in text for text in after(book, clock, "Rex died yesterday") if "died" not in text)


def test_what_is_on_a_day_is_over_after_it_and_what_is_due_stays_due(book, clock):
    assert len(after(book, clock, "The exam is on May 20", "The launch is due May 20")) == 2, "the control"
    clock.at = datetime(2026, 5, 21, tzinfo=UTC)
    assert believed(book) == ["Launch is due 2026-05-20"]


def test_a_plan_is_known_before_its_day_and_what_it_ends_holds_until_then(book, clock):
    texts = after(book, clock, "Our nanny Olga works on Mondays", "Olga is leaving us on June 1, she is moving to Riga")
    assert any("leaving" in text for text in texts)


def test_without_the_judge_the_rules_alone_work(open_book, settings, clock):
    book = open_book(settings=replace(settings, judge="off"))
    assert after(book, clock, "I have a dog called Rex", "Rex died yesterday") == ["Owner has a dog called Rex"]
    assert "Owner lives in Oslo" in after(book, clock, "I live in Vienna", "I moved to Oslo")


def test_an_uncertain_change_is_a_question_that_a_person_answers(open_book, settings, clock):
    book = open_book(settings=replace(settings, judge_act=1.0))
    texts = after(book, clock, "I have diabetes", "Good news, the diabetes was a misdiagnosis")
    assert "Owner has diabetes" in texts
    (waiting,) = book.review.list()
    assert waiting.conflict is not None and waiting.conflict.text == "Owner has diabetes"
    book.review.decide(waiting.memory.id, "approve")
    assert "Owner has diabetes" not in believed(book) and book.review.list() == []


def test_a_move_on_a_day_to_come_takes_effect_on_that_day(book, clock):
    texts = after(book, clock, "I live in Berlin", "I'm moving to Lisbon on June 1")
    assert "Owner lives in Berlin" in texts and "Owner lives in Lisbon" not in texts
    clock.at = datetime(2026, 6, 2, tzinfo=UTC)
    texts = believed(book)
    assert "Owner lives in Lisbon" in texts and "Owner lives in Berlin" not in texts


def test_as_of_a_day_before_it_was_said_nothing_is_known(book, clock):
    after(book, clock, "I have a dog called Rex")
    told = clock.at
    assert [hit.memory.text for hit in book.recall("dog", as_of=told + timedelta(days=1))]
    assert not book.recall("dog", as_of=told - timedelta(days=1))
    assert not book.recall("dog", as_of=datetime(1990, 1, 1, tzinfo=UTC))


HISTORY = [
    Message("I live in Berlin"),
    Message("Noted.", role="assistant"),
    Message("I moved to Oslo"),
    Message("Congratulations!", role="assistant"),
    Message("yes"),
]


@pytest.mark.parametrize("session", ["talk", None])
def test_a_growing_history_sent_again_is_stored_once_and_flips_nothing(book, clock, session):
    for length in (1, 3, 5):
        clock.advance(hours=1)
        receipt = book.observe(HISTORY[:length], session=session)
    assert [memory.text for memory in book.browse(kinds=["episodic"], newest=False)] == [m.text for m in HISTORY]
    assert any("3 messages were observed before" in change.reason for change in receipt.changes)
    assert believed(book) == ["Owner lives in Oslo"]
    clock.advance(hours=1)
    book.observe(HISTORY, session=session)
    assert len(book.browse(kinds=["episodic"])) == 5


def test_the_same_short_word_twice_is_two_messages(book):
    book.observe([Message("Shall we?", role="assistant"), Message("yes")], session="talk")
    book.observe([Message("yes")], session="talk")
    assert [memory.text for memory in book.browse(kinds=["episodic"], newest=False)] == ["Shall we?", "yes", "yes"]


def test_of_two_people_with_one_name_the_other_is_only_asked_about(open_book, clock):
    book = open_book(owner="nora")
    said = ("My CFO is Giulia.", "My cousin Giulia lives in Turin.", "Giulia left the company. My CFO is now Sven.")
    beliefs = after(book, clock, *said)
    assert not [text for text in beliefs if text.startswith("Giulia is CFO of")]
    assert [text for text in beliefs if text.startswith("Giulia is a relative of")]
    assert [waiting for waiting in book.review.list() if "Giulia is a relative of" in waiting.memory.text]


LONGER = "Since last week my home is Oslo, I live in Oslo these days."


@pytest.mark.parametrize(
    ("first", "again"),
    [
        ("I live in Oslo", LONGER),
        ("I live in Oslo", "My place of residence is Oslo"),
        ("I have a dog called Rex", "The dog we have at home is Rex"),
    ],
    ids=["a rule reads a part", "the judge", "the judge, of a pet"],
)
def test_a_rejected_value_in_another_sentence_waits_in_review(book, clock, first, again):
    book.observe(first)
    (memory,) = book.browse(kinds=BELIEFS)
    book.reject(memory.id)
    assert after(book, clock, again) == []
    waiting = [item.memory for item in book.review.list()]
    assert waiting and all("rejected before" in str(memory.metadata["review"]) for memory in waiting)
    assert again[-9:].rstrip(".") in " ".join(memory.text for memory in waiting)


def test_other_sentences_about_a_rejected_value_are_kept_and_so_is_the_longer_one_without_a_rejection(book, clock):
    book.observe("I live in Oslo")
    (memory,) = book.browse(kinds=BELIEFS)
    book.reject(memory.id)
    assert after(book, clock, "My grandmother was born in Oslo.") != []
    assert any(LONGER[-10:-1] in text for text in after(book.within("other"), clock, LONGER))


def test_only_a_sentence_that_would_be_kept_waits_for_a_rejected_belief():
    rejected = replace(REX, status="rejected", judged=replace(UNRELATED, same=0.7, unrelated=0.3))
    decision = decide(SENTENCE, [rejected], now=NOW)
    assert (decision.action, decision.review, decision.reason.startswith("rejected before")) == ("ADD", True, True)
    assert not decide(SENTENCE, [rejected], now=NOW, ask=0.75).review
    assert decide(replace(SENTENCE, passing=True), [rejected], now=NOW).action == "NOOP"


@pytest.mark.parametrize(
    ("said", "believed_then"),
    [
        ("My brother is called Bruno", ["Hugo is a sibling of Owner"]),
        ("I have a dog called Bruno", ["Owner has a dog called Hugo"]),
        ("Bruno is my landlord", ["Hugo", "Hugo is a landlord of Owner"]),
    ],
)
def test_a_name_that_was_meant_takes_the_place_of_the_wrong_one(book, clock, said, believed_then):
    assert after(book, clock, said, "Sorry, I meant Hugo, not Bruno") == believed_then


def test_a_switch_ends_the_habit_and_a_second_car_ends_nothing(book, clock):
    assert after(book, clock, "I drink tea every morning", "I switched from tea to coffee") == [
        "Owner switched from tea to coffee"
    ]
    assert len(after(book, clock, "I drive a Golf", "I bought a second car in May, a Tesla")) == 3


@pytest.mark.parametrize(
    ("first", "second", "stays"),
    [
        ("My girlfriend is Lena", "we broke up", False),
        ("My boss is Olu", "she left the company", False),
        ("My boss is Olu", "it was a long day", True),
    ],
)
def test_a_core_value_and_its_relation_end_together(book, clock, first, second, stays):
    believed_first = after(book, clock, first)
    assert len(believed_first) == 2, "the control: a value and a relation"
    standing = {*believed_first} & {*after(book, clock, second)}
    assert len(standing) == (2 if stays else 0), "both stand or both end"


def test_a_stated_core_value_takes_the_place_of_the_old_one(book):
    book.observe("My email is ada@example.org")
    receipt = book.remember("My email is ben@example.org")
    assert book.core.get("email").text == "ben@example.org"
    book.undo(receipt)
    assert book.core.get("email").text == "ada@example.org"


def test_only_a_stated_core_value_keeps_its_relation(book, clock):
    """What a person stated under a key outranks what is read from a conversation: both wait, and nothing disagrees."""
    book.core.set("boss", "Olu")
    clock.advance(days=1)
    book.observe("My boss is Beatrix now")
    assert believed(book) == ["Olu"]
    assert len(book.review.list()) == 2


def test_a_learned_core_value_and_its_relation_are_replaced_together(book, clock):
    after(book, clock, "My boss is Olu", "My boss is Beatrix now")
    assert believed(book) == ["Beatrix", "Owner reports to Beatrix"]


def test_she_may_be_either_of_two_and_then_ends_nothing(book, clock):
    texts = after(book, clock, "My sister Paula and my cousin Giulia live together in Rome. My cat is Miso", "she died")
    assert any("Paula is a sibling" in text for text in texts)
    assert any("Giulia" in text for text in texts)


def test_a_date_belongs_to_its_clause_alone(book):
    book.observe("Jonas is my manager, and Priya takes over from him in June")
    assert "Jonas" in believed(book)


def test_what_goes_wrong_with_one_pet_does_not_keep_the_rest_from_being_learned(book):
    """A rule for mentions stands in no list of clauses: learning from such a message failed."""
    receipt = book.observe("My dad Karl lives in Bonn. My dog Max is ten")
    assert receipt.notes == ()
    assert {"Karl lives in Bonn", "Owner has a dog called Max"} <= set(believed(book))


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("Juego al pádel los jueves", "he dejado el pádel"),
        ("Ho un cane che si chiama Fido", "Fido è morto ieri"),
    ],
)
def test_one_word_that_says_something_is_enough_in_other_languages_too(book, clock, first, second):
    (taught,) = after(book, clock, first)
    assert taught not in after(book, clock, second)


def test_what_holds_for_some_weeks_is_over_by_itself_and_its_neighbour_stays(book, clock):
    first = after(book, clock, "My boiler is broken and the plumber comes this week", "We sold the Golf last week")
    assert any("boiler" in text for text in first)
    clock.advance(days=120)
    assert [text for text in believed(book) if "boiler" in text or "Golf" in text] == ["We sold the Golf last week"]
