"""Write into the project's notebook; only where the files are, so never over HTTP."""

from dataclasses import replace
from typing import Annotated, Any, Literal

from mcp.server.mcpserver import MCPServer
from mcp_types import CallToolResult
from pydantic import Field

from commonplace.interfaces.mcp.access import BookAccess
from commonplace.interfaces.mcp.answers import ADDS, text_answer

Place = Literal["note", "correction", "decision", "log", "todo", "lesson"]


def add(server: MCPServer[Any], access: BookAccess) -> None:
    if not access.has_files:
        return

    @server.tool(
        title="Note",
        annotations=ADDS,
        description=(
            "Write one line into this project's notebook, at once and durably. note, correction and decision go to the "
            "working buffer, log to the day's log (done, tried, failed), todo to the tasks, lesson to the lessons. "
            "Write before you answer."
        ),
    )
    def note(
        text: Annotated[str, Field(description="One line.")],
        where: Annotated[Place, Field(description="Which file.")] = "note",
    ) -> CallToolResult:
        notebook = access.book(None, "write").notebook
        notebook.pages = replace(notebook.pages, writes=notebook.pages.asked_for)
        if where == "log":
            line = notebook.log(text)
        elif where == "todo":
            line = notebook.todo(text)
        elif where == "lesson":
            line = notebook.lesson(text)
        else:
            line = notebook.note(text, kind=where)
        remark = f" {line.word}" if line.word else ""
        if not notebook.pages.writes:
            return text_answer(f"Saved as a memory ({where}); this project has no notebook files.{remark}")
        return text_answer(f"Written to the notebook ({where}).{remark}")
