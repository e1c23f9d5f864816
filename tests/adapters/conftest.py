from collections.abc import Iterator
from pathlib import Path

import pytest

from commonplace import Commonplace, Settings
from commonplace.testing.clock import StoppedClock


@pytest.fixture
def clock() -> StoppedClock:
    return StoppedClock()


@pytest.fixture
def book(tmp_path: Path, book_url: str, clock: StoppedClock) -> Iterator[Commonplace]:
    """An empty book, once per engine."""
    with Commonplace.open(book_url, settings=Settings(home=tmp_path), clock=clock) as opened:
        yield opened
