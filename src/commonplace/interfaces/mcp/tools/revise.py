"""Correct a memory."""

from typing import Annotated, Any

from mcp.server.mcpserver import MCPServer
from mcp_types import CallToolResult
from pydantic import Field

from commonplace.describing.proposal import Proposal
from commonplace.interfaces.fields import parameters
from commonplace.interfaces.mcp.access import BookAccess
from commonplace.interfaces.mcp.answers import (
    CHANGES,
    changed_ids,
    inert,
    preview,
    proposal_answer,
    receipt_answer,
    receipt_sentence,
    text_answer,
)
from commonplace.interfaces.mcp.tools.parameters import (
    DryRun,
    Namespace,
    OptionalId,
    Reason,
    Version,
    taking,
)
from commonplace.model import RevisionFields
from commonplace.security.redact import redact

DESCRIPTION = (
    "Correct a memory: give its id, or describe it (`query`), and the right text. The old text stays in its history. "
    "What you leave out stays as it is. An unclear description returns a proposal: pass the right id as `choose`."
)

WORDS = {"tags": "Tags instead of those it has.", "importance": "0 to 1.", "confidence": "0 to 1."}


def add(server: MCPServer[Any], access: BookAccess) -> None:
    @server.tool(title="Revise", annotations=CHANGES, description=DESCRIPTION)
    @taking(parameters(RevisionFields), WORDS)
    def revise(
        id: OptionalId = None,
        text: Annotated[str | None, Field(description="The right text.")] = None,
        query: Annotated[str | None, Field(description="Describes the memory.")] = None,
        reason: Reason = None,
        dry_run: DryRun = False,
        choose: Annotated[str | None, Field(description="An id out of a proposal.")] = None,
        expected: Version = None,
        namespace: Namespace = None,
        **fields: Any,
    ) -> CallToolResult:
        book = access.book(namespace, "write")
        options: dict[str, Any] = {"reason": reason, "expected": expected, **fields}
        receipt = book.revise(id, text, query=query, dry_run=dry_run, choose=choose, **options)
        if isinstance(receipt, Proposal):
            return proposal_answer(receipt)
        if dry_run:
            return text_answer(f"Nothing was changed. This would be corrected:\n{preview(book, changed_ids(receipt))}")
        said = inert(redact(text).text) if text else None
        return receipt_answer(receipt, receipt_sentence(receipt, said))
