"""Signing in to the page: a token is exchanged for a short-lived session, whose secret no script can read."""

from fastapi import APIRouter, Request
from starlette.responses import Response

from commonplace.errors import Invalid
from commonplace.interfaces.rest import shapes
from commonplace.interfaces.rest.answers import Json
from commonplace.interfaces.rest.call import Read
from commonplace.interfaces.rest.service import cookie_name
from commonplace.security.tokens import SESSION_LENGTH, csrf_of

router = APIRouter(prefix="/v1", tags=["session"])


@router.post("/session", status_code=201, response_model=shapes.NewSession)
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


@router.delete("/session", status_code=204)
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
