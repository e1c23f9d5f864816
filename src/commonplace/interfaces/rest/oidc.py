"""Tokens of a company's own issuer (OIDC): verified by the issuer's published keys, never by asking around.

The owner is the token's ``sub``. Its ``scope`` (or ``scp``) says what it may do: ``commonplace:read``,
``commonplace:write``, ``commonplace:admin``. Scopes without the prefix mean nothing here; a token with none of ours may
read and write. With ``commonplace:agent`` it is an agent's token, and what it states is a candidate.
"""

import json
from typing import Any

import httpx2
import jwt
from jwt import PyJWK, PyJWKClient
from jwt.exceptions import PyJWTError

from commonplace.clock import EPOCH
from commonplace.errors import ProviderError
from commonplace.interfaces.rest.service import Verifier
from commonplace.security.tokens import OWNER_LIMIT, NotSignedIn, Token
from commonplace.security.tokens import Scope as TokenScope

ALGORITHMS = ("RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA")
"""Asymmetric only: a shared secret that verifies a token can also forge one."""
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
            response = httpx2.get(f"{self._address}/.well-known/openid-configuration", timeout=TIMEOUT)
            response.raise_for_status()
            return str(response.json()["jwks_uri"])
        except (httpx2.HTTPError, KeyError, json.JSONDecodeError) as fault:
            raise ProviderError("the issuer of the tokens does not say where its keys are; set jwks_url") from fault


def _token(claims: dict[str, Any]) -> Token:
    owner = claims["sub"]
    if not isinstance(owner, str) or not owner.strip() or len(owner) > OWNER_LIMIT or not owner.isprintable():
        raise NotSignedIn
    words = {word.removeprefix(WORD) for word in _scopes(claims) if word.startswith(WORD)}
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


def _scopes(claims: dict[str, Any]) -> list[str]:
    """A text of scopes, or a list as some issuers write it. Raises ``NotSignedIn`` for anything else."""
    scopes = claims.get("scope", claims.get("scp", ""))
    words = scopes.split() if isinstance(scopes, str) else scopes
    if not isinstance(words, list) or not all(isinstance(word, str) for word in words):
        raise NotSignedIn
    return words
