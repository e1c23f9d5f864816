"""Hooks of a book on a server: what is said waits in the spool and is sent with a key of its own, so that it arrives
once; what a model is shown is found there. The notebook's files stay here. Nothing but the standard library is needed.
"""

import json
from collections.abc import Mapping
from contextlib import closing
from datetime import datetime
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from typing import Any
from urllib.parse import quote, urlsplit

from commonplace.context.render import Section, hit_line, page
from commonplace.errors import KeyringError, StoreError
from commonplace.interfaces.hooks.answer import plain
from commonplace.interfaces.hooks.call import HookCall, bounded
from commonplace.interfaces.hooks.call import run as run_event
from commonplace.interfaces.hooks.payloads import HookEvent
from commonplace.interfaces.hooks.prompt import RECALL_LIMIT, RECALL_TOKENS
from commonplace.interfaces.hooks.session_start import PROFILE_TOKENS
from commonplace.memories.scope import Scope
from commonplace.model import Memory, Turn, time_fields
from commonplace.notebook.pages import zone_of
from commonplace.notebook.session_log import FileWriter, SessionLog
from commonplace.notebook.spool import spool_of
from commonplace.settings import Settings
from commonplace.trust import same_name
from commonplace.workplace import DEFAULT

PATIENCE = 1.0
"""Seconds for each answer: some hosts give all hooks together a second and a half."""
LOOPBACK = ("127.0.0.1", "localhost", "::1")


def run(event: HookEvent, settings: Settings) -> tuple[str, list[str]]:
    """What the model is shown and what the person is told."""

    def not_here(settings: Settings, namespace: str) -> Scope:
        raise StoreError("the book is on a server")

    call = RemoteHookCall(event, settings, book=not_here)
    run_event(call)
    shown: tuple[str, ...] = ()
    try:
        with closing(BookServer(settings, call.namespace)) as server:
            call.send(server)
            shown = call.ask(server)
    except (StoreError, KeyringError) as fault:
        call.notices.append(f"memory is degraded; new notes wait in the spool: {fault}")
    if shown:
        call.records.keep(call.record, shown=shown)
    return bounded(call.context), call.notices


class BookServer:
    """A few requests to the book's server, within the time that a hook has."""

    def __init__(self, settings: Settings, namespace: str) -> None:
        """Raises ``StoreError`` without a token, or where it would be seen on its way."""
        address = urlsplit(settings.book_url)
        secure = address.scheme == "https"
        if not settings.token or not (secure or address.hostname in LOOPBACK):
            raise StoreError("a book on a server needs a token (COMMONPLACE_TOKEN), and https to another machine")
        kind = HTTPSConnection if secure else HTTPConnection
        self._line = kind(address.hostname or "", address.port, timeout=max(settings.hook_timeout, PATIENCE))
        self._base, self._namespace = address.path.rstrip("/"), namespace
        self._headers = {"Authorization": f"Bearer {settings.token}", "Content-Type": "application/json"}

    def close(self) -> None:
        self._line.close()

    def post(self, path: str, body: Any, *, refused: tuple[int, ...] = (), **headers: str) -> Any:
        """The answer, also to what is ``refused`` with one of these. Raises ``StoreError`` if there is none."""
        extra = {name.replace("_", "-"): value for name, value in headers.items()}
        namespace = extra.pop("namespace", self._namespace)
        address = f"{path}?namespace={quote(namespace, safe='')}"
        return self._request("POST", address, json.dumps(body).encode(), (200, 201, *refused), extra)

    def namespaces(self) -> list[str]:
        """Raises ``StoreError`` if they cannot be read."""
        return [namespace["name"] for namespace in self._request("GET", "/v1/namespaces", None, (200,), {})["items"]]

    def _request(self, method: str, path: str, body: bytes | None, good: tuple[int, ...], more: dict[str, str]) -> Any:
        try:
            self._line.request(method, self._base + path, body, {**self._headers, **more})
            answer = self._line.getresponse()
            value = json.loads(answer.read() or b"null")
        except (OSError, HTTPException, ValueError) as fault:
            raise StoreError("the book's server cannot be reached") from fault
        if answer.status not in good:
            raise StoreError(f"the book's server answered {answer.status}")
        return value


class RemoteHookCall(HookCall):
    """The same events. That the book is not on this machine is no fault."""

    def record_answer(self, answer: str) -> None:
        """No job on the server can write the files of this machine, so the answer is read at once, by the rules."""
        if not self.pages.writes:
            return
        log = SessionLog(FileWriter(self.pages, self.settings.max_text), language=self.settings.language)
        log.record(answer, at=self.clock.now(), edited=self.record.edited)

    def _has_namespace(self, name: str) -> bool:
        with closing(BookServer(self.settings, DEFAULT)) as server:
            return any(same_name(name, existing) for existing in server.namespaces())

    def degraded(self, fault: Exception) -> None:
        """Told when the server is asked."""

    def send(self, server: BookServer) -> None:
        """Send spooled writes, oldest first; what the server refuses would have been refused here too."""
        spool = spool_of(self.settings)
        for path in spool.waiting():
            try:
                waiting = spool.opened(path)
            except FileNotFoundError:
                continue
            if waiting["owner"] != self.settings.owner:
                continue
            data = {name: value for name, value in waiting["data"].items() if name not in ("folder", "edited")}
            source = {"X_Source": data.pop("source", "user")} if not data.pop("person", True) else {}
            route = "/v1/episodes" if waiting["what"] == "observe" else "/v1/memories"
            headers = {"Idempotency_Key": path.name, "namespace": waiting["namespace"], **source}
            body = {name: item for name, item in data.items() if item is not None}
            server.post(route, body, refused=(400, 413, 422), **headers)
            path.unlink(missing_ok=True)

    def ask(self, server: BookServer) -> tuple[str, ...]:
        """Add what the server knows: the profile at the start, what is found for a prompt; the ids of it."""
        prompt = plain(self.event.prompt) if self.event.name == "prompt" else ""
        if prompt:
            return self._recall(server, prompt)
        if self.event.name != "session-start":
            return ()
        answer = server.post("/v1/context", {"tokens": PROFILE_TOKENS})
        self.context = "\n\n".join(item for item in (answer["text"], self.context) if item)
        return tuple(answer["memories"])

    def _recall(self, server: BookServer, prompt: str) -> tuple[str, ...]:
        answer = server.post("/v1/recall", {"query": prompt, "limit": 4 * RECALL_LIMIT})
        hits = [_memory(item["memory"]) for item in answer["items"] if not item["overturned"]]
        session = self.event.session
        memories = [
            memory
            for memory in hits
            if memory.id not in self.record.seen
            and memory.text != prompt
            and memory.source not in ("tool", "import")
            and not (memory.turn and memory.turn.session == session)
        ][:RECALL_LIMIT]
        zone = zone_of(self.settings) or self.clock.now().astimezone().tzinfo
        assert zone is not None
        lines = tuple((hit_line(item, zone), item.id) for item in memories)
        rendered = page([Section("Recalled for this turn", lines)], tokens=RECALL_TOKENS) if lines else None
        self.context = rendered.text if rendered else ""
        return rendered.ids if rendered else ()


def _memory(plain: Mapping[str, Any]) -> Memory:
    fields = {**plain, **{name: _time(plain[name]) for name in time_fields(Memory)}}
    if turn := fields["turn"]:
        fields["turn"] = Turn(**{**turn, "said_at": _time(turn["said_at"])})
    fields["tags"] = tuple(fields["tags"])
    return Memory(**fields)


def _time(text: str | None) -> datetime | None:
    return None if text is None else datetime.fromisoformat(text)
