"""How the server answers: JSON, and problem documents from the one table."""

import json
from collections.abc import Callable, Mapping, Sequence
from operator import attrgetter
from typing import Any

from fastapi import Request
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse, Response

from commonplace.errors import CommonplaceError, Conflict, StoreBusy, StoreError
from commonplace.interfaces import problems
from commonplace.interfaces.json import to_json

PROBLEM = "application/problem+json"
TITLES = {
    400: "Not valid",
    404: "Not found",
    405: "Method not allowed",
    408: "Too slow",
    413: "Too large",
    421: "Wrong host",
}


class Json(JSONResponse):
    """JSON of nouns, with the words of every script as they are."""

    def render(self, content: Any) -> bytes:
        return json.dumps(to_json(content), ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode()


def versioned(value: Any, version: int, request: Request) -> Response:
    """An answer that a later write can refer to by its ``ETag``; nothing but that if the caller has it already."""
    tag = f'"{version}"'
    if request.headers.get("if-none-match") == tag:
        return Response(status_code=304, headers={"ETag": tag})
    return Json(value, headers={"ETag": tag})


def listed(
    items: Sequence[Any],
    *,
    limit: int | None = None,
    end: str = "id",
    shown: Callable[[Any], Any] | None = None,
    **extra: Any,
) -> Json:
    """A page. Given the limit, ``items`` may hold one more than that, which says that there is a next page; it begins
    after the ``end`` of this one's last item. ``shown`` is what is made of an item."""
    more = limit is not None and len(items) > limit
    page = items[:limit]
    following = str(attrgetter(end)(page[-1])) if more else None
    return Json({"items": list(map(shown, page)) if shown else list(page), "next": following, **extra})


def problem(
    status: int,
    title: str,
    detail: str,
    *,
    type: str = "about:blank",
    headers: Mapping[str, str] | None = None,
    **extra: Any,
) -> Response:
    body = {"type": type, "title": title, "status": status, "detail": detail, **extra}
    return Response(json.dumps(body), status, media_type=PROBLEM, headers=dict(headers or {}))


def of_error(error: CommonplaceError, *, matching: bool = False) -> Response:
    """The answer to an error of ours; ``matching`` says that the caller sent ``If-Match``."""
    body = problems.document(error)
    status = body.pop("status")
    headers = {}
    if isinstance(error, Conflict) and matching:
        status = 412
    if status == 401:
        headers["WWW-Authenticate"] = "Bearer"
    if isinstance(error, StoreBusy):
        headers["Retry-After"] = "1"
    return problem(status, body.pop("title"), body.pop("detail"), headers=headers, **body)


async def on_error(request: Request, error: Exception) -> Response:
    assert isinstance(error, CommonplaceError)
    if isinstance(error, StoreError) and getattr(request.state, "writing", False):
        service = request.app.state.service
        service.writes.failed, service.writes.fault = service.parts.clock.now(), problems.problem(error).title
    return of_error(error, matching="if-match" in request.headers)


async def on_http(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    title = TITLES.get(error.status_code, "Not possible")
    return problem(error.status_code, title, str(error.detail), headers=error.headers)


async def on_invalid(request: Request, error: Exception) -> Response:
    """What did not fit and where; never what was sent, because it may be the text of a memory."""
    assert isinstance(error, RequestValidationError)
    mappings = [
        {"where": _where(detail), "problem": _said(detail), "type": detail["type"]} for detail in error.errors()
    ]
    return problem(422, "Not valid", "the request does not fit; `errors` says where", errors=mappings)


def _where(fault: Mapping[str, Any]) -> list[str | int]:
    place = list(fault["loc"])
    return place[:-1] if fault["type"] == "extra_forbidden" else place


def _said(fault: Mapping[str, Any]) -> str:
    return "there is a field that this request does not take" if fault["type"] == "extra_forbidden" else fault["msg"]
