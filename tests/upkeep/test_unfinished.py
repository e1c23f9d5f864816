"""An export that was broken off is gone on with, and the finished file says what the book says: no more, no less."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from commonplace import Commonplace, Invalid, Settings
from commonplace.copies import export as exporting
from commonplace.testing.clock import StoppedClock

MANY = 30


@pytest.fixture(autouse=True)
def small_pages(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(exporting, "PAGE", 5)


@pytest.fixture
def ids(book: Commonplace) -> list[str]:
    turns = book.observe(["Ada sails on Sundays.", "Bob mends the nets."], session="harbour").ids
    items = [{"text": f"boat {number} lies at pier {number}", "tags": ["boats"]} for number in range(MANY - 2)]
    return [*turns[:2], *book.remember_many(items).ids]


@pytest.fixture
def target(tmp_path: Path) -> Path:
    return tmp_path / "out" / "all.jsonl"


def interrupted(book: Commonplace, target: Path, after: int = 20) -> None:
    def stop(done: int, total: int | None) -> None:
        if done >= after:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        book.export(target, progress=stop)


def left(target: Path) -> list[str]:
    return sorted(path.name.removeprefix(target.name) for path in target.parent.iterdir())


def body(path: Path) -> list[str]:
    """All but what no two exports share: the header with its name and time, and the digest over it."""
    return path.read_text("utf-8").splitlines()[1:-1]


def agrees(book: Commonplace, target: Path) -> None:
    """The same lines, to the byte, as an export that was never broken off; and the last line is true."""
    fresh = target.with_name("fresh.jsonl")
    book.export(fresh)
    assert body(target) == body(fresh)
    fresh.unlink()
    counts = json.loads(target.read_text("utf-8").splitlines()[-1])["counts"]
    kinds = [json.loads(line)["type"] for line in body(target)]
    assert counts == {kind: kinds.count(kind) for kind in kinds}
    assert book.import_(target, dry_run=True).notes == ()


def test_it_goes_on_where_it_stopped(book: Commonplace, ids: list[str], target: Path) -> None:
    interrupted(book, target)
    assert left(target) == [".part"] and not target.exists()
    report = book.export(target)
    assert report.notes == (f"20 {exporting.TAKEN_OVER}",) and report.counts["memory"] == len(book.browse(limit=1000))
    assert left(target) == [""]
    agrees(book, target)


def test_it_can_be_broken_off_again_and_again(book: Commonplace, ids: list[str], target: Path) -> None:
    interrupted(book, target)
    interrupted(book, target, after=5)
    assert left(target) == [".before", ".part"]
    interrupted(book, target, after=25)
    assert book.export(target).notes == (f"25 {exporting.TAKEN_OVER}",) and left(target) == [""]
    agrees(book, target)


def test_what_changed_in_between_is_there_as_it_is_now(
    book: Commonplace, ids: list[str], target: Path, clock: StoppedClock
) -> None:
    interrupted(book, target)
    clock.advance(hours=1)
    book.revise(ids[3], "boat 1 has sunk")
    book.archive(ids[4])
    book.revise(ids[5], tags=["wrecks"])
    book.glossary.create("fleet")
    book.context("boat 6", limit=3)  # counts as used
    report = book.export(target)
    taken = int(report.notes[0].partition(" ")[0])
    assert report.notes[0].endswith(exporting.TAKEN_OVER) and 0 < taken < 18
    assert "has sunk" in target.read_text("utf-8")
    agrees(book, target)
    interrupted(book, target)
    book.glossary.delete("boats")  # makes no version of what bore it
    book.export(target)
    agrees(book, target)


@pytest.mark.parametrize("how", ["forget", "forget a part", "erase", "purge"])
def test_after_a_final_act_it_starts_over(
    book: Commonplace, ids: list[str], target: Path, clock: StoppedClock, how: str
) -> None:
    book.within("attic").remember("the trunk of boat 3 is locked")
    whole = book.remember("Ada owns boat 77 and Bob paints houses").id
    book.archive(ids[3])
    clock.advance(days=40)
    interrupted(book, target)
    if how == "forget":
        book.forget(ids[3])
    elif how == "forget a part":
        book.forget(query="Ada owns boat 77")
        assert book.get(whole).text == "Bob paints houses"
    elif how == "erase":
        book.erase(confirm=True, namespace="attic")
    else:
        book.maintain()
    report = book.export(target)
    assert report.notes == (exporting.STARTED_OVER,) and left(target) == [""]
    gone = {"forget": "boat 1 lies", "forget a part": "boat 77", "erase": "trunk", "purge": "boat 1 lies"}[how]
    assert gone not in target.read_text("utf-8") and "boat 2 lies" in target.read_text("utf-8")
    agrees(book, target)


def test_the_words_are_gone_from_the_folder_as_soon_as_it_starts_over(
    book: Commonplace, ids: list[str], target: Path
) -> None:
    interrupted(book, target)
    assert "boat 1 lies" in target.with_name(target.name + ".part").read_text("utf-8")
    book.forget(ids[3])
    interrupted(book, target, after=5)
    assert [path for path in target.parent.iterdir() if "boat 1 lies" in path.read_text("utf-8")] == []


def test_lines_of_another_book_are_never_taken_over(
    book: Commonplace, ids: list[str], target: Path, tmp_path: Path, clock: StoppedClock
) -> None:
    """A book with the same ids and versions, but with another past."""
    book.export(tmp_path / "first.jsonl")
    settings = Settings(home=tmp_path / "elsewhere", embedder="none")
    url = f"sqlite:///{tmp_path}/elsewhere.db"
    with Commonplace.open(url, owner=book.owner, settings=settings, clock=clock) as other:
        other.import_(tmp_path / "first.jsonl")
        book.revise(ids[3], "boat 1 has sunk")
        other.revise(ids[3], "boat 1 was sold")
        interrupted(book, target)
        assert other.export(target).notes == (exporting.STARTED_OVER,)
        assert "was sold" in target.read_text("utf-8") and "has sunk" not in target.read_text("utf-8")


@pytest.mark.parametrize(
    "spoil",
    [
        lambda data: data[:-7],
        lambda data: data[: len(data) // 2] + bytes(4096),
        lambda data: b"",
        lambda data: b"not JSON at all\n" + data,
    ],
    ids=["torn", "zeroed", "empty", "strange"],
)
def test_a_torn_file_is_taken_over_as_far_as_it_is_whole(
    book: Commonplace, ids: list[str], target: Path, spoil: Callable[[bytes], bytes]
) -> None:
    interrupted(book, target)
    part = target.with_name(target.name + ".part")
    part.write_bytes(spoil(part.read_bytes()))
    book.export(target)
    assert left(target) == [""]
    agrees(book, target)


@pytest.mark.skipif(os.name != "posix", reason="locks and modes as POSIX has them")
def test_two_do_not_write_the_same_file(book: Commonplace, ids: list[str], target: Path) -> None:
    def meanwhile(done: int, total: int | None) -> None:
        assert target.with_name(target.name + ".part").stat().st_mode & 0o777 == 0o600
        with pytest.raises(Invalid, match="another export"):
            book.export(target)

    book.export(target, progress=meanwhile)
    agrees(book, target)


KILLED = """
import os, pathlib, signal, sys
from commonplace import Commonplace, Settings
from commonplace.copies import export as exporting
exporting.PAGE = 5
url, home, owner, target = sys.argv[1:]
def stop(done, total):
    if done >= 150:
        os.kill(os.getpid(), signal.SIGKILL)
book = Commonplace.open(url, owner=owner, settings=Settings(home=pathlib.Path(home), embedder="none"))
book.export(target, progress=stop)
"""


@pytest.mark.skipif(os.name != "posix", reason="kills with SIGKILL")
def test_killed_it_goes_on(book: Commonplace, ids: list[str], target: Path, book_url: str) -> None:
    book.remember_many([f"rope {number} is worn" for number in range(200)])  # more than the process holds back
    called = [sys.executable, "-c", KILLED, book_url, str(book.settings.home), book.owner, str(target)]
    done = subprocess.run(called, check=False, capture_output=True, text=True)
    assert done.returncode == -9, done.stderr
    assert not target.exists() and left(target) == [".part"]
    report = book.export(target)
    assert report.notes[0].endswith(exporting.TAKEN_OVER) and left(target) == [""]
    agrees(book, target)
