"""Verbs that change single memories, or store many, beyond the default set."""

from typing import Annotated, Any

from mcp.server.mcpserver import MCPServer
from mcp_types import CallToolResult
from pydantic import ConfigDict, Field, create_model

from commonplace.interfaces.fields import parameters
from commonplace.interfaces.mcp.access import BookAccess
from commonplace.interfaces.mcp.answers import ADDS, CHANGES, receipt_answer, receipt_sentence
from commonplace.interfaces.mcp.tools.parameters import MemoryId, Namespace, Reason, Share, Version, typed
from commonplace.model import Message, NewMemoryFields, Role

ITEM: dict[str, Any] = {
    field.name: (Share if field.type is float else typed(field), field.default)
    for field in parameters(NewMemoryFields, ("source", "confirm"))
}
NewItem: Any = create_model("NewItem", __config__=ConfigDict(extra="forbid"), text=(str, ...), **ITEM)


def add(server: MCPServer[Any], access: BookAccess) -> None:
    _add_corrections(server, access)
    _add_bulk(server, access)


def _add_corrections(server: MCPServer[Any], access: BookAccess) -> None:
    @server.tool(title="Reject", annotations=CHANGES)
    def reject(
        id: MemoryId, reason: Reason = None, expected: Version = None, namespace: Namespace = None
    ) -> CallToolResult:
        """Say that a memory is wrong: it is hidden and its value cannot come back by itself."""
        return receipt_answer(access.book(namespace, "write").reject(id, reason=reason, expected=expected))

    @server.tool(title="Archive", annotations=CHANGES)
    def archive(
        ids: Annotated[list[str], Field(description="Ids from memory_recall.")],
        reason: Reason = None,
        namespace: Namespace = None,
    ) -> CallToolResult:
        """Hide memories without judging them; undo brings them back."""
        return receipt_answer(access.book(namespace, "write").archive(*ids, reason=reason))

    @server.tool(title="Useful", annotations=CHANGES)
    def useful(
        id: MemoryId, yes: Annotated[bool, Field(description="Whether it helped.")] = True, namespace: Namespace = None
    ) -> CallToolResult:
        """Say whether a memory helped; its importance goes up or down a little."""
        return receipt_answer(access.book(namespace, "write").useful(id, yes=yes))


def _add_bulk(server: MCPServer[Any], access: BookAccess) -> None:
    @server.tool(title="Memorize many", annotations=ADDS)
    def remember_many(
        items: Annotated[list[str | NewItem], Field(description="Sentences, or objects with the fields of a memory.")],
        namespace: Namespace = None,
    ) -> CallToolResult:
        """Save many memories in one transaction."""
        memories = [item if isinstance(item, str) else item.model_dump(exclude_none=True) for item in items]
        return receipt_answer(access.book(namespace, "write").remember_many(memories))

    @server.tool(title="Observe", annotations=ADDS)
    def observe(
        messages: Annotated[
            list[dict[str, Any]], Field(description="Objects with `text`, and optionally `speaker`, `role`, `at`.")
        ],
        session: Annotated[str | None, Field(description="Name of the conversation.")] = None,
        namespace: Namespace = None,
    ) -> CallToolResult:
        """Keep a conversation word for word."""
        turns = [
            Message(
                str(message.get("text", message.get("content", ""))),
                speaker=message.get("speaker"),
                role=_role(message.get("role")),
                at=message.get("at"),
                metadata=message.get("metadata"),
            )
            for message in messages
        ]
        receipt = access.book(namespace, "write").observe(turns, session=session)
        count = f"{len(receipt.ids)} of {len(turns)} messages"
        return receipt_answer(receipt, receipt_sentence(receipt, count))


def _role(value: Any) -> Role:
    role: Role = value or "user"
    return role
