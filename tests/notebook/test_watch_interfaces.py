"""Edits are picked up where people expect it: by a command of its own, and by the servers beside their work."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from commonplace import Commonplace, Settings
from commonplace.workplace import namespace_for

SRC = Path(__file__).parents[2] / "src"
CLI = [sys.executable, "-m", "commonplace.interfaces.cli"]
pytestmark = pytest.mark.one_engine("the processes of a command on one machine; what they write is tested on both")
WAIT = 60.0
EDIT = "import pathlib, sys; pathlib.Path(sys.argv[1]).write_text(sys.argv[2], encoding='utf-8')"


class Repository:
    def __init__(self, folder: Path) -> None:
        self.folder, self.home = folder / "project", folder / "home"
        (self.folder / ".git").mkdir(parents=True)
        (self.folder / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
        kept = {name: value for name, value in os.environ.items() if not name.startswith("COMMONPLACE_")}
        own = {"PYTHONPATH": str(SRC), "COMMONPLACE_HOME": str(self.home), "COMMONPLACE_CONFIG": os.devnull}
        own["COMMONPLACE_HOOK_READER"] = "false"
        self.environ = kept | own | {"COMMONPLACE_EMBEDDER": "none", "PYTHONUNBUFFERED": "1"}

    def command(self, *words: str) -> str:
        return subprocess.run(
            [*CLI, *words], env=self.environ, cwd=self.folder, capture_output=True, text=True, check=True
        ).stdout

    def edit(self, name: str, text: str) -> None:
        """By another process, as an editor would."""
        subprocess.run([sys.executable, "-c", EDIT, str(self.folder / name), text], check=True)

    @contextmanager
    def running(self, *words: str, **environ: str) -> Iterator[subprocess.Popen[str]]:
        started = subprocess.Popen(
            [*CLI, *words], env=self.environ | environ, cwd=self.folder, text=True,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        )  # fmt: skip
        try:
            yield started
        finally:
            if started.poll() is None:
                started.kill()
            started.communicate()

    @contextmanager
    def book(self) -> Iterator[Commonplace]:
        given = {"home": self.home, "embedder": "none"}
        settings = Settings.load(start=self.folder, environ={"COMMONPLACE_CONFIG": os.devnull}, overrides=given)
        with Commonplace.open(namespace=namespace_for(self.folder, settings)[0], settings=settings) as book:
            yield book

    def versions(self, words: str) -> dict[str, int]:
        with self.book() as book:
            return {one.text: one.version for one in book.browse(limit=100) if words in one.text}


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    made = Repository(tmp_path)
    made.command("session", "lesson", "measure the parser before tuning it")
    return made


def until(true: Callable[[], bool]) -> None:
    end = time.monotonic() + WAIT
    while not true():
        assert time.monotonic() < end, "nothing was picked up"
        time.sleep(0.1)


def edited(repository: Repository, words: str) -> None:
    lesson = (repository.folder / "tasks/lessons.md").read_text("utf-8")
    repository.edit("tasks/lessons.md", lesson.replace("the parser", words))


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")
def test_a_command_picks_up_edits_until_it_is_told_to_stop(repository: Repository, number: signal.Signals):
    with repository.running("session", "watch") as watching:
        assert watching.stdout is not None
        assert "watching the notebook" in watching.stdout.readline()
        edited(repository, "the importer")
        assert "1 changed" in watching.stdout.readline()
        assert repository.versions("before tuning") == {"measure the importer before tuning it": 2}
        repository.edit("tasks/lessons.md", "# Lessons\n")
        assert "1 missing" in watching.stdout.readline()
        assert "forget-removed" in watching.stdout.readline()
        assert len(repository.versions("before tuning")) == 1, "kept until somebody says otherwise"
        watching.send_signal(number)
        _, said = watching.communicate(timeout=WAIT)
        assert (watching.returncode, said) == (0, "")


def test_a_removed_line_is_archived_where_the_setting_says_so(repository: Repository):
    with repository.running("session", "watch", COMMONPLACE_NOTEBOOK_DELETIONS="archive") as watching:
        assert watching.stdout is not None
        watching.stdout.readline()
        repository.edit("tasks/lessons.md", "# Lessons\n")
        assert "1 archived" in watching.stdout.readline()
        assert repository.versions("before tuning") == {}


def test_a_folder_that_is_made_meanwhile_is_watched(repository: Repository):
    assert not (repository.folder / "memory").exists()
    with repository.running("session", "watch", "--json") as watching:
        assert watching.stdout is not None
        time.sleep(1.5)  # until it looks: it says nothing by itself as JSON
        (repository.folder / "memory").mkdir()
        time.sleep(1.5)
        repository.edit("memory/working-buffer.md", "- we freeze the schema on Friday\n")
        assert len(json.loads(watching.stdout.readline())["added"]) == 1


@pytest.mark.parametrize("words", [("serve", "--port", "0"), ("mcp",)], ids=["serve", "mcp"])
def test_a_server_picks_up_edits_of_its_notebook(repository: Repository, words: tuple[str, ...]):
    with repository.running(*words) as server:
        edited(repository, "the importer")
        until(lambda: repository.versions("the importer") != {})
        assert repository.versions("before tuning") == {"measure the importer before tuning it": 2}
        assert server.poll() is None


def test_the_server_of_a_session_reads_with_the_judge_what_a_hook_left(repository: Repository):
    """A hook may not load the judge; the MCP server that the host starts beside it may."""
    repository.command("session", "note", "we are moving house")
    message = "keep the controllers thin and put the logic into services"
    event = {
        "session_id": "s1",
        "cwd": str(repository.folder),
        "hook_event_name": "UserPromptSubmit",
        "prompt": message,
    }
    hook = [sys.executable, "-m", "commonplace.interfaces.hooks", "prompt"]
    subprocess.run(hook, input=json.dumps(event), env=repository.environ, cwd=repository.folder, text=True, check=True)
    buffer = repository.folder / "memory/working-buffer.md"
    assert message not in buffer.read_text("utf-8"), "the rules alone do not know it"
    with repository.running("mcp"):
        until(lambda: message in buffer.read_text("utf-8"))
