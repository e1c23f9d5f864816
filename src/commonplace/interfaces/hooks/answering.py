"""What was said, kept as episodes: the agent's answers, and the summary that a compaction leaves."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from commonplace.errors import KeyringError, StoreError
from commonplace.interfaces.hooks.call import Hook
from commonplace.memories.gateway import Gateway
from commonplace.memories.scope import Scope
from commonplace.model import Message, Role
from commonplace.notebook.draining import learn_later
from commonplace.security.fence import strip_injected, strip_private
from commonplace.text.sentences import sentences

DONE = 240
"""Characters of an answer that its line in the log keeps."""


def stop(hook: Hook) -> None:
    """The answer is kept, and its first sentence goes into the log."""
    said = plain(hook.event.reply)
    if said:
        _keep(hook, said, "assistant")
        hook.line("done", _first(said), remember=False)


def post_compact(hook: Hook) -> None:
    """The host's summary is kept as an episode; what the context held before is no longer in it."""
    hook.record = replace(hook.record, seen=())
    said = plain(hook.event.summary)
    if said:
        _keep(hook, said, "assistant", {"compaction": hook.event.reason or "unknown"})


def plain(text: str) -> str:
    """A message without what we injected and without what is private."""
    return strip_private(strip_injected(text)).strip()


def observe(hook: Hook, scope: Scope, said: str, role: Role, metadata: Mapping[str, Any] | None = None) -> str | None:
    """Keep a message as an episode and leave learning from it to a job; its id, if it was let in."""
    message = Message(said, role=role, at=hook.clock.now(), metadata=metadata)
    kept = Gateway(scope).observe([message], session=hook.event.session, then=learn_later(scope)).kept
    return kept[0].id if kept else None


def aside(hook: Hook, said: str, role: Role, metadata: Mapping[str, Any] | None = None) -> None:
    """The same without the book: it waits in the spool."""
    message = {"text": said, "role": role, "at": hook.clock.now().isoformat(), "metadata": dict(metadata or {})}
    hook.kept_aside("observe", {"messages": [message], "session": hook.event.session})


def _keep(hook: Hook, said: str, role: Role, metadata: Mapping[str, Any] | None = None) -> None:
    scope = hook.book()
    if scope is not None:
        try:
            observe(hook, scope, said, role, metadata)
        except (StoreError, KeyringError) as fault:
            hook.degraded(fault)
        else:
            return
    aside(hook, said, role, metadata)


def _first(said: str) -> str:
    """The first sentence of an answer, for the log."""
    spans = sentences(said)
    first = spans[0].text if spans else said
    return first if len(first) <= DONE else first[:DONE].rsplit(" ", 1)[0] + " …"
