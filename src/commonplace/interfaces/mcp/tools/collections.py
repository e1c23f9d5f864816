"""Core values, tags, namespaces, patterns that were noticed, and what waits for review."""

from collections.abc import Callable, Mapping
from typing import Annotated, Any, Literal

from mcp.server.mcpserver import Context, Elicit, MCPServer, Resolve
from mcp.server.mcpserver.exceptions import ToolError
from mcp_types import CallToolResult
from pydantic import Field

from commonplace.errors import CommonplaceError, Invalid
from commonplace.interfaces.mcp.access import BookAccess
from commonplace.interfaces.mcp.answers import (
    CHANGES,
    DESTROYS,
    READS,
    fenced,
    inert,
    memories_answer,
    memory_line,
    receipt_answer,
    receipt_sentence,
    text_answer,
)
from commonplace.interfaces.mcp.tools.consent import Answer, Consent, agreed, ask
from commonplace.interfaces.mcp.tools.parameters import Confirm, Namespace, OptionalId, Reason
from commonplace.model import Receipt
from commonplace.sharing.sharing import SharedNamespace

Description = Annotated[str | None, Field(description="What it means.")]
Rename = Annotated[str | None, Field(description="New name.")]


def add(server: MCPServer[Any], access: BookAccess) -> None:
    _add_core(server, access)
    _add_glossary(server, access)
    _add_namespaces(server, access)

    @server.tool(title="Hints", annotations=CHANGES)
    def hints(
        action: Annotated[Literal["list", "dismiss"], Field(description="What to do.")] = "list",
        id: OptionalId = None,
        namespace: Namespace = None,
    ) -> CallToolResult:
        """Patterns that were noticed, surest first; or dismiss one for good."""
        if action == "dismiss":
            return receipt_answer(access.book(namespace, "write").dismiss(_required("id", id)))
        patterns = access.book(namespace, "read").hints()
        return memories_answer(map(memory_line, patterns), nothing="Nothing was noticed.")

    @server.tool(title="Agenda", annotations=READS)
    def agenda(
        days: Annotated[int, Field(ge=1, description="Deadlines within this many days.")] = 14,
        silent: Annotated[int, Field(ge=1, description="Days without contact.")] = 30,
        namespace: Namespace = None,
    ) -> CallToolResult:
        """Follow-ups the person owes, deadlines, and people not contacted for long."""
        items = access.book(namespace, "read").agenda(days=days, silent=silent)
        lines = (f"{item.kind} {item.day or '-'} {inert(item.text)} [{item.id}]" for item in items)
        return memories_answer(lines, nothing="Nothing is owed or due.")

    @server.tool(title="Review", annotations=CHANGES)
    def review(
        action: Annotated[
            Literal["list", "approve", "correct", "reject"], Field(description="What the person decided.")
        ] = "list",
        id: OptionalId = None,
        text: Annotated[str | None, Field(description="correct: the right text.")] = None,
        reason: Reason = None,
        namespace: Namespace = None,
    ) -> CallToolResult:
        """What waits for the person: list it, or record their decision on one."""
        if action == "list":
            waiting = access.book(namespace, "read").review.list(limit=20)
            lines = (f"{memory_line(item.memory)} (why: {inert(item.reason)})" for item in waiting)
            return memories_answer(lines, nothing="Nothing needs review.")
        decided = access.book(namespace, "write").review.decide(_required("id", id), action, text=text, reason=reason)
        return receipt_answer(decided)


def _add_core(server: MCPServer[Any], access: BookAccess) -> None:
    consent = _asker(access)

    @server.tool(title="Core values", annotations=DESTROYS)
    def core(
        action: Annotated[Literal["list", "set", "forget"], Field(description="What to do.")],
        consent: Annotated[Answer, Resolve(consent)],
        key: Annotated[str | None, Field(description="Name of the value.")] = None,
        value: Annotated[str | None, Field(description="set: the value.")] = None,
        confirm: Confirm = False,
        namespace: Namespace = None,
    ) -> CallToolResult:
        """The keys and values that are always in the profile. Forgetting one cannot be undone."""
        if action == "list":
            return memories_answer(map(memory_line, access.book(namespace, "read").core.list()), nothing="None.")
        book = access.book(namespace, "write")
        if action == "set":
            return receipt_answer(book.core.set(_required("key", key), _required("value", value)))
        if not agreed(consent):
            shown = fenced([memory_line(book.core.get(_required("key", key)))], nothing="")
            text = f"Nothing was forgotten. This would be forgotten for good:\n{shown}\nAsk the person; if they agree, "
            return text_answer(text + "call again with confirm=true.", is_error=True)
        return receipt_answer(book.core.forget(_required("key", key)))


def _asker(access: BookAccess) -> Callable[..., Consent | Elicit[Consent]]:
    def consent(
        ctx: Context, action: str, confirm: bool, key: str | None = None, namespace: str | None = None
    ) -> Consent | Elicit[Consent]:
        if confirm or action != "forget":
            return Consent(yes=True)
        try:
            memory = access.book(namespace, "write").core.get(_required("key", key))
        except CommonplaceError as error:
            raise ToolError(str(error)) from error
        return ask(f"Forget this for good? It cannot be undone.\n- {inert(key or '')}: {inert(memory.text)}", ctx)

    return consent


def _add_glossary(server: MCPServer[Any], access: BookAccess) -> None:
    @server.tool(title="Glossary", annotations=CHANGES)
    def glossary(
        action: Annotated[
            Literal["list", "create", "revise", "merge", "delete"], Field(description="What to do.")
        ] = "list",
        name: Annotated[str | None, Field(description="The tag.")] = None,
        rename: Rename = None,
        description: Description = None,
        synonyms: Annotated[list[str] | None, Field(description="Other names for it.")] = None,
        into: Annotated[str | None, Field(description="merge: the tag that stays.")] = None,
        namespace: Namespace = None,
    ) -> CallToolResult:
        """The tags of the project: what they mean, what else they are called."""
        if action == "list":
            known = access.book(namespace, "read").glossary.list()
            lines = (f"- {inert(tag.name)} ({tag.links}): {inert(tag.description or '')}" for tag in known)
            return memories_answer(lines, nothing="There are no tags.")
        tags, tag = access.book(namespace, "write").glossary, _required("name", name)
        if action == "create":
            receipt = tags.create(tag, description=description, synonyms=synonyms or ())
        elif action == "revise":
            receipt = tags.revise(tag, rename=rename, description=description, synonyms=synonyms)
        else:
            receipt = tags.merge(tag, into=_required("into", into)) if action == "merge" else tags.delete(tag)
        return _named(receipt, action, "tag", tag)


def _add_namespaces(server: MCPServer[Any], access: BookAccess) -> None:
    @server.tool(title="Namespaces", annotations=CHANGES)
    def namespaces(
        action: Annotated[Literal["list", "create", "revise", "move"], Field(description="What to do.")] = "list",
        name: Annotated[str | None, Field(description="The namespace.")] = None,
        rename: Rename = None,
        description: Description = None,
        ids: Annotated[list[str] | None, Field(description="move: ids of memories.")] = None,
        to: Annotated[str | None, Field(description="move: the namespace they go to.")] = None,
        namespace: Namespace = None,
    ) -> CallToolResult:
        """List, create, rename or describe namespaces, or move memories to another."""
        if action == "list":
            spaces = access.all_namespaces("read").namespaces.list()
            shared = {space.name: space for space in access.all_namespaces("read").sharing.list()}
            return memories_answer((_namespace_line(space.name, shared) for space in spaces), nothing="None.")
        if action == "create":
            created = access.all_namespaces("write").namespaces.create(_required("name", name), description=description)
            return _named(created, action, "namespace", name)
        if action == "revise":
            spaces_of = access.all_namespaces("write").namespaces
            revised = spaces_of.revise(_required("name", name), rename=rename, description=description)
            return _named(revised, action, "namespace", name)
        target = access.book(_required("to", to), "write")
        return receipt_answer(access.book(namespace, "write").namespaces.move(ids or (), to=target.namespace))


def _namespace_line(name: str, shared: Mapping[str, SharedNamespace]) -> str:
    if name not in shared:
        return f"- {inert(name)}"
    people = ", ".join(inert(member.person) for member in shared[name].members)
    return f"- {inert(name)} (shared; you are {shared[name].role}; members: {people})"


def _named(receipt: Receipt, action: str, noun: str, name: str | None) -> CallToolResult:
    verb = {"create": "Created", "revise": "Changed", "merge": "Merged", "delete": "Deleted"}[action]
    return receipt_answer(receipt, receipt_sentence(receipt, inert(name or ""), f"{verb} the {noun}"))


def _required(name: str, value: str | None) -> str:
    if value is None:
        raise Invalid(f"this action needs `{name}`; call again with it")
    return value
