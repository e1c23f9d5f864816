"""What every request passes: log and security headers, host and origin checks, sign-in, rate and size limits.

Plain ASGI, so that streams pass through unbuffered and a refusal costs nothing: the body of a stranger is never read.
"""

import asyncio
import json
import logging
import math
import time
import traceback
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any
from urllib.parse import quote, urlsplit

from anyio import to_thread
from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response

from commonplace.errors import CommonplaceError
from commonplace.interfaces.rest.answers import of_error, problem
from commonplace.interfaces.rest.service import Service, base_url, cookie_name
from commonplace.security.tokens import NotSignedIn, Token

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

LOG = logging.getLogger("commonplace.rest")

MOST_BYTES = 16 * 1024 * 1024
GONE = 499
"""Logged for a caller who disconnected before the answer; never sent."""
STREAMED = ("/v1/import", "/v1/import/file")
"""Routes that read their body piece by piece and set their own bounds."""
BODY_SECONDS = 60
"""For the whole body of any other route."""
OPEN = ("/v1/openapi.json",)
GUARDED = ("/v1", "/mcp", "/metrics")
MCP = ("/mcp", "/mcp/all")
PROBES = ("/healthz", "/readyz")
PERSONAL, ALIAS = "/v1/me/memory/", "/auth/me/memory/"
"""The person's own routes, and the second address that account pages call them by."""
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


class RequestLog:
    """Security headers, one log line per request without any content, and the last catch."""

    def __init__(self, app: App, *, meter: Meter | None = None) -> None:
        self._app, self._meter = app, meter

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        if scope["path"].startswith(ALIAS):
            path = PERSONAL + scope["path"].removeprefix(ALIAS)
            scope = {**scope, "path": path, "raw_path": quote(path).encode()}
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
        except Exception as fault:  # noqa: BLE001  # the last catch: a stack trace may quote a memory, so none is shown
            where = traceback.extract_tb(fault.__traceback__)[-1]
            LOG.error("failed", extra={"fault": type(fault).__name__, "where": f"{where.name}:{where.lineno}"})
            if not status:
                answer = problem(500, "Something went wrong", "the server failed; its log says where")
                await answer(scope, receive, sending)
        finally:
            self._log(scope, status, time.perf_counter() - began)

    def _log(self, scope: Scope, status: int, seconds: float) -> None:
        route = route_of(scope)
        token: Token | None = scope.get("state", {}).get("token")
        record = {"method": scope["method"], "route": route, "status": status, "ms": round(seconds * 1000, 1)}
        LOG.info("request", extra={**record, "token": token.id if token else None})
        if self._meter is not None:
            self._meter(scope["method"], route, status, seconds)


class HostCheck:
    """Refuses unknown host names and foreign origins: against DNS rebinding and requests from other sites."""

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
        if (
            any(ord(character) < 32 or ord(character) == 127 for character in path)
            or ".." in path.split("/")
            or "\\" in path
        ):
            return problem(404, "Not found", "there is nothing at this address")
        if b"%00" in scope.get("query_string", b""):
            return problem(400, "Not valid", "a parameter holds a character that no name has")
        headers = Headers(scope=scope)
        if "transfer-encoding" in headers and "content-length" in headers:
            detail = "a request has Content-Length or Transfer-Encoding, not both"
            return problem(400, "Not valid", detail, headers={"Connection": "close"})
        host = headers.get("host", "").lower()
        if _name(host) not in self._hosts and host not in self._hosts:
            return problem(421, "Wrong host", "this server does not answer to that name; `allowed_hosts` lists more")
        origin = headers.get("origin", "").lower()
        if origin and origin not in self._origins and urlsplit(origin).netloc != host:
            return problem(403, "Wrong origin", "pages of other sites may not call this; `cors_origins` lists more")
        return None


class SignIn:
    """Sign-in, rate limit and body size; later handlers find the token in ``scope["state"]``."""

    def __init__(self, app: App, *, service: Service) -> None:
        self._app, self._service = app, service

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and scope["path"] == "/readyz":
            wait = self._service.probes.take(_address(scope))
            await (_slow_down(wait) if wait else self._app)(scope, receive, send)
            return
        if scope["type"] != "http" or not _guarded(scope):
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        address = _address(scope)
        try:
            token = await self._token(Request(scope))
        except CommonplaceError as error:
            await of_error(error)(scope, receive, send)
            return
        if wait := self._service.limiter.take(token.id) if token else self._service.strangers.take(address):
            await _slow_down(wait)(scope, receive, send)
            return
        if token is None:
            await self._refuse(Request(scope))(scope, receive, send)
            return
        self._service.last_uses[token.id] = self._service.parts.clock.now()
        scope.setdefault("state", {})["token"] = token
        if scope["path"] in STREAMED:
            await self._app(scope, receive, send)
            return
        await self._bounded(scope, headers, receive, send)

    def _refuse(self, request: Request) -> Response:
        """For MCP also where an application learns how a person lets it in (RFC 9728)."""
        answer, path = of_error(NotSignedIn()), request.url.path.rstrip("/")
        if path in MCP:
            base = base_url(request, self._service.parts.settings)
            error = 'error="invalid_token", ' if "authorization" in request.headers else ""
            metadata = f'resource_metadata="{base}/.well-known/oauth-protected-resource{path}"'
            answer.headers["WWW-Authenticate"] = f'Bearer {error}{metadata}, scope="read write"'
        return answer

    async def _token(self, request: Request) -> Token | None:
        """From ``Authorization``, or from the cookie of a session if there is no such header."""
        headers = request.headers.getlist("authorization")
        secret = request.cookies.get(cookie_name(request)) if not headers else None
        if len(headers) != 1 and secret is None:
            return None
        try:
            if secret is not None:
                return await to_thread.run_sync(self._service.session, secret, request.headers.get("x-csrf-token", ""))
            resource = base_url(request, self._service.parts.settings) + request.url.path.rstrip("/")
            if self._service.at_hand(headers[0]):
                return self._service.sign_in(headers[0], resource)
            return await to_thread.run_sync(self._service.sign_in, headers[0], resource)
        except NotSignedIn:
            return None

    async def _bounded(self, scope: Scope, headers: Headers, receive: Receive, send: Send) -> None:
        announced = headers.get("content-length", "0")
        if not announced.isdecimal() or int(announced) > MOST_BYTES:
            await _too_large()(scope, receive, send)
            return
        left = MOST_BYTES
        state = scope["state"]
        slow = asyncio.get_running_loop().time() + BODY_SECONDS
        complete = False

        async def answering(message: MutableMapping[str, Any]) -> None:
            if message["type"] == "http.response.start" and state.get("writing") and message["status"] < 300:
                self._service.writes.done = self._service.parts.clock.now()
            await send(message)

        async def receiving() -> MutableMapping[str, Any]:
            nonlocal left, complete
            try:
                async with asyncio.timeout_at(None if complete else slow):
                    message = await receive()
            except TimeoutError:
                raise HTTPException(408, f"the body did not arrive within {BODY_SECONDS} s") from None
            complete = complete or not message.get("more_body", False)
            left -= len(message.get("body", b""))
            if left < 0:
                raise _TooLarge
            return message

        try:
            await self._app(scope, receiving, answering)
        except _TooLarge:
            await _too_large()(scope, receive, send)


class _TooLarge(HTTPException):
    """The body is longer than announced. Raised while it is read; the reader may answer it itself."""

    def __init__(self) -> None:
        super().__init__(413, f"a request holds at most {MOST_BYTES // 1024 // 1024} MiB")


class JsonLines(logging.Formatter):
    """One JSON object a line. Only what is named here is written: no message of a library, no path, no text."""

    KEPT = ("method", "route", "status", "ms", "token", "fault", "where", "state", "count")

    def format(self, record: logging.LogRecord) -> str:
        line = {"at": self.formatTime(record, "%Y-%m-%dT%H:%M:%S"), "level": record.levelname, "what": record.name}
        if record.name.startswith("commonplace"):
            line["what"] = record.getMessage()
        fields = {name: vars(record)[name] for name in self.KEPT if vars(record).get(name) is not None}
        return json.dumps({**line, **fields})


def hosts_of(host: str, extra: tuple[str, ...]) -> tuple[str, ...]:
    """The names a server answers to: loopback, the address it listens on, and those that the settings add."""
    return (*LOOPBACK, *(() if host in ("0.0.0.0", "::") else (host,)), *extra)


def _name(host: str) -> str:
    """A Host header without its port; a colon before anything but digits begins no port."""
    name, _, port = host.rpartition(":")
    return name if port.isdecimal() and port.isascii() else host


def _address(scope: Scope) -> str:
    return str((scope.get("client") or ("?",))[0])


def _guarded(scope: Scope) -> bool:
    path = scope["path"]
    if scope["method"] == "OPTIONS" and "access-control-request-method" in Headers(scope=scope):
        return False
    return path not in OPEN and any(path == prefix or path.startswith(prefix + "/") for prefix in GUARDED)


def route_of(scope: Scope) -> str:
    """What a request is logged as: the pattern of its route, never the path itself, which may hold private text."""
    path, pattern = scope["path"], getattr(scope.get("route"), "path", None)
    base = next((prefix for prefix in (*GUARDED, *PROBES) if path.startswith(prefix)), "page")
    return base if not pattern else pattern if pattern.startswith("/v1") or base != "/v1" else base + pattern


def _harden(path: str, message: MutableMapping[str, Any]) -> None:
    present = {name.lower() for name, _ in message.get("headers", ())}
    missing = [(name, value) for name, value in HARDENED if name not in present]
    if b"cache-control" not in present and path.startswith(GUARDED):
        missing.append((b"cache-control", b"no-store"))
    headers = [(name, value) for name, value in message.get("headers", ()) if name.lower() != b"server"]
    message["headers"] = headers + missing


def _slow_down(wait: float) -> Response:
    seconds = max(1, math.ceil(wait))
    return problem(429, "Too many requests", f"wait {seconds} s and try again", headers={"Retry-After": str(seconds)})


def _too_large() -> Response:
    return problem(413, "Too large", f"a request holds at most {MOST_BYTES // 1024 // 1024} MiB")
