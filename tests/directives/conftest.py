import pytest

from commonplace import Commonplace
from commonplace.settings import Settings

from .scripted_run import ScriptedRun


@pytest.fixture
def settings(tmp_path):
    return Settings(home=tmp_path / "home", embedder="none")


@pytest.fixture
def book(book_url, settings):
    """An empty book, once per engine."""
    with Commonplace.open(book_url, owner="ada", settings=settings) as book:
        yield book


@pytest.fixture
def scripted(tmp_path):
    return ScriptedRun(tmp_path / "scripted")
