"""For those who run the server: is it alive, can it work, how much does it do."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from fastapi import APIRouter, FastAPI, Request
from starlette.responses import Response

from commonplace import __version__
from commonplace.clock import micros
from commonplace.errors import CommonplaceError
from commonplace.interfaces import problems
from commonplace.interfaces.rest.answers import Json
from commonplace.interfaces.rest.gate import Meter
from commonplace.interfaces.rest.house import House
from commonplace.security.tokens import needs
from commonplace.settings import count_together
from commonplace.store.migrate import known

router = APIRouter(tags=["operations"])
STUCK = 3600 * 1_000_000
"""Microseconds that a due job may wait before something is wrong with whoever should run it."""


@router.get("/healthz")
def healthz() -> Response:
    """The process answers."""
    return Json({"status": "ok", "version": __version__})


@router.get("/readyz")
def readyz(request: Request) -> Response:
    """The book can be written, its schema is ours, and no job is stuck. 503 otherwise, with what is wrong."""
    house: House = request.app.state.house
    looks = {"writable": _writable, "writes": _writes, "schema": _schema, "jobs": _jobs}
    checks = {name: _checked(look, house) for name, look in looks.items()}
    ready = all(one["ok"] for one in checks.values())
    return Json({"status": "ready" if ready else "not ready", "checks": checks}, 200 if ready else 503)


@router.get("/metrics")
def metrics(request: Request) -> Response:
    """Prometheus; needs a token of scope admin and the extra `metrics`."""
    needs(request.state.token, "admin")
    counted = getattr(request.app.state, "counted", None)
    if counted is None:
        return Json({"detail": "install commonplace[metrics] to have metrics"}, 501)
    from prometheus_client import generate_latest  # an extra
    from prometheus_client.exposition import CONTENT_TYPE_LATEST

    return Response(generate_latest(counted()), headers={"Content-Type": CONTENT_TYPE_LATEST})


def meter(app: FastAPI, folder: Path | None = None) -> Meter | None:
    """Counts requests and their seconds per route, where prometheus-client is installed.

    With a ``folder`` in which every worker counts, what is shown is the sum of all.
    """
    if folder is not None:
        count_together(folder)
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


def _checked(look: Callable[[House], dict[str, Any]], house: House) -> dict[str, Any]:
    try:
        found = look(house)
    except CommonplaceError as error:
        return {"ok": False, "problem": problems.problem(error).title}
    return {"ok": found.get("problem") is None, "problem": None} | found


def _writable(house: House) -> dict[str, Any]:
    """Take and give back a lease: a write, durable, of nobody's memories. The last one that worked is shown."""
    parts = house.parts
    now = parts.clock.now()
    try:
        name = f"ready-{parts.clock.new_id()}"
        parts.store.accounts.lease(name, holder="readyz", now=micros(now), until=micros(now))
        parts.store.accounts.release(name, holder="readyz")
    except CommonplaceError as error:
        return {"problem": problems.problem(error).title, "last_write": house.last_write}
    house.last_write = now
    return {"last_write": now}


def _writes(house: House) -> dict[str, Any]:
    """What became of callers' own writes in this process: red for a while after one that the store failed."""
    writes = house.writes
    found = {"last_receipt": writes.done, "last_failure": writes.failed}
    return {**found, "problem": writes.fault if writes.failing(house.parts.clock.now()) else None}


def _schema(house: House) -> dict[str, Any]:
    ours, found = known(house.parts.store.engine), house.parts.store.accounts.schema()
    problem = None if found == ours else f"the book has schema {found}, this release works with {ours}"
    return {"schema": found, "problem": problem}


def _jobs(house: House) -> dict[str, Any]:
    parts = house.parts
    stuck = len(parts.store.accounts.due_owners(micros(parts.clock.now()) - STUCK))
    return {"problem": f"{stuck} owners have jobs that are an hour late" if stuck else None}
