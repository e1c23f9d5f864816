"""Transcripts of coding agents, Google's Gemini activity, and the databases of other memory programs."""

import html
import re
import sqlite3
import zipfile
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any, Literal

from commonplace.interfaces.importers.found import Found, Note, Problem, Skipped, Talk
from commonplace.interfaces.importers.reading import documents, lines, loaded, moment, objects, text_of, texts_of, timed
from commonplace.model import Category, Role

_TAG = re.compile(r"<[^>]*>")
PROGRAM = "records of the program itself"
_COMMANDS = (
    "<command-",
    "<local-command",
    "<bash-",
    "<system-reminder>",
    "<task-notification>",
    "<ide_",
    "[Request interrupted by user",
)
"""How parts of a message begin that Claude Code wrote, not the person."""
_FLAGS = ("isMeta", "isCompactSummary", "isApiErrorMessage")
_INJECTED = ("<environment_context>", "<user_instructions>", "<INSTRUCTIONS>", "<permissions", "# AGENTS.md")
_CATEGORIES: dict[str, Category] = {
    "decision": "decision",
    "bugfix": "error",
    "bug": "error",
    "error": "error",
    "discovery": "insight",
    "preference": "preference",
}
DATABASES = (".db", ".sqlite", ".sqlite3")
Turns = list[tuple[Role, str, Any]]


def claude_code_transcripts(path: Path) -> Iterator[Found]:
    """Claude Code's sessions: what the person and the agent said, without tools and side chains."""
    for file in _files(path, "*.jsonl"):
        turns: Turns = []
        session = file.stem
        for line in lines(file):
            if isinstance(line, Problem):
                yield line
                continue
            place, entry = line
            if not isinstance(entry, dict) or entry.get("type") not in ("user", "assistant"):
                yield Skipped(place=place, what=PROGRAM)
                continue
            session = str(entry.get("sessionId") or session)
            message = entry.get("message")
            parts = _parts(message.get("content")) if isinstance(message, dict) else []
            text = "\n".join(part for part in parts if not part.startswith(_COMMANDS))
            if entry.get("isSidechain"):
                yield Skipped(place=place, what="side chains")
            elif any(entry.get(flag) for flag in _FLAGS) or (parts and not text):
                yield Skipped(place=place, what=PROGRAM)
            elif text:
                turns.append((entry["type"], text, entry.get("timestamp")))
            else:
                yield Skipped(place=place, what="tool calls and their results")
        yield from _talk(f"claude-code {session}", turns, file.name)


def _parts(content: Any) -> list[str]:
    """The texts of a message, each without blank space around it."""
    texts = (text_of(part).strip() for part in (content if isinstance(content, list) else [content]))
    return [text for text in texts if text]


def codex(path: Path) -> Iterator[Found]:
    """Codex's rollouts: what the person and the agent said."""
    for file in _files(path, "rollout-*.jsonl"):
        turns: Turns = []
        session = file.stem
        for line in lines(file):
            if isinstance(line, Problem):
                yield line
                continue
            place, entry = line
            payload = entry.get("payload", entry) if isinstance(entry, dict) else None  # early ones have no payload
            if not isinstance(payload, dict):
                yield Skipped(place=place, what=PROGRAM)
            elif entry.get("type") == "session_meta":
                session = str(payload.get("id") or session)
            elif payload.get("type") == "message":
                text = text_of(payload.get("content")).strip()
                role = payload.get("role")
                if role not in ("user", "assistant") or text.startswith(_INJECTED):
                    yield Skipped(place=place, what="instructions that the program adds itself")
                elif text:
                    turns.append((role, text, entry.get("timestamp")))
            elif entry.get("type") == "response_item" or "call" in str(payload.get("type")):
                yield Skipped(place=place, what="tool calls and their results")
            else:
                yield Skipped(place=place, what=PROGRAM)
        yield from _talk(f"codex {session}", turns, file.name)


def gemini(path: Path) -> Iterator[Found]:
    """Google Takeout's activity of Gemini: each prompt with its answer, a conversation a day."""
    days: dict[str, Turns] = {}
    for name in _html_activity(path):
        yield Problem(place=name, what="is HTML; in Takeout, choose JSON as the format of My Activity")
    for document in documents(path, "MyActivity", "My Activity", "Gemini"):
        if isinstance(document, Problem):
            yield document
            continue
        place, entries = document
        for number, entry in enumerate(entries if isinstance(entries, list) else [entries]):
            title = str(entry.get("title") or "") if isinstance(entry, dict) else ""
            prompt, answer = title.removeprefix("Prompted ").strip(), _gemini_answer(entry) if title else ""
            if not str(entry.get("header") if title else "").startswith(("Gemini", "Bard")):
                yield Skipped(place=f"{place}#{number}", what="activity of other products")
            elif not prompt or (prompt == title and not answer):  # the word before it depends on the language
                yield Skipped(place=f"{place}#{number}", what="activity other than prompts")
            else:
                turns = days.setdefault(str(entry.get("time") or "")[:10], [])
                turns.append(("user", prompt, entry.get("time")))
                if answer:
                    turns.append(("assistant", answer, None))
    for day, turns in sorted(days.items()):
        ordered = [turn for _, turn in sorted(enumerate(turns), key=lambda pair: (_pair_time(turns, pair[0]), pair[0]))]
        yield from _talk(f"gemini {day or 'undated'}", ordered, path.name)


def _html_activity(path: Path) -> list[str]:
    """Activity in the format that Takeout writes unless it is asked for JSON."""
    if path.suffix == ".zip" and zipfile.is_zipfile(path):
        with zipfile.ZipFile(path) as archive:
            names = archive.namelist()
    else:
        names = [str(file) for file in path.rglob("*.html")] if path.is_dir() else []
    return [name for name in names if "Gemini" in name and name.endswith("Activity.html")]


def _gemini_answer(entry: dict[str, Any]) -> str:
    items = entry.get("safeHtmlItem")
    answers = [item.get("html") or "" for item in objects(items)]
    return " ".join(html.unescape(_TAG.sub(" ", "\n".join(map(str, answers)))).split())


def _pair_time(turns: Turns, index: int) -> str:
    """An answer stands with its prompt; exports list the newest first."""
    return str(turns[index][2] or (turns[index - 1][2] if index else ""))


def claude_mem(path: Path) -> Iterator[Found]:
    """claude-mem's database or its JSON export: the facts of observations, and what sessions taught."""
    if path.suffix in DATABASES:
        yield from _claude_mem_database(path)
        return
    for document in documents(path):
        if isinstance(document, Problem):
            yield document
            continue
        place, export = document
        if not isinstance(export, dict) or not isinstance(export.get("observations"), list):
            yield Problem(place=place, what="is not an export of claude-mem")
            continue
        for name, read in (("observations", _observation), ("summaries", _summary)):
            for number, row in enumerate(objects(export.get(name))):
                yield from read(f"{place}:{name}:{number}", row)
        for _ in objects(export.get("prompts")):
            yield Skipped(place=place, what="prompts")


def _claude_mem_database(path: Path) -> Iterator[Found]:
    for place, row in _rows(path, "observations"):
        yield from [row] if isinstance(row, Problem) else _observation(place, row)
    for place, row in _rows(path, "session_summaries"):
        if isinstance(row, dict):  # early databases have no such table
            yield from _summary(place, row)
    for place, row in _rows(path, "user_prompts"):
        if isinstance(row, dict):
            yield Skipped(place=place, what="prompts")


def _observation(place: str, row: dict[str, Any]) -> Iterator[Found]:
    facts = _list(row.get("facts"))
    texts = facts or [row.get("narrative") or row.get("text") or row.get("subtitle") or row.get("title")]
    category = _CATEGORIES.get(str(row.get("type")), "fact")
    if facts and row.get("narrative"):
        yield Skipped(place=place, what="narratives, whose facts are imported")
    for text in texts:
        if text:
            yield Note(text=str(text), place=place, category=category, at=_created(row), metadata=_origin(row))
        else:
            yield Skipped(place=place, what="observations without text")


def _summary(place: str, row: dict[str, Any]) -> Iterator[Found]:
    if row.get("learned"):
        text = str(row["learned"])
        yield Note(text=text, place=place, category="lesson", at=_created(row), metadata=_origin(row))
    else:
        yield Skipped(place=place, what="sessions that taught nothing")


def _created(row: dict[str, Any]) -> Any:
    return moment(row.get("created_at")) or moment(row.get("created_at_epoch"))


def _origin(row: dict[str, Any]) -> dict[str, Any]:
    names = {"id": "claude_mem_id", "title": "title", "project": "project", "memory_session_id": "memory_session_id"}
    return {ours: row[name] for name, ours in names.items() if row.get(name)}


def mcp_memory_service(path: Path) -> Iterator[Found]:
    """mcp-memory-service: its SQLite database, or a JSON export."""
    if path.suffix in DATABASES:
        for place, row in _rows(path, "memories"):
            yield row if isinstance(row, Problem) else _service_note(place, row)
        return
    for document in documents(path):
        if isinstance(document, Problem):
            yield document
            continue
        place, export = document
        entries = export.get("memories") if isinstance(export, dict) else export
        for number, entry in enumerate(entries if isinstance(entries, list) else []):
            if isinstance(entry, dict):
                yield _service_note(f"{place}#{number}", entry)
            else:
                yield Problem(place=f"{place}#{number}", what="is not a memory")


def _service_note(place: str, entry: dict[str, Any]) -> Found:
    text = entry.get("content")
    if not isinstance(text, str) or not text.strip() or entry.get("deleted_at"):
        return Skipped(place=place, what="memories that are empty or deleted")
    tags = entry.get("tags") or ()
    tags = tags.split(",") if isinstance(tags, str) else texts_of(tags)
    category = _CATEGORIES.get(str(entry.get("memory_type")), "fact")
    own = {name: entry[name] for name in ("metadata", "memory_type", "content_hash") if entry.get(name)}
    return Note(
        text=text,
        place=place,
        category=category,
        at=moment(entry.get("created_at")),
        tags=tuple(tag.strip() for tag in tags if tag.strip()),
        metadata={**own, "metadata": loaded(own["metadata"])} if "metadata" in own else own,
    )


Table = Literal["observations", "memories", "session_summaries", "user_prompts"]


def _rows(path: Path, table: Table) -> Iterator[tuple[str, dict[str, Any] | Problem]]:
    """The rows of one table, opened for reading only."""
    try:
        with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)) as connection:
            connection.row_factory = sqlite3.Row
            query = f"SELECT * FROM {table}"  # noqa: S608  # one of the names above
            for number, row in enumerate(connection.execute(query), 1):
                yield f"{path.name}:{table}:{number}", dict(row)
    except sqlite3.Error:
        yield path.name, Problem(place=path.name, what=f"not a database with a table {table!r}")


def _list(value: Any) -> list[Any]:
    parsed = loaded(value)
    return parsed if isinstance(parsed, list) else []


def _talk(session: str, turns: Turns, place: str) -> Iterator[Talk]:
    if turns:
        yield Talk(session=session[:500], messages=timed(turns, None), place=place)


def _files(path: Path, pattern: str) -> list[Path]:
    return sorted(file for file in path.rglob(pattern) if not file.is_symlink()) if path.is_dir() else [path]
