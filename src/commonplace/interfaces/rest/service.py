"""What one server process holds, and how a request signs in."""

import hmac
import threading
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Protocol

from starlette.requests import Request

from commonplace.interfaces.rest.limiting import Counters, Limiter, OwnLimiter, SharedLimiter
from commonplace.runtime import Parts
from commonplace.security.connections import PREFIX, Connections
from commonplace.security.tokens import Accounts, NotSignedIn, Token, csrf_of
from commonplace.settings import Settings

REMEMBERED = timedelta(minutes=1)
GUESSES = 60
"""Failed sign-ins a minute and address."""
PROBES = 120
"""Calls of `/readyz` a minute and address."""


COOKIE = "commonplace_session"


def cookie_name(request: Request) -> str:
    """With the port: browsers share cookies between the ports of a host."""
    return f"{COOKIE}_{request.url.port}" if request.url.port else COOKIE


def base_url(request: Request, settings: Settings) -> str:
    """The address that others reach this server at; the host of the request was checked already."""
    return (settings.public_url or str(request.base_url)).rstrip("/")


class Verifier(Protocol):
    """Verifies tokens of another issuer."""

    def verify(self, secret: str) -> Token:
        """Raises ``NotSignedIn``."""


@dataclass(slots=True)
class Writes:
    """What became of callers' writes: when one last succeeded, and when and why one last failed in the store."""

    done: datetime | None = None
    failed: datetime | None = None
    fault: str | None = None

    def failing(self, now: datetime) -> bool:
        """The last one failed, lately: a server that is kept away from writes must not stay red for ever."""
        if self.failed is None or now - self.failed > REMEMBERED:
            return False
        return self.done is None or self.done < self.failed


@dataclass(slots=True)
class Service:
    """One per process: a book's parts, its accounts, the limiter, and the sign that the server is stopping."""

    parts: Parts
    accounts: Accounts
    connections: Connections
    limiter: Limiter
    strangers: Limiter
    """Counts failed sign-ins per address."""
    probes: Limiter
    """Counts calls of `/readyz` per address."""
    issuer: Verifier | None = None
    stopping: threading.Event = field(default_factory=threading.Event)
    writes: Writes = field(default_factory=Writes)
    last_uses: dict[str, datetime] = field(default_factory=dict)
    """When each token last signed in a request, since this process started."""

    @classmethod
    def of(cls, parts: Parts, *, issuer: Verifier | None = None, counters: Counters | None = None) -> "Service":
        """``counters`` are those that all workers of the server share."""
        rate_limit = parts.settings.rate_limit
        limits = {"callers": rate_limit, "strangers": min(rate_limit, GUESSES), "probes": min(rate_limit, PROBES)}
        limiters: dict[str, Limiter] = {
            name: OwnLimiter(limit) if counters is None else SharedLimiter(limit, counters, name)
            for name, limit in limits.items()
        }
        book = parts.store, parts.keychain, parts.clock
        return cls(
            parts,
            Accounts(*book),
            Connections(*book),
            limiters["callers"],
            limiters["strangers"],
            limiters["probes"],
            issuer,
        )

    def at_hand(self, authorization: str) -> bool:
        """Whether signing in is one look into a local file, which costs less than handing it to another thread."""
        return self.parts.store.engine == "sqlite" and (self.issuer is None or authorization.count(".") != 2)

    def session(self, secret: str, csrf: str) -> Token:
        """The token of a session's cookie. Raises ``NotSignedIn`` without the header that belongs to it."""
        if not hmac.compare_digest(csrf_of(secret).encode(), csrf.encode("utf-8", "surrogateescape")):
            raise NotSignedIn
        token = self.accounts.verify(secret)
        if not token.session:
            raise NotSignedIn
        return token

    def sign_in(self, authorization: str, resource: str) -> Token:
        """The token an ``Authorization`` header carries. Raises ``NotSignedIn``; also for the token of a connection
        that was made for another address than ``resource``."""
        scheme, _, secret = authorization.partition(" ")
        secret = secret.strip()
        if scheme.lower() != "bearer" or not secret:
            raise NotSignedIn
        if self.issuer is not None and secret.count(".") == 2:
            return self.issuer.verify(secret)
        if secret.startswith(PREFIX):
            return self.connections.verify(secret, resource)
        return self.accounts.verify(secret)
