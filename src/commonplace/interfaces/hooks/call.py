"""One call of a hook: what every event shares, and no more than the lightest of them needs.

A line reaches its file before the book, and the book or the spool before the answer.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cached_property
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from commonplace.clock import SystemClock
from commonplace.errors import KeyringError, Refused, StoreError
from commonplace.interfaces.hooks.payloads import MOST_CHARACTERS, MOST_TOKENS, HookEvent
from commonplace.interfaces.hooks.session_records import SessionRecord, SessionRecords
from commonplace.notebook.pages import Pages, pages
from commonplace.notebook.pausing import why_off
from commonplace.settings import Settings
from commonplace.text.tokens import cut
from commonplace.workplace import DEFAULT, namespace_for, once, project_at

if TYPE_CHECKING:
    from commonplace.memories.scope import Scope
    from commonplace.model import Memory

Opener = Callable[[Settings, str], "Scope"]
"""From settings and the name of a namespace to the book; raises ``StoreError`` or ``KeyringError``."""
Search = Callable[["Scope", str, int], "list[Memory]"]
"""Finds current memories for a prompt, best first."""
EVENTS = {
    "session-start": "session_start:start",
    "prompt": "prompt:prompt",
    "tool": "tools:tool",
    "pre-compact": "session_end:pre_compact",
    "post-compact": "answer:post_compact",
    "stop": "answer:stop",
    "session-end": "session_end:session_end",
}
"""Module and function of each event; it returns the ids of the memories that it showed, or nothing.

A module is imported when its event comes: a hook process lives for one event.
"""


class HookCall:
    """``context`` is for the model, ``notices`` for the person.

    ``find`` searches memories; without it this process searches by words alone.
    """

    def __init__(self, event: HookEvent, settings: Settings, *, book: Opener, find: Search | None = None) -> None:
        self.event, self.settings, self._open, self.find = event, settings, book, find
        self.notices: list[str] = [event.problem] if event.problem else []
        self.context = ""
        self.left_reading = False
        """Whether a message was left that the judge may read."""
        self.lines = 0
        """Lines that this call wrote to files."""
        self.clock = SystemClock()
        project = pages(event.folder, settings, self.clock)
        self.pages: Pages = replace(project, writes=project.asked_for)
        self.records = SessionRecords(settings.home)
        self.record: SessionRecord = self.records.of(event.session, self.root, self.clock.now())

    @property
    def root(self) -> Path:
        """The project's folder."""
        return self.pages.paths.root

    @cached_property
    def namespace(self) -> str:
        place = namespace_for(self.event.folder, self.settings, self._has_namespace)
        notice = once(project_at(self.event.folder, self.settings), place.notice) if place.notice else None
        if notice:
            self.notices.append(notice)
        return place.namespace

    def _has_namespace(self, name: str) -> bool:
        return self._open(self.settings, DEFAULT).has_namespace(name)

    def book(self, *, can_wait: bool = False) -> "Scope | None":
        """The book; None where it is out of reach, with a notice unless what it is for ``can_wait``."""
        try:
            return self._open(self.settings, self.namespace)
        except (StoreError, KeyringError, LookupError) as fault:
            if not can_wait:
                self.degraded(fault)
            return None

    def degraded(self, fault: Exception) -> None:
        """Tell the person that the book is out of reach, without the fault's advice, which is for other interfaces."""
        self.notices.append(f"memory is degraded; new notes wait in the spool: {str(fault).partition(';')[0]}")

    def spool_or_tell(self, operation: str, data: Mapping[str, Any]) -> None:
        """Spool a write for the next process that opens the book; where even that fails, tell what was lost."""
        # hashing and the key, which the lightest events do not need
        from commonplace.notebook.spool import spool_of

        try:
            spool_of(self.settings).put(
                self.clock, owner=self.settings.owner, namespace=self.namespace, what=operation, data=data
            )
        except (StoreError, KeyringError) as fault:
            except_lines = " except the lines in the notebook's files" if self.lines else ""
            reason = str(fault).partition(";")[0]
            self.notices = [f"memory is degraded and nothing of this was kept{except_lines}: {reason}"]

    def record_answer(self, answer: str) -> None:
        """Write what an answer reports, where no job will read it; here one does."""

    def drain(self, scope: "Scope") -> None:
        """Bring the waiting writes into the book."""
        from commonplace.notebook.spool import spool_of, waits

        if not waits(self.settings):  # as nearly always
            return
        from commonplace.notebook.draining import drain

        drained = drain(scope, spool_of(self.settings))
        if drained.kept:
            self.notices.append(f"{drained.kept} waiting writes are in the book now")
        if drained.damaged:
            self.notices.append(f"{drained.damaged} waiting writes could not be opened; see `commonplace doctor`")


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


def bounded(text: str) -> str:
    """A page that no host cuts off."""
    text = cut(text, MOST_TOKENS)
    return text if len(text) <= MOST_CHARACTERS else text[:MOST_CHARACTERS]
