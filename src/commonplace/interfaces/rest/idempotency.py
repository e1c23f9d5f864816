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
    """It is kept in the book that was written to: the person's own, or that of a namespace shared with them."""

    def __init__(self, scope: Scope, key: str, digest: bytes) -> None:
        self._scope, self._key, self._digest = scope, key, digest
        self._settled: tuple[Scope, Receipt] | None = None

    def answered(self) -> Receipt | None:
        answers = map(self._answered, (self._scope, *self._scope.shared(self._scope)))
        return next((answer for answer in answers if answer is not None), None)

    def _answered(self, scope: Scope) -> Receipt | None:
        with scope.store.read(scope.owner) as tx:
            stored = self._kept(scope, tx)
            row = tx.receipts.get(stored["receipt"]["ref"]) if stored else None
        if stored is None:
            return None
        receipt = _receipt(scope, stored)
        # an erasure may have been finished since
        return receipt if row is None else replace(receipt, state=row.state)

    def settle(self, scope: Scope, tx: Transaction, receipt: Receipt) -> None:
        """Only the first receipt of a request is what it asked for; what is concluded from it comes after."""
        if self._settled is not None:
            return
        if self._kept(scope, tx) is not None:
            raise _Answered
        self._put(scope, tx, receipt)
        tx.traces.delete(kind=KIND, before=micros(scope.clock.now() - KEPT))
        self._settled = scope, receipt

    def complete(self, receipt: Receipt) -> None:
        """What was concluded after the first transaction is shown again too, if the process lives to say it."""
        if self._settled is None:
            return
        scope, settled = self._settled
        if replace(receipt, state=settled.state) != settled:
            with scope.store.write(scope.owner) as tx:
                self._put(scope, tx, receipt)

    def _id(self, scope: Scope) -> str:
        return scope.vault.label(KIND, self._key if scope.member is None else f"{scope.member}/{self._key}").hex()

    def _kept(self, scope: Scope, tx: Transaction) -> dict[str, Any] | None:
        row = tx.traces.get(self._id(scope))
        if row is None or row.at < micros(scope.clock.now() - KEPT):
            return None
        stored: dict[str, Any] = scope.open_json("trace", row.id, row.sealed)
        if stored["asked"] != scope.vault.digest(self._digest).hex():
            raise Invalid("this Idempotency-Key was used for another request; take a new one")
        return stored

    def _put(self, scope: Scope, tx: Transaction, receipt: Receipt) -> None:
        changes = tuple(replace(change, statement=None) for change in receipt.changes)
        stored = {
            "asked": scope.vault.digest(self._digest).hex(),
            "receipt": to_json(replace(receipt, changes=changes)),
            "stated": [number for number, change in enumerate(receipt.changes) if change.statement is not None],
        }
        id = self._id(scope)
        sealed = scope.current_vault().seal_json("trace", id, stored)
        tx.traces.put(TraceRow(id=id, kind=KIND, at=micros(scope.clock.now()), sealed=sealed))


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
