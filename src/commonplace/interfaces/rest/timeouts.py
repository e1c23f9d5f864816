"""An HTTP/1.1 connection that is closed when the caller stops sending: uvicorn itself waits for ever."""

import asyncio

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

HEAD_SECONDS = 20.0
"""From the first byte (or the connection) to the end of a request's headers, however slowly they come."""
IDLE_SECONDS = 30.0
"""Between two pieces of a request's body."""
TOO_SLOW = b"HTTP/1.1 408 Request Timeout\r\nconnection: close\r\ncontent-length: 0\r\n\r\n"


class TimedProtocol(H11Protocol):
    _timer: asyncio.TimerHandle | None = None
    _awaited: object = None
    """The state of the request that the timer is for: ``h11.IDLE`` (headers) or ``h11.SEND_BODY``."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._await(h11.IDLE)

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        state = self.conn.their_state
        if state is not h11.IDLE or self._awaited is not h11.IDLE:  # further bytes of the headers win no time
            self._await(state)

    def on_response_complete(self) -> None:
        super().on_response_complete()
        partial, _ = self.conn.trailing_data
        keep_alive = self.conn.their_state is h11.IDLE and not partial
        self._await(None if keep_alive else self.conn.their_state)

    def connection_lost(self, exc: Exception | None) -> None:
        self._await(None)
        super().connection_lost(exc)

    def _await(self, state: object) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        self._awaited = state
        if state in (h11.IDLE, h11.SEND_BODY):
            seconds = HEAD_SECONDS if state is h11.IDLE else IDLE_SECONDS
            self._timer = self.loop.call_later(seconds, self._expired)

    def _expired(self) -> None:
        if self._awaited is h11.SEND_BODY and self.flow.read_paused:  # it is we who do not read
            self._await(h11.SEND_BODY)
            return
        if self.conn.our_state in (h11.IDLE, h11.SEND_RESPONSE):
            self.transport.write(TOO_SLOW)
        self.transport.close()
