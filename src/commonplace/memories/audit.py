"""The audit log: who did what to which item, as a hash chain, without any content."""

import builtins
from dataclasses import dataclass
from datetime import datetime

from commonplace.errors import KeyringError
from commonplace.memories.admission import page_size
from commonplace.memories.scope import Scope
from commonplace.memories.unit_of_work import Digest, link, write_transaction
from commonplace.store.rows import AuditRow, from_row

LAST = 2**62
"""Greater than every sequence number."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditLine:
    sequence: int
    at: datetime
    actor: str
    action: str
    noun: str
    target: str
    reason: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditCheck:
    lines: int
    problem: str | None
    """The first line that breaks the chain; None if it is intact."""

    @property
    def ok(self) -> bool:
        return self.problem is None


class Audit:
    def __init__(self, scope: Scope) -> None:
        self._scope = scope

    def list(self, *, after: int = 0, limit: int = 100, newest: bool = False) -> builtins.list[AuditLine]:
        """Lines in order after a sequence number; with ``newest`` the latest first, before that number."""
        limit = page_size(limit)
        with self._scope.store.read(self._scope.owner) as tx:
            if newest:
                rows = tx.audit.page_back(before=after or LAST, limit=limit)
            else:
                rows = tx.audit.page(after=after, limit=limit)
            return [from_row(AuditLine, row, reason=self._reason(row)) for row in rows]

    def record_call(self, tool: str) -> None:
        """Record that a program called a tool, so that connections that only read are visible too."""
        with write_transaction(self._scope, "CALL") as work:
            work.audit("CALL", "tool", tool, None, None, None)
            work.receipt(keep=False)

    def verify(self) -> AuditCheck:
        """Check the whole chain: changed, removed or inserted lines break it."""
        digest = self._scope.current_vault().digest
        previous, expected = b"", 1
        with self._scope.store.read(self._scope.owner) as tx:
            for row in tx.audit.walk():
                fields = (row.sequence, row.at, row.actor, row.action, row.noun, row.target)
                hash = link(digest, previous, fields, (row.before, row.after, row.reason_digest))
                if row.sequence != expected:
                    return AuditCheck(lines=expected - 1, problem=f"line {expected} is missing")
                if hash != row.hash or not self._reason_unchanged(digest, row):
                    return AuditCheck(lines=expected - 1, problem=f"line {expected} was changed or inserted")
                previous, expected = row.hash, expected + 1
            # A receipt has the number of the last audit line at its time: that shows whether lines at the end were
            # removed.
            reached = max((int(self._scope.opened(row)["audited"]) for row in tx.receipts.page(limit=10)), default=0)
        if reached >= expected:
            return AuditCheck(lines=expected - 1, problem=f"lines {expected} to {reached} were removed")
        return AuditCheck(lines=expected - 1, problem=None)

    def _reason_unchanged(self, digest: Digest, row: AuditRow) -> bool:
        """Whether the reason is unchanged. A forgotten reason is absent."""
        try:
            return row.reason is None or digest(str(self._reason(row)).encode()) == row.reason_digest
        except KeyringError:
            return False

    def _reason(self, row: AuditRow) -> str | None:
        return None if row.reason is None else str(self._scope.open_json("audit", str(row.sequence), row.reason))
