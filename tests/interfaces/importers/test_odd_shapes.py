"""Exports that are not what they should be: any part of them may be of another type, and nothing else is lost."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from commonplace.interfaces.importers.formats import read as read_found
from commonplace.interfaces.importers.found import FoundRelation, Note, Talk

DOCUMENTS: dict[str, Any] = {
    "mem0": {
        "results": [
            {
                "id": "1",
                "memory": "likes tea",
                "created_at": "2025-01-01T00:00:00Z",
                "categories": ["a"],
                "metadata": {"x": 1},
                "user_id": "u",
            }
        ]
    },
    "chatgpt": [
        {
            "title": "t",
            "create_time": 1.0,
            "current_node": "b",
            "conversation_id": "c",
            "mapping": {
                "a": {
                    "id": "a",
                    "parent": None,
                    "children": ["b"],
                    "message": {
                        "author": {"role": "user"},
                        "create_time": 2.0,
                        "content": {"content_type": "text", "parts": ["hi"]},
                        "metadata": {"user_context_message_data": {"about_user_message": "x"}},
                        "recipient": "all",
                    },
                },
                "b": {
                    "id": "b",
                    "parent": "a",
                    "children": [],
                    "message": {
                        "author": {"role": "assistant"},
                        "recipient": "bio",
                        "content": {
                            "content_type": "model_editable_context",
                            "model_set_context": "1. [2025-01-01]. likes tea",
                            "parts": ["a", {"x": 1}],
                        },
                        "metadata": None,
                    },
                },
            },
        }
    ],
    "claude": [
        {
            "uuid": "u",
            "name": "n",
            "created_at": "2025-01-01T00:00:00Z",
            "chat_messages": [
                {
                    "sender": "human",
                    "text": "hi",
                    "content": [{"type": "text", "text": "hi"}, {"type": "tool_use"}],
                    "created_at": "2025-01-01T00:00:00Z",
                    "attachments": [{}],
                    "files": [{}],
                }
            ],
        },
        {"conversations_memory": "# A\n- b", "project_memories": {"p": "c"}},
    ],
    "letta": {
        "name": "a",
        "agents": [
            {
                "name": "b",
                "blocks": [{"label": "h", "value": "- likes tea"}],
                "core_memory": [{"value": "x"}],
                "messages": [
                    {
                        "role": "user",
                        "content": [{"type": "text", "text": '{"type":"user_message","message":"hi"}'}],
                        "created_at": "2025-01-01T00:00:00Z",
                    },
                    {
                        "role": "assistant",
                        "tool_calls": [{"function": {"name": "send_message", "arguments": '{"message":"yo"}'}}],
                        "content": None,
                    },
                ],
            }
        ],
    },
    "gemini": [
        {
            "header": "Gemini Apps",
            "title": "Prompted hi",
            "time": "2025-01-01T00:00:00Z",
            "safeHtmlItem": [{"html": "<p>yo</p>"}],
        }
    ],
    "claude-mem": {
        "observations": [
            {
                "id": 1,
                "type": "bugfix",
                "title": "t",
                "facts": '["a","b"]',
                "narrative": "n",
                "created_at": "2025-01-01",
                "created_at_epoch": 1,
            }
        ],
        "summaries": [{"learned": "x"}],
        "prompts": [{"a": 1}],
    },
    "mcp-memory-service": {
        "memories": [
            {
                "content": "x",
                "tags": "a,b",
                "memory_type": "decision",
                "created_at": 1.0,
                "metadata": '{"a":1}',
                "content_hash": "h",
            },
            {"content": "y", "tags": ["a"]},
        ]
    },
    "zep": {
        "edges": [
            {
                "uuid": "e",
                "fact": "x",
                "name": "KNOWS",
                "valid_at": "2025-01-01",
                "invalid_at": None,
                "source_node_uuid": "n",
                "target_node_uuid": "m",
                "source_node_labels": ["Entity", "Person"],
            }
        ],
        "nodes": [{"uuid": "n", "name": "Ada", "summary": "s", "labels": ["Person"]}],
        "episodes": [{"content": "c", "source": "text", "created_at": "2025-01-01"}],
        "messages": [{"role": "user", "content": "hi", "created_at": "2025-01-01T00:00:00Z"}],
        "threads": [{"thread_id": "t", "messages": [{"role": "user", "content": "hi"}]}],
    },
    "hindsight": {
        "id": "d",
        "facts": [
            {
                "id": "f",
                "text": "x",
                "fact_type": "observation",
                "entities": ["a"],
                "tags": ["t"],
                "occurred_start": "2025-01-01",
                "state": "ok",
            }
        ],
        "original_text": "o",
        "items": [{"text": "y", "date": "2025", "entities": "a, b"}],
    },
}
LINES: dict[str, Any] = {
    "mcp-memory": [
        {"type": "entity", "name": "Ada", "entityType": "person", "observations": ["likes tea"]},
        {"type": "relation", "from": "Ada", "to": "Bob", "relationType": "knows"},
    ],
    "claude-code-transcripts": [
        {
            "type": "user",
            "sessionId": "s",
            "timestamp": "2025-01-01T00:00:00Z",
            "message": {"role": "user", "content": "hi"},
        },
        {
            "type": "assistant",
            "isSidechain": False,
            "message": {"content": [{"type": "text", "text": "yo"}, {"type": "tool_use", "input": {}}]},
        },
    ],
    "codex": [
        {"type": "session_meta", "payload": {"id": "s"}},
        {
            "type": "response_item",
            "timestamp": "2025-01-01T00:00:00Z",
            "payload": {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "hi"}]},
        },
    ],
}
ODD = [None, 0, -1, True, "", "x", [], {}, [None], [[]], {"a": None}, ["x"], [1], "\ud800", 1e18]


def parts(value: Any) -> Iterator[tuple[Any, ...]]:
    """The way to every part of a JSON value."""
    yield ()
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for name, part in items:
        yield from ((name, *way) for way in parts(part))


def changed(value: Any, way: tuple[Any, ...], odd: Any) -> Any:
    if not way:
        return odd
    copy = dict(value) if isinstance(value, dict) else list(value)
    copy[way[0]] = changed(value[way[0]], way[1:], odd)
    return copy


def read(format: str, folder: Path, value: Any) -> int:
    """How much is found."""
    path = folder / ("rollout-1.jsonl" if format in LINES else "conversations.json")
    lines = value if format in LINES and isinstance(value, list) else [value]
    path.write_text("\n".join(map(json.dumps, lines)), "utf-8")
    return sum(isinstance(found, Note | Talk | FoundRelation) for found in read_found(format, path))


@pytest.mark.parametrize("format", [*DOCUMENTS, *LINES])
def test_no_type_of_any_part_breaks_an_import(format: str, tmp_path: Path) -> None:
    whole = {**DOCUMENTS, **LINES}[format]
    assert read(format, tmp_path, whole) > 0
    for way in parts(whole):
        for odd in ODD:
            read(format, tmp_path, changed(whole, way, odd))


@pytest.mark.parametrize("format", DOCUMENTS)
def test_one_odd_entry_keeps_nothing_else_out(format: str, tmp_path: Path) -> None:
    whole = DOCUMENTS[format]
    lists = [whole] if isinstance(whole, list) else [value for value in whole.values() if isinstance(value, list)]
    count = read(format, tmp_path, whole)
    for entries in lists:
        entries[:0] = [7, None, "x"]
    try:
        assert read(format, tmp_path, whole) >= count
    finally:
        for entries in lists:
            del entries[:3]


@pytest.mark.parametrize("format", [*DOCUMENTS, *LINES])
def test_nesting_without_end_is_a_problem_of_its_file(format: str, tmp_path: Path) -> None:
    path = tmp_path / ("rollout-1.jsonl" if format in LINES else "conversations.json")
    path.write_text("[" * 100_000)
    assert [found.what for found in read_found(format, path)] == ["is nested too deeply"]


def test_a_byte_order_mark_hides_no_heading(tmp_path: Path) -> None:
    path = tmp_path / "notes.md"
    path.write_bytes("\ufeff---\r\ntags: [a]\r\n---\r\n# Rules\r\n- Use tabs\r\n".encode())
    assert [(note.text, note.tags) for note in read_found("markdown", path)] == [("notes › Rules: Use tabs", ("a",))]
