"""A cloned repository chooses the notebook's paths; bad ones are refused before anything is read or written."""

import json
import os
from dataclasses import replace
from pathlib import Path

import pytest

from commonplace import Settings
from commonplace.errors import Refused, SettingsError
from commonplace.interfaces.hooks.entry import answered
from commonplace.notebook.notebook import Notebook
from commonplace.notebook.paths import notebook_paths
from commonplace.settings import path_problem

REFUSED = (
    ".git/config",
    ".GIT/config.md",
    "docs/.git/x.md",
    ".env",
    ".env.md",
    ".github/notes.md",
    "git~1/config.md",
    "\u200c.git/config.md",
    "../other/MEMORY.md",
    "memory/../../x.md",
    "/etc/notes.md",
    "C:\\notes.md",
    "C:notes.md",
    "\\\\server\\share\\x.md",
    "package.json",
    "Makefile",
    "",
)
ALLOWED = ("MEMORY.md", "memory/working-buffer.md", "docs/Notes.MARKDOWN", "a b/ü.md")


@pytest.mark.parametrize("path", REFUSED)
def test_a_path_outside_the_notebook_s_rules_is_refused(path: str, settings: Settings, project: Path):
    with pytest.raises(SettingsError, match="notebook_long_term"):
        notebook_paths(project, replace(settings, notebook_long_term=path))


@pytest.mark.parametrize("path", ALLOWED)
def test_an_ordinary_path_is_used(path: str, settings: Settings, project: Path):
    assert notebook_paths(project, replace(settings, notebook_long_term=path)).long_term == project / path


def test_the_log_folder_may_not_be_hidden(settings: Settings, project: Path):
    assert path_problem("memory", is_folder=True) is None
    with pytest.raises(SettingsError, match="hidden"):
        notebook_paths(project, replace(settings, notebook_log_folder=".git/hooks"))


@pytest.mark.parametrize("link", ["MEMORY.md", "memory"])
def test_a_symbolic_link_is_neither_read_nor_written(link: str, notebook: Notebook, project: Path, tmp_path: Path):
    target = tmp_path / "private" if link == "memory" else tmp_path / "private.md"
    if link == "memory":
        target.mkdir()
        (target / "working-buffer.md").write_text("- the code is 4711\n")
    else:
        target.write_text("- the code is 4711\n")
    (project / link).symlink_to(target)
    page = notebook.start()
    assert "4711" not in page.text
    assert any("symbolic link" in problem for problem in page.problems)
    if link == "memory":
        with pytest.raises(Refused, match="symbolic link"):
            notebook.note("Use port 9090")
        assert (target / "working-buffer.md").read_text() == "- the code is 4711\n"
    (project / link).unlink()
    if link == "MEMORY.md":
        (project / link).write_text("- the code is 4711\n")
        assert "4711" in notebook.start().text  # the same words in a plain file are read


@pytest.mark.one_engine("a hook opens a SQLite book by itself")
def test_a_hook_in_a_hostile_repository_leaves_git_s_files_alone(
    project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("COMMONPLACE_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("COMMONPLACE_CONFIG", os.devnull)
    config = project / ".git" / "config"
    config.write_text("[core]\n")
    (project / "commonplace.toml").write_text('notebook_working_buffer = ".git/config"\n')
    raw = json.dumps({"hook_event_name": "UserPromptSubmit", "cwd": str(project), "prompt": "Let's go with Postgres."})
    answer = json.loads(answered("prompt", raw.encode(), {}, project))
    assert "notebook_working_buffer" in answer["systemMessage"]
    assert config.read_text() == "[core]\n"
    (project / "commonplace.toml").unlink()
    (project / "memory").mkdir()
    (project / "memory" / "working-buffer.md").touch()
    assert "systemMessage" not in json.loads(answered("prompt", raw.encode(), {}, project))
    assert "Postgres" in (project / "memory" / "working-buffer.md").read_text()
