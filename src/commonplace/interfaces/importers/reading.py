"""Files, JSON and times as other programs write them."""

import json
import sqlite3
import zipfile
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Literal, NamedTuple

from commonplace.interfaces.importers.found import Problem, Talk
from commonplace.model import Message, Role

MOST_BYTES = 512 * 1024 * 1024
"""A single JSON document larger than this is refused: it would have to be held in memory whole."""
LATEST_SECONDS = 100_000_000_000
"""The year 5138 in seconds, 1973 in milliseconds."""
DATABASES = (".db", ".sqlite", ".sqlite3")

Table = Literal["observations", "memories", "session_summaries", "user_prompts"]
Turns = list[tuple[Role, str, Any]]
"""Who said what, and when in the words of the file."""


class MarkdownPage(NamedTuple):
    """A Markdown file: its place in the folder, the lines between two ``---`` at its top, and the rest."""

    file: Path
    place: str
    fields: dict[str, Any]
    body: str


class ImportSource:
    """A file, folder or zip to be read. What cannot be read is among its ``problems``, and the rest is read."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.problems: list[Problem] = []

    def documents(self, *names: str) -> Iterator[tuple[str, Any]]:
        """The JSON documents of a file, of a folder, or inside a zip, whose names begin with one of ``names``."""

        def is_wanted(name: str) -> bool:
            last = name.rsplit("/", 1)[-1]
            return last.endswith(".json") and (not names or last.startswith(names))

        if self.path.suffix == ".zip":
            with zipfile.ZipFile(self.path) as archive:
                for entry in sorted(archive.infolist(), key=lambda entry: entry.filename):
                    if is_wanted(entry.filename) and entry.file_size > MOST_BYTES:
                        self._refuse(entry.filename, "is too large to be read at once")
                    elif is_wanted(entry.filename):
                        yield from self._parsed(f"{self.path.name}/{entry.filename}", archive.read(entry))
            return
        folder = self.path.is_dir()
        for file in (
            sorted(file for file in self.path.rglob("*.json") if is_wanted(file.name)) if folder else [self.path]
        ):
            if file.stat().st_size > MOST_BYTES:
                self._refuse(str(file), "is too large to be read at once")
            else:
                yield from self._parsed(file.name, file.read_bytes())

    def entries(self, *names: str, under: str | None = None) -> Iterator[tuple[str, Any]]:
        """The entries of the documents that are lists, or have one ``under`` a name, each with its place."""
        for place, value in self.documents(*names):
            listed = value.get(under) if under and isinstance(value, dict) else value
            if not isinstance(listed, list):
                listed = [] if under else [listed]
            yield from ((f"{place}#{number}", entry) for number, entry in enumerate(listed))

    def lines(self, path: Path) -> Iterator[tuple[str, Any]]:
        """The JSON value of every line that is not empty, with its place."""
        with path.open(encoding="utf-8-sig", errors="replace") as file:
            for number, line in enumerate(file, 1):
                if line.strip():
                    yield from self._parsed(f"{path.name}:{number}", line.encode())

    def pages(self) -> Iterator[MarkdownPage]:
        """Every Markdown file, but for folders of programs and what was thrown away."""
        folder = self.path if self.path.is_dir() else self.path.parent
        for file in self.files("*.md"):
            place = file.relative_to(folder)
            if not any(part[0] == "." for part in place.parts):
                fields, body = front_matter(file.read_text(encoding="utf-8-sig", errors="replace"))
                yield MarkdownPage(file, str(place), fields, body)

    def files(self, pattern: str) -> list[Path]:
        """The files of a folder with a name like ``pattern``, links left out; or the one file."""
        files = self.path.rglob(pattern) if self.path.is_dir() else [self.path]
        return sorted(file for file in files if not (file.is_symlink() and file != self.path))

    def rows(self, table: Table, *, needed: bool = True) -> Iterator[tuple[str, dict[str, Any]]]:
        """The rows of a table of a SQLite database, opened for reading only."""
        try:
            with closing(sqlite3.connect(f"{self.path.absolute().as_uri()}?mode=ro", uri=True)) as connection:
                connection.row_factory = sqlite3.Row
                query = f"SELECT * FROM {table}"  # noqa: S608  # one of the names above
                for number, row in enumerate(connection.execute(query), 1):
                    yield f"{self.path.name}:{table}:{number}", dict(row)
        except sqlite3.Error:
            if needed:
                self._refuse(self.path.name, f"not a database with a table {table!r}")

    def _parsed(self, place: str, data: bytes) -> Iterator[tuple[str, Any]]:
        try:
            value = json.loads(data.decode("utf-8-sig"))
        except ValueError:
            self._refuse(place, "is not valid JSON")
        except RecursionError:
            self._refuse(place, "is nested too deeply")
        else:
            yield place, value

    def _refuse(self, place: str, what: str) -> None:
        self.problems.append(Problem(place=place, what=what))


def front_matter(text: str) -> tuple[dict[str, Any], str]:
    """The simple ``name: value`` lines between two ``---`` at the top, and the rest."""
    if not text.startswith("---\n") or "\n---" not in text[4:]:
        return {}, text
    head, _, body = text[4:].partition("\n---")
    fields: dict[str, Any] = {}
    last = ""
    for line in head.splitlines():
        if line.lstrip().startswith("- ") and last:
            fields[last] = [*(fields[last] or []), _plain(line.lstrip()[2:])]
        elif ":" in line and not line.startswith((" ", "\t")):
            last, _, value = line.partition(":")
            value = value.strip()
            listed = value.startswith("[") and value.endswith("]")
            parts = [_plain(part) for part in value[1:-1].split(",") if part.strip()] if listed else []
            fields[last] = parts if listed else _plain(value) if value else None
    return fields, body.partition("\n")[2]


def _plain(text: str) -> str:
    return text.strip().strip("\"'")


def moment(value: Any) -> datetime | None:
    """A time as an epoch number (seconds or milliseconds) or an ISO text; None if it is neither."""
    try:
        if isinstance(value, int | float) and not isinstance(value, bool):
            return datetime.fromtimestamp(value / 1000 if value > LATEST_SECONDS else value, UTC)
        if isinstance(value, str):
            at = datetime.fromisoformat(value)
            return at.replace(tzinfo=UTC) if at.tzinfo is None else at
    except (ValueError, OverflowError, OSError):
        return None
    return None


def talk(session: str, turns: Turns, place: str, start: Any = None) -> Iterator[Talk]:
    """A conversation, if anything was said. A message without a time is a second later than the one before."""
    at = moment(start) or datetime(2000, 1, 1, tzinfo=UTC)
    messages = []
    for role, text, metadata in turns:
        at = moment(metadata) or at + timedelta(seconds=1)
        messages.append(Message(text, role=role, at=at))
    if messages:
        yield Talk(session=session[:500], messages=tuple(messages), place=place)


def text_of(content: Any) -> str:
    """The words of a message, whose content may be a text or a list of parts."""
    if isinstance(content, str):
        return content
    parts = content if isinstance(content, list) else [content]
    texts = (part if isinstance(part, str) else part.get("text") for part in parts if isinstance(part, str | dict))
    return "\n".join(text for text in texts if isinstance(text, str))


def objects(value: Any) -> list[dict[str, Any]]:
    """The objects of a list; nothing of anything else."""
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def object_of(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def texts_of(value: Any) -> list[str]:
    """The texts of a list; nothing of anything else."""
    return [item for item in value if isinstance(item, str)] if isinstance(value, list) else []


def loaded(value: Any) -> Any:
    """The value of a text that is JSON; anything else as it is."""
    try:
        return json.loads(value) if isinstance(value, str) else value
    except (ValueError, RecursionError):
        return value
