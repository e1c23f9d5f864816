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
from commonplace.interfaces.hooks.answering import plain
from commonplace.interfaces.hooks.call import Hook, bounded
from commonplace.interfaces.hooks.events import run as run_event
from commonplace.interfaces.hooks.payloads import Event
from commonplace.interfaces.hooks.prompting import RECALL_LIMIT, RECALL_TOKENS
from commonplace.interfaces.hooks.starting import PROFILE_TOKENS
from commonplace.memories.scope import Scope
from commonplace.model import Memory, Turn
from commonplace.notebook.pages import zone_of
from commonplace.notebook.spool import spool_of
from commonplace.settings import Settings

PATIENCE = 1.0
"""Seconds for each answer: some hosts give all hooks together a second and a half."""
LOOPBACK = ("127.0.0.1", "localhost", "::1")
TIMES = ("recorded_at", "valid_from", "valid_to", "retired_at", "last_confirmed_at", "last_used_at", "expires_at")


def run(called: Event, settings: Settings) -> tuple[str, list[str]]:
    """What the model is shown and what the person is told."""
    hook = FarHook(called, settings, book=_not_here)
    run_event(hook)
    shown: tuple[str, ...] = ()
    try:
        with closing(Server(settings, hook.namespace)) as server:
            hook.send(server)
            shown = hook.ask(server)
    except (StoreError, KeyringError) as fault:
        hook.degraded(fault)
        hook.notices += hook.problems[-1:]
    if shown:
        hook.records.keep(hook.record, shown=shown)
    return bounded(hook.context), hook.notices


def _not_here(settings: Settings, namespace: str) -> Scope:
    raise StoreError("the book is on a server")


class Server:
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

    def post(self, path: str, body: Any, **headers: str) -> tuple[int, Any]:
        """Raises ``StoreError`` if nobody answers."""
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        namespace = named.pop("namespace", self._namespace)
        try:
            self._line.request(
                "POST",
                f"{self._base}{path}?namespace={quote(namespace, safe='')}",
                json.dumps(body).encode(),
                {**self._headers, **named},
            )
            answer = self._line.getresponse()
            return answer.status, json.loads(answer.read() or b"null")
        except (OSError, HTTPException, ValueError) as fault:
            raise StoreError("the book's server cannot be reached") from fault


class FarHook(Hook):
    """The same events; the book that they do not find here is no fault."""

    @property
    def problems(self) -> list[str]:
        found: list[str] = self.__dict__.setdefault("_problems", [])
        return found

    def degraded(self, fault: Exception) -> None:
        self.problems.append(f"memory is degraded, new notes are kept aside: {fault}")

    def send(self, server: Server) -> None:
        """Make good what waits, oldest first; what the server refuses would not have been let in here either."""
        spool = spool_of(self.settings)
        for path in spool.waiting():
            try:
                waiting = spool.opened(path)
            except FileNotFoundError:
                continue
            if waiting["owner"] != self.settings.owner:
                continue
            data = dict(waiting["data"])
            source = {"X_Source": data.pop("source", "user")} if not data.pop("person", True) else {}
            route = "/v1/episodes" if waiting["what"] == "observe" else "/v1/memories"
            named = {"Idempotency_Key": path.name, "namespace": waiting["namespace"], **source}
            status, _ = server.post(route, {name: one for name, one in data.items() if one is not None}, **named)
            if status not in (200, 201, 400, 413, 422):
                raise StoreError(f"the book's server answered {status}")
            path.unlink(missing_ok=True)

    def ask(self, server: Server) -> tuple[str, ...]:
        """Add what the server knows: the profile at the start, what is found for a prompt; the ids of it."""
        said = plain(self.event.prompt) if self.event.name == "prompt" else ""
        if said:
            return self._recall(server, said)
        if self.event.name != "session-start":
            return ()
        status, found = server.post("/v1/context", {"tokens": PROFILE_TOKENS})
        if status != 200:
            raise StoreError(f"the book's server answered {status}")
        self.context = "\n\n".join(one for one in (found["text"], self.context) if one)
        return tuple(found["memories"])

    def _recall(self, server: Server, said: str) -> tuple[str, ...]:
        status, found = server.post("/v1/recall", {"query": said, "limit": 4 * RECALL_LIMIT})
        if status != 200:
            raise StoreError(f"the book's server answered {status}")
        hits = [_memory(one["memory"]) for one in found["items"] if not one["overturned"]]
        wanted = [one for one in hits if self._wanted(one, said)][:RECALL_LIMIT]
        zone = zone_of(self.settings) or self.clock.now().astimezone().tzinfo
        assert zone is not None
        lines = tuple((hit_line(one, zone), one.id) for one in wanted)
        made = page([Section("Recalled for this turn", lines)], tokens=RECALL_TOKENS) if lines else None
        self.context = made.text if made else ""
        return made.ids if made else ()

    def _wanted(self, memory: Memory, said: str) -> bool:
        here = memory.turn is not None and memory.turn.session == self.event.session
        told = memory.id in self.record.seen or memory.text == said
        return not here and not told and memory.source not in ("tool", "import")


def _memory(plain: Mapping[str, Any]) -> Memory:
    given: dict[str, Any] = {name: _time(one) if name in TIMES else one for name, one in plain.items()}
    if turn := given["turn"]:
        given["turn"] = Turn(**{**turn, "said_at": _time(turn["said_at"])})
    given["tags"] = tuple(given["tags"])
    return Memory(**given)


def _time(text: str | None) -> datetime | None:
    return None if text is None else datetime.fromisoformat(text)
