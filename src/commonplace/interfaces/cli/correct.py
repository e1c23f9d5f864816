"""``revise``, ``confirm``, ``reject``, ``end``, ``archive``, ``useful`` and ``dismiss``."""

from typing import Any

from commonplace.errors import Invalid
from commonplace.interfaces.cli.call import Call, listed
from commonplace.interfaces.cli.mentions import agreed_edits, make
from commonplace.interfaces.cli.parsing import Parser, pair, positive, several, share
from commonplace.model import CATEGORIES


def revise(parser: Parser) -> None:
    parser.add_argument("id", nargs="?", help="which memory; not with --query")
    parser.add_argument("text", nargs="*", help="what is right; `-` reads it from standard input")
    parser.add_argument("--query", metavar="TEXT", help="which memory, in words")
    parser.add_argument("--best", action="store_true", help="of several that the words describe the one that fits best")
    parser.add_argument("--dry-run", action="store_true", help="show what would be, and change nothing")
    parser.add_argument("--category", choices=CATEGORIES, metavar="CATEGORY", help="%(choices)s")
    parser.add_argument("--importance", type=share, metavar="0…1")
    parser.add_argument("--confidence", type=share, metavar="0…1")
    several(parser, "--tag", "file it under these tags instead")
    parser.add_argument("--pinned", action="store_true", default=None, help="never pruned")
    parser.add_argument("--unpinned", dest="pinned", action="store_false", help="may be pruned")
    parser.add_argument("--valid-from", metavar="TIME", help="true since")
    parser.add_argument("--valid-to", metavar="TIME", help="true until")
    parser.add_argument("--expires-at", metavar="TIME", help="of no use after")
    parser.add_argument("--metadata", action="append", type=pair, default=[], metavar="NAME=VALUE")
    _reason(parser)
    _expected(parser)
    parser.runs(_revise)


def confirm(parser: Parser) -> None:
    parser.add_argument("id")
    _expected(parser)
    parser.runs(lambda call: call.receipt(call.book.confirm(call.id(call.given.id), expected=call.given.expected)))


def reject(parser: Parser) -> None:
    parser.add_argument("id")
    parser.add_argument("--yes", action="store_true", help="take it out of the notebook's files as well, unasked")
    _reason(parser)
    _expected(parser)
    parser.runs(_reject)


def end(parser: Parser) -> None:
    parser.add_argument("id")
    parser.add_argument("--at", metavar="TIME", help="since when; otherwise now")
    _reason(parser)
    parser.runs(
        lambda call: call.receipt(call.book.end(call.id(call.given.id), at=call.time("at"), reason=call.given.reason))
    )


def archive(parser: Parser) -> None:
    parser.add_argument("ids", nargs="+", metavar="ID")
    _reason(parser)
    parser.runs(lambda call: call.receipt(call.book.archive(*map(call.id, call.given.ids), reason=call.given.reason)))


def useful(parser: Parser) -> None:
    parser.add_argument("id")
    parser.add_argument("--no", action="store_true", help="it did not help")
    parser.runs(lambda call: call.receipt(call.book.useful(call.id(call.given.id), yes=not call.given.no)))


def dismiss(parser: Parser) -> None:
    parser.add_argument("id")
    parser.runs(lambda call: call.receipt(call.book.dismiss(call.id(call.given.id))))


def _revise(call: Call) -> None:
    given = call.given
    fields: dict[str, Any] = {name: call.time(name) for name in ("valid_from", "valid_to", "expires_at")}
    fields |= {name: getattr(given, name) for name in ("category", "importance", "confidence", "pinned")}
    fields |= {"tags": listed(given.tag) or None, "metadata": dict(given.metadata) or None}
    fields = {name: value for name, value in fields.items() if value is not None}
    id, words = (
        (given.id, given.text) if given.query is None else (None, [one for one in (given.id,) if one] + given.text)
    )
    text = call.text(words) if words else None
    if text is None and not fields:
        raise Invalid("say what changes: a text, or a field such as --category")
    call.receipt(
        call.book.revise(
            None if id is None else call.id(id),
            text,
            query=given.query,
            best=given.best,
            dry_run=given.dry_run,
            reason=given.reason,
            expected=given.expected,
            **fields,
        )
    )


def _reject(call: Call) -> None:
    given = call.given
    id = call.id(given.id)
    edits = agreed_edits(call, [call.book.get(id).text])
    receipt = call.book.reject(id, reason=given.reason, expected=given.expected)
    make(call, edits)
    call.receipt(receipt)


def _reason(parser: Parser) -> None:
    parser.add_argument("--reason", metavar="TEXT", help="why, for the history")


def _expected(parser: Parser) -> None:
    parser.add_argument("--expected", type=positive, metavar="VERSION", help="only if it is still at this version")
