"""Who calls: tokens, who they are, signing in to the page, and, for an administrator, owners and their plans.

The page exchanges a token for a short-lived session, whose secret no script can read.
"""

from fastapi import APIRouter, Request
from starlette.responses import Response

from commonplace import __version__, plans
from commonplace.errors import Conflict, Invalid, NotFound
from commonplace.interfaces.json import to_json
from commonplace.interfaces.rest import shapes
from commonplace.interfaces.rest.answers import Json, listed
from commonplace.interfaces.rest.call import Admin, ApiCall, Read, Write, require_server_admin
from commonplace.interfaces.rest.service import cookie_name
from commonplace.security.tokens import SCOPES, SESSION_LENGTH, Account, Token, csrf_of

router = APIRouter(prefix="/v1")


@router.get("/tokens", tags=["accounts"], response_model=shapes.page_of(shapes.Token, "Token"))
def list_tokens(call: Admin) -> Response:
    """The caller's own tokens. Secrets are shown once, when a token is made."""
    return listed([_named(call, token) for token in call.service.accounts.tokens(call.whole.owner)])


@router.post("/tokens", tags=["accounts"], status_code=201, response_model=shapes.NewTokenAnswer)
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


@router.delete("/tokens/{id}", tags=["accounts"], response_model=shapes.Token)
def revoke_token(id: str, call: Admin) -> Response:
    """End a token at once. An agent's token may end itself, and no other."""
    if id != call.token.id:
        call.need_person("revoking a token")
    return Json(_named(call, call.service.accounts.revoke(call.whole.owner, id)))


@router.get("/owners", tags=["accounts"], response_model=shapes.page_of(shapes.Account, "Owner"))
def list_owners(call: Admin) -> Response:
    """Every owner of the book; only for the administrator of the server."""
    require_server_admin(call)
    return listed(call.service.accounts.owners())


@router.post("/owners", tags=["accounts"], status_code=201, response_model=shapes.Account)
def create_owner(body: shapes.NewOwner, call: Admin) -> Response:
    require_server_admin(call)
    call.need_person("making an owner")
    if call.service.accounts.find(body.owner) is not None:
        raise Conflict("owner", body.owner, expected=0, found=1)
    return Json(call.service.accounts.set_owner(body.owner, plan=body.plan), 201)


@router.patch("/owners/{owner}", tags=["accounts"], response_model=shapes.Account)
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


@router.get("/me", tags=["me"], response_model=shapes.Me)
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


@router.put("/me/memory/core/{key:path}", tags=["me"], response_model=shapes.Receipt)
def set_core_value(key: str, body: shapes.NewCoreValue, call: Write) -> Response:
    """Give a key its value from now on."""
    call.match("core value", key, call.book.core.get)
    return Json(call.book.core.set(key, body.value, category=body.category, confirm=body.confirm))


@router.post("/session", tags=["session"], status_code=201, response_model=shapes.NewSession)
def sign_in(call: Read) -> Response:
    """Exchange the token of this request for a session of at most 12 hours.

    The answer sets an ``HttpOnly``, ``SameSite=Strict`` cookie. Requests that carry it also send the answer's ``csrf``
    in the header ``X-CSRF-Token``. A session can be exchanged for a new one before it ends.
    """
    issued = call.service.accounts.sign_in(call.token)
    if call.token.session:
        call.service.accounts.revoke(call.token.owner, call.token.id)
    answer = Json({"csrf": csrf_of(issued.secret), "expires_at": issued.token.expires_at}, 201)
    set_cookie(answer, call.request, issued.secret, int(SESSION_LENGTH.total_seconds()))
    return answer


@router.delete("/session", tags=["session"], status_code=204)
def sign_out(call: Read) -> Response:
    """End the session that this request carries."""
    if not call.token.session:
        raise Invalid("this request carries a token, not a session; tokens are revoked at DELETE /v1/tokens/{id}")
    call.service.accounts.revoke(call.token.owner, call.token.id)
    answer = Response(status_code=204)
    set_cookie(answer, call.request, "", 0)
    return answer


def set_cookie(answer: Response, request: Request, secret: str, seconds: int) -> None:
    answer.set_cookie(
        cookie_name(request),
        secret,
        max_age=seconds,
        path="/",
        secure=request.url.scheme == "https",
        httponly=True,
        samesite="strict",
    )
