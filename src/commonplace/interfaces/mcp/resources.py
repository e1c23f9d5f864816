"""What a model (or its host) can read by address: the profile, the namespaces, a memory, today's log."""

import json

from mcp.server.mcpserver import MCPServer
from mcp.server.mcpserver.exceptions import ResourceError

from commonplace.errors import CommonplaceError
from commonplace.interfaces.json import to_json
from commonplace.interfaces.mcp.desk import Desk


def add(server: MCPServer, desk: Desk) -> None:
    @server.resource("commonplace://profile", title="Profile", mime_type="text/plain")
    def profile() -> str:
        """The stable block for a system prompt: core values and the most important facts."""
        try:
            return desk.book(None, "read").context() or "Nothing is known yet."
        except CommonplaceError as error:
            raise ResourceError(str(error)) from error

    @server.resource("commonplace://namespaces", title="Namespaces", mime_type="application/json")
    def namespaces() -> str:
        """The workspaces of this person."""
        try:
            found = desk.whole("read").namespaces.list()
        except CommonplaceError as error:
            raise ResourceError(str(error)) from error
        return json.dumps(to_json(found), ensure_ascii=False)

    if desk.beside_files:

        @server.resource("commonplace://log/today", title="Today's log", mime_type="text/markdown")
        def today() -> str:
            """What was done, tried and failed today in this project."""
            try:
                pages = desk.book(None, "read").notebook.pages
                path = pages.places.log(pages.today())
                return pages.places.checked(path).read_text("utf-8") if path.is_file() else "Nothing was logged today."
            except CommonplaceError as error:
                raise ResourceError(str(error)) from error

    @server.resource("commonplace://memory/{id}", title="A memory", mime_type="application/json")
    def memory(id: str) -> str:
        """One memory with everything known of it."""
        try:
            return json.dumps(to_json(desk.book(None, "read").get(id)), ensure_ascii=False)
        except CommonplaceError as error:
            raise ResourceError(str(error)) from error
