"""Finds mentions of values in the files, and the edits that remove them."""

from collections.abc import Sequence
from dataclasses import dataclass

from commonplace.errors import Refused
from commonplace.notebook import files
from commonplace.notebook.lines import blocks
from commonplace.notebook.pages import Pages
from commonplace.text.normal import normal

GIT = "what git has committed stays in its history until that is rewritten"


@dataclass(frozen=True, slots=True)
class Edit:
    """A change to one file, shown before it is made."""

    file: str
    before: str
    after: str

    @property
    def diff(self) -> str:
        """The edit as people read it."""
        # a hook never shows one and should not pay for the import
        from difflib import unified_diff  # noqa: PLC0415

        rows = unified_diff(
            self.before.splitlines(), self.after.splitlines(), f"a/{self.file}", f"b/{self.file}", lineterm="", n=1
        )
        return "\n".join(rows)


def mentions(pages: Pages, values: Sequence[str]) -> list[Edit]:
    """The edits that remove all lines with one of ``values`` from the text files."""
    values_normal = [item for item in (normal(value) for value in values) if item]
    edits = []
    for path in pages.paths.files() if values_normal else ():
        try:
            text = pages.read(path).text
        except Refused:
            continue
        removed: set[int] = set()
        for block in blocks(text):
            forms = [normal(form) for form in block.wholes]
            if any(says(form, value) for form in forms for value in values_normal):
                removed.update(range(block.line - 1, block.last))
        if removed:
            after = "\n".join(row for number, row in enumerate(text.split("\n")) if number not in removed)
            edits.append(Edit(pages.paths.name(path), text, after))
    return edits


def make(pages: Pages, edits: Sequence[Edit]) -> None:
    """Make confirmed edits. Raises ``Refused`` if a file has changed since they were shown."""
    for edit in edits:
        files.replace(pages.paths, pages.home, pages.paths.root / edit.file, edit.before, edit.after)


def leftovers(pages: Pages) -> str | None:
    """A note on what edits cannot remove; None outside a repository."""
    return GIT if (pages.paths.root / ".git").exists() else None


def says(line_text: str, value: str) -> bool:
    """Whether a line contains the value as whole words."""
    if line_text == value:
        return True
    at = line_text.find(value)
    while at >= 0:
        end = at + len(value)
        if not (at and line_text[at - 1].isalnum()) and not (end < len(line_text) and line_text[end].isalnum()):
            return True
        at = line_text.find(value, at + 1)
    return False
