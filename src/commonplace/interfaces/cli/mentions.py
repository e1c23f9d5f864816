"""What the notebook's files still say of something that is forgotten or rejected: shown, and taken out when agreed."""

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from commonplace.interfaces.cli.call import Call
from commonplace.notebook.paths import notebook_paths

if TYPE_CHECKING:
    from commonplace.notebook.mentions import Edit


def said(call: Call, ids: Sequence[str]) -> list[str]:
    """Everything that memories say and ever said."""
    return [version.memory.text for id in ids for version in call.book.history(id)]


def agreed_edits(call: Call, values: Sequence[str]) -> "list[Edit]":
    """The edits of this project's files that were confirmed; none where no file holds one of the values."""
    if call.remote or not any(True for _ in notebook_paths(Path.cwd(), call.settings).files()):
        return []
    edits = call.book.notebook.mentions_in_files(list(dict.fromkeys(values)))
    for edit in edits:
        print(edit.diff, file=sys.stderr)
    if not edits or call.given.yes:
        return edits
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        print("these lines stay in the files; --yes takes them out as well", file=sys.stderr)
        return []
    print("Take these lines out of the files, too? [y/N] ", end="", file=sys.stderr, flush=True)
    return edits if sys.stdin.readline().strip().casefold() in ("y", "yes") else []


def make(call: Call, edits: "Sequence[Edit]") -> None:
    if edits:
        word = call.book.notebook.make(edits)
        print("; ".join(["taken out of the files", *([word] if word else [])]), file=sys.stderr)
