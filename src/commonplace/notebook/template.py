"""The initial content of the files: headings, and the protocol for hosts without hooks."""

from pathlib import Path

BUFFER = (
    "# Working buffer\n\n"
    "<!-- What is happening right now: task, blockers, decisions, next step. Newest at the end. -->\n\n"
)
TODO = "# To do\n\n"
LESSONS = "# Lessons\n\n<!-- Mistakes not to repeat. -->\n\n"


def long_term(project: str) -> str:
    """MEMORY.md for a project without one."""
    return Path(__file__).with_name("memory.md").read_text("utf-8").replace("{PROJECT}", project)
