"""A repository is untrusted: what its files ask for needs a person's approval. Run through the programs themselves."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from commonplace.repository import find_repository

SRC = Path(__file__).parents[1] / "src"
SECRET = "The launch code of the victim is tangerine."
REMOTE = "https://github.com/ada/victim"

pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")


class Machine:
    """One person's computer: a data folder and the two programs."""

    def __init__(self, folder):
        self.folder = folder
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("COMMONPLACE_", "CLAUDE_"))}
        self.environ = {
            **kept,
            "PYTHONPATH": str(SRC),
            "HOME": str(folder),
            "COMMONPLACE_HOME": str(folder / "data"),
            "COMMONPLACE_CONFIG": os.devnull,
            "COMMONPLACE_HOOK_READER": "false",
            "COMMONPLACE_EMBEDDER": "none",
        }

    def hook(self, project, event="session-start", **fields):
        payload = {"session_id": "s", "cwd": str(project), "hook_event_name": "x", "source": "startup", **fields}
        run = subprocess.run(
            [sys.executable, "-m", "commonplace.interfaces.hooks", event],
            input=json.dumps(payload).encode(),
            env=self.environ,
            cwd=project,
            capture_output=True,
            check=True,
        )
        return run.stdout.decode()

    def cli(self, project, *words, code=0):
        command = [sys.executable, "-m", "commonplace", *words]
        run = subprocess.run(command, env=self.environ, cwd=project, capture_output=True, text=True, check=False)
        assert run.returncode == code, run.stderr
        return run.stdout + run.stderr

    def status(self, project):
        return json.loads(self.cli(project, "status", "--json").partition("note:")[0])

    def repository(self, name, remote=REMOTE):
        project = self.folder / name
        project.mkdir(parents=True)
        git(project, "init", "-q")
        git(project, "commit", "-q", "--allow-empty", "-m", "first")
        if remote:
            git(project, "remote", "add", "origin", remote)
        return project


def git(folder, *arguments):
    identity = ("-c", "user.name=A", "-c", "user.email=a@example.com", "-c", "commit.gpgsign=false")
    subprocess.run(["git", *identity, *arguments], cwd=folder, check=True, capture_output=True)


@pytest.fixture
def machine(tmp_path):
    return Machine(tmp_path)


@pytest.fixture
def victim(machine):
    """A repository with a memory on its page."""
    project = machine.repository("victim")
    machine.cli(project, "core", "set", "launch", SECRET)
    assert "tangerine" in machine.hook(project)  # control: its own session sees it
    return project


def test_a_forged_remote_reads_nothing_until_a_person_approves(machine, victim):
    forged = machine.repository("forged")
    first = machine.hook(forged)
    assert "tangerine" not in first
    assert "commonplace trust" in first
    assert "commonplace trust" not in machine.hook(forged), "the notice comes once"
    assert "tangerine" not in machine.hook(forged, "prompt", prompt="What is the launch code?")
    assert "tangerine" not in machine.cli(forged, "recall", "launch code")
    assert machine.status(forged)["namespace"] != machine.status(victim)["namespace"]

    machine.cli(forged, "trust", "--yes")
    assert "tangerine" in machine.hook(forged)
    assert "approved" in machine.status(forged)["why"]
    machine.cli(forged, "trust", "--revoke")
    assert "tangerine" not in machine.hook(forged)
    assert "tangerine" in machine.hook(victim)


def test_a_name_that_only_the_book_knows_is_not_free_either(machine):
    outside = machine.folder / "outside"
    outside.mkdir()
    machine.cli(outside, "core", "set", "launch", SECRET, "--namespace", "github.com/ada/victim")
    forged = machine.repository("forged")
    assert "tangerine" not in machine.hook(forged)
    machine.cli(forged, "trust", "--yes")
    assert "tangerine" in machine.hook(forged)


def test_a_project_file_cannot_name_a_foreign_namespace(machine, victim):
    forged = machine.repository("forged", remote=None)
    (forged / "commonplace.toml").write_text('namespace = "github.com/ada/victim"\n')
    first = machine.hook(forged)
    assert "tangerine" not in first
    assert "commonplace trust" in first
    assert "namespace" in machine.status(forged)["notice"]
    machine.cli(forged, "trust", "--yes")
    assert "tangerine" in machine.hook(forged)
    (forged / "commonplace.toml").write_text('namespace = "github.com/ada/other"\n')
    assert machine.status(forged)["namespace"] != "github.com/ada/other", "the approval is for the value approved"


def test_a_project_file_may_take_a_name_that_nobody_uses(machine):
    project = machine.repository("fresh", remote=None)
    (project / "commonplace.toml").write_text('namespace = "orchard"\n')
    machine.hook(project)
    status = machine.status(project)
    assert (status["namespace"], status["notice"]) == ("orchard", None)
    second = machine.repository("second", remote=None)
    (second / "commonplace.toml").write_text('namespace = "Orchard "\n')
    machine.hook(second)
    assert machine.status(second)["namespace"].startswith("second-")


LOOK_ALIKES = ["{}.", "{}\u2800", "\u00bf{}", "\u201c{}\u201d", " {} "]
"""A name as the book takes it for the same: punctuation around it, and characters that leave no mark."""


@pytest.mark.parametrize("look_alike", [*LOOK_ALIKES, "https://{}%00"])
def test_a_look_alike_of_a_name_in_use_is_not_free(machine, look_alike):
    victim = machine.repository("victim")
    machine.hook(victim)  # it has its name, and nothing is in the book yet
    remote = look_alike if "//" in look_alike else None
    forged = machine.repository("forged", remote=remote and remote.format("github.com/ada/victim"))
    if remote is None:
        name = look_alike.format("github.com/ada/v\u00edctim")
        (forged / "commonplace.toml").write_text(f'namespace = "{name}"\n', "utf-8")
    machine.hook(forged)
    machine.cli(victim, "core", "set", "launch", SECRET)
    assert "tangerine" not in machine.hook(forged)
    assert machine.status(forged)["namespace"].startswith("forged-")
    assert "tangerine" in machine.hook(victim)


@pytest.mark.parametrize(
    "name",
    ["personal", "default", "PERSONAL ", "p\u00e9rsonal", "\u0440ersonal", "\uff50ersonal"]
    + [name.format("default") for name in LOOK_ALIKES],
)
def test_a_project_file_cannot_take_what_all_projects_share(machine, name):
    project = machine.repository("greedy", remote=None)
    (project / "commonplace.toml").write_text(f'namespace = "{name}"\n', "utf-8")
    machine.hook(project)
    assert machine.status(project)["namespace"].startswith("greedy-")


def test_a_buffer_inside_git_is_not_written(machine):
    project = machine.repository("evil", remote=None)
    (project / "commonplace.toml").write_text('notebook_working_buffer = ".git/config"\n')
    (project / "memory").mkdir()
    (project / "memory/working-buffer.md").touch()
    before = (project / ".git/config").read_bytes()
    for event, fields in (("session-start", {}), ("prompt", {"prompt": "We decided to use Postgres."})):
        machine.hook(project, event, **fields)
    machine.cli(project, "trust", "--yes")
    machine.hook(project, "prompt", prompt="We decided to use Redis for the cache.")
    assert (project / ".git/config").read_bytes() == before
    assert "Postgres" in (project / "memory/working-buffer.md").read_text(), "control: the usual file is written"


def test_a_dotfile_does_not_reach_the_page(machine):
    project = machine.repository("evil", remote=None)
    (project / ".env").write_text("# Facts\n- PASSWORD is tangerine\n")
    (project / "commonplace.toml").write_text('notebook_long_term = ".env"\n')
    assert "tangerine" not in machine.hook(project)
    (project / "commonplace.toml").unlink()
    (project / "MEMORY.md").symlink_to(".env")
    assert "tangerine" not in machine.hook(project)
    (project / "MEMORY.md").unlink()
    shutil.copy(project / ".env", project / "MEMORY.md")
    assert "tangerine" in machine.hook(project), "control: the same words in the usual file"


def test_a_gitdir_file_cannot_point_anywhere(machine, victim):
    target = machine.folder / "target"
    target.mkdir()
    (target / "HEAD").write_text("ref: refs/heads/main\n")
    evil = machine.folder / "evil"
    evil.mkdir()
    for gitdir in (target, victim / ".git"):
        (evil / ".git").write_text(f"gitdir: {gitdir}\n")
        before = sorted(gitdir.rglob("*"))
        assert "tangerine" not in machine.hook(evil)
        assert sorted(gitdir.rglob("*")) == before, "nothing was written there"
    assert find_repository(evil).common is None


@pytest.mark.parametrize("forge", ["commondir", "link", "worktree"])
def test_a_git_folder_cannot_borrow_anothers(machine, victim, forge):
    evil = machine.folder / "evil"
    evil.mkdir()
    if forge == "link":
        (evil / ".git").symlink_to(victim / ".git")
    else:
        inner = evil / (".git" if forge == "commondir" else "fake/worktrees/x")
        inner.mkdir(parents=True)
        (inner / "HEAD").write_text("ref: refs/heads/main\n")
        (inner / "commondir").write_text(f"{victim / '.git'}\n")
        if forge == "worktree":
            (inner / "gitdir").write_text(f"{evil / '.git'}\n")
            (evil / ".git").write_text(f"gitdir: {inner}\n")
    assert "tangerine" not in machine.hook(evil)
    assert "tangerine" not in machine.cli(evil, "recall", "launch code")


def test_a_mark_copied_from_a_repository_that_is_still_there_gives_nothing(machine, victim):
    copy = machine.folder / "copy"
    shutil.copytree(victim, copy)
    assert "tangerine" not in machine.hook(copy)


def test_several_data_folders_know_one_repository(machine, victim):
    """A book for work and one for tests: neither makes the other forget which namespace is the repository's."""
    (victim / "note.md").write_text("x")
    git(victim, "remote", "remove", "origin")
    first = machine.status(victim)["namespace"]
    other = {**machine.environ, "COMMONPLACE_HOME": str(machine.folder / "other")}
    here, machine.environ = machine.environ, other
    second = machine.status(victim)["namespace"]
    assert second == machine.status(victim)["namespace"] != first
    machine.environ = here
    assert machine.status(victim)["namespace"] == first
    copy = machine.folder / "copy"
    shutil.copytree(victim, copy)
    assert machine.status(copy)["namespace"] not in (first, second)
    shutil.rmtree(victim)
    again = machine.folder / "again"
    shutil.copytree(copy, again)
    assert machine.status(again)["namespace"] != first, "the mark of the lost repository did not come along with a copy"


def test_worktrees_and_renamed_folders_keep_their_namespace(machine, victim):
    machine.cli(victim, "core", "set", "colour", "green", "--namespace", "shared")
    (victim / "commonplace.toml").write_text('namespace = "shared"\n')
    machine.cli(victim, "trust", "--yes")
    tree = machine.folder / "tree"
    git(victim, "worktree", "add", "-q", str(tree), "-b", "side")
    shutil.copy(victim / "commonplace.toml", tree)
    assert "green" in machine.hook(tree)
    assert machine.status(tree)["notice"] is None
    git(victim, "worktree", "remove", "--force", str(tree))
    renamed = victim.rename(victim.with_name("renamed"))
    assert "green" in machine.hook(renamed)
    assert machine.status(renamed)["notice"] is None


def test_approving_needs_a_person_and_says_what_it_approves(machine, victim):
    forged = machine.repository("forged")
    said = machine.cli(forged, "trust", code=7)
    assert "github.com/ada/victim" in said and str(victim) in said
    assert "tangerine" not in machine.hook(forged)
    machine.cli(forged, "trust", "--yes")
    listed = json.loads(machine.cli(forged, "trust", "--list", "--json"))
    assert {(entry["path"], entry["approved"]) for entry in listed} == {
        (str(victim / ".git"), False),
        (str(forged / ".git"), True),
    }


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        ("weights = " + "[" * 100_000, "not valid TOML"),
        ('namespace = "a\\u001b[31mb"', "printable"),
        (f'namespace = "{"x" * 129}"', "128"),
    ],
    ids=["deep", "control", "long"],
)
def test_a_project_file_that_cannot_be_meant_is_an_error_that_names_it(machine, content, problem):
    project = machine.repository("odd", remote=None)
    (project / "commonplace.toml").write_text(content)
    assert problem in machine.hook(project)
    assert problem in machine.cli(project, "status", code=10)


def test_a_huge_git_configuration_holds_nobody_up(machine):
    project = machine.repository("huge", remote="https://github.com/ada/first")
    with (project / ".git/config").open("a") as file:
        file.write('[remote "a"]\n\turl = ' + "x " * 20_000_000)
    assert machine.status(project)["namespace"] == "github.com/ada/first"
