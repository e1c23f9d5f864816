"""A later decision takes the place of an earlier one only where it surely means it."""

import pytest

from commonplace import Commonplace
from commonplace.learning.choices import Choice, choice_of, overturned, overturns
from commonplace.testing.clock import StoppedClock


def believed(book: Commonplace) -> set[str]:
    return {one.text for one in book.browse(kinds=["associative"], limit=100)}


@pytest.mark.parametrize(
    ("statement", "choice"),
    [
        ("Decision: go with Postgres for the job queue", Choice(what="postgres", topic="job queue")),
        ("Decision: go with SQLite instead", Choice(what="sqlite", marked=True)),
        ("Decision: skip Redux", Choice(what="redux", denies=True)),
        ("Architecture: do not add a second cache", Choice(what="second cache", denies=True, adds=True)),
        ("Decision: use NATS instead of Kafka for events", Choice(what="nats", against="kafka", topic="events")),
        ("Decision: switch the board to Vue", Choice(what="vue", topic="board", marked=True, switches=True)),
        ("Decision: Usiamo Redis per le sessioni", Choice(what="redis", topic="sessioni")),
        ("Decision: Lass uns Jenkins für die Builds nehmen", Choice(what="jenkins", topic="builds")),
    ],
)
def test_what_a_decision_chooses(statement: str, choice: Choice) -> None:
    assert choice_of(statement) == choice


def test_what_chooses_nothing_is_no_choice() -> None:
    assert choice_of("Nora lives in Oslo") is None
    assert choice_of("Nora lives in Oslo", predicate="lives_in", subject="owner") is None


def test_a_narrower_decision_leaves_the_wider_one() -> None:
    everywhere, for_tests = Choice(what="postgres"), Choice(what="sqlite", topic="tests", against="postgres")
    assert not overturns(for_tests, everywhere)
    assert overturns(Choice(what="sqlite", against="postgres"), everywhere)


def test_where_two_may_be_meant_neither_is_overturned() -> None:
    new = Choice(what="postgres", against="sqlite")
    held = [Choice(what="sqlite", topic="tests"), Choice(what="sqlite", topic="metering")]
    assert overturned(new, held) == []
    assert overturned(new, held[:1]) == [0]


def test_a_decision_gives_way_to_the_later_one_and_stays_in_history(book: Commonplace, clock: StoppedClock) -> None:
    first = book.observe("Let's go with SQLite for the metering service.")
    book.observe("Let's go with pytest for the tests.")
    clock.advance(days=3)
    second = book.observe("Use Postgres, not SQLite.")
    assert believed(book) == {"Use Postgres, not SQLite", "Decision: go with pytest for the tests"}
    (old,) = (one.id for one in first.changes if one.action == "ADD" and one.noun == "memory" and one.id != first.id)
    assert book.get(old).status == "stale"
    assert book.recall("metering database", kinds=["associative"], as_of=book.get(old).recorded_at)
    (step,) = book.why(second.trace)[0].steps
    assert (step.action, step.reason) == ("UPDATE", "another decision on the same")


def test_a_change_of_mind_and_back(book: Commonplace, clock: StoppedClock) -> None:
    for said in (
        "let's go with Postgres for jobs",
        "let's go with SQLite for jobs instead",
        "let's use Postgres for jobs",
    ):
        book.observe(said)
        clock.advance(days=1)
    assert believed(book) == {"Decision: use Postgres for jobs"}


def test_another_purpose_is_another_decision(book: Commonplace, clock: StoppedClock) -> None:
    book.observe("Let's go with Postgres for orders")
    clock.advance(days=1)
    book.observe("use SQLite, not Postgres for the tests")
    assert believed(book) == {"Decision: go with Postgres for orders", "Use SQLite, not Postgres for the tests"}


def test_many_turns_that_name_it_do_not_hide_the_decision(book: Commonplace, clock: StoppedClock) -> None:
    book.observe("Let's go with SQLite for the metering service.")
    book.observe([f"What does SQLite do with row {n} in the metering service?" for n in range(80)])
    clock.advance(days=1)
    book.observe("Let's switch from SQLite to Postgres")
    assert believed(book) == {"Use Postgres, not SQLite"}
