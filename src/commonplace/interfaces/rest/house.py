"""What one server process holds, and who stands at the door."""

import threading
import time
from collections import OrderedDict
from dataclasses import dataclass, field
from datetime import datetime
from typing import Protocol

from commonplace.opening import Parts
from commonplace.security.tokens import Accounts, NotSignedIn, Token

MOST_BUCKETS = 10_000


class Verifier(Protocol):
    """Understands tokens that somebody else issued."""

    def verify(self, secret: str) -> Token:
        """Raises ``NotSignedIn``."""


class Limiter:
    """A token bucket per caller: ``per_minute`` at once, and as many again each minute."""

    def __init__(self, per_minute: int) -> None:
        self._rate, self._most = per_minute / 60, float(per_minute)
        self._buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()
        self._lock = threading.Lock()

    def take(self, who: str, now: float | None = None) -> float:
        """0 if the caller may go on, else the seconds to wait."""
        if not self._most:
            return 0.0
        # A monotonic clock of the process: what is measured here is a pause, not a date.
        now = time.monotonic() if now is None else now
        with self._lock:
            left, seen = self._buckets.pop(who, (self._most, now))
            left = min(self._most, left + (now - seen) * self._rate)
            wait = 0.0 if left >= 1 else (1 - left) / self._rate
            self._buckets[who] = (left if wait else left - 1, now)
            if len(self._buckets) > MOST_BUCKETS:
                self._buckets.popitem(last=False)
        return wait


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
    last_write: datetime | None = None
    """When `/readyz` last saw a write succeed."""

    @classmethod
    def of(cls, parts: Parts, *, issuer: Verifier | None = None) -> "House":
        limit = parts.settings.rate_limit
        accounts = Accounts(parts.store, parts.keychain, parts.clock)
        return cls(parts, accounts, Limiter(limit), Limiter(min(limit, 60)), issuer)

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
