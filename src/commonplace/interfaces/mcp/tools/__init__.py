"""The tools. The default set is small, because a model pays for every one."""

from typing import Any, Literal

from mcp.server.mcpserver import MCPServer

from commonplace.interfaces.mcp.access import BookAccess
from commonplace.interfaces.mcp.tools import tool

Tools = Literal["default", "all"]


def add(server: MCPServer[Any], access: BookAccess, tools: Tools) -> None:
    """Register the tools of a set. What writes the project's files is there only where the files are."""
    entries = tool.every()
    for name, entry in entries.items():
        is_tool = "title" in entry.notes and (tools == "all" or entry.group == "default")
        if is_tool and (access.has_files or entry.notes.get("book") != "files"):
            tool.add(server, access, name, entries)
