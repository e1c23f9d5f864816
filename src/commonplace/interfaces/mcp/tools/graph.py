"""Entities and relations, beyond ``memory_relate``."""

from typing import Annotated, Any

from mcp.server.mcpserver import MCPServer
from mcp_types import CallToolResult
from pydantic import Field

from commonplace.interfaces.mcp.access import BookAccess
from commonplace.interfaces.mcp.answers import CHANGES, READS, inert, memories_answer, receipt_answer
from commonplace.interfaces.mcp.tools.parameters import After, AsOf, KnownAt, Namespace, PageSize, Share
from commonplace.model import Entity, Relation

Name = Annotated[str | None, Field(description="Name.")]


def add(server: MCPServer[Any], access: BookAccess) -> None:
    _add_reading(server, access)
    _add_changing(server, access)


def _add_reading(server: MCPServer[Any], access: BookAccess) -> None:
    @server.tool(title="Relations", annotations=READS)
    def relations(
        subject: Name = None,
        predicate: Name = None,
        object: Name = None,
        as_of: AsOf = None,
        known_at: KnownAt = None,
        after: After = None,
        limit: PageSize = 20,
        namespace: Namespace = None,
    ) -> CallToolResult:
        """Ties that hold now, or held or were known at a moment, by any of their parts."""
        when = {"as_of": as_of, "known_at": known_at}
        page = access.book(namespace, "read").relations(subject, predicate, object, after=after, limit=limit, **when)
        return memories_answer(map(relation_line, page), nothing="No such tie is known.")

    @server.tool(title="Walk", annotations=READS)
    def walk(
        entity: Annotated[str, Field(description="Name of a person, company, project or topic.")],
        depth: Annotated[int, Field(ge=1, le=6, description="Steps.")] = 2,
        as_of: AsOf = None,
        known_at: KnownAt = None,
        namespace: Namespace = None,
    ) -> CallToolResult:
        """Everything within some steps of a named thing, now or at a moment."""
        walk = access.book(namespace, "read").walk(entity, depth=depth, as_of=as_of, known_at=known_at)
        return memories_answer(map(relation_line, walk.relations), nothing="Nothing is tied to it.")

    @server.tool(title="Entities", annotations=READS)
    def entities(
        type: Annotated[str | None, Field(description="Only of this type.")] = None,
        tag: Annotated[str | None, Field(description="Only with this tag.")] = None,
        after: After = None,
        limit: PageSize = 30,
        namespace: Namespace = None,
    ) -> CallToolResult:
        """The people, companies, projects and topics that are known."""
        page = access.book(namespace, "read").graph.entities(type=type, tag=tag, after=after, limit=limit)
        return memories_answer(map(_entity_line, page), nothing="Nobody and nothing is known yet.")


def _add_changing(server: MCPServer[Any], access: BookAccess) -> None:
    @server.tool(title="Revise a relation", annotations=CHANGES)
    def revise_relation(
        id: Annotated[str, Field(description="Id from memory_relations.")],
        subject: Name = None,
        predicate: Name = None,
        object: Name = None,
        confidence: Share = None,
        notes: Annotated[str | None, Field(description="A remark.")] = None,
        namespace: Namespace = None,
    ) -> CallToolResult:
        """Change an end, the predicate, confidence or notes of a tie; what is left out stays."""
        fields = {"subject": subject, "predicate": predicate, "object": object, "confidence": confidence}
        changes: dict[str, Any] = {name: value for name, value in fields.items() if value is not None}
        changes |= {"notes": notes} if notes is not None else {}
        return receipt_answer(access.book(namespace, "write").graph.revise(id, **changes))

    @server.tool(title="Merge entities", annotations=CHANGES)
    def merge_entities(
        keep: Annotated[str, Field(description="Id of the entity that stays.")],
        absorb: Annotated[str, Field(description="Id of the entity that becomes an alias.")],
        namespace: Namespace = None,
    ) -> CallToolResult:
        """Say that two entities are the same."""
        return receipt_answer(access.book(namespace, "write").graph.merge(keep, absorb))


def relation_line(relation: Relation) -> str:
    ends = f"{inert(relation.subject.label)} --{relation.predicate}--> {inert(relation.object.label)}"
    return f"- [id {relation.id}; {relation.status}; {relation.confidence:.2f}] {ends}"


def _entity_line(entity: Entity) -> str:
    return f"- [id {entity.id}; {inert(entity.type)}] {inert(entity.label)}"
