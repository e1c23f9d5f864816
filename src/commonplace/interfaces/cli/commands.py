"""Every command as ``commands.txt`` has it. ``--help`` prints this table without importing anything else."""

from pathlib import Path
from typing import NamedTuple

from commonplace.verbs import VERBS


class Command(NamedTuple):  # a dataclass would bring `inspect` along: 8 ms of every start
    group: str
    help: str
    notes: dict[str, str]
    """What runs, how the answer is shown, an example …, by the words of ``commands.txt``."""
    arguments: list[str]
    """What it takes, a line each."""


def _read(text: str) -> dict[str, Command]:
    """Commands and blocks of options by their names."""
    commands: dict[str, Command] = {}
    group = name = ""
    for line in text.splitlines():
        if line.startswith("["):
            group = line[1:-1]
        elif line.startswith("  "):
            word, _, words = line.strip().partition(" ")
            if word.endswith(":"):
                commands[name].notes[word[:-1]] = words
            else:
                commands[name].arguments.append(line.strip())
        elif line and not line.startswith("#"):
            name, _, help = line.partition(":")
            commands[name] = Command(group, help.strip(), {}, [])
    return commands


EVERY = _read(Path(__file__).with_suffix(".txt").read_text("utf-8"))
"""Every command by its whole name, those below others too, and the blocks of options, which begin with ``@``."""
for _name, _verb in VERBS.items():
    if _verb.built is not None and _verb.cli is not None:
        _notes = {"example": _verb.built.example, "run": f"book.{_name}"}
        EVERY[_verb.cli] = Command(_verb.built.group, _verb.built.help, _notes, [f"@built {_name}"])

COMMANDS = {name: command for name, command in EVERY.items() if " " not in name and not name.startswith("@")}
ALIASES = {word: name for name, command in COMMANDS.items() for word in command.notes.get("alias", "").split()}
"""Other names that people try; they work."""
SUGGESTED = {
    name: command.notes["suggested-for"] for name, command in COMMANDS.items() if "suggested-for" in command.notes
}
"""Words that are no commands, by the command that does what they mean."""


def below(name: str) -> list[str]:
    """The commands right below another."""
    start = f"{name} "
    return [other for other in EVERY if other.startswith(start) and " " not in other.removeprefix(start)]
