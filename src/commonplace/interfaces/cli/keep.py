"""``remember`` and ``observe``."""

import json
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from itertools import islice
from typing import Any

from commonplace.errors import Invalid
from commonplace.interfaces.cli.call import Call, listed
from commonplace.interfaces.cli.parsing import Parser, pair, several, share
from commonplace.interfaces.cli.progress import progress
from commonplace.model import CATEGORIES, KINDS, ROLES, SOURCES

BATCH = 500
TIMES = ("valid_from", "valid_to", "expires_at")


def remember(parser: Parser) -> None:
    parser.add_argument("text", nargs="*", help="what to keep; `-` reads it from standard input")
    parser.add_argument(
        "--lines", metavar="FILE", help="keep every line of a file: a text, or a JSON object with `text` and fields"
    )
    parser.add_argument("--kind", choices=KINDS, metavar="KIND", default="associative", help="%(choices)s")
    parser.add_argument("--category", choices=CATEGORIES, metavar="CATEGORY", default="context", help="%(choices)s")
    parser.add_argument("--key", help="the name of a core value")
    parser.add_argument("--importance", type=share, metavar="0…1", help="otherwise computed")
    parser.add_argument("--confidence", type=share, metavar="0…1", help="otherwise by who says it")
    several(parser, "--tag", "file it under this tag")
    parser.add_argument("--source", choices=SOURCES, metavar="SOURCE", help="%(choices)s; otherwise by who calls")
    parser.add_argument("--valid-from", metavar="TIME", help="true since")
    parser.add_argument("--valid-to", metavar="TIME", help="true until")
    parser.add_argument("--expires-at", metavar="TIME", help="of no use after")
    parser.add_argument("--pinned", action="store_true", help="never pruned")
    parser.add_argument(
        "--metadata", action="append", type=pair, default=[], metavar="NAME=VALUE", help="anything else"
    )
    parser.runs(_remember)


def observe(parser: Parser) -> None:
    parser.add_argument("text", nargs="*", help="what was said; `-` reads it from standard input")
    parser.add_argument(
        "--messages",
        metavar="FILE",
        help="a conversation: a JSON list, or a JSON object a line, of text, speaker, at …",
    )
    parser.add_argument("--speaker", help="who said it")
    parser.add_argument("--role", choices=ROLES, metavar="ROLE", default="user", help="%(choices)s")
    parser.add_argument("--at", metavar="TIME", help="when; otherwise now")
    parser.add_argument("--session", metavar="NAME", help="the conversation it belongs to")
    parser.runs(_observe)


def _remember(call: Call) -> None:
    given = call.given
    fields: dict[str, Any] = {name: call.time(name) for name in TIMES}
    fields |= {name: getattr(given, name) for name in ("kind", "category", "importance", "confidence", "source")}
    fields |= {"tags": listed(given.tag), "pinned": given.pinned, "metadata": dict(given.metadata)}
    if given.lines is not None:
        _remember_lines(call, {name: value for name, value in fields.items() if value})
        return
    if given.key is not None:
        fields |= {"key": given.key, "kind": "core"}
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
    call.answer(receipts, [f"{len(lines)} kept", *(f"receipt {one.ref}" for one in receipts)])


def _item(number: int, line: str) -> dict[str, Any]:
    if not line.lstrip().startswith("{"):
        return {"text": line}
    try:
        item: dict[str, Any] = json.loads(line)
    except ValueError:
        raise Invalid(f"line {number} is not JSON") from None
    for name in TIMES:
        if item.get(name) is not None:
            item[name] = _moment(item[name], f"{name} in line {number}")
    return item


def _observe(call: Call) -> None:
    given = call.given
    if given.messages is None:
        one = {"text": _words(call), "speaker": given.speaker, "role": given.role, "at": call.time("at")}
        call.receipt(call.book.observe([one], session=given.session))
        return
    if given.text:
        raise Invalid("give either a text or --messages, not both")
    call.receipt(call.book.observe(list(_messages(call.file(given.messages))), session=given.session))


def _messages(text: str) -> Iterator[Mapping[str, Any] | str]:
    for number, one in enumerate(_json(text), 1):
        if isinstance(one, str):
            yield one
        elif isinstance(one, dict) and isinstance(one.get("text", one.get("content")), str):
            yield {**one, "at": _moment(one.get("at"), f"`at` of message {number}")}
        else:
            raise Invalid(f"message {number} is neither a text nor an object with `text`")


def _json(text: str) -> Sequence[Any]:
    try:
        if text.lstrip().startswith("["):
            whole: list[Any] = json.loads(text)
            return whole
        return [json.loads(line) for line in text.splitlines() if line.strip()]
    except ValueError:
        raise Invalid("the messages are neither a JSON list nor JSON objects, one a line") from None


def _moment(value: Any, what: str) -> datetime | None:
    if value is None:
        return None
    try:
        moment = datetime.fromisoformat(value)
    except (TypeError, ValueError):
        raise Invalid(f"{what} is not a time in ISO 8601") from None
    return moment.astimezone()


def _words(call: Call) -> str:
    if not call.given.text:
        raise Invalid("say what to keep: a text, or `-` to read it from standard input")
    return call.text(call.given.text)
