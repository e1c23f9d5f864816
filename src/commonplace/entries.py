"""Reads the three tables that people edit: ``verbs.txt``, ``cli/commands.txt`` and ``mcp/tools/tools.txt``.

A wrong line raises ``ValueError`` with the file, the line's number and what is expected. (Not TOML: ``tomllib`` would
add 4.4 ms to every start.)
"""

from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

SECTION = "expected `[Group]`, `name: what it is`, or a line indented by two spaces"
SPACING = "expected `name  What it is [property, property: value]`, with two spaces after the name and its value"


class Argument(NamedTuple):
    """An argument: its names, placeholder of its value, help and properties."""

    names: Sequence[str]
    help: str = ""
    properties: Mapping[str, str] = {}
    value: str = ""


class Entry(NamedTuple):  # not a dataclass: importing `inspect` would cost every start 8 ms
    """A verb, a command or a tool: ``name: help``, and below it, indented, ``word: …`` lines and one line per
    argument.
    """

    group: str
    help: str
    notes: dict[str, str]
    """Further lines by their word: what runs, how the answer is shown, an example …"""
    arguments: list[str]
    file: str
    number: int
    """The number of its first line."""

    def error(self, text: str, expected: str) -> ValueError:
        """The error for a line of this entry. It looks up the line's number only now, to keep starts fast."""
        lines = _lines(self.file)[self.number - 1 :]
        number = next(number for number, line in enumerate(lines, self.number) if text in line)
        name = self.file.replace("\\", "/").rpartition("/")[2]
        return ValueError(f"{name}, line {number}: {text!r}: {expected}")


def read_entries(file: str, notes: Collection[str]) -> dict[str, Entry]:
    """The entries of a table by name, in order; ``[group]`` begins a group, ``#`` a comment, ``notes`` are allowed
    words.
    """
    entries: dict[str, Entry] = {}
    group = ""
    entry = None
    for number, line in enumerate(_lines(file), 1):
        if entry and line.startswith("  "):
            text = line.strip()
            word, _, words = text.partition(" ")
            if not word.endswith(":"):
                entry.arguments.append(text)
            elif word[:-1] in notes:
                entry.notes[word[:-1]] = words
            else:
                raise entry.error(text, f"expected {_listed([f'{note}:' for note in notes])}")
        elif line.startswith("[") and line.endswith("]"):
            group = line[1:-1]
        elif line and not line.startswith("#"):
            name, colon, help = line.partition(":")
            entry = Entry(group, help.strip(), {}, [], file, number)
            if not colon or line.startswith(" "):
                raise entry.error(line, SECTION)
            if name in entries:
                raise entry.error(line, f"{name} is in the table already")
            entries[name] = entry
    return entries


def _lines(file: str) -> list[str]:
    with open(file, encoding="utf-8") as text:  # noqa: PTH123  # pathlib takes 2 ms of every start
        return text.read().splitlines()


def argument(line: str, entry: Entry, names_known: Collection[str]) -> Argument:
    """Parse an argument's line: ``--name --other-name VALUE  What it is [property, property: value]``."""
    spec, _, help = line.partition("  ")
    words = spec.split()
    names = [word for word in words if word.startswith("--")] or words[:1]
    value = words[len(names) :]
    if len(value) > (1 if names[0].startswith("--") else 0):
        raise entry.error(line, SPACING)
    help, properties = properties_of(help.strip(), entry, names_known)
    return Argument(names, help, properties, *value)


def properties_of(text: str, entry: Entry, known: Collection[str]) -> tuple[str, dict[str, str]]:
    """Split a line into its text and the properties in brackets at its end, which must be among ``known``.

    A name that ends in ``:`` takes a value; others take none.
    """
    if not text.endswith("]"):
        return text, {}
    words, _, inside = text[:-1].rpartition("[")
    properties: dict[str, str] = {}
    for property in inside.split(", "):
        name, colon, value = property.partition(": ")
        if f"{name}{colon.strip()}" not in known or (colon and not value):
            raise entry.error(text, f"{property!r} is not a property here; expected {_listed(known)}")
        properties[name] = value
    return words.rstrip(), properties


def _listed(names: Collection[str]) -> str:
    return ", ".join(f"`{name} …`" if name.endswith(":") else f"`{name}`" for name in names)


def below(entries: dict[str, Entry], name: str) -> list[str]:
    """The direct subentries of an entry: `tag list` below `tag`."""
    start = f"{name} "
    return [other for other in entries if other.startswith(start) and " " not in other.removeprefix(start)]
