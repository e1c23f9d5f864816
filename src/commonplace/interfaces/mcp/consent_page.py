"""The page on which a person lets an application use their memory, or does not."""

import base64
import hmac
import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from hashlib import sha256
from html import escape
from pathlib import Path
from typing import Any
from urllib.parse import urlencode, urlsplit

from anyio import to_thread
from mcp.server.auth.provider import construct_redirect_uri
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from commonplace.clock import micros
from commonplace.interfaces.rest.call import book_of
from commonplace.interfaces.rest.routes.accounts import set_cookie
from commonplace.interfaces.rest.service import Service, cookie_name
from commonplace.security.connections import ConnectionRequest, Signer
from commonplace.security.tokens import SCOPES, SESSION_LENGTH, NotSignedIn, Scope, Token, csrf_of

ASKED_FOR = 10 * 60 * 1_000_000
"""Microseconds that a person has to decide."""
PIECES = {
    name: piece.strip()
    for name, _, piece in (
        part.partition("\n") for part in Path(__file__).with_suffix(".html").read_text("utf-8").split("\n=== ")[1:]
    )
}
"""The HTML, by name."""
STYLE_HASH = base64.b64encode(sha256(PIECES["style"].encode()).digest()).decode()
NO_STORE = {"Cache-Control": "no-store", "Referrer-Policy": "same-origin"}
"""A page without any referrer would send its forms with the origin ``null``, which the gate refuses."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ConsentRequest:
    """An authorization request that was found valid, on its way through the person's browser."""

    client: str
    name: str
    resource: str
    challenge: str
    redirect_uri: str
    explicit: bool
    scopes: Sequence[str]
    state: str | None

    @property
    def writes(self) -> bool:
        return "write" in self.scopes

    @property
    def target(self) -> str:
        """Where the person is sent back to, in words: what the application itself cannot choose freely."""
        parts = urlsplit(self.redirect_uri)
        if parts.scheme == "https":
            return parts.netloc
        return (
            "an application on this computer"
            if parts.scheme == "http"
            else f"the application that opens {parts.scheme}: links"
        )


@dataclass(frozen=True)
class ConsentPage:
    service: Service
    signer: Signer
    base: str

    def address(self, consent: ConsentRequest) -> str:
        end = micros(self.service.parts.clock.now()) + ASKED_FOR
        payload = json.dumps([end, asdict(consent)]).encode()
        return f"{self.base}/oauth/consent?{urlencode({'request': self.signer.sign('consent', payload)})}"

    async def answer(self, request: Request) -> Response:
        raw = self.signer.open("consent", request.query_params.get("request", ""))
        end, fields = json.loads(raw) if raw else (0, {})
        consent = ConsentRequest(**fields) if end > micros(self.service.parts.clock.now()) else None
        if consent is None:
            return _page("This request is no longer valid", "<p>Go back to the application and connect again.</p>", 400)
        form: Any = await request.form() if request.method == "POST" else {}
        if "token" in form:
            return await to_thread.run_sync(self._sign_in, request, consent, str(form["token"]))
        return await to_thread.run_sync(self._decide, request, consent, {key: str(form[key]) for key in form})

    def _session(self, request: Request) -> tuple[Token, str] | None:
        """Who is signed in at this server's page, and the word that their forms must carry."""
        secret = request.cookies.get(cookie_name(request), "")
        try:
            token = self.service.accounts.verify(secret)
        except NotSignedIn:
            return None
        return (token, csrf_of(secret)) if token.session else None

    def _sign_in(self, request: Request, consent: ConsentRequest, secret: str) -> Response:
        """A token for the session's cookie, as on the page itself."""
        try:
            token = self.service.sign_in(f"Bearer {secret.strip()}", "")
        except NotSignedIn:
            return _page(_title(consent), _sign_in_form("This token is not valid."), 401, consent)
        answer = RedirectResponse(f"{request.url.path}?{request.url.query}", 303, headers=NO_STORE)
        session = self.service.accounts.sign_in(token)
        set_cookie(answer, request, session.secret, int(SESSION_LENGTH.total_seconds()))
        return answer

    def _decide(self, request: Request, consent: ConsentRequest, form: dict[str, str]) -> Response:
        session = self._session(request)
        if session is None:
            # The session's cookie is not sent when another site leads here, so the page first comes back to itself.
            if "again" in request.query_params or request.method == "POST":
                return _page(_title(consent), _sign_in_form(), 200, consent)
            again = f"{request.url.path}?{request.url.query}&again=1"
            answer = _page(_title(consent), f'<p><a href="{escape(again)}">Continue</a></p>', 200, consent)
            answer.headers["Refresh"] = f"0; url={again}"
            return answer
        token, csrf = session
        if not token.person:
            text = "<p>You are signed in with an agent's token. Only a person can connect an application.</p>"
            return _page(_title(consent), text + _sign_in_form(), 403, consent)
        if not form:
            return _page(_title(consent), self._question(token, csrf, consent), 200, consent)
        if not hmac.compare_digest(form.get("csrf", "").encode(), csrf.encode()):
            return _page(_title(consent), "<p>This form is not of this session. Reload the page.</p>", 403, consent)
        if form.get("answer") != "allow":
            return self._back(consent, error="access_denied")
        return self._back(consent, code=self._code(token, consent, form))

    def _question(self, token: Token, csrf: str, consent: ConsentRequest) -> str:
        writes = consent.writes and token.reaches("write")
        book = book_of(self.service, token, None)
        names = [] if token.namespaces else [namespace.name for namespace in book.namespaces.list()]
        options = "".join(f'<option value="{escape(name)}">Only {escape(name)}</option>' for name in names)
        may_write = "Search and read memories, and save new ones. What it saves is unconfirmed until you confirm it."
        return PIECES["question"].format(
            name=escape(consent.name),
            owner=escape(token.owner),
            target=escape(consent.target),
            csrf=csrf,
            write=_choice("write", may_write) if writes else "",
            read=_choice("read", "Search and read memories only.", checked=not writes),
            options=options,
        )

    def _code(self, token: Token, consent: ConsentRequest, form: dict[str, str]) -> str:
        chosen: Scope = "write" if form.get("scope") == "write" and consent.writes else "read"
        scope: Scope = min(chosen, token.scope, key=SCOPES.index)
        name = form.get("namespace")
        ids = [str(book_of(self.service, token, None).namespaces.get(name).id)] if name else token.namespaces
        request = ConnectionRequest(
            client=consent.client,
            name=consent.name,
            resource=consent.resource,
            challenge=consent.challenge,
            redirect_uri=consent.redirect_uri if consent.explicit else "",
        )
        return self.service.connections.begin(token, request, scope=scope, namespaces=ids)

    def _back(self, consent: ConsentRequest, **parameters: str) -> Response:
        target = construct_redirect_uri(consent.redirect_uri, **parameters, state=consent.state, iss=self.base)
        return RedirectResponse(target, 303, headers=NO_STORE)


def _title(consent: ConsentRequest) -> str:
    return f"Connect {consent.name} to your memory?"


def _choice(value: str, text: str, *, checked: bool = True) -> str:
    return PIECES["choice"].format(value=value, text=text, mark=" checked" if checked else "")


def _sign_in_form(problem: str = "") -> str:
    return PIECES["sign_in"].format(problem=problem)


def _page(title: str, body: str, status: int, consent: ConsentRequest | None = None) -> Response:
    parts = urlsplit(consent.redirect_uri) if consent else None
    # a form's answer may lead only where its policy says, and the answer to this one leads back to the application
    target = "" if parts is None else f" {parts.scheme}://{parts.netloc}" if parts.netloc else f" {parts.scheme}:"
    policy = (
        f"default-src 'none'; style-src 'sha256-{STYLE_HASH}'; form-action 'self'{target}; "
        "frame-ancestors 'none'; base-uri 'none'"
    )
    html = PIECES["page"].format(style=PIECES["style"], title=escape(title), body=body)
    return HTMLResponse(html, status, headers={**NO_STORE, "Content-Security-Policy": policy})
