"""Transcripts of coding agents, Google's Gemini activity, and the databases of other memory programs."""

import html
import re
import zipfile
from collections.abc import Iterator
from typing import Any

from commonplace.interfaces.importers.found import Found, Note, Problem, Skipped
from commonplace.interfaces.importers.reading import (
    DATABASES,
    ImportSource,
    Turns,
    loaded,
    moment,
    object_of,
    objects,
    talk,
    text_of,
    texts_of,
)
from commonplace.model import Category

PROGRAM = "records of the program itself"
TOOLS = "tool calls and their results"
_TAG = re.compile(r"<[^>]*>")
_MARKS = ("<command-", "<local-command", "<bash-", "<system-reminder>", "<task-notification>", "<ide_")
_COMMANDS = (*_MARKS, "[Request interrupted by user")
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


def claude_code_transcripts(source: ImportSource) -> Iterator[Found]:
    """Claude Code's sessions: what the person and the agent said, without tools and side chains."""
    for file in source.files("*.jsonl"):
        turns: Turns = []
        session = file.stem
        for _, entry in source.lines(file):
            if not isinstance(entry, dict) or entry.get("type") not in ("user", "assistant"):
                yield Skipped(PROGRAM)
                continue
            session = str(entry.get("sessionId") or session)
            content = object_of(entry.get("message")).get("content")
            texts = (text_of(part).strip() for part in (content if isinstance(content, list) else [content]))
            parts = [text for text in texts if text]
            text = "\n".join(part for part in parts if not part.startswith(_COMMANDS))
            if entry.get("isSidechain"):
                yield Skipped("side chains")
            elif any(entry.get(flag) for flag in _FLAGS) or (parts and not text):
                yield Skipped(PROGRAM)
            elif text:
                turns.append((entry["type"], text, entry.get("timestamp")))
            else:
                yield Skipped(TOOLS)
        yield from talk(f"claude-code {session}", turns, file.name)


def codex(source: ImportSource) -> Iterator[Found]:
    """Codex's rollouts: what the person and the agent said."""
    for file in source.files("rollout-*.jsonl"):
        turns: Turns = []
        session = file.stem
        for _, entry in source.lines(file):
            payload = entry.get("payload", entry) if isinstance(entry, dict) else None  # early ones have no payload
            if not isinstance(payload, dict):
                yield Skipped(PROGRAM)
            elif entry.get("type") == "session_meta":
                session = str(payload.get("id") or session)
            elif payload.get("type") == "message":
                text = text_of(payload.get("content")).strip()
                role = payload.get("role")
                if role not in ("user", "assistant") or text.startswith(_INJECTED):
                    yield Skipped("instructions that the program adds itself")
                elif text:
                    turns.append((role, text, entry.get("timestamp")))
            elif entry.get("type") == "response_item" or "call" in str(payload.get("type")):
                yield Skipped(TOOLS)
            else:
                yield Skipped(PROGRAM)
        yield from talk(f"codex {session}", turns, file.name)


def gemini(source: ImportSource) -> Iterator[Found]:
    """Google Takeout's activity of Gemini: each prompt with its answer, a conversation a day."""
    days: dict[str, Turns] = {}
    for name in _html_activity(source):
        yield Problem(place=name, what="is HTML; in Takeout, choose JSON as the format of My Activity")
    for _, entry in source.entries("MyActivity", "My Activity", "Gemini"):
        entry = object_of(entry)
        title = str(entry.get("title") or "")
        prompt, answers = title.removeprefix("Prompted ").strip(), objects(entry.get("safeHtmlItem"))
        markup = "\n".join(str(item.get("html") or "") for item in answers)
        answer = " ".join(html.unescape(_TAG.sub(" ", markup)).split())
        if not title or not str(entry.get("header")).startswith(("Gemini", "Bard")):
            yield Skipped("activity of other products")
        elif not prompt or (prompt == title and not answer):  # the word before it depends on the language
            yield Skipped("activity other than prompts")
        else:
            # an answer stands with its prompt; exports list the newest first
            turns = days.setdefault(str(entry.get("time") or "")[:10], [])
            turns.append(("user", prompt, entry.get("time")))
            if answer:
                turns.append(("assistant", answer, None))
    for day, turns in sorted(days.items()):
        times = [str(at or (turns[number - 1][2] if number else "")) for number, (_, _, at) in enumerate(turns)]
        ordered = [turns[number] for number in sorted(range(len(turns)), key=lambda number: (times[number], number))]
        yield from talk(f"gemini {day or 'undated'}", ordered, source.path.name)


def _html_activity(source: ImportSource) -> list[str]:
    """Activity in the format that Takeout writes unless it is asked for JSON."""
    names: list[str] = []
    if source.path.suffix == ".zip" and zipfile.is_zipfile(source.path):
        with zipfile.ZipFile(source.path) as archive:
            names = archive.namelist()
    elif source.path.is_dir():
        names = [str(file) for file in source.path.rglob("*.html")]
    return [name for name in names if "Gemini" in name and name.endswith("Activity.html")]


def claude_mem(source: ImportSource) -> Iterator[Found]:
    """claude-mem's database or its JSON export: the facts of observations, and what sessions taught."""
    if source.path.suffix in DATABASES:
        for place, row in source.rows("observations"):
            yield from _observation(place, row)
        for place, row in source.rows("session_summaries", needed=False):  # early databases have no such table
            yield _summary(place, row)
        yield Skipped("prompts", sum(1 for _ in source.rows("user_prompts", needed=False)))
        return
    for place, export in source.documents():
        if not isinstance(export, dict) or not isinstance(export.get("observations"), list):
            yield Problem(place=place, what="is not an export of claude-mem")
            continue
        for number, row in enumerate(objects(export.get("observations"))):
            yield from _observation(f"{place}:observations:{number}", row)
        for number, row in enumerate(objects(export.get("summaries"))):
            yield _summary(f"{place}:summaries:{number}", row)
        yield Skipped("prompts", len(objects(export.get("prompts"))))


def _observation(place: str, row: dict[str, Any]) -> Iterator[Found]:
    facts = loaded(row.get("facts"))
    has_facts = isinstance(facts, list) and bool(facts)
    texts = facts if has_facts else [row.get("narrative") or row.get("text") or row.get("subtitle") or row.get("title")]
    if has_facts and row.get("narrative"):
        yield Skipped("narratives, whose facts are imported")
    for text in texts:
        if text:
            yield _claude_mem_note(str(text), place, row, _CATEGORIES.get(str(row.get("type")), "fact"))
        else:
            yield Skipped("observations without text")


def _summary(place: str, row: dict[str, Any]) -> Found:
    learned = row.get("learned")
    return _claude_mem_note(str(learned), place, row, "lesson") if learned else Skipped("sessions that taught nothing")


def _claude_mem_note(text: str, place: str, row: dict[str, Any], category: Category) -> Note:
    names = {"id": "claude_mem_id", "title": "title", "project": "project", "memory_session_id": "memory_session_id"}
    metadata = {ours: row[name] for name, ours in names.items() if row.get(name)}
    at = moment(row.get("created_at")) or moment(row.get("created_at_epoch"))
    return Note(text=text, place=place, category=category, at=at, metadata=metadata)


def mcp_memory_service(source: ImportSource) -> Iterator[Found]:
    """mcp-memory-service: its SQLite database, or a JSON export."""
    is_database = source.path.suffix in DATABASES
    for place, entry in source.rows("memories") if is_database else source.entries(under="memories"):
        if not isinstance(entry, dict):
            yield Problem(place=place, what="is not a memory")
            continue
        text = entry.get("content")
        if not isinstance(text, str) or not text.strip() or entry.get("deleted_at"):
            yield Skipped("memories that are empty or deleted")
            continue
        tags = entry.get("tags") or ()
        tags = tags.split(",") if isinstance(tags, str) else texts_of(tags)
        own = {name: entry[name] for name in ("metadata", "memory_type", "content_hash") if entry.get(name)}
        if "metadata" in own:
            own["metadata"] = loaded(own["metadata"])
        yield Note(
            text=text,
            place=place,
            category=_CATEGORIES.get(str(entry.get("memory_type")), "fact"),
            at=moment(entry.get("created_at")),
            tags=tuple(tag.strip() for tag in tags if tag.strip()),
            metadata=own,
        )
