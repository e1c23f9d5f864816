"""The book on PostgreSQL, as a server keeps it: one set of connections a process, a book for each owner who asks."""

import sys
from functools import cache
from pathlib import Path

sys.path[:0] = ["."]

from benchmarks.load import Shelf, serve  # noqa: E402

from commonplace import Commonplace, Settings  # noqa: E402
from commonplace.opening import open_parts  # noqa: E402

LIMIT = 8

url, home, *arguments = sys.argv[1:]
parts = open_parts(url, Settings(home=Path(home)))


@cache
def book(owner: str) -> Commonplace:
    return Commonplace(parts, parts.scope(owner, "default"))


serve(
    Shelf(
        fill=lambda owner, texts: book(owner).remember_many(texts),
        add=lambda owner, text: book(owner).remember(text),
        search=lambda owner, question: book(owner).recall(question, limit=LIMIT),
    ),
    arguments,
)
