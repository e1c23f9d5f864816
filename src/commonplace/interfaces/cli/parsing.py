"""The parser of a command, and how single words are read."""

import argparse
import json
from collections.abc import Iterator, Sequence
from typing import Any, NoReturn

LEFT_OUT: Any = argparse.SUPPRESS
COMMAND = "COMMAND"
"""The name of a subcommand in help and errors."""


class Usage(Exception):
    """Wrong arguments for the command."""


class Parser(argparse.ArgumentParser):
    """An argument parser that accepts every shared option, anywhere in a group of commands."""

    example = ""
    """A working call for the end of the help."""

    def __init__(self, **options: Any) -> None:
        super().__init__(allow_abbrev=False, add_help=False, **options)
        shared = self._shared = self.add_argument_group("options of every command")
        shared.add_argument("-h", "--help", action="help", help="show help")
        # Omitted if absent: a group's parser and its command's parser write to the same names.
        shared.add_argument("--json", action="store_true", default=LEFT_OUT, help="print JSON instead of text")
        shared.add_argument("--namespace", metavar="NAME", default=LEFT_OUT, help="the workspace")
        shared.add_argument("--owner", metavar="NAME", default=LEFT_OUT, help="whose memories these are")
        shared.add_argument("--url", default=LEFT_OUT, help="the book: sqlite:///path or postgresql://…")
        shared.add_argument("--home", metavar="FOLDER", default=LEFT_OUT, help="folder of the book and its keys")

    def format_help(self) -> str:
        """Like argparse, with the shared options last and omitted from the usage line."""
        formatter = self._get_formatter()
        actions = [action for action in self._actions if action not in self._shared._group_actions]
        formatter.add_usage(self.usage, actions, self._mutually_exclusive_groups)
        formatter.add_text(self.description)
        for group in sorted(self._action_groups, key=lambda action_group: action_group is self._shared):
            formatter.start_section(group.title)
            formatter.add_text(group.description)
            formatter.add_arguments(group._group_actions)
            formatter.end_section()
        formatter.add_text(self.epilog)
        # on its own line, so that it can be copied
        return formatter.format_help() + (f"\nExample:\n  commonplace {self.example}\n" if self.example else "")

    def error(self, message: str) -> NoReturn:
        before, _, words = message.partition("unrecognized arguments: ")
        if words:  # they may be a memory's text: count them, do not repeat them
            message = before + self._too_much(words.split())
        elif message.endswith(f"required: {COMMAND}"):
            message = f"pass one of: {', '.join(self._commands())}"
        see = f"see `{self.prog} --help`"
        raise Usage(f"{message} S{see[1:]}" if message.endswith("?") else f"{message}; {see}")

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        if action.metavar == COMMAND and value not in self._commands():
            from difflib import get_close_matches  # imported only for a wrong name, to keep starts fast

            matches = get_close_matches(str(value), self._commands(), n=2)
            hint = f"did you mean {' or '.join(matches)}?" if matches else f"it has {', '.join(self._commands())}"
            raise Usage(f"unknown command {f'{self.prog} {value}'.partition(' ')[2]!r}; {hint}")
        super()._check_value(action, value)

    def _too_much(self, words: Sequence[str]) -> str:
        unknown = [word.partition("=")[0] for word in words if word.startswith("-")]
        if not unknown:
            return f"{len(words)} words more than it takes"
        from difflib import get_close_matches  # imported only for a wrong name, to keep starts fast

        options = {option for parser in (self, *self.below()) for option in parser._option_string_actions}
        options -= set(unknown)  # options of other subcommands
        matches = [match for option in unknown for match in get_close_matches(option, options, n=1, cutoff=0.75)]
        hint = f"; did you mean {' and '.join(matches)}?" if matches else ""
        return f"unknown option {', '.join(unknown)}{hint}"

    def _commands(self) -> list[str]:
        """The names of the direct subcommands."""
        return [name for action in self._actions if action.metavar == COMMAND for name in action.choices or ()]

    @property
    def lists(self) -> bool:
        """Whether this is a group of commands with a subcommand `list`."""
        return "list" in self._commands()

    def below(self) -> Iterator["Parser"]:
        """The parsers of all subcommands, at every depth."""
        for action in self._actions:
            if isinstance(action, argparse._SubParsersAction):
                for parser in action.choices.values():
                    yield parser
                    yield from parser.below()


def one_of(choices: Sequence[str]) -> Any:
    def checked(text: str) -> str:
        for part in text.split(","):
            if part.strip() not in choices:
                raise argparse.ArgumentTypeError(f"{part.strip()[:40]!r} is not one of {', '.join(choices)}")
        return text

    checked.choices = tuple(choices)  # type: ignore[attr-defined]  # for shell completion
    return checked


def share(text: str) -> float:
    """A number from 0 to 1."""
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0 <= value <= 1:
        raise argparse.ArgumentTypeError(f"{text[:20]!r} is not a number from 0 to 1")
    return value


def positive(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text[:20]!r} is not a whole number of at least 1")
    return int(text)


def pair(text: str) -> tuple[str, Any]:
    """``name=value``, where the value is JSON if it parses as such, else text."""
    name, sign, value = text.partition("=")
    if not sign or not name.strip():
        raise argparse.ArgumentTypeError("metadata is written name=value")
    try:
        return name.strip(), json.loads(value)
    except ValueError:
        return name.strip(), value
