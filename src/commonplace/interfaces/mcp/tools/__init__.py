"""The tools, one file each. The default set is small, because a model pays for every one."""

from collections.abc import Callable

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
    recall,
    records,
    relate,
    revise,
    rooms,
)

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
MORE: tuple[Add, ...] = (memories.add, graph.add, rooms.add, records.add)
