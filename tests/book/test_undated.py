"""What has no date counts from the day it was recorded: ``as_of`` an earlier day does not return it."""

import io
from datetime import UTC, datetime, timedelta

import pytest

from commonplace import Commonplace, NotFound, Settings
from commonplace.testing.clock import StoppedClock

LONG_AGO = datetime(1990, 1, 1, tzinfo=UTC)


@pytest.fixture
def told(book: Commonplace, clock: StoppedClock) -> str:
    dog = book.remember("Ada has a dog called Rex")
    book.relate("Ada", "works_at", "Acme", object_type="company")
    book.core.set("name", "Ada")
    clock.advance(days=1)
    return dog.ids[0]


def test_no_reading_verb_returns_it_before_it_was_said(book: Commonplace, clock: StoppedClock, told: str) -> None:
    for as_of, dogs, jobs in ((LONG_AGO, [], 0), (clock.now(), ["Ada has a dog called Rex"], 1), (None, None, 1)):
        dogs = ["Ada has a dog called Rex"] if dogs is None else dogs
        moment = {} if as_of is None else {"as_of": as_of}
        assert [hit.memory.text for hit in book.recall("the dog Rex", kinds=["associative"], **moment)] == dogs
        assert [memory.text for memory in book.browse(kinds=["associative"], **moment)] == dogs
        assert ("dog" in book.context("the dog Rex", **moment)) == bool(dogs)
        assert len(book.relations(**moment)) == len(book.walk("Ada", **moment).relations) == jobs
        known = clock.now()
        assert len(book.relations(**moment, known_at=known)) == jobs
        assert [one.text for one in book.browse(kinds=["associative"], **moment, known_at=known)] == dogs
    assert book.get(told, as_of=clock.now()).text == "Ada has a dog called Rex"
    with pytest.raises(NotFound):
        book.get(told, as_of=LONG_AGO)


def test_a_core_value_without_a_date_holds_always(book: Commonplace, clock: StoppedClock, told: str) -> None:
    assert [value.text for value in book.core.list(as_of=LONG_AGO)] == ["Ada"]
    assert book.core.get("name", as_of=LONG_AGO, known_at=clock.now()).text == "Ada"
    assert [memory.text for memory in book.browse(kinds=["core"], as_of=LONG_AGO)] == ["Ada"]


def test_what_was_over_when_it_was_recorded_began_at_some_time_before(book: Commonplace, clock: StoppedClock) -> None:
    book.remember("Ada worked at Siemens", valid_to=clock.now() - timedelta(days=300))
    assert book.browse(as_of=clock.now()) == []
    assert [memory.text for memory in book.browse(as_of=LONG_AGO)] == ["Ada worked at Siemens"]


def test_an_import_keeps_the_day(book: Commonplace, clock: StoppedClock, told: str, tmp_path) -> None:
    yesterday = clock.now() - timedelta(hours=1)
    clock.advance(days=30)
    written = io.StringIO()
    book.export(written)
    settings = Settings(home=tmp_path / "other")
    with Commonplace.open(f"sqlite:///{tmp_path}/copy.db", owner="ada", settings=settings, clock=clock) as copy:
        copy.import_(io.StringIO(written.getvalue()))
        assert [one.text for one in copy.browse(kinds=["associative"], as_of=yesterday)] == ["Ada has a dog called Rex"]
        assert copy.browse(kinds=["associative"], as_of=LONG_AGO) == []
