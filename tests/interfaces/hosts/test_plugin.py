"""The plugin folder, against the shapes that hosts document."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from commonplace import __version__
from commonplace.interfaces.hooks.payloads import EVENTS
from commonplace.interfaces.hosts.guidance import Programs
from commonplace.interfaces.hosts.shapes import hooks

ROOT = Path(__file__).parents[3]
PLUGIN = ROOT / "plugin"
CLOSED = {
    "$schema",
    "name",
    "version",
    "description",
    "author",
    "homepage",
    "repository",
    "license",
    "keywords",
    "extensions",
}
CLAUDE = CLOSED - {"$schema", "extensions"} | {
    "skills",
    "commands",
    "agents",
    "hooks",
    "mcpServers",
    "userConfig",
    "dependencies",
}
CODEX_EVENTS = {"SessionStart", "UserPromptSubmit", "PostToolUse", "PreCompact", "PostCompact", "Stop", "SessionEnd"}
CLAUDE_EVENTS = CODEX_EVENTS | {"PostToolUseFailure"}


def read(name: str) -> Any:
    return json.loads((PLUGIN / name).read_text("utf-8"))


def test_the_open_standard_is_kept():
    manifest = read("plugin.json")
    assert manifest["$schema"] == "https://agent-plugins.org/schemas/1.0.0/plugin.schema.json"
    assert set(manifest) <= CLOSED
    assert re.fullmatch(r"[a-z0-9.-]{1,64}", manifest["name"])
    servers = read("mcp.json")
    assert servers["$schema"] == "https://agent-plugins.org/schemas/1.0.0/mcp.schema.json"
    server = servers["mcpServers"]["commonplace"]
    assert server["type"] == "stdio"
    assert re.fullmatch(r"[\w.-]+|\./\S+", server["command"]), "a bare program or a path, without placeholders"


@pytest.mark.parametrize(
    "name", [".claude-plugin/plugin.json", ".codex-plugin/plugin.json", ".cursor-plugin/plugin.json"]
)
def test_each_manifest_names_only_what_its_host_knows_and_is_there(name: str):
    manifest = read(name)
    assert set(manifest) <= CLAUDE
    assert manifest["version"] == __version__
    for field in ("skills", "hooks", "mcpServers"):
        if field in manifest:
            assert (PLUGIN / manifest[field]).exists()


def test_every_skill_is_named_as_its_folder_and_says_when_it_is_for():
    folders = [path for path in (PLUGIN / "skills").iterdir() if path.is_dir()]
    assert len(folders) >= 2
    for folder in folders:
        text = (folder / "SKILL.md").read_text("utf-8")
        head = re.match(r"---\n(.*?)\n---\n", text, re.S)
        assert head is not None
        fields = dict(line.split(": ", 1) for line in head[1].splitlines())
        assert fields["name"] == folder.name
        assert 40 < len(fields["description"]) <= 1024
    whole = " ".join((folder / "SKILL.md").read_text("utf-8") for folder in folders)
    assert all(verb in whole for verb in ("recall", "memorize", "revise", "forget", "note"))


def test_hooks_are_the_same_as_init_writes():
    claude, codex, cursor = read("hooks/hooks.json"), read("hooks/codex.json"), read("hooks/cursor.json")
    assert set(claude) <= {"description", "hooks"}
    assert claude["hooks"] == hooks("claude-code", Programs())
    assert set(claude["hooks"]) <= CLAUDE_EVENTS
    assert codex["hooks"] == hooks("codex", Programs())
    assert (cursor["version"], cursor["hooks"]) == (1, hooks("cursor", Programs()))
    assert read("com.github.copilot/hooks/hooks.json")["version"] == 1
    copilot = read("com.github.copilot/hooks/hooks.json")["hooks"]
    for handlers in copilot.values():
        assert all(one["type"] == "command" and one["command"].split()[1] in EVENTS for one in handlers)


def test_the_market_offers_the_plugin_by_its_name():
    market = read(".cursor-plugin/marketplace.json")
    assert {"name", "owner", "plugins"} <= set(market)
    assert market["plugins"][0]["name"] == read("plugin.json")["name"]
    assert (PLUGIN / market["plugins"][0]["source"]).is_dir()
