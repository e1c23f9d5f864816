"""State a relation between two named things."""

from typing import Annotated, Any

from mcp.server.mcpserver import MCPServer
from mcp_types import CallToolResult
from pydantic import Field

from commonplace.interfaces.mcp.access import BookAccess
from commonplace.interfaces.mcp.answers import ADDS, inert, receipt_answer, receipt_sentence
from commonplace.interfaces.mcp.tools.parameters import Namespace, ValidFrom, ValidTo, rare

DESCRIPTION = (
    "State a tie between two named things: Giulia (person) reports_to Marco (person). Said again, it is confirmed. "
    "Predicates: works_at, reports_to, works_on, manages, knows, owns, part_of, depends_on, lives_in, related_to …"
)
Name = Annotated[str, Field(description="Name.")]
Type = Annotated[str, Field(description="person, company, project, topic …")]


def add(server: MCPServer[Any], access: BookAccess) -> None:
    @server.tool(title="Relate", annotations=ADDS, description=DESCRIPTION)
    def relate(
        subject: Name,
        predicate: Annotated[str, Field(description="How.")],
        object: Name,
        subject_type: Type = "person",
        object_type: Type = "topic",
        confidence: Annotated[float, rare("How sure, 0 to 1.", ge=0, le=1)] = 0.7,
        notes: Annotated[str | None, rare("A remark.")] = None,
        valid_from: ValidFrom = None,
        valid_to: ValidTo = None,
        namespace: Namespace = None,
    ) -> CallToolResult:
        book = access.book(namespace, "write")
        receipt = book.relate(
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
        tie = f"{inert(subject)} --{inert(predicate)}--> {inert(object)}"
        sentence = receipt_sentence(receipt, tie)
        if sentence.startswith("Stored") and receipt.id:
            sentence = sentence.replace("Stored", f"Stored as a {book.graph.get(receipt.id).status}", 1)
        return receipt_answer(receipt, sentence)
