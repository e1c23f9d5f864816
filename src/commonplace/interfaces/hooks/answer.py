"""Answers of the agent and summaries of a compaction: kept as episodes, read later for the notebook."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from commonplace.errors import KeyringError, StoreError
from commonplace.interfaces.hooks.call import HookCall
from commonplace.memories.codec import StoredMemory
from commonplace.memories.gateway import Gateway
from commonplace.memories.scope import Scope
from commonplace.memories.unit_of_work import Work
from commonplace.model import Message, Role
from commonplace.notebook.draining import learn_later, read_later
from commonplace.security.fence import strip_injected, strip_private


def stop(call: HookCall) -> None:
    """Keep the answer; a job reads it for the notebook."""
    answer = plain(call.event.reply)
    if answer:
        _keep(call, answer)
        call.record_answer(answer)
    call.record = replace(call.record, edited=())


def post_compact(call: HookCall) -> None:
    """Keep the host's summary as an episode. The context no longer holds what it held before."""
    call.record = replace(call.record, seen=())
    summary = plain(call.event.summary)
    if summary:
        _keep(call, summary, {"compaction": call.event.reason or "unknown"})


def plain(text: str) -> str:
    """A message without what we injected and without what is private."""
    return strip_private(strip_injected(text)).strip()


def observe(
    call: HookCall, scope: Scope, text: str, role: Role, metadata: Mapping[str, Any] | None = None
) -> str | None:
    """Keep a message as an episode and leave learning from it, or reading it, to a job; its id, if it was let in."""
    message = Message(text, role=role, at=call.clock.now(), metadata=metadata)
    learn, read = learn_later(scope), read_later(scope, call.root, call.record.edited)

    def later(work: Work, memories: Sequence[StoredMemory]) -> None:
        learn(work, memories)
        if not metadata and call.pages.writes:
            read(work, memories)
            call.left_reading = True

    memories = Gateway(scope).observe([message], session=call.event.session, then=later).kept
    return memories[0].id if memories else None


def spool_message(call: HookCall, text: str, role: Role, metadata: Mapping[str, Any] | None = None) -> None:
    """The same without the book: the message waits in the spool."""
    message = {"text": text, "role": role, "at": call.clock.now().isoformat(), "metadata": dict(metadata or {})}
    data: dict[str, Any] = {"messages": [message], "session": call.event.session}
    if not metadata and call.pages.writes:
        data |= {"folder": str(call.root), "edited": list(call.record.edited)}
    call.spool_or_tell("observe", data)


def _keep(call: HookCall, text: str, metadata: Mapping[str, Any] | None = None) -> None:
    scope = call.book()
    if scope is not None:
        try:
            observe(call, scope, text, "assistant", metadata)
        except (StoreError, KeyringError) as fault:
            call.degraded(fault)
        else:
            return
    spool_message(call, text, "assistant", metadata)
