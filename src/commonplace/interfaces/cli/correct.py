"""``revise``, ``reject``, ``archive``, ``useful`` and ``dismiss``."""

from typing import Any

from commonplace.errors import Invalid
from commonplace.interfaces.cli.call import Call
from commonplace.interfaces.cli.mentions import agreed_edits, make
from commonplace.interfaces.cli.parsing import Parser, options, positive
from commonplace.interfaces.fields import parameters
from commonplace.model import RevisionFields

REVISED = parameters(RevisionFields)


def revise(parser: Parser) -> None:
    parser.add_argument("id", nargs="?", help="which memory; not with --query")
    parser.add_argument("text", nargs="*", help="what is right; `-` reads it from standard input")
    parser.add_argument("--query", metavar="TEXT", help="which memory, in words")
    parser.add_argument("--choose", metavar="ID", help="which of the proposed memories, by id")
    parser.add_argument("--dry-run", action="store_true", help="only show what would change")
    options(parser, REVISED, revising=True)
    _reason(parser)
    _expected(parser)
    parser.runs(_revise)


def reject(parser: Parser) -> None:
    parser.add_argument("id")
    parser.add_argument("--yes", action="store_true", help="remove it from the notebook's files too, without asking")
    _reason(parser)
    _expected(parser)
    parser.runs(_reject)


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
    fields = {name: value for name, value in call.fields(REVISED).items() if value not in (None, [], {})}
    if given.query is None:
        if given.id is None:
            raise Invalid("say which memory: its id, or --query 'a description'")
        id, words = call.id(given.id), given.text
    else:
        id, words = None, [word for word in (given.id,) if word] + given.text
    text = call.text(words) if words else None
    if text is None and not fields:
        raise Invalid("say what changes: a text, or a field such as --category")
    further: dict[str, Any] = {"dry_run": given.dry_run, "reason": given.reason, "expected": given.expected, **fields}
    choose = None if given.query is None or given.choose is None else call.id(given.choose)
    call.proposal_or_receipt(call.book.revise(id, text, query=given.query, choose=choose, **further))


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
