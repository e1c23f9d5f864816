"""One POST of JSON to an endpoint outside, and trying again with patience.

No error raised here carries a word of what was sent or answered: bodies hold people's text.

ProviderError
├── Rejected      the endpoint understood and said no; asking the same again is useless
└── Unavailable   busy, broken, late or gone; asking again may help
"""

import json
import os
import threading
import weakref
from collections.abc import Callable, Mapping
from datetime import timedelta
from typing import Any, TypeVar
from urllib.parse import urlsplit

import httpx2

from commonplace.clock import Clock, SystemClock
from commonplace.errors import ProviderError, SettingsError

T = TypeVar("T")
Raw = tuple[int, str | None, bytes]  # status, Retry-After, body

MAX_ANSWER = 1_000_000
ATTEMPTS = 3
FIRST_WAIT, LONGEST_WAIT = 0.5, 10.0
LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})
BUSY = frozenset({408, 409, 425, 429})
HINTS = {
    400: "it refuses the request; check the model's name and the settings",
    401: "check the key",
    403: "check the key and what it may do",
    404: "check the address and the model's name",
    413: "the request is too large for it",
    422: "it refuses the request; check the model's name and the settings",
}
# what newer models refuse and a client can do without
PARAMETERS = ("temperature", "max_tokens", "response_format", "output_config", "dimensions")


class Rejected(ProviderError):
    """The endpoint understood and said no. ``parameter`` is the one it complained about, if it named one."""

    def __init__(self, message: str, *, status: int, parameter: str | None) -> None:
        super().__init__(message)
        self.status, self.parameter = status, parameter


class Unavailable(ProviderError):
    """The endpoint did not give a usable answer. ``worked`` says whether it may have done (and charged) the work."""

    passing = True

    def __init__(self, message: str, *, worked: bool, wait: float | None = None) -> None:
        super().__init__(message)
        self.worked, self.wait = worked, wait


class Endpoint:
    """An address with its headers. Safe in threads and after a fork; redirects are not followed."""

    def __init__(self, base_url: str, headers: Mapping[str, str], *, clock: Clock | None = None) -> None:
        self.base_url, self.host = base_url.rstrip("/"), _host(base_url)
        if not all(value.isascii() and value.isprintable() for value in headers.values()):
            raise SettingsError("the endpoint's key has characters that a key cannot have; copy it again")
        self.clock = clock or SystemClock()
        # compressed answers could unfold to any size, so none are asked for and none are unpacked
        self._headers = {**headers, "Accept-Encoding": "identity", "User-Agent": "commonplace"}
        self._clients: dict[int, httpx2.Client] = {}
        weakref.finalize(self, _close, self._clients)

    def post(self, path: str, payload: Mapping[str, Any], *, timeout: float, limit: int = MAX_ANSWER) -> dict[str, Any]:
        """The JSON object that answers ``payload``. One attempt; raises ``ProviderError``, never with content.

        ``timeout`` bounds connecting, each silence, and (checked at every piece) the whole answer.
        """
        status, retry_after, body = self._exchange(path, payload, timeout, limit)
        if status == 200:
            value = parsed(body)
            if not isinstance(value, dict):
                raise ProviderError(f"{self.host} did not answer with a JSON object; check the address")
            return value
        if status in BUSY or status >= 500:
            seconds = retry_after if retry_after and retry_after.isascii() and retry_after.isdigit() else ""
            wait = float(seconds) if 0 < len(seconds) < 10 else None
            raise Unavailable(f"{self.host} answered {status}", worked=False, wait=wait)
        hint = HINTS.get(status, "check the address")
        raise Rejected(f"{self.host} answered {status}: {hint}", status=status, parameter=_parameter(body))

    def close(self) -> None:
        """Close the connections; the next ``post`` opens new ones. Also done when the object is collected."""
        _close(self._clients)

    def _exchange(self, path: str, payload: Mapping[str, Any], timeout: float, limit: int) -> Raw:
        body = bytearray()
        end = self.clock.now() + timedelta(seconds=timeout)
        content = json.dumps(payload).encode()
        try:
            with self._client().stream("POST", self.base_url + path, content=content, timeout=timeout) as response:
                for piece in response.iter_raw():
                    body += piece
                    if len(body) > limit:
                        raise ProviderError(f"{self.host} answered with more than {limit} bytes")
                    if self.clock.now() > end:
                        raise Unavailable(f"{self.host} did not finish within {timeout:g} s", worked=True)
                return response.status_code, response.headers.get("retry-after"), bytes(body)
        except (httpx2.ConnectError, httpx2.ConnectTimeout, httpx2.PoolTimeout) as error:
            raise Unavailable(f"{self.host} cannot be reached", worked=False) from error
        except httpx2.TimeoutException as error:
            raise Unavailable(f"{self.host} did not answer within {timeout:g} s", worked=True) from error
        except httpx2.HTTPError as error:
            raise Unavailable(f"the connection to {self.host} broke", worked=True) from error

    def _client(self) -> httpx2.Client:
        pid = os.getpid()
        if pid not in self._clients:  # a connection must not be shared across a fork
            headers = {**self._headers, "Content-Type": "application/json"}
            client = httpx2.Client(headers=headers, trust_env=self.host not in LOOPBACK)
            self._clients.setdefault(pid, client)
        return self._clients[pid]


def _host(base_url: str) -> str:
    try:
        parts = urlsplit(base_url)
        usable = parts.scheme in ("http", "https") and parts.port != 0
    except ValueError:  # a port or an IPv6 address that is none
        usable = False
    if not usable or not parts.hostname:
        raise SettingsError("the endpoint's address must begin with http:// or https:// and name a host")
    return parts.hostname


def _close(clients: dict[int, httpx2.Client]) -> None:
    while clients:
        clients.popitem()[1].close()


def parsed(body: bytes | str) -> Any:
    """The JSON value of ``body``, or ``None`` if it is none; too deep, too many digits and NaN are none."""
    try:
        return json.loads(body, parse_constant=no_constant)
    except (ValueError, RecursionError):
        return None


def retrying(attempt: Callable[[], T], *, clock: Clock, attempts: int = ATTEMPTS) -> T:
    """Call ``attempt`` until it does not raise ``Unavailable``, at most ``attempts`` times.

    Waits in between with full jitter, or as long as the endpoint asked; if it asks for more than
    ten seconds, gives up at once.
    """
    for number in range(1, attempts + 1):
        try:
            return attempt()
        except Unavailable as error:
            if number == attempts or (error.wait or 0) > LONGEST_WAIT:
                raise
            wait = error.wait
            if wait is None:
                wait = min(FIRST_WAIT * 2**number, LONGEST_WAIT) * int(clock.new_id()[-8:], 16) / 0xFFFF_FFFF
        threading.Event().wait(wait)
    raise ValueError("attempts must be at least 1")


def _parameter(body: bytes) -> str | None:
    answer = parsed(body)
    error = answer.get("error") if isinstance(answer, dict) else None
    if not isinstance(error, dict):
        return None
    detail = f"{error.get('param')} {error.get('message')}"[:2_000]
    return next((name for name in PARAMETERS if name in detail), None)


def no_constant(name: str) -> Any:
    """What JSON does not have: NaN and infinities."""
    raise ValueError(name)
