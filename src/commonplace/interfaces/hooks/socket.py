"""A running local server answers hooks better and faster than they can themselves: one line in, one line out.

The request: ``{"v": 1, "event": …, "payload": …, "variables": …, "folder": …}``. The reply: ``{"answer": "…"}``, the
text for the host. Both end with a line break. docs/hooks.md has the whole protocol.
"""

import json
import socket
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

VERSION = 1
LONGEST = 8_000_000
"""Bytes of a line; a prompt with pasted files may be long."""
WAITING = 30.0
"""Seconds a server waits for a slow asker."""

Responder = Callable[[str, bytes, Mapping[str, str], Path], str]


def ask(path: Path, question: Mapping[str, Any], *, timeout: float) -> str | None:
    """What the server at ``path`` answers; None if there is none, it is slow, or it answers something else."""
    if not hasattr(socket, "AF_UNIX") or not path.exists():
        return None
    try:
        with _connected(path, timeout) as line:
            line.sendall(json.dumps({"v": VERSION, **question}).encode() + b"\n")
            reply = json.loads(_line(line))
    except (OSError, ValueError):
        return None
    answer = reply.get("answer") if isinstance(reply, dict) else None
    return answer if isinstance(answer, str) else None


def taken(path: Path) -> bool:
    """Whether a server listens there; a file that a dead server left does not count."""
    try:
        with _connected(path, WAITING):
            return True
    except OSError:
        return False


@contextmanager
def _connected(path: Path, timeout: float) -> Iterator[socket.socket]:
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as line:
        line.settimeout(timeout)
        line.connect(str(path))
        yield line


class Listener:
    """Answers hooks on a socket that only its owner can open, each in a thread of its own, until closed."""

    def __init__(self, path: Path, respond: Responder) -> None:
        self._path, self._respond = path, respond
        path.parent.mkdir(parents=True, exist_ok=True)
        path.unlink(missing_ok=True)
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        try:
            self._socket.bind(str(path))
        except OSError:
            self._socket.close()
            raise
        path.chmod(0o600)
        self._socket.listen(16)
        self._thread = threading.Thread(target=self._accept, name="hooks", daemon=True)
        self._thread.start()

    def close(self) -> None:
        self._path.unlink(missing_ok=True)
        with suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)
        self._socket.close()
        self._thread.join(1.0)

    def _accept(self) -> None:
        while True:
            try:
                line, _ = self._socket.accept()
            except OSError:
                return
            threading.Thread(target=self._serve, args=(line,), daemon=True).start()

    def _serve(self, line: socket.socket) -> None:
        with line, suppress(OSError):
            line.settimeout(WAITING)
            try:
                question = json.loads(_line(line))
                raw = json.dumps(question["payload"]).encode()
                folder = Path(question["folder"])
                reply = {"answer": self._respond(question["event"], raw, question["variables"], folder)}
            except (ValueError, KeyError, TypeError):
                reply = {"error": "not a request of a hook"}  # which then does the work itself
            line.sendall(json.dumps(reply).encode() + b"\n")


def _line(line: socket.socket) -> bytes:
    received = b""
    while not received.endswith(b"\n"):
        part = line.recv(65536)
        if not part or len(received) > LONGEST:
            break
        received += part
    return received
