"""The arguments of commands: from ``commands.txt``, and from the fields of the model."""

import argparse
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from importlib import import_module
from typing import TYPE_CHECKING, Any, get_args

from commonplace.entries import Argument, Entry, argument, below
from commonplace.interfaces.cli.commands import EVERY
from commonplace.interfaces.cli.parsing import COMMAND, Parser, one_of, pair, positive, share
from commonplace.interfaces.fields import parameters
from commonplace.lazy import LazyModule
from commonplace.model import NewMemoryFields, RevisionFields

if TYPE_CHECKING:
    from commonplace.interfaces import verbs
else:  # loaded when first used
    verbs = LazyModule("commonplace.interfaces.verbs")

TYPES: dict[str, Any] = {"0…1": share, "NAME=VALUE": pair}
TYPES |= dict.fromkeys(("N", "NUMBER", "VERSION", "SECONDS", "BYTES"), positive)
"""The type of a value by its placeholder in the help."""
COUNTS = {"optional": "?", "any number": "*", "one or more": "+"}
PROPERTIES = (
    *COUNTS,
    *("required", "repeatable", "excludes others", "whole number", "end of span", "id", "entity"),
    *("default:", "one of:", "shown as:", "sets:", "negates:"),
)
LOOKED_UP = {"id": "id", "memory": "id", "hit": "id", "directive": "id", "ids": "ids", "receipt": "receipt"}
TEXTS = ("text", "value", "goal")
"""Arguments for which ``-`` means standard input."""
REVISED = {"importance": "", "confidence": "", "tags": "file it under these tags instead", "metadata": ""}
METAVARS = {str: "", int: "NUMBER", float: "0…1", datetime: "TIME"}


def sentence(help: str) -> str:
    return help[0].upper() + help[1:] + "."


def define(parser: Parser, name: str) -> None:
    """Add a command's arguments, or its subcommands, to a parser."""
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
    for part in _expanded(command):
        if isinstance(part, str):
            place = parser.add_argument_group(part)
            continue
        container = place
        if "excludes others" in part.properties:
            container = exclusive = exclusive or parser.add_mutually_exclusive_group()
        options, read_as = _for_argparse(part)
        takes[options.get("dest", part.names[0])] = read_as
        container.add_argument(*part.names, **options)
    parser.set_defaults(command=command, takes=takes)


def _expanded(entry: Entry) -> Iterator[Argument | str]:
    """The arguments of an entry and of its blocks, each block preceded by its title if it has one."""
    for line in entry.arguments:
        if not line.startswith("@"):
            yield argument(line, entry, PROPERTIES)
        elif line in EVERY:
            if title := EVERY[line].help:
                yield title
            yield from _expanded(EVERY[line])
        elif line.startswith("@built "):
            yield from _built(line.removeprefix("@built "))
        elif line in ("@new-memory", "@revision"):
            yield from _fields(revising=line == "@revision")
        else:
            raise entry.error(line, "expected a block of this file, `@new-memory` or `@revision`")


def _built(verb: str) -> Iterator[Argument]:
    """The parameters of a verb, from its signature."""
    for name, kind, required, _, words in verbs.arguments(verb):
        metavar = {int: "VERSION", datetime: "TIME", str: "TEXT", bool: ""}[kind]
        option = Argument([f"--{name.replace('_', '-')}"], words, {"required": ""} if required else {}, metavar)
        yield Argument(["id"]) if name == "id" else option


def _fields(*, revising: bool) -> Iterator[Argument]:
    """The fields of a memory. ``revising``: absent fields stay, so a flag can also be switched off."""
    for field in parameters(RevisionFields) if revising else parameters(NewMemoryFields, ("confirm",)):
        name, metavar = field.name.replace("_", "-"), METAVARS.get(field.type) or field.name.upper()
        words = REVISED.get(field.name, field.words) if revising else field.words
        if field.many:
            properties, name = {"repeatable": "", "sets": field.name}, name.removesuffix("s")
            yield Argument([f"--{name}"], words, properties, name.upper())
        elif field.type is dict:
            yield Argument([f"--{name}"], words, {"repeatable": ""}, "NAME=VALUE")
        elif field.type is bool:
            unset = {"default": "none"} if revising else {}
            yield Argument([f"--{name}"], words, unset)
            if revising:
                yield Argument([f"--un{name}"], f"undo --{name}", unset | {"negates": field.name})
        elif choices := get_args(field.type):
            default = {} if revising or field.default is None else {"default": field.default}
            words = f"%(choices)s; {words}" if words else ""
            yield Argument([f"--{name}"], words, {"one of": " ".join(choices), **default}, field.name.upper())
        else:
            yield Argument([f"--{name}"], words, {}, metavar)


def _for_argparse(part: Argument) -> tuple[dict[str, Any], str]:
    """The keywords of ``add_argument``, and how the value is converted for the verb (see ``Call.keywords``)."""
    names, help, properties, metavar = part
    choices = _choices(properties.get("one of", ""))
    options: dict[str, Any] = {"help": help or None}
    if default := properties.get("default"):
        options["default"] = None if default == "none" else default
    if names[0].startswith("--"):
        negated = properties.get("negates")
        options["dest"] = negated or properties.get("sets") or names[0][2:].replace("-", "_")
        if not metavar and not choices:
            return {"action": f"store_{str(not negated).lower()}", "default": bool(negated), **options}, ""
        options |= {"required": True} if "required" in properties else {}
    else:
        metavar = properties.get("shown as", "")
        counts = [count for name, count in COUNTS.items() if name in properties]
        options |= {"nargs": counts[0]} if counts else {}
    options |= _value(metavar, choices, options, properties)
    return options, _read_as(options.get("dest", names[0]), metavar, options, properties)


def _value(
    metavar: str, choices: Sequence[str], options: dict[str, Any], properties: Mapping[str, str]
) -> dict[str, Any]:
    """The keywords of ``add_argument`` that describe the value."""
    value: dict[str, Any] = {"metavar": metavar} if metavar else {}
    if "repeatable" in properties:
        value |= {"action": "append", "type": TYPES.get(metavar), "default": options.get("default", [])}
        if choices:
            value |= {"type": one_of(choices), "help": f"{options['help']}: {' '.join(choices)}"}
        return value
    if choices:
        return {**value, "choices": choices, "help": options["help"] or ("%(choices)s" if metavar else None)}
    kind = int if "whole number" in properties else TYPES.get(metavar)
    return {**value, "type": kind} if kind else value


def _read_as(name: str, metavar: str, options: dict[str, Any], properties: Mapping[str, str]) -> str:
    if "entity" in properties:
        return "entity"
    if name in TEXTS or metavar == "NAME=VALUE":
        return "text" if name in TEXTS else "pairs"
    if "repeatable" in properties:
        return "" if metavar == "TEXT" else "list"
    if metavar in ("TIME", "FILE"):
        return "end" if "end of span" in properties else metavar.lower()
    if "dest" in options:
        return "id" if "id" in properties else ""
    return LOOKED_UP.get(name) or ("text" if options.get("nargs") in ("*", "+") else "")


def _choices(text: str) -> tuple[str, ...]:
    """A list of words, or the constant of a module: ``model.KINDS``."""
    module, dot, name = text.rpartition(".")
    return tuple(getattr(import_module(f"commonplace.{module}"), name)) if dot else tuple(text.split())
