"""The files as they begin: headings to write under, and the protocol for hosts that have no hooks."""

from pathlib import Path

BUFFER = (
    "# Working buffer\n\n"
    "<!-- What is happening right now: task, blockers, decisions, next step. Newest at the end. -->\n\n"
)
TODO = "# To do\n\n"
LESSONS = "# Lessons\n\n<!-- Mistakes not to repeat. -->\n\n"


def long_term(project: str) -> str:
    """MEMORY.md of a project that has none."""
    return Path(__file__).with_name("memory.md").read_text("utf-8").replace("{PROJECT}", project)
