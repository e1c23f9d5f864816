"""Where people find the server: the MCP registry, Claude Desktop's bundle, the plugin marketplace."""

import copy
import json
import re
import subprocess
import sys
import tomllib
from pathlib import Path
from zipfile import ZipFile

import anyio
import jsonschema
import pytest
from mcp import Client, StdioServerParameters

from commonplace import __version__

from .conftest import said

ROOT = Path(__file__).parents[3]
INPUT = {
    "type": "object",
    "properties": {
        "description": {"type": "string"},
        "format": {"enum": ["string", "number", "boolean", "filepath"]},
        "isRequired": {"type": "boolean"},
        "isSecret": {"type": "boolean"},
        "value": {"type": "string"},
    },
}
PACKAGE = {
    "type": "object",
    "additionalProperties": False,
    "required": ["registryType", "identifier", "transport"],
    "properties": {
        "registryType": {"type": "string"},
        "identifier": {"type": "string"},
        "version": {"type": "string", "minLength": 1, "not": {"const": "latest"}},
        "runtimeHint": {"type": "string"},
        "runtimeArguments": {"type": "array", "items": {**INPUT, "required": ["type", "name", "value"]}},
        "packageArguments": {"type": "array", "items": {**INPUT, "required": ["type", "value"]}},
        "environmentVariables": {"type": "array", "items": {**INPUT, "required": ["name"]}},
        "transport": {"type": "object", "required": ["type"], "properties": {"type": {"const": "stdio"}}},
    },
}
REGISTRY = {
    "type": "object",
    "required": ["$schema", "name", "description", "version"],
    "properties": {
        "$schema": {"const": "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json"},
        "name": {"type": "string", "pattern": r"^[a-zA-Z0-9.-]+/[a-zA-Z0-9._-]+$", "minLength": 3, "maxLength": 200},
        "title": {"type": "string", "minLength": 1, "maxLength": 100},
        "description": {"type": "string", "minLength": 1, "maxLength": 100},
        "version": {"type": "string", "maxLength": 255, "pattern": r"^\d+\.\d+\.\d+"},
        "websiteUrl": {"type": "string", "pattern": "^https://"},
        "repository": {"type": "object", "required": ["url", "source"]},
        "packages": {"type": "array", "items": PACKAGE},
        "remotes": {
            "type": "array",
            "items": {
                "type": "object",
                "required": ["type", "url"],
                "properties": {"type": {"enum": ["streamable-http", "sse"]}, "url": {"pattern": "^https?://"}},
            },
        },
    },
}
"""The rules of the registry's schema for the fields that we use."""


def test_the_registry_entry_follows_the_schema_and_names_this_version():
    entry = json.loads((ROOT / "server.json").read_text("utf-8"))
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    jsonschema.validate(entry, REGISTRY)
    package = entry["packages"][0]
    assert entry["version"] == package["version"] == __version__
    assert package["runtimeArguments"][0]["value"] == f"{project['name']}[server]=={__version__}"
    assert package["identifier"] == project["name"]
    assert project["name"] in project["scripts"], "uvx runs the program that has the package's name"
    assert entry["repository"]["url"] == project["urls"]["Repository"]
    assert f"mcp-name: {entry['name']}" in (ROOT / "README.md").read_text("utf-8"), "how the registry checks the owner"
    for field, value in (("name", "commonplace"), ("description", "x" * 101), ("packages", [{"identifier": "x"}])):
        broken = {**copy.deepcopy(entry), field: value}
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate(broken, REGISTRY)


@pytest.mark.one_engine("the bundle opens the book of the machine, which is SQLite")
def test_the_desktop_bundle_is_valid_and_its_program_serves(tmp_path, node_packages):
    command = [sys.executable, str(ROOT / "tools" / "bundle.py"), str(tmp_path)]
    first = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    bundle = tmp_path / f"commonplace-{__version__}.mcpb"
    with ZipFile(bundle) as archive:
        archive.extractall(tmp_path / "bundle")
    manifest = tmp_path / "bundle" / "manifest.json"
    check = ["node", str(node_packages / "node_modules/@anthropic-ai/mcpb/dist/cli/cli.js"), "validate", str(manifest)]
    assert subprocess.run(check, check=False).returncode == 0
    fields = json.loads(manifest.read_text("utf-8"))
    entry = tmp_path / "bundle" / fields["server"]["entry_point"]
    dependencies = tomllib.loads((tmp_path / "bundle" / "pyproject.toml").read_text("utf-8"))["project"]["dependencies"]
    assert dependencies == [f"commonplace-memory[server]=={__version__}"]
    assert re.search(r"[0-9a-f]{64}$", first.strip())
    parameters = StdioServerParameters(
        command=sys.executable, args=[str(entry)], env={"COMMONPLACE_HOME": str(tmp_path / "home")}, cwd=tmp_path
    )
    listed, receipt = anyio.run(talk, parameters)
    assert [tool["name"] for tool in fields["tools"]] == listed
    assert "Stored" in receipt
    manifest.write_text(json.dumps({**fields, "server": {"type": "uv"}}), "utf-8")
    assert subprocess.run(check, check=False, capture_output=True).returncode != 0


async def talk(parameters: StdioServerParameters) -> tuple[list[str], str]:
    async with Client(parameters) as client:
        listed = [tool.name for tool in (await client.list_tools()).tools]
        return listed, await said(client, "memory_memorize", text="Ada plays chess")


def test_the_marketplace_of_the_repository_points_to_the_plugin():
    market = json.loads((ROOT / ".claude-plugin" / "marketplace.json").read_text("utf-8"))
    plugin = market["plugins"][0]
    manifest = json.loads((ROOT / plugin["source"] / ".claude-plugin" / "plugin.json").read_text("utf-8"))
    assert re.fullmatch(r"[a-z0-9-]+", market["name"])
    assert market["owner"]["name"]
    assert plugin["source"].startswith("./")
    assert (plugin["name"], plugin["version"]) == (manifest["name"], manifest["version"])
