"""``completion``: completion scripts for bash, zsh and fish."""

import argparse
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from commonplace.interfaces.cli.call import Call
from commonplace.interfaces.cli.commands import COMMANDS
from commonplace.interfaces.cli.dispatch import OPTIONS, parser_of

FILES = ("--lines", "--messages", "--home")
SHARED = [option for option, takes in OPTIONS.items() if takes]


@dataclass(frozen=True, slots=True)
class CommandWords:
    """A command: its subcommands or words, and its options with their values."""

    path: tuple[str, ...]
    words: tuple[str, ...]
    options: dict[str, tuple[str, ...] | None]
    """None: a switch; empty: any value."""
    help: str
    group: bool
    """Whether it only has subcommands."""


def completion(call: Call) -> None:
    shell = call.given.shell
    script = {"bash": bash, "zsh": zsh, "fish": fish}[shell](list(known()))
    call.answer({"id": shell, "script": script}, [script])


def known() -> Iterator[CommandWords]:
    """Every command, groups before their subcommands."""
    for name in COMMANDS:
        yield from _within((name,), parser_of(name))


def _within(path: tuple[str, ...], parser: argparse.ArgumentParser) -> Iterator[CommandWords]:
    options: dict[str, tuple[str, ...] | None] = {}
    words: tuple[str, ...] = ()
    below: dict[str, argparse.ArgumentParser] = {}
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            below, words = dict(action.choices), tuple(action.choices)
        elif action.option_strings:
            options |= {option: _values(action) for option in action.option_strings if option.startswith("--")}
        elif action.choices is not None:
            words += tuple(map(str, action.choices))
    yield CommandWords(path, words, options, parser.description or "", bool(below))
    for name, subparser in below.items():
        yield from _within((*path, name), subparser)


def _values(action: argparse.Action) -> tuple[str, ...] | None:
    if action.nargs == 0:
        return None
    choices = action.choices or getattr(action.type, "choices", None) or ()
    return tuple(map(str, choices))


def _script(shell: str, **parts: str) -> str:
    """The fixed part of a script, from ``completion.SHELL``, with ``@NAME@`` replaced."""
    text = Path(__file__).with_suffix(f".{shell}").read_text("utf-8").rstrip("\n")
    return re.sub(r"@([A-Z]+)@", lambda match: parts[match[1]], text)


def bash(commands: list[CommandWords], shell: str = "bash") -> str:
    return _script(shell, SHARED="|".join(SHARED), FILES="|".join(FILES), CASES=_cases(commands))


def zsh(commands: list[CommandWords]) -> str:
    return bash(commands, "zsh")


def _cases(commands: list[CommandWords]) -> str:
    """One case per command, longer paths first, because a command's words may follow its name."""
    lines = []
    for command in sorted(commands, key=lambda command: -len(command.path)):
        name = " ".join(command.path)
        offered = " ".join([*command.words, *command.options])
        values = [
            f"      {option}) offer='{' '.join(choices)}' ;;" for option, choices in command.options.items() if choices
        ]
        chosen = "\n".join([*values, f"      *) offer='{offered}' ;;"])
        lines.append(f"    '{name}'|'{name} '*) case \"$before\" in\n{chosen}\n    esac ;;")
    lines.append(f"    '') offer='{' '.join([*COMMANDS, '--help', '--version', *OPTIONS])}' ;;")
    return "\n".join(lines)


def fish(commands: list[CommandWords]) -> str:
    start = "complete -c commonplace -n"
    lines = [_script("fish", SHARED=" ".join(SHARED))]
    lines += [
        f"complete -c commonplace -l {name.removeprefix('--')}{' -x' if takes else ''}"
        for name, takes in OPTIONS.items()
    ]
    for name, command in COMMANDS.items():
        lines.append(f"{start} 'test -z (__commonplace_typed)' -a {name} -d {_quoted(command.help)}")
    for command_words in commands:
        path = " ".join(command_words.path)
        if command_words.words:
            lines.append(
                f"{start} 'test (__commonplace_typed) = \"{path}\"' -a {_quoted(' '.join(command_words.words))}"
            )
        for option, values in command_words.options.items():
            if option in OPTIONS:
                continue
            take = "" if values is None else f" -x -a {_quoted(' '.join(values))}" if values else " -x"
            take = " -r -F" if option in FILES else take
            lines.append(f"{start} '__commonplace_at {path}' -l {option.removeprefix('--')}{take}")
    return "\n".join(lines)


def _quoted(text: str) -> str:
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"
