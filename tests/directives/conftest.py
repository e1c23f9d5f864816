import pytest

from commonplace import Commonplace
from commonplace.settings import Settings

from .theatre import Theatre


@pytest.fixture
def settings(tmp_path):
    return Settings(home=tmp_path / "home", embedder="none")


@pytest.fixture
def book(book_url, settings):
    """An empty book, once per engine."""
    with Commonplace.open(book_url, owner="ada", settings=settings) as book:
        yield book


@pytest.fixture
def theatre(tmp_path):
    return Theatre(tmp_path / "theatre")
