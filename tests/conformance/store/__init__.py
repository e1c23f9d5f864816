"""What every store promises. Any engine must pass; run it with a store of your own:

    from tests.conformance.store import CHECKS
    for check in CHECKS:
        check(store, owner=new_name())      # an owner nobody used before

A check raises ``AssertionError`` where a promise is broken. Each takes an owner of its own, so that one store serves
all of them.
"""

from collections.abc import Callable

from tests.conformance.store import (
    accounts,
    graph,
    memories,
    passages,
    places,
    records,
    tables,
    transactions,
    vectors,
    words,
    work,
)

from commonplace.store.ports import Store

Check = Callable[[Store, str], None]

CHECKS: list[Check] = [
    check
    for part in (transactions, memories, places, graph, work, records, words, vectors, passages, tables, accounts)
    for check in part.CHECKS
]

__all__ = ["CHECKS", "Check"]
