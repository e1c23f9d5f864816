"""The maintenance jobs: each is idempotent and can be interrupted."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from commonplace.batches.opened_book import OpenedBook
from commonplace.copies.backup import REPLAY, replayed
from commonplace.memories.forgetting import Forgetting
from commonplace.memories.jobs import Handler
from commonplace.memories.scope import Scope
from commonplace.memories.verifying import PENDING, SCRUBBED
from commonplace.store.ports import Store
from commonplace.upkeep.keys import reseal
from commonplace.upkeep.passages import JOB as PASSAGES
from commonplace.upkeep.passages import encode_passages
from commonplace.upkeep.reindex import embed, pack, reindex


class ScrubPending(Exception):
    """Deleted bytes are still in the log because a reader is open; retried later."""


ACTS: dict[str, Callable[[OpenedBook, Scope, Mapping[str, Any]], object]] = {
    "embed": lambda book, scope, payload: embed(book, scope, str(payload["namespace"])),
    PASSAGES: lambda book, scope, payload: encode_passages(book, scope, str(payload["namespace"])),
    "pack": lambda book, scope, payload: pack(scope, str(payload["namespace"])),
    "reseal": lambda book, scope, payload: reseal(scope, destroy_old=bool(payload.get("destroy_old"))),
    "reindex": lambda book, scope, payload: reindex(book, scope),
    "scrub": lambda book, scope, payload: scrub(scope, payload),
    REPLAY: replayed,
}


def handlers(book: OpenedBook) -> dict[str, Handler]:
    """The handlers for `jobs.run_due`, by kind of job."""
    return {kind: partial(act, book) for kind, act in ACTS.items()}


def scrub(scope: Scope, payload: Mapping[str, Any]) -> None:
    """Try again to make deleted bytes unreadable, and update the receipt that waits for it."""
    if cannot_scrub(scope.store):
        return
    if not scope.store.scrub():
        raise ScrubPending
    with scope.store.read(scope.owner) as tx:
        row = tx.receipts.get(str(payload["ref"]))
    if row is not None and row.state == PENDING:
        verified = Forgetting(scope).verify(row.ref)
        assert verified.state == SCRUBBED


def cannot_scrub(store: Store) -> bool:
    """Whether the engine can never scrub: its receipts then stay pending, and say so."""
    return store.engine == "postgres"
