"""``forget``, ``erase`` and ``verify-receipt``: the acts that cannot be undone, and their proof."""

from commonplace.errors import Invalid
from commonplace.interfaces.cli.call import Call
from commonplace.interfaces.cli.parsing import Parser

FAILED = 1


def forget(parser: Parser) -> None:
    parser.add_argument("ids", nargs="+", metavar="ID")
    parser.runs(_forget)


def erase(parser: Parser) -> None:
    parser.add_argument("name", nargs="?", metavar="NAMESPACE", help="otherwise everything that the owner has")
    parser.add_argument("--yes", action="store_true", help="do not ask")
    parser.runs(_erase)


def verify_receipt(parser: Parser) -> None:
    parser.add_argument("receipt", metavar="RECEIPT")
    parser.runs(_verify)


def _forget(call: Call) -> None:
    receipts = [call.book.forget(id) for id in map(call.id, call.given.ids)]
    if len(receipts) == 1:
        call.receipt(receipts[0])
        return
    call.answer(receipts, lambda paper: [line for one in receipts for line in paper.receipt(one)])


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
