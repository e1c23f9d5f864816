"""One request's book: the caller's own, in the namespace they ask for, and never anybody else's."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Annotated, Any

from fastapi import Depends, Query, Request
from starlette.responses import Response

from commonplace.book import Commonplace
from commonplace.errors import Conflict, Invalid, NotAllowed
from commonplace.interfaces.rest.answers import Json
from commonplace.interfaces.rest.idempotency import once
from commonplace.interfaces.rest.service import Service
from commonplace.memories.membership import resolved
from commonplace.memories.scope import Scope as MemoryScope
from commonplace.model import SOURCES, Memory, Receipt
from commonplace.security.tokens import Scope, Token, need_person, needs

DEFAULT = "default"


def scope_of(service: Service, token: Token, namespace: str, *, interface: str = "rest") -> MemoryScope:
    """Who acts, for whom and where, as the token says; nothing of it comes from the request but the namespace."""
    scope = service.parts.scope(token.owner, namespace)
    if token.namespaces:
        scope = replace(scope, reach=frozenset(token.namespaces))
    actor = f"{'page' if token.session else interface}:{token.id}"
    return resolved(scope.acting_as(actor, source=token.source, person=token.person, agent=token.name))


def book_of(service: Service, token: Token, namespace: str | None, *, interface: str = "rest") -> Commonplace:
    """The book of the token's owner. Raises ``NotAllowed`` if the token does not reach the namespace."""
    book = Commonplace(service.parts, scope_of(service, token, namespace or DEFAULT, interface=interface))
    if not token.namespaces:
        return book
    reached = {namespace.name: namespace.id for namespace in book.namespaces.list() if namespace.id in token.namespaces}
    if namespace is None and DEFAULT not in reached and len(reached) == 1:
        return book.within(next(iter(reached)))
    if (namespace or DEFAULT) not in reached:
        raise NotAllowed("this token does not reach that namespace", code="other_namespace")
    return book


@dataclass
class ApiCall:
    """A request that was signed in: its token, its namespace, and what it sent."""

    service: Service
    token: Token
    request: Request
    namespace: str | None
    body: bytes = b""

    @cached_property
    def book(self) -> Commonplace:
        return book_of(self.service, self.token, self.namespace)

    @property
    def whole(self) -> Commonplace:
        """The book, for what concerns the owner and not a namespace. A token of some namespaces does not reach it."""
        self.need_whole()
        return self.book

    def need_whole(self) -> None:
        """Raise ``NotAllowed`` for a token of some namespaces."""
        if self.token.namespaces:
            raise NotAllowed(
                "this token is for some namespaces; what you ask for concerns all of them", code="some_namespaces"
            )

    def need_person(self, act: str) -> None:
        """Raise ``NotAllowed`` unless a person's token makes this request."""
        need_person(self.token, act)

    def reach(self, namespaces: Sequence[str] | None) -> None:
        """Raise ``NotAllowed`` if the token does not reach one of these."""
        for name in namespaces or ():
            book_of(self.service, self.token, name)

    @property
    def expected(self) -> int | None:
        """The version that ``If-Match`` names; ``*`` and absence mean any."""
        header = self.request.headers.get("if-match", "*").strip()
        if header == "*":
            return None
        text = header.removeprefix("W/").strip('"')
        if not text.isdecimal() or len(text) > 9:
            raise Invalid('If-Match takes the ETag of what you read, such as "3"')
        return int(text)

    def match(self, noun: str, id: str, read: Callable[[str], Memory]) -> None:
        """Check ``If-Match`` for a verb that takes no version: raise ``Conflict`` if what it ``read`` has another."""
        expected = self.expected
        if expected is not None and (version := read(id).version) != expected:
            raise Conflict(noun, id, expected=expected, found=version)

    def confirm(self, act: str) -> None:
        """For what cannot be undone: raise ``NotAllowed`` for an agent's token, ``Invalid`` without ``X-Confirm``."""
        self.need_person(act)
        if self.request.headers.get("x-confirm", "").lower() != "true":
            raise Invalid("this cannot be undone; send the header X-Confirm: true")

    def write(self, work: Callable[[Commonplace], Receipt], *, status: int = 200) -> Response:
        """Do it and answer with the receipt; with an ``Idempotency-Key``, once however often it is asked."""
        key = self.request.headers.get("idempotency-key")
        if key is None or self.request.method != "POST":
            return Json(work(self.book), status)
        raws = f"{self.request.url.path}?{self.request.url.query}".encode() + b"\n" + self.body
        scope = scope_of(self.service, self.token, self.book.namespace)
        receipt, repeated = once(scope, key, raws, lambda writing: work(Commonplace(self.service.parts, writing)))
        return Json(receipt, status, headers={"Idempotent-Replay": "true"} if repeated else None)


def narrowed(token: Token, source: str | None) -> Token:
    """The token as ``source`` uses it: for an assistant or a tool, a person's token loses the person's rank.

    Only ever less: a token that is not a person's stays what it is. Raises ``Invalid`` for a source that there is not.
    """
    if source is None:
        return token
    if source not in SOURCES:
        raise Invalid(f"X-Source is one of {', '.join(SOURCES)}")
    return replace(token, person=False, source=source) if token.person else token


Namespace = Annotated[
    str | None, Query(max_length=128, description="The namespace; `default`, or the only one that the token reaches.")
]


def require_server_admin(call: ApiCall) -> None:
    """The administrator of the server is the owner the server was started for."""
    if call.token.namespaces or call.token.owner != call.service.parts.settings.owner:
        raise NotAllowed("only an administrator of this server may do this", code="needs_administrator")


def _needing(scope: Scope, *, streamed: bool = False) -> Any:
    async def call(request: Request, namespace: Namespace = None) -> ApiCall:
        token = narrowed(request.state.token, request.headers.get("x-source"))
        needs(token, scope)
        request.state.writing = scope != "read"
        body = await request.body() if request.method == "POST" and not streamed else b""
        return ApiCall(request.app.state.service, token, request, namespace, body)

    return Depends(call)


Read = Annotated[ApiCall, _needing("read")]
Write = Annotated[ApiCall, _needing("write")]
Stream = Annotated[ApiCall, _needing("write", streamed=True)]
"""As ``Write``, for a body that is read piece by piece."""
Admin = Annotated[ApiCall, _needing("admin")]
