"""The application: middleware, routes, the web page at the root, and the OpenAPI document."""

from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast
from urllib.parse import urlsplit

from fastapi import FastAPI
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.middleware.cors import CORSMiddleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.routing import Route

from commonplace import __version__
from commonplace.errors import CommonplaceError
from commonplace.interfaces.rest import answers, operations
from commonplace.interfaces.rest.gate import MCP, HostCheck, RequestLog, SignIn, hosts_of, route_of
from commonplace.interfaces.rest.limiting import Counters
from commonplace.interfaces.rest.openapi import described
from commonplace.interfaces.rest.routes import v1
from commonplace.interfaces.rest.service import Service, Verifier
from commonplace.interfaces.tracing import AVAILABLE, RequestSpans
from commonplace.interfaces.web import mount_page
from commonplace.lazy import LazyModule
from commonplace.runtime import Parts

if TYPE_CHECKING:
    from commonplace.interfaces.mcp import http as mcp_http
    from commonplace.interfaces.mcp import oauth as mcp_oauth
else:  # loaded when first used
    mcp_http = LazyModule("commonplace.interfaces.mcp.http")
    mcp_oauth = LazyModule("commonplace.interfaces.mcp.oauth")


@dataclass(frozen=True, slots=True)
class Together:
    """Made once for all workers of a server."""

    counters: Counters
    metrics: Path
    """A folder in which each worker counts, and from which each shows the sum."""


SENT = (
    "Authorization",
    "Content-Type",
    "If-Match",
    "Idempotency-Key",
    "X-Confirm",
    "X-CSRF-Token",
    "X-Source",
    "Last-Event-ID",
)
# FastAPI's own spans and logs hold bodies, paths and exception messages, so they stay off; ours are in tracing.py.
TELEMETRY: dict[str, Any] = dict.fromkeys(("tracing", "metrics", "logs", "operation_spans", "auto_configure"), False)
Running = Callable[[], AbstractAsyncContextManager[Any]]


def app(
    parts: Parts,
    *,
    issuer: Verifier | None = None,
    host: str | None = None,
    mcp: bool = True,
    together: Together | None = None,
) -> FastAPI:
    """The whole server on one store. Owners come from tokens alone; ``issuer`` understands a company's own.

    ``together`` is what several workers of one server count in.
    """
    service = Service.of(parts, issuer=issuer, counters=together.counters if together else None)
    settings = parts.settings
    running: list[Running] = []
    made = FastAPI(
        title="Commonplace",
        version=__version__,
        summary="A commonplace book for AI agents.",
        openapi_url="/v1/openapi.json",
        docs_url=None,
        redoc_url=None,
        lifespan=_lifespan(service, running),
        redirect_slashes=False,
        telemetry=cast("Any", TELEMETRY),
    )
    made.state.service = service
    made.add_exception_handler(CommonplaceError, answers.on_error)
    made.add_exception_handler(HTTPException, answers.on_http)
    made.add_exception_handler(RequestValidationError, answers.on_invalid)
    made.router.routes += [*v1(), *operations.router.routes]
    made.openapi = lambda: described(made)  # type: ignore[method-assign]
    meter = operations.meter(made, together.metrics if together else None)
    if mcp:
        running.append(_mount_mcp(made, service))
    mount_page(made)
    made.add_middleware(SignIn, service=service)
    made.add_middleware(GZipMiddleware, minimum_size=1024, compresslevel=4)
    if settings.cors_origins:
        made.add_middleware(
            CORSMiddleware,
            allow_origins=list(settings.cors_origins),
            allow_methods=["GET", "POST", "PUT", "PATCH", "DELETE"],
            allow_headers=list(SENT),
            expose_headers=["ETag", "Idempotent-Replay", "Retry-After"],
        )
    public = urlsplit(settings.public_url or "").hostname
    hosts = hosts_of(host or settings.host, (*settings.allowed_hosts, *([public] if public else ())))
    made.add_middleware(HostCheck, hosts=hosts, origins=settings.cors_origins)
    made.add_middleware(RequestLog, meter=meter)
    if AVAILABLE:
        made.add_middleware(RequestSpans, route=route_of)
    return made


def _lifespan(service: Service, running: list[Running]) -> Any:
    @asynccontextmanager
    async def lifespan(made: FastAPI) -> AsyncIterator[None]:
        async with AsyncExitStack() as stack:
            for thread in running:
                await stack.enter_async_context(thread())
            yield
            service.stopping.set()

    return lifespan


def _mount_mcp(made: FastAPI, service: Service) -> Running:
    inner, running = mcp_http.mounted(service, "/mcp")
    made.router.routes[:0] = [*(Route(path, inner) for path in MCP), *mcp_oauth.oauth_routes(service)]
    return cast("Running", running)
