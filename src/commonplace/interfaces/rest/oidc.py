"""Tokens of a company's own issuer (OIDC): verified by the issuer's published keys, never by asking around.

The owner is the token's ``sub``. The words of its ``scope`` (or ``scp``) say how far it reaches: ``commonplace:read``,
``commonplace:write``, ``commonplace:admin``; one that says nothing of it may read and write. With
``commonplace:agent`` among them it is an agent's token, and what it states is a candidate.
"""

import json
from typing import Any

import httpx2
import jwt
from jwt import PyJWK, PyJWKClient
from jwt.exceptions import PyJWTError

from commonplace.clock import EPOCH
from commonplace.errors import ProviderError
from commonplace.interfaces.rest.house import Verifier
from commonplace.security.tokens import OWNER_LIMIT, NotSignedIn, Token
from commonplace.security.tokens import Scope as TokenScope

ALGORITHMS = ("RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA")
"""Asymmetric only: with a shared secret, whoever can verify could also forge."""
LEEWAY = 30
TIMEOUT = 5
WORD = "commonplace:"


def issuer(address: str, audience: str, keys: str | None = None) -> Verifier:
    """Verifies tokens that ``address`` issued for ``audience``; ``keys`` is its JWKS, else what it says itself."""
    return Issuer(address.rstrip("/"), audience, keys)


class Issuer:
    def __init__(self, address: str, audience: str, keys: str | None) -> None:
        self._address, self._audience, self._keys = address, audience, keys
        self._client: PyJWKClient | None = None

    def verify(self, secret: str) -> Token:
        try:
            claims: dict[str, Any] = jwt.decode(
                secret,
                self._key(secret),
                algorithms=list(ALGORITHMS),
                audience=self._audience,
                issuer=[self._address, self._address + "/"],
                leeway=LEEWAY,
                options={"require": ["exp", "sub", "iss", "aud"]},
            )
        except PyJWTError as fault:
            raise NotSignedIn from fault
        return _token(claims)

    def _key(self, secret: str) -> PyJWK:
        if self._client is None:
            self._client = PyJWKClient(self._keys or self._discovered(), cache_keys=True, timeout=TIMEOUT)
        return self._client.get_signing_key_from_jwt(secret)

    def _discovered(self) -> str:
        try:
            found = httpx2.get(f"{self._address}/.well-known/openid-configuration", timeout=TIMEOUT)
            found.raise_for_status()
            return str(found.json()["jwks_uri"])
        except (httpx2.HTTPError, KeyError, json.JSONDecodeError) as fault:
            raise ProviderError("the issuer of the tokens does not say where its keys are; set jwks_url") from fault


def _token(claims: dict[str, Any]) -> Token:
    owner = str(claims["sub"])
    if not owner.strip() or len(owner) > OWNER_LIMIT or not owner.isprintable():
        raise NotSignedIn
    given = claims.get("scope", claims.get("scp", ""))
    words = {word.removeprefix(WORD) for word in (given.split() if isinstance(given, str) else given)}
    ours = {"read", "write", "admin"} & words
    scope: TokenScope = "admin" if "admin" in ours else "read" if ours == {"read"} else "write"
    person = "agent" not in words
    return Token(
        id=f"oidc:{claims.get('jti', owner)}"[:200],
        owner=owner,
        name=None,
        scope=scope,
        person=person,
        source="user" if person else "assistant",
        namespaces=(),
        created_at=EPOCH,
    )
