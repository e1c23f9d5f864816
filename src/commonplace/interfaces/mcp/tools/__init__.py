"""The tools, one file each. The default set is small, because a model pays for every one."""

from collections.abc import Callable
from typing import Any, Literal

from mcp.server.mcpserver import MCPServer

from commonplace.interfaces.mcp.access import BookAccess
from commonplace.interfaces.mcp.tools import (
    built,
    collections,
    consolidate,
    context,
    directive,
    forget,
    graph,
    memories,
    memorize,
    note,
    reading,
    recall,
    records,
    relate,
    revise,
)

Tools = Literal["default", "all"]
Add = Callable[[MCPServer[Any], BookAccess], None]

DEFAULT: tuple[Add, ...] = (
    memorize.add,
    recall.add,
    context.add,
    revise.add,
    forget.add,
    relate.add,
    note.add,
    consolidate.add,
    directive.add,
)
MORE: tuple[Add, ...] = (reading.add, memories.add, built.add, graph.add, collections.add, records.add)


def chosen(tools: Tools) -> tuple[Add, ...]:
    return DEFAULT if tools == "default" else (*DEFAULT, *MORE)
