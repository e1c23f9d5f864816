"""Commands of the verbs that are built from their signature: ``built.NAME`` defines the command of a verb."""

from collections.abc import Callable
from datetime import datetime
from typing import Any

from commonplace.interfaces.cli.call import Call
from commonplace.interfaces.cli.parsing import Parser, positive
from commonplace.interfaces.verbs import arguments

METAVARS = {int: "VERSION", datetime: "TIME", str: "TEXT"}


def __getattr__(verb: str) -> Callable[[Parser], None]:
    return lambda parser: _define(parser, verb)


def _define(parser: Parser, verb: str) -> None:
    for name, kind, required, default, words in arguments(verb):
        if name == "id":
            parser.add_argument(name)
        elif kind is bool:
            parser.add_argument(f"--{name.replace('_', '-')}", action="store_true", default=default, help=words)
        else:
            reads: Any = positive if kind is int else str
            option = f"--{name.replace('_', '-')}"
            parser.add_argument(option, type=reads, required=required, metavar=METAVARS[kind], help=words)
    parser.runs(lambda call: _run(call, verb))


def _run(call: Call, verb: str) -> None:
    given: dict[str, Any] = {
        argument.name: call.time(argument.name) if argument.type is datetime else getattr(call.given, argument.name)
        for argument in arguments(verb)
    }
    id = call.id(given.pop("id"))
    call.receipt(getattr(call.book, verb)(id, **given))
