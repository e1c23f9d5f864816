"""Long bodies, line by line in bounded memory, in both directions."""

import queue
import threading
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path
from typing import Any

from anyio import from_thread

from commonplace.errors import Invalid

LINES = "application/x-ndjson"
AHEAD = 64
"""Pieces that the writer may be ahead of the reader."""
PIECE = 64 * 1024
MOST_LINE = 32 * 1024 * 1024


class _Closed(Exception):
    """The reader has stopped. Ends the writer; never raised outside this file."""


class _Pipe:
    """A place to write to, whose reader is a generator in another thread."""

    def __init__(self) -> None:
        self.pieces: queue.Queue[str | BaseException | None] = queue.Queue(AHEAD)
        self.closed = threading.Event()
        self._gathered: list[str] = []
        self._size = 0

    def write(self, text: str) -> int:
        self._gathered.append(text)
        self._size += len(text)
        if self._size >= PIECE:
            self.flush()
        return len(text)

    def flush(self) -> None:
        piece, self._gathered, self._size = "".join(self._gathered), [], 0
        self.put(piece)

    def put(self, piece: str | BaseException | None) -> None:
        while not self.closed.is_set():
            try:
                self.pieces.put(piece, timeout=0.5)
            except queue.Full:
                continue
            return
        raise _Closed


def pulled(write: Callable[[Any], object]) -> Iterator[str]:
    """What ``write`` writes into the place it is given, in pieces. A fault before the first piece is raised here."""
    pipe = _Pipe()

    def work() -> None:
        try:
            write(pipe)
            pipe.flush()
            pipe.put(None)
        except _Closed:
            pass
        except BaseException as fault:  # noqa: BLE001  # carried to the reader, who raises it
            pipe.put(fault)

    threading.Thread(target=work, daemon=True, name="export").start()
    first = pipe.pieces.get()
    if isinstance(first, BaseException):
        raise first
    return _rest(pipe, first)


def _rest(pipe: _Pipe, piece: str | BaseException | None) -> Iterator[str]:
    try:
        while piece is not None:
            if isinstance(piece, BaseException):
                raise piece
            yield piece
            piece = pipe.pieces.get()
    finally:
        pipe.closed.set()


class Lines:
    """The lines of a request's body, for a reader in a worker thread."""

    def __init__(self, body: AsyncIterator[bytes]) -> None:
        self._body = body

    def __iter__(self) -> Iterator[str]:
        tail = b""
        while (piece := from_thread.run(_next, self._body)) is not _END:
            tail += piece
            *lines, tail = tail.split(b"\n")
            yield from (_text(line) for line in lines)
            if len(tail) > MOST_LINE:
                raise Invalid(f"a line of an import has at most {MOST_LINE // 1024 // 1024} MiB")
        if tail:
            yield _text(tail)


async def save(body: AsyncIterator[bytes], file: Path, *, most: int, refusal: Invalid) -> None:
    """Write a request's body to a file; raise ``refusal`` once it is longer than ``most`` bytes."""
    left = most
    with file.open("xb") as target:
        async for piece in body:
            left -= len(piece)
            if left < 0:
                raise refusal
            target.write(piece)


_END = bytes(bytearray(1))
"""Compared by identity."""


async def _next(body: AsyncIterator[bytes]) -> bytes:
    return await anext(body, _END)


def _text(line: bytes) -> str:
    try:
        return line.decode("utf-8", "surrogatepass")
    except UnicodeDecodeError as fault:
        raise Invalid("an import is UTF-8 text; this one is not", code="not_an_export") from fault
