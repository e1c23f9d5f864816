"""What hosts send to hooks and expect back."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

EVENTS = ("session-start", "prompt", "tool", "pre-compact", "post-compact", "stop", "session-end")
HOSTS: dict[str, Any] = json.loads(Path(__file__).with_name("hosts.json").read_text("utf-8"))
"""How each host names events, the project's folder and its own settings."""
NAMES: dict[str, str] = HOSTS["events"]
CANONICAL = {"session-start": "SessionStart", "prompt": "UserPromptSubmit", "tool": "PostToolUse"}
ANSWERING_TOOL = "attempt_completion"
"""The tool by which Cline gives its answer; it has no event of its own."""
MOST_TOKENS, MOST_CHARACTERS = 2_000, 9_500


@dataclass(frozen=True, slots=True)
class HookEvent:
    """One call of a hook, whichever host made it."""

    name: str
    host: str
    """Which of them calls; ``claude-code`` for one that is not told apart."""
    host_name: str
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
    from_plugin: bool = False
    """Whether the hook belongs to a plugin of ours, which brings the MCP tools along."""
    problem: str | None = None
    """What was wrong with the payload, if anything."""


def read_event(name: str, raw: bytes, variables: Mapping[str, str], path: Path) -> HookEvent:
    """Read a payload. Never raises: what cannot be read is empty, and ``problem`` says so."""
    payload, problem = _payload(raw)
    if "clineVersion" in payload:
        payload = _of_cline(payload)
    elif "agent_action_name" in payload:
        payload = _of_windsurf(payload)
    host_name = _text(payload, "hook_event_name")
    name = name if name in EVENTS else NAMES.get(host_name.lower(), "")
    name = "stop" if _text(payload, "tool_name") == ANSWERING_TOOL else name
    return HookEvent(
        name=name,
        host=_host(host_name, payload, variables),
        host_name=host_name or CANONICAL.get(name, ""),
        folder=_folder(payload, variables, path),
        session=_text(payload, "session_id", "conversation_id") or None,
        prompt=_text(payload, "prompt"),
        source=_text(payload, "source"),
        reason=_text(payload, "reason", "trigger"),
        summary=_text(payload, "compact_summary"),
        reply=_text(payload, "last_assistant_message", "prompt_response", "text"),
        transcript=_text(payload, "transcript_path") or None,
        tool=_text(payload, "tool_name"),
        tool_input=_mapping(payload.get("tool_input")),
        tool_response=_response(payload),
        from_plugin=bool(variables.get("CLAUDE_PLUGIN_ROOT")),
        problem=problem,
    )


def answer_json(event: HookEvent, context: str, notices: list[str]) -> str:
    """The JSON that the host expects, with a page for the model and one line for the person."""
    notice = "Commonplace: " + "; ".join(dict.fromkeys(notices)) if notices else ""
    injects = event.name in ("session-start", "prompt") and bool(context)
    answer: dict[str, Any] = {}
    if event.host == "cursor":
        visible = "\n".join(part for part in (notice, context if injects else "") if part)
        if event.name == "prompt":
            answer["continue"] = True
        if event.name in ("session-start", "prompt") and visible:
            answer["additional_context"] = visible
    elif event.host == "cline":
        added = {"contextModification": context} if injects else {}
        answer = {"cancel": False, **added, "errorMessage": notice[:500]}
    elif event.host != "windsurf":  # which takes exit codes only
        if injects:
            host_name = event.host_name if event.host_name[:1].isupper() else CANONICAL[event.name]
            answer["hookSpecificOutput"] = {"hookEventName": host_name, "additionalContext": context}
        if notice:
            answer["systemMessage"] = notice[:500]
    return json.dumps(answer)


def _payload(raw: bytes) -> tuple[Mapping[str, Any], str | None]:
    if not raw.strip():
        return {}, "the host sent no payload"
    try:
        payload = json.loads(raw.decode("utf-8-sig", "replace"))
    except (ValueError, RecursionError):
        return {}, "the host's payload cannot be read as JSON"
    return (payload, None) if isinstance(payload, dict) else ({}, "the host's payload is not an object")


def _of_windsurf(payload: Mapping[str, Any]) -> Mapping[str, Any]:
    """A payload of Windsurf under the names of Claude Code."""
    action, details = _text(payload, "agent_action_name"), _mapping(payload.get("tool_info"))
    command, file = _text(details, "command_line"), _text(details, "file_path")
    return {
        "host": "windsurf",
        "hook_event_name": action,
        "session_id": _text(payload, "trajectory_id"),
        "cwd": _text(details, "cwd"),
        "prompt": _text(details, "user_prompt"),
        "last_assistant_message": _text(details, "response"),
        "tool_name": "Bash" if command else "Write" if file else "",
        "tool_input": {"command": command} if command else {"file_path": file},
    }


def _of_cline(payload: Mapping[str, Any]) -> Mapping[str, Any]:
    """A payload of Cline under the names of Claude Code; the details lie in a field that is named for the event."""
    event = _text(payload, "hookName")
    details = _mapping(next((payload[name] for name in payload if name.lower() in NAMES), None))
    parameters = _mapping(details.get("parameters"))
    return {
        "host": "cline",
        "hook_event_name": event,
        "session_id": _text(payload, "taskId"),
        "cwd": _text(payload, "workspacePath"),
        "workspace_roots": payload.get("workspaceRoots"),
        "source": "resume" if "taskResume" in payload else "startup",
        "prompt": _text(details, "prompt"),
        "last_assistant_message": _text(parameters, "result"),
        "tool_name": _text(details, "tool", "toolName"),
        "tool_input": parameters,
        "tool_response": {"stdout": details.get("result"), "is_error": details.get("success") is False},
    }


def _response(payload: Mapping[str, Any]) -> Any:
    """What a tool answered; text that is JSON, as Cursor sends it, is read."""
    fields = ("tool_response", "tool_output", "error", "error_message")
    response = next((payload[name] for name in fields if name in payload), None)
    if isinstance(response, str) and response.startswith("{"):
        try:
            return json.loads(response)
        except (ValueError, RecursionError):
            return response
    return response


def _host(host_name: str, payload: Mapping[str, Any], variables: Mapping[str, str]) -> str:
    if payload.get("host") in ("opencode", "windsurf", "cline"):
        return str(payload["host"])
    if "DEVIN_PROJECT_DIR" in variables:
        return "devin"
    if host_name[:1].islower() or payload.keys() & {"conversation_id", "cursor_version"}:
        return "cursor"
    if not host_name and "CURSOR_VERSION" in variables:
        return "cursor"
    if host_name in ("BeforeAgent", "AfterAgent", "AfterTool", "PreCompress") or "GEMINI_PROJECT_DIR" in variables:
        return "gemini"
    if "turn_id" in payload or ("CODEX_HOME" in variables and "CLAUDE_PROJECT_DIR" not in variables):
        return "codex"
    if payload.get("source") == "new" or ("timestamp" in payload and "permission_mode" not in payload):
        return "vscode"
    return "claude-code"


def _folder(payload: Mapping[str, Any], variables: Mapping[str, str], path: Path) -> Path:
    roots = payload.get("workspace_roots")
    folders = [
        _text(payload, "cwd"),
        roots[0] if isinstance(roots, list) and roots and isinstance(roots[0], str) else "",
        *(variables.get(name, "") for name in HOSTS["folders"]),
    ]
    for folder in folders:
        if folder and "\0" not in folder and Path(folder).is_dir():
            return Path(folder)
    return path


def _text(payload: Mapping[str, Any], *names: str) -> str:
    return next((payload[name] for name in names if isinstance(payload.get(name), str)), "")


def _mapping(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}
