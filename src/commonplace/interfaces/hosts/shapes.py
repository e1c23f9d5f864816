"""Which file of which host gets which entry. Shapes as the hosts document them; nothing here touches a disk."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from commonplace.errors import Invalid
from commonplace.interfaces.hosts import jsontext, tomltext

NAME = "commonplace"
MARK = "commonplace-hook"
"""By which a hook is known to be ours, whatever path stands before it."""
START = "startup|resume|clear|compact|fork"


@dataclass(frozen=True, slots=True)
class Programs:
    """How the host is to call us: by bare name where that is on the path."""

    hook: str = MARK
    server: str = NAME
    tools: bool = False
    """Whether hooks are to run after each use of a tool, too."""


@dataclass(frozen=True, slots=True)
class Part:
    """One file of a host: the way in and the way out, both from text to text."""

    path: Path
    install: Callable[[str, Programs], str]
    remove: Callable[[str], str]
    what: str


@dataclass(frozen=True, slots=True)
class Host:
    name: str
    project: tuple[Part, ...]
    """Files relative to the project."""
    user: tuple[Part, ...]
    """The same, relative to the person's home folder."""
    word: str | None = None
    """What the person must do themselves."""


def host(name: str) -> Host:
    """The host of that name. Raises ``Invalid``."""
    if name not in HOSTS:
        raise Invalid(f"unknown host {name[:40]!r}; one of {', '.join(HOSTS)}")
    return HOSTS[name]


# Claude Code and Codex: one shape, different details

NESTED = {
    "SessionStart": ("session-start", 10, "Loading memory"),
    "UserPromptSubmit": ("prompt", 10, None),
    "PostToolUse": ("tool", 10, None),
    "PreCompact": ("pre-compact", 10, None),
    "PostCompact": ("post-compact", 10, None),
    "Stop": ("stop", 10, None),
    "SessionEnd": ("session-end", 3, None),
}
MATCHERS = {"SessionStart": START, "PostToolUse": "*"}


def claude_hooks(programs: Programs) -> dict[str, list[dict[str, Any]]]:
    """``hooks`` of Claude Code: programs without a shell, seconds to wait."""
    return {event: [_group(event, _claude_handler(programs, event))] for event in _events(programs)}


def codex_hooks(programs: Programs) -> dict[str, list[dict[str, Any]]]:
    """``hooks`` of Codex, which takes a command line and tells how long a page may be."""
    return {event: [_group(event, _codex_handler(programs, event))] for event in _events(programs)}


def cursor_hooks(programs: Programs) -> dict[str, list[dict[str, Any]]]:
    """``hooks`` of Cursor: flat, in camel case."""
    named = {
        "sessionStart": "session-start",
        "beforeSubmitPrompt": "prompt",
        **({"postToolUse": "tool"} if programs.tools else {}),
        "preCompact": "pre-compact",
        "stop": "stop",
        "sessionEnd": "session-end",
    }
    return {event: [{"command": f"{_quoted(programs.hook)} {ours}", "timeout": 10}] for event, ours in named.items()}


def mcp_entry(programs: Programs) -> dict[str, Any]:
    return {"command": programs.server, "args": ["mcp"]}


def _events(programs: Programs) -> list[str]:
    return [event for event in NESTED if programs.tools or event != "PostToolUse"]


def _group(event: str, handler: dict[str, Any]) -> dict[str, Any]:
    return {**({"matcher": MATCHERS[event]} if event in MATCHERS else {}), "hooks": [handler]}


def _claude_handler(programs: Programs, event: str) -> dict[str, Any]:
    ours, seconds, message = NESTED[event]
    handler = {"type": "command", "command": programs.hook, "args": [ours], "timeout": seconds}
    return handler | ({"statusMessage": message} if message else {})


def _codex_handler(programs: Programs, event: str) -> dict[str, Any]:
    ours, seconds, message = NESTED[event]
    handler: dict[str, Any] = {"type": "command", "command": f"{_quoted(programs.hook)} {ours}", "timeout": seconds}
    return handler | ({"statusMessage": message} if message else {})


def _quoted(program: str) -> str:
    return f'"{program}"' if " " in program else program


# From text to text


def _install_hooks(made: Callable[[Programs], dict[str, list[dict[str, Any]]]]) -> Callable[[str, Programs], str]:
    def install(text: str, programs: Programs) -> str:
        for event, groups in made(programs).items():
            for group in groups:
                if not _stands(text, event, group):
                    text = jsontext.with_element(_remove_hooks(text, event), ("hooks", event), group)
        return text

    return install


def _install_cursor(text: str, programs: Programs) -> str:
    if not text.strip() or jsontext.parse(text).find("version") is None:
        text = jsontext.with_member(text, ("version",), 1)
    return _install_hooks(cursor_hooks)(text, programs)


def _remove_cursor(text: str) -> str:
    text = _remove_hooks(text)
    found = jsontext.value_of(text, jsontext.parse(text)) if text.strip() else {}
    return jsontext.without(text, ("version",)) if found == {"version": 1} else text


def _stands(text: str, event: str, group: dict[str, Any]) -> bool:
    node = jsontext.parse(text).find("hooks", event) if text.strip() else None
    found = jsontext.value_of(text, node) if node is not None else []
    return isinstance(found, list) and group in found


def _remove_hooks(text: str, only: str | None = None) -> str:
    """Without any hook of ours, and without the lists and the object that are empty then."""
    while (found := _ours(text, only)) is not None:
        event, index, many = found
        text = jsontext.without(text, ("hooks", event), index) if many > 1 else jsontext.without(text, ("hooks", event))
        holder = jsontext.parse(text).find("hooks")
        if holder is not None and not holder.items:
            text = jsontext.without(text, ("hooks",))
    return text


def _ours(text: str, only: str | None) -> tuple[str, int, int] | None:
    """The first entry that is nothing but ours: its event, its place, and how many stand there."""
    holder = jsontext.parse(text).find("hooks") if text.strip() else None
    for event, _, groups in holder.items if holder else ():
        for index, (_, _, group) in enumerate(groups.items if only in (None, event) else ()):
            if _is_ours(jsontext.value_of(text, group)):
                return event, index, len(groups.items)
    return None


def _is_ours(group: Any) -> bool:
    if not isinstance(group, dict):
        return False
    handlers = group.get("hooks", [group])
    return isinstance(handlers, list) and bool(handlers) and all(_calls_us(one) for one in handlers)


def _calls_us(handler: Any) -> bool:
    command = handler.get("command") if isinstance(handler, dict) else None
    return isinstance(command, str) and MARK in command


def _install_server(text: str, programs: Programs) -> str:
    if text.strip() and jsontext.parse(text).find("mcpServers", NAME) is not None:
        return text
    return jsontext.with_member(text, ("mcpServers", NAME), mcp_entry(programs))


def _remove_server(text: str) -> str:
    if not text.strip():
        return text
    text = jsontext.without(text, ("mcpServers", NAME))
    holder = jsontext.parse(text).find("mcpServers")
    return jsontext.without(text, ("mcpServers",)) if holder is not None and not holder.items else text


def _install_codex_server(text: str, programs: Programs) -> str:
    command = programs.server.replace("\\", "\\\\").replace('"', '\\"')
    block = f'[mcp_servers.{NAME}]\ncommand = "{command}"\nargs = ["mcp"]'
    return tomltext.with_block(text, block, table=f"mcp_servers.{NAME}")


def _parts(*given: tuple[str, Any, Any, str]) -> tuple[Part, ...]:
    return tuple(Part(Path(path), install, remove, what) for path, install, remove, what in given)


_CLAUDE = (_install_hooks(claude_hooks), _remove_hooks, "hooks")
_CODEX = (_install_hooks(codex_hooks), _remove_hooks, "hooks")
_CURSOR = (_install_cursor, _remove_cursor, "hooks")
_SERVER = (_install_server, _remove_server, "MCP server")
_CODEX_SERVER = (_install_codex_server, tomltext.without_block, "MCP server")

HOSTS = {
    "claude-code": Host(
        "claude-code",
        _parts((".claude/settings.json", *_CLAUDE), (".mcp.json", *_SERVER)),
        _parts((".claude/settings.json", *_CLAUDE), (".claude.json", *_SERVER)),
    ),
    "codex": Host(
        "codex",
        _parts((".codex/hooks.json", *_CODEX), (".codex/config.toml", *_CODEX_SERVER)),
        _parts((".codex/hooks.json", *_CODEX), (".codex/config.toml", *_CODEX_SERVER)),
        word="Codex runs new hooks only once they are trusted: open /hooks there and allow them",
    ),
    "cursor": Host(
        "cursor",
        _parts((".cursor/hooks.json", *_CURSOR), (".cursor/mcp.json", *_SERVER)),
        _parts((".cursor/hooks.json", *_CURSOR), (".cursor/mcp.json", *_SERVER)),
    ),
}
