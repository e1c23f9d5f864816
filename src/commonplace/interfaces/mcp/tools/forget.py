"""Forget for good, or archive."""

from collections.abc import Callable
from typing import Annotated, Any

from mcp.server.mcpserver import Context, Elicit, MCPServer, Resolve
from mcp.server.mcpserver.exceptions import ToolError
from mcp_types import CallToolResult
from pydantic import Field

from commonplace.describing.proposal import Proposal
from commonplace.errors import CommonplaceError, Invalid
from commonplace.interfaces.mcp.access import BookAccess
from commonplace.interfaces.mcp.answers import (
    DESTROYS,
    changed_ids,
    inert,
    preview,
    proposal_answer,
    receipt_answer,
    text_answer,
)
from commonplace.interfaces.mcp.tools.consent import Answer, Consent, NotAsked, agreed, ask
from commonplace.interfaces.mcp.tools.parameters import Confirm, Namespace, OptionalId, rare
from commonplace.model import Receipt
from commonplace.protocol import Book

DESCRIPTION = (
    "Forget for good, by id or description (`query`), only when the person asked for it. Without confirm=true it "
    "shows what would be forgotten; confirm once the person agreed. An unclear description returns a proposal: pass "
    "the ids the person means as `choose`. archive=true (with id) hides instead."
)


def add(server: MCPServer[Any], access: BookAccess) -> None:
    consent = _asker(access)

    @server.tool(title="Forget", annotations=DESTROYS, description=DESCRIPTION)
    def forget(
        consent: Annotated[Answer, Resolve(consent)],
        id: OptionalId = None,
        query: Annotated[str | None, Field(description="Describes what to forget.")] = None,
        dry_run: Annotated[bool, rare("Only show what would happen.")] = False,
        choose: Annotated[list[str] | None, Field(description="Ids out of a proposal.")] = None,
        confirm: Confirm = False,
        archive: Annotated[bool, Field(description="Hide instead; undoable.")] = False,
        namespace: Namespace = None,
    ) -> CallToolResult:
        book = access.book(namespace, "write")
        if archive:
            if id is None:
                raise Invalid("to archive, name the memory by its id")
            return receipt_answer(book.archive(id))
        if dry_run or not agreed(consent):
            trial = _trial(book, id, query, choose)
            if isinstance(trial, Proposal):
                return proposal_answer(trial)
            text = f"Nothing was forgotten. This would be forgotten for good:\n{preview(book, changed_ids(trial))}"
            if dry_run:
                return text_answer(text)
            return text_answer(f"{text}\nAsk the person; if they agree, call again with confirm=true.", is_error=True)
        if query is not None and choose is None:
            trial = _trial(book, id, query, choose)
            if isinstance(trial, Proposal):
                return proposal_answer(trial)
            choose = changed_ids(trial)  # what the person was shown
        result = book.forget(id, query=query, choose=choose)
        return proposal_answer(result) if isinstance(result, Proposal) else receipt_answer(result)


def _asker(access: BookAccess) -> Callable[..., Consent | Elicit[Consent]]:
    def consent(
        ctx: Context,
        confirm: bool,
        id: str | None = None,
        query: str | None = None,
        choose: list[str] | None = None,
        dry_run: bool = False,
        archive: bool = False,
        namespace: str | None = None,
    ) -> Consent | Elicit[Consent]:
        """No question where nothing is lost, or before the arguments make sense."""
        if confirm or dry_run or archive:
            return Consent(yes=True)
        try:
            book = access.book(namespace, "write")
            trial = _trial(book, id, query, choose)
            if isinstance(trial, Proposal):  # nothing would be forgotten: nothing to ask
                return NotAsked()
            return ask(_question(book, trial), ctx)
        except CommonplaceError as error:
            raise ToolError(str(error)) from error

    return consent


def _trial(book: Book, id: str | None, query: str | None, choose: list[str] | None) -> Receipt | Proposal:
    return book.forget(id, query=query, choose=choose, dry_run=True)


def _question(book: Book, trial: Receipt) -> str:
    """For the person, so it names what would go."""
    ids = changed_ids(trial)
    texts = [f"- {inert(book.get(id).text)}" for id in ids[:5]]
    more = [f"- and {len(ids) - 5} more"] if len(ids) > 5 else []
    return "\n".join(["Forget this for good? It cannot be undone (archiving can).", *texts, *more])
