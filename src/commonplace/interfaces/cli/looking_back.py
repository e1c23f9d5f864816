"""``timeline``, ``usage`` and ``conversations``: what happened when."""

from commonplace.interfaces.cli.call import Call
from commonplace.interfaces.cli.parsing import Parser, positive


def timeline(parser: Parser) -> None:
    parser.add_argument("--since", metavar="TIME")
    parser.add_argument("--until", metavar="TIME")
    parser.add_argument("--before", metavar="DAY", help="where the last page ended")
    parser.add_argument("--limit", type=positive, default=30, metavar="N", help="at most so many days (30)")
    parser.runs(_timeline)


def usage(parser: Parser) -> None:
    parser.add_argument("--since", metavar="TIME", default="2000-01-01", help="otherwise everything that is kept")
    parser.runs(_usage)


def conversations(parser: Parser) -> None:
    parser.add_argument("--limit", type=positive, default=50, metavar="N", help="at most so many (50)")
    parser.runs(_conversations)


def _timeline(call: Call) -> None:
    given = call.given
    days = call.book.timeline.days(
        since=call.time("since"), until=call.time("until", last=True), before=given.before, limit=given.limit
    )
    call.answer(
        [{"id": one.day, "episodes": one.episodes, "learned": one.learned, "forgotten": one.forgotten} for one in days],
        lambda paper: paper.table(
            ("day", "said", "learned", "forgotten"),
            ((one.day, one.episodes, one.learned, one.forgotten) for one in days),
        ),
    )


def _usage(call: Call) -> None:
    since = call.time("since")
    days = call.book.timeline.usage(since="" if since is None else since.date().isoformat())
    call.answer(
        [{"id": one.day, "what": one.what, "calls": one.calls, "tokens": one.tokens} for one in days],
        lambda paper: paper.table(
            ("day", "what", "calls", "tokens"), ((one.day, one.what, one.calls, one.tokens) for one in days)
        ),
    )


def _conversations(call: Call) -> None:
    found = call.book.sessions.list(limit=call.given.limit)
    call.answer(
        found,
        lambda paper: paper.table(
            ("id", "began", "turns", "namespace", "name"),
            ((one.id, paper.time(one.started_at), one.turns, one.namespace, one.name) for one in found),
        ),
    )
