"""The application: routes behind the gate, the page at the root, and a document that says what there is."""

from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from fastapi import FastAPI
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.middleware.cors import CORSMiddleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.routing import Route

from commonplace import __version__
from commonplace.errors import CommonplaceError
from commonplace.interfaces.rest import answers, operations
from commonplace.interfaces.rest.gate import Door, Place, Watch, hosts_of
from commonplace.interfaces.rest.house import House, Verifier
from commonplace.interfaces.rest.limiting import Counters
from commonplace.interfaces.rest.openapi import described
from commonplace.interfaces.rest.routes import v1
from commonplace.interfaces.web import mount_page
from commonplace.opening import Parts


@dataclass(frozen=True, slots=True)
class Together:
    """Made once for all workers of a server."""

    counters: Counters
    metrics: Path
    """A folder in which each worker counts, and from which each shows the sum."""


SENT = ("Authorization", "Content-Type", "If-Match", "Idempotency-Key", "X-Confirm", "X-Source", "Last-Event-ID")
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
    house = House.of(parts, issuer=issuer, counters=together.counters if together else None)
    settings = parts.settings
    running: list[Running] = []
    made = FastAPI(
        title="Commonplace",
        version=__version__,
        summary="A commonplace book for AI agents.",
        openapi_url="/v1/openapi.json",
        docs_url=None,
        redoc_url=None,
        lifespan=_lifespan(house, running),
        redirect_slashes=False,
    )
    made.state.house = house
    made.add_exception_handler(CommonplaceError, answers.on_error)
    made.add_exception_handler(HTTPException, answers.on_http)
    made.add_exception_handler(RequestValidationError, answers.on_invalid)
    made.router.routes += [*v1(), *operations.router.routes]
    made.openapi = lambda: described(made)  # type: ignore[method-assign]
    meter = operations.meter(made, together.metrics if together else None)
    if mcp:
        running.append(_mount_mcp(made, house))
    mount_page(made)
    made.add_middleware(Door, house=house)
    made.add_middleware(GZipMiddleware, minimum_size=1024, compresslevel=4)
    if settings.cors_origins:
        made.add_middleware(
            CORSMiddleware,
            allow_origins=list(settings.cors_origins),
            allow_methods=["GET", "POST", "PUT", "PATCH", "DELETE"],
            allow_headers=list(SENT),
            expose_headers=["ETag", "Idempotent-Replay", "Retry-After"],
        )
    hosts = hosts_of(host or settings.host, settings.allowed_hosts)
    made.add_middleware(Place, hosts=hosts, origins=settings.cors_origins)
    made.add_middleware(Watch, meter=meter)
    return made


def _lifespan(house: House, running: list[Running]) -> Any:
    @asynccontextmanager
    async def lifespan(made: FastAPI) -> AsyncIterator[None]:
        async with AsyncExitStack() as stack:
            for one in running:
                await stack.enter_async_context(one())
            yield
            house.stopping.set()

    return lifespan


def _mount_mcp(made: FastAPI, house: House) -> Running:
    # the MCP SDK: 0.7 s, which a server without it need not pay
    from commonplace.interfaces.mcp.http import mounted

    inner, running = mounted(house, "/mcp")
    made.router.routes.insert(0, Route("/mcp", inner))
    return cast("Running", running)
