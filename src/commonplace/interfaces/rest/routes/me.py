"""The person's own routes: who they are, what is known of them, and the way to take it along or erase it."""

from fastapi import APIRouter
from starlette.responses import Response

from commonplace import __version__, plans
from commonplace.errors import Conflict
from commonplace.interfaces.rest import shapes
from commonplace.interfaces.rest.answers import Json
from commonplace.interfaces.rest.call import Read, Write

router = APIRouter(prefix="/v1", tags=["me"])


@router.get("/me", response_model=shapes.Me)
def me(call: Read) -> Response:
    """Who signed in; in a shared namespace too."""
    book = call.book
    account = call.service.accounts.find(book.person)
    plan = call.service.parts.plan(book.person)
    return Json(
        {
            "owner": book.person,
            "plan": plan,
            "features": sorted(plans.PLANS[plan]),
            "timezone": (account and account.timezone) or book.settings.timezone,
            "language": (account and account.language) or book.settings.language,
            "namespace": book.namespace,
            "version": __version__,
            "token": call.token.id,
            "scopes": call.token.scopes,
            "person": call.token.person,
        }
    )


@router.put("/me/memory/core/{key:path}", response_model=shapes.Receipt)
def set_core_value(key: str, body: shapes.NewCoreValue, call: Write) -> Response:
    """Give a key its value from now on."""
    expected = call.expected
    if expected is not None and (version := call.book.core.get(key).version) != expected:
        raise Conflict("core value", key, expected=expected, found=version)
    return Json(call.book.core.set(key, body.value, category=body.category, confirm=body.confirm))
