"""What a host offers a person: texts to read by address, prompts to choose, and completion of arguments."""

from collections.abc import Callable
from functools import wraps
from typing import Annotated, Any, ParamSpec

from mcp.server.mcpserver import MCPServer
from mcp.server.mcpserver.exceptions import ResourceError, ResourceNotFoundError
from mcp_types import Completion, CompletionArgument, CompletionContext, PromptReference, ResourceTemplateReference
from pydantic import Field

from commonplace.errors import CommonplaceError, NotFound
from commonplace.interfaces.mcp.access import BookAccess, readable_books
from commonplace.interfaces.mcp.answers import fenced, inert, memory_line, relation_line
from commonplace.protocol import Book
from commonplace.security.fence import escape

P = ParamSpec("P")
NOT_FOUND = -32002
"""The protocol's code for a resource that does not exist."""
MOST = 50


def add(server: MCPServer[Any], access: BookAccess) -> None:
    @server.resource("commonplace://profile", title="Profile", mime_type="text/plain")
    @_reports_errors
    def profile() -> str:
        """The stable block for a system prompt: core values and the most important facts."""
        return access.book(None, "read").context() or "Nothing is known yet."

    @server.resource("commonplace://namespaces", title="Namespaces", mime_type="text/plain")
    @_reports_errors
    def namespaces() -> str:
        """The namespaces of this person."""
        spaces = access.all_namespaces("read").namespaces.list()
        return fenced((f"- {inert(space.name)}" for space in spaces), nothing="None.")

    @server.resource("commonplace://tags", title="Tags", mime_type="text/plain")
    @_reports_errors
    def tags() -> str:
        """The tags of this project and of the person, and what they mean."""
        glossary = {tag.name: tag for book in reversed(readable_books(access)) for tag in book.glossary.list()}
        lines = (inert(": ".join(filter(None, (tag.name, tag.description)))) for _, tag in sorted(glossary.items()))
        return fenced((f"- {line}" for line in lines), nothing="None.")

    if access.has_files:

        @server.resource("commonplace://log/today", title="Today's log", mime_type="text/plain")
        @_reports_errors
        def today() -> str:
            """What was done, tried and failed today in this project."""
            pages = access.book(None, "read").notebook.pages
            path = pages.paths.log(pages.today())
            text = pages.paths.checked(path).read_text("utf-8") if path.is_file() else ""
            return fenced((inert(line, None) for line in text.splitlines()), nothing="Nothing was logged today.")

    @server.resource("commonplace://memory/{id}", title="A memory", mime_type="text/plain")
    @_reports_errors
    def memory(id: str) -> str:
        """One memory, whole."""
        return fenced([memory_line(access.book(None, "read").get(id), whole=True)], nothing="")

    _add_views(server, access)


def _add_views(server: MCPServer[Any], access: BookAccess) -> None:
    """By name, so that a host can complete it."""

    @server.resource("commonplace://profile/{namespace}", title="Profile of a namespace", mime_type="text/plain")
    @_reports_errors
    def namespace_profile(namespace: str) -> str:
        """Core values and the most important facts of one namespace."""
        return access.book(namespace, "read").context() or "Nothing is known yet."

    @server.resource("commonplace://tag/{tag}", title="Memories with a tag", mime_type="text/plain")
    @_reports_errors
    def tagged(tag: str) -> str:
        """The newest memories of this project and of the person with a tag."""
        books = [book for book in readable_books(access) if _has_tag(book, tag)]
        if not books:
            raise NotFound("tag", tag)
        memories = (memory for book in books for memory in book.browse(tags=[tag], limit=MOST))
        return fenced(map(memory_line, memories), nothing="None.")

    @server.resource("commonplace://entity/{entity}", title="A person or thing", mime_type="text/plain")
    @_reports_errors
    def entity(entity: str) -> str:
        """What is known to be tied to a person, project or company."""
        walk = access.book(None, "read").walk(entity, depth=1)
        return fenced(map(relation_line, walk.relations), nothing="None.")


def _has_tag(book: Book, name: str) -> bool:
    return any(name == tag.name or name in tag.synonyms for tag in book.glossary.list())


def _reports_errors(read: Callable[P, str]) -> Callable[P, str]:
    @wraps(read)
    def reporting(*args: P.args, **kwargs: P.kwargs) -> str:
        try:
            return read(*args, **kwargs)
        except NotFound as error:
            raise ResourceNotFoundError(str(error)) from error
        except CommonplaceError as error:
            raise ResourceError(str(error)) from error

    return reporting


def add_prompts(server: MCPServer[Any], access: BookAccess) -> None:
    @server.prompt(title="Continue earlier work")
    def recover(topic: Annotated[str, Field(description="What the work is about.")] = "") -> str:
        """What is known of the person and of the last conversations."""
        page = access.book(None, "read").context(topic or None, guidance=True)
        return (
            f"{page}\n\nSay in two sentences where we stopped, then go on from there."
            if page
            else "Nothing is known yet."
        )

    @server.prompt(title="Review candidates")
    def review() -> str:
        """The candidates that need the person's decision."""
        waiting = access.book(None, "read").review.list(limit=20)
        text = fenced((memory_line(item.memory) for item in waiting), nothing="Nothing needs review.")
        ask = "Ask me about each of these, one by one: is it right, wrong, or to be corrected? Then record my answer."
        return f"{text}\n\n{ask}" if waiting else text


MOST_NAMES = 100
NAMESPACES = ("namespace", "namespaces", "to")
TAGS = ("tag", "tags", "glossary_tag", "name", "topic")
ENTITIES = ("entity", "subject", "object", "topic")


def add_completion(server: MCPServer[Any], access: BookAccess) -> None:
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
        return Completion(values=values[:MOST_NAMES], total=len(values), has_more=len(values) > MOST_NAMES)


def _names(access: BookAccess, argument: str, namespace: str | None) -> list[str]:
    names = []
    if argument in NAMESPACES:
        names += [space.name for space in access.all_namespaces("read").namespaces.list()]
    if argument in TAGS:
        books = [access.book(namespace, "read")] if namespace else readable_books(access)
        names += [tag.name for book in books for tag in book.glossary.list()]
    if argument in ENTITIES:
        names += [entity.label for entity in access.book(namespace, "read").graph.entities(limit=MOST_NAMES)]
    return names
