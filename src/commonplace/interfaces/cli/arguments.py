"""What a command takes: the lines of ``commands.txt``, and the fields of the model in the same words, as options."""

import argparse
from collections.abc import Iterator, Sequence
from datetime import datetime
from importlib import import_module
from typing import TYPE_CHECKING, Any, NamedTuple, get_args

from commonplace.interfaces.cli.commands import EVERY
from commonplace.interfaces.cli.parsing import COMMAND, Parser, one_of, pair, positive, share
from commonplace.interfaces.entries import below
from commonplace.interfaces.fields import parameters
from commonplace.lazy import LazyModule
from commonplace.model import NewMemoryFields, RevisionFields

if TYPE_CHECKING:
    from commonplace.interfaces import verbs
else:  # loaded when first used
    verbs = LazyModule("commonplace.interfaces.verbs")

TYPES: dict[str, Any] = {"0…1": share, "NAME=VALUE…": pair}
TYPES |= dict.fromkeys(("N", "NUMBER", "VERSION", "SECONDS", "BYTES"), positive)
"""How a word is read, by what stands for it in the help."""
LOOKED_UP = {"id": "id", "memory": "id", "hit": "id", "directive": "id", "ids": "ids", "receipt": "receipt"}
TEXTS = ("text", "value", "goal")
"""Words that ``-`` reads from standard input."""
REVISED = {"importance": "", "confidence": "", "tags": "file it under these tags instead", "metadata": ""}
METAVARS = {str: "", int: "NUMBER", float: "0…1", datetime: "TIME"}


def sentence(help: str) -> str:
    return help[0].upper() + help[1:] + "."


def define(parser: Parser, name: str) -> None:
    """Give a parser what a command takes, or the commands below it."""
    command = EVERY[name]
    parser.example, parser.epilog = command.notes["example"], command.notes.get("epilog")
    if names := below(EVERY, name):
        group = parser.add_subparsers(metavar=COMMAND, required=True, title="commands")
        for other in names:
            help = EVERY[other].help
            define(group.add_parser(other.rpartition(" ")[2], help=help, description=sentence(help)), other)
        return
    command = EVERY[command.notes.get("like", name)]
    takes: dict[str, str] = {}
    place: argparse._ActionsContainer = parser
    exclusive = None
    for line in _expanded(command.arguments):
        if line.startswith("@"):
            title = EVERY[line].help
            place = parser.add_argument_group(title) if title else place
            continue
        argument = _argument(line)
        if argument.exclusive:
            exclusive = exclusive or parser.add_mutually_exclusive_group()
        (exclusive if exclusive and argument.exclusive else place).add_argument(*argument.names, **argument.options)
        takes[argument.name] = argument.read_as
    parser.set_defaults(command=command, takes=takes)


def _expanded(lines: Sequence[str]) -> Iterator[str]:
    """The lines with those of their blocks, each after its name if it has a title."""
    for line in lines:
        if not line.startswith("@"):
            yield line
        elif line in EVERY:
            yield line
            yield from _expanded(EVERY[line].arguments)
        elif line.startswith("@built "):
            yield from _built(line.removeprefix("@built "))
        else:
            yield from _fields(revising=line == "@revision")


def _built(verb: str) -> Iterator[str]:
    """What a verb takes, by its signature."""
    for name, kind, required, _, words in verbs.arguments(verb):
        if name == "id":
            yield name
            continue
        metavar = {int: "VERSION", datetime: "TIME", str: "TEXT", bool: ""}[kind]
        yield f"--{name.replace('_', '-')} {metavar} {'!' if required else ''}  {words}"


def _fields(*, revising: bool) -> Iterator[str]:
    """The fields of a memory. ``revising``: what is not given stays, so a flag can also be taken back."""
    for field in parameters(RevisionFields) if revising else parameters(NewMemoryFields, ("confirm",)):
        name, metavar = field.name.replace("_", "-"), METAVARS.get(field.type, field.name.upper())
        words = REVISED.get(field.name, field.words) if revising else field.words
        if field.many:
            yield f"--{name.removesuffix('s')} {name.removesuffix('s').upper()}… >{field.name}  {words}"
        elif field.type is dict:
            yield f"--{name} NAME=VALUE…  {words}"
        elif field.type is bool:
            yield f"--{name} {'=none' if revising else ''}  {words}"
            if revising:
                yield f"--un{name} >!{field.name} =none  undo --{name}"
        elif choices := get_args(field.type):
            default = "" if revising or field.default is None else f"={field.default}"
            words = f"%(choices)s; {words}" if words else ""
            yield f"--{name} {field.name.upper()} {'|'.join(choices)} {default}  {words}"
        else:
            yield f"--{name} {metavar or field.name.upper()}  {words}"


class _Argument(NamedTuple):
    """One argument, as argparse takes it."""

    name: str
    names: list[str]
    options: dict[str, Any]
    read_as: str
    """What is made of it for the verb; see ``Call.keywords``."""
    exclusive: bool


def _argument(line: str) -> _Argument:
    spec, _, help = line.partition("  ")
    words = spec.split()
    names = [word for word in words if word.startswith("--")] or words[:1]
    marks = {word[0]: word[1:] for word in words[len(names) :] if word[0] in "=>!:^"}
    shown = [word for word in words[len(names) :] if word[0] not in "=>!:^"]
    choices = _choices(shown.pop()) if shown and (shown[-1].startswith("{") or "|" in shown[-1]) else ()
    metavar = shown[0] if shown else ""
    options: dict[str, Any] = {"help": help.strip() or None}
    if "=" in marks:
        options["default"] = None if marks["="] == "none" else marks["="]
    if names[0].startswith("--"):
        name = marks.get(">", names[0][2:].replace("-", "_"))
        options["dest"] = name.removeprefix("!")
        if not metavar and not choices:
            opposite = name.startswith("!")
            options = {"action": f"store_{str(not opposite).lower()}", "default": opposite, **options}
            return _Argument(options["dest"], names, options, "", "^" in marks)
        options |= {"required": True} if "!" in marks else {}
    else:
        name = names[0].rstrip("?*+")
        options |= {"nargs": names[0][-1]} if name != names[0] else {}
        names = [name]
    options |= _value(metavar, choices, options, number=marks.get(":") == "int")
    return _Argument(name, names, options, _read_as(name, metavar, options, marks.get(":")), "^" in marks)


def _value(metavar: str, choices: Sequence[str], options: dict[str, Any], *, number: bool) -> dict[str, Any]:
    """What argparse must know of a value."""
    value: dict[str, Any] = {"metavar": metavar.removesuffix("…")} if metavar else {}
    if metavar.endswith("…"):
        value |= {"action": "append", "type": TYPES.get(metavar), "default": options.get("default", [])}
        if choices:
            value |= {"type": one_of(choices), "help": f"{options['help']}: {' '.join(choices)}"}
        return value
    if choices:
        return {**value, "choices": choices, "help": options["help"] or ("%(choices)s" if metavar else None)}
    kind = int if number else TYPES.get(metavar)
    return {**value, "type": kind} if kind else value


def _read_as(name: str, metavar: str, options: dict[str, Any], mark: str | None) -> str:
    if name in TEXTS or metavar == "NAME=VALUE…":
        return "text" if name in TEXTS else "pairs"
    if metavar.endswith("…"):
        return "" if metavar == "TEXT…" else "list"
    if metavar in ("TIME", "FILE"):
        return mark or metavar.lower()
    if "dest" in options:
        return "id" if mark == "id" else ""
    return LOOKED_UP.get(name) or ("text" if options.get("nargs") in ("*", "+") else "")


def _choices(text: str) -> tuple[str, ...]:
    """``a|b``, or the constant of a module: ``{model.KINDS}``."""
    if not text.startswith("{"):
        return tuple(text.split("|"))
    module, _, name = text.strip("{}").rpartition(".")
    return tuple(getattr(import_module(f"commonplace.{module}"), name))
