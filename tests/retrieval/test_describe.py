"""Reading a description, and judging a statement by it: no store, no embedder."""

from datetime import UTC, datetime

import pytest

from commonplace.retrieval.describe import Level, Statement, fit, possible
from commonplace.retrieval.description import is_empty, read

NOW = datetime(2024, 5, 15, 12, tzinfo=UTC)


def alone(a: str, b: str) -> float:
    return 0.0


def level(description: str, said: str, **around) -> Level | None:
    found = fit(read(description, now=NOW), Statement(said=said, **around), alone)
    return None if found is None else found.level


@pytest.mark.parametrize(
    ("framed", "topic"),
    [
        ("please forget that Ada likes tea", "Ada likes tea"),
        ("Delete my phone number", "my phone number"),
        ("the fact that Ada lives in Oslo", "Ada lives in Oslo"),
        ("everything you know about Project Apollo", "Project Apollo"),
        ("what you know about Jan Smit", "Jan Smit"),
        ("vergiss alles über Anna", "Anna"),
        ("all references to the tax audit", "the tax audit"),
    ],
)
def test_the_frame_is_taken_off(framed, topic):
    assert read(framed, now=NOW).text == topic


@pytest.mark.parametrize(
    ("text", "sweeping"),
    [("everything about tea", True), ("what Bob said about tea", True), ("Ada's tea", False), ("Ada likes tea", False)],
)
def test_only_what_asks_for_everything_sweeps(text, sweeping):
    assert read(text, now=NOW).sweeping is sweeping


def test_who_said_it_and_when_are_read():
    told = read("what Bob said yesterday about the budget", now=NOW)
    assert (told.speaker, told.text) == ("bob", "the budget")
    assert told.span is not None and told.span[0].date().isoformat() == "2024-05-14"
    assert read("Bob said no", now=NOW).speaker is None


@pytest.mark.parametrize(
    ("description", "fits", "fails"),
    [
        ("REQ-7", "REQ-7 is open", "REQ-77 is open"),
        ("Anna Berg", "Anna Berg sings", "Anna Bergman sings"),
        ("Anna Berg", "Anna Berg sings", "Anna Berg Olsen sings"),
        ("v1.2", "v1.2 is out", "v1.2.3 is out"),
        ("/etc/hosts", "Edit /etc/hosts", "Edit /backup/etc/hosts"),
        ("+47 912 34 567", "Call +47 91234567", "Call +47 912 34 568"),
        ("Ada likes tea", "Ada likes tea", "Ada does not like tea"),
        ("never deploy on Friday", "Never deploy on Friday", "Deploy on Friday"),
        ("Marco reports to Giulia", "Marco reports to Giulia", "Giulia reports to Marco"),
        ("Ada manages Bob", "Ada manages Bob", "Bob manages Ada"),
        ("Ada's birthday", "Ada's birthday is in May", "Bob's birthday is in May"),
        ("Ada's job", "Ada works at Acme", "Ada lives in Oslo"),
        ("Bob has three cats", "Bob has 3 cats", "Bob has two cats"),
        ("the flight on 2024-05-07", "Flight on May 7, 2024", "Flight on May 7, 2023"),
        ("the office move", "The office move is on Monday", "The office has chairs"),
        ("Project Apollo", "The Apollo project is late", "The Apollo theatre is full"),
        ("Ada's tea", "Ada buys tea", "Ada buys coffee"),
        ("Clara's passport number", "Clara's passport number is 88213", "Clara's passport expires in May"),
        ("the CEO's car", "The chief executive's car is red", "The CFO's car is red"),
        ("Ada works at Acme", "Ada is employed by Acme", "Acme works at Ada"),
        ("the call at half past five", "The call is at 5:30", "The call is at 5:15"),
        ("the invoice is paid", "The bill is paid", "The invoice is unpaid"),
    ],
)
def test_what_is_meant_fits_and_what_is_near_does_not(description, fits, fails):
    assert level(description, fits) is not None
    assert level(description, fails) is None


def test_the_same_sentence_fits_best_and_its_subject_next():
    assert level("Ada likes tea", "Ada likes tea.") is Level.EXACT
    assert level("Ada's birthday", "Ada's birthday is in May", subject="Ada's birthday") is Level.SUBJECT
    assert level("Ada's birthday", "Ada's birthday party is in May", subject="Ada's birthday party") is Level.WORDS
    assert level("Ada's home", "Ada lives in Oslo", subject="Ada") is Level.MATTER


def test_the_first_person_is_whoever_speaks():
    assert level("where Bob lives", "I live in Bergen", speaker="Bob") is not None
    assert level("where Bob lives", "I live in Bergen", speaker="Ada") is None
    assert level("where I live", "I live in Bergen", mine=True) is not None
    assert level("where I live", "I live in Bergen", speaker="Bob", mine=False) is None


def test_a_word_that_says_it_without_a_denial_agrees_with_one():
    said = Statement(said="Sven does not eat meat", subject="Sven")
    assert possible(read("Sven is a vegetarian", now=NOW), said) is not None
    assert possible(read("Sven is a butcher", now=NOW), said) is None
    assert possible(read("Sven eats meat", now=NOW), said) is None


def test_all_of_what_is_mine_may_be_several():
    assert read("all my passwords", now=NOW).plural
    assert not read("my password", now=NOW).plural


def test_meaning_counts_only_above_a_floor_and_never_between_rivals():
    near = {("wallet", "pouch"): 0.6, ("wallet", "bag"): 0.35, ("wallet", "shoe"): 0.1, ("tea", "coffee"): 0.9}

    def cosine(a: str, b: str) -> float:
        return near.get((a, b), 0.0)

    def judged(description: str, said: str) -> Level | None:
        found = fit(read(description, now=NOW), Statement(said=said), cosine)
        return None if found is None else found.level

    assert judged("Ada's wallet", "Ada lost a pouch") is Level.NEAR
    assert judged("Ada's wallet", "Ada lost a bag") is Level.FAINT
    assert judged("Ada's wallet", "Ada lost a shoe") is None
    assert judged("Ada's tea", "Ada lost a coffee") is None


@pytest.mark.parametrize(
    ("text", "empty"), [("everything", True), ("forget it", True), ("tea", False), ("my name", False)]
)
def test_a_description_of_nothing_is_seen(text, empty):
    assert is_empty(read(text, now=NOW)) is empty
