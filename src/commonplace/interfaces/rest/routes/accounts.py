"""Tokens of the caller, and, for an administrator, owners and their plans."""

from fastapi import APIRouter
from starlette.responses import Response

from commonplace.errors import Conflict, NotFound
from commonplace.interfaces.json import to_json
from commonplace.interfaces.rest import shapes
from commonplace.interfaces.rest.answers import Json, listed
from commonplace.interfaces.rest.call import Admin, ApiCall, require_server_admin
from commonplace.security.tokens import SCOPES, Account, Token

router = APIRouter(prefix="/v1", tags=["accounts"])


@router.get("/tokens", response_model=shapes.page_of(shapes.Token, "Token"))
def list_tokens(call: Admin) -> Response:
    """The caller's own tokens. Secrets are shown once, when a token is made."""
    return listed([_named(call, token) for token in call.service.accounts.tokens(call.whole.owner)])


@router.post("/tokens", status_code=201, response_model=shapes.NewTokenAnswer)
def create_token(body: shapes.NewToken, call: Admin) -> Response:
    """Make a token of the caller's. ``secret`` is shown here and never again. Needs a person's token."""
    call.need_person("making a token")
    issued = call.service.accounts.issue(
        call.whole.owner,
        name=body.name,
        scope=max(body.scopes, key=SCOPES.index),
        namespaces=[_id(call, name) for name in body.namespaces],
        expires_at=body.expires_at,
        person=body.person,
        source=body.source,
    )
    return Json({"token": _named(call, issued.token), "secret": issued.secret}, 201)


@router.delete("/tokens/{id}", response_model=shapes.Token)
def revoke_token(id: str, call: Admin) -> Response:
    """End a token at once. An agent's token may end itself, and no other."""
    if id != call.token.id:
        call.need_person("revoking a token")
    return Json(_named(call, call.service.accounts.revoke(call.whole.owner, id)))


@router.get("/owners", response_model=shapes.page_of(shapes.Account, "Owner"))
def list_owners(call: Admin) -> Response:
    """Every owner of the book; only for the administrator of the server."""
    require_server_admin(call)
    return listed(call.service.accounts.owners())


@router.post("/owners", status_code=201, response_model=shapes.Account)
def create_owner(body: shapes.NewOwner, call: Admin) -> Response:
    require_server_admin(call)
    call.need_person("making an owner")
    if call.service.accounts.find(body.owner) is not None:
        raise Conflict("owner", body.owner, expected=0, found=1)
    return Json(call.service.accounts.set_owner(body.owner, plan=body.plan), 201)


@router.patch("/owners/{owner}", response_model=shapes.Account)
def revise_owner(owner: str, body: shapes.OwnerRevision, call: Admin) -> Response:
    """Change plan, time zone or language. One's own time zone and language need no administrator of the server."""
    call.need_whole()
    call.need_person("changing an account")
    if owner != call.token.owner or body.plan is not None:
        require_server_admin(call)
    account: Account = call.service.accounts.owner(owner)
    fields = body.model_dump(exclude_unset=True)
    return Json(call.service.accounts.set_owner(account.owner, **fields))


def _id(call: ApiCall, name: str) -> str:
    """A namespace's id, made if there is none yet: a token may come before the first memory."""
    try:
        return call.whole.namespaces.get(name).id
    except NotFound:
        namespace_id = call.whole.namespaces.create(name).id
        assert namespace_id is not None
        return namespace_id


def _named(call: ApiCall, token: Token) -> dict[str, object]:
    names = {namespace.id: namespace.name for namespace in call.whole.namespaces.list()}
    used = call.service.last_uses.get(token.id)
    return {**to_json(token), "last_used_at": used, "namespaces": [names.get(id, id) for id in token.namespaces]}
