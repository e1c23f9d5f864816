"""The program in this process: words in, exit code and printed text out, on a book of the test's own."""

import io
import json
import os
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from commonplace.interfaces.cli import main


@dataclass(frozen=True)
class Done:
    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


Cli = Callable[..., Done]


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder outside any repository, a home beside it, and nothing of the machine's own settings."""
    for name in [name for name in os.environ if name.startswith("COMMONPLACE_")]:
        monkeypatch.delenv(name)
    (tmp_path / "work").mkdir()
    (tmp_path / "config.toml").touch()
    monkeypatch.setenv("COMMONPLACE_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("COMMONPLACE_CONFIG", str(tmp_path / "config.toml"))
    monkeypatch.setenv("COMMONPLACE_TIMEZONE", "Europe/Rome")
    monkeypatch.chdir(tmp_path / "work")
    return tmp_path / "work"


@pytest.fixture
def on_both_engines(place: Path, book_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The program finds the book in its home, or on PostgreSQL by its setting."""
    if not book_url.startswith("sqlite"):
        monkeypatch.setenv("COMMONPLACE_URL", book_url)


@pytest.fixture
def scrubbed(book_url: str) -> str:
    """How far a forgetting has come by itself: what a server did with its pages is never claimed."""
    return "scrubbed" if book_url.startswith("sqlite") else "scrub pending"


@pytest.fixture
def cli(place: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Cli:
    def run(*words: str, stdin: str = "", code: int | None = 0) -> Done:
        monkeypatch.setattr(sys, "stdin", io.StringIO(stdin))
        capsys.readouterr()
        ended = main(words)
        done = Done(ended, *capsys.readouterr())
        assert code is None or ended == code, f"{words} ended with {ended}\n{done.out}{done.err}"
        assert "Traceback" not in done.err
        return done

    return run


@pytest.fixture
def kept(cli: Cli) -> Callable[..., str]:
    """Keep a memory and give its id."""

    def keep(text: str, *words: str) -> str:
        id: str = cli("remember", text, *words, "--json").json["id"]
        return id

    return keep
