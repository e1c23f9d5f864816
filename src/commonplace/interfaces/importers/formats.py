"""The formats: one small reader each, from a path to what is found there."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from commonplace.interfaces.importers.found import Found, Note, Problem, Talk, Tie
from commonplace.interfaces.importers.reading import documents, front_matter, lines, markdown, moment, timed
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
        kind = given.get("type") if isinstance(given, dict) else None
        if kind == "entity" and (name := given.get("name") or given.get("entityName") or given.get("id")):
            types[name] = str(given.get("entityType") or "topic").casefold()
            for text in given.get("observations") or []:
                yield Note(text=f"{name}: {text}", place=place, metadata={"entity": name})
        elif kind == "relation":
            ends = [given.get(one) or given.get(f"{one}_id") for one in ("from", "to")]
            predicate = given.get("relationType") or given.get("relation_type")
            if all(ends) and predicate:
                yield Tie(
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
        for number, one in enumerate(entries if isinstance(entries, list) else []):
            text = (one.get("memory") or one.get("data")) if isinstance(one, dict) else None
            if not text:
                yield Problem(place=f"{place}#{number}", what="has no memory text")
                continue
            metadata = {name: one[name] for name in ("user_id", "agent_id", "run_id") if one.get(name)}
            yield Note(
                text=text,
                place=f"{place}#{number}",
                at=moment(one.get("created_at")),
                metadata={**(one.get("metadata") or {}), **metadata},
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
    mapping = one.get("mapping") if isinstance(one, dict) else None
    if not isinstance(mapping, dict):
        yield Problem(place=place, what="has no messages")
        return
    said: list[tuple[Role, str, Any]] = []
    for message in _branch(mapping, one.get("current_node")):
        content = message.get("content") or {}
        role = (message.get("author") or {}).get("role")
        yield from _chatgpt_memories(place, message, content)
        hidden = (message.get("metadata") or {}).get("is_visually_hidden_from_conversation")
        if (
            role not in ("user", "assistant")
            or hidden
            or content.get("content_type") not in ("text", "multimodal_text")
        ):
            continue
        text = "\n".join(part for part in content.get("parts") or [] if isinstance(part, str)).strip()
        if text and message.get("recipient", "all") == "all":
            said.append((role, _CITATION.sub("", text), message.get("create_time")))
    if said:
        session = str(one.get("conversation_id") or one.get("id") or one.get("title") or place)
        yield Talk(session=f"chatgpt {session}"[:500], messages=timed(said, one.get("create_time")), place=place)


def _branch(mapping: dict[str, Any], leaf: Any) -> list[dict[str, Any]]:
    """From the root to the message that was last on the screen."""
    found: list[dict[str, Any]] = []
    node = leaf if leaf in mapping else next((id for id, one in mapping.items() if not one.get("children")), None)
    seen: set[str] = set()
    while node in mapping and node not in seen:
        seen.add(node)
        if mapping[node].get("message"):
            found.append(mapping[node]["message"])
        node = mapping[node].get("parent")
    return found[::-1]


def _chatgpt_memories(place: str, message: dict[str, Any], content: dict[str, Any]) -> Iterator[Note]:
    if content.get("content_type") == "model_editable_context":
        for found in _NUMBERED.finditer(str(content.get("model_set_context") or "")):
            yield Note(text=found[1].strip(), place=place, at=moment(message.get("create_time")))
    given = (message.get("metadata") or {}).get("user_context_message_data") or {}
    for text in (given.get("about_user_message"), given.get("about_model_message")):
        if text:
            yield Note(text=text, place=place, category="preference")


def claude(path: Path) -> Iterator[Found]:
    """Claude's export: conversations, and the memories kept of them and of projects."""
    for document in documents(path, "conversations", "memories"):
        if isinstance(document, Problem):
            yield document
            continue
        place, given = document
        for number, one in enumerate(given if isinstance(given, list) else [given]):
            if not isinstance(one, dict):
                yield Problem(place=f"{place}#{number}", what="is not a conversation")
            elif "chat_messages" in one:
                yield from _claude_talk(f"{place}#{number}", one)
            else:
                yield from _claude_memories(f"{place}#{number}", one)


def _claude_talk(place: str, one: dict[str, Any]) -> Iterator[Talk]:
    said: list[tuple[Role, str, Any]] = []
    for message in one.get("chat_messages") or []:
        blocks = [block.get("text", "") for block in message.get("content") or [] if block.get("type") == "text"]
        text = "\n".join(part for part in blocks if part) or message.get("text") or ""
        if text.strip():
            role: Role = "user" if message.get("sender") == "human" else "assistant"
            said.append((role, text.strip(), message.get("created_at")))
    if said:
        session = f"claude {one.get('uuid') or one.get('name') or place}"[:500]
        yield Talk(session=session, messages=timed(said, one.get("created_at")), place=place)


def _claude_memories(place: str, one: dict[str, Any]) -> Iterator[Note]:
    texts = [one.get("conversations_memory"), *(one.get("project_memories") or {}).values()]
    for text in texts:
        yield from _blocks(str(text or ""), place)


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
        for agent in [given, *(one for one in given.get("agents") or [] if isinstance(one, dict))]:
            blocks = [*(agent.get("blocks") or []), *(agent.get("core_memory") or [])]
            for block in blocks:
                if isinstance(block, dict) and block.get("value"):
                    yield from _blocks(str(block["value"]), f"{place} {block.get('label', '')}".strip())
            said = _letta_said(agent.get("messages") or [])
            if said:
                yield Talk(session=f"letta {agent.get('name') or place}"[:500], messages=timed(said, None), place=place)


def _letta_said(messages: list[dict[str, Any]]) -> list[tuple[Role, str, Any]]:
    said: list[tuple[Role, str, Any]] = []
    for one in messages:
        text = one.get("content") or one.get("text")
        if one.get("role") in ("user", "assistant") and isinstance(text, str) and text.strip():
            said.append((one["role"], text, one.get("created_at")))
    return said


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
                yield Tie(subject=file.stem, predicate="related_to", object=target.strip(), place=place)


def basic_memory(path: Path) -> Iterator[Found]:
    """basic-memory's notes: observations with a category, and typed relations."""
    for file, text in markdown(path):
        fields, body = front_matter(text)
        title = str(fields.get("title") or file.stem)
        for number, line in enumerate(body.splitlines(), 1):
            place = f"{file.name}:{number}"
            if found := _RELATION.match(line):
                predicate = (found["quoted"] or found["word"]).strip()
                yield Tie(subject=title, predicate=predicate, object=found["target"].strip(), place=place)
            elif (found := _OBSERVATION.match(line)) and found["category"] not in (" ", "x", "X"):
                tags = tuple(dict.fromkeys([*_tags(fields.get("tags"), ""), *_TAG.findall(found["text"])]))
                said = _TAG.sub("", found["text"]).strip()
                yield Note(text=f"{title}: {said}", place=place, tags=tags, metadata={"category": found["category"]})


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


def _blocks(
    text: str, place: str, *, category: Category = "fact", tags: tuple[str, ...] = (), lead: str = ""
) -> Iterator[Note]:
    """Each bullet and each paragraph of a Markdown text, with the headings it stands under."""
    headings: list[str] = []
    paragraph: list[str] = []
    started = 1

    def flush() -> Iterator[Note]:
        whole = " ".join(paragraph).strip()
        paragraph.clear()
        if len(whole) > 2:
            above = " › ".join(part for part in (lead, *headings) if part)
            said = f"{above}: {whole}" if above else whole
            yield Note(text=said[:LONGEST], place=f"{place}:{started}", category=category, tags=tags)

    for number, line in enumerate(_CODE.sub("", text).splitlines(), 1):
        heading, bullet = re.match(r"^(#{1,6})\s+(.*)$", line), _BULLET.match(line)
        if heading or bullet or not line.strip():
            yield from flush()
        if heading:
            headings[len(heading[1]) - 1 :] = [heading[2].strip()]
        elif bullet:
            paragraph.append(bullet[1].strip())
            started = number
        elif line.strip() and not re.match(r"^\s*(?:[-*_]{3,}|\|.*\||- \[[ xX]\].*|<!--.*)\s*$", line):
            started = started if paragraph else number
            paragraph.append(line.strip())
    yield from flush()


def _tags(given: Any, body: str) -> tuple[str, ...]:
    listed = given if isinstance(given, list) else str(given or "").replace(",", " ").split()
    return tuple(dict.fromkeys(tag.lstrip("#") for tag in [*listed, *_TAG.findall(_CODE.sub("", body))] if tag))[:20]
