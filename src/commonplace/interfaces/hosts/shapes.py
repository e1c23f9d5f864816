"""Which file of which host gets which entry, by ``hosts.json``. Formats as the hosts document them.

Nothing here touches a host's files: entries go in and out of a text.
"""

import json
import sys
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

from commonplace.errors import Invalid
from commonplace.interfaces.hosts import guidance, jsontext, tomltext
from commonplace.interfaces.hosts.guidance import MARK, NAME, OURS, Programs

DATA: dict[str, Any] = json.loads(Path(__file__).with_name("hosts.json").read_text("utf-8"))
FOLDERS = {
    "win32": {"{applications}": "AppData/Roaming", "{roaming}": "AppData/Roaming"},
    "darwin": {"{applications}": "Library/Application Support", "{roaming}": ".config"},
}.get(sys.platform, {"{applications}": ".config", "{roaming}": ".config"})
"""Where the platform keeps settings, from the home folder."""


Entry = tuple[Callable[[str, Programs], str], Callable[[str], str], str]
"""How an entry of ours gets into a file, how out again, and what it is."""


@dataclass(frozen=True, slots=True)
class HostFile:
    """One file of a host, and our entry in it."""

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
        files = (self.project, self.user, self.shared)
        project, user, shared = (tuple(file for file in group if "MCP" not in file.what) for group in files)
        return replace(self, project=project, user=user, shared=shared)


def host(name: str) -> Host:
    """The host of that name. Raises ``Invalid``."""
    if name not in HOSTS:
        raise Invalid(f"unknown host {name[:40]!r}; one of {', '.join(HOSTS)}")
    return HOSTS[name]


def hooks(name: str, programs: Programs) -> dict[str, list[Any]]:
    """What stands at each event among the hooks of a host."""
    events = DATA["hooks"][name]["events"]
    wanted = {event: entry for event, entry in events.items() if programs.tools or event not in DATA["tool_events"]}
    return {event: [_filled(entry, programs)] for event, entry in wanted.items()}


def _filled(template: Any, programs: Programs) -> Any:
    """A template with our programs in it."""
    if isinstance(template, dict):
        return {name: _filled(part, programs) for name, part in template.items()}
    if isinstance(template, list):
        return [_filled(part, programs) for part in template]
    if not isinstance(template, str):
        return template
    command = f'"{programs.hook}"' if " " in programs.hook else programs.hook
    for name, program in (("{hook}", programs.hook), ("{command}", command), ("{server}", programs.server)):
        template = template.replace(name, program)
    return template


def _node(text: str, *path: str) -> jsontext.Node | None:
    return jsontext.parse(text).find(*path) if text.strip() else None


def _hooks(name: str) -> Entry:
    """The hooks of a host; some want the version of their format beside them."""
    shape = DATA["hooks"][name]
    holder, version = tuple(shape["holder"]), shape.get("version")

    def install(text: str, programs: Programs) -> str:
        if version and _node(text, "version") is None:
            text = jsontext.with_member(text, ("version",), version)
        for event, groups in hooks(name, programs).items():
            node = _node(text, *holder, event)
            standing = jsontext.value_of(text, node) if node is not None else []
            for group in groups:
                if not isinstance(standing, list) or group not in standing:
                    text = jsontext.with_element(_remove_hooks(text, holder, event), (*holder, event), group)
        return text

    def remove(text: str) -> str:
        text = _remove_hooks(text, holder)
        only_version = (
            version and text.strip() and jsontext.value_of(text, jsontext.parse(text)) == {"version": version}
        )
        return jsontext.without(text, ("version",)) if only_version else text

    return install, remove, "hooks"


def _remove_hooks(text: str, holder: tuple[str, ...], only: str | None = None) -> str:
    """Without any hook of ours, and without the lists and the object that are empty then."""
    while (place := _our_hook(text, holder, only)) is not None:
        event, index, many = place
        text = jsontext.without(text, (*holder, event), index if many > 1 else None)
        node = jsontext.parse(text).find(*holder)
        if holder and node is not None and not node.items:
            text = jsontext.without(text, holder)
    return text


def _our_hook(text: str, holder: tuple[str, ...], only: str | None) -> tuple[str, int, int] | None:
    """The first entry that is nothing but ours: its event, its place, and how many stand there."""
    node = _node(text, *holder)
    for event, _, groups in node.items if node else ():
        for index, (_, _, group) in enumerate(groups.items if only in (None, event) else ()):
            value = jsontext.value_of(text, group)
            handlers = value.get("hooks", [value]) if isinstance(value, dict) else None
            handlers = handlers if isinstance(handlers, list) else []
            commands = [item.get("command") if isinstance(item, dict) else None for item in handlers]
            if commands and all(isinstance(command, str) and MARK in command for command in commands):
                return event, index, len(groups.items)
    return None


def _server(holder: str) -> Entry:
    """Add, find and remove our MCP server in a JSON object of the host's file."""
    path = (holder, NAME)

    def install(text: str, programs: Programs) -> str:
        ours = _filled(DATA["servers"][holder], programs)
        node = _node(text, *path)
        if node is not None:
            standing = jsontext.value_of(text, node)
            same = isinstance(standing, dict) and {**standing, "command": None} == {**ours, "command": None}
            if standing == ours or not (same and _starts_us(standing)):
                return text  # the person changed it; what we wrote for a program that lay elsewhere is replaced
            text = jsontext.without(text, path)
        return jsontext.with_member(text, path, ours)

    def remove(text: str) -> str:
        node = _node(text, *path)
        if node is None or not _starts_us(jsontext.value_of(text, node)):
            return text
        text = jsontext.without(text, path)
        left = jsontext.parse(text).find(holder)
        return jsontext.without(text, (holder,)) if left is not None and not left.items else text

    return install, remove, "MCP server"


def _starts_us(standing: Any) -> bool:
    """Whether an entry starts our server, whatever the person has added to it."""
    command = standing.get("command") if isinstance(standing, dict) else None
    program, *arguments = command if isinstance(command, list) and command else [command]
    return isinstance(program, str) and Path(program).stem == NAME and arguments[:1] in ([], ["mcp"])


def _toml_server(holder: str) -> Entry:
    def install(text: str, programs: Programs) -> str:
        command = programs.server.replace("\\", "\\\\").replace('"', '\\"')
        block = f'[{holder}.{NAME}]\ncommand = "{command}"\nargs = ["mcp"]'
        return tomltext.with_block(text, block, table=f"{holder}.{NAME}")

    return install, tomltext.without_block, "MCP server"


def _whole(text_of: Callable[[Programs], str], what: str) -> Entry:
    """A file that is all ours. Any other file is left alone."""

    def install(text: str, programs: Programs) -> str:
        return text_of(programs) if not text.strip() or OURS in text else text

    return install, lambda text: "" if OURS in text else text, what


ENTRIES: dict[str, Callable[[str], Entry]] = {
    "hooks": _hooks,
    "server": _server,
    "toml server": _toml_server,
    "guide": lambda name: _whole(lambda programs: guidance.guide(DATA["guides"][name]), name.split()[-1]),
    "plugin": lambda name: _whole(guidance.opencode_plugin, "plugin"),
    "script": lambda event: _whole(partial(guidance.hook_script, event=event), "hook"),
}
"""The kinds of entries that ``hosts.json`` names."""


def _placed(path: str) -> str:
    for name, folder in FOLDERS.items():
        path = path.replace(name, folder)
    return path


def _files(rows: list[tuple[str, str, str]]) -> tuple[HostFile, ...]:
    return tuple(
        HostFile(Path(_placed(path).removeprefix("~/")), *ENTRIES[kind](name), in_home=path.startswith("~/"))
        for path, kind, name in rows
        if kind != "script" or sys.platform != "win32"  # where Cline runs no shell scripts
    )


HOSTS = {
    name: Host(
        name,
        project=_files(shape["project"]),
        user=_files(shape["user"]),
        shared=_files(shape.get("shared", [])),
        folders=tuple(map(_placed, shape["folders"])),
        program=shape.get("program"),
        note=shape.get("note"),
    )
    for name, shape in DATA["hosts"].items()
}
