"""Correct, archive, or forget for good. The person is asked first, through their client where it can ask."""

from typing import Any, Literal

from mcp.server.mcpserver import Elicit
from mcp_types import CallToolResult

from commonplace.describing.proposal import Proposal
from commonplace.errors import Invalid
from commonplace.interfaces.mcp.answers import (
    changed_ids,
    fenced,
    inert,
    memories_answer,
    memory_line,
    preview,
    proposal_answer,
    receipt_answer,
    receipt_sentence,
    text_answer,
)
from commonplace.interfaces.mcp.tools.consent import Answer, Consent, NotAsked, agreed, ask
from commonplace.interfaces.mcp.tools.tool import ToolCall
from commonplace.model import Receipt
from commonplace.protocol import Book
from commonplace.security.redact import redact


def forget(
    call: ToolCall,
    consent: Answer,
    id: str | None = None,
    query: str | None = None,
    dry_run: bool = False,
    choose: list[str] | None = None,
    confirm: bool = False,
    archive: bool = False,
) -> CallToolResult:
    book = call.book("write")
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


def question(
    call: ToolCall,
    confirm: bool,
    dry_run: bool,
    archive: bool,
    id: str | None = None,
    query: str | None = None,
    choose: list[str] | None = None,
) -> Consent | Elicit[Consent]:
    """The question to ask the person; none if nothing would be lost or the arguments are incomplete."""
    if confirm or dry_run or archive:
        return Consent(yes=True)
    book = call.book("write")
    trial = _trial(book, id, query, choose)
    if isinstance(trial, Proposal):  # nothing would be forgotten: nothing to ask
        return NotAsked()
    ids = changed_ids(trial)
    texts = [f"- {inert(book.get(id).text)}" for id in ids[:5]]
    more = [f"- and {len(ids) - 5} more"] if len(ids) > 5 else []
    text = "\n".join(["Forget this for good? It cannot be undone (archiving can).", *texts, *more])
    return ask(text, call.context)


def _trial(book: Book, id: str | None, query: str | None, choose: list[str] | None) -> Receipt | Proposal:
    return book.forget(id, query=query, choose=choose, dry_run=True)


def core(
    call: ToolCall,
    consent: Answer,
    action: Literal["list", "set", "forget"],
    key: str | None = None,
    value: str | None = None,
    confirm: bool = False,
) -> CallToolResult:
    if action == "list":
        return memories_answer(map(memory_line, call.book("read").core.list()), nothing="None.")
    values = call.book("write").core
    if key is None or (action == "set" and value is None):
        raise Invalid(f"this action needs `{'key' if key is None else 'value'}`; call again with it")
    if action == "set":
        return receipt_answer(values.set(key, str(value)))
    if not agreed(consent):
        shown = fenced([memory_line(values.get(key))], nothing="")
        text = f"Nothing was forgotten. This would be forgotten for good:\n{shown}\nAsk the person; if they agree, "
        return text_answer(text + "call again with confirm=true.", is_error=True)
    return receipt_answer(values.forget(key))


def core_question(
    call: ToolCall, action: str, confirm: bool, key: str | None = None, **_: Any
) -> Consent | Elicit[Consent]:
    if confirm or action != "forget" or key is None:
        return Consent(yes=True)
    memory = call.book("write").core.get(key)
    return ask(f"Forget this for good? It cannot be undone.\n- {inert(key)}: {inert(memory.text)}", call.context)


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
