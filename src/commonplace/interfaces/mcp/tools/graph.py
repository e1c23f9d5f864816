"""Entities and relations, beyond `relate`."""

from datetime import datetime
from typing import Annotated, Any

from mcp.server.mcpserver import MCPServer
from mcp_types import CallToolResult
from pydantic import Field

from commonplace.interfaces.mcp.desk import CHANGES, READS, Desk, answer, done, fenced, inert, telling
from commonplace.model import Entity, Relation


def add(server: MCPServer, desk: Desk) -> None:
    _add_reading(server, desk)
    _add_changing(server, desk)


def _add_reading(server: MCPServer, desk: Desk) -> None:
    @server.tool(title="Relations", annotations=READS)
    @telling
    def relations(
        subject: str | None = None,
        predicate: str | None = None,
        object: str | None = None,
        as_of: datetime | None = None,
        known_at: datetime | None = None,
        after: str | None = None,
        limit: Annotated[int, Field(ge=1, le=100)] = 20,
        namespace: str | None = None,
    ) -> CallToolResult:
        """Ties that hold now, or held or were known at a moment, by any of their parts; `after` is the last id seen."""
        when = {"as_of": as_of, "known_at": known_at}
        found = desk.book(namespace, "read").relations(subject, predicate, object, after=after, limit=limit, **when)
        return answer(fenced(map(_tie, found), nothing="No such tie is known."), {"relations": found})

    @server.tool(title="Walk", annotations=READS)
    @telling
    def walk(
        entity: str,
        depth: Annotated[int, Field(ge=1, le=6)] = 2,
        as_of: datetime | None = None,
        namespace: str | None = None,
    ) -> CallToolResult:
        """Everything within some steps of a named person, company, project or topic, now or at a moment."""
        found = desk.book(namespace, "read").walk(entity, depth=depth, as_of=as_of)
        return answer(fenced(map(_tie, found.relations), nothing="Nothing is tied to it."), found)

    @server.tool(title="Entities", annotations=READS)
    @telling
    def entities(
        type: str | None = None,
        after: str | None = None,
        limit: Annotated[int, Field(ge=1, le=100)] = 30,
        namespace: str | None = None,
    ) -> CallToolResult:
        """The people, companies, projects and topics that are known."""
        found = desk.book(namespace, "read").graph.entities(type=type, after=after, limit=limit)
        return answer(fenced(map(_node, found), nothing="Nobody and nothing is known yet."), {"entities": found})


def _add_changing(server: MCPServer, desk: Desk) -> None:
    @server.tool(title="Revise a relation", annotations=CHANGES)
    @telling
    def revise_relation(
        id: str,
        subject: str | None = None,
        predicate: str | None = None,
        object: str | None = None,
        confidence: Annotated[float | None, Field(ge=0, le=1)] = None,
        notes: str | None = None,
        namespace: str | None = None,
    ) -> CallToolResult:
        """Change an end, the predicate, confidence or notes of a tie; what is left out stays."""
        given = {"subject": subject, "predicate": predicate, "object": object, "confidence": confidence, "notes": notes}
        fields: dict[str, Any] = {name: value for name, value in given.items() if value is not None}
        return done(desk.book(namespace, "write").graph.revise(id, **fields))

    @server.tool(title="Merge entities", annotations=CHANGES)
    @telling
    def merge_entities(keep: str, absorb: str, namespace: str | None = None) -> CallToolResult:
        """Two entities (by id) are one; the other name lives on as an alias."""
        return done(desk.book(namespace, "write").graph.merge(keep, absorb))


def _tie(one: Relation) -> str:
    ends = f"{inert(one.subject.label)} --{one.predicate}--> {inert(one.object.label)}"
    return f"- [id {one.id}; {one.status}; {one.confidence:.2f}] {ends}"


def _node(one: Entity) -> str:
    return f"- [id {one.id}; {inert(one.type)}] {inert(one.label)}"
