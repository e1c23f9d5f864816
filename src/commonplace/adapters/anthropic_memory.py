"""Anthropic's memory tool (``memory_20250818``) over a book: its files are memories, with history and search."""

import unicodedata
from posixpath import normpath
from typing import Any, NoReturn

from anthropic.lib.tools._beta_functions import ToolError
from anthropic.tools.memory import BetaAbstractMemoryTool, BetaAsyncAbstractMemoryTool
from anthropic.types import beta

from commonplace.adapters.items import Items, awaited
from commonplace.book import Commonplace
from commonplace.errors import CommonplaceError

ROOT = "/memories"
MOST_SEGMENTS, MOST_BYTES, MOST_CONTENT = 20, 1024, 450_000
FOLDER_SIZE = 4096
NUMBER_WIDTH = 6
AROUND = 2

Tree = dict[str, str | None]
"""Path to content; None for a folder."""


class CommonplaceMemoryTool(BetaAbstractMemoryTool):
    """Pass it among the ``tools`` of ``client.beta.messages.tool_runner``. Paths never leave ``/memories``."""

    def __init__(self, book: Commonplace, *, namespace: str = "anthropic-memory", **options: Any) -> None:
        super().__init__(**options)
        self._items = Items(book, namespace)

    def view(self, command: beta.BetaMemoryTool20250818ViewCommand) -> str:
        path, content = self._existing(command.path)
        if content is None:
            return _listing(self._tree(path), path, command.path)
        lines, first = content.split("\n"), 1
        if command.view_range and len(command.view_range) == 2:
            start, end = max(1, command.view_range[0]) - 1, command.view_range[1]
            lines, first = lines[start : None if end == -1 else end], start + 1
        return f"Here's the content of {command.path} with line numbers:\n" + _numbered(lines, first)

    def create(self, command: beta.BetaMemoryTool20250818CreateCommand) -> str:
        path = _path(command.path)
        self._make_folders(path)
        if self._has(path):
            _fail(f"File {command.path} already exists")
        self._write(path, command.file_text)
        return f"File created successfully at: {command.path}"

    def str_replace(self, command: beta.BetaMemoryTool20250818StrReplaceCommand) -> str:
        path, content = self._file(command.path)
        occurrences = content.count(command.old_str)
        if occurrences == 0:
            _fail(
                f"No replacement was performed, old_str `{command.old_str}` did not appear verbatim in {command.path}."
            )
        if occurrences > 1:
            lines = ", ".join(map(str, _lines_with(content, command.old_str)))
            _fail(
                f"No replacement was performed. Multiple occurrences of old_str `{command.old_str}` in lines: {lines}. "
                "Please ensure it is unique"
            )
        changed = content.replace(command.old_str, command.new_str)
        self._write(path, changed)
        line = content[: content.find(command.old_str)].count("\n")
        start = max(0, line - AROUND)
        snippet = changed.split("\n")[start : line + AROUND + 1]
        return (
            "The memory file has been edited. Here is the snippet showing the change (with line numbers):\n"
            + _numbered(snippet, start + 1)
        )

    def insert(self, command: beta.BetaMemoryTool20250818InsertCommand) -> str:
        path, content = self._file(command.path)
        lines = content.split("\n")
        if lines[-1] == "":
            lines.pop()
        if not 0 <= command.insert_line <= len(lines):
            _fail(
                f"Invalid `insert_line` parameter: {command.insert_line}. It should be within the range "
                f"[0, {len(lines)}]."
            )
        lines.insert(command.insert_line, command.insert_text.rstrip("\n"))
        changed = "\n".join(lines)
        self._write(path, changed if changed.endswith("\n") else changed + "\n")
        return f"The file {command.path} has been edited."

    def delete(self, command: beta.BetaMemoryTool20250818DeleteCommand) -> str:
        path = _path(command.path)
        if path == ROOT:
            _fail("Cannot delete the /memories directory itself")
        if not self._has(path):
            _fail(f"The path {command.path} does not exist")
        for inner in self._tree(path):
            self._items.delete(inner)
        return f"Successfully deleted {command.path}"

    def rename(self, command: beta.BetaMemoryTool20250818RenameCommand) -> str:
        old, new = _path(command.old_path), _path(command.new_path)
        if old == ROOT:
            _fail("Cannot rename the /memories directory itself")
        if self._has(new):
            _fail(f"The destination {command.new_path} already exists")
        if new.startswith(f"{old}/"):
            _fail(f"Cannot move {command.old_path} into itself")
        self._make_folders(new)
        if not self._has(old):
            _fail(f"The path {command.old_path} does not exist")
        for inner, content in self._tree(old).items():
            self._write(new + inner[len(old) :], content)
            self._items.delete(inner)
        return f"Successfully renamed {command.old_path} to {command.new_path}"

    def clear_all_memory(self) -> str:
        for item in list(self._items.all()):
            self._items.delete(item.key)
        return "All memory cleared"

    def _tree(self, path: str = ROOT) -> Tree:
        """A path and everything below it."""
        below = self._items.all((path.count("/") - 1, path))
        return {path: self._content(path), **{item.key: item.value["content"] for item in below}}

    def _has(self, path: str) -> bool:
        return path == ROOT or self._items.get(path) is not None

    def _content(self, path: str) -> str | None:
        """The content of a file; None for a folder."""
        item = None if path == ROOT else self._items.get(path)
        return None if item is None else item.value["content"]

    def _existing(self, given_path: str) -> tuple[str, str | None]:
        path = _path(given_path)
        if not self._has(path):
            _fail(f"The path {given_path} does not exist. Please provide a valid path.")
        return path, self._content(path)

    def _file(self, given_path: str) -> tuple[str, str]:
        path, content = self._existing(given_path)
        if content is None:
            _fail(f"The path {given_path} is not a file.")
        return path, content

    def _write(self, path: str, content: str | None) -> None:
        if content is not None and len(content) > MOST_CONTENT:
            _fail(f"A memory file has at most {MOST_CONTENT:,} characters; split it.")
        text, searchable = f"{path}\n{content or ''}", content is not None
        try:
            self._items.put(path, {"content": content}, text=text, searchable=searchable, labels=_folders(path))
        except CommonplaceError as error:
            _fail(f"{error}.")

    def _make_folders(self, path: str) -> None:
        """Create every folder above a path."""
        for folder in _folders(path)[1:]:
            item = self._items.get(folder)
            if item is None:
                self._write(folder, None)
            elif item.value["content"] is not None:
                _fail(f"The path {folder} is not a directory.")


class CommonplaceAsyncMemoryTool(BetaAsyncAbstractMemoryTool):
    """The same for the asynchronous client."""

    def __init__(self, book: Commonplace, *, namespace: str = "anthropic-memory", **options: Any) -> None:
        super().__init__(**options)
        self.tool = CommonplaceMemoryTool(book, namespace=namespace)

    view = awaited(CommonplaceMemoryTool.view, "tool")
    create = awaited(CommonplaceMemoryTool.create, "tool")
    str_replace = awaited(CommonplaceMemoryTool.str_replace, "tool")
    insert = awaited(CommonplaceMemoryTool.insert, "tool")
    delete = awaited(CommonplaceMemoryTool.delete, "tool")
    rename = awaited(CommonplaceMemoryTool.rename, "tool")
    clear_all_memory = awaited(CommonplaceMemoryTool.clear_all_memory, "tool")


def _path(text: str) -> str:
    """A normalised path inside the root, or an error: nothing outside is touched."""
    if text != ROOT and not text.startswith(f"{ROOT}/"):
        _fail(f"Path must start with /memories, got: {text}")
    path = normpath(unicodedata.normalize("NFC", text))
    if path != ROOT and not path.startswith(f"{ROOT}/"):
        _fail(f"Path {text} would escape /memories directory")
    if len(path.encode("utf-8", "surrogatepass")) > MOST_BYTES or path.count("/") > MOST_SEGMENTS:
        _fail(f"A path has at most {MOST_SEGMENTS} segments and {MOST_BYTES:,} bytes.")
    if any(unicodedata.category(letter) in ("Cc", "Cs") for letter in path):
        _fail("A path has no control characters or lone surrogates.")
    return path


def _folders(path: str) -> list[str]:
    """The folders that contain a path, the root first."""
    parts = path.split("/")
    return ["/".join(parts[:size]) for size in range(2, len(parts))]


def _listing(tree: Tree, path: str, shown_path: str) -> str:
    """Two levels of a folder, in directory order, without hidden names."""
    below = [inner[len(path) + 1 :].split("/") for inner in tree if inner.startswith(f"{path}/")]
    visible = sorted(parts for parts in below if len(parts) <= 2 and not any(part.startswith(".") for part in parts))
    lines = [f"{_size(FOLDER_SIZE)}\t{shown_path}"]
    for parts in visible:
        relative = "/".join(parts)
        content = tree[f"{path}/{relative}"]
        size = FOLDER_SIZE if content is None else len(content.encode())
        lines.append(f"{_size(size)}\t{shown_path}/{relative}{'/' if content is None else ''}")
    return (
        f"Here're the files and directories up to 2 levels deep in {shown_path}, excluding hidden items:\n"
        + "\n".join(lines)
    )


def _numbered(lines: list[str], first: int) -> str:
    return "\n".join(f"{number:>{NUMBER_WIDTH}}\t{line}" for number, line in enumerate(lines, first))


def _lines_with(content: str, part: str) -> list[int]:
    numbers, place = [], content.find(part)
    while place != -1:
        numbers.append(content[:place].count("\n") + 1)
        place = content.find(part, place + 1)
    return numbers


def _size(size: int) -> str:
    for unit in "BKMG":
        if size < 1024 or unit == "G":
            return f"{int(size)}{unit}" if size == int(size) else f"{size:.1f}{unit}"
        size = size / 1024  # type: ignore[assignment]
    raise AssertionError


def _fail(message: str) -> NoReturn:
    raise ToolError(message)
