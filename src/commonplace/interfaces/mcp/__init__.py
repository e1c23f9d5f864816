"""The book for models: an MCP server over stdio, and the same tools over HTTP."""

import gc
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from commonplace.interfaces.mcp.tools import Tools
    from commonplace.protocol import Book


def run_stdio(book: "Book", tools: "Tools" = "default") -> None:
    """Serve ``book`` to the process that started us, until it closes our standard input or dies."""
    # a tenth of the start: thousands of classes are made, and none of them is garbage
    gc.disable()
    try:
        from commonplace.interfaces.mcp.stdio import run  # the SDK: 0.7 s that no other command should pay
    finally:
        gc.enable()
    run(book, tools)
