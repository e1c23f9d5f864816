"""``history``, ``rollback``, ``undo`` and ``receipts``."""

from commonplace.interfaces.cli.call import Call, listed
from commonplace.interfaces.cli.parsing import Parser, positive, several
from commonplace.interfaces.cli.progress import progress


def history(parser: Parser) -> None:
    parser.add_argument("id")
    parser.runs(_history)


def rollback(parser: Parser) -> None:
    parser.add_argument("id")
    parser.add_argument("--to", type=positive, required=True, metavar="VERSION", help="the version to restore")
    parser.add_argument("--expected", type=positive, metavar="VERSION", help="only if it is still at this version")
    parser.runs(_rollback)


def undo(parser: Parser) -> None:
    parser.add_argument("receipt", metavar="RECEIPT", help="its name, as the command printed it; `@` is the latest")
    parser.runs(_undo)


def receipts(parser: Parser) -> None:
    several(parser, "--action", "only of this action, such as REMEMBER or FORGET")
    parser.add_argument("--limit", type=positive, default=20, metavar="N", help="at most so many (20)")
    parser.add_argument("--before", metavar="RECEIPT", help="where the last page ended")
    parser.runs(_receipts)


def _history(call: Call) -> None:
    versions = call.book.history(call.id(call.given.id))
    call.answer([{"id": one.memory.id, **_fields(one)} for one in versions], lambda paper: paper.versions(versions))


def _fields(version: object) -> dict[str, object]:
    names = ("version", "recorded_at", "superseded_at", "actor", "action", "reason", "memory")
    return {name: getattr(version, name) for name in names}


def _rollback(call: Call) -> None:
    given = call.given
    call.receipt(call.book.rollback(call.id(given.id), to=given.to, expected=given.expected))


def _undo(call: Call) -> None:
    ref = call.ref(call.given.receipt)
    with progress("undoing") as show:
        done = call.book.undo(ref, progress=show)
    call.receipt(done)


def _receipts(call: Call) -> None:
    given = call.given
    actions = [one.upper() for one in listed(given.action)]
    found = call.book.receipts.list(actions=actions, before=given.before, limit=given.limit)
    call.answer(
        found,
        lambda paper: paper.table(
            ("receipt", "at", "action", "state", "by", "about"),
            ((one.ref, paper.time(one.at), one.action, one.state, one.actor, " ".join(one.ids)) for one in found),
        ),
    )
