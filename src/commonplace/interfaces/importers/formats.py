"""The formats: one small reader each, from a path to what is found there."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path, PurePath
from typing import Any

from commonplace.interfaces.importers.found import Found, FoundRelation, Note, Problem, Skipped, Talk
from commonplace.interfaces.importers.graphs import hindsight, zep
from commonplace.interfaces.importers.reading import (
    documents,
    front_matter,
    lines,
    loaded,
    markdown,
    moment,
    object_of,
    objects,
    text_of,
    texts_of,
    timed,
)
from commonplace.interfaces.importers.transcripts import (
    claude_code_transcripts,
    claude_mem,
    codex,
    gemini,
    mcp_memory_service,
)
from commonplace.model import Category, Role

Reader = Callable[[Path], Iterator[Found]]

_BULLET = re.compile(r"^\s*[-*+]\s+(?!\[[ xX]\])(.+)$")
_OBSERVATION = re.compile(r"^\s*-\s+\[(?P<category>[^\]\s]+)\]\s+(?P<text>.+?)\s*(?:\((?P<context>[^()]*)\))?$")
_RELATION = re.compile(r"^\s*-\s+(?:\"(?P<quoted>[^\"]+)\"|(?P<word>[\w-]+))\s+\[\[(?P<target>[^\]|#]+)")
_LINK = re.compile(r"(?<!!)\[\[([^\]|#]+)")
_TAG = re.compile(r"(?:^|\s)#([\w/-]+)")
_CITATION = re.compile("[\ue200-\ue202][^\ue200-\ue202]*")
_NUMBERED = re.compile(r"^\s*\d+\.\s+(?:\[[^\]]*\]\.?\s*)?(.+)$", re.MULTILINE)
_CODE = re.compile(r"^```.*?^```[ \t]*$", re.MULTILINE | re.DOTALL)
LONGEST = 2_000


@dataclass(frozen=True, slots=True)
class Format:
    help: str
    read: Reader


def mcp_memory(path: Path) -> Iterator[Found]:
    """The reference MCP memory server: entities with observations, and relations."""
    types: dict[str, str] = {}
    for line in lines(path):
        if isinstance(line, Problem):
            yield line
            continue
        place, given = line
        given = object_of(given)
        kind = given.get("type")
        if kind == "entity" and (name := str(given.get("name") or given.get("entityName") or given.get("id") or "")):
            types[name] = str(given.get("entityType") or "topic").casefold()
            for text in texts_of(given.get("observations")):
                yield Note(text=f"{name}: {text}", place=place, metadata={"entity": name})
        elif kind == "relation":
            ends = [str(given.get(end) or given.get(f"{end}_id") or "") for end in ("from", "to")]
            predicate = str(given.get("relationType") or given.get("relation_type") or "")
            if all(ends) and predicate:
                yield FoundRelation(
                    subject=ends[0],
                    predicate=predicate,
                    object=ends[1],
                    place=place,
                    subject_type=types.get(ends[0], "topic"),
                    object_type=types.get(ends[1], "topic"),
                )
            else:
                yield Problem(place=place, what="is a relation without its ends or its type")
        else:
            yield Problem(place=place, what="is neither an entity nor a relation")


def mem0(path: Path) -> Iterator[Found]:
    """What mem0's ``get_all`` gives: ``{"results": […]}`` or a bare list."""
    for document in documents(path):
        if isinstance(document, Problem):
            yield document
            continue
        place, given = document
        entries = given.get("results") if isinstance(given, dict) else given
        for number, entry in enumerate(map(object_of, entries if isinstance(entries, list) else [])):
            text = entry.get("memory") or entry.get("data")
            if not isinstance(text, str):
                yield Problem(place=f"{place}#{number}", what="has no memory text")
                continue
            ids = {"id": "mem0_id", "user_id": "user_id", "agent_id": "agent_id", "run_id": "run_id"}
            metadata = {ours: entry[name] for name, ours in ids.items() if entry.get(name)}
            yield Note(
                text=text,
                place=f"{place}#{number}",
                at=moment(entry.get("created_at")),
                tags=_tags(entry.get("categories"), ""),
                metadata={**object_of(entry.get("metadata")), **metadata},
            )


def chatgpt(path: Path) -> Iterator[Found]:
    """ChatGPT's export: the live branch of each conversation, and the memories hidden in it."""
    for document in documents(path, "conversations"):
        if isinstance(document, Problem):
            yield document
            continue
        place, given = document
        for number, one in enumerate(given if isinstance(given, list) else [given]):
            yield from _chatgpt_talk(f"{place}#{number}", one)


def _chatgpt_talk(place: str, one: Any) -> Iterator[Found]:
    one = object_of(one)
    mapping = {id: node for id, node in object_of(one.get("mapping")).items() if isinstance(node, dict)}
    if not mapping:
        yield Problem(place=place, what="has no messages")
        return
    turns: list[tuple[Role, str, Any]] = []
    for message in _branch(mapping, str(one.get("current_node"))):
        content = object_of(message.get("content"))
        parts = content.get("parts") if isinstance(content.get("parts"), list) else []
        role = object_of(message.get("author")).get("role")
        yield from _chatgpt_memories(place, message, content)
        hidden = object_of(message.get("metadata")).get("is_visually_hidden_from_conversation")
        readable = content.get("content_type") in ("text", "multimodal_text")
        text = "\n".join(texts_of(parts)).strip()
        if message.get("recipient") == "bio":
            text = text or str(content.get("text") or "")
            yield from (Note(text=fact, place=place, at=moment(message.get("create_time"))) for fact in _lines(text))
        elif role not in ("user", "assistant") or hidden or not readable or message.get("recipient", "all") != "all":
            yield Skipped(place=place, what="messages of tools and the system, or hidden")
        else:
            yield from _left_out(place, len(objects(parts)), "images and files in messages")
            if text:
                turns.append((role, _CITATION.sub("", text), message.get("create_time")))
    if turns:
        session = str(one.get("conversation_id") or one.get("id") or one.get("title") or place)
        yield Talk(session=f"chatgpt {session}"[:500], messages=timed(turns, one.get("create_time")), place=place)


def _lines(text: str) -> list[str]:
    return [line.strip() for line in text.splitlines() if line.strip()]


def _branch(mapping: dict[str, dict[str, Any]], leaf: str) -> list[dict[str, Any]]:
    """From the root to the message that was last on the screen."""
    mappings: list[dict[str, Any]] = []
    node = leaf if leaf in mapping else next((id for id, one in mapping.items() if not one.get("children")), "")
    seen: set[str] = set()
    while node in mapping and node not in seen:
        seen.add(node)
        mappings += objects([mapping[node].get("message")])
        node = str(mapping[node].get("parent"))
    return mappings[::-1]


def _chatgpt_memories(place: str, message: dict[str, Any], content: dict[str, Any]) -> Iterator[Note]:
    if content.get("content_type") == "model_editable_context":
        for match in _NUMBERED.finditer(str(content.get("model_set_context") or "")):
            yield Note(text=match[1].strip(), place=place, at=moment(message.get("create_time")))
    custom = object_of(object_of(message.get("metadata")).get("user_context_message_data"))
    texts = [custom.get("about_user_message"), custom.get("about_model_message")]
    if content.get("content_type") == "user_editable_context" and not any(texts):
        texts = [content.get("user_profile"), content.get("user_instructions")]  # the same, in words for the model
    for text in dict.fromkeys(text for text in texts if isinstance(text, str) and text.strip()):
        yield Note(text=text.strip(), place=place, category="preference")


def claude(path: Path) -> Iterator[Found]:
    """Claude's export: conversations, and the memories kept of them and of projects."""
    for document in documents(path, "conversations", "memories", "projects"):
        if isinstance(document, Problem):
            yield document
            continue
        place, given = document
        if PurePath(place).stem == "projects":
            yield Skipped(place=place, what="files with descriptions and documents of projects")
            continue
        for number, one in enumerate(given if isinstance(given, list) else [given]):
            if not isinstance(one, dict):
                yield Problem(place=f"{place}#{number}", what="is not a conversation")
            elif "chat_messages" in one:
                yield from _claude_talk(f"{place}#{number}", one)
            else:
                yield from _claude_memories(f"{place}#{number}", one)


def _claude_talk(place: str, one: dict[str, Any]) -> Iterator[Found]:
    said: list[tuple[Role, str, Any]] = []
    for message in objects(one.get("chat_messages")):
        files = [*objects(message.get("attachments")), *objects(message.get("files"))]
        yield from _left_out(place, len(files), "attachments and files")
        blocks = objects(message.get("content"))
        words = [block for block in blocks if block.get("type") == "text"]
        yield from _left_out(place, len(blocks) - len(words), "thoughts, tool calls and their results")
        text = "\n".join(filter(None, map(text_of, words))) or text_of(message.get("text"))
        if text.strip():
            role: Role = "user" if message.get("sender") == "human" else "assistant"
            said.append((role, text.strip(), message.get("created_at")))
    if said:
        session = f"claude {one.get('uuid') or one.get('name') or place}"[:500]
        yield Talk(session=session, messages=timed(said, one.get("created_at")), place=place)


def _claude_memories(place: str, one: dict[str, Any]) -> Iterator[Found]:
    for text in texts_of([one.get("conversations_memory"), *object_of(one.get("project_memories")).values()]):
        yield from _blocks(text, place)


def letta(path: Path) -> Iterator[Found]:
    """A Letta agent file: its memory blocks and its messages."""
    for document in documents(path):
        if isinstance(document, Problem):
            yield document
            continue
        place, given = document
        if not isinstance(given, dict):
            yield Problem(place=place, what="is not an agent file")
            continue
        for agent in [given, *objects(given.get("agents"))]:
            for block in [*objects(agent.get("blocks")), *objects(agent.get("core_memory"))]:
                if block.get("value"):
                    yield from _blocks(str(block["value"]), f"{place} {block.get('label', '')}".strip())
            messages = objects(agent.get("messages"))
            turns = _letta_turns(messages)
            yield from _left_out(place, len(messages) - len(turns), "messages of tools and the system, or without text")
            if turns:
                session = f"letta {agent.get('name') or place}"[:500]
                yield Talk(session=session, messages=timed(turns, None), place=place)


def _left_out(place: str, count: int, what: str) -> Iterator[Skipped]:
    for _ in range(count):
        yield Skipped(place=place, what=what)


def _letta_turns(messages: list[dict[str, Any]]) -> list[tuple[Role, str, Any]]:
    turns: list[tuple[Role, str, Any]] = []
    for message in messages:
        role = message.get("role")
        if role in ("user", "assistant"):
            text = text_of(message.get("content") or message.get("text")).strip()
            text = _letta_prompt(text) if role == "user" else _letta_answer(message) or text
            if text:
                turns.append((role, text, message.get("created_at")))
    return turns


def _letta_prompt(text: str) -> str:
    """What the person said: Letta wraps it in an object, as it does its own heartbeats, logins and alerts."""
    wrapped = loaded(text) if text.startswith("{") else None
    if not isinstance(wrapped, dict) or "type" not in wrapped:
        return text
    return str(wrapped.get("message") or "").strip() if wrapped["type"] == "user_message" else ""


def _letta_answer(message: dict[str, Any]) -> str:
    """What was sent to the person, where that is a tool call and the text beside it a thought."""
    for call in objects(message.get("tool_calls")):
        function = object_of(call.get("function"))
        if function.get("name") == "send_message":
            return str(object_of(loaded(function.get("arguments"))).get("message") or "").strip()
    return ""


def claude_code(path: Path) -> Iterator[Found]:
    """Claude Code's own memory folder: MEMORY.md is an index, each other file a memory with a type."""
    kinds: dict[str, Category] = {"user": "preference", "feedback": "correction", "project": "context"}
    for file, text in markdown(path):
        fields, body = front_matter(text)
        if file.name == "MEMORY.md" and path.is_dir() and not fields:
            continue
        category = kinds.get(str(fields.get("type")), "fact")
        if fields:
            whole = body.strip()[:LONGEST]
            if whole:
                yield Note(text=whole, place=file.name, category=category, at=moment(fields.get("modified")))
        else:
            yield from _blocks(body, file.name, category=category)


def instructions(path: Path) -> Iterator[Found]:
    """CLAUDE.md, AGENTS.md, GEMINI.md or rules: each bullet or paragraph under its headings."""
    for file, text in markdown(path):
        yield from _blocks(front_matter(text)[1], file.name, category="decision")


def obsidian(path: Path) -> Iterator[Found]:
    """A vault: paragraphs and bullets with their note's tags; links between notes are relations."""
    for file, text in markdown(path):
        fields, body = front_matter(text)
        tags = _tags(fields.get("tags"), body)
        place = str(file.relative_to(path)) if path.is_dir() else file.name
        yield from _blocks(body, place, tags=tags, lead=file.stem)
        for target in dict.fromkeys(_LINK.findall(_CODE.sub("", body))):
            if target.strip() != file.stem:
                yield FoundRelation(subject=file.stem, predicate="related_to", object=target.strip(), place=place)


def markdown_folder(path: Path) -> Iterator[Found]:
    """Markdown files: each bullet or paragraph with its file's name, its headings and its tags."""
    for file, text in markdown(path):
        fields, body = front_matter(text)
        place = str(file.relative_to(path)) if path.is_dir() else file.name
        yield from _blocks(body, place, tags=_tags(fields.get("tags"), ""), lead=file.stem)


def basic_memory(path: Path) -> Iterator[Found]:
    """basic-memory's notes: observations with a category, and typed relations."""
    for file, text in markdown(path):
        fields, body = front_matter(text)
        title = str(fields.get("title") or file.stem)
        for number, line in enumerate(body.splitlines(), 1):
            place = f"{file.name}:{number}"
            if match := _RELATION.match(line):
                predicate = (match["quoted"] or match["word"]).strip()
                yield FoundRelation(subject=title, predicate=predicate, object=match["target"].strip(), place=place)
            elif (match := _OBSERVATION.match(line)) and match["category"] not in (" ", "x", "X"):
                tags = tuple(dict.fromkeys([*_tags(fields.get("tags"), ""), *_TAG.findall(match["text"])]))
                said = _TAG.sub("", match["text"]).strip()
                yield Note(text=f"{title}: {said}", place=place, tags=tags, metadata={"category": match["category"]})


FORMATS: dict[str, Format] = {
    "mcp-memory": Format("the reference MCP memory server's JSON lines", mcp_memory),
    "mem0": Format("what mem0's get_all gives, as JSON", mem0),
    "chatgpt": Format("ChatGPT's export, zip or folder", chatgpt),
    "claude": Format("Claude's export, zip or folder", claude),
    "claude-code": Format("Claude Code's own memory folder", claude_code),
    "instructions": Format("CLAUDE.md, AGENTS.md and the like", instructions),
    "obsidian": Format("an Obsidian vault", obsidian),
    "basic-memory": Format("basic-memory's notes", basic_memory),
    "letta": Format("a Letta agent file", letta),
    "markdown": Format("a folder of Markdown files", markdown_folder),
    "claude-code-transcripts": Format("Claude Code's sessions, JSON lines", claude_code_transcripts),
    "codex": Format("Codex's rollouts, a file or folder of JSON lines", codex),
    "gemini": Format("Google Takeout's activity of Gemini, zip, folder or JSON", gemini),
    "claude-mem": Format("claude-mem's database or JSON export", claude_mem),
    "mcp-memory-service": Format("mcp-memory-service's database or JSON export", mcp_memory_service),
    "zep": Format("what Zep's API gives for a user, as JSON", zep),
    "hindsight": Format("Hindsight's transfer archive, or its list of memories", hindsight),
}


def guess(path: Path) -> str | None:
    """The format by the look of a path, where that is plain."""
    name = path.name.casefold()
    if name in ("claude.md", "agents.md", "gemini.md") or path.suffix == ".mdc":
        return "instructions"
    if name in ("memory.json", "memory.jsonl"):
        return "mcp-memory"
    if path.suffix == ".af":
        return "letta"
    if path.is_dir() and (path / ".obsidian").is_dir():
        return "obsidian"
    return None


def _blank(code: re.Match[str]) -> str:
    """As many empty lines, so that places stay right."""
    return "\n" * code[0].count("\n")


def _blocks(
    text: str, place: str, *, category: Category = "fact", tags: tuple[str, ...] = (), lead: str = ""
) -> Iterator[Note | Skipped]:
    """Each bullet and each paragraph of a Markdown text, with the headings it stands under."""
    headings: dict[int, str] = {}
    paragraph: list[str] = []
    started = 1

    def flush() -> Iterator[Note]:
        whole = " ".join(paragraph).strip()
        paragraph.clear()
        if len(whole) > 2:
            above = " › ".join(part for part in (lead, *headings.values()) if part)
            said = f"{above}: {whole}" if above else whole
            yield Note(text=said[:LONGEST], place=f"{place}:{started}", category=category, tags=tags)

    for _ in _CODE.finditer(text):
        yield Skipped(place=place, what="pieces of code")
    for number, line in enumerate(_CODE.sub(_blank, text).splitlines(), 1):
        heading, bullet = _heading(line), _BULLET.match(line)
        if heading or bullet or not line.strip():
            yield from flush()
        if heading:
            headings = {level: title for level, title in headings.items() if level < heading[0]}
            headings[heading[0]] = heading[1]
        elif bullet:
            paragraph.append(bullet[1].strip())
            started = number
        elif re.match(r"^\s*\|[\s:|-]*-{3}[\s:|-]*\|\s*$", line):
            yield Skipped(place=place, what="tables")
        elif re.match(r"^\s*[-*+] \[[ xX]\]", line):
            yield from flush()
            yield Skipped(place=place, what="tasks")
        elif line.strip() and not re.match(r"^\s*(?:[-*_]{3,}|\|.*\||<!--.*)\s*$", line):
            started = started if paragraph else number
            paragraph.append(line.strip())
    yield from flush()


def _heading(line: str) -> tuple[int, str] | None:
    """The level and the words of a heading; a line in bold alone is one below all others."""
    if match := re.match(r"^(#{1,6})\s+(.*)$", line):
        return len(match[1]), match[2].strip()
    match = re.match(r"^\s*\*\*([^*]+?):?\*\*:?\s*$", line)
    return (7, match[1].strip()) if match else None


def _tags(given: Any, body: str) -> tuple[str, ...]:
    listed = given if isinstance(given, list) else str(given or "").replace(",", " ").split()
    return tuple(
        dict.fromkeys(tag.lstrip("#") for tag in [*map(str, listed), *_TAG.findall(_CODE.sub("", body))] if tag)
    )[:20]
