"""The walk-throughs of docs/internals are followed to the letter on a copy of the source, on both engines."""

import os
import re
import subprocess
import sys
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from commonplace.store import migrate

ROOT = Path(__file__).parents[1]
FENCE = re.compile(r"^```(\w+)[^\n]*\n(.*?)^```$", re.MULTILINE | re.DOTALL)
MOST_FILES = 3


def test_adding_a_field(fresh_url: str, tmp_path: Path) -> None:
    assert follow("add-a-field", tmp_path, fresh_url) <= MOST_FILES


def test_adding_a_verb(fresh_url: str, tmp_path: Path) -> None:
    assert follow("add-a-verb", tmp_path, fresh_url) <= MOST_FILES


def test_a_step_that_is_left_out_is_noticed(tmp_path: Path) -> None:
    """Without the migrations the walk-through fails."""
    with pytest.raises(AssertionError, match="urgency"):
        follow("add-a-field", tmp_path, f"sqlite:///{tmp_path}/book.db", leave_out="migrations")


@pytest.fixture(params=["sqlite", "postgres"])
def fresh_url(request: pytest.FixtureRequest, tmp_path: Path, postgres_server: Any) -> Iterator[str]:
    """A database without a schema: the copy has one migration more."""
    if request.param == "sqlite":
        yield f"sqlite:///{tmp_path}/book.db"
        return
    name = f"fresh_{uuid.uuid4().hex[:8]}"
    postgres_server.run(f"create database {name}")
    yield postgres_server.url(name)
    postgres_server.run(f"drop database {name} with (force)")


def follow(page: str, folder: Path, url: str, *, leave_out: str = "\0") -> int:
    """Apply the page's changes to a copy and run its code; the number of files that they touch."""
    copy = folder / "copy"
    for path in (ROOT / "src").rglob("*"):
        if path.is_file() and "__pycache__" not in path.parts:
            link = copy / path.relative_to(ROOT)
            link.parent.mkdir(parents=True, exist_ok=True)
            link.symlink_to(path)
    touched: set[str] = set()
    for language, text in FENCE.findall((ROOT / "docs" / "internals" / f"{page}.md").read_text("utf-8")):
        if language == "diff":
            touched |= changed(copy, text, leave_out)
        elif language == "python":
            run(copy, folder, text, url)
    return len(touched)


def changed(copy: Path, diff: str, leave_out: str) -> set[str]:
    files: set[str] = set()
    for part in re.split(r"^(?=---|\+\+\+)", diff, flags=re.MULTILINE):
        head, _, body = part.partition("\n")
        if head.removeprefix("---").removeprefix("+++").strip():
            name = head[4:].replace("NEXT", f"{migrate.known('sqlite') + 1:04}")
        if not part or leave_out in name:
            continue
        files.add(name)
        path, after = copy / name, "".join(f"{line[1:]}\n" for line in body.splitlines())
        if head.startswith("+++"):
            path.write_text(after, "utf-8")
            continue
        before = "".join(f"{line[1:]}\n" for line in body.splitlines() if not line.startswith("+"))
        source = path.read_text("utf-8")
        assert source.count(before) == 1, f"{name} holds this {source.count(before)} times, not once:\n{before}"
        path.unlink()
        path.write_text(source.replace(before, after), "utf-8")
    return files


def run(copy: Path, folder: Path, code: str, url: str) -> None:
    clean = {name: value for name, value in os.environ.items() if not name.startswith("COMMONPLACE_")}
    environment = clean | {"PYTHONPATH": str(copy / "src"), "HOME": str(folder)}
    environment |= {"XDG_DATA_HOME": str(folder), "COMMONPLACE_HOME": str(folder / "home"), "COMMONPLACE_URL": url}
    guard = f"import commonplace; assert commonplace.__file__.startswith({str(copy)!r})\n"
    command = [sys.executable, "-c", guard + code]
    result = subprocess.run(command, env=environment, capture_output=True, text=True, check=False, cwd=folder)
    assert result.returncode == 0, result.stderr[-3000:]
