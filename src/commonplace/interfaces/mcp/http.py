"""The same tools over streamable HTTP, for the holders of tokens."""

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, replace
from typing import Any

from mcp.server.transport_security import TransportSecuritySettings
from starlette.types import ASGIApp, Receive, Send
from starlette.types import Scope as AsgiScope

from commonplace.errors import NotAllowed
from commonplace.interfaces.mcp.access import CALLER
from commonplace.interfaces.mcp.server import server
from commonplace.interfaces.mcp.tools import Tools
from commonplace.interfaces.rest.call import book_of
from commonplace.interfaces.rest.service import Service
from commonplace.protocol import Book
from commonplace.security.tokens import NotSignedIn, Scope, needs


@dataclass(frozen=True, slots=True)
class TokenAccess:
    """Owner, namespaces and scope come from the token; the speaker is always a model."""

    service: Service
    has_files: bool = False

    def book(self, namespace: str | None, needed: Scope) -> Book:
        token = CALLER.get()
        if token is None:
            raise NotSignedIn
        needs(token, needed)
        return book_of(self.service, replace(token, person=False, source="assistant"), namespace, interface="mcp")

    def all_namespaces(self, needed: Scope) -> Book:
        book = self.book(None, needed)
        token = CALLER.get()
        if token is None or token.namespaces:
            raise NotAllowed("this token is for some namespaces; what you ask for concerns all of them")
        return book

    def whole_store(self) -> Book:
        book = self.all_namespaces("admin")
        if book.owner != self.service.parts.settings.owner:
            raise NotAllowed("only an administrator of this server may do this")
        return book


class WithCaller:
    """Passes the request's token on to the tools."""

    def __init__(self, inner: ASGIApp) -> None:
        self._inner = inner

    async def __call__(self, scope: AsgiScope, receive: Receive, send: Send) -> None:
        mark = CALLER.set(scope.get("state", {}).get("token"))
        try:
            await self._inner(scope, receive, send)
        finally:
            CALLER.reset(mark)


def mounted(service: Service, path: str) -> tuple[ASGIApp, Any]:
    """The application that answers at ``path`` with the default tools and at ``path/all`` with all of them, and the
    context manager that its host must keep open.

    Without sessions: any worker can answer any request. An answer is a stream of events, so that long tools can say
    how far they are; it ends with the answer, so no stream outlives the check of its token. The gate of the
    REST server has checked host, origin, size and token before anything arrives here.
    """
    choices: dict[str, Tools] = {path: "default", f"{path}/all": "all"}
    servers = {place: server(TokenAccess(service), tools) for place, tools in choices.items()}
    applications = {
        place: memory.streamable_http_app(
            streamable_http_path=place,
            stateless_http=True,
            transport_security=TransportSecuritySettings(enable_dns_rebinding_protection=False),
        )
        for place, memory in servers.items()
    }

    async def answer(scope: AsgiScope, receive: Receive, send: Send) -> None:
        await applications[scope["path"].rstrip("/")](scope, receive, send)

    @asynccontextmanager
    async def running() -> AsyncIterator[None]:
        async with AsyncExitStack() as stack:
            for memory in servers.values():
                await stack.enter_async_context(memory.session_manager.run())
            yield

    return WithCaller(answer), running
