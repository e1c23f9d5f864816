"""How far a long tool is, told to clients that ask for it."""

import time

from anyio import from_thread
from mcp.server.mcpserver import Context

from commonplace.store.ports import Progress

PAUSE = 0.1
"""Seconds between two messages."""


def progress_of(context: Context) -> Progress:
    """For a tool that runs in a worker thread. Nothing is sent to a client that did not ask."""
    due = 0.0

    def report(count: int, total: int | None) -> None:
        nonlocal due
        if (now := time.monotonic()) >= due:
            due = now + PAUSE
            from_thread.run(context.report_progress, count, total)

    return report
