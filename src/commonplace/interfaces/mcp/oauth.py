"""OAuth 2.1 for remote applications: metadata, registration, authorization code with PKCE, refresh, revocation.

The MCP SDK parses and answers the requests; here is what it asks for. Registered applications are not stored: the
client id is their signed metadata (RFC 7591, stateless registration), so that strangers cannot fill the book.
"""

import json
import math
import re
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from anyio import to_thread
from mcp.server.auth.handlers.authorize import AuthorizationHandler
from mcp.server.auth.handlers.register import RegistrationHandler
from mcp.server.auth.handlers.token import TokenHandler
from mcp.server.auth.json_response import PydanticJSONResponse
from mcp.server.auth.middleware.client_auth import AuthenticationError, ClientAuthenticator
from mcp.server.auth.provider import (
    AccessToken,
    AuthorizationCode,
    AuthorizationParams,
    AuthorizeError,
    OAuthAuthorizationServerProvider,
    RefreshToken,
    RegistrationError,
    TokenError,
)
from mcp.server.auth.settings import ClientRegistrationOptions
from mcp.server.transport_security import RequestBodyLimitMiddleware
from mcp.shared.auth import (
    InvalidRedirectUriError,
    InvalidScopeError,
    OAuthClientInformationFull,
    OAuthMetadata,
    OAuthToken,
    ProtectedResourceMetadata,
)
from pydantic import AnyUrl
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route, request_response

from commonplace.interfaces.mcp.consent_page import ConsentPage, ConsentRequest
from commonplace.interfaces.rest.gate import MCP
from commonplace.interfaces.rest.service import Service, base_url
from commonplace.security.connections import ACCESS_LENGTH, Signer
from commonplace.security.tokens import NotSignedIn

SCOPES = ["read", "write"]
"""What an application can be given. Never ``admin``, and never a person's rank."""
LOOPBACK = ("127.0.0.1", "localhost", "::1")
RUN_BY_BROWSERS = ("javascript", "data", "vbscript", "file", "blob", "about", "filesystem", "view-source")
"""Schemes that a browser itself acts on; any other one belongs to an application on the person's machine."""
MOST_BODY, MOST_CLIENT = 64 * 1024, 2000

Endpoint = Callable[[Request], Awaitable[Response]]


class Application(OAuthClientInformationFull):
    """A registered application, whose loopback redirects may use any port (RFC 8252, 7.3)."""

    def validate_redirect_uri(self, redirect_uri: AnyUrl | None) -> AnyUrl:
        if redirect_uri is None:
            return super().validate_redirect_uri(redirect_uri)
        if _comparable(redirect_uri) not in map(_comparable, self.redirect_uris or ()):
            raise InvalidRedirectUriError("this redirect_uri was not registered")
        return redirect_uri

    def validate_scope(self, requested_scope: str | None) -> list[str] | None:
        """Those that exist here; others are ignored, as RFC 6749 allows."""
        if requested_scope is None:
            return None
        scopes = [scope for scope in SCOPES if scope in requested_scope.split()]
        if not scopes:
            raise InvalidScopeError(f"the scopes are {' and '.join(SCOPES)}")
        return scopes


@dataclass(frozen=True)
class Provider(OAuthAuthorizationServerProvider[AuthorizationCode, RefreshToken, AccessToken]):
    """Answers the SDK's handlers for one request. ``base`` is the address the request came to."""

    service: Service
    signer: Signer
    base: str

    @property
    def resources(self) -> list[str]:
        return [self.base + path for path in MCP]

    async def get_client(self, client_id: str) -> Application | None:
        raw = self.signer.open("client", client_id)
        if raw is None:
            return None
        name, redirect_uris, method = json.loads(raw)
        return Application(
            client_id=client_id,
            client_name=name,
            redirect_uris=redirect_uris,
            token_endpoint_auth_method=method,
            client_secret=None if method == "none" else self.signer.derive("client secret", client_id),
            scope=" ".join(SCOPES),
        )

    async def register_client(self, client_info: OAuthClientInformationFull) -> None:
        uris = [str(uri) for uri in client_info.redirect_uris or ()]
        for uri in uris:
            if (problem := redirect_problem(uri)) is not None:
                raise RegistrationError("invalid_redirect_uri", problem)
        name = " ".join((client_info.client_name or "").split())[:80] or "an application without a name"
        record = json.dumps([name, uris, client_info.token_endpoint_auth_method], ensure_ascii=False).encode()
        if len(record) > MOST_CLIENT:
            raise RegistrationError("invalid_client_metadata", f"at most {MOST_CLIENT} bytes of redirect URIs")
        client_info.client_id = self.signer.sign("client", record)
        if client_info.client_secret is not None:
            client_info.client_secret = self.signer.derive("client secret", client_info.client_id)

    async def authorize(self, client: OAuthClientInformationFull, params: AuthorizationParams) -> str:
        """The address of the consent page, which carries the signed request."""
        resource = (params.resource or self.resources[0]).rstrip("/")
        if resource not in self.resources:
            raise AuthorizeError("invalid_target", f"the resource of this server is {self.resources[0]}")
        consent = ConsentRequest(
            client=client.client_id,
            name=client.client_name or "",
            resource=resource,
            challenge=params.code_challenge,
            redirect_uri=str(params.redirect_uri),
            explicit=params.redirect_uri_provided_explicitly,
            scopes=tuple(params.scopes or SCOPES),
            state=params.state,
        )
        return ConsentPage(self.service, self.signer, self.base).address(consent)

    async def load_authorization_code(
        self, client: OAuthClientInformationFull, authorization_code: str
    ) -> AuthorizationCode | None:
        grant = await to_thread.run_sync(self._grant, "code", authorization_code, client)
        if grant is None:
            return None
        return AuthorizationCode(
            code=authorization_code,
            scopes=_scopes(grant.scope),
            expires_at=math.inf,  # the grant was checked by the server's own clock
            client_id=client.client_id,
            code_challenge=grant.challenge,
            redirect_uri=AnyUrl(grant.redirect_uri or self.base),
            redirect_uri_provided_explicitly=bool(grant.redirect_uri),
            resource=grant.resource,
        )

    async def exchange_authorization_code(
        self, client: OAuthClientInformationFull, authorization_code: AuthorizationCode
    ) -> OAuthToken:
        return await self._exchanged("code", authorization_code.code, client, authorization_code.scopes)

    async def load_refresh_token(self, client: OAuthClientInformationFull, refresh_token: str) -> RefreshToken | None:
        grant = await to_thread.run_sync(self._grant, "refresh", refresh_token, client)
        if grant is None:
            return None
        return RefreshToken(
            token=refresh_token, client_id=client.client_id, scopes=_scopes(grant.scope), resource=grant.resource
        )

    async def exchange_refresh_token(
        self, client: OAuthClientInformationFull, refresh_token: RefreshToken, scopes: list[str]
    ) -> OAuthToken:
        return await self._exchanged("refresh", refresh_token.token, client, refresh_token.scopes)

    async def load_access_token(self, token: str) -> AccessToken | None:
        raise NotImplementedError("the gate checks access tokens")

    async def revoke_token(self, token: AccessToken | RefreshToken) -> None:
        raise NotImplementedError("the revocation route ends connections")

    def _grant(self, kind: Any, secret: str, client: OAuthClientInformationFull) -> Any:
        return self.service.connections.grant(kind, secret, client.client_id)

    async def _exchanged(
        self, kind: Any, secret: str, client: OAuthClientInformationFull, scopes: list[str]
    ) -> OAuthToken:
        try:
            pair = await to_thread.run_sync(self.service.connections.exchange, kind, secret, client.client_id)
        except NotSignedIn:
            raise TokenError("invalid_grant", "it was used before; connect again") from None
        seconds = int(ACCESS_LENGTH.total_seconds())
        return OAuthToken(
            access_token=pair.access, refresh_token=pair.refresh, expires_in=seconds, scope=" ".join(scopes)
        )


def redirect_problem(uri: str) -> str | None:
    """Why a person must not be sent there with a code; None if they may."""
    parts = urlsplit(uri)
    if parts.fragment or not re.fullmatch(r"[\w.:\[\]-]*", parts.netloc, re.ASCII):
        return "a redirect URI has a plain host, no fragment and no user name"
    if parts.scheme == "http" and parts.hostname not in LOOPBACK:
        return "a redirect URI is https, or http on the person's own machine"
    if parts.scheme in RUN_BY_BROWSERS or (parts.scheme in ("http", "https") and not parts.hostname):
        return "no application can be reached there"
    return None


def oauth_routes(service: Service) -> list[Route]:
    signer = Signer(service.parts.keychain)

    def provider(request: Request) -> Provider:
        return Provider(service, signer, base_url(request, service.parts.settings))

    async def resource_metadata(request: Request) -> Response:
        here = provider(request)
        resource = here.base + (request.url.path.removeprefix(RESOURCE) or MCP[0])
        return PydanticJSONResponse(
            ProtectedResourceMetadata.model_validate(
                {
                    "resource": resource,
                    "authorization_servers": [here.base],
                    "scopes_supported": SCOPES,
                    "resource_name": "Commonplace",
                }
            )
        )

    async def server_metadata(request: Request) -> Response:
        return PydanticJSONResponse(_metadata(provider(request).base))

    async def authorize(request: Request) -> Response:
        return await AuthorizationHandler(provider(request)).handle(request)

    async def register(request: Request) -> Response:
        return await RegistrationHandler(provider(request), ClientRegistrationOptions(enabled=True)).handle(request)

    async def token(request: Request) -> Response:
        here = provider(request)
        resource = (await request.form()).get("resource")
        if resource is not None and str(resource).rstrip("/") not in here.resources:
            return _error(400, "invalid_target", f"the resource of this server is {here.resources[0]}")
        answer: Response = await TokenHandler(here, ClientAuthenticator(here)).handle(request)
        return answer

    async def revoke(request: Request) -> Response:
        """Not the SDK's, which refuses applications without a secret."""
        try:
            client = await ClientAuthenticator(provider(request)).authenticate_request(request)
        except AuthenticationError as fault:
            return _error(401, "invalid_client", fault.message)
        secret = (await request.form()).get("token")
        await to_thread.run_sync(service.connections.end, str(secret), client.client_id)
        return JSONResponse({}, headers=NO_STORE)

    async def consent(request: Request) -> Response:
        return await ConsentPage(service, signer, provider(request).base).answer(request)

    metadata = [RESOURCE, *(RESOURCE + path for path in MCP)]
    posts: dict[str, Endpoint] = {"/oauth/register": register, "/oauth/token": token, "/oauth/revoke": revoke}
    pages: dict[str, Endpoint] = {"/oauth/authorize": authorize, "/oauth/consent": consent}
    return [
        *(Route(path, resource_metadata) for path in metadata),
        Route("/.well-known/oauth-authorization-server", server_metadata),
        *(Route(path, _limited(service, endpoint), methods=["POST"]) for path, endpoint in posts.items()),
        *(Route(path, _limited(service, endpoint), methods=["GET", "POST"]) for path, endpoint in pages.items()),
    ]


RESOURCE = "/.well-known/oauth-protected-resource"
NO_STORE = {"Cache-Control": "no-store"}


def _metadata(base: str) -> OAuthMetadata:
    methods = ["none", "client_secret_post", "client_secret_basic"]
    return OAuthMetadata.model_validate(
        {
            "issuer": base,
            **{f"{name}_endpoint": f"{base}/oauth/{path}" for name, path in ENDPOINTS.items()},
            "scopes_supported": SCOPES,
            "response_types_supported": ["code"],
            "grant_types_supported": ["authorization_code", "refresh_token"],
            "token_endpoint_auth_methods_supported": methods,
            "revocation_endpoint_auth_methods_supported": methods,
            "code_challenge_methods_supported": ["S256"],
            "authorization_response_iss_parameter_supported": True,
        }
    )


ENDPOINTS = {"authorization": "authorize", "token": "token", "registration": "register", "revocation": "revoke"}


def _limited(service: Service, endpoint: Endpoint) -> Any:
    """Limits the size of bodies, and failures per minute and address."""

    async def answer(request: Request) -> Response:
        response = await endpoint(request)
        if response.status_code >= 400:
            address = request.client.host if request.client else "?"
            if wait := service.strangers.take(address):
                return JSONResponse({"error": "slow_down"}, 429, headers={"Retry-After": str(math.ceil(wait))})
        return response

    return RequestBodyLimitMiddleware(request_response(answer), MOST_BODY)


def _scopes(scope: str) -> list[str]:
    return SCOPES[: SCOPES.index(scope) + 1]


def _error(status: int, error: str, description: str) -> Response:
    return JSONResponse({"error": error, "error_description": description}, status, headers=NO_STORE)


def _comparable(uri: AnyUrl) -> tuple[str, ...]:
    """The whole address, without the port where it is the person's own machine."""
    parts = urlsplit(str(uri))
    own = parts.scheme == "http" and parts.hostname in LOOPBACK
    return (parts.scheme, str(parts.hostname) if own else parts.netloc, parts.path or "/", parts.query)
