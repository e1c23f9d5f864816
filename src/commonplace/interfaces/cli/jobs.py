"""``jobs``: background work."""

from commonplace.errors import Invalid
from commonplace.interfaces.cli.call import Call, listed
from commonplace.interfaces.cli.parsing import Parser, positive, several


def jobs(parser: Parser) -> None:
    group = parser.group()
    command = group.command("list", "jobs with their state and what went wrong", _list)
    several(command, "--state", "only in this state", ("waiting", "leased", "done", "dead"))
    several(command, "--kind", "only of this kind")
    command.add_argument("--limit", type=positive, default=50, metavar="N", help="maximum (default 50)")
    group.command("counts", "how many per kind and state", _counts)
    command = group.command("replay", "retry failed jobs", _replay)
    command.add_argument("id", nargs="?")
    command.add_argument("--all", action="store_true", help="all failed jobs")


def _list(call: Call) -> None:
    arguments = call.given
    states, kinds = listed(arguments.state), listed(arguments.kind)
    jobs = call.book.jobs.list(states=states, kinds=kinds, limit=arguments.limit, newest=True)
    columns = {"id": "id", "kind": "kind", "state": "state", "tried": "attempts", "due": "due_at", "error": "error"}
    call.table(jobs, columns, more="")


def _counts(call: Call) -> None:
    counts = call.book.jobs.counts()
    rows = [(kind, state, number) for kind, states in counts.items() for state, number in states.items()]
    call.answer(counts, lambda paper: paper.table(("kind", "state", "jobs"), rows))


def _replay(call: Call) -> None:
    arguments = call.given
    if (arguments.id is None) != arguments.all:
        raise Invalid("name a job, or say --all")
    ids = [job.id for job in call.book.jobs.list(states=["dead"], limit=10_000)] if arguments.all else [arguments.id]
    replayed = [call.book.jobs.replay(id) for id in ids]
    call.answer(replayed, [f"{len(replayed)} waiting again"])
