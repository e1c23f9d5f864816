"""What one server process holds, and who stands at the door."""

import threading
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Protocol

from commonplace.interfaces.rest.limiting import Counters, Limiter, OwnLimiter, SharedLimiter
from commonplace.opening import Parts
from commonplace.security.tokens import Accounts, NotSignedIn, Token

REMEMBERED = timedelta(minutes=1)
GUESSES = 60
"""Failed sign-ins a minute and address."""


class Verifier(Protocol):
    """Understands tokens that somebody else issued."""

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
class House:
    """One per process: a book's parts, its accounts, the limiter, and the sign that the server is stopping."""

    parts: Parts
    accounts: Accounts
    limiter: Limiter
    strangers: Limiter
    """Counts failed sign-ins per address."""
    issuer: Verifier | None = None
    stopping: threading.Event = field(default_factory=threading.Event)
    writes: Writes = field(default_factory=Writes)
    last_write: datetime | None = None
    """When `/readyz` itself last wrote something."""

    @classmethod
    def of(cls, parts: Parts, *, issuer: Verifier | None = None, counters: Counters | None = None) -> "House":
        """``counters`` are those that all workers of the server share."""
        limits = {"callers": parts.settings.rate_limit, "strangers": min(parts.settings.rate_limit, GUESSES)}
        made: dict[str, Limiter] = {
            name: OwnLimiter(most) if counters is None else SharedLimiter(most, counters, name)
            for name, most in limits.items()
        }
        accounts = Accounts(parts.store, parts.keychain, parts.clock)
        return cls(parts, accounts, made["callers"], made["strangers"], issuer)

    def at_hand(self, authorization: str) -> bool:
        """Whether signing in is one look into a local file, which costs less than handing it to another thread."""
        return self.parts.store.engine == "sqlite" and (self.issuer is None or authorization.count(".") != 2)

    def sign_in(self, authorization: str) -> Token:
        """The token an ``Authorization`` header carries. Raises ``NotSignedIn``."""
        scheme, _, secret = authorization.partition(" ")
        secret = secret.strip()
        if scheme.lower() != "bearer" or not secret:
            raise NotSignedIn
        if self.issuer is not None and secret.count(".") == 2:
            return self.issuer.verify(secret)
        return self.accounts.verify(secret)
