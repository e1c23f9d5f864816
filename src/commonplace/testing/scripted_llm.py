"""A language model that says what the script says, over real HTTP. Standard library only.

    with ScriptedLLM('{"answer": 42}', Answer(status=429)) as llm:
        model = language_model("openai:any", base_url=llm.url)

It speaks ``/v1/chat/completions`` and ``/v1/embeddings`` as OpenAI-compatible servers do, and ``/v1/messages`` as
Anthropic does. Chat requests take the next answer of the script; embeddings take the next of ``embeddings`` and,
when that is used up, are vectors made from the text.
"""

import hashlib
import json
import struct
import threading
from collections import deque
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, Self


@dataclass(frozen=True, slots=True)
class ReceivedRequest:
    """A client's request. Header names are in lower case."""

    path: str
    headers: Mapping[str, str]
    body: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Answer:
    """A reply; by default well-formed with an empty text."""

    text: str = ""
    status: int = 200
    delay: float = 0.0
    """Seconds to wait before sending."""
    drop: bool = False
    """Close the connection instead of answering."""
    body: bytes | None = None
    """Sent verbatim instead of the API's envelope."""
    pieces: int = 1
    """Send the body in this many pieces, with ``delay`` before each."""
    cut: bool = False
    """Report that the text reached ``max_tokens``."""
    usage: tuple[int, int] | None = (11, 7)
    """Input and output tokens to report; None reports none."""
    parameter: str | None = None
    """The parameter that an error names."""
    headers: Mapping[str, str] = field(default_factory=dict)


Line = Answer | str | Callable[[ReceivedRequest], "Answer | str"]


class ScriptedLLM:
    """A server on 127.0.0.1 for the duration of a ``with`` block; records every request.

    ``forms`` are the supported ``response_format`` types (and Anthropic's ``json_schema``): others get a 400 without
    using up the script. ``refuses`` are parameters that get a 400 in the same way. After the script's end ``then``
    repeats; without it requests get a 500.
    """

    def __init__(
        self,
        *script: Line,
        then: Line | None = None,
        forms: Iterable[str] = ("json_schema", "json_object"),
        refuses: Iterable[str] = (),
        embeddings: Iterable[Line] = (),
        dims: int = 8,
    ) -> None:
        self.requests: list[ReceivedRequest] = []
        self.dims = dims
        self._then, self._forms, self._refuses = then, frozenset(forms), frozenset(refuses)
        self._script, self._embeddings = deque(script), deque(embeddings)
        self._lock = threading.Lock()
        self._over = threading.Event()

    def __enter__(self) -> Self:
        self._server = _Server(("127.0.0.1", 0), _Handler)
        self._server.script = self
        threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True).start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._over.set()
        self._server.shutdown()
        self._server.server_close()

    @property
    def url(self) -> str:
        """The base address for settings, with ``/v1``."""
        return f"http://127.0.0.1:{self._server.server_port}/v1"

    @property
    def calls(self) -> int:
        return len(self.requests)

    def say(self, *lines: Line) -> None:
        with self._lock:
            self._script.extend(lines)

    def next(self, request: ReceivedRequest) -> Answer:
        """Record ``request`` and return its answer."""
        with self._lock:
            self.requests.append(request)
            line = self._refusal(request) or self._line(request)
        answer = line(request) if callable(line) else line
        return Answer(answer) if isinstance(answer, str) else answer

    def wait(self, seconds: float) -> None:
        """Sleep, but no longer than the server lives."""
        self._over.wait(seconds)

    def _line(self, request: ReceivedRequest) -> Line:
        if request.path.endswith("/embeddings"):
            return self._embeddings.popleft() if self._embeddings else Answer()
        if self._script:
            return self._script.popleft()
        return self._then if self._then is not None else Answer(status=500)

    def _refusal(self, request: ReceivedRequest) -> Answer | None:
        format = request.body.get("response_format") or (request.body.get("output_config") or {}).get("format") or {}
        if format and format.get("type") not in self._forms:
            parameter = "response_format" if "response_format" in request.body else "output_config"
            return Answer(status=400, parameter=parameter)
        refused = sorted(self._refuses & request.body.keys())
        return Answer(status=400, parameter=refused[0]) if refused else None


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False
    script: ScriptedLLM

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Ignored: clients that hang up early are part of tests."""


class _Handler(BaseHTTPRequestHandler):
    server: _Server
    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        length = int(self.headers.get("Content-Length", 0))
        headers = {name.lower(): value for name, value in self.headers.items()}
        request = ReceivedRequest(self.path, headers, json.loads(self.rfile.read(length)))
        answer = self.server.script.next(request)
        if answer.drop:
            self.close_connection = True
        else:
            self._send(answer, self._body(request, answer))

    def _send(self, answer: Answer, body: bytes) -> None:
        self.server.script.wait(answer.delay)
        self.send_response(answer.status)
        for name, value in {"Content-Type": "application/json", "Content-Length": len(body), **answer.headers}.items():
            self.send_header(name, str(value))
        self.end_headers()
        size = -(-len(body) // answer.pieces) or 1
        for start in range(0, len(body), size):
            if start:
                self.server.script.wait(answer.delay)
            self.wfile.write(body[start : start + size])
            self.wfile.flush()

    def _body(self, request: ReceivedRequest, answer: Answer) -> bytes:
        if answer.body is not None:
            return answer.body
        if answer.status != 200:
            message = f"Unsupported parameter: '{answer.parameter}'" if answer.parameter else "scripted failure"
            return json.dumps({"error": {"message": message, "param": answer.parameter}}).encode()
        for end, envelope in ENVELOPES.items():
            if request.path.endswith(end):
                return json.dumps(envelope(request, answer, self.server.script.dims)).encode()
        return b'{"error": {"message": "no such path"}}'

    def log_message(self, format: str, *args: Any) -> None:
        """Ignored: tests do not need a log."""


def _chat(request: ReceivedRequest, answer: Answer, dims: int) -> dict[str, Any]:
    choice = {
        "index": 0,
        "message": {"role": "assistant", "content": answer.text},
        "finish_reason": "length" if answer.cut else "stop",
    }
    body: dict[str, Any] = {"id": "scripted", "object": "chat.completion", "choices": [choice]}
    if answer.usage:
        body["usage"] = dict(zip(("prompt_tokens", "completion_tokens"), answer.usage, strict=True))
    return body


def _messages(request: ReceivedRequest, answer: Answer, dims: int) -> dict[str, Any]:
    body: dict[str, Any] = {
        "id": "scripted",
        "type": "message",
        "role": "assistant",
        "content": [{"type": "text", "text": answer.text}],
        "stop_reason": "max_tokens" if answer.cut else "end_turn",
    }
    if answer.usage:
        body["usage"] = dict(zip(("input_tokens", "output_tokens"), answer.usage, strict=True))
    return body


def _vectors(request: ReceivedRequest, answer: Answer, dims: int) -> dict[str, Any]:
    inputs = request.body.get("input", [])
    texts = [inputs] if isinstance(inputs, str) else inputs
    size = request.body.get("dimensions", dims)
    data = [{"object": "embedding", "index": at, "embedding": vector_of(text, size)} for at, text in enumerate(texts)]
    return {"object": "list", "data": data[::-1]}  # in no helpful order, as the API allows


def vector_of(text: str, dims: int) -> list[float]:
    """The server's vector for ``text``: always the same, and different for every text."""
    stream = hashlib.shake_256(text.encode("utf-8", "replace")).digest(2 * dims)
    return [value / 32_768 for value in struct.unpack(f"<{dims}h", stream)]


ENVELOPES = {"/chat/completions": _chat, "/messages": _messages, "/embeddings": _vectors}
