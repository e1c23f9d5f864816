"""``init``, ``uninit`` and what forgetting does to files, as they are typed."""

import io
import json
import os
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from commonplace.interfaces.cli import main


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    root = tmp_path / "project"
    (root / ".git").mkdir(parents=True)
    (root / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
    for name in [name for name in os.environ if name.startswith("COMMONPLACE_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("COMMONPLACE_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("COMMONPLACE_CONFIG", os.devnull)
    monkeypatch.setenv("COMMONPLACE_EMBEDDER", "none")
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.chdir(root)
    return root


Run = Callable[..., str]


@pytest.fixture
def run(project: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    def typed(*words: str, code: int = 0) -> str:
        monkeypatch.setattr(sys, "stdin", io.StringIO(""))
        ended = main(words)
        printed = capsys.readouterr()
        assert ended == code, printed.out + printed.err
        return printed.out + printed.err

    return typed


@pytest.mark.one_engine("writes a host's files; the book is beside the point")
def test_init_shows_asks_writes_and_is_taken_out_again(project: Path, run: Run):
    shown = run("init", "--host", "claude-code", "--dry-run")
    rows = [row for row in shown.splitlines() if row.startswith(("make", "change"))]
    assert rows[0].startswith("make    .claude/settings.local.json  (claude-code: hooks; lines: ")
    assert "commonplace-hook" not in shown and len(shown.splitlines()) < 15
    lines = run("init", "--host", "claude-code", "--dry-run", "--diff")
    assert "commonplace-hook" in lines and all(row in lines for row in rows)
    assert list(project.iterdir()) == [project / ".git"]
    run("init", "--host", "claude-code", code=7)
    assert list(project.iterdir()) == [project / ".git"], "without --yes and a person nothing is written"
    run("init", "--host", "claude-code", "--yes")
    assert "SessionStart" in json.loads((project / ".claude/settings.local.json").read_text())["hooks"]
    assert not (project / "MEMORY.md").exists(), "the notebook's files are opt-in"
    run("init", "--host", "claude-code", "--notebook", "--yes")
    assert (project / "MEMORY.md").exists()
    told = json.loads(run("init", "--yes", "--json"))
    assert (told["written"], told["files"]) == (False, []), "the host is known by its folder"
    assert "commonplace-hook" not in run("uninit", "--dry-run")
    assert "commonplace-hook" in run("uninit", "--dry-run", "--diff")
    run("uninit", "--yes")
    assert list(project.iterdir()) == [project / ".git"]


@pytest.mark.one_engine("writes a host's files; the book is beside the point")
def test_a_broken_settings_file_is_refused(project: Path, run: Run):
    (project / ".claude").mkdir()
    (project / ".claude/settings.local.json").write_text('{"hooks": ')
    assert "JSON" in run("init", "--host", "claude-code", "--yes", code=7)
    assert (project / ".claude/settings.local.json").read_text() == '{"hooks": '


@pytest.mark.one_engine("writes a host's files; the book is beside the point")
def test_a_missing_server_is_named_before_anything_is_written(project: Path, run: Run, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("commonplace.interfaces.cli.init.find_spec", lambda name: None)
    assert "commonplace-memory[server]" in run("init", "--host", "claude-code", "--yes", code=7)
    assert list(project.iterdir()) == [project / ".git"]
    run("init", "--host", "claude-code", "--no-mcp", "--yes")
    assert (project / ".claude/settings.local.json").exists() and not (project / ".mcp.json").exists()


@pytest.mark.one_engine("writes a host's files; the book is beside the point")
def test_forgetting_takes_lines_out_of_the_files_when_agreed(project: Path, run: Run):
    first = json.loads(run("session", "note", "Marta is leaving in June", "--json"))
    second = json.loads(run("session", "note", "the build takes nine minutes", "--json"))
    said = run("forget", first["id"])
    assert "-- 2026" in said or "Marta" in said
    assert "Marta" in (project / "memory/working-buffer.md").read_text(), "nobody agreed"
    said = run("forget", second["id"], "--yes")
    assert "git" in said
    assert "nine minutes" not in (project / "memory/working-buffer.md").read_text()


@pytest.mark.one_engine("writes a host's files; the book is beside the point")
def test_rejecting_offers_the_same_edit(project: Path, run: Run):
    first = json.loads(run("session", "note", "the API port is 8080", "--kind", "value", "--json"))
    second = json.loads(run("session", "note", "the build takes nine minutes", "--json"))
    third = json.loads(run("session", "note", "releases go out on Fridays", "--kind", "decision", "--json"))
    assert "8080" in run("session", "recover")
    said = run("reject", first["id"], "--reason", "it never was")
    assert "8080" in said
    assert "stay in the files" in said
    assert "8080" in (project / "memory/working-buffer.md").read_text(), "nobody agreed"
    said = run("reject", third["id"], "--yes")
    assert "git" in said
    assert "Fridays" not in (project / "memory/working-buffer.md").read_text()
    for page in (run("session", "recover"), run("session", "start")):
        assert "nine minutes" in page
        assert "8080" not in page
        assert "Fridays" not in page
    assert json.loads(run("get", second["id"], "--json"))["status"] == "verified"
