"""For those who run the server: is it alive, can it work, how much does it do."""

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

from fastapi import APIRouter, FastAPI, Request
from starlette.responses import Response

from commonplace import __version__
from commonplace.clock import micros
from commonplace.errors import CommonplaceError, NotAllowed, StoreBusy
from commonplace.interfaces import problems
from commonplace.interfaces.rest.answers import Json
from commonplace.interfaces.rest.gate import Meter
from commonplace.interfaces.rest.service import Service
from commonplace.security.tokens import Token, needs
from commonplace.settings import share_metrics_folder
from commonplace.store.migrate import known

router = APIRouter(tags=["operations"])
STUCK = 3600 * 1_000_000
"""Microseconds that a due job may wait before the job runner counts as unhealthy."""


@router.get("/healthz")
def healthz() -> Response:
    """The process answers."""
    return Json({"status": "ok", "version": __version__})


@router.get("/readyz")
def readyz(request: Request) -> Response:
    """The book takes writes, its schema is ours, and no job is stuck; 503 otherwise, with what is wrong."""
    service: Service = request.app.state.service
    looks = {"writable": _writable, "writes": _writes, "schema": _schema, "jobs": _jobs}
    checks = {name: _checked(look, service) for name, look in looks.items()}
    ready = all(check["ok"] for check in checks.values())
    return Json({"status": "ready" if ready else "not ready", "checks": checks}, 200 if ready else 503)


@router.get("/metrics")
def metrics(request: Request) -> Response:
    """Prometheus; needs a token of scope admin and the extra `metrics`."""
    token: Token = request.state.token
    needs(token, "admin")
    if token.namespaces:
        raise NotAllowed("this token is for some namespaces; metrics are about the whole server")
    counted = getattr(request.app.state, "counted", None)
    if counted is None:
        return Json({"detail": "metrics need the extra `metrics`: pip install 'commonplace-memory[metrics]'"}, 501)
    from prometheus_client import generate_latest  # an extra
    from prometheus_client.exposition import CONTENT_TYPE_LATEST

    return Response(generate_latest(counted()), headers={"Content-Type": CONTENT_TYPE_LATEST})


def meter(app: FastAPI, folder: Path | None = None) -> Meter | None:
    """Counts requests and their seconds per route, where prometheus-client is installed.

    With a ``folder`` in which every worker counts, what is shown is the sum of all.
    """
    if folder is not None:
        share_metrics_folder(folder)
    try:
        from prometheus_client import CollectorRegistry, Counter, Histogram  # an extra
        from prometheus_client.multiprocess import MultiProcessCollector
    except ImportError:
        return None
    registry = CollectorRegistry()

    def counted() -> CollectorRegistry:
        if folder is None:
            return registry
        sum = CollectorRegistry()
        MultiProcessCollector(sum, path=str(folder))  # type: ignore[no-untyped-call]
        return sum

    app.state.counted = counted
    labels = ("method", "route", "status")
    count = Counter("commonplace_requests", "Requests answered", labels, registry=registry)
    seconds = Histogram("commonplace_request_seconds", "Seconds to answer", ("method", "route"), registry=registry)

    def measured(method: str, route: str, status: int, took: float) -> None:
        count.labels(method, route, str(status)).inc()
        seconds.labels(method, route).observe(took)

    return measured


def _checked(look: Callable[[Service], dict[str, Any]], service: Service) -> dict[str, Any]:
    try:
        fields = look(service)
    except CommonplaceError as error:
        return {"ok": False, "problem": problems.problem(error).title}
    return {"ok": fields.get("problem") is None, "problem": None} | fields


def _writable(service: Service) -> dict[str, Any]:
    """Delete a lease that does not exist: nothing is written, and a book that takes no writes refuses it."""
    with suppress(StoreBusy):  # a writer holds the lock
        service.parts.store.accounts.release("readyz", holder="readyz")
    return {}


def _writes(service: Service) -> dict[str, Any]:
    """What became of callers' own writes in this process: red for a while after one that the store failed."""
    writes = service.writes
    fields = {"last_receipt": writes.done, "last_failure": writes.failed}
    return {**fields, "problem": writes.fault if writes.failing(service.parts.clock.now()) else None}


def _schema(service: Service) -> dict[str, Any]:
    ours, book_version = known(service.parts.store.engine), service.parts.store.accounts.schema()
    problem = None if book_version == ours else f"the book has schema {book_version}, this release works with {ours}"
    return {"schema": book_version, "problem": problem}


def _jobs(service: Service) -> dict[str, Any]:
    parts = service.parts
    stuck = len(parts.store.accounts.due_owners(micros(parts.clock.now()) - STUCK))
    return {"problem": f"{stuck} owners have jobs that are an hour late" if stuck else None}
