"""Files, JSON and times as other programs write them."""

import json
import zipfile
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from commonplace.errors import Invalid
from commonplace.interfaces.importers.found import Problem
from commonplace.model import Message, Role

MOST_BYTES = 512 * 1024 * 1024
"""A single JSON document larger than this is refused: it would have to be held in memory whole."""


LATEST_SECONDS = 100_000_000_000
"""The year 5138 in seconds, 1973 in milliseconds."""


def documents(path: Path, *names: str) -> Iterator[tuple[str, Any] | Problem]:
    """The JSON documents of a file, of a folder, or inside a zip, whose names begin with one of ``names``."""
    if path.suffix == ".zip":
        with zipfile.ZipFile(path) as archive:
            for entry in sorted(archive.infolist(), key=lambda one: one.filename):
                if _wanted(entry.filename, names) and entry.file_size <= MOST_BYTES:
                    yield _parsed(f"{path.name}/{entry.filename}", archive.read(entry))
                elif _wanted(entry.filename, names):
                    yield Problem(place=entry.filename, what="is too large to be read at once")
        return
    files = sorted(one for one in path.rglob("*.json") if _wanted(one.name, names)) if path.is_dir() else [path]
    for file in files:
        if file.stat().st_size > MOST_BYTES:
            yield Problem(place=str(file), what="is too large to be read at once")
        else:
            yield _parsed(file.name, file.read_bytes())


def lines(path: Path) -> Iterator[tuple[str, Any] | Problem]:
    """The JSON value of every line that is not empty, with its place."""
    with path.open(encoding="utf-8-sig", errors="replace") as file:
        for number, line in enumerate(file, 1):
            if line.strip():
                yield _parsed(f"{path.name}:{number}", line.encode())


def markdown(path: Path) -> Iterator[tuple[Path, str]]:
    """Every Markdown file under a path, folders of programs and what was thrown away left out."""
    files = sorted(path.rglob("*.md")) if path.is_dir() else [path]
    for file in files:
        hidden = [part for part in file.relative_to(path if path.is_dir() else path.parent).parts if part[0] == "."]
        if not hidden and not file.is_symlink():
            yield file, file.read_text(encoding="utf-8-sig", errors="replace")


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
            fields[last] = _value(value.strip())
    return fields, body.partition("\n")[2]


def moment(given: Any) -> datetime | None:
    """A time as an epoch number (seconds or milliseconds) or an ISO text; None if it is neither."""
    if isinstance(given, int | float) and not isinstance(given, bool):
        try:
            return datetime.fromtimestamp(given / 1000 if given > LATEST_SECONDS else given, UTC)
        except (ValueError, OverflowError, OSError):
            return None
    if isinstance(given, str):
        try:
            made = datetime.fromisoformat(given)
        except ValueError:
            return None
        return made.replace(tzinfo=UTC) if made.tzinfo is None else made
    return None


def timed(said: list[tuple[Role, str, Any]], start: Any) -> tuple[Message, ...]:
    """Messages with a moment each: their own, else a second after the one before."""
    at = moment(start) or datetime(2000, 1, 1, tzinfo=UTC)
    made = []
    for role, text, given in said:
        at = moment(given) or at + timedelta(seconds=1)
        made.append(Message(text, role=role, at=at))
    return tuple(made)


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


def existing(path: Path) -> Path:
    if not path.exists():
        raise Invalid(f"{path} is not there; name the file or folder to import")
    return path


def _wanted(name: str, names: tuple[str, ...]) -> bool:
    last = name.rsplit("/", 1)[-1]
    return last.endswith(".json") and (not names or last.startswith(names))


def _parsed(place: str, data: bytes) -> tuple[str, Any] | Problem:
    try:
        return place, json.loads(data.decode("utf-8-sig"))
    except ValueError:
        return Problem(place=place, what="is not valid JSON")
    except RecursionError:
        return Problem(place=place, what="is nested too deeply")


def _value(text: str) -> Any:
    if text.startswith("[") and text.endswith("]"):
        return [_plain(part) for part in text[1:-1].split(",") if part.strip()]
    return _plain(text) if text else None


def _plain(text: str) -> str:
    return text.strip().strip("\"'")
