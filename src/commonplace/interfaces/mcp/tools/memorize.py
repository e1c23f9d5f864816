"""Store one memory."""

from functools import partial
from typing import Annotated, Any

from mcp.server.mcpserver import MCPServer
from mcp_types import CallToolResult
from pydantic import BaseModel, ConfigDict, Field, WithJsonSchema

from commonplace.errors import CommonplaceError
from commonplace.interfaces.mcp.access import BookAccess, Where, scoped_book
from commonplace.interfaces.mcp.answers import ADDS, inert, receipt_answer, receipt_sentence, verb_of
from commonplace.interfaces.mcp.tools.parameters import Namespace, Tags, rare
from commonplace.model import Category
from commonplace.protocol import Book
from commonplace.security.redact import redact

PERSONAL_CATEGORIES = ("preference", "routine")
"""Categories that are about the person unless the caller says otherwise."""


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


def add(server: MCPServer[Any], access: BookAccess) -> None:
    @server.tool(
        title="Memorize",
        annotations=ADDS,
        meta={"anthropic/alwaysLoad": True},
        description=(
            "Save one lasting thing (preference, decision, fact, routine, correction, lesson) as a self-contained "
            "sentence with full names and dates. It is a candidate until the person confirms it. Not for secrets or "
            "for what is true only now."
        ),
    )
    def memorize(
        text: Annotated[str, Field(description="One sentence, clear without this conversation.")],
        category: Annotated[Category, Field(description="What it is.")] = "context",
        scope: Annotated[
            Where | None,
            Field(
                description="personal: true of the person in every project (default for preference, routine, key); "
                "project: this project only."
            ),
        ] = None,
        key: Annotated[
            str | None, Field(description="Makes it a core value of this name, always in the profile.")
        ] = None,
        importance: Annotated[float | None, Field(ge=0, le=1, description="Default: computed.")] = None,
        glossary_tags: Tags = None,
        relations: Annotated[
            list[Relation] | None, Field(description="Ties it states: [subject, predicate, object].")
        ] = None,
        tags: Annotated[list[str] | None, rare("Same as glossary_tags.")] = None,
        namespace: Namespace = None,
    ) -> CallToolResult:
        default: Where = "personal" if key or category in PERSONAL_CATEGORIES else "project"
        book = scoped_book(access, namespace, scope, "write", default=default)
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
    """What to say of a relation that is refused; the memory is stored already."""
    try:
        book.relate(*relation) if isinstance(relation, list) else book.relate(**relation.model_dump())
    except CommonplaceError as error:
        return f" Relation not stored: {error}."
    return ""
