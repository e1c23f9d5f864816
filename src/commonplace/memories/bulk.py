"""One verb on many memories, in one transaction: all or none."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from commonplace.memories.gateway import Gateway
from commonplace.memories.glossary import tag_ids
from commonplace.memories.ids import takes_ids
from commonplace.memories.scope import Scope
from commonplace.memories.unit_of_work import write_transaction
from commonplace.model import Receipt


@takes_ids
class Bulk:
    def __init__(self, scope: Scope) -> None:
        self._scope = scope
        self._gateway = Gateway(scope)

    def confirm(self, ids: Sequence[str]) -> Receipt:
        with write_transaction(self._scope, "CONFIRM") as work:
            for id in dict.fromkeys(ids):
                self._gateway.confirm_within(work, work.load(id))
            return work.receipt()

    def reject(self, ids: Sequence[str], *, reason: str | None = None) -> Receipt:
        with write_transaction(self._scope, "REJECT") as work:
            for id in dict.fromkeys(ids):
                self._gateway.reject_within(work, work.load(id), reason)
            return work.receipt()

    def tag(self, ids: Sequence[str], tags: Iterable[str]) -> Receipt:
        """Add these tags to each memory."""
        names = list(tags)
        with write_transaction(self._scope, "TAG") as work:
            for id in dict.fromkeys(ids):
                before = work.load(id)
                after = replace(
                    before, tags=tuple(dict.fromkeys((*before.tags, *tag_ids(work, before.row.namespace, names))))
                )
                if after.tags != before.tags:
                    work.change(before, after, action="TAG", reason="tagged", receipt_action="UPDATE")
            return work.receipt()
