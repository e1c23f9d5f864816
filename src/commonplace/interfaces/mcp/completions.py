"""Completion of arguments: namespaces, tags and entities that begin with what was typed."""

from typing import Any

from mcp.server.mcpserver import MCPServer
from mcp_types import Completion, CompletionArgument, CompletionContext, PromptReference, ResourceTemplateReference

from commonplace.errors import CommonplaceError
from commonplace.interfaces.mcp.access import BookAccess, readable_books
from commonplace.security.fence import escape

MOST = 100
NAMESPACES = ("namespace", "namespaces", "to")
TAGS = ("tag", "tags", "glossary_tag", "name", "topic")
ENTITIES = ("entity", "subject", "object", "topic")


def add(server: MCPServer[Any], access: BookAccess) -> None:
    @server.completion()  # type: ignore[no-untyped-call,untyped-decorator]
    async def complete(
        reference: PromptReference | ResourceTemplateReference,
        argument: CompletionArgument,
        context: CompletionContext | None,
    ) -> Completion:
        namespace = (context.arguments or {}).get("namespace") if context else None
        try:
            names = _names(access, argument.name, namespace)
        except CommonplaceError:
            names = []
        typed = argument.value.casefold()
        # A name that would have to be escaped is left out: what a host fills in must be the name itself.
        values = sorted({name for name in names if name.casefold().startswith(typed) and escape(name) == name})
        return Completion(values=values[:MOST], total=len(values), has_more=len(values) > MOST)


def _names(access: BookAccess, argument: str, namespace: str | None) -> list[str]:
    names = []
    if argument in NAMESPACES:
        names += [space.name for space in access.all_namespaces("read").namespaces.list()]
    if argument in TAGS:
        books = [access.book(namespace, "read")] if namespace else readable_books(access)
        names += [tag.name for book in books for tag in book.glossary.list()]
    if argument in ENTITIES:
        names += [entity.label for entity in access.book(namespace, "read").graph.entities(limit=MOST)]
    return names
