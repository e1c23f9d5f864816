"""``agenda``: what is owed, due, and who was not contacted for long."""

from commonplace.interfaces.cli.call import Call
from commonplace.interfaces.cli.parsing import Parser, positive


def agenda(parser: Parser) -> None:
    parser.add_argument("--days", type=positive, default=14, metavar="N", help="deadlines within N days (default 14)")
    parser.add_argument("--silent", type=positive, default=30, metavar="N", help="days without contact (default 30)")
    parser.runs(_agenda)


def _agenda(call: Call) -> None:
    items = call.book.agenda(days=call.given.days, silent=call.given.silent)
    call.answer(
        items,
        (lambda paper: paper.table(("kind", "when", "what"), ((item.kind, item.day, item.text) for item in items)))
        if items
        else ["Nothing is owed or due."],
    )
