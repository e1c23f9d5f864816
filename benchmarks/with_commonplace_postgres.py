"""The book on PostgreSQL, as a server opens it: one set of connections a process, a book for each owner who asks.

Besides what ``benchmarks/load.py`` reads, ``share OWNERS NAMESPACES MEMBERS MEMORIES`` makes shared namespaces whose
members are drawn from the first OWNERS; ``clients-shared`` are clients in those. Token vectors are left out unless
COMMONPLACE_LATE_INTERACTION says ``on``: making them for a million memories takes hours.
"""

import os
import sys
from functools import cache
from itertools import cycle
from pathlib import Path

sys.path[:0] = ["."]

from benchmarks.corpus import texts  # noqa: E402
from benchmarks.load import Sample, named, serve  # noqa: E402

from commonplace import Commonplace, Settings  # noqa: E402
from commonplace.runtime import open_parts  # noqa: E402

LIMIT = 8

url, home, *arguments = sys.argv[1:]
late_interaction = os.environ.get("COMMONPLACE_LATE_INTERACTION", "off")
parts = open_parts(url, Settings(home=Path(home), late_interaction=late_interaction))


@cache
def book(owner: str) -> Commonplace:
    return Commonplace(parts, parts.scope(owner, "default"))


@cache
def shared(owner: str) -> Commonplace:
    """The first namespace that is shared with the owner."""
    return book(owner).within(book(owner).sharing.list()[0].name)


def share(owners: int, namespaces: int, members: int, memories: int) -> None:
    people = cycle(range(owners))
    for number in range(namespaces):
        admin = book(named(next(people)))
        name = f"team {number}"
        for _ in range(members - 1):
            person = named(next(people))
            book(person).sharing.join(str(admin.sharing.share(name, person=person).code))
        admin.within(name).remember_many(list(texts(memories, seed=2_000_000 + number)))


if arguments[0] == "share":
    share(*map(int, arguments[1:]))
else:
    place = shared if arguments[0] == "clients-shared" else book
    serve(
        Sample(
            fill=lambda owner, texts: book(owner).remember_many(texts),
            add=lambda owner, text: place(owner).remember(text),
            search=lambda owner, question: place(owner).recall(question, limit=LIMIT),
            fill_personal=lambda owner, texts: book(owner).within("personal").remember_many(texts),
        ),
        arguments,
    )
