"""From what a host sends to what it is told: always valid JSON, whatever goes wrong.

Imports the standard library, apsw and the cipher, and those late: with the switch off, or a server to ask, the answer
is there before the house is loaded.
"""

import sys
from collections.abc import Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

from commonplace.errors import SettingsError
from commonplace.interfaces.hooks.payloads import Event, answer, event
from commonplace.notebook.pausing import why_off
from commonplace.settings import Settings, host_variables

if TYPE_CHECKING:
    from commonplace.memories.scope import Scope


def main() -> int:
    """One call of a hook, from standard input to standard output."""
    name = sys.argv[1] if len(sys.argv) > 1 else ""
    raw = sys.stdin.buffer.read() if not sys.stdin.isatty() else b""
    told = answered(name, raw, host_variables(), Path.cwd(), ask_server=True)
    sys.stdout.write(told + "\n")
    sys.stdout.flush()
    return 0


def answered(name: str, raw: bytes, variables: Mapping[str, str], here: Path, *, ask_server: bool = False) -> str:
    """The text for the host: always valid JSON of its kind."""
    called = event(name, raw, variables, here)
    context, notices = "", [called.word] if called.word else []
    try:
        if called.name:
            settings = Settings.load(start=called.folder)
            off = why_off(settings)
            if off:
                return answer(called, "", [*notices, off])
            if called.name == "tool" and not settings.hook_tools:
                return answer(called, "", notices)
            told = _of_server(called, raw, variables, settings) if ask_server else None
            if told is not None:
                return told
            context, notices = _run(called, settings)
        else:
            notices.append("the hook was called without an event that it knows")
    except SettingsError as fault:
        notices.append(str(fault))
    except Exception as fault:  # noqa: BLE001  # the last catch of this door: a hook must never stop its host
        notices.append(f"memory failed: {type(fault).__name__}; `commonplace doctor` says more")
    return answer(called, context, notices)


def _of_server(called: Event, raw: bytes, variables: Mapping[str, str], settings: Settings) -> str | None:
    if not settings.socket.exists():
        return None
    import json

    from commonplace.interfaces.hooks.socket import ask

    try:
        payload = json.loads(raw)
    except ValueError:
        return None
    question = {
        "event": called.name,
        "payload": payload,
        "variables": dict(variables),
        "folder": str(called.folder),
    }
    return ask(settings.socket, question, timeout=settings.hook_timeout)


def _run(called: Event, settings: Settings) -> tuple[str, list[str]]:
    if settings.book_url.startswith(("http://", "https://")):
        # an HTTP client, which only a book elsewhere needs
        from commonplace.interfaces.hooks.faraway import run

        return run(called, settings)
    # most of what an event needs
    from commonplace.interfaces.hooks.call import Hook
    from commonplace.interfaces.hooks.events import run as run_event

    with ExitStack() as closing:

        def book(settings: Settings, namespace: str) -> "Scope":
            # the store and the cipher, which a line in the log does without
            from commonplace.interfaces.hooks.opening import open_scope

            scope = open_scope(settings, namespace)
            closing.callback(scope.store.close)
            return scope

        hook = Hook(called, settings, book=book)
        run_event(hook)
    return hook.context, hook.notices


__all__ = ["answered", "main"]
