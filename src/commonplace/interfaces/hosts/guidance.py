"""Files that are all ours: a skill, rules and a plugin that tell an agent when to use its memory."""

from collections.abc import Iterable
from dataclasses import dataclass
from json import dumps
from pathlib import Path
from shlex import quote

NAME = "commonplace"
MARK = "commonplace-hook"
"""By which a hook is known to be ours, whatever path stands before it."""
OURS = "Written by `commonplace init`"
"""By which such a file is known."""
DESCRIPTION = "Long-term memory: recall what was decided before, save what should last, correct and forget."
FOLDER = Path(__file__).parent


@dataclass(frozen=True, slots=True)
class Programs:
    """How the host is to call us: by bare name where that is on the path."""

    hook: str = MARK
    server: str = NAME
    tools: bool = True
    """Whether hooks are to run after each use of a tool, too."""


def guide(head: Iterable[str]) -> str:
    """A skill, a rule or instructions: the lines that a host wants at the top, then the same words for all."""
    lines = [line.replace("{description}", dumps(DESCRIPTION)) for line in head]
    body = (FOLDER / "guidance.md").read_text("utf-8").replace("{OURS}", OURS)
    return "\n".join(["---", *lines, "---", "", body]) if lines else body


def hook_script(programs: Programs, event: str) -> str:
    """A hook of Cline: an executable file."""
    return f"#!/bin/sh\n# {OURS}; `commonplace uninit` removes it.\nexec {quote(programs.hook)} {event}\n"


def opencode_plugin(programs: Programs) -> str:
    """Gives opencode, of version 1 (1.18.29 or newer) and 2, what hooks give the other hosts.

    A failure never stops opencode. Its second version calls ``setup`` and shows a plugin every project of the machine.
    """
    tools = ["bash", "shell", "edit", "write", "patch"] if programs.tools else []
    text = (FOLDER / "opencode.js").read_text("utf-8").replace("{OURS}", OURS)
    return text.replace("{HOOK}", dumps(programs.hook)).replace("{TOOLS}", dumps(tools))
