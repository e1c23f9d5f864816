"""``jobs``: background work."""

from commonplace.errors import Invalid
from commonplace.interfaces.cli.call import Call


def counts(call: Call) -> None:
    counts = call.book.jobs.counts()
    rows = [(kind, state, number) for kind, states in counts.items() for state, number in states.items()]
    call.answer(counts, lambda paper: paper.table(("kind", "state", "jobs"), rows))


def replay(call: Call) -> None:
    arguments = call.given
    if (arguments.id is None) != arguments.all:
        raise Invalid("name a job, or say --all")
    ids = [job.id for job in call.book.jobs.list(states=["dead"], limit=10_000)] if arguments.all else [arguments.id]
    replayed = [call.book.jobs.replay(id) for id in ids]
    call.answer(replayed, [f"{len(replayed)} waiting again"])
