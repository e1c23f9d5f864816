"""Events that leave a line in the log and need no book: tools, the eve of a compaction, the end of a session."""

from dataclasses import replace
from fnmatch import fnmatch
from typing import Any

from commonplace.interfaces.hooks.call import Hook
from commonplace.interfaces.hooks.payloads import Event
from commonplace.notebook.spool import waits
from commonplace.security.fence import strip_private

DONE = 240
"""Characters of a command that its line in the log keeps."""
FAILURES = 50


def tool(hook: Hook) -> None:
    """Failures and what put them right, as lines of the log and as a lesson; only where that is switched on."""
    event, settings = hook.event, hook.settings
    if not settings.hook_tools or any(fnmatch(event.tool, one) for one in settings.ignore_tools):
        return
    what = _subject(event)
    if what is None or any(fnmatch(what, one) for one in settings.ignore_paths):
        return
    mark = f"{event.tool}:{what.split()[0] if what.split() else ''}"
    key = hook.records.of(mark, hook.pages.places.root, hook.clock.now()).key
    text = strip_private(f"{event.tool}: {what}")
    failed = hook.record.failed
    if _failed(event):
        hook.record = replace(hook.record, failed=(*failed, key)[-FAILURES:])
        hook.line("failed", text)
    elif key in failed:
        hook.record = replace(hook.record, failed=tuple(one for one in failed if one != key))
        hook.line("fixed", f"{text} (worked after it had failed)")


def pre_compact(hook: Hook) -> None:
    """Everything noted is on the disk already; what waits for the book is made good while there is time."""
    hook.line("session", f"the host compacted the conversation ({hook.event.reason or 'unknown'})", remember=False)
    scope = hook.book() if waits(hook.settings) else None
    if scope is not None:
        hook.drain(scope)


def session_end(hook: Hook) -> None:
    hook.record = replace(hook.record, ended=True)
    hook.line("session", f"ended ({hook.event.reason or 'unknown'})", remember=False)


def _subject(event: Event) -> str | None:
    """What a tool worked on: a command or a file."""
    for name in ("command", "file_path", "path", "notebook_path"):
        value = event.tool_input.get(name)
        if isinstance(value, str) and value.strip():
            return " ".join(value.split())[:DONE]
    return None


def _failed(event: Event) -> bool:
    response: Any = event.tool_response
    if event.called.lower() == "posttoolusefailure":
        return True
    if isinstance(response, dict):
        code = response.get("exit_code", response.get("exitCode", 0))
        return bool(response.get("is_error") or response.get("error") or response.get("interrupted")) or code not in (
            0,
            None,
        )
    return False
