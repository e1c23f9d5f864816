"""Setting up and taking out again, for each host, beside what others wrote there."""

import json
import os
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml

from commonplace import Commonplace, Settings
from commonplace.errors import Invalid
from commonplace.interfaces.hosts import guidance, setup
from commonplace.interfaces.hosts.guidance import OURS, Programs
from commonplace.interfaces.hosts.shapes import DATA, HOSTS
from commonplace.notebook.notebook import Notebook

THEIRS = {
    ".claude/settings.local.json": '{\n    "model": "x",\n    "hooks": {"Stop": [{"hooks": [{"type": "command"}]}]}\n}',
    ".mcp.json": '{"mcpServers": {"other": {"command": "o"}}}\n',
    ".codex/config.toml": "model = 'm'  # mine\n\n[mcp_servers.other]\ncommand = 'o'\n",
    ".codex/hooks.json": '{"hooks": {}}\n',
    ".cursor/hooks.json": '{\n  "version": 1,\n  "hooks": {"stop": [{"command": "x"}]}\n}\n',
    ".cursor/mcp.json": "{}\n",
    ".gemini/settings.json": '{"theme": "dark", "hooks": {"AfterAgent": []}}\n',
    ".vscode/mcp.json": '{"servers": {"other": {"command": "o"}}, "inputs": []}\n',
    ".github/hooks/commonplace.json": '{"hooks": {}}\n',
    ".devin/hooks.v1.json": '{"Stop": [{"hooks": [{"type": "command", "command": "say done"}]}]}\n',
    "opencode.json": '{"$schema": "https://opencode.ai/config.json"}\n',
    ".zed/settings.json": '// mine\n{"tab_size": 2}\n',
    ".windsurf/rules/commonplace.md": "my own rule\n",
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


def set_up(root: Path, notebook: Notebook, *names: str, **options: bool) -> list[setup.FileEdit]:
    hosts = [HOSTS[name] for name in names]
    edits = setup.plan(root, root.parent / "me", hosts, notebook, programs=Programs(), **options)
    setup.carry_out(edits, root, notebook.pages.home)
    return edits


def take_out(root: Path, notebook: Notebook) -> None:
    home = root.parent / "me"
    setup.take_out(setup.unplan(root, home, HOSTS.values(), notebook.pages.home), root, home, notebook.pages.home)


@pytest.mark.one_engine("writes a host's files; the book is beside the point")
@pytest.mark.parametrize("theirs", [{}, THEIRS], ids=["empty", "beside others"])
def test_in_and_out_leaves_every_byte_as_it_was(root: Path, notebook: Notebook, theirs: dict[str, str]):
    for name, text in theirs.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    home = root.parent / "me"
    before = files(root) | files(root / ".git")
    for options in ({}, {"shared": True}, {"with_notebook": True, "commit_notebook": True}, {"user": True}):
        assert set_up(root, notebook, *HOSTS, **options)
        assert files(root) | files(root / ".git") | files(home) != before
        assert set_up(root, notebook, *HOSTS, **options) == [], "a second time there is nothing to do"
        take_out(root, notebook)
        assert files(root) | files(root / ".git") == before
        assert not home.exists() or list(home.iterdir()) == [], "no folder of ours stays, by which a host is found"
    if not theirs:
        assert [path.name for path in root.iterdir()] == [".git"]


@pytest.mark.one_engine("writes a host's files; the book is beside the point")
def test_what_others_wrote_meanwhile_stays(root: Path, notebook: Notebook):
    set_up(root, notebook, *HOSTS, with_notebook=True)
    path = root / ".claude/settings.local.json"
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
    assert json.loads(left[".claude/settings.local.json"]) == {"hooks": {"Stop": [say]}, "model": "y"}
    assert tomllib.loads(left[".codex/config.toml"]) == {"later": {"x": 1}}
    assert "we keep SQLite" in left["memory/working-buffer.md"]
    assert "MEMORY.md" not in left
    assert not any(".cursor" in name for name in left)


@pytest.mark.one_engine("writes a host's files; the book is beside the point")
def test_a_file_that_cannot_be_read_or_an_entry_of_the_persons_own_is_left_alone(root: Path, notebook: Notebook):
    own = {".zed/settings.json": '{"context_servers": {"commonplace": {"command": "mine"}}}', ".mcp.json": "{,}"}
    for name, text in own.items():
        (root / name).parent.mkdir(exist_ok=True)
        (root / name).write_text(text)
    before = files(root)
    set_up(root, notebook, "zed", "gemini")
    take_out(root, notebook)
    assert files(root) == before, "neither is ours, and neither keeps the rest from being undone"
    set_up(root, notebook, "gemini")
    (root / ".gemini/settings.json").write_text("{,}")
    with pytest.raises(Invalid, match=r"settings\.json: the file is not valid JSON"):
        take_out(root, notebook)


@pytest.mark.one_engine("writes a host's files; the book is beside the point")
@pytest.mark.parametrize("name", HOSTS)
def test_without_the_server_everything_else_is_set_up(root: Path, notebook: Notebook, name: str):
    def written(host) -> dict[str, bool]:
        edits = setup.plan(root, root.parent / "me", [host], notebook, programs=Programs())
        texts = {edit.path.name: edit.after for edit in edits if edit.what != "git: not shared"}
        return {file: "commonplace-hook" in text or OURS in text for file, text in texts.items()}

    assert any(written(HOSTS[name]).values()) == any(written(HOSTS[name].without_server()).values())
    assert all(written(HOSTS[name].without_server()).values())


@pytest.mark.one_engine("writes a host's files; the book is beside the point")
def test_a_byte_order_mark_and_windows_line_ends_stay(root: Path, notebook: Notebook):
    theirs = {
        ".mcp.json": '\ufeff{\r\n  "mcpServers": {"other": {"command": "o"}}\r\n}\r\n',
        ".codex/config.toml": "\ufeffmodel = 'm'\r\n",
        ".claude/settings.local.json": '\ufeff{\r\n  // mine\r\n  "model": "x",\r\n}\r\n',
    }
    for name, text in theirs.items():
        (root / name).parent.mkdir(exist_ok=True)
        (root / name).write_bytes(text.encode())
    set_up(root, notebook, "claude-code", "codex")
    for name in theirs:
        assert (root / name).read_bytes().startswith(theirs[name].encode()[:3]) and "commonplace" in files(root)[name]
    take_out(root, notebook)
    assert {name: (root / name).read_bytes().decode() for name in theirs} == theirs


@pytest.mark.one_engine("writes a host's files; the book is beside the point")
def test_the_shapes_are_the_hosts_own(root: Path, notebook: Notebook):
    set_up(root, notebook, *HOSTS)
    claude = json.loads((root / ".claude/settings.local.json").read_text())["hooks"]
    assert claude["SessionStart"][0]["matcher"] == "startup|resume|clear|compact|fork"
    handler = claude["UserPromptSubmit"][0]["hooks"][0]
    assert (handler["type"], handler["command"], handler["args"]) == ("command", "commonplace-hook", ["prompt"])
    assert claude["PostToolUse"][0]["matcher"].startswith("Bash|Edit|"), "only tools that run or change something"
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
    set_up(root, notebook, with_notebook=True)
    text = (root / "MEMORY.md").read_text()
    for heading in ("What it is", "Architecture", "What works", "Known gaps", "Workstreams", "Decisions", "Key files"):
        assert f"## {heading}" in text
    assert "## Session protocol" in text
    assert "commonplace session recover" in text
    assert notebook.sync().nothing, "headings and the protocol are not memories"


@pytest.mark.one_engine("writes a host's files; the book is beside the point")
def test_each_host_gets_its_own_format(root: Path, notebook: Notebook):
    set_up(root, notebook, *HOSTS)
    home = root.parent / "me"

    def read(path: Path) -> dict:
        return json.loads(path.read_text())

    gemini = read(root / ".gemini/settings.json")
    handler = gemini["hooks"]["BeforeAgent"][0]["hooks"][0]
    assert handler == {"type": "command", "command": "commonplace-hook prompt", "timeout": 10_000}
    assert gemini["mcpServers"]["commonplace"]["args"] == ["mcp"]
    assert read(root / ".vscode/mcp.json")["servers"]["commonplace"]["type"] == "stdio"
    copilot = read(root / ".github/hooks/commonplace.json")
    assert copilot["hooks"]["SessionStart"][0]["type"] == "command" and copilot["version"] == 1, "Copilot CLI wants it"
    assert read(root / "opencode.json")["mcp"]["commonplace"]["command"] == ["commonplace", "mcp"]
    assert "export default { id:" in (root / ".opencode/plugins/commonplace.js").read_text()
    assert read(root / ".zed/settings.json")["context_servers"]["commonplace"]["source"] == "custom"
    windsurf = (root / ".windsurf/rules/commonplace.md").read_text()
    assert windsurf.startswith("---\ntrigger: always_on\n---\n")
    assert "memory_recall" in windsurf
    assert (root / ".agents/skills/commonplace/SKILL.md").read_text().startswith("---\nname: commonplace\n")
    assert "memory_recall" in (root / ".claude/skills/commonplace/SKILL.md").read_text()
    assert read(home / ".codeium/windsurf/mcp_config.json")["mcpServers"]["commonplace"]["command"] == "commonplace"
    desktop = next(home.rglob("claude_desktop_config.json"))
    assert read(desktop)["mcpServers"]["commonplace"]["args"] == ["mcp"]
    assert not (root / ".claude/settings.json").exists(), "shared settings only with --shared"
    windsurf_hooks = read(root / ".windsurf/hooks.json")["hooks"]
    assert windsurf_hooks["pre_user_prompt"] == [{"command": "commonplace-hook prompt", "show_output": False}]
    assert {"post_cascade_response", "post_run_command", "post_write_code"} < set(windsurf_hooks)
    devin = read(root / ".devin/hooks.v1.json")
    handler = {"type": "command", "command": "commonplace-hook prompt", "timeout": 10}
    assert (
        devin["UserPromptSubmit"] == [{"hooks": [handler]}] and devin["PostToolUse"][0]["matcher"] == "exec|edit|write"
    )
    for shared in (".config/devin/mcp_config.json", ".cline/data/settings/cline_mcp_settings.json"):
        assert read(home / shared)["mcpServers"]["commonplace"]["args"] == ["mcp"]
    script = root / ".clinerules/hooks/TaskStart"
    assert script.read_text().endswith("\nexec commonplace-hook session-start\n")
    assert script.stat().st_mode & 0o111, "Cline runs only files that may be run"
    cursor = read(root / ".cursor/hooks.json")["hooks"]
    assert "afterAgentResponse" in cursor and "stop" not in cursor, "its stop event holds no answer"
    claude = read(root / ".claude/settings.local.json")["hooks"]
    assert claude["PostToolUseFailure"] == claude["PostToolUse"], "failed commands come as an event of their own"


def test_the_head_of_each_skill_and_rule_is_valid_yaml():
    heads = [lines for lines in DATA["guides"].values() if lines]
    assert len(heads) == 4
    for lines in heads:
        head = yaml.safe_load(guidance.guide(lines).split("---\n")[1])
        assert isinstance(head, dict) and head.get("description", guidance.DESCRIPTION) == guidance.DESCRIPTION


@pytest.mark.one_engine("writes a host's files; the book is beside the point")
def test_a_program_that_moved_is_named_anew_and_a_persons_own_entry_stays(root: Path, notebook: Notebook):
    def server() -> str:
        edits = setup.plan(root, root, [HOSTS["claude-code"]], notebook, programs=Programs(server="/new/commonplace"))
        setup.carry_out(edits, root, notebook.pages.home)
        return json.loads((root / ".mcp.json").read_text())["mcpServers"]["commonplace"]["command"]

    set_up(root, notebook, "claude-code")
    assert server() == "/new/commonplace"
    (root / ".mcp.json").write_text('{"mcpServers": {"commonplace": {"command": "uvx", "args": ["mcp"]}}}')
    assert server() == "uvx"


@pytest.mark.one_engine("writes a host's files; the book is beside the point")
def test_a_change_to_a_file_that_git_has_or_would_add_is_named(root: Path, notebook: Notebook):
    shutil.rmtree(root / ".git")
    subprocess.run(["git", "init", "-q", str(root)], check=True)
    (root / ".mcp.json").write_text("{}")
    (root / "opencode.json").write_text("{}")
    (root / ".cursor").mkdir()
    (root / ".cursor/mcp.json").write_text("{}")
    (root / ".gitignore").write_text(".cursor\n")
    subprocess.run(["git", "-C", str(root), "add", ".mcp.json"], check=True)
    edits = set_up(root, notebook, "claude-code", "opencode", "cursor")
    assert set(setup.committable(edits, root)) == {".mcp.json", "opencode.json"}


@pytest.mark.one_engine("writes a host's files; the book is beside the point")
def test_empty_folders_that_were_there_before_stay(root: Path, notebook: Notebook):
    (root / ".cursor/rules").mkdir(parents=True)
    set_up(root, notebook, "cursor", "claude-code")
    take_out(root, notebook)
    assert (root / ".cursor/rules").is_dir() and not (root / ".claude").exists()


@pytest.mark.one_engine("writes a host's files; the book is beside the point")
@pytest.mark.parametrize("shared", [True, False])
def test_shared_files_name_our_programs_without_a_path_of_this_machine(root: Path, notebook: Notebook, shared: bool):
    here = Programs(hook="/opt/here/commonplace-hook", server="/opt/here/commonplace")
    edits = setup.plan(root, root.parent / "me", HOSTS.values(), notebook, programs=here, shared=shared)
    inside = [edit.after for edit in edits if edit.path.is_relative_to(root)]
    assert any("/opt/here" in text for text in inside) is not shared
    assert all("/opt/here" in edit.after for edit in edits if not edit.path.is_relative_to(root))


@pytest.mark.one_engine("writes a host's files; the book is beside the point")
def test_what_is_not_shared_is_kept_out_of_git(root: Path, notebook: Notebook):
    set_up(root, notebook, "claude-code")
    excluded = (root / ".git/info/exclude").read_text().splitlines()
    assert {"/.claude/settings.local.json", "/.mcp.json", "/MEMORY.md", "/memory/working-buffer.md"} <= set(excluded)
    take_out(root, notebook)
    set_up(root, notebook, "claude-code", shared=True, with_notebook=True, commit_notebook=True)
    assert not (root / ".git/info/exclude").exists()
    assert (root / ".claude/settings.json").exists() and (root / "MEMORY.md").exists()


def test_a_virtual_environment_of_one_shell_gives_full_paths(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """A shell that activated the environment finds the programs; the one that starts the agent may not."""
    own, elsewhere = tmp_path / "venv/bin", tmp_path / "bin"
    for folder in (own, elsewhere):
        folder.mkdir(parents=True)
        for name in ("commonplace", "commonplace-hook"):
            (folder / name).write_text("#!/bin/sh\n")
            (folder / name).chmod(0o755)
    monkeypatch.setattr(sys, "executable", str(own / "python"))
    monkeypatch.setattr(sys, "prefix", str(own.parent))
    monkeypatch.setenv("PATH", str(own))
    assert setup.programs(tools=False).hook == str(own / "commonplace-hook")
    assert setup.programs(tools=False).server == str(own / "commonplace")
    monkeypatch.setenv("PATH", f"{elsewhere}{os.pathsep}{own}")  # installed with pipx: links in a folder on every path
    assert setup.programs(tools=False).hook == "commonplace-hook"
    monkeypatch.setattr(sys, "prefix", sys.base_prefix)
    monkeypatch.setenv("PATH", str(own))  # installed for the whole machine
    assert setup.programs(tools=False).server == "commonplace"


def test_hosts_are_found_by_their_folders_and_programs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    project, home = tmp_path / "project", tmp_path / "me"
    project.mkdir()
    assert setup.installed(project, home) == []
    (project / ".cursor").mkdir()
    (home / ".gemini").mkdir(parents=True)
    program = tmp_path / "bin/opencode"
    program.parent.mkdir()
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    assert [host.name for host in setup.installed(project, home)] == ["cursor", "gemini", "opencode"]


OPENCODE_1 = """
const answer = { info: { role: 'assistant' }, parts: [{ type: 'text', text: 'OK' }] };
const messages = async () => ({ data: [answer] });
const hooks = await plugin.server({ directory: process.cwd(), client: { session: { messages } } });
const output = { system: [] };
await hooks['chat.message']({ sessionID: 's' }, { parts: [{ type: 'text', text: 'hi' }] });
await hooks['experimental.chat.system.transform']({ sessionID: 's' }, output);
await hooks['tool.execute.after']({ tool: 'bash', sessionID: 's', args: { command: 'make' } },
 { output: 'no', metadata: { exit: 2 } });
await hooks.event({ event: { type: 'session.idle', properties: { sessionID: 's' } } });
console.log(JSON.stringify(output.system));
"""
OPENCODE_2 = """
const hooks = {};
const domain = (kind) => ({ hook: async (name, call) => { hooks[`${kind}.${name}`] = call; } });
const events = [
  { type: 'session.text.ended', data: { sessionID: 'elsewhere', text: 'NOT OURS' } },
  { type: 'session.execution.succeeded', data: { sessionID: 'elsewhere' } },
  { type: 'session.text.ended', data: { sessionID: 's', text: 'OK' } },
  { type: 'session.execution.succeeded', data: { sessionID: 's' } },
];
let ready, told;
const started = new Promise((resolve) => (ready = resolve));
const done = new Promise((resolve) => (told = resolve));
const subscribe = async function* () { await started; yield* events; told(); };
const stop = await plugin.setup(
  { location: { directory: process.cwd() }, session: domain('session'), tool: domain('tool'), event: { subscribe } });
const seen = { sessionID: 's', system: [] };
await hooks['session.prompt']({ sessionID: 's', prompt: { text: 'hi' } });
await hooks['session.context'](seen);
await hooks['tool.execute.after']({ sessionID: 's', tool: 'shell', input: { command: 'make' }, status: 'completed',
  result: { content: [{ type: 'text', text: 'no' }], metadata: { exit: 2 } } });
ready();
await done;
stop();
console.log(JSON.stringify(seen.system.map((part) => part.text)));
"""


@pytest.mark.skipif(shutil.which("node") is None, reason="node is not installed")
@pytest.mark.parametrize("version", [OPENCODE_1, OPENCODE_2], ids=["1", "2"])
def test_the_opencode_plugin_injects_what_the_hook_answers(tmp_path: Path, version: str):
    hook = tmp_path / "hook"
    hook.write_text('#!/bin/sh\ncat >"$0.$1"\necho \'{"hookSpecificOutput": {"additionalContext": "PAGE \'$1\'"}}\'\n')
    hook.chmod(0o755)
    (tmp_path / "plugin.mjs").write_text(guidance.opencode_plugin(Programs(hook=str(hook))))
    (tmp_path / "run.mjs").write_text("import plugin from './plugin.mjs';" + version)
    done = subprocess.run(["node", "run.mjs"], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert json.loads(done.stdout) == ["PAGE session-start", "PAGE prompt"]
    told = {name: json.loads((tmp_path / f"hook.{name}").read_text()) for name in ("tool", "stop")}
    assert told["tool"]["tool_response"] == {"stdout": "no", "exit_code": 2}
    assert told["tool"]["tool_input"]["command"] == "make"
    assert told["stop"]["last_assistant_message"] == "OK" and told["stop"]["session_id"] == "s"
    (tmp_path / "plugin.mjs").write_text(guidance.opencode_plugin(Programs(hook=str(hook), tools=False)))
    (tmp_path / "hook.tool").unlink()
    subprocess.run(["node", "run.mjs"], cwd=tmp_path, capture_output=True, check=True)
    assert not (tmp_path / "hook.tool").exists() and (tmp_path / "hook.stop").exists()
