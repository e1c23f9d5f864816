"""The server's end of the socket: answers hooks with full recall, also on books that a hook cannot reach."""

import socket
import threading
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from commonplace.book import Commonplace
from commonplace.errors import CommonplaceError
from commonplace.interfaces.hooks.call import HookCall, Search, run
from commonplace.interfaces.hooks.payloads import answer_json, read_event
from commonplace.interfaces.hooks.socket import Listener, taken
from commonplace.learning.triggers import scan
from commonplace.memories.membership import capturing
from commonplace.memories.scope import Scope
from commonplace.memories.trust import WORDS
from commonplace.model import Memory
from commonplace.notebook.answer_jobs import read_waiting
from commonplace.providers.judge import judge_of
from commonplace.runtime import Parts
from commonplace.settings import Settings


def full_recall(parts: Parts) -> Search:
    """Find with the whole book, not only by words as a hook alone does."""

    def find(scope: Scope, prompt: str, limit: int) -> list[Memory]:
        hits = Commonplace(parts, scope).recall(prompt, limit=limit)
        return [hit.memory for hit in hits if hit.memory.source not in ("tool", "import")]

    return find


def listen(parts: Parts) -> Listener | None:
    """Answer hooks on the socket of the settings until the listener is closed.

    None where that cannot be: the system has no such sockets, the path is too long, or another server is listening.
    """
    if not hasattr(socket, "AF_UNIX") or taken(parts.settings.socket):
        return None

    def book(settings: Settings, namespace: str) -> Scope:
        scope = parts.scope(parts.settings.owner, namespace)
        return capturing(scope.acting_as("hook", source="user", person=True, rank_limit=WORDS))

    find = full_recall(parts)

    def answered(name: str, raw: bytes, variables: Mapping[str, str], folder: Path) -> str:
        event = read_event(name, raw, variables, folder)
        try:
            call = HookCall(event, Settings.load(start=event.folder), book=book, find=find)
            run(call)
        except CommonplaceError as fault:
            return answer_json(event, "", [str(fault)])
        if event.name in ("prompt", "stop"):
            threading.Thread(target=read, args=(call.namespace,), name="reading", daemon=True).start()
        return answer_json(event, call.context, call.notices)

    def read(namespace: str) -> None:
        """Read the messages that wait, with the judge; what fails stays in the queue."""
        with suppress(CommonplaceError):
            owner = capturing(parts.scope(parts.settings.owner, namespace)).owner
            read_waiting(parts.scope(owner, namespace), parts.settings, judge_of(parts.settings), scan)

    try:
        return Listener(parts.settings.socket, answered)
    except OSError:
        return None
