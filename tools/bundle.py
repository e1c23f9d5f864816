"""Build the bundle for Claude Desktop: a small .mcpb file from which the application installs Commonplace with uv.

    python tools/bundle.py [FOLDER]

Writes FOLDER/commonplace-VERSION.mcpb (FOLDER is `dist` by default) and prints its path and SHA-256.
"""

import asyncio
import json
import sys
import tempfile
from hashlib import sha256
from pathlib import Path
from typing import Any
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from commonplace import Commonplace, Settings, __version__
from commonplace.interfaces.mcp.server import server
from commonplace.interfaces.mcp.stdio import OneBook

ROOT = Path(__file__).resolve().parents[1]
SITE = "https://github.com/commonplace-memory/commonplace"
ENTRY = "src/server.py"
PROGRAM = 'from commonplace.interfaces.cli import main\n\nraise SystemExit(main(["mcp"]))\n'
PROJECT = f"""\
[project]
name = "commonplace-bundle"
version = "{__version__}"
requires-python = ">=3.11"
dependencies = ["commonplace-memory[server]=={__version__}"]
"""


def tools() -> list[dict[str, str]]:
    """Name and first sentence of each tool that the server lists."""
    with tempfile.TemporaryDirectory() as folder, Commonplace.open(settings=Settings(home=Path(folder))) as book:
        listed = asyncio.run(server(OneBook(book)).list_tools())
    return [{"name": tool.name, "description": (tool.description or "").partition(". ")[0]} for tool in listed]


def manifest() -> dict[str, Any]:
    return {
        "manifest_version": "0.4",
        "name": "commonplace",
        "display_name": "Commonplace",
        "version": __version__,
        "description": "Memory that Claude keeps between conversations, on this computer.",
        "long_description": "Saves what you decide, prefer and correct, finds it again, and forgets it when "
        "you say so. The book is one encrypted file on this computer. No account, no network.",
        "author": {"name": "The Commonplace authors", "url": SITE},
        "repository": {"type": "git", "url": f"{SITE}.git"},
        "documentation": f"{SITE}/blob/main/docs/mcp.md",
        "support": f"{SITE}/issues",
        "license": "Apache-2.0",
        "keywords": ["memory", "notebook"],
        "server": {
            "type": "uv",
            "entry_point": ENTRY,
            "mcp_config": {"command": "uv", "args": ["run", "--directory", "${__dirname}", ENTRY]},
        },
        "tools": tools(),
        "compatibility": {"platforms": ["darwin", "win32", "linux"], "runtimes": {"python": ">=3.11"}},
    }


def build(folder: Path) -> Path:
    """The same bytes for the same version: no times, files in one order."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"commonplace-{__version__}.mcpb"
    files = {
        "manifest.json": json.dumps(manifest(), indent=2) + "\n",
        "pyproject.toml": PROJECT,
        ENTRY: PROGRAM,
        "LICENSE": (ROOT / "LICENSE").read_text("utf-8"),
    }
    with ZipFile(path, "w", ZIP_DEFLATED) as archive:
        for name, text in files.items():
            archive.writestr(ZipInfo(name), text.encode(), ZIP_DEFLATED)
    return path


if __name__ == "__main__":
    bundle = build(Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "dist")
    print(bundle, sha256(bundle.read_bytes()).hexdigest())
