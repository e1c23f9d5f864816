"""Routes of the verbs that are built from their signature. ``expected`` comes in ``If-Match``, the rest in the body."""

from datetime import datetime
from typing import Annotated, Any

from fastapi import APIRouter
from pydantic import Field, create_model
from starlette.responses import Response

from commonplace.interfaces.built import BUILT, arguments, documentation
from commonplace.interfaces.rest import shapes
from commonplace.interfaces.rest.call import Admin, ApiCall, Read, Write
from commonplace.verbs import VERBS

router = APIRouter(tags=["memories"])
CALLS: dict[str, Any] = {"read": Read, "write": Write, "admin": Admin}
TYPES: dict[Any, Any] = {int: Annotated[int, Field(ge=1, le=shapes.MOST)], datetime: shapes.Moment}


def _add(verb: str) -> None:
    entry = VERBS[verb]
    method, _, path = str(entry.route).partition(" ")
    fields: dict[str, Any] = {}
    for name, kind, required, default, _ in arguments(verb):
        if name not in ("id", "expected"):
            hint = TYPES.get(kind, kind)
            fields[name] = (hint, ...) if required else (hint | None if default is None else hint, default)
    body: Any = create_model(f"{verb.capitalize()}Request", __base__=shapes.RequestBody, **fields)
    versioned = any(argument.name == "expected" for argument in arguments(verb))

    def act(call: ApiCall, id: str, given: dict[str, Any]) -> Response:
        if versioned:
            given["expected"] = call.expected
        return call.write(lambda book: getattr(book, verb)(id, **given))

    def with_body(id: str, body: Any, call: Any) -> Response:
        return act(call, id, body.model_dump())

    def without(id: str, call: Any) -> Response:
        return act(call, id, {})

    endpoint = with_body if fields else without
    endpoint.__annotations__ |= {"call": CALLS[entry.scope]} | ({"body": body} if fields else {})
    router.add_api_route(
        path, endpoint, methods=[method], name=verb, response_model=shapes.Receipt, description=documentation(verb)
    )


for _verb in BUILT:
    _add(_verb)
