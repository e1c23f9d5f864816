"""A server's end of the socket: hooks answered with the whole of recall, and on books that a hook cannot reach."""

import socket
from collections.abc import Mapping
from pathlib import Path

from commonplace.book import Commonplace
from commonplace.errors import CommonplaceError
from commonplace.interfaces.hooks.call import Hook
from commonplace.interfaces.hooks.events import run
from commonplace.interfaces.hooks.payloads import answer, event
from commonplace.interfaces.hooks.socket import Listener, taken
from commonplace.memories.scope import Scope
from commonplace.model import Memory
from commonplace.opening import Parts
from commonplace.settings import Settings


def listen(parts: Parts) -> Listener | None:
    """Answer hooks on the socket of the settings until the listener is closed.

    None where that cannot be: the system has no such sockets, the path is too long, or another server is listening.
    """
    if not hasattr(socket, "AF_UNIX") or taken(parts.settings.socket):
        return None

    def book(settings: Settings, namespace: str) -> Scope:
        return parts.scope(parts.settings.owner, namespace).acting_as("hook", source="user", person=True)

    def find(scope: Scope, prompt: str, limit: int) -> list[Memory]:
        hits = Commonplace(parts, scope).recall(prompt, limit=limit)
        return [hit.memory for hit in hits if hit.memory.source not in ("tool", "import")]

    def answered(name: str, raw: bytes, variables: Mapping[str, str], folder: Path) -> str:
        called = event(name, raw, variables, folder)
        try:
            hook = Hook(called, Settings.load(start=called.folder), book=book, find=find)
            run(hook)
        except CommonplaceError as fault:
            return answer(called, "", [str(fault)])
        return answer(called, hook.context, hook.notices)

    try:
        return Listener(parts.settings.socket, answered)
    except OSError:
        return None
