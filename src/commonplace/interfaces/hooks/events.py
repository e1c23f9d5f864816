"""Which event does what. Each in a module of its own, imported when it is called: a hook lives for one event."""

from collections.abc import Callable

from commonplace.errors import KeyringError, Refused, StoreError
from commonplace.interfaces.hooks.call import Hook, bounded
from commonplace.notebook.pausing import why_off


def run(hook: Hook) -> None:
    """Do what the event asks for. What cannot be done is said in a notice."""
    off = why_off(hook.settings)
    if off:
        hook.notices.append(off)
        return
    shown: tuple[str, ...] = ()
    try:
        shown = EVENTS[hook.event.name](hook) or ()
    except (StoreError, KeyringError, Refused) as fault:
        hook.notices.append(str(fault))
    hook.records.keep(hook.record, shown=shown)
    hook.context = bounded(hook.context)


def _start(hook: Hook) -> tuple[str, ...]:
    from commonplace.interfaces.hooks.starting import start

    return start(hook)


def _prompt(hook: Hook) -> tuple[str, ...]:
    from commonplace.interfaces.hooks.prompting import prompt

    return prompt(hook)


def _stop(hook: Hook) -> None:
    from commonplace.interfaces.hooks.answering import stop

    stop(hook)


def _post_compact(hook: Hook) -> None:
    from commonplace.interfaces.hooks.answering import post_compact

    post_compact(hook)


def _tool(hook: Hook) -> None:
    from commonplace.interfaces.hooks.marking import tool

    tool(hook)


def _pre_compact(hook: Hook) -> None:
    from commonplace.interfaces.hooks.marking import pre_compact

    pre_compact(hook)


def _end(hook: Hook) -> None:
    from commonplace.interfaces.hooks.marking import session_end

    session_end(hook)


EVENTS: dict[str, Callable[[Hook], tuple[str, ...] | None]] = {
    "session-start": _start,
    "prompt": _prompt,
    "tool": _tool,
    "pre-compact": _pre_compact,
    "post-compact": _post_compact,
    "stop": _stop,
    "session-end": _end,
}
