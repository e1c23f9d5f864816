"""Hooks as hosts call them: in this process for most, as a program of its own where that matters."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from commonplace import Commonplace, Settings
from commonplace.interfaces.hooks.entry import answered
from commonplace.workplace import namespace_for

SRC = Path(__file__).parents[3] / "src"
PROGRAM = [sys.executable, "-m", "commonplace.interfaces.hooks"]


@dataclass(frozen=True)
class Place:
    project: Path
    home: Path
    url: str | None = None
    """Where the book is; a file in its home unless this says otherwise."""

    @property
    def environ(self) -> dict[str, str]:
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("COMMONPLACE_", "CLAUDE_"))}
        own = {"PYTHONPATH": str(SRC), "COMMONPLACE_HOME": str(self.home), "COMMONPLACE_CONFIG": os.devnull}
        own["COMMONPLACE_HOOK_READER"] = "false"  # unless a test asks for it
        return {**kept, **own, **({"COMMONPLACE_URL": self.url} if self.url else {})}

    def settings(self, **options: Any) -> Settings:
        environ = {"COMMONPLACE_CONFIG": os.devnull}
        given = {"home": self.home, "url": self.url, **options}
        return Settings.load(start=self.project, environ=environ, overrides=given)

    def book(self) -> Commonplace:
        settings = self.settings(embedder="none")
        return Commonplace.open(namespace=namespace_for(self.project, settings)[0], settings=settings)

    def file(self, name: str) -> str:
        path = self.project / name
        return path.read_text("utf-8") if path.exists() else ""


@pytest.fixture
def place(tmp_path: Path, book_url: str, monkeypatch: pytest.MonkeyPatch) -> Place:
    project = tmp_path / "project"
    (project / ".git").mkdir(parents=True)
    (project / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
    (project / "memory").mkdir()
    (project / "memory" / "working-buffer.md").touch()  # somebody asked for a notebook
    for name in [name for name in os.environ if name.startswith("COMMONPLACE_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("COMMONPLACE_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("COMMONPLACE_CONFIG", os.devnull)
    if book_url.startswith("sqlite"):
        return Place(project, tmp_path / "home")
    monkeypatch.setenv("COMMONPLACE_URL", book_url)
    return Place(project, tmp_path / "home", book_url)


Call = Callable[..., dict[str, Any]]


def payload(place: Place, event: str, **fields: Any) -> dict[str, Any]:
    """As Claude Code sends it."""
    base = {
        "session_id": "s1",
        "transcript_path": str(place.home / "none.jsonl"),
        "cwd": str(place.project),
        "permission_mode": "default",
        "hook_event_name": event,
    }
    return base | fields


@pytest.fixture
def call(place: Place) -> Call:
    def run(name: str, event: str, **fields: Any) -> dict[str, Any]:
        raw = json.dumps(payload(place, event, **fields)).encode()
        told: dict[str, Any] = json.loads(answered(name, raw, {}, place.project))
        return told

    return run


def program(place: Place, name: str, raw: bytes, **environ: str) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [*PROGRAM, name], input=raw, env=place.environ | environ, cwd=place.project, capture_output=True, check=False
    )


def context(told: dict[str, Any]) -> str:
    return str(told.get("hookSpecificOutput", {}).get("additionalContext", ""))
