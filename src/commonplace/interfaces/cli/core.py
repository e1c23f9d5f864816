"""``core``: values by key."""

from commonplace.interfaces.cli.call import Call
from commonplace.interfaces.cli.parsing import Parser, moments
from commonplace.interfaces.json import core_value
from commonplace.model import CATEGORIES


def core(parser: Parser) -> None:
    group = parser.group()
    one = group.command("set", "give a key its value from now on", _set)
    one.add_argument("key")
    one.add_argument("value", nargs="+", help="`-` reads it from standard input")
    one.add_argument("--category", choices=CATEGORIES, metavar="CATEGORY", default="preference", help="%(choices)s")
    one = group.command("get", "print the value of a key", _get)
    one.add_argument("key")
    moments(one)
    moments(group.command("list", "every key and value", _list))
    group.command("forget", "forget a key's value for good", _forget).add_argument("key")


def _set(call: Call) -> None:
    given = call.given
    call.receipt(call.book.core.set(given.key, call.text(given.value), category=given.category))


def _get(call: Call) -> None:
    found = call.book.core.get(call.given.key, as_of=call.time("as_of"), known_at=call.time("known_at"))
    call.answer(core_value(found), [found.text])


def _list(call: Call) -> None:
    found = call.book.core.list(as_of=call.time("as_of"), known_at=call.time("known_at"))
    call.answer(
        [core_value(one) for one in found],
        lambda paper: paper.table(
            ("key", "since", "namespace", "value"),
            ((one.key, paper.day(one.valid_from or one.recorded_at), one.namespace, one.text) for one in found),
        ),
    )


def _forget(call: Call) -> None:
    call.receipt(call.book.core.forget(call.given.key))
