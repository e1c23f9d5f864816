"""``forget``, ``erase`` and ``verify-receipt``: the acts that cannot be undone, and their proof."""

import sys

from commonplace.errors import Invalid
from commonplace.interfaces.cli.call import Call
from commonplace.interfaces.cli.mentions import agreed_edits, make, said
from commonplace.interfaces.cli.parsing import Parser

FAILED = 1


def forget(parser: Parser) -> None:
    parser.add_argument("ids", nargs="*", metavar="ID")
    parser.add_argument(
        "--query", metavar="TEXT", help="what to forget, in words; of a compound sentence only that part"
    )
    parser.add_argument("--all", action="store_true", help="everything that the words describe")
    parser.add_argument("--best", action="store_true", help="of several the one that fits best")
    parser.add_argument("--dry-run", action="store_true", help="show what would go, and change nothing")
    parser.add_argument("--yes", action="store_true", help="do not ask")
    parser.runs(_forget)


def erase(parser: Parser) -> None:
    parser.add_argument("name", nargs="?", metavar="NAMESPACE", help="otherwise everything that the owner has")
    parser.add_argument("--yes", action="store_true", help="do not ask")
    parser.runs(_erase)


def verify_receipt(parser: Parser) -> None:
    parser.add_argument("receipt", metavar="RECEIPT")
    parser.runs(_verify)


def _forget(call: Call) -> None:
    given = call.given
    if bool(given.ids) == (given.query is not None):
        raise Invalid("name memories by id, or describe what is meant with --query")
    if given.query is not None:
        _forget_described(call)
        return
    ids = list(map(call.id, given.ids))
    edits = [] if given.dry_run else agreed_edits(call, said(call, ids))
    receipts = [call.book.forget(id, dry_run=given.dry_run) for id in ids]
    make(call, edits)
    if len(receipts) == 1:
        call.receipt(receipts[0])
        return
    call.answer(receipts, lambda paper: [line for one in receipts for line in paper.receipt(one)])


def _forget_described(call: Call) -> None:
    """What the words mean is shown before anybody agrees to it."""
    given = call.given
    query, which = call.text(given.query), {"all": given.all, "best": given.best}
    shown = call.book.forget(query=query, dry_run=True, **which)
    if given.dry_run:
        call.receipt(shown)
        return
    if not given.yes:
        for change in shown.changes:
            print(f"{change.reason}: {change.statement}", file=sys.stderr)
    call.agreed("Forget this, for good?")
    edits = agreed_edits(call, [one.statement for one in shown.changes if one.action == "DELETE" and one.statement])
    receipt = call.book.forget(query=query, **which)
    make(call, edits)
    call.receipt(receipt)


def _erase(call: Call) -> None:
    given = call.given
    asked = getattr(given, "namespace", None)
    if given.name and asked and given.name != asked:
        raise Invalid("two namespaces are named; name the one to erase")
    name = given.name or asked
    what = f"namespace {name!r} of {call.settings.owner!r}" if name else f"everything that {call.settings.owner!r} has"
    call.agreed(f"Erase {what}, for good?")
    call.receipt(call.book.erase(confirm=True, namespace=name))


def _verify(call: Call) -> None:
    found = call.book.verify_receipt(call.ref(call.given.receipt))
    call.given.exit_code = 0 if found.gone else FAILED
    call.answer(
        {"id": found.ref, "gone": found.gone, "state": found.state, "found": found.found},
        [f"{'gone' if found.gone else 'not gone'}, {found.state}", *(f"still there: {one}" for one in found.found)],
    )
