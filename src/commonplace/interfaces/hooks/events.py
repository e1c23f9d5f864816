"""Which event runs which function. Each module is imported when its event comes: a hook process lives for one event."""

from importlib import import_module

from commonplace.errors import KeyringError, Refused, StoreError
from commonplace.interfaces.hooks.call import HookCall, bounded
from commonplace.notebook.pausing import why_off

EVENTS = {
    "session-start": "session_start:start",
    "prompt": "prompt:prompt",
    "tool": "tools:tool",
    "pre-compact": "session_end:pre_compact",
    "post-compact": "answer:post_compact",
    "stop": "answer:stop",
    "session-end": "session_end:session_end",
}
"""Module and function of each; the function returns the ids of the memories that it showed, or nothing."""


def run(call: HookCall) -> None:
    """Do what the event asks for. What cannot be done is told in a notice."""
    off = why_off(call.settings)
    if off:
        call.notices.append(off)
        return
    shown: tuple[str, ...] = ()
    module, _, function = EVENTS[call.event.name].partition(":")
    try:
        act = getattr(import_module(f"commonplace.interfaces.hooks.{module}"), function)
        shown = act(call) or ()
    except (StoreError, KeyringError, Refused) as fault:
        call.notices.append(str(fault))
    call.records.keep(call.record, shown=shown)
    call.context = bounded(call.context)
