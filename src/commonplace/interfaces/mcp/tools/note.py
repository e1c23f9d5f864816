"""Write into the project's notebook; only beside the files themselves, so never over HTTP."""

from typing import Literal

from mcp.server.mcpserver import MCPServer
from mcp_types import CallToolResult

from commonplace.interfaces.mcp.desk import ADDS, Desk, answer, telling

Where = Literal["note", "correction", "decision", "log", "todo", "lesson"]


def add(server: MCPServer, desk: Desk) -> None:
    if not desk.beside_files:
        return

    @server.tool(
        title="Note",
        annotations=ADDS,
        description=(
            "Write one line into the notebook of this project, at once and durably: where=note, correction or decision "
            "go to the working buffer (survives a lost session), log to the day's log (what was done, tried, failed), "
            "todo to the task list, lesson to the lessons learned. Write before you answer, not after."
        ),
    )
    @telling
    def note(text: str, where: Where = "note") -> CallToolResult:
        notebook = desk.book(None, "write").notebook
        if where == "log":
            made = notebook.log(text)
        elif where == "todo":
            made = notebook.todo(text)
        elif where == "lesson":
            made = notebook.lesson(text)
        else:
            made = notebook.note(text, kind=where)
        word = f" {made.word}" if made.word else ""
        return answer(f"Written down ({where}).{word}", {"memory": made.memory, "corrects": made.corrects})
