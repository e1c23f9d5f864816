"""From a host's payload to its answer: always valid JSON, whatever goes wrong.

Imports little, and late: with memory switched off, or a server to ask, the answer is there before the rest is loaded.
"""

import sys
from collections.abc import Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

from commonplace.errors import SettingsError
from commonplace.interfaces.hooks.payloads import HookEvent, answer_json, read_event
from commonplace.lazy import LazyModule
from commonplace.notebook.pausing import why_off
from commonplace.settings import Settings, host_variables

if TYPE_CHECKING:
    from commonplace.interfaces.hooks import start_reader
    from commonplace.memories.scope import Scope
else:
    start_reader = LazyModule("commonplace.interfaces.hooks.start_reader")


def main() -> int:
    """One call of a hook, from standard input to standard output."""
    name = sys.argv[1] if len(sys.argv) > 1 else ""
    raw = sys.stdin.buffer.read() if not sys.stdin.isatty() else b""
    sys.stdout.write(answered(name, raw, host_variables(), Path.cwd(), ask_server=True) + "\n")
    sys.stdout.flush()
    return 0


def answered(name: str, raw: bytes, variables: Mapping[str, str], path: Path, *, ask_server: bool = False) -> str:
    """The JSON text for the host."""
    event = read_event(name, raw, variables, path)
    context, notices = "", [event.problem] if event.problem else []
    try:
        if event.name:
            settings = Settings.load(start=event.folder)
            off = why_off(settings)
            if off:
                return answer_json(event, "", [*notices, off])
            if event.name == "tool" and not settings.hook_tools:
                return answer_json(event, "", notices)
            answer = _ask_server(event, raw, variables, settings) if ask_server else None
            if answer is not None:
                return answer
            context, notices = _run(event, settings, own_process=ask_server)
        else:
            notices.append("unknown hook event; see `commonplace-hook` in docs/hooks.md")
    except SettingsError as fault:
        notices.append(str(fault))
    except Exception as fault:  # noqa: BLE001  # the last catch of this interface: a hook must never stop its host
        notices.append(f"memory failed: {type(fault).__name__}; run `commonplace doctor`")
    return answer_json(event, context, notices)


def _ask_server(event: HookEvent, raw: bytes, variables: Mapping[str, str], settings: Settings) -> str | None:
    if not settings.socket.exists():
        return None
    import json

    from commonplace.interfaces.hooks.socket import ask

    try:
        payload = json.loads(raw)
    except ValueError:
        return None
    question = {"event": event.name, "payload": payload, "variables": dict(variables), "folder": str(event.folder)}
    return ask(settings.socket, question, timeout=settings.hook_timeout)


def _run(event: HookEvent, settings: Settings, *, own_process: bool) -> tuple[str, list[str]]:
    if settings.book_url.startswith(("http://", "https://")):
        # an HTTP client, which only a book on a server needs
        from commonplace.interfaces.hooks.remote_book import run

        return run(event, settings)
    # most of what an event needs
    from commonplace.interfaces.hooks.call import HookCall
    from commonplace.interfaces.hooks.call import run as run_event

    with ExitStack() as closing:

        def book(settings: Settings, namespace: str) -> "Scope":
            # the store and the cipher, which some events do without
            from commonplace.light.book import open_scope

            scope = open_scope(settings, namespace)
            closing.callback(scope.store.close)
            return scope

        call = HookCall(event, settings, book=book)
        run_event(call)
    if own_process and call.left_reading:
        start_reader.start_reader(settings, event.folder)
    return call.context, call.notices


__all__ = ["answered", "main"]
