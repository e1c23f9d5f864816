"""The person's own routes: who they are, what is known of them, and the way to take it along or erase it."""

from fastapi import APIRouter
from starlette.responses import Response

from commonplace import __version__, plans
from commonplace.errors import Conflict
from commonplace.interfaces.json import core_value, tie
from commonplace.interfaces.rest import shapes
from commonplace.interfaces.rest.answers import Json, listed
from commonplace.interfaces.rest.call import Read, Write
from commonplace.interfaces.rest.shapes import Limit, Moment, Name

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


@router.get("/me/memory/core", response_model=shapes.page_of(shapes.CoreValue, "CoreValue"))
def list_core_values(call: Read, as_of: Moment | None = None, known_at: Moment | None = None) -> Response:
    """The core values, by key, as they are or as they were."""
    return listed([core_value(value) for value in call.book.core.list(as_of=as_of, known_at=known_at)])


@router.put("/me/memory/core/{key:path}", response_model=shapes.Receipt)
def set_core_value(key: str, body: shapes.NewCoreValue, call: Write) -> Response:
    """Give a key its value from now on."""
    expected = call.expected
    if expected is not None and (version := call.book.core.get(key).version) != expected:
        raise Conflict("core value", key, expected=expected, found=version)
    return Json(call.book.core.set(key, body.value, category=body.category, confirm=body.confirm))


@router.get("/me/memory/relational", response_model=shapes.page_of(shapes.RelationSummary, "RelationSummary"))
def my_relations(call: Read, cursor: Name | None = None, limit: Limit = 50) -> Response:
    """Who and what is tied to whom. Seeing one's own data is in every plan."""
    relations = call.book.graph.relations(after=cursor, limit=limit + 1)
    return listed(relations, limit=limit, shown=tie)


@router.delete("/me/memory/relational/{id}", response_model=shapes.Receipt)
def forget_my_relation(id: str, call: Write) -> Response:
    call.book.graph.get(id)
    return Json(call.book.forget(id))


@router.post("/me/memory/forget-all", response_model=shapes.Receipt)
def erase(call: Write) -> Response:
    """Erase every memory of every kind and the keys they were sealed with. Account, tokens, plan and usage stay."""
    call.confirm("erasing everything")
    return Json(call.whole.erase(confirm=True))
