"""Store memories: one, many, a conversation, a tie, a line of the notebook."""

from dataclasses import replace
from functools import partial
from typing import Annotated, Any, Literal

from mcp_types import CallToolResult
from pydantic import BaseModel, ConfigDict, Field, WithJsonSchema, create_model

from commonplace.errors import CommonplaceError
from commonplace.interfaces.fields import parameters
from commonplace.interfaces.mcp.access import Where, scoped_book
from commonplace.interfaces.mcp.answers import inert, receipt_answer, receipt_sentence, text_answer, verb_of
from commonplace.interfaces.mcp.tools.tool import ToolCall, typed
from commonplace.model import Category, Message, NewMemoryFields, Receipt
from commonplace.protocol import Book
from commonplace.security.redact import redact

PERSONAL_CATEGORIES = ("preference", "routine")
"""Categories that are about the person unless the caller says otherwise."""
Share = Annotated[float | None, Field(ge=0, le=1, description="0 to 1.", json_schema_extra={"x-rare": True})]
ITEM: dict[str, Any] = {
    field.name: (Share if field.type is float else typed(field), field.default)
    for field in parameters(NewMemoryFields, ("source", "confirm"))
}
NewItem: Any = create_model("NewItem", __config__=ConfigDict(extra="forbid"), text=(str, ...), **ITEM)


class Tie(BaseModel):
    """A relation written with its names: what is not listed, and what `memory_relate` takes as well."""

    model_config = ConfigDict(extra="forbid")
    subject: str
    predicate: str
    object: str
    subject_type: str = "person"
    object_type: str = "topic"
    confidence: float = Field(0.7, ge=0, le=1)
    notes: str | None = None


Triple = Annotated[list[str], Field(min_length=3, max_length=3)]
Relation = Annotated[
    Triple | Tie,
    WithJsonSchema({"type": "array", "items": {"type": "string"}, "minItems": 3, "maxItems": 3}),
]


def memorize(
    call: ToolCall,
    text: str,
    category: Category = "context",
    scope: Where | None = None,
    key: str | None = None,
    importance: float | None = None,
    glossary_tags: list[str] | None = None,
    relations: list[Relation] | None = None,
    tags: list[str] | None = None,
) -> CallToolResult:
    default: Where = "personal" if key or category in PERSONAL_CATEGORIES else "project"
    book = scoped_book(call.access, call.namespace, scope, "write", default=default)
    receipt = book.remember(
        text,
        kind="core" if key else "associative",
        category=category,
        key=key or None,
        importance=importance,
        tags=[*(tags or ()), *(glossary_tags or ())],
    )
    unstored = "".join(map(partial(_relate, book), relations or ()))
    shown = inert(redact(text).text)
    if receipt.id is None or receipt.action != "ADD":
        return receipt_answer(receipt, receipt_sentence(receipt, shown) + unstored)
    status = book.get(receipt.id).status
    sentence = receipt_sentence(receipt, shown).removeprefix(verb_of(receipt))
    return receipt_answer(receipt, f"Stored as a {status}{sentence} Namespace: {inert(book.namespace)}.{unstored}")


def _relate(book: Book, relation: list[str] | Tie) -> str:
    """A sentence about a relation that was refused, else an empty text. The memory is stored already."""
    try:
        book.relate(*relation) if isinstance(relation, list) else book.relate(**relation.model_dump())
    except CommonplaceError as error:
        return f" Relation not stored: {error}."
    return ""


def related(book: Book, receipt: Receipt, tie: dict[str, Any]) -> str:
    """What became of a tie that was stated."""
    ends = f"{inert(tie['subject'])} --{inert(tie['predicate'])}--> {inert(tie['object'])}"
    sentence = receipt_sentence(receipt, ends)
    if sentence.startswith("Stored") and receipt.id:
        return sentence.replace("Stored", f"Stored as a {book.graph.get(receipt.id).status}", 1)
    return sentence


def remember_many(call: ToolCall, items: list[str | NewItem]) -> CallToolResult:
    memories = [item if isinstance(item, str) else item.model_dump(exclude_none=True) for item in items]
    return receipt_answer(call.book("write").remember_many(memories))


def observe(call: ToolCall, messages: list[dict[str, Any]], session: str | None = None) -> CallToolResult:
    turns = [
        Message(
            str(message.get("text", message.get("content", ""))),
            speaker=message.get("speaker"),
            role=message.get("role") or "user",
            at=message.get("at"),
            metadata=message.get("metadata"),
        )
        for message in messages
    ]
    receipt = call.book("write").observe(turns, session=session)
    return receipt_answer(receipt, receipt_sentence(receipt, f"{len(receipt.ids)} of {len(turns)} messages"))


def note(
    call: ToolCall, text: str, where: Literal["note", "correction", "decision", "log", "todo", "lesson"] = "note"
) -> CallToolResult:
    notebook = call.book("write").notebook
    notebook.pages = replace(notebook.pages, writes=notebook.pages.asked_for)
    if where == "log":
        line = notebook.log(text)
    elif where == "todo":
        line = notebook.todo(text)
    elif where == "lesson":
        line = notebook.lesson(text)
    else:
        line = notebook.note(text, kind=where)
    remark = f" {line.word}" if line.word else ""
    if not notebook.pages.writes:
        return text_answer(f"Saved as a memory ({where}); this project has no notebook files.{remark}")
    return text_answer(f"Written to the notebook ({where}).{remark}")
