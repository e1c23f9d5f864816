"""``timeline``, ``usage`` and ``conversations``: what happened when."""

from commonplace.interfaces.cli.call import Call
from commonplace.interfaces.cli.parsing import Parser, positive


def timeline(parser: Parser) -> None:
    parser.add_argument("--since", metavar="TIME")
    parser.add_argument("--until", metavar="TIME")
    parser.add_argument("--before", metavar="DAY", help="the last day of the previous page")
    parser.add_argument("--limit", type=positive, default=30, metavar="N", help="maximum days (default 30)")
    parser.runs(_timeline)


def usage(parser: Parser) -> None:
    parser.add_argument("--since", metavar="TIME", default="2000-01-01", help="default: everything")
    parser.runs(_usage)


def conversations(parser: Parser) -> None:
    parser.add_argument("--limit", type=positive, default=50, metavar="N", help="maximum (default 50)")
    parser.runs(_conversations)


def _timeline(call: Call) -> None:
    arguments = call.given
    days = call.book.timeline.days(
        since=call.time("since"), until=call.time("until", last=True), before=arguments.before, limit=arguments.limit
    )
    columns = {"day": "day", "said": "episodes", "learned": "learned", "forgotten": "forgotten"}
    value = [
        {"id": day.day, "episodes": day.episodes, "learned": day.learned, "forgotten": day.forgotten} for day in days
    ]
    call.table(days, columns, value=value)


def _usage(call: Call) -> None:
    since = call.time("since")
    days = call.book.timeline.usage(since="" if since is None else since.date().isoformat())
    columns = {"day": "day", "what": "what", "calls": "calls", "tokens": "tokens"}
    value = [{"id": day.day, "what": day.what, "calls": day.calls, "tokens": day.tokens} for day in days]
    call.table(days, columns, value=value)


def _conversations(call: Call) -> None:
    columns = {"id": "id", "began": "started_at", "turns": "turns", "namespace": "namespace", "name": "name"}
    call.table(call.book.sessions.list(limit=call.given.limit), columns)
