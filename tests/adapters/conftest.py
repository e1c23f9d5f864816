from collections.abc import Iterator
from pathlib import Path

import pytest

from commonplace import Commonplace, Settings
from commonplace.testing.clock import StoppedClock


@pytest.fixture
def clock() -> StoppedClock:
    return StoppedClock()


@pytest.fixture
def book(tmp_path: Path, clock: StoppedClock) -> Iterator[Commonplace]:
    settings = Settings(home=tmp_path)
    with Commonplace.open(f"sqlite:///{tmp_path}/book.db", settings=settings, clock=clock) as opened:
        yield opened
