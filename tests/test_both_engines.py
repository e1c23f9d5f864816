"""A rule of our own for tests: who opens a book on SQLite alone says why."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
TEST = """
import pytest
from commonplace import Commonplace, Settings

@pytest.mark.one_engine("to be shown")
def test_says_why(tmp_path):
    with Commonplace.open(settings=Settings(home=tmp_path)) as book:
        book.remember("a fact")

def test_opens_nothing():
    pass

def test_opens_a_file(tmp_path):
    with Commonplace.open(settings=Settings(home=tmp_path)) as book:
        book.remember("a fact")

def test_would_run_on_both(book):
    book.remember("a fact")
"""


def test_a_test_that_opens_a_book_on_one_engine_and_does_not_say_why_fails(tmp_path: Path) -> None:
    (tmp_path / "conftest.py").write_text((ROOT / "tests/conftest.py").read_text("utf-8"), "utf-8")
    (tmp_path / "test_it.py").write_text(TEST, "utf-8")
    flags = ["-p", "no:cacheprovider", "-q", "-k", "not postgres", "-c", str(ROOT / "pyproject.toml"), str(tmp_path)]
    done = subprocess.run(
        [sys.executable, "-m", "pytest", *flags, "--rootdir", str(tmp_path)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert "4 passed, 1 deselected, 1 error" in done.stdout, done.stdout
    assert "test_opens_a_file opens a book on SQLite alone" in done.stdout


def test_every_reason_is_given(request: pytest.FixtureRequest) -> None:
    marked = [one for item in request.session.items for one in item.iter_markers("one_engine")]
    assert all(one.args and len(one.args[0]) > 10 for one in marked)
