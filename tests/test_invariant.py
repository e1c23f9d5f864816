"""The check that every test's book passes can fail."""

from collections.abc import Callable

import pytest
from tests import invariant

from commonplace import Commonplace

pytestmark = pytest.mark.damages_book("shows what the check finds")


def test_a_sound_book_passes_and_a_damaged_one_does_not(book: Commonplace) -> None:
    book.observe("We decided to use Postgres for production.", session="a")
    book.remember("Ada lives in Oslo", tags=["home"])
    (place,) = invariant.left.values()
    assert invariant.problems(place) == []
    with book._scope.store.write("me") as tx:
        row = tx.tables.page("session", after=None, limit=1)[0]
        tx.tables.put("session", [{**row, "sealed": row["sealed"][:-1] + bytes([row["sealed"][-1] ^ 1])}])
    assert "rows of session cannot be read" in invariant.problems(place)[0]


def test_a_book_that_does_not_come_back_from_its_export_is_noticed(
    book: Commonplace, monkeypatch: pytest.MonkeyPatch
) -> None:
    book.remember("Ada lives in Oslo", tags=["home"])
    (place,) = invariant.left.values()
    told = invariant._told

    def forgetful(text: str) -> list:
        lines = told(text)
        monkeypatch.setattr(invariant, "_told", lambda text: told(text)[1:])
        return lines

    monkeypatch.setattr(invariant, "_told", forgetful)
    assert "differ" in invariant.problems(place)[0]


@pytest.mark.parametrize("look", [invariant.problems, invariant.problems_of_copy])
def test_a_copy_of_the_rows_shows_what_the_book_itself_shows(book: Commonplace, look: Callable[..., list[str]]) -> None:
    book.forget(book.remember("Ada lives in Oslo", tags=["home"]).ids[-1])
    id = book.remember("Ada likes plums").ids[-1]
    (place,) = invariant.left.values()
    assert look(place) == []
    with book._scope.store.write("me") as tx:
        row = tx.tables.page("memory", after=None, limit=1)[0]
        tx.tables.put("memory", [{**row, "sealed": row["sealed"][:-1] + bytes([row["sealed"][-1] ^ 1])}])
    assert row["id"] == id and f"memory {id!r} of owner 'me' does not open" in look(place)[0]


def test_one_in_ten_books_on_postgres_is_checked_where_it_is_and_the_others_as_a_copy() -> None:
    ways = [invariant.way_to_check(f"tests/test_{number}.py::test") for number in range(1000)]
    assert 70 <= ways.count(invariant.problems) <= 130
    assert ways.count(invariant.problems) + ways.count(invariant.problems_of_copy) == 1000


def test_a_text_with_other_ends_of_lines_passes(book: Commonplace) -> None:
    book.remember("Ada wrote\u2028two lines")
    (place,) = invariant.left.values()
    assert invariant.problems(place) == []
