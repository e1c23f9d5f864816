"""`init --import-memory` brings in what an agent remembers of the project by itself, and leaves that alone."""

import json
import re
from pathlib import Path

import pytest

from commonplace.interfaces.cli import main


@pytest.mark.one_engine("writes a host's files; the book is beside the point")
def test_the_agents_own_memory_is_brought_in_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    project, home = tmp_path / "project", tmp_path / "home"
    (project / ".git").mkdir(parents=True)
    (project / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
    folder = home / ".claude" / "projects" / re.sub(r"[^A-Za-z0-9]", "-", str(project)) / "memory"
    folder.mkdir(parents=True)
    note = folder / "deploys.md"
    note.write_text("---\ntype: feedback\n---\nNever deploy on Fridays.\n")
    for name, value in {"HOME": home, "COMMONPLACE_HOME": tmp_path / "book"}.items():
        monkeypatch.setenv(name, str(value))
    monkeypatch.chdir(project)
    for _ in range(2):
        assert main(["init", "--yes", "--host", "claude-code", "--import-memory"]) == 0
    capsys.readouterr()
    assert main(["recall", "deploy", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    texts = [one["memory"]["text"] for one in (found["items"] if isinstance(found, dict) else found)]
    assert texts.count("Never deploy on Fridays.") == 1
    assert note.read_text().endswith("Never deploy on Fridays.\n")
