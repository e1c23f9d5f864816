"""One call of a hook: what every event shares, and no more than the lightest of them needs.

Words reach a file before the book, and the book or the spool before the answer.
"""

from collections.abc import Callable, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any

from commonplace.clock import SystemClock
from commonplace.errors import KeyringError, StoreError
from commonplace.interfaces.hooks.payloads import MOST_CHARACTERS, MOST_TOKENS, Event
from commonplace.interfaces.hooks.sessions import Record, Records
from commonplace.memories import admission
from commonplace.notebook.lines import FILE, KIND, KINDS, LINE
from commonplace.notebook.pages import Pages, pages
from commonplace.settings import Settings
from commonplace.text.tokens import cut
from commonplace.workplace import namespace_for

if TYPE_CHECKING:
    from commonplace.memories.scope import Scope
    from commonplace.model import Memory

Opener = Callable[[Settings, str], "Scope"]
"""From settings and the name of a namespace to the book; raises ``StoreError`` or ``KeyringError``."""
Search = Callable[["Scope", str, int], "list[Memory]"]
"""Finds current memories for a prompt, best first."""


class Hook:
    """One call. ``context`` is for the model, ``notices`` for the person.

    ``find`` is how memories are looked for; without it by words alone, as this process can.
    """

    def __init__(self, event: Event, settings: Settings, *, book: Opener, find: Search | None = None) -> None:
        self.event, self.settings, self._open, self.find = event, settings, book, find
        self.notices: list[str] = [event.word] if event.word else []
        self.context = ""
        self.lines = 0
        """Lines that this call wrote to files."""
        self.clock = SystemClock()
        self.pages: Pages = pages(event.folder, settings, self.clock)
        self.records = Records(settings.home)
        self.record: Record = self.records.of(event.session, self.pages.places.root, self.clock.now())

    @cached_property
    def namespace(self) -> str:
        return namespace_for(self.event.folder, self.settings)[0]

    def book(self) -> "Scope | None":
        """The book, or a notice that it is out of reach."""
        try:
            return self._open(self.settings, self.namespace)
        except (StoreError, KeyringError, LookupError) as fault:
            self.degraded(fault)
            return None

    def degraded(self, fault: Exception) -> None:
        """Say that the book is out of reach; what a fault advises to those who wait for it helps nobody here."""
        self.notices.append(f"memory is degraded, new notes are kept aside: {str(fault).partition(';')[0]}")

    def kept_aside(self, what: str, data: Mapping[str, Any]) -> None:
        """Spool a write that could not reach the book; where even that fails, the person is told what was lost."""
        try:
            self.spool(what, data)
        except (StoreError, KeyringError) as fault:
            kept = " beyond the lines in the notebook's files" if self.lines else ""
            self.notices = [f"memory is degraded and nothing of this was kept{kept}: {str(fault).partition(';')[0]}"]

    def line(self, kind: str, text: str, *, remember: bool = True) -> None:
        """A line in the log of the day; as a memory too where it is worth finding again."""
        said = admission.clean(text, max_text=self.settings.max_text).text
        written = self.pages.log(kind, said)
        self.lines += 1
        if not remember:
            return
        data = {"text": said, "category": KINDS[kind], "metadata": {FILE: written.file, LINE: written.line, KIND: kind}}
        self.spool("remember", {**data, "source": "tool", "person": False})

    def spool(self, what: str, data: Mapping[str, Any]) -> None:
        """Keep a write for whoever opens the book next."""
        # hashing and the key, which the lightest events do not need
        from commonplace.notebook.spool import spool_of

        spool_of(self.settings).put(
            self.clock, owner=self.settings.owner, namespace=self.namespace, what=what, data=data
        )

    def drain(self, scope: "Scope") -> None:
        """Make good what waits for the book."""
        # seldom does anything wait
        from commonplace.notebook.draining import drain
        from commonplace.notebook.spool import spool_of

        made = drain(scope, spool_of(self.settings))
        if made.kept:
            self.notices.append(f"{made.kept} writes that had waited are in the book now")
        if made.damaged:
            self.notices.append(f"{made.damaged} waiting writes could not be opened; see `commonplace doctor`")


def bounded(text: str) -> str:
    """A page that no host cuts: its own bounds hold already, this is the last word."""
    text = cut(text, MOST_TOKENS)
    return text if len(text) <= MOST_CHARACTERS else text[:MOST_CHARACTERS]
