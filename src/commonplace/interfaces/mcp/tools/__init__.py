"""The tools, one file each. The default set is small, because a model pays for every one."""

from collections.abc import Callable
from typing import Literal

from mcp.server.mcpserver import MCPServer

from commonplace.interfaces.mcp.desk import Desk
from commonplace.interfaces.mcp.tools import (
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
    rooms,
)

Tools = Literal["default", "all"]
Add = Callable[[MCPServer, Desk], None]

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
WIDER: dict[Add, Add] = {recall.add: recall.add_whole, revise.add: revise.add_whole}
"""Tools of the default set that take more where a model does not pay for it."""
MORE: tuple[Add, ...] = (reading.add, memories.add, graph.add, rooms.add, records.add)


def chosen(tools: Tools) -> tuple[Add, ...]:
    return DEFAULT if tools == "default" else (*(WIDER.get(one, one) for one in DEFAULT), *MORE)
