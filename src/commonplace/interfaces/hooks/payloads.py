"""What hosts tell their hooks and want to hear: Claude Code, Codex, Cursor; Gemini CLI and VS Code as well."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

EVENTS = ("session-start", "prompt", "tool", "pre-compact", "post-compact", "stop", "session-end")
NAMES = {
    "sessionstart": "session-start",
    "userpromptsubmit": "prompt",
    "beforesubmitprompt": "prompt",
    "beforeagent": "prompt",
    "posttooluse": "tool",
    "posttoolusefailure": "tool",
    "aftertool": "tool",
    "precompact": "pre-compact",
    "precompress": "pre-compact",
    "postcompact": "post-compact",
    "stop": "stop",
    "afteragent": "stop",
    "sessionend": "session-end",
}
"""What hosts call an event, in small letters → what we call it."""
CANONICAL = {"session-start": "SessionStart", "prompt": "UserPromptSubmit", "tool": "PostToolUse"}
MOST_TOKENS, MOST_CHARACTERS = 2_000, 9_500


@dataclass(frozen=True, slots=True)
class Event:
    """One call of a hook, whichever host made it."""

    name: str
    host: str
    """``claude-code``, ``codex``, ``cursor``, ``gemini`` or ``vscode``."""
    called: str
    """The host's own name for the event, which its answer must repeat."""
    folder: Path
    session: str | None = None
    prompt: str = ""
    source: str = ""
    """Of a session's start: startup, resume, clear, compact, fork, new."""
    reason: str = ""
    summary: str = ""
    reply: str = ""
    transcript: str | None = None
    tool: str = ""
    tool_input: Mapping[str, Any] = field(default_factory=dict)
    tool_response: Any = None
    word: str | None = None
    """What was wrong with the payload, if anything."""


def event(name: str, raw: bytes, variables: Mapping[str, str], here: Path) -> Event:
    """Read a payload. Never raises: what cannot be read is empty, and ``word`` says so."""
    payload, word = _payload(raw)
    called = _text(payload, "hook_event_name")
    name = name if name in EVENTS else NAMES.get(called.lower(), "")
    return Event(
        name=name,
        host=_host(called, payload, variables),
        called=called or CANONICAL.get(name, ""),
        folder=_folder(payload, variables, here),
        session=_text(payload, "session_id", "conversation_id") or None,
        prompt=_text(payload, "prompt"),
        source=_text(payload, "source"),
        reason=_text(payload, "reason", "trigger"),
        summary=_text(payload, "compact_summary"),
        reply=_text(payload, "last_assistant_message", "prompt_response"),
        transcript=_text(payload, "transcript_path") or None,
        tool=_text(payload, "tool_name"),
        tool_input=_mapping(payload.get("tool_input")),
        tool_response=payload.get("tool_response", payload.get("tool_output", payload.get("error"))),
        word=word,
    )


def answer(event: Event, context: str, notices: list[str]) -> str:
    """The JSON that the host expects, with a page for the model and one line for the person."""
    notice = "Commonplace: " + "; ".join(dict.fromkeys(notices)) if notices else ""
    injects = event.name in ("session-start", "prompt") and bool(context)
    told: dict[str, Any] = {}
    if event.host == "cursor":
        shown = "\n".join(one for one in (notice, context if injects else "") if one)
        if event.name == "prompt":
            told["continue"] = True
        if event.name in ("session-start", "prompt") and shown:
            told["additional_context"] = shown
        return json.dumps(told)
    if injects:
        called = event.called if event.called[:1].isupper() else CANONICAL[event.name]
        told["hookSpecificOutput"] = {"hookEventName": called, "additionalContext": context}
    if notice:
        told["systemMessage"] = notice[:500]
    return json.dumps(told)


def _payload(raw: bytes) -> tuple[Mapping[str, Any], str | None]:
    if not raw.strip():
        return {}, "the host sent no payload"
    try:
        found = json.loads(raw.decode("utf-8-sig", "replace"))
    except (ValueError, RecursionError):
        return {}, "the host's payload cannot be read as JSON"
    return (found, None) if isinstance(found, dict) else ({}, "the host's payload is not an object")


def _host(called: str, payload: Mapping[str, Any], variables: Mapping[str, str]) -> str:
    if called[:1].islower() or "conversation_id" in payload or "cursor_version" in payload:
        return "cursor"
    if not called and "CURSOR_VERSION" in variables:
        return "cursor"
    if called in ("BeforeAgent", "AfterAgent", "AfterTool", "PreCompress") or "GEMINI_PROJECT_DIR" in variables:
        return "gemini"
    if "turn_id" in payload or ("CODEX_HOME" in variables and "CLAUDE_PROJECT_DIR" not in variables):
        return "codex"
    if payload.get("source") == "new" or ("timestamp" in payload and "permission_mode" not in payload):
        return "vscode"
    return "claude-code"


def _folder(payload: Mapping[str, Any], variables: Mapping[str, str], here: Path) -> Path:
    roots = payload.get("workspace_roots")
    given = [
        _text(payload, "cwd"),
        roots[0] if isinstance(roots, list) and roots and isinstance(roots[0], str) else "",
        *(variables.get(name, "") for name in ("CLAUDE_PROJECT_DIR", "CURSOR_PROJECT_DIR", "GEMINI_PROJECT_DIR")),
    ]
    for one in given:
        if one and "\0" not in one and Path(one).is_dir():
            return Path(one)
    return here


def _text(payload: Mapping[str, Any], *names: str) -> str:
    return next((payload[name] for name in names if isinstance(payload.get(name), str)), "")


def _mapping(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}
