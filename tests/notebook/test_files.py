"""Files that many write: nothing torn, nothing interleaved, nothing read that is not text."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from commonplace import Refused, Settings
from commonplace.errors import StoreFull
from commonplace.notebook import files
from commonplace.notebook.pages import Pages, pages
from commonplace.testing.clock import StoppedClock

SRC = Path(__file__).parents[2] / "src"


@pytest.fixture
def paper(project: Path, settings: Settings, clock: StoppedClock) -> Pages:
    return pages(project, settings, clock)


def test_a_note_is_one_line_at_the_end_of_the_buffer(paper: Pages):
    first = paper.note("decision", "we keep\n  SQLite")
    second = paper.note("next", "write the docs")
    text = (paper.paths.root / "memory/working-buffer.md").read_text()
    assert text.splitlines() == [
        "# Working buffer",
        "",
        "- 2026-05-01 12:00 decision: we keep SQLite",
        "- 2026-05-01 12:00 next: write the docs",
    ]
    assert (first.line, second.line) == (3, 4)


def test_the_same_line_of_the_same_day_is_written_once(paper: Pages):
    assert paper.note("value", "the port is 9090").new
    again = paper.note("value", "The port is 9090.")
    assert not again.new
    assert again.line == 3
    assert len(paper.blocks(paper.paths.buffer)) == 1


def test_a_torn_last_line_is_closed_and_not_lost(paper: Pages):
    paper.note("note", "the first")
    with paper.paths.buffer.open("ab") as file:
        file.write(b"- 2026-05-01 11:59 decision: cut in the mid" + "é".encode()[:1])
    paper.note("note", "the last")
    said = [block.text for block in paper.blocks(paper.paths.buffer)]
    assert said == ["the first", "cut in the mid", "the last"]


def test_line_ends_of_windows_stay(paper: Pages):
    paper.paths.buffer.parent.mkdir()
    paper.paths.buffer.write_bytes(b"# Working buffer\r\n\r\n- by hand\r\n")
    paper.note("note", "by us")
    assert paper.paths.buffer.read_bytes().endswith(b"- by hand\r\n- 2026-05-01 12:00 note: by us\r\n")


def test_what_is_not_text_is_refused_with_a_word(paper: Pages, tmp_path: Path):
    path = paper.paths.long_term
    path.write_text("- fine\n")
    assert paper.read(path).text == "- fine\n"
    for data, word in ((b"a\0b", "binary"), (b"\xff\xfe\xfa" * 9, "UTF-8"), (b"x" * (files.LARGEST + 1), "bytes")):
        path.write_bytes(data)
        with pytest.raises(Refused, match=word):
            paper.read(path)
    path.unlink()
    (tmp_path / "elsewhere.md").write_text("- secret\n")
    path.symlink_to(tmp_path / "elsewhere.md")
    with pytest.raises(Refused, match="symbolic link"):
        paper.read(path)


def test_an_edit_of_a_file_that_changed_meanwhile_is_refused(paper: Pages):
    path = paper.paths.long_term
    path.write_text("one\n")
    files.replace(paper.paths, paper.home, path, "one\n", "two\n")
    assert path.read_text() == "two\n"
    with pytest.raises(Refused, match="changed meanwhile"):
        files.replace(paper.paths, paper.home, path, "one\n", "three\n")
    assert path.read_text() == "two\n"


def test_a_full_disk_leaves_no_half_line(paper: Pages, monkeypatch: pytest.MonkeyPatch):
    paper.note("note", "the first")
    before = paper.paths.buffer.read_bytes()
    real = os.write

    def full(handle: int, data: bytes) -> int:
        if len(data) > 4:
            real(handle, data[:4])
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(files.os, "write", full)  # type: ignore[attr-defined]
    with pytest.raises(StoreFull):
        paper.note("note", "the second")
    assert paper.paths.buffer.read_bytes() == before


def test_it_is_synced_to_the_disk_before_it_returns(paper: Pages, monkeypatch: pytest.MonkeyPatch):
    synced: list[str] = []
    real = os.fsync

    def sync(handle: int) -> None:
        synced.append(str(Path(f"/proc/self/fd/{handle}").readlink()) if Path("/proc/self/fd").exists() else "")
        real(handle)

    monkeypatch.setattr(files.os, "fsync", sync)  # type: ignore[attr-defined]
    paper.note("note", "once")
    assert len(synced) >= 2
    if synced[0]:
        assert {str(paper.paths.buffer), str(paper.paths.buffer.parent)} <= set(synced)


WRITER = """
import sys
from pathlib import Path
from commonplace import Settings
from commonplace.clock import SystemClock
from commonplace.notebook.pages import pages
paper = pages(Path(sys.argv[1]), Settings(home=Path(sys.argv[2])), SystemClock())
for n in range(40):
    paper.note("note", f"writer {sys.argv[3]} says " + "word " * 60 + str(n))
"""


def test_writers_at_once_neither_interleave_nor_lose_a_line(paper: Pages):
    environ = {**os.environ, "PYTHONPATH": str(SRC)}
    running = [
        subprocess.Popen([sys.executable, "-c", WRITER, str(paper.paths.root), str(paper.home), str(n)], env=environ)
        for n in range(4)
    ]
    assert [one.wait() for one in running] == [0] * 4
    said = [block.text for block in paper.blocks(paper.paths.buffer)]
    assert sorted(said) == sorted(f"writer {w} says {'word ' * 60}{n}" for w in range(4) for n in range(40))
