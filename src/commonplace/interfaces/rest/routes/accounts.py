"""Tokens of the caller, and, for an administrator, owners and their plans."""

from fastapi import APIRouter
from starlette.responses import Response

from commonplace.errors import Conflict, NotFound
from commonplace.interfaces.json import to_json
from commonplace.interfaces.rest import shapes
from commonplace.interfaces.rest.answers import Json, listed
from commonplace.interfaces.rest.call import Admin, Call, house_admin
from commonplace.security.tokens import SCOPES, Account, Token

router = APIRouter(prefix="/v1", tags=["accounts"])


@router.get("/tokens", response_model=shapes.page_of(shapes.Token, "Token"))
def tokens(call: Admin) -> Response:
    """The caller's own tokens. Secrets are shown once, when a token is made."""
    return listed([_named(call, one) for one in call.house.accounts.tokens(call.whole.owner)])


@router.post("/tokens", status_code=201, response_model=shapes.NewTokenAnswer)
def issue(given: shapes.NewToken, call: Admin) -> Response:
    """Make a token of the caller's. ``secret`` is shown here and never again."""
    made = call.house.accounts.issue(
        call.whole.owner,
        name=given.name,
        scope=max(given.scopes, key=SCOPES.index),
        namespaces=[_id(call, name) for name in given.namespaces],
        expires_at=given.expires_at,
        person=given.person,
        source=given.source,
    )
    return Json({"token": _named(call, made.token), "secret": made.secret}, 201)


@router.delete("/tokens/{id}", response_model=shapes.Token)
def revoke(id: str, call: Admin) -> Response:
    """End a token at once."""
    return Json(_named(call, call.house.accounts.revoke(call.whole.owner, id)))


@router.get("/owners", response_model=shapes.page_of(shapes.Account, "Owner"))
def owners(call: Admin) -> Response:
    """Every owner of the book; only for the administrator of the whole house."""
    house_admin(call)
    return listed(call.house.accounts.owners())


@router.post("/owners", status_code=201, response_model=shapes.Account)
def create(given: shapes.NewOwner, call: Admin) -> Response:
    house_admin(call)
    if call.house.accounts.find(given.owner) is not None:
        raise Conflict("owner", given.owner, expected=0, found=1)
    return Json(call.house.accounts.set_owner(given.owner, plan=given.plan), 201)


@router.patch("/owners/{owner}", response_model=shapes.Account)
def revise(owner: str, given: shapes.OwnerRevision, call: Admin) -> Response:
    """Change plan, time zone or language. One's own time zone and language need no administrator of the house."""
    if owner != call.token.owner or given.plan is not None:
        house_admin(call)
    found: Account = call.house.accounts.owner(owner)
    fields = given.model_dump(exclude_unset=True)
    return Json(call.house.accounts.set_owner(found.owner, **fields))


def _id(call: Call, name: str) -> str:
    """A namespace's id, made if there is none yet: a token may come before the first memory."""
    try:
        return call.whole.namespaces.get(name).id
    except NotFound:
        made = call.whole.namespaces.create(name).id
        assert made is not None
        return made


def _named(call: Call, token: Token) -> dict[str, object]:
    names = {one.id: one.name for one in call.whole.namespaces.list()}
    return {**to_json(token), "namespaces": [names.get(id, id) for id in token.namespaces]}
