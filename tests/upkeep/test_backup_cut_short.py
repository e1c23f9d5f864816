"""A backup that is broken off: earlier copies stand, nothing half-written is taken for one, said again it works."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from commonplace import Commonplace
from commonplace.copies import backup as backups
from commonplace.errors import StoreError
from commonplace.store.sqlite import files
from commonplace.testing.clock import StoppedClock

pytestmark = pytest.mark.one_engine("a PostgreSQL book is backed up by its server: tests/store/test_dump_restore.py")
PART = backups.UNNAMED + ".part"


@pytest.fixture
def book_url(sqlite_url: str) -> str:
    return sqlite_url


@pytest.fixture(autouse=True)
def small_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "STEP", 8)


@pytest.fixture
def folder(book: Commonplace, clock: StoppedClock, tmp_path: Path) -> Path:
    """A folder with one copy, of a book that has more since."""
    book.remember("the harbour freezes")
    book.backup(tmp_path / "copies")
    clock.advance(hours=1)
    book.remember_many([f"boat {number} lies at the pier" for number in range(200)])
    return tmp_path / "copies"


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_interrupted_it_leaves_nothing(book: Commonplace, folder: Path) -> None:
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    half: list[list[str]] = []

    def stop(done: int, total: int | None) -> None:
        half.append(names(folder))
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        book.backup(folder, keep=1, progress=stop)
    assert PART in half[0]  # it had begun
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before
    book.backup(folder, keep=1)
    assert len(names(folder)) == 1 and not before.keys() & set(names(folder))


KILLED = """
import os, pathlib, signal, sys
from commonplace import Commonplace, Settings
from commonplace.store.sqlite import files
files.STEP = 8
url, home, owner, target = sys.argv[1:]
def stop(done, total):
    if done >= total // 2:
        os.kill(os.getpid(), signal.SIGKILL)
book = Commonplace.open(url, owner=owner, settings=Settings(home=pathlib.Path(home), embedder="none"))
book.backup(target, keep=1, with_keys=True, progress=stop)
"""


@pytest.mark.skipif(os.name != "posix", reason="kills with SIGKILL")
def test_killed_it_is_simply_said_again(book: Commonplace, folder: Path, book_url: str, clock: StoppedClock) -> None:
    [first] = backups.copies(folder)
    whole = first.read_bytes()
    called = [sys.executable, "-c", KILLED, book_url, str(book.settings.home), book.owner, str(folder)]
    done = subprocess.run(called, check=False, capture_output=True, text=True)
    assert done.returncode == -9, done.stderr
    assert PART in names(folder) and backups.copies(folder) == [first] and first.read_bytes() == whole
    book.backup(folder, keep=1)
    assert [name for name in names(folder) if "part" in name] == []
    [second] = backups.copies(folder)
    assert second != first and backups.drill(book._parts, second).count == 0
    book.restore(second)
    assert book.stats().memories == 201 and book.doctor(full=True).sound


def test_one_that_is_being_written_is_left_alone(book: Commonplace, folder: Path) -> None:
    told: list[str] = []

    def meanwhile(done: int, total: int | None) -> None:
        if not told:
            with pytest.raises(StoreError, match="another backup") as caught:
                book.backup(folder)
            told.append(str(caught.value))

    book.backup(folder, progress=meanwhile)
    assert told and len(backups.copies(folder)) == 2 and PART not in names(folder)
    assert all(backups.drill(book._parts, copy).count == 0 for copy in backups.copies(folder))
