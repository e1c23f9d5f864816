"""``remember``, ``observe`` and ``relate``."""

import json
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from itertools import islice
from typing import Any

from commonplace.errors import Invalid
from commonplace.interfaces.cli.call import Call
from commonplace.interfaces.cli.progress import progress
from commonplace.model import NewMemory, time_fields

BATCH = 500


def remember(call: Call) -> None:
    fields = call.keywords("text", "lines")
    if call.given.lines is not None:
        _remember_lines(call, {name: value for name, value in fields.items() if value and name != "key"})
        return
    if "key" in fields:
        fields["kind"] = "core"
    call.receipt(call.book.remember(_words(call), **fields))


def _remember_lines(call: Call, shared: Mapping[str, Any]) -> None:
    if call.given.text:
        raise Invalid("give either a text or --lines, not both")
    lines = [line for line in call.file(call.given.lines).splitlines() if line.strip()]
    items = iter([{**shared, **_item(number, line)} for number, line in enumerate(lines, 1)])
    receipts = []
    with progress("keeping", continues=False) as show:
        while batch := list(islice(items, BATCH)):
            receipts.append(call.book.remember_many(batch))
            show(min(len(lines), len(receipts) * BATCH), len(lines))
    call.answer(receipts, [f"{len(lines)} kept", *(f"receipt {receipt.ref}" for receipt in receipts)])


def _item(number: int, line: str) -> dict[str, Any]:
    if not line.lstrip().startswith("{"):
        return {"text": line}
    try:
        item: dict[str, Any] = json.loads(line)
    except ValueError:
        raise Invalid(f"line {number} is not JSON") from None
    for name in time_fields(NewMemory):
        if item.get(name) is not None:
            item[name] = _moment(item[name], f"{name} in line {number}")
    return item


def observe(call: Call) -> None:
    arguments = call.given
    if arguments.messages is None:
        message = {"text": _words(call), "speaker": arguments.speaker, "role": arguments.role, "at": call.time("at")}
        call.receipt(call.book.observe([message], session=arguments.session))
        return
    if arguments.text:
        raise Invalid("give either a text or --messages, not both")
    call.receipt(call.book.observe(list(_messages(call.file(arguments.messages))), session=arguments.session))


def _messages(text: str) -> Iterator[Mapping[str, Any] | str]:
    for number, entry in enumerate(_json(text), 1):
        if isinstance(entry, str):
            yield entry
        elif isinstance(entry, dict) and isinstance(entry.get("text", entry.get("content")), str):
            yield {**entry, "at": _moment(entry.get("at"), f"`at` of message {number}")}
        else:
            raise Invalid(f"message {number} is neither a text nor an object with `text`")


def _json(text: str) -> Sequence[Any]:
    try:
        if text.lstrip().startswith("["):
            entries: list[Any] = json.loads(text)
            return entries
        return [json.loads(line) for line in text.splitlines() if line.strip()]
    except ValueError:
        raise Invalid("the messages are neither a JSON list nor JSON objects, one a line") from None


def _moment(value: Any, field: str) -> datetime | None:
    if value is None:
        return None
    try:
        moment = datetime.fromisoformat(value)
    except (TypeError, ValueError):
        raise Invalid(f"{field} is not a time in ISO 8601") from None
    return moment.astimezone()


def _words(call: Call) -> str:
    if not call.given.text:
        raise Invalid("pass what to store: a text, or `-` to read it from standard input")
    return call.text(call.given.text)


def relate(call: Call) -> None:
    if call.given.declare:
        call.book.graph.declare(call.given.predicate)
    call.receipt(call.book.relate(**call.keywords("declare")))
