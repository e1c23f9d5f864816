"""Which event does what. Each in a module of its own, imported when it is called: a hook lives for one event."""

from importlib import import_module

from commonplace.errors import KeyringError, Refused, StoreError
from commonplace.interfaces.hooks.call import Hook, bounded
from commonplace.notebook.pausing import why_off

EVENTS = {
    "session-start": "starting:start",
    "prompt": "prompting:prompt",
    "tool": "marking:tool",
    "pre-compact": "marking:pre_compact",
    "post-compact": "answering:post_compact",
    "stop": "answering:stop",
    "session-end": "marking:session_end",
}
"""The module and the function of each; it returns the ids that it showed, or nothing."""


def run(hook: Hook) -> None:
    """Do what the event asks for. What cannot be done is said in a notice."""
    off = why_off(hook.settings)
    if off:
        hook.notices.append(off)
        return
    shown: tuple[str, ...] = ()
    module, _, function = EVENTS[hook.event.name].partition(":")
    try:
        act = getattr(import_module(f"commonplace.interfaces.hooks.{module}"), function)
        shown = act(hook) or ()
    except (StoreError, KeyringError, Refused) as fault:
        hook.notices.append(str(fault))
    hook.records.keep(hook.record, shown=shown)
    hook.context = bounded(hook.context)
