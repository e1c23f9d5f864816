"""``core``: values by key."""

from commonplace.interfaces.cli.call import Call
from commonplace.interfaces.cli.parsing import Parser, again, moments
from commonplace.interfaces.json import core_value
from commonplace.model import CATEGORIES


def core(parser: Parser) -> None:
    group = parser.group()
    command = group.write(
        "set",
        "set the value of a key",
        lambda call: call.book.core.set(
            call.given.key, call.text(call.given.value), category=call.given.category, confirm=call.given.again
        ),
    )
    command.add_argument("key")
    command.add_argument("value", nargs="+", help="`-` reads it from standard input")
    command.add_argument("--category", choices=CATEGORIES, metavar="CATEGORY", default="preference", help="%(choices)s")
    again(command)
    command = group.command("get", "print the value of a key", _get)
    command.add_argument("key")
    moments(command)
    moments(group.command("list", "every key and value", _list))
    help = "forget a key's value for good"
    group.write("forget", help, lambda call: call.book.core.forget(call.given.key)).add_argument("key")


def _get(call: Call) -> None:
    value = call.book.core.get(call.given.key, as_of=call.time("as_of"), known_at=call.time("known_at"))
    call.answer(core_value(value), [value.text])


def _list(call: Call) -> None:
    values = call.book.core.list(as_of=call.time("as_of"), known_at=call.time("known_at"))
    columns = {"key": "key", "since": lambda value: call.paper.day(value.valid_from or value.recorded_at)}
    columns = {**columns, "namespace": "namespace", "value": "text"}
    call.table(values, columns, value=[core_value(value) for value in values])
