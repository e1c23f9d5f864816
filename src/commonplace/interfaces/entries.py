"""Reads the texts in which an interface keeps its words: ``cli/commands.txt`` and ``mcp/tools/tools.txt``."""

from pathlib import Path
from typing import NamedTuple


class Entry(NamedTuple):  # a dataclass would bring `inspect` along: 8 ms of every start
    """A command or a tool: ``name: help``, below it indented ``word: …`` lines and its arguments, a line each."""

    group: str
    help: str
    notes: dict[str, str]
    """What runs, how the answer is shown, an example …"""
    arguments: list[str]


def read_entries(file: Path) -> dict[str, Entry]:
    """The entries of a text by name, in its order; ``[group]`` begins a group, ``#`` a remark."""
    entries: dict[str, Entry] = {}
    group = name = ""
    for line in file.read_text("utf-8").splitlines():
        if line.startswith("["):
            group = line[1:-1]
        elif line.startswith("  "):
            word, _, words = line.strip().partition(" ")
            if word.endswith(":"):
                entries[name].notes[word[:-1]] = words
            else:
                entries[name].arguments.append(line.strip())
        elif line and not line.startswith("#"):
            name, _, help = line.partition(":")
            entries[name] = Entry(group, help.strip(), {}, [])
    return entries


def below(entries: dict[str, Entry], name: str) -> list[str]:
    """The entries right below another: `tag list` below `tag`."""
    start = f"{name} "
    return [other for other in entries if other.startswith(start) and " " not in other.removeprefix(start)]
