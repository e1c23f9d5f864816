"""A project with a notebook, on a clock that the test moves."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from commonplace import Commonplace, Settings
from commonplace.notebook.notebook import Notebook
from commonplace.testing.clock import StoppedClock


@pytest.fixture
def clock() -> StoppedClock:
    return StoppedClock()


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings(home=tmp_path / "home", embedder="none", timezone="UTC")


@pytest.fixture
def project(tmp_path: Path) -> Path:
    root = tmp_path / "project"
    (root / ".git").mkdir(parents=True)
    (root / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
    return root


@pytest.fixture
def book(book_url: str, settings: Settings, clock: StoppedClock) -> Iterator[Commonplace]:
    with Commonplace.open(book_url, settings=settings, clock=clock, namespace="project") as book:
        yield book


@pytest.fixture
def notebook(book: Commonplace, project: Path) -> Notebook:
    return book.notebook_at(project)


@pytest.fixture
def archiving(book_url: str, settings: Settings, clock: StoppedClock, project: Path) -> Iterator[Notebook]:
    """The same with removed lines archived instead of asked about."""
    settings = replace(settings, notebook_deletions="archive")
    with Commonplace.open(book_url, settings=settings, clock=clock, namespace="project") as book:
        yield book.notebook_at(project)
