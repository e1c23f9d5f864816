"""What the commands share in reading their arguments."""

import argparse
import json
from collections.abc import Sequence
from typing import Any, NoReturn

from commonplace.interfaces.cli.call import Run
from commonplace.model import CATEGORIES, KINDS, SOURCES, STATUSES

LEFT_OUT: Any = argparse.SUPPRESS


class Usage(Exception):
    """The words do not fit the command."""


class Parser(argparse.ArgumentParser):
    """An argument parser that every shared option is part of, wherever in a group of commands it is written."""

    def __init__(self, **options: Any) -> None:
        super().__init__(allow_abbrev=False, add_help=False, **options)
        shared = self._shared = self.add_argument_group("options of every command")
        shared.add_argument("-h", "--help", action="help", help="show this and end")
        # Left out where not given: a group's parser and its command's parser write to the same names.
        shared.add_argument("--json", action="store_true", default=LEFT_OUT, help="print JSON instead of text")
        shared.add_argument("--namespace", metavar="NAME", default=LEFT_OUT, help="the workspace")
        shared.add_argument("--owner", metavar="NAME", default=LEFT_OUT, help="whose memories these are")
        shared.add_argument("--url", default=LEFT_OUT, help="the book: sqlite:///path or postgresql://…")
        shared.add_argument("--home", metavar="FOLDER", default=LEFT_OUT, help="where the own book and its keys are")

    def format_help(self) -> str:
        """As argparse does it, with the shared options last and out of the usage line."""
        formatter = self._get_formatter()
        own = [action for action in self._actions if action not in self._shared._group_actions]
        formatter.add_usage(self.usage, own, self._mutually_exclusive_groups)
        formatter.add_text(self.description)
        for group in sorted(self._action_groups, key=lambda one: one is self._shared):
            formatter.start_section(group.title)
            formatter.add_text(group.description)
            formatter.add_arguments(group._group_actions)
            formatter.end_section()
        formatter.add_text(self.epilog)
        return formatter.format_help()

    def error(self, message: str) -> NoReturn:
        what, _, words = message.partition("unrecognized arguments: ")
        if words:  # which may be the words of a memory: they are counted, not repeated
            message = what + _too_much(words.split())
        raise Usage(f"{message}; see `{self.prog} --help`")

    def runs(self, run: Run) -> None:
        """What happens when this command is called."""
        self.set_defaults(run=run)

    def group(self) -> "Group":
        """Make this a command with commands below it."""
        return Group(self)


def _too_much(words: Sequence[str]) -> str:
    options = [word.partition("=")[0] for word in words if word.startswith("-")]
    return f"unknown option {', '.join(options)}" if options else f"{len(words)} words more than it takes"


class Group:
    def __init__(self, parser: Parser) -> None:
        self._below = parser.add_subparsers(metavar="COMMAND", required=True, title="commands")

    def command(self, name: str, help: str, run: Run) -> Parser:
        parser = self._add(name, help)
        parser.runs(run)
        return parser

    def group(self, name: str, help: str) -> "Group":
        """A group within this one."""
        return self._add(name, help).group()

    def _add(self, name: str, help: str) -> Parser:
        parser: Parser = self._below.add_parser(name, help=help, description=help[0].upper() + help[1:] + ".")
        return parser


def several(parser: argparse._ActionsContainer, name: str, help: str, choices: Sequence[str] | None = None) -> None:
    """An option that may be given many times, or once with commas."""
    metavar = name.removeprefix("--").upper()
    kind: Any = None if choices is None else one_of(choices)
    parser.add_argument(
        name,
        action="append",
        default=[],
        metavar=metavar,
        type=kind,
        help=help + (f": {' '.join(choices)}" if choices else ""),
    )


def one_of(choices: Sequence[str]) -> Any:
    def checked(text: str) -> str:
        for one in text.split(","):
            if one.strip() not in choices:
                raise argparse.ArgumentTypeError(f"{one.strip()[:40]!r} is not one of {', '.join(choices)}")
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
    """``name=value``, where the value is JSON if it can be read so, else text."""
    name, sign, value = text.partition("=")
    if not sign or not name.strip():
        raise argparse.ArgumentTypeError("metadata is written name=value")
    try:
        return name.strip(), json.loads(value)
    except ValueError:
        return name.strip(), value


def filters(parser: Parser) -> None:
    """The fields of ``Query``, as options."""
    group = parser.add_argument_group("filters")
    several(group, "--kind", "only of this kind", KINDS)
    several(group, "--category", "only of this category", CATEGORIES)
    several(group, "--tag", "only with this tag or a synonym of it")
    several(group, "--status", "only of this status; otherwise candidate and verified", STATUSES)
    several(group, "--source", "only written by", SOURCES)
    several(group, "--namespaces", "read these namespaces instead of this one and `personal`")
    group.add_argument("--since", metavar="TIME", help="recorded or said at or after")
    group.add_argument("--until", metavar="TIME", help="recorded or said before")
    moments(group)
    group.add_argument("--metadata", action="append", type=pair, default=[], metavar="NAME=VALUE", help="that says so")
    group.add_argument("--directive", metavar="ID", help="only of this directive")
    group.add_argument("--session", metavar="NAME", help="only of this conversation")


def moments(parser: argparse._ActionsContainer) -> None:
    parser.add_argument("--as-of", metavar="TIME", help="as it was true then")
    parser.add_argument("--known-at", metavar="TIME", help="as it was known then")
