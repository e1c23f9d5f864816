"""A book on each engine, with a clock that the test moves."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from commonplace import Commonplace, Settings
from commonplace.testing.clock import StoppedClock

Opener = Callable[..., Commonplace]


@pytest.fixture
def clock() -> StoppedClock:
    return StoppedClock()


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings(home=tmp_path / "home")


@pytest.fixture
def open_book(book_url: str, settings: Settings, clock: StoppedClock) -> Iterator[Opener]:
    """Open the test's book, as often as wanted; all are closed when the test ends."""
    books: list[Commonplace] = []

    def opener(**options: object) -> Commonplace:
        given = {"settings": settings, "clock": clock, **options}
        books.append(Commonplace.open(book_url, **given))  # type: ignore[arg-type]
        return books[-1]

    yield opener
    for book in books:
        book.close()


@pytest.fixture
def book(open_book: Opener) -> Commonplace:
    return open_book()
