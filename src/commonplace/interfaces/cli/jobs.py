"""``jobs``: background work."""

from commonplace.errors import Invalid
from commonplace.interfaces.cli.call import Call, listed
from commonplace.interfaces.cli.parsing import Parser, positive, several


def jobs(parser: Parser) -> None:
    group = parser.group()
    one = group.command("list", "jobs with their state and what went wrong", _list)
    several(one, "--state", "only in this state", ("waiting", "leased", "done", "dead"))
    several(one, "--kind", "only of this kind")
    one.add_argument("--limit", type=positive, default=50, metavar="N", help="at most so many (50)")
    group.command("counts", "how many per kind and state", _counts)
    one = group.command("replay", "try again what failed for good", _replay)
    one.add_argument("id", nargs="?")
    one.add_argument("--all", action="store_true", help="everything in the dead letter")


def _list(call: Call) -> None:
    given = call.given
    found = call.book.jobs.list(states=listed(given.state), kinds=listed(given.kind), limit=given.limit)
    call.answer(
        found,
        lambda paper: paper.table(
            ("id", "kind", "state", "tried", "due", "error"),
            ((one.id, one.kind, one.state, one.attempts, paper.time(one.due_at), one.error) for one in found),
        ),
    )


def _counts(call: Call) -> None:
    counts = call.book.jobs.counts()
    rows = [(kind, state, number) for kind, states in counts.items() for state, number in states.items()]
    call.answer(counts, lambda paper: paper.table(("kind", "state", "jobs"), rows))


def _replay(call: Call) -> None:
    given = call.given
    if (given.id is None) != given.all:
        raise Invalid("name a job, or say --all")
    ids = [one.id for one in call.book.jobs.list(states=["dead"], limit=10_000)] if given.all else [given.id]
    again = [call.book.jobs.replay(id) for id in ids]
    call.answer(again, [f"{len(again)} waiting again"])
