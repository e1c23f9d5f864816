"""The way every request comes in: watched, from a host and an origin that may, signed in, not too large or too often.

Plain ASGI, so that streams pass through unbuffered and a refusal costs nothing: the body of a stranger is never read.
"""

import json
import logging
import math
import time
import traceback
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any
from urllib.parse import urlsplit

from anyio import to_thread
from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect
from starlette.responses import Response

from commonplace.errors import CommonplaceError
from commonplace.interfaces.rest.answers import of_error, problem
from commonplace.interfaces.rest.house import House
from commonplace.security.tokens import NotSignedIn, Token

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

LOG = logging.getLogger("commonplace.rest")

MOST_BYTES = 16 * 1024 * 1024
GONE = 499
"""What is logged for a caller who left before the answer; nobody is told it."""
STREAMED = ("/v1/import",)
"""Routes that read their body piece by piece and set their own bounds."""
OPEN = ("/v1/openapi.json",)
GUARDED = ("/v1", "/mcp", "/metrics")
PROBES = ("/healthz", "/readyz")
LOOPBACK = ("127.0.0.1", "localhost", "[::1]")

HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
    "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
}
HARDENED = [(name.lower().encode(), value.encode()) for name, value in HEADERS.items()]

Meter = Callable[[str, str, int, float], None]
"""Counts a request: method, route, status, seconds."""


class Watch:
    """The outermost: security headers, one line of log a request without any content, and the last catch."""

    def __init__(self, app: App, *, meter: Meter | None = None) -> None:
        self._app, self._meter = app, meter

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        began = time.perf_counter()
        status = 0

        async def sending(message: MutableMapping[str, Any]) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                _harden(scope["path"], message)
            await send(message)

        try:
            await self._app(scope, receive, sending)
        except ClientDisconnect:
            status = status or GONE
        except Exception as fault:  # noqa: BLE001  # the door's last catch: a stack trace may quote a memory, so none is shown
            where = traceback.extract_tb(fault.__traceback__)[-1]
            LOG.error("failed", extra={"fault": type(fault).__name__, "where": f"{where.name}:{where.lineno}"})
            if not status:
                answer = problem(500, "Something went wrong", "the server failed; its log says where")
                await answer(scope, receive, sending)
        finally:
            self._log(scope, status, time.perf_counter() - began)

    def _log(self, scope: Scope, status: int, seconds: float) -> None:
        route = _route(scope)
        token: Token | None = scope.get("state", {}).get("token")
        about = {"method": scope["method"], "route": route, "status": status, "ms": round(seconds * 1000, 1)}
        LOG.info("request", extra={**about, "token": token.id if token else None})
        if self._meter is not None:
            self._meter(scope["method"], route, status, seconds)


class Place:
    """Only the names we answer to, and only pages of our own: against rebinding and requests from other sites."""

    def __init__(self, app: App, *, hosts: tuple[str, ...], origins: tuple[str, ...]) -> None:
        self._app = app
        self._hosts = {host.lower() for host in hosts}
        self._origins = {origin.lower().rstrip("/") for origin in origins}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        refusal = self._refusal(scope) if scope["type"] == "http" else None
        await (refusal or self._app)(scope, receive, send)

    def _refusal(self, scope: Scope) -> Response | None:
        path = scope["path"]
        if path in PROBES:
            return None
        if any(ord(one) < 32 or ord(one) == 127 for one in path) or ".." in path.split("/") or "\\" in path:
            return problem(404, "Not found", "there is nothing at this address")
        if b"%00" in scope.get("query_string", b""):
            return problem(400, "Not valid", "a parameter holds a character that no name has")
        headers = Headers(scope=scope)
        host = headers.get("host", "").lower()
        if _name(host) not in self._hosts and host not in self._hosts:
            return problem(421, "Wrong host", "this server does not answer to that name; `allowed_hosts` lists more")
        origin = headers.get("origin", "").lower()
        if origin and origin not in self._origins and urlsplit(origin).netloc != host:
            return problem(403, "Wrong origin", "pages of other sites may not call this; `cors_origins` lists more")
        return None


class Door:
    """Who is calling, how often, and how much they bring; what follows finds the token in ``scope["state"]``."""

    def __init__(self, app: App, *, house: House) -> None:
        self._app, self._house = app, house

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or not _guarded(scope):
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        address = (scope.get("client") or ("?",))[0]
        try:
            token = await self._token(headers)
        except CommonplaceError as error:
            await of_error(error)(scope, receive, send)
            return
        if wait := self._house.limiter.take(token.id) if token else self._house.strangers.take(address):
            await _slow_down(wait)(scope, receive, send)
            return
        if token is None:
            await of_error(NotSignedIn())(scope, receive, send)
            return
        scope.setdefault("state", {})["token"] = token
        if scope["path"] in STREAMED:
            await self._app(scope, receive, send)
            return
        await self._bounded(scope, headers, receive, send)

    async def _token(self, headers: Headers) -> Token | None:
        given = headers.getlist("authorization")
        if len(given) != 1:
            return None
        try:
            if self._house.at_hand(given[0]):
                return self._house.sign_in(given[0])
            return await to_thread.run_sync(self._house.sign_in, given[0])
        except NotSignedIn:
            return None

    async def _bounded(self, scope: Scope, headers: Headers, receive: Receive, send: Send) -> None:
        announced = headers.get("content-length", "0")
        if not announced.isdecimal() or int(announced) > MOST_BYTES:
            await _too_large()(scope, receive, send)
            return
        left = MOST_BYTES
        state = scope["state"]

        async def answering(message: MutableMapping[str, Any]) -> None:
            if message["type"] == "http.response.start" and state.get("writing") and message["status"] < 300:
                self._house.writes.done = self._house.parts.clock.now()
            await send(message)

        async def receiving() -> MutableMapping[str, Any]:
            nonlocal left
            message = await receive()
            left -= len(message.get("body", b""))
            if left < 0:
                raise _TooLarge
            return message

        try:
            await self._app(scope, receiving, answering)
        except _TooLarge:
            await _too_large()(scope, receive, send)


class _TooLarge(HTTPException):
    """More came than was announced. Raised inside whoever reads the body, who may turn it into an answer itself."""

    def __init__(self) -> None:
        super().__init__(413, f"a request holds at most {MOST_BYTES // 1024 // 1024} MiB")


class JsonLines(logging.Formatter):
    """One JSON object a line. Only what is named here is written: no message of a library, no path, no text."""

    KEPT = ("method", "route", "status", "ms", "token", "fault", "where", "state", "count")

    def format(self, record: logging.LogRecord) -> str:
        line = {"at": self.formatTime(record, "%Y-%m-%dT%H:%M:%S"), "level": record.levelname, "what": record.name}
        if record.name.startswith("commonplace"):
            line["what"] = record.getMessage()
        about = {name: vars(record)[name] for name in self.KEPT if vars(record).get(name) is not None}
        return json.dumps({**line, **about})


def hosts_of(host: str, more: tuple[str, ...]) -> tuple[str, ...]:
    """The names a server answers to: loopback, the address it listens on, and those that the settings add."""
    return (*LOOPBACK, *(() if host in ("0.0.0.0", "::") else (host,)), *more)


def _name(host: str) -> str:
    """A Host header without its port."""
    if host.startswith("["):
        return host.partition("]")[0] + "]"
    return host.partition(":")[0]


def _guarded(scope: Scope) -> bool:
    path = scope["path"]
    if scope["method"] == "OPTIONS" and "access-control-request-method" in Headers(scope=scope):
        return False
    return path not in OPEN and any(path == one or path.startswith(one + "/") for one in GUARDED)


def _route(scope: Scope) -> str:
    """What a request is logged as: the pattern of its route, never the path itself, which is somebody's text."""
    path, pattern = scope["path"], getattr(scope.get("route"), "path", None)
    base = next((one for one in (*GUARDED, *PROBES) if path.startswith(one)), "page")
    return base if not pattern else pattern if pattern.startswith("/v1") or base != "/v1" else base + pattern


def _harden(path: str, message: MutableMapping[str, Any]) -> None:
    given = {name.lower() for name, _ in message.get("headers", ())}
    more = [(name, value) for name, value in HARDENED if name not in given]
    if b"cache-control" not in given and path.startswith(GUARDED):
        more.append((b"cache-control", b"no-store"))
    kept = [(name, value) for name, value in message.get("headers", ()) if name.lower() != b"server"]
    message["headers"] = kept + more


def _slow_down(wait: float) -> Response:
    seconds = max(1, math.ceil(wait))
    return problem(429, "Too many requests", f"wait {seconds} s and try again", headers={"Retry-After": str(seconds)})


def _too_large() -> Response:
    return problem(413, "Too large", f"a request holds at most {MOST_BYTES // 1024 // 1024} MiB")
