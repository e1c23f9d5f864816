"""What the commands share in reading their arguments."""

import argparse
import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import datetime
from typing import Any, NoReturn, get_args

from commonplace.interfaces.cli.call import Call, Run
from commonplace.interfaces.fields import Parameter
from commonplace.model import CATEGORIES, KINDS, SOURCES, STATUSES, Receipt

LEFT_OUT: Any = argparse.SUPPRESS
COMMAND = "COMMAND"
"""What help and errors call the command below another one."""


class Usage(Exception):
    """The words do not fit the command."""


class Parser(argparse.ArgumentParser):
    """An argument parser that every shared option is part of, wherever in a group of commands it is written."""

    example = ""
    """A call that works, for the end of the help."""

    def __init__(self, **options: Any) -> None:
        super().__init__(allow_abbrev=False, add_help=False, **options)
        shared = self._shared = self.add_argument_group("options of every command")
        shared.add_argument("-h", "--help", action="help", help="show help")
        # Left out where not given: a group's parser and its command's parser write to the same names.
        shared.add_argument("--json", action="store_true", default=LEFT_OUT, help="print JSON instead of text")
        shared.add_argument("--namespace", metavar="NAME", default=LEFT_OUT, help="the workspace")
        shared.add_argument("--owner", metavar="NAME", default=LEFT_OUT, help="whose memories these are")
        shared.add_argument("--url", default=LEFT_OUT, help="the book: sqlite:///path or postgresql://…")
        shared.add_argument("--home", metavar="FOLDER", default=LEFT_OUT, help="folder of the book and its keys")

    def format_help(self) -> str:
        """As argparse does it, with the shared options last and out of the usage line."""
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
        # on a line of its own, so that it can be copied
        return formatter.format_help() + (f"\nExample:\n  commonplace {self.example}\n" if self.example else "")

    def error(self, message: str) -> NoReturn:
        before, _, words = message.partition("unrecognized arguments: ")
        if words:  # which may be the words of a memory: they are counted, not repeated
            message = before + _too_much(words.split())
        elif message.endswith(f"required: {COMMAND}"):
            message = f"say which: {', '.join(self._commands())}"
        raise Usage(f"{message}; see `{self.prog} --help`")

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        if action.metavar == COMMAND and value not in self._commands():
            from difflib import get_close_matches  # only for a wrong name: start-up matters

            matches = get_close_matches(str(value), self._commands(), n=2)
            hint = f"did you mean {' or '.join(matches)}?" if matches else f"it has {', '.join(self._commands())}"
            raise Usage(f"there is no command {f'{self.prog} {value}'.partition(' ')[2]!r}; {hint}")
        super()._check_value(action, value)

    def _commands(self) -> list[str]:
        """The names of the commands right below this one."""
        return [name for action in self._actions if action.metavar == COMMAND for name in action.choices or ()]

    @property
    def lists(self) -> bool:
        """Whether this is a group of commands of which one is `list`."""
        return "list" in self._commands()

    def runs(self, run: Run) -> None:
        """What happens when this command is called."""
        self.set_defaults(run=run)

    def below(self) -> Iterator["Parser"]:
        """The parsers of the commands below this one, at every depth."""
        for action in self._actions:
            if isinstance(action, argparse._SubParsersAction):
                for parser in action.choices.values():
                    yield parser
                    yield from parser.below()

    def group(self) -> "Group":
        """Make this a command with commands below it."""
        return Group(self)


def _too_much(words: Sequence[str]) -> str:
    options = [word.partition("=")[0] for word in words if word.startswith("-")]
    return f"unknown option {', '.join(options)}" if options else f"{len(words)} words more than it takes"


class Group:
    def __init__(self, parser: Parser) -> None:
        self._below = parser.add_subparsers(metavar=COMMAND, required=True, title="commands")

    def command(self, name: str, help: str, run: Run) -> Parser:
        parser = self._add(name, help)
        parser.runs(run)
        return parser

    def write(self, name: str, help: str, act: Callable[[Call], Receipt]) -> Parser:
        """A command that is one write: its receipt is the answer."""
        return self.command(name, help, lambda call: call.receipt(act(call)))

    def group(self, name: str, help: str) -> "Group":
        """A group within this one."""
        return self._add(name, help).group()

    def _add(self, name: str, help: str) -> Parser:
        parser: Parser = self._below.add_parser(name, help=help, description=help[0].upper() + help[1:] + ".")
        return parser


def several(
    parser: argparse._ActionsContainer,
    name: str,
    help: str,
    choices: Sequence[str] | None = None,
    also: Sequence[str] = (),
) -> None:
    """An option that may be given many times, or once with commas. ``also``: other names of it."""
    metavar = name.removeprefix("--").upper()
    kind: Any = None if choices is None else one_of(choices)
    parser.add_argument(
        name,
        *also,
        action="append",
        default=[],
        metavar=metavar,
        type=kind,
        help=help + (f": {' '.join(choices)}" if choices else ""),
    )


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
    """``name=value``, where the value is JSON if it can be read so, else text."""
    name, sign, value = text.partition("=")
    if not sign or not name.strip():
        raise argparse.ArgumentTypeError("metadata is written name=value")
    try:
        return name.strip(), json.loads(value)
    except ValueError:
        return name.strip(), value


REVISED_WORDS = {"importance": "", "confidence": "", "tags": "file it under these tags instead", "metadata": ""}


def options(parser: Parser, fields: Iterable[Parameter], *, revising: bool = False) -> None:
    """Fields of a memory as options. ``revising``: what is not given stays, so a flag can also be taken back."""
    for field in fields:
        if revising:
            field = field._replace(words=REVISED_WORDS.get(field.name, field.words))
        name = "--" + field.name.replace("_", "-")
        if field.many:
            several(parser, name.removesuffix("s"), field.words)
        elif field.type is dict:
            parser.add_argument(
                name, action="append", type=pair, default=[], metavar="NAME=VALUE", help=field.words or None
            )
        elif field.type is bool:
            parser.add_argument(name, action="store_true", default=None if revising else False, help=field.words)
            if revising:
                back = f"--un{field.name}"
                parser.add_argument(back, dest=field.name, action="store_false", help=f"undo {name}")
        elif choices := get_args(field.type):
            text = f"%(choices)s; {field.words}" if field.words else "%(choices)s"
            default = None if revising else field.default
            parser.add_argument(name, choices=choices, metavar=field.name.upper(), default=default, help=text)
        else:
            kind, metavar = TYPES[field.type]
            parser.add_argument(name, type=kind, metavar=metavar, help=field.words or None)


TYPES: dict[Any, tuple[Any, str | None]] = {
    str: (str, None),
    int: (int, "NUMBER"),
    float: (share, "0…1"),
    datetime: (str, "TIME"),
}
"""How a word is read, and what stands for it in help texts. Times are read by the owner's clock."""


def filters(parser: Parser) -> None:
    """The fields of ``Query``, as options."""
    group = parser.add_argument_group("filters")
    several(group, "--kind", "only of this kind", KINDS)
    several(group, "--category", "only of this category", CATEGORIES)
    several(group, "--tag", "only with this tag or a synonym of it", also=("--glossary-tag",))
    several(group, "--status", "only of this status (default: candidate and verified)", STATUSES)
    several(group, "--source", "only written by", SOURCES)
    several(group, "--namespaces", "read these namespaces instead of this one and `personal`")
    group.add_argument("--since", metavar="TIME", help="recorded or said at or after")
    group.add_argument("--until", metavar="TIME", help="recorded or said before")
    moments(group)
    group.add_argument(
        "--metadata", action="append", type=pair, default=[], metavar="NAME=VALUE", help="only with this metadata"
    )
    group.add_argument("--directive", metavar="ID", help="only of this directive")
    group.add_argument("--session", metavar="NAME", help="only of this conversation")


def again(parser: argparse._ActionsContainer) -> None:
    parser.add_argument("--again", action="store_true", help="store it although it was forgotten or rejected before")


def moments(parser: argparse._ActionsContainer) -> None:
    parser.add_argument("--as-of", metavar="TIME", help="what was true at that time")
    parser.add_argument("--known-at", metavar="TIME", help="what was known at that time")
