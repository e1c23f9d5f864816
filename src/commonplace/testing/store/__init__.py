"""What every store promises. Any engine must pass; run it with a store of your own:

    from commonplace.testing.store import CHECKS
    for check in CHECKS:
        check(store, owner=new_name())      # an owner nobody used before

A check raises ``AssertionError`` where a promise is broken. Each takes an owner of its own, so that one store serves
all of them.
"""

from collections.abc import Callable

from commonplace.store.ports import Store
from commonplace.testing.store import (
    accounts,
    graph,
    memories,
    places,
    records,
    tables,
    transactions,
    vectors,
    words,
    work,
)

Check = Callable[[Store, str], None]

CHECKS: list[Check] = [
    check
    for room in (transactions, memories, places, graph, work, records, words, vectors, tables, accounts)
    for check in room.CHECKS
]

__all__ = ["CHECKS", "Check"]
