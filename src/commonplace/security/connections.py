"""Connections: applications that a person allowed to use their memory (OAuth 2.1).

A connection is one row of the token table, found by a random handle. The application's secrets (the authorization code,
then refresh and access tokens) contain the handle, a generation and an expiry, signed by the server. The code is
generation 0; each exchange makes the next. Whoever presents an older generation has a copy, so the connection is ended.
"""

import base64
import hmac
import secrets
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from hashlib import sha256
from typing import Literal
from urllib.parse import quote, unquote

from commonplace.clock import Clock, micros, moment
from commonplace.security.keys import Keychain
from commonplace.security.tokens import CONNECTION, FIRST, Accounts, NotSignedIn, Scope, Token, hashed
from commonplace.store.ports import Store
from commonplace.store.rows import TokenRow

PREFIX = "cpo_"
CODE_LENGTH, ACCESS_LENGTH, IDLE_LENGTH = timedelta(minutes=2), timedelta(minutes=15), timedelta(days=60)
"""Lifetimes of a code, of an access token, and of a connection without refreshes."""

Kind = Literal["code", "access", "refresh"]


class Signer:
    """Signs what clients later send back to the server, so that it need not be stored."""

    def __init__(self, keychain: Keychain) -> None:
        self._key = keychain.server_key("connections")

    def sign(self, purpose: str, payload: bytes) -> str:
        return f"{_text(payload)}.{_text(self._mac(purpose, payload))}"

    def open(self, purpose: str, text: str) -> bytes | None:
        """The signed text; None if this server did not sign it for this purpose."""
        payload, _, signature = text.partition(".")
        try:
            raw, mac = _bytes(payload), _bytes(signature)
        except ValueError:
            return None
        same = hmac.compare_digest(mac, self._mac(purpose, raw)) and text == f"{_text(raw)}.{_text(mac)}"
        return raw if same else None

    def derive(self, purpose: str, text: str) -> str:
        """A secret derived from ``text``."""
        return _text(self._mac(purpose, text.encode("utf-8", "surrogatepass")))

    def _mac(self, purpose: str, payload: bytes) -> bytes:
        return hmac.digest(self._key, purpose.encode() + b"\0" + payload, "sha256")


@dataclass(frozen=True, slots=True, kw_only=True)
class ConnectionRequest:
    """What an application asks a person to allow."""

    client: str
    name: str
    resource: str
    challenge: str
    """The PKCE challenge (S256)."""
    redirect_uri: str
    """Where to redirect the person; empty if the application's registration decides."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ConnectionGrant:
    """A code or refresh token that is valid for exchange."""

    row: TokenRow
    generation: int
    scope: Scope
    resource: str
    challenge: str
    redirect_uri: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair:
    access: str
    refresh: str


class Connections:
    def __init__(self, store: Store, keychain: Keychain, clock: Clock) -> None:
        self._store, self._clock = store, clock
        self._accounts = Accounts(store, keychain, clock)
        self._signer = Signer(keychain)

    def begin(self, person: Token, request: ConnectionRequest, *, scope: Scope, namespaces: Sequence[str]) -> str:
        """Record a person's consent and return the authorization code. The connection always acts as an agent."""
        handle = secrets.token_urlsafe(24)
        words = (
            *(CONNECTION, FIRST, f"client:{_digest(request.client)}", f"for:{request.resource}"),
            *(f"challenge:{quote(request.challenge, safe='')}", f"redirect:{quote(request.redirect_uri, safe='')}"),
        )
        self._accounts.issue(
            person.owner,
            name=request.name,
            scope=scope,
            namespaces=namespaces,
            expires_at=self._clock.now() + CODE_LENGTH,
            mark=" ".join(words),
            secret=_stored(handle),
        )
        return self._signed_token("code", handle, 0, CODE_LENGTH)

    def grant(self, kind: Literal["code", "refresh"], secret: str, client: str) -> ConnectionGrant | None:
        """The grant of a code or refresh token; None if it is invalid. One that was exchanged before ends its
        connection.
        """
        opened = self._opened(kind, secret)
        row = opened and self._row(opened[0])
        if not opened or row is None or f"client:{_digest(client)}" not in row.scope.split():
            return None
        if opened[1] != int(_word(row, "generation")):
            self._accounts.revoke(row.owner, row.id)
            return None
        scope = self._accounts.token_of(row, with_name=False).scope
        resource, challenge, redirect = (_word(row, name) for name in ("for", "challenge", "redirect"))
        return ConnectionGrant(
            row=row, generation=opened[1], scope=scope, resource=resource, challenge=challenge, redirect_uri=redirect
        )

    def exchange(self, kind: Literal["code", "refresh"], secret: str, client: str) -> Pair:
        """The next access and refresh token. Raises ``NotSignedIn``. If two exchanges race, one is refused and the
        connection ends.
        """
        grant, opened = self.grant(kind, secret, client), self._opened(kind, secret)
        if grant is None or opened is None:
            raise NotSignedIn
        number = grant.generation + 1
        dropped = ("generation:", "challenge:", "redirect:")
        words = [word for word in grant.row.scope.split() if not word.startswith(dropped)]
        end = self._clock.now() + IDLE_LENGTH
        row = replace(grant.row, scope=" ".join([*words, f"generation:{number}"]), expires_at=micros(end))
        if not self._store.accounts.replace_token(row, expected=grant.row.scope):
            self._accounts.revoke(row.owner, row.id)
            raise NotSignedIn
        access = self._signed_token("access", opened[0], number, ACCESS_LENGTH)
        return Pair(access=access, refresh=self._signed_token("refresh", opened[0], number, IDLE_LENGTH))

    def verify(self, secret: str, resource: str) -> Token:
        """The token behind an access token. Raises ``NotSignedIn`` if it is not valid for ``resource`` now."""
        opened = self._opened("access", secret)
        row = opened and self._row(opened[0])
        if not row or _word(row, "for") != resource:
            raise NotSignedIn
        return self._accounts.token_of(row, with_name=False)

    def end(self, secret: str, client: str) -> None:
        """End the connection of this client's access or refresh token; does nothing for an unknown one."""
        opened = self._opened("access", secret) or self._opened("refresh", secret)
        row = opened and self._row(opened[0])
        if row and f"client:{_digest(client)}" in row.scope.split():
            self._accounts.revoke(row.owner, row.id)

    def _signed_token(self, kind: Kind, handle: str, generation: int, length: timedelta) -> str:
        end = micros(self._clock.now() + length)
        return PREFIX + self._signer.sign(kind, f"{handle} {generation} {end}".encode())

    def _opened(self, kind: Kind, secret: str) -> tuple[str, int] | None:
        """Handle and generation; None if it is not ours or has expired."""
        raw = self._signer.open(kind, secret.removeprefix(PREFIX)) if secret.startswith(PREFIX) else None
        if raw is None:
            return None
        handle, generation, end = raw.decode().split()
        return (handle, int(generation)) if moment(int(end)) > self._clock.now() else None

    def _row(self, handle: str) -> TokenRow | None:
        row = self._store.accounts.token(hashed(_stored(handle)))
        over = row is None or (row.expires_at is not None and moment(row.expires_at) <= self._clock.now())
        return None if over or (row and row.revoked_at is not None) else row


def _stored(handle: str) -> str:
    """The secret that the row's hash is made of: no real token has this form."""
    return f"connection {handle}"


def _word(row: TokenRow, name: str) -> str:
    words = row.scope.split()
    return next((unquote(word.partition(":")[2]) for word in words if word.startswith(f"{name}:")), "")


def _digest(text: str) -> str:
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:32]


def _text(raw: bytes) -> str:
    return base64.urlsafe_b64encode(raw).decode().rstrip("=")


def _bytes(text: str) -> bytes:
    return base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)
