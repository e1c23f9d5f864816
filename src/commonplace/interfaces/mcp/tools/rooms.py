"""The book's small objects: core values, tags, namespaces, what waits for review."""

from typing import Annotated, Literal

from mcp.server.mcpserver import MCPServer, Resolve
from mcp_types import CallToolResult

from commonplace.errors import Invalid
from commonplace.interfaces.json import core_value
from commonplace.interfaces.mcp.desk import CHANGES, DESTROYS, Desk, answer, done, fenced, inert, line, telling
from commonplace.interfaces.mcp.tools.confirming import Consent, must_agree


def add(server: MCPServer, desk: Desk) -> None:
    _values(server, desk)
    _places(server, desk)

    @server.tool(title="Hints", annotations=CHANGES)
    @telling
    def hints(
        action: Literal["list", "dismiss"] = "list", id: str | None = None, namespace: str | None = None
    ) -> CallToolResult:
        """Patterns noticed by themselves, surest first; or never hear of one again."""
        if action == "dismiss":
            return done(desk.book(namespace, "write").dismiss(_given("id", id)))
        found = desk.book(namespace, "read").hints()
        return answer(fenced(map(line, found), nothing="Nothing was noticed."), {"hints": found})

    @server.tool(title="Review", annotations=CHANGES)
    @telling
    def review(
        action: Literal["list", "approve", "correct", "reject"] = "list",
        id: str | None = None,
        text: str | None = None,
        reason: str | None = None,
        namespace: str | None = None,
    ) -> CallToolResult:
        """What waits for the person: list it, or record their decision on one."""
        if action == "list":
            found = desk.book(namespace, "read").review.list(limit=20)
            lines = (f"{line(one.memory)} (waits: {inert(one.reason)})" for one in found)
            return answer(fenced(lines, nothing="Nothing waits."), {"waiting": found})
        return done(desk.book(namespace, "write").review.decide(_given("id", id), action, text=text, reason=reason))


def _values(server: MCPServer, desk: Desk) -> None:
    @server.tool(title="Core values", annotations=DESTROYS)
    @telling
    def core(
        action: Literal["list", "set", "forget"],
        consent: Annotated[Consent, Resolve(_unless_listing)],
        key: str | None = None,
        value: str | None = None,
        confirm: bool = False,
        namespace: str | None = None,
    ) -> CallToolResult:
        """The keys and values that are always in the profile. Forgetting one cannot be undone."""
        if action == "list":
            found = desk.book(namespace, "read").core.list()
            return answer(fenced(map(line, found), nothing="None."), {"core": [core_value(one) for one in found]})
        book = desk.book(namespace, "write")
        if action == "set":
            return done(book.core.set(_given("key", key), _given("value", value)))
        must_agree(consent)
        return done(book.core.forget(_given("key", key)))

    @server.tool(title="Glossary", annotations=CHANGES)
    @telling
    def glossary(
        action: Literal["list", "create", "revise", "merge", "delete"] = "list",
        name: str | None = None,
        rename: str | None = None,
        description: str | None = None,
        synonyms: list[str] | None = None,
        into: str | None = None,
        namespace: str | None = None,
    ) -> CallToolResult:
        """The tags of the project: what they mean, what else they are called."""
        if action == "list":
            found = desk.book(namespace, "read").glossary.list()
            lines = (f"- {inert(one.name)} ({one.links}): {inert(one.description or '')}" for one in found)
            return answer(fenced(lines, nothing="There are no tags."), {"tags": found})
        tags, name = desk.book(namespace, "write").glossary, _given("name", name)
        if action == "create":
            return done(tags.create(name, description=description, synonyms=synonyms or ()))
        if action == "revise":
            return done(tags.revise(name, rename=rename, description=description, synonyms=synonyms))
        return done(tags.merge(name, into=_given("into", into)) if action == "merge" else tags.delete(name))


def _places(server: MCPServer, desk: Desk) -> None:
    @server.tool(title="Namespaces", annotations=CHANGES)
    @telling
    def namespaces(
        action: Literal["list", "create", "revise", "move"] = "list",
        name: str | None = None,
        rename: str | None = None,
        description: str | None = None,
        ids: list[str] | None = None,
        to: str | None = None,
        namespace: str | None = None,
    ) -> CallToolResult:
        """The workspaces: list, create, rename or describe them, or move memories (`ids`) to another (`to`)."""
        if action == "list":
            found = desk.whole("read").namespaces.list()
            return answer(fenced((f"- {inert(one.name)}" for one in found), nothing="None."), {"namespaces": found})
        if action == "create":
            return done(desk.whole("write").namespaces.create(_given("name", name), description=description))
        if action == "revise":
            rooms = desk.whole("write").namespaces
            return done(rooms.revise(_given("name", name), rename=rename, description=description))
        desk.book(_given("to", to), "write")
        return done(desk.book(namespace, "write").namespaces.move(ids or (), to=_given("to", to)))


def _unless_listing(action: str, confirm: bool) -> Consent:
    return Consent(yes=confirm or action != "forget")


def _given(name: str, value: str | None) -> str:
    if value is None:
        raise Invalid(f"this action needs `{name}`")
    return value
