"""Doing a thing once, however often a caller who lost the answer asks for it again.

The key is written in the transaction that makes the change, with the receipt: a process that dies leaves both or
neither, and of two requests at once the second finds the first one's when its turn to write comes. The words of
memories are not kept with it, because a receipt must not outlive what is forgotten: they are looked up again.
"""

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

from commonplace.clock import micros
from commonplace.errors import CommonplaceError, Invalid, NotFound
from commonplace.interfaces.json import to_json
from commonplace.memories.reading import Reader
from commonplace.memories.scope import Scope
from commonplace.model import Change, Receipt
from commonplace.store.rows import TraceRow
from commonplace.store.transaction import Transaction

KIND = "idempotency"
KEPT = timedelta(hours=24)
KEY_LIMIT = 255


class _Answered(Exception):
    """Another request with this key was faster. Takes back what this one wrote; never leaves this file."""


def once(scope: Scope, key: str, digest: bytes, work: Callable[[Scope], Receipt]) -> tuple[Receipt, bool]:
    """The receipt of ``work``, and whether it was made by an earlier request with this key.

    ``work`` is given the scope to write in. Raises ``Invalid`` if the key was used for another request. What is
    refused, and what writes nothing, leaves no trace of the key.
    """
    if not 1 <= len(key) <= KEY_LIMIT:
        raise Invalid(f"an Idempotency-Key has 1 to {KEY_LIMIT} characters")
    request = _Request(scope, key, digest)
    if (answer := request.answered()) is not None:
        return answer, True
    try:
        receipt = work(replace(scope, settle=request.settle))
    except (_Answered, CommonplaceError):
        if (answer := request.answered()) is None:
            raise
        return answer, True
    request.complete(receipt)
    return receipt, False


class _Request:
    def __init__(self, scope: Scope, key: str, digest: bytes) -> None:
        self._scope = scope
        self._id = scope.vault.label(KIND, key).hex()
        self._asked = scope.vault.digest(digest).hex()
        self._settled: Receipt | None = None

    def answered(self) -> Receipt | None:
        with self._scope.store.read(self._scope.owner) as tx:
            stored = self._kept(tx)
            row = tx.receipts.get(stored["receipt"]["ref"]) if stored else None
        if stored is None:
            return None
        receipt = _receipt(self._scope, stored)
        # an erasure may have been finished since
        return receipt if row is None else replace(receipt, state=row.state)

    def settle(self, tx: Transaction, receipt: Receipt) -> None:
        """Only the first receipt of a request is what it asked for; what is concluded from it comes after."""
        if self._settled is not None:
            return
        if self._kept(tx) is not None:
            raise _Answered
        self._put(tx, receipt)
        tx.traces.delete(kind=KIND, before=micros(self._scope.clock.now() - KEPT))
        self._settled = receipt

    def complete(self, receipt: Receipt) -> None:
        """What was concluded after the first transaction is shown again too, if the process lives to say it."""
        settled = self._settled
        if settled is None or replace(receipt, state=settled.state) == settled:
            return
        with self._scope.store.write(self._scope.owner) as tx:
            self._put(tx, receipt)

    def _kept(self, tx: Transaction) -> dict[str, Any] | None:
        row = tx.traces.get(self._id)
        if row is None or row.at < micros(self._scope.clock.now() - KEPT):
            return None
        stored: dict[str, Any] = self._scope.open_json("trace", self._id, row.sealed)
        if stored["asked"] != self._asked:
            raise Invalid("this Idempotency-Key was used for another request; take a new one")
        return stored

    def _put(self, tx: Transaction, receipt: Receipt) -> None:
        changes = tuple(replace(change, statement=None) for change in receipt.changes)
        stored = {
            "asked": self._asked,
            "receipt": to_json(replace(receipt, changes=changes)),
            "stated": [number for number, change in enumerate(receipt.changes) if change.statement is not None],
        }
        sealed = self._scope.current_vault().seal_json("trace", self._id, stored)
        tx.traces.put(TraceRow(id=self._id, kind=KIND, at=micros(self._scope.clock.now()), sealed=sealed))


def _receipt(scope: Scope, stored: dict[str, Any]) -> Receipt:
    plain: dict[str, Any] = dict(stored["receipt"])
    plain.pop("id")
    changes = [Change(**change) for change in plain.pop("changes")]
    for number in stored["stated"]:
        changes[number] = replace(changes[number], statement=_stated(scope, changes[number]))
    plain["at"] = datetime.fromisoformat(plain["at"])
    plain |= {name: tuple(plain[name]) for name in ("ids", "notes")}
    return Receipt(changes=tuple(changes), **plain)


def _stated(scope: Scope, change: Change) -> str | None:
    try:
        versions = Reader(scope).history(change.id)
    except NotFound:
        return None  # forgotten since
    return next((version.memory.text for version in versions if version.version == change.after), None)
