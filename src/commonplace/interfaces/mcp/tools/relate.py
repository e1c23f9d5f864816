"""Relate."""

from datetime import datetime
from typing import Annotated

from mcp.server.mcpserver import MCPServer
from pydantic import Field

from commonplace.interfaces.mcp.desk import ADDS, Desk, Done, done, telling


def add(server: MCPServer, desk: Desk) -> None:
    @server.tool(
        title="Relate",
        annotations=ADDS,
        description=(
            "State a tie between two named things: Giulia (person) reports_to Marco (person). Said again, it is "
            "confirmed again. Types: person, company, project, topic or another word. Usual predicates: works_at, "
            "reports_to, works_on, manages, knows, owns, part_of, depends_on, lives_in, likes, related_to."
        ),
    )
    @telling
    def relate(
        subject: str,
        predicate: str,
        object: str,
        subject_type: str = "person",
        object_type: str = "topic",
        confidence: Annotated[float, Field(ge=0, le=1)] = 0.7,
        notes: str | None = None,
        valid_from: datetime | None = None,
        valid_to: datetime | None = None,
        namespace: str | None = None,
    ) -> Done:
        book = desk.book(namespace, "write")
        return done(
            book.relate(
                subject,
                predicate,
                object,
                subject_type=subject_type,
                object_type=object_type,
                confidence=confidence,
                notes=notes,
                valid_from=valid_from,
                valid_to=valid_to,
            )
        )
