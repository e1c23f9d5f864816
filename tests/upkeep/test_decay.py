"""What nobody confirms fades, by the same amount however often the clock is looked at."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonplace import Commonplace
from commonplace.testing.clock import StoppedClock
from commonplace.upkeep.decay import FADING, base_confidence, decay, faded
from commonplace.upkeep.prune import MICROS_A_DAY


def scope(book: Commonplace):
    return book._scope


@pytest.mark.parametrize(
    ("days", "left"), [(0, 0.7), (29, 0.7), (30, 0.665), (59, 0.665), (60, 0.6317), (720, 0.2044), (750, 0.1942)]
)
def test_a_relation_fades_by_a_twentieth_every_thirty_days(days: int, left: float) -> None:
    assert faded(0.7, since=0, now=days * MICROS_A_DAY, fading=FADING["relational"]) == left


def test_a_pattern_fades_by_a_tenth_every_week() -> None:
    assert faded(1.0, since=0, now=21 * MICROS_A_DAY, fading=FADING["proactive"]) == 0.729
    assert faded(1.0, since=5, now=0, fading=FADING["proactive"]) == 1.0


@given(st.lists(st.integers(0, 400), max_size=8), st.floats(0.3, 1.0))
def test_any_number_of_runs_gives_the_same(days: list[int], base: float) -> None:
    base = round(base, 4)
    history = [("ADD", base)]
    for day in sorted(days):
        left = faded(base_confidence(history), since=0, now=day * MICROS_A_DAY, fading=FADING["relational"])
        history += [("DECAY", left), ("REWORD", left)]
    assert base_confidence(history) == base


def test_a_new_statement_is_a_new_base() -> None:
    assert base_confidence([("ADD", 0.7), ("DECAY", 0.66), ("CORROBORATE", 0.76), ("DECAY", 0.7)]) == 0.76


def test_relations_fade_with_the_calendar_and_not_with_the_runs(book: Commonplace, clock: StoppedClock) -> None:
    id = book.relate("Marco", "works_at", "Acme", object_type="company").id
    clock.advance(days=61)
    for _ in range(3):
        decay(scope(book))
    assert book.get(id).confidence == faded(0.7, since=0, now=61 * MICROS_A_DAY, fading=FADING["relational"])
    assert book.get(id).version == 2
    assert book.relations("Marco")[0].confidence == book.get(id).confidence
    clock.advance(days=30)
    decay(scope(book))
    assert book.get(id).confidence == 0.6002
    book.relate("Marco", "works_at", "Acme", object_type="company")
    clock.advance(days=10)
    assert decay(scope(book)).count == 0


def test_the_faint_is_archived_unless_pinned_or_confirmed(book: Commonplace, clock: StoppedClock) -> None:
    weak = book.relate("Marco", "knows", "Ines", object_type="person", confidence=0.25).id
    pinned = book.relate("Marco", "knows", "Petra", object_type="person", confidence=0.25).id
    vouched = book.relate("Marco", "knows", "Luis", object_type="person", confidence=0.25).id
    book.revise(pinned, pinned=True)
    book.confirm(vouched)
    clock.advance(days=1000)
    report = decay(scope(book))
    assert book.get(weak).status == "archived" and [one.object.label for one in book.relations("Marco")] == [
        "Petra",
        "Luis",
    ]
    assert book.get(vouched).confidence < 0.2 and book.get(vouched).status == "verified"
    book.undo(report.receipt)
    assert len(book.relations("Marco")) == 3 and book.get(weak).confidence == 0.25


def test_what_is_brought_back_keeps_its_base(book: Commonplace, clock: StoppedClock) -> None:
    id = book.relate("Marco", "works_at", "Acme", object_type="company").id
    clock.advance(days=30)
    decay(scope(book))
    clock.advance(days=30)
    book.undo(decay(scope(book)).receipt or "")
    assert book.get(id).confidence == 0.665
    decay(scope(book))
    assert book.get(id).confidence == 0.6317


def test_the_faint_that_a_person_brings_back_is_not_archived_again(book: Commonplace, clock: StoppedClock) -> None:
    weak = book.relate("Marco", "knows", "Ines", object_type="person", confidence=0.25).id
    other = book.relate("Marco", "knows", "Eva", object_type="person", confidence=0.25).id
    clock.advance(days=200)
    decay(scope(book))
    assert {book.get(one).status for one in (weak, other)} == {"archived"}
    book.rollback(weak, to=1)
    decay(scope(book))
    assert (book.get(weak).status, book.get(other).status) == ("verified", "archived")
    assert book.get(weak).confidence == faded(0.25, since=0, now=200 * MICROS_A_DAY, fading=FADING["relational"])
