"""The same tools over streamable HTTP, for the holders of tokens."""

from dataclasses import dataclass
from typing import Any

from mcp.server.mcpserver import MCPServer
from mcp.server.transport_security import TransportSecuritySettings
from starlette.types import ASGIApp, Receive, Send
from starlette.types import Scope as AsgiScope

from commonplace.book import Commonplace
from commonplace.errors import NotAllowed
from commonplace.interfaces.mcp.desk import CALLER
from commonplace.interfaces.mcp.server import server
from commonplace.interfaces.rest.call import book_of
from commonplace.interfaces.rest.house import House
from commonplace.security.tokens import NotSignedIn, Scope, needs


@dataclass(frozen=True, slots=True)
class TokenDesk:
    """Each call is its token's: owner, namespaces, scope and source come from there."""

    house_of: House
    beside_files: bool = False

    def book(self, namespace: str | None, needed: Scope) -> Commonplace:
        token = CALLER.get()
        if token is None:
            raise NotSignedIn
        needs(token, needed)
        return book_of(self.house_of, token, namespace, door="mcp")

    def whole(self, needed: Scope) -> Commonplace:
        book = self.book(None, needed)
        token = CALLER.get()
        if token is None or token.namespaces:
            raise NotAllowed("this token is for some namespaces; what you ask for concerns all of them")
        return book

    def house(self) -> Commonplace:
        book = self.whole("admin")
        if book.owner != self.house_of.parts.settings.owner:
            raise NotAllowed("only an administrator of this server may do this")
        return book


class Signed:
    """Passes the token that the gate found on to the tools."""

    def __init__(self, inner: ASGIApp) -> None:
        self._inner = inner

    async def __call__(self, scope: AsgiScope, receive: Receive, send: Send) -> None:
        mark = CALLER.set(scope.get("state", {}).get("token"))
        try:
            await self._inner(scope, receive, send)
        finally:
            CALLER.reset(mark)


def mounted(house: House, path: str) -> tuple[ASGIApp, Any]:
    """The application that answers at ``path``, and the context manager that its host must keep open.

    Without sessions: any worker can answer any request, and no stream outlives the check of its token. The gate of the
    REST server has checked host, origin, size and token before anything arrives here.
    """
    made: MCPServer = server(TokenDesk(house), "all")
    inner = made.streamable_http_app(
        streamable_http_path=path,
        stateless_http=True,
        json_response=True,
        transport_security=TransportSecuritySettings(enable_dns_rebinding_protection=False),
    )
    return Signed(inner), made.session_manager.run
