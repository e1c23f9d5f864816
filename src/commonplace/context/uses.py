"""Records which memories were on a page, for `uses`."""

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from commonplace.clock import micros, moment
from commonplace.errors import StoreError
from commonplace.memories import codec as states
from commonplace.memories.admission import page_size
from commonplace.memories.reading import Reader
from commonplace.memories.scope import Scope
from commonplace.store.rows import TraceRow

log = logging.getLogger(__name__)
KIND = "context"
BATCH = 500


@dataclass(frozen=True, slots=True, kw_only=True)
class Use:
    """A page that had a memory on it. The question is not stored."""

    id: str
    at: datetime
    kind: str = KIND
    memories: int
    """Number of memories on the page, this one included."""


def record(scope: Scope, ids: Sequence[str]) -> None:
    """Record which memories reached a prompt, because use raises importance. Not flushed to disk.

    On a full disk the page is returned without the record.
    """
    if not ids or scope.role == "reader":
        return
    now, id = micros(scope.clock.now()), scope.clock.new_id()
    sealed = scope.vault.seal_json("trace", id, {"ids": list(ids)})
    try:
        with scope.store.write(scope.owner, synced=False) as tx:
            tx.memories.touch(ids, at=now)
            tx.traces.put(TraceRow(id=id, kind=KIND, at=now, sealed=sealed))
    except StoreError as fault:
        log.warning("could not record the use of %d memories: %s", len(ids), fault)


def uses(scope: Scope, id: str, *, before: str | None = None, limit: int = 100) -> list[Use]:
    """The pages a memory was on in the last 90 days, newest first. Raises ``NotFound``."""
    limit = page_size(limit)
    Reader(scope).get(id)
    pages: list[Use] = []
    with scope.store.read(scope.owner) as tx:
        first = min((row.recorded_at for row in tx.versions.of(states.NOUN, id)), default=0)
        while len(pages) < limit:
            rows = tx.traces.page(KIND, before=before, limit=BATCH)
            for row in rows:
                ids = scope.open_json("trace", row.id, row.sealed)["ids"]
                if id in ids:
                    pages.append(Use(id=row.id, at=moment(row.at), memories=len(ids)))
            if len(rows) < BATCH or rows[-1].at < first:
                break
            before = rows[-1].id
    return pages[:limit]
