"""Which file of which host gets which entry. Formats as the hosts document them; nothing here touches a disk."""

import sys
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from commonplace.errors import Invalid
from commonplace.interfaces.hosts import guidance, jsontext, tomltext
from commonplace.interfaces.hosts.guidance import MARK, OURS, Programs

NAME = guidance.NAME
START = "startup|resume|clear|compact|fork"


@dataclass(frozen=True, slots=True)
class HostFile:
    """One file of a host: how our entry gets in and out, both from text to text."""

    path: Path
    """Relative to the project, or to the person's home folder."""
    install: Callable[[str, Programs], str]
    remove: Callable[[str], str]
    what: str
    in_home: bool = False


@dataclass(frozen=True, slots=True)
class Host:
    name: str
    project: tuple[HostFile, ...]
    """For this project and this person."""
    user: tuple[HostFile, ...]
    """For all projects of this person."""
    shared: tuple[HostFile, ...] = ()
    """In place of ``project``, for everybody who works on the project; empty: the same files."""
    folders: tuple[str, ...] = ()
    """Folders in the project or in the home folder that show that it is used."""
    program: str | None = None
    """Its program, where it has one."""
    note: str | None = None
    """What the person must do themselves."""

    def without_server(self) -> "Host":
        """The same without files that hold an MCP entry."""
        kept: dict[str, Any] = {
            name: tuple(file for file in getattr(self, name) if "MCP" not in file.what) for name in _FILES
        }
        return replace(self, **kept)


_FILES = ("project", "user", "shared")


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
    "PostToolUseFailure": ("tool", 10, None),
    "PreCompact": ("pre-compact", 10, None),
    "PostCompact": ("post-compact", 10, None),
    "Stop": ("stop", 10, None),
    "SessionEnd": ("session-end", 3, None),
}
WORK = "Bash|Edit|MultiEdit|Write|NotebookEdit|shell|apply_patch"
"""Tools that run or change something; a hook after each look into a file would only cost time."""
MATCHERS = {"SessionStart": START, "PostToolUse": WORK, "PostToolUseFailure": WORK}
TOOL_EVENTS = ("PostToolUse", "PostToolUseFailure")
"""Claude Code tells failures by an event of their own; the other hosts with its names have one event for both."""


def claude_hooks(programs: Programs) -> dict[str, list[dict[str, Any]]]:
    """``hooks`` of Claude Code: programs without a shell, seconds to wait."""
    return {event: [_group(event, _claude_handler(programs, event))] for event in _events(programs)}


def codex_hooks(programs: Programs) -> dict[str, list[dict[str, Any]]]:
    """``hooks`` of Codex, which takes a command line and tells how long a page may be."""
    events = [event for event in _events(programs) if event != "PostToolUseFailure"]
    return {event: [_group(event, _codex_handler(programs, event))] for event in events}


def cursor_hooks(programs: Programs) -> dict[str, list[dict[str, Any]]]:
    """``hooks`` of Cursor: flat, in camel case."""
    named = {
        "sessionStart": "session-start",
        "beforeSubmitPrompt": "prompt",
        **({"postToolUse": "tool", "postToolUseFailure": "tool"} if programs.tools else {}),
        "preCompact": "pre-compact",
        "afterAgentResponse": "stop",  # its `stop` event holds no answer
        "sessionEnd": "session-end",
    }
    return {event: [{"command": f"{_quoted(programs.hook)} {ours}", "timeout": 10}] for event, ours in named.items()}


def gemini_hooks(programs: Programs) -> dict[str, list[dict[str, Any]]]:
    """``hooks`` of Gemini CLI, which counts milliseconds."""
    named = {
        "SessionStart": "session-start",
        "BeforeAgent": "prompt",
        **({"AfterTool": "tool"} if programs.tools else {}),
        "AfterAgent": "stop",
        "PreCompress": "pre-compact",
        "SessionEnd": "session-end",
    }
    command = _quoted(programs.hook)
    return {
        event: [{"hooks": [{"type": "command", "command": f"{command} {ours}", "timeout": 10_000}]}]
        for event, ours in named.items()
    }


def vscode_hooks(programs: Programs) -> dict[str, list[dict[str, Any]]]:
    """``hooks`` of VS Code: flat, with Claude Code's names for the events."""
    command = _quoted(programs.hook)
    return {
        event: [{"type": "command", "command": f"{command} {NESTED[event][0]}", "timeout": 10}]
        for event in _events(programs)
        if event not in ("PostToolUseFailure", "PostCompact", "SessionEnd")
    }


def windsurf_hooks(programs: Programs) -> dict[str, list[dict[str, Any]]]:
    """``hooks`` of Windsurf, which take nothing back for the model: they only keep what was said and done."""
    names = {
        "pre_user_prompt": "prompt",
        **({"post_run_command": "tool", "post_write_code": "tool"} if programs.tools else {}),
        "post_cascade_response": "stop",
    }
    command = _quoted(programs.hook)
    return {event: [{"command": f"{command} {ours}", "show_output": False}] for event, ours in names.items()}


def devin_hooks(programs: Programs) -> dict[str, list[dict[str, Any]]]:
    """Hooks of Devin Desktop, as Windsurf is called now: with Claude Code's names, and tools of its own."""
    command = _quoted(programs.hook)
    return {
        event: [
            {
                **({"matcher": "exec|edit|write"} if event in TOOL_EVENTS else {}),
                "hooks": [{"type": "command", "command": f"{command} {NESTED[event][0]}", "timeout": 10}],
            }
        ]
        for event in _events(programs)
        if event not in ("PostToolUseFailure", "PreCompact", "PostCompact")
    }


def mcp_entry(programs: Programs) -> dict[str, Any]:
    return {"command": programs.server, "args": ["mcp"]}


def _events(programs: Programs) -> list[str]:
    return [event for event in NESTED if programs.tools or event not in TOOL_EVENTS]


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


def _install_hooks(
    made: Callable[[Programs], dict[str, list[dict[str, Any]]]], holder: tuple[str, ...] = ("hooks",)
) -> Callable[[str, Programs], str]:
    """``holder`` is where the events stand in the file."""

    def install(text: str, programs: Programs) -> str:
        for event, groups in made(programs).items():
            for group in groups:
                if not _stands(text, (*holder, event), group):
                    text = jsontext.with_element(_remove_hooks(text, event, holder), (*holder, event), group)
        return text

    return install


def _versioned(made: Callable[[Programs], dict[str, list[dict[str, Any]]]]) -> tuple[Any, Any, str]:
    """Hooks of a host that wants the version of its format beside them."""

    def install(text: str, programs: Programs) -> str:
        if not text.strip() or jsontext.parse(text).find("version") is None:
            text = jsontext.with_member(text, ("version",), 1)
        return _install_hooks(made)(text, programs)

    return install, _remove_versioned, "hooks"


def _remove_versioned(text: str) -> str:
    text = _remove_hooks(text)
    found = jsontext.value_of(text, jsontext.parse(text)) if text.strip() else {}
    return jsontext.without(text, ("version",)) if found == {"version": 1} else text


def _stands(text: str, path: tuple[str, ...], group: dict[str, Any]) -> bool:
    node = jsontext.parse(text).find(*path) if text.strip() else None
    found = jsontext.value_of(text, node) if node is not None else []
    return isinstance(found, list) and group in found


def _remove_hooks(text: str, only: str | None = None, holder: tuple[str, ...] = ("hooks",)) -> str:
    """Without any hook of ours, and without the lists and the object that are empty then."""
    while (found := _ours(text, only, holder)) is not None:
        event, index, many = found
        text = jsontext.without(text, (*holder, event), index if many > 1 else None)
        node = jsontext.parse(text).find(*holder)
        if holder and node is not None and not node.items:
            text = jsontext.without(text, holder)
    return text


def _ours(text: str, only: str | None, holder: tuple[str, ...]) -> tuple[str, int, int] | None:
    """The first entry that is nothing but ours: its event, its place, and how many stand there."""
    node = jsontext.parse(text).find(*holder) if text.strip() else None
    for event, _, groups in node.items if node else ():
        for index, (_, _, group) in enumerate(groups.items if only in (None, event) else ()):
            if _is_ours(jsontext.value_of(text, group)):
                return event, index, len(groups.items)
    return None


def _is_ours(group: Any) -> bool:
    if not isinstance(group, dict):
        return False
    handlers = group.get("hooks", [group])
    return isinstance(handlers, list) and bool(handlers) and all(_calls_us(handler) for handler in handlers)


def _calls_us(handler: Any) -> bool:
    command = handler.get("command") if isinstance(handler, dict) else None
    return isinstance(command, str) and MARK in command


def _server_in(*path: str, entry: Callable[[Programs], dict[str, Any]] = mcp_entry) -> tuple[Any, Any, str]:
    """Our MCP server as a member of the object at ``path``."""

    def install(text: str, programs: Programs) -> str:
        ours = entry(programs)
        node = jsontext.parse(text).find(*path, NAME) if text.strip() else None
        if node is not None:
            standing = jsontext.value_of(text, node)
            if standing == ours or not _moved(standing, ours):
                return text  # the person changed it
            text = jsontext.without(text, (*path, NAME))
        return jsontext.with_member(text, (*path, NAME), ours)

    def remove(text: str) -> str:
        node = jsontext.parse(text).find(*path, NAME) if text.strip() else None
        if node is None or not _starts_us(jsontext.value_of(text, node)):
            return text
        text = jsontext.without(text, (*path, NAME))
        holder = jsontext.parse(text).find(*path)
        return jsontext.without(text, path) if holder is not None and not holder.items else text

    return install, remove, "MCP server"


def _moved(standing: Any, ours: dict[str, Any]) -> bool:
    """Whether an entry is what we wrote, for a program that lay elsewhere then."""
    if not isinstance(standing, dict) or {**standing, "command": None} != {**ours, "command": None}:
        return False
    return _starts_us(standing)


def _starts_us(standing: Any) -> bool:
    """Whether an entry starts our server, whatever the person has added to it."""
    command = standing.get("command") if isinstance(standing, dict) else None
    program, *arguments = command if isinstance(command, list) and command else [command]
    return isinstance(program, str) and Path(program).stem == NAME and arguments[:1] in ([], ["mcp"])


def _install_codex_server(text: str, programs: Programs) -> str:
    command = programs.server.replace("\\", "\\\\").replace('"', '\\"')
    block = f'[mcp_servers.{NAME}]\ncommand = "{command}"\nargs = ["mcp"]'
    return tomltext.with_block(text, block, table=f"mcp_servers.{NAME}")


def _whole(text_of: Callable[[Programs], str], what: str) -> tuple[Any, Any, str]:
    """A file that is all ours. Any other file is left alone."""

    def install(text: str, programs: Programs) -> str:
        return text_of(programs) if not text.strip() or OURS in text else text

    def remove(text: str) -> str:
        return "" if OURS in text else text

    return install, remove, what


CLINE_EVENTS = (
    {}
    if sys.platform == "win32"  # it runs no shell scripts there
    else {
        "TaskStart": "session-start",
        "TaskResume": "session-start",
        "UserPromptSubmit": "prompt",
        "PostToolUse": "tool",
        "PreCompact": "pre-compact",
        "TaskComplete": "session-end",
        "TaskCancel": "session-end",
    }
)
"""Cline runs the executable file that has the event's name."""


def _cline_hook(ours: str) -> tuple[Any, Any, str]:
    return _whole(lambda programs: guidance.hook_script(programs, ours), "hook")


def _files(*entries: tuple[str, tuple[Any, Any, str]], in_home: bool = False) -> tuple[HostFile, ...]:
    return tuple(HostFile(Path(path), *entry, in_home=in_home) for path, entry in entries)


def _config_folder(application: str) -> str:
    """Where the platform keeps an application's settings, from the home folder."""
    if sys.platform == "darwin":
        return f"Library/Application Support/{application}"
    return f"AppData/Roaming/{application}" if sys.platform == "win32" else f".config/{application}"


def _stdio(programs: Programs) -> dict[str, Any]:
    return {"type": "stdio", **mcp_entry(programs)}


def _zed(programs: Programs) -> dict[str, Any]:
    return {"source": "custom", **mcp_entry(programs), "env": {}}


def _opencode(programs: Programs) -> dict[str, Any]:
    return {"type": "local", "command": [programs.server, "mcp"], "enabled": True}


_CLAUDE = (_install_hooks(claude_hooks), _remove_hooks, "hooks")
_CODEX = (_install_hooks(codex_hooks), _remove_hooks, "hooks")
_CURSOR = _versioned(cursor_hooks)
_GEMINI = (_install_hooks(gemini_hooks), _remove_hooks, "hooks")
_VSCODE = _versioned(vscode_hooks)
_WINDSURF = (_install_hooks(windsurf_hooks), _remove_hooks, "hooks")
_DEVIN = (_install_hooks(devin_hooks, ()), lambda text: _remove_hooks(text, holder=()), "hooks")
_SERVER = _server_in("mcpServers")
_CODEX_SERVER = (_install_codex_server, tomltext.without_block, "MCP server")
_VSCODE_SERVER = _server_in("servers", entry=_stdio)
_ZED_SERVER = _server_in("context_servers", entry=_zed)
_OPENCODE_SERVER = _server_in("mcp", entry=_opencode)
_SKILL = _whole(guidance.skill, "skill")
_CURSOR_RULE = _whole(guidance.cursor_rule, "rule")
_RULE = _whole(guidance.rule, "rule")
_WINDSURF_RULE = _whole(guidance.windsurf_rule, "rule")
_INSTRUCTIONS = _whole(guidance.instructions, "instructions")
_OPENCODE_PLUGIN = _whole(guidance.opencode_plugin, "plugin")
_CLAUDE_SKILL = ".claude/skills/commonplace/SKILL.md"
_CURSOR_FILES = ((".cursor/hooks.json", _CURSOR), (".cursor/mcp.json", _SERVER))
_AGENTS_SKILL = (".agents/skills/commonplace/SKILL.md", _SKILL)
"""Where hosts look for skills that are not one host's own."""
_CODEX_FILES = ((".codex/hooks.json", _CODEX), (".codex/config.toml", _CODEX_SERVER), _AGENTS_SKILL)
_GEMINI_FILES = ((".gemini/settings.json", _GEMINI), (".gemini/settings.json", _SERVER), _AGENTS_SKILL)
_DEVIN_FOLDER = "AppData/Roaming/devin" if sys.platform == "win32" else ".config/devin"
_WINDSURF_SERVER = _files(
    (".codeium/windsurf/mcp_config.json", _SERVER), (f"{_DEVIN_FOLDER}/mcp_config.json", _SERVER), in_home=True
)
"""Of Windsurf, and of Devin Desktop, which it is called since 2026."""
_CLINE_HOOKS = tuple((f".clinerules/hooks/{event}", _cline_hook(ours)) for event, ours in CLINE_EVENTS.items())
_CLINE_SERVER = _files((".cline/data/settings/cline_mcp_settings.json", _SERVER), in_home=True)
_DESKTOP_SERVER = _files((_config_folder("Claude") + "/claude_desktop_config.json", _SERVER), in_home=True)

_ALL = (
    Host(
        "claude-code",
        project=_files((".claude/settings.local.json", _CLAUDE), (".mcp.json", _SERVER), (_CLAUDE_SKILL, _SKILL)),
        shared=_files((".claude/settings.json", _CLAUDE), (".mcp.json", _SERVER), (_CLAUDE_SKILL, _SKILL)),
        user=_files((".claude/settings.json", _CLAUDE), (".claude.json", _SERVER), (_CLAUDE_SKILL, _SKILL)),
        folders=(".claude",),
        program="claude",
    ),
    Host(
        "codex",
        project=_files(*_CODEX_FILES),
        user=_files(*_CODEX_FILES),
        folders=(".codex",),
        program="codex",
        note="Codex runs new hooks only once they are trusted: open /hooks there and allow them",
    ),
    Host(
        "cursor",
        project=_files(*_CURSOR_FILES, (".cursor/rules/commonplace.mdc", _CURSOR_RULE)),
        user=_files(*_CURSOR_FILES),
        folders=(".cursor",),
        program="cursor",
    ),
    Host(
        "gemini",
        project=_files(*_GEMINI_FILES),
        user=_files(*_GEMINI_FILES),
        folders=(".gemini",),
        program="gemini",
    ),
    Host(
        "vscode",
        project=_files(
            (".vscode/mcp.json", _VSCODE_SERVER),
            (".github/hooks/commonplace.json", _VSCODE),
            (".github/instructions/commonplace.instructions.md", _INSTRUCTIONS),
        ),
        user=_files(
            (_config_folder("Code") + "/User/mcp.json", _VSCODE_SERVER), (".copilot/hooks/commonplace.json", _VSCODE)
        ),
        folders=(".vscode", ".copilot"),
        program="code",
        note="VS Code also runs Claude Code's hooks: with both set up, turn off one in chat.hookFilesLocations",
    ),
    Host(
        "opencode",
        project=_files(
            ("opencode.json", _OPENCODE_SERVER), (".opencode/plugins/commonplace.js", _OPENCODE_PLUGIN), _AGENTS_SKILL
        ),
        user=_files(
            (".config/opencode/opencode.json", _OPENCODE_SERVER),
            (".config/opencode/plugins/commonplace.js", _OPENCODE_PLUGIN),
            _AGENTS_SKILL,
        ),
        folders=(".opencode", ".config/opencode"),
        program="opencode",
    ),
    Host(
        "windsurf",
        project=(
            *_files(
                (".windsurf/rules/commonplace.md", _WINDSURF_RULE),
                (".windsurf/hooks.json", _WINDSURF),
                (".devin/hooks.v1.json", _DEVIN),
            ),
            *_WINDSURF_SERVER,
        ),
        user=(*_WINDSURF_SERVER, *_files((".codeium/windsurf/hooks.json", _WINDSURF), in_home=True)),
        folders=(".windsurf", ".codeium/windsurf", ".devin", _DEVIN_FOLDER),
        program="windsurf",
        note="Devin Desktop (Windsurf's new name) also runs Claude Code's hooks: with both set up, turn off one",
    ),
    Host(
        "cline",
        project=(*_files((".clinerules/commonplace.md", _RULE), *_CLINE_HOOKS), *_CLINE_SERVER),
        user=_CLINE_SERVER,
        folders=(".clinerules", ".cline"),
        program="cline",
        note="Cline runs hooks only once they are turned on: enable Hooks in its settings, then each in the Hooks tab",
    ),
    Host(
        "zed",
        project=_files((".zed/settings.json", _ZED_SERVER)),
        user=_files((".config/zed/settings.json", _ZED_SERVER)),
        folders=(".zed", ".config/zed"),
        program="zed",
    ),
    Host("claude-desktop", project=_DESKTOP_SERVER, user=_DESKTOP_SERVER, folders=(_config_folder("Claude"),)),
)
HOSTS = {known.name: known for known in _ALL}
