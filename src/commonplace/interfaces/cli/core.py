"""``core``: values by key."""

from commonplace.interfaces.cli.call import Call
from commonplace.interfaces.json import core_value


def get(call: Call) -> None:
    value = call.book.core.get(**call.keywords())
    call.answer(core_value(value), [value.text])


def list_(call: Call) -> None:
    values = call.book.core.list(**call.keywords())
    columns = {"key": "key", "since": lambda value: call.paper.day(value.valid_from or value.recorded_at)}
    columns = {**columns, "namespace": "namespace", "value": "text"}
    call.table(values, columns, value=[core_value(value) for value in values])
