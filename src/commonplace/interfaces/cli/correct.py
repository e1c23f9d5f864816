"""``revise``, ``archive`` and ``reject``."""

from typing import Any

from commonplace.errors import Invalid
from commonplace.interfaces.cli.call import Call
from commonplace.interfaces.cli.mentions import agreed_edits, make


def revise(call: Call) -> None:
    given = call.given
    fields = call.keywords("id", "text", "query", "choose", "dry_run", "reason", "expected")
    further: dict[str, Any] = {"dry_run": given.dry_run, "reason": given.reason, "expected": given.expected, **fields}
    if given.query is None:
        if given.id is None:
            raise Invalid("say which memory: its id, or --query 'a description'")
        id, words = call.id(given.id), given.text
    else:
        id, words = None, [word for word in (given.id,) if word] + given.text
    text = call.text(words) if words else None
    if text is None and not fields:
        raise Invalid("say what changes: a text, or a field such as --category")
    choose = None if given.query is None or given.choose is None else call.id(given.choose)
    call.proposal_or_receipt(call.book.revise(id, text, query=given.query, choose=choose, **further))


def archive(call: Call) -> None:
    call.receipt(call.book.archive(*map(call.id, call.given.ids), reason=call.given.reason))


def reject(call: Call) -> None:
    given = call.given
    id = call.id(given.id)
    edits = agreed_edits(call, [call.book.get(id).text])
    receipt = call.book.reject(id, reason=given.reason, expected=given.expected)
    make(call, edits)
    call.receipt(receipt)
