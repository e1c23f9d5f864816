"""``revise``, ``archive`` and ``reject``."""

from typing import Any

from commonplace.errors import Invalid
from commonplace.interfaces.cli.call import Call
from commonplace.interfaces.cli.mentions import agreed_edits, make


def revise(call: Call) -> None:
    arguments = call.given
    fields = call.keywords("id", "text", "query", "choose", "dry_run", "reason", "expected")
    further: dict[str, Any] = {
        "dry_run": arguments.dry_run,
        "reason": arguments.reason,
        "expected": arguments.expected,
        **fields,
    }
    if arguments.query is None:
        if arguments.id is None:
            raise Invalid("say which memory: its id, or --query 'a description'")
        id, words = call.id(arguments.id), arguments.text
    else:
        id, words = None, [word for word in (arguments.id,) if word] + arguments.text
    text = call.text(words) if words else None
    if text is None and not fields:
        raise Invalid("say what changes: a text, or a field such as --category")
    choose = None if arguments.query is None or arguments.choose is None else call.id(arguments.choose)
    call.proposal_or_receipt(call.book.revise(id, text, query=arguments.query, choose=choose, **further))


def archive(call: Call) -> None:
    call.receipt(call.book.archive(*map(call.id, call.given.ids), reason=call.given.reason))


def reject(call: Call) -> None:
    arguments = call.given
    id = call.id(arguments.id)
    edits = agreed_edits(call, [call.book.get(id).text])
    receipt = call.book.reject(id, reason=arguments.reason, expected=arguments.expected)
    make(call, edits)
    call.receipt(receipt)
