"""`why`: of a memory, of a run, of a receipt."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from commonplace import Commonplace, Settings
from commonplace.errors import NotFound
from commonplace.testing.clock import StoppedClock


@pytest.fixture
def book(tmp_path: Path, book_url: str) -> Iterator[Commonplace]:
    with Commonplace.open(book_url, settings=Settings(home=tmp_path / "home"), clock=StoppedClock()) as opened:
        yield opened


def test_a_receipt_tells_the_runs_that_followed_it(book: Commonplace) -> None:
    receipt = book.observe(["I live in Vienna", "I like green tea"])
    (run,) = book.why(receipt.ref)
    assert [step.statement for step in run.steps] == ["Owner lives in Vienna", "Owner likes green tea"]
    assert book.why(receipt.trace or "") == [run]


def test_learning_later_is_told_by_the_receipt_of_what_was_kept(tmp_path: Path, book_url: str) -> None:
    settings = Settings(home=tmp_path / "home", plan="free")
    with Commonplace.open(book_url, settings=settings, clock=StoppedClock()) as book:
        receipt = book.observe("I live in Vienna")
        assert book.why(receipt.ref) == []
        book.maintain()
        (run,) = book.why(receipt.ref)
        assert [step.statement for step in run.steps] == ["Owner lives in Vienna"]


def test_of_what_somebody_stated_there_is_nothing_to_tell(book: Commonplace) -> None:
    stated = book.remember("The contract ends in June")
    assert book.why(stated.id) == [] == book.why(stated.ref)


def test_what_is_not_there_is_said_to_be_so(book: Commonplace) -> None:
    with pytest.raises(NotFound):
        book.why("nothing")
