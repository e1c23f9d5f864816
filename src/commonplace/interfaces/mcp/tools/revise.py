"""Correct a memory."""

from typing import Any

from mcp_types import CallToolResult

from commonplace.describing.proposal import Proposal
from commonplace.interfaces.mcp.answers import (
    changed_ids,
    inert,
    preview,
    proposal_answer,
    receipt_answer,
    receipt_sentence,
    text_answer,
)
from commonplace.interfaces.mcp.tools.tool import ToolCall
from commonplace.security.redact import redact


def revise(
    call: ToolCall,
    id: str | None = None,
    text: str | None = None,
    query: str | None = None,
    reason: str | None = None,
    dry_run: bool = False,
    choose: str | None = None,
    expected: int | None = None,
    **fields: Any,
) -> CallToolResult:
    book = call.book("write")
    options: dict[str, Any] = {"reason": reason, "expected": expected, **fields}
    receipt = book.revise(id, text, query=query, dry_run=dry_run, choose=choose, **options)
    if isinstance(receipt, Proposal):
        return proposal_answer(receipt)
    if dry_run:
        return text_answer(f"Nothing was changed. This would be corrected:\n{preview(book, changed_ids(receipt))}")
    return receipt_answer(receipt, receipt_sentence(receipt, inert(redact(text).text) if text else None))
