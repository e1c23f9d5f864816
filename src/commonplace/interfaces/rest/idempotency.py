"""Doing a thing once, however often a caller who lost the answer asks for it again.

A key is claimed before the work and settled with the receipt after it, sealed like everything else. The words of
memories are not kept with it, because a receipt must not outlive what is forgotten: they are looked up again.
"""

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

from commonplace.clock import micros
from commonplace.errors import CommonplaceError, Invalid, NotFound, StoreBusy
from commonplace.interfaces.json import to_json
from commonplace.memories.reading import Reader
from commonplace.memories.scope import Scope
from commonplace.model import Change, Receipt
from commonplace.store.ports import Transaction
from commonplace.store.rows import TraceRow

KIND = "idempotency"
KEPT = timedelta(hours=24)
PATIENCE = timedelta(seconds=60)
"""A claim that is not settled by then belonged to a process that died."""
KEY_LIMIT = 255


def once(scope: Scope, key: str, asked: bytes, work: Callable[[], Receipt]) -> tuple[Receipt, bool]:
    """The receipt of ``work``, and whether it was made by an earlier request with this key.

    Raises ``Invalid`` if the key was used for another request, ``StoreBusy`` while that one is still running.
    """
    if not 1 <= len(key) <= KEY_LIMIT:
        raise Invalid(f"an Idempotency-Key has 1 to {KEY_LIMIT} characters")
    id = scope.vault.label(KIND, key).hex()
    kept = _claim(scope, id, scope.vault.digest(asked).hex())
    if kept is not None:
        return _receipt(scope, kept), True
    try:
        receipt = work()
    except CommonplaceError:
        with scope.store.write(scope.owner) as tx:
            tx.traces.delete(ids=[id])
        raise
    _settle(scope, id, asked, receipt)
    return receipt, False


def _claim(scope: Scope, id: str, asked: str) -> dict[str, Any] | None:
    """Take the key, or find what it stands for."""
    now = scope.clock.now()
    with scope.store.write(scope.owner) as tx:
        row = tx.traces.get(id)
        if row is not None and row.at >= micros(now - KEPT):
            kept: dict[str, Any] = scope.open_json("trace", id, row.sealed)
            if kept["asked"] != asked:
                raise Invalid("this Idempotency-Key was used for another request; take a new one")
            if "receipt" in kept:
                return kept
            if row.at >= micros(now - PATIENCE):
                raise StoreBusy("the first request with this Idempotency-Key is still running; ask again")
        _put(scope, tx, id, {"asked": asked}, now)
        tx.traces.delete(kind=KIND, before=micros(now - KEPT))
    return None


def _settle(scope: Scope, id: str, asked: bytes, receipt: Receipt) -> None:
    changes = tuple(replace(one, statement=None) for one in receipt.changes)
    kept = {
        "asked": scope.vault.digest(asked).hex(),
        "receipt": to_json(replace(receipt, changes=changes)),
        "stated": [number for number, one in enumerate(receipt.changes) if one.statement is not None],
    }
    with scope.store.write(scope.owner) as tx:
        _put(scope, tx, id, kept, scope.clock.now())


def _put(scope: Scope, tx: Transaction, id: str, plain: dict[str, Any], now: datetime) -> None:
    sealed = scope.current_vault().seal_json("trace", id, plain)
    tx.traces.put(TraceRow(id=id, kind=KIND, at=micros(now), sealed=sealed))


def _receipt(scope: Scope, kept: dict[str, Any]) -> Receipt:
    plain: dict[str, Any] = dict(kept["receipt"])
    plain.pop("id")
    changes = [Change(**one) for one in plain.pop("changes")]
    for number in kept["stated"]:
        changes[number] = replace(changes[number], statement=_stated(scope, changes[number]))
    plain["at"] = datetime.fromisoformat(plain["at"])
    plain |= {name: tuple(plain[name]) for name in ("ids", "notes")}
    return Receipt(changes=tuple(changes), **plain)


def _stated(scope: Scope, change: Change) -> str | None:
    try:
        versions = Reader(scope).history(change.id)
    except NotFound:
        return None  # forgotten since
    return next((one.memory.text for one in versions if one.version == change.after), None)
