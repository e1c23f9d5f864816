"""The formats: one small reader each, from a file or folder to what is found there."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path, PurePath
from typing import Any

from commonplace.interfaces.importers import transcripts
from commonplace.interfaces.importers.found import Found, FoundRelation, Note, Problem, Skipped
from commonplace.interfaces.importers.graphs import hindsight, zep
from commonplace.interfaces.importers.reading import (
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
from commonplace.model import Category, Role

_BULLET = re.compile(r"^\s*[-*+]\s+(?!\[[ xX]\])(.+)$")
_OBSERVATION = re.compile(r"^\s*-\s+\[(?P<category>[^\]\s]+)\]\s+(?P<text>.+?)\s*(?:\((?P<context>[^()]*)\))?$")
_RELATION = re.compile(r"^\s*-\s+(?:\"(?P<quoted>[^\"]+)\"|(?P<word>[\w-]+))\s+\[\[(?P<target>[^\]|#]+)")
_LINK = re.compile(r"(?<!!)\[\[([^\]|#]+)")
_TAG = re.compile(r"(?:^|\s)#([\w/-]+)")
_CITATION = re.compile("[\ue200-\ue202][^\ue200-\ue202]*")
_NUMBERED = re.compile(r"^\s*\d+\.\s+(?:\[[^\]]*\]\.?\s*)?(.+)$", re.MULTILINE)
_CODE = re.compile(r"^```.*?^```[ \t]*$", re.MULTILINE | re.DOTALL)
LONGEST = 2_000


def mcp_memory(source: ImportSource) -> Iterator[Found]:
    """The reference MCP memory server: entities with observations, and relations."""
    types: dict[str, str] = {}
    for place, item in source.lines(source.path):
        item = object_of(item)
        kind = item.get("type")
        if kind == "entity" and (name := str(item.get("name") or item.get("entityName") or item.get("id") or "")):
            types[name] = str(item.get("entityType") or "topic").casefold()
            for text in texts_of(item.get("observations")):
                yield Note(text=f"{name}: {text}", place=place, metadata={"entity": name})
        elif kind == "relation":
            subject, object = (str(item.get(end) or item.get(f"{end}_id") or "") for end in ("from", "to"))
            predicate = str(item.get("relationType") or item.get("relation_type") or "")
            if subject and object and predicate:
                kinds = {"subject_type": types.get(subject, "topic"), "object_type": types.get(object, "topic")}
                yield FoundRelation(subject=subject, predicate=predicate, object=object, place=place, **kinds)
            else:
                yield Problem(place=place, what="is a relation without its ends or its type")
        else:
            yield Problem(place=place, what="is neither an entity nor a relation")


def mem0(source: ImportSource) -> Iterator[Found]:
    """What mem0's ``get_all`` gives: ``{"results": […]}`` or a bare list."""
    ids = {"id": "mem0_id", "user_id": "user_id", "agent_id": "agent_id", "run_id": "run_id"}
    for place, entry in source.entries(under="results"):
        entry = object_of(entry)
        text = entry.get("memory") or entry.get("data")
        if not isinstance(text, str):
            yield Problem(place=place, what="has no memory text")
            continue
        metadata = {ours: entry[name] for name, ours in ids.items() if entry.get(name)}
        yield Note(
            text=text,
            place=place,
            at=moment(entry.get("created_at")),
            tags=_tags(entry.get("categories")),
            metadata={**object_of(entry.get("metadata")), **metadata},
        )


def chatgpt(source: ImportSource) -> Iterator[Found]:
    """ChatGPT's export: the live branch of each conversation, and the memories hidden in it."""
    for place, entry in source.entries("conversations"):
        entry = object_of(entry)
        mapping = {id: node for id, node in object_of(entry.get("mapping")).items() if isinstance(node, dict)}
        if not mapping:
            yield Problem(place=place, what="has no messages")
            continue
        turns: Turns = []
        for message in _branch(mapping, str(entry.get("current_node"))):
            yield from _chatgpt_message(place, message, turns)
        session = entry.get("conversation_id") or entry.get("id") or entry.get("title") or place
        yield from talk(f"chatgpt {session}", turns, place, entry.get("create_time"))


def _branch(mapping: dict[str, dict[str, Any]], leaf: str) -> list[dict[str, Any]]:
    """From the root to the message that was last on the screen."""
    messages: list[dict[str, Any]] = []
    node = leaf if leaf in mapping else next((id for id, item in mapping.items() if not item.get("children")), "")
    seen: set[str] = set()
    while node in mapping and node not in seen:
        seen.add(node)
        messages += objects([mapping[node].get("message")])
        node = str(mapping[node].get("parent"))
    return messages[::-1]


def _chatgpt_message(place: str, message: dict[str, Any], turns: Turns) -> Iterator[Found]:
    content, at = object_of(message.get("content")), moment(message.get("create_time"))
    parts = content.get("parts") if isinstance(content.get("parts"), list) else []
    role, metadata = object_of(message.get("author")).get("role"), object_of(message.get("metadata"))
    if content.get("content_type") == "model_editable_context":
        for match in _NUMBERED.finditer(str(content.get("model_set_context") or "")):
            yield Note(text=match[1].strip(), place=place, at=at)
    custom = object_of(metadata.get("user_context_message_data"))
    profile = [custom.get("about_user_message"), custom.get("about_model_message")]
    if content.get("content_type") == "user_editable_context" and not any(profile):
        profile = [content.get("user_profile"), content.get("user_instructions")]  # the same, in words for the model
    for about in dict.fromkeys(about for about in texts_of(profile) if about.strip()):
        yield Note(text=about.strip(), place=place, category="preference")
    hidden = metadata.get("is_visually_hidden_from_conversation")
    readable = content.get("content_type") in ("text", "multimodal_text")
    text = "\n".join(texts_of(parts)).strip()
    if message.get("recipient") == "bio":
        facts = (text or str(content.get("text") or "")).splitlines()
        yield from (Note(text=fact.strip(), place=place, at=at) for fact in facts if fact.strip())
    elif role not in ("user", "assistant") or hidden or not readable or message.get("recipient", "all") != "all":
        yield Skipped("messages of tools and the system, or hidden")
    else:
        yield Skipped("images and files in messages", len(objects(parts)))
        if text:
            turns.append((role, _CITATION.sub("", text), message.get("create_time")))


def claude(source: ImportSource) -> Iterator[Found]:
    """Claude's export: conversations, and the memories kept of them and of projects."""
    for file, value in source.documents("conversations", "memories", "projects"):
        if PurePath(file).stem == "projects":
            yield Skipped("files with descriptions and documents of projects")
            continue
        for number, entry in enumerate(value if isinstance(value, list) else [value]):
            place = f"{file}#{number}"
            if isinstance(entry, dict):
                yield from _claude_entry(place, entry)
            else:
                yield Problem(place=place, what="is not a conversation")


def _claude_entry(place: str, entry: dict[str, Any]) -> Iterator[Found]:
    if "chat_messages" not in entry:
        memories = object_of(entry.get("project_memories")).values()
        for text in texts_of([entry.get("conversations_memory"), *memories]):
            yield from _blocks(text, place)
    turns: Turns = []
    for message in objects(entry.get("chat_messages")):
        files = [*objects(message.get("attachments")), *objects(message.get("files"))]
        yield Skipped("attachments and files", len(files))
        blocks = objects(message.get("content"))
        words = [block for block in blocks if block.get("type") == "text"]
        yield Skipped("thoughts, tool calls and their results", len(blocks) - len(words))
        text = "\n".join(filter(None, map(text_of, words))) or text_of(message.get("text"))
        if text.strip():
            role: Role = "user" if message.get("sender") == "human" else "assistant"
            turns.append((role, text.strip(), message.get("created_at")))
    session = entry.get("uuid") or entry.get("name") or place
    yield from talk(f"claude {session}", turns, place, entry.get("created_at"))


def letta(source: ImportSource) -> Iterator[Found]:
    """A Letta agent file: its memory blocks and its messages."""
    for place, file in source.documents():
        if not isinstance(file, dict):
            yield Problem(place=place, what="is not an agent file")
            continue
        for agent in [file, *objects(file.get("agents"))]:
            for block in [*objects(agent.get("blocks")), *objects(agent.get("core_memory"))]:
                if block.get("value"):
                    yield from _blocks(str(block["value"]), f"{place} {block.get('label', '')}".strip())
            messages = objects(agent.get("messages"))
            turns: Turns = []
            for message in messages:
                role = message.get("role")
                if role in ("user", "assistant") and (text := _letta_text(message)):
                    turns.append((role, text, message.get("created_at")))
            yield Skipped("messages of tools and the system, or without text", len(messages) - len(turns))
            yield from talk(f"letta {agent.get('name') or place}", turns, place)


def _letta_text(message: dict[str, Any]) -> str:
    """What was said. What an agent sends is a tool call where the text beside it is a thought.

    What a person says is wrapped in an object, as are the program's own heartbeats, logins and alerts.
    """
    text = text_of(message.get("content") or message.get("text")).strip()
    if message.get("role") == "assistant":
        calls = [object_of(call.get("function")) for call in objects(message.get("tool_calls"))]
        sent = next((call for call in calls if call.get("name") == "send_message"), {})
        return str(object_of(loaded(sent.get("arguments"))).get("message") or "").strip() or text
    wrapped = loaded(text) if text.startswith("{") else None
    if not isinstance(wrapped, dict) or "type" not in wrapped:
        return text
    return str(wrapped.get("message") or "").strip() if wrapped["type"] == "user_message" else ""


def claude_code(source: ImportSource) -> Iterator[Found]:
    """Claude Code's own memory folder: MEMORY.md is an index, each other file a memory with a type."""
    kinds: dict[str, Category] = {"user": "preference", "feedback": "correction", "project": "context"}
    for file, _, fields, body in source.pages():
        if file.name == "MEMORY.md" and source.path.is_dir() and not fields:
            continue
        category, whole = kinds.get(str(fields.get("type")), "fact"), body.strip()[:LONGEST]
        if not fields:
            yield from _blocks(body, file.name, category=category)
        elif whole:
            yield Note(text=whole, place=file.name, category=category, at=moment(fields.get("modified")))


def instructions(source: ImportSource) -> Iterator[Found]:
    """CLAUDE.md, AGENTS.md, GEMINI.md or rules: each bullet or paragraph under its headings."""
    for page in source.pages():
        yield from _blocks(page.body, page.file.name, category="decision")


def obsidian(source: ImportSource) -> Iterator[Found]:
    """A vault: paragraphs and bullets with their note's tags; links between notes are relations."""
    for file, place, fields, body in source.pages():
        prose = _CODE.sub("", body)
        yield from _blocks(body, place, tags=_tags(fields.get("tags"), *_TAG.findall(prose)), lead=file.stem)
        for target in dict.fromkeys(_LINK.findall(prose)):
            if target.strip() != file.stem:
                yield FoundRelation(subject=file.stem, predicate="related_to", object=target.strip(), place=place)


def markdown_folder(source: ImportSource) -> Iterator[Found]:
    """Markdown files: each bullet or paragraph with its file's name, its headings and its tags."""
    for page in source.pages():
        yield from _blocks(page.body, page.place, tags=_tags(page.fields.get("tags")), lead=page.file.stem)


def basic_memory(source: ImportSource) -> Iterator[Found]:
    """basic-memory's notes: observations with a category, and typed relations."""
    for file, _, fields, body in source.pages():
        title = str(fields.get("title") or file.stem)
        for number, line in enumerate(body.splitlines(), 1):
            place = f"{file.name}:{number}"
            if match := _RELATION.match(line):
                predicate = (match["quoted"] or match["word"]).strip()
                yield FoundRelation(subject=title, predicate=predicate, object=match["target"].strip(), place=place)
            elif (match := _OBSERVATION.match(line)) and match["category"] not in (" ", "x", "X"):
                tags = tuple(dict.fromkeys([*_tags(fields.get("tags")), *_TAG.findall(match["text"])]))
                text = f"{title}: {_TAG.sub('', match['text']).strip()}"
                yield Note(text=text, place=place, tags=tags, metadata={"category": match["category"]})


FORMATS: dict[str, Callable[[ImportSource], Iterator[Found]]] = {
    "mcp-memory": mcp_memory,
    "mem0": mem0,
    "chatgpt": chatgpt,
    "claude": claude,
    "claude-code": claude_code,
    "instructions": instructions,
    "obsidian": obsidian,
    "basic-memory": basic_memory,
    "letta": letta,
    "markdown": markdown_folder,
    "claude-code-transcripts": transcripts.claude_code_transcripts,
    "codex": transcripts.codex,
    "gemini": transcripts.gemini,
    "claude-mem": transcripts.claude_mem,
    "mcp-memory-service": transcripts.mcp_memory_service,
    "zep": zep,
    "hindsight": hindsight,
}


def read(format: str, path: Path) -> Iterator[Found]:
    """Yield everything at a path, including problems at the place where they occurred."""
    source = ImportSource(path)
    for item in FORMATS[format](source):
        while source.problems:
            yield source.problems.pop(0)
        if not isinstance(item, Skipped) or item.number:
            yield item
    yield from source.problems


def guess(path: Path) -> str | None:
    """The format by the look of a path, where that is plain."""
    name = path.name.casefold()
    if name in ("claude.md", "agents.md", "gemini.md") or path.suffix == ".mdc":
        return "instructions"
    if name in ("memory.json", "memory.jsonl"):
        return "mcp-memory"
    if path.suffix == ".af":
        return "letta"
    return "obsidian" if path.is_dir() and (path / ".obsidian").is_dir() else None


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

    yield Skipped("pieces of code", len(_CODE.findall(text)))
    # as many empty lines as the code has, so that places stay right
    plain = _CODE.sub(lambda code: "\n" * code[0].count("\n"), text)
    for number, line in enumerate(plain.splitlines(), 1):
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
            yield Skipped("tables")
        elif re.match(r"^\s*[-*+] \[[ xX]\]", line):
            yield from flush()
            yield Skipped("tasks")
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


def _tags(value: Any, *more: str) -> tuple[str, ...]:
    listed = value if isinstance(value, list) else str(value or "").replace(",", " ").split()
    return tuple(dict.fromkeys(tag.lstrip("#") for tag in [*map(str, listed), *more] if tag))[:20]
