"""Keep."""

from typing import Annotated

from mcp.server.mcpserver import MCPServer
from pydantic import BaseModel, Field

from commonplace.interfaces.mcp.desk import ADDS, Desk, Done, done, telling
from commonplace.model import Category


class Tie(BaseModel):
    """``subject —predicate→ object``."""

    subject: str
    predicate: str
    object: str
    subject_type: str = "person"
    object_type: str = "topic"


def add(server: MCPServer, desk: Desk) -> None:
    @server.tool(
        title="Memorize",
        annotations=ADDS,
        meta={"anthropic/alwaysLoad": True},
        description=(
            "Save one lasting thing (preference, decision, fact, routine, correction, lesson from an error) as a "
            "self-contained sentence with full names and dates. Saying it again only confirms it. With `key` it is a "
            "core value, always in the profile (one value a key). It enters as a candidate until the person "
            "confirms it. Not for secrets or for what is true only now."
        ),
    )
    @telling
    def memorize(
        text: Annotated[str, Field(description="One sentence that will be understood without this conversation.")],
        category: Category = "context",
        importance: Annotated[float | None, Field(ge=0, le=1, description="Left out: computed.")] = None,
        tags: list[str] | None = None,
        glossary_tags: Annotated[list[str] | None, Field(description="The same as tags.")] = None,
        namespace: Annotated[str | None, Field(description="Left out: the present project.")] = None,
        key: Annotated[str | None, Field(description="Makes it a core value under this key.")] = None,
        relations: Annotated[list[Tie] | None, Field(description="Ties stated along with it.")] = None,
    ) -> Done:
        book = desk.book(namespace, "write")
        receipt = book.remember(
            text,
            kind="core" if key else "associative",
            category=category,
            key=key or None,
            importance=importance,
            tags=[*(tags or ()), *(glossary_tags or ())],
        )
        for tie in relations or ():
            book.relate(**tie.model_dump())
        return done(receipt)
