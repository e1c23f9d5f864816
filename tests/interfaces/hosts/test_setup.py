"""Setting up and taking out again, for each host, beside what others wrote there."""

import json
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from commonplace import Commonplace, Settings
from commonplace.interfaces.hosts import setup
from commonplace.interfaces.hosts.shapes import HOSTS, Programs
from commonplace.notebook.notebook import Notebook

THEIRS = {
    ".claude/settings.json": '{\n    "model": "x",\n    "hooks": {"Stop": [{"hooks": [{"type": "command"}]}]}\n}',
    ".mcp.json": '{"mcpServers": {"other": {"command": "o"}}}\n',
    ".codex/config.toml": "model = 'm'  # mine\n\n[mcp_servers.other]\ncommand = 'o'\n",
    ".codex/hooks.json": '{"hooks": {}}\n',
    ".cursor/hooks.json": '{\n  "version": 1,\n  "hooks": {"stop": [{"command": "x"}]}\n}\n',
    ".cursor/mcp.json": "{}\n",
}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    made = tmp_path / "project"
    (made / ".git").mkdir(parents=True)
    (made / ".git" / "HEAD").write_text("x")
    return made


@pytest.fixture
def notebook(tmp_path: Path, root: Path) -> Iterator[Notebook]:
    settings = Settings(home=tmp_path / "home", embedder="none")
    with Commonplace.open(settings=settings) as book:
        yield book.notebook_at(root)


def files(root: Path) -> dict[str, str]:
    found = (path for path in root.rglob("*") if path.is_file() and ".git/" not in path.as_posix())
    return {path.relative_to(root).as_posix(): path.read_text() for path in found}


def set_up(root: Path, notebook: Notebook, *names: str) -> list[setup.FileEdit]:
    hosts = [HOSTS[name] for name in names]
    edits = setup.plan(root, root.parent / "me", hosts, notebook, user=False, made=Programs())
    setup.carry_out(edits, root, notebook.pages.home)
    return edits


def take_out(root: Path, notebook: Notebook) -> None:
    setup.take_out(
        setup.unplan(root, root.parent / "me", HOSTS.values(), notebook.pages.home), root, notebook.pages.home
    )


@pytest.mark.one_engine("writes a host's files; the book is beside the point")
@pytest.mark.parametrize("theirs", [{}, THEIRS], ids=["empty", "beside others"])
def test_in_and_out_leaves_every_byte_as_it_was(root: Path, notebook: Notebook, theirs: dict[str, str]):
    for name, text in theirs.items():
        (root / name).parent.mkdir(exist_ok=True)
        (root / name).write_text(text)
    before = files(root)
    assert set_up(root, notebook, *HOSTS)
    assert files(root) != before
    assert set_up(root, notebook, *HOSTS) == [], "a second time there is nothing to do"
    take_out(root, notebook)
    assert files(root) == before
    if not theirs:
        assert [path.name for path in root.iterdir()] == [".git"]


@pytest.mark.one_engine("writes a host's files; the book is beside the point")
def test_what_others_wrote_meanwhile_stays(root: Path, notebook: Notebook):
    set_up(root, notebook, *HOSTS)
    path = root / ".claude/settings.json"
    plain = json.loads(path.read_text())
    plain["hooks"]["Stop"].append({"hooks": [{"type": "command", "command": "say"}]})
    plain["model"] = "y"
    path.write_text(json.dumps(plain))
    config = root / ".codex/config.toml"
    config.write_text(config.read_text() + "\n[later]\nx = 1\n")
    notebook.note("we keep SQLite", kind="decision")
    take_out(root, notebook)
    left = files(root)
    say = {"hooks": [{"type": "command", "command": "say"}]}
    assert json.loads(left[".claude/settings.json"]) == {"hooks": {"Stop": [say]}, "model": "y"}
    assert tomllib.loads(left[".codex/config.toml"]) == {"later": {"x": 1}}
    assert "we keep SQLite" in left["memory/working-buffer.md"]
    assert "MEMORY.md" not in left
    assert not any(".cursor" in name for name in left)


@pytest.mark.one_engine("writes a host's files; the book is beside the point")
def test_the_shapes_are_the_hosts_own(root: Path, notebook: Notebook):
    set_up(root, notebook, *HOSTS)
    claude = json.loads((root / ".claude/settings.json").read_text())["hooks"]
    assert claude["SessionStart"][0]["matcher"] == "startup|resume|clear|compact|fork"
    handler = claude["UserPromptSubmit"][0]["hooks"][0]
    assert (handler["type"], handler["command"], handler["args"]) == ("command", "commonplace-hook", ["prompt"])
    assert "PostToolUse" not in claude, "off until it is asked for"
    codex = json.loads((root / ".codex/hooks.json").read_text())["hooks"]
    assert codex["SessionEnd"][0]["hooks"][0]["command"] == "commonplace-hook session-end"
    assert codex["SessionEnd"][0]["hooks"][0]["timeout"] <= 3
    config = tomllib.loads((root / ".codex/config.toml").read_text())
    assert config["mcp_servers"]["commonplace"] == {"command": "commonplace", "args": ["mcp"]}
    cursor = json.loads((root / ".cursor/hooks.json").read_text())
    assert cursor["version"] == 1
    assert cursor["hooks"]["beforeSubmitPrompt"] == [{"command": "commonplace-hook prompt", "timeout": 10}]
    for name in (".mcp.json", ".cursor/mcp.json"):
        assert json.loads((root / name).read_text())["mcpServers"]["commonplace"]["args"] == ["mcp"]


@pytest.mark.one_engine("writes a host's files; the book is beside the point")
def test_the_memory_file_tells_a_host_without_hooks_what_to_do(root: Path, notebook: Notebook):
    set_up(root, notebook)
    text = (root / "MEMORY.md").read_text()
    for heading in ("What it is", "Architecture", "What works", "Known gaps", "Workstreams", "Decisions", "Key files"):
        assert f"## {heading}" in text
    assert "## Session protocol" in text
    assert "commonplace session recover" in text
    assert notebook.sync().nothing, "headings and the protocol are not memories"
