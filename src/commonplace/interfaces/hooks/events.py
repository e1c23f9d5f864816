"""What each event of a host does. Words reach a file before the book, and the book or the spool before the answer."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from fnmatch import fnmatch
from typing import TYPE_CHECKING, Any

from commonplace.clock import SystemClock
from commonplace.context.render import Page
from commonplace.errors import KeyringError, Refused, StoreError
from commonplace.interfaces.hooks.opening import open_scope
from commonplace.interfaces.hooks.payloads import MOST_CHARACTERS, MOST_TOKENS, Event
from commonplace.interfaces.hooks.recall import Search, recalled, search
from commonplace.interfaces.hooks.sessions import Records
from commonplace.memories import admission
from commonplace.memories.gateway import Gateway
from commonplace.memories.scope import Scope
from commonplace.model import Message, Role
from commonplace.notebook import spool
from commonplace.notebook.lines import FILE, KIND, KINDS, LINE
from commonplace.notebook.notes import NOTED, Notes
from commonplace.notebook.pages import Pages, pages
from commonplace.notebook.pausing import why_off
from commonplace.security.fence import strip_injected, strip_private
from commonplace.settings import Settings
from commonplace.text.sentences import sentences
from commonplace.text.tokens import count, cut
from commonplace.workplace import namespace_for

if TYPE_CHECKING:
    from commonplace.extraction.triggers import Trigger

PROFILE_TOKENS, RECALL_TOKENS, RECALL_LIMIT = 600, 800, 6
SPARE = 40
"""Tokens left for the joints between two pages."""
DONE = 240
"""Characters of an answer that its line in the log keeps."""
HEAD = 20_000


Opener = Callable[[Settings, str], Scope]
"""From settings and the name of a namespace to the book; raises ``StoreError`` or ``KeyringError``."""


class Hook:
    """One call. ``context`` is for the model, ``notices`` for the person."""

    def __init__(self, event: Event, settings: Settings, *, book: Opener = open_scope, find: Search = search) -> None:
        self.event, self.settings, self._open, self._find = event, settings, book, find
        self.notices: list[str] = [event.word] if event.word else []
        self.context = ""
        self._clock = SystemClock()
        self._namespace = namespace_for(event.folder, settings)[0]
        self._pages: Pages = pages(event.folder, settings, self._clock)
        self._records = Records(settings.home)
        self._record = self._records.of(event.session, self._pages.places.root, self._clock.now())

    def run(self) -> None:
        """Do what the event asks for. What cannot be done is said in a notice."""
        off = why_off(self.settings)
        if off:
            self.notices.append(off)
            return
        shown: tuple[str, ...] = ()
        try:
            shown = EVENTS[self.event.name](self) or ()
        except (StoreError, KeyringError, Refused) as fault:
            self.notices.append(str(fault))
        self._records.keep(self._record, shown=shown)
        self.context = bounded(self.context)

    # Events

    def session_start(self) -> tuple[str, ...]:
        compacted = self.event.source == "compact"
        if compacted or self.event.source in ("clear", "startup"):
            self._record = replace(self._record, seen=())
        scope = self._book()
        if scope is None:
            self._page_of_files()
            return ()
        self._drain(scope)
        profile = self._profile(scope)
        # what only the start of a session pays for
        from commonplace.notebook.notebook import Notebook

        notebook = Notebook(scope, self.event.folder, self.settings)
        room = MOST_TOKENS - count(profile.text) - SPARE
        if compacted:
            made = notebook.recover(tokens=room, context=self._beginning())
        else:
            made = notebook.start(tokens=room, opening=self._unclosed())
        self.notices += made.problems
        self.context = "\n\n".join(one for one in (profile.text, made.text) if one)
        return profile.ids

    def prompt(self) -> tuple[str, ...]:
        said = strip_private(strip_injected(self.event.prompt)).strip()
        if not said:
            return ()
        scope = self._book()
        if scope is None:
            self._aside(said)
            return ()
        try:
            Notes(scope, self.event.folder, self.settings, scan=_scan).catch(
                said, session=self.event.session, observe=lambda: self._observe(scope, said, "user")
            )
            found = recalled(
                scope,
                self.settings,
                said,
                tokens=RECALL_TOKENS,
                limit=RECALL_LIMIT,
                skip=self._record.seen,
                session=self.event.session,
                find=self._find,
            )
        except (StoreError, KeyringError) as fault:
            self._degraded(fault)
            self._aside(said)
            return ()
        self.context = found.text
        return found.ids

    def tool(self) -> None:
        """Failures and what put them right, as lines of the log and as a lesson; only where that is switched on."""
        event, settings = self.event, self.settings
        if not settings.hook_tools or any(fnmatch(event.tool, one) for one in settings.ignore_tools):
            return
        what = _subject(event)
        if what is None or any(fnmatch(what, one) for one in settings.ignore_paths):
            return
        mark = f"{event.tool}:{what.split()[0] if what.split() else ''}"
        key = self._clock_free_hash(mark)
        text = strip_private(f"{event.tool}: {what}")
        if _failed(event):
            self._record = replace(self._record, failed=(*self._record.failed, key)[-50:])
            self._line("failed", text)
        elif key in self._record.failed:
            self._record = replace(self._record, failed=tuple(one for one in self._record.failed if one != key))
            self._line("fixed", f"{text} (worked after it had failed)")

    def pre_compact(self) -> None:
        """Everything noted is on the disk already; what waits for the book is made good while there is time."""
        self._line("session", f"the host compacted the conversation ({self.event.reason or 'unknown'})", remember=False)
        scope = self._book()
        if scope is not None:
            self._drain(scope)

    def post_compact(self) -> None:
        """The host's summary is kept as an episode; what the context held before is no longer in it."""
        self._record = replace(self._record, seen=())
        said = strip_private(strip_injected(self.event.summary)).strip()
        if said:
            self._said(said, "assistant", {"compaction": self.event.reason or "unknown"})

    def stop(self) -> None:
        said = strip_private(strip_injected(self.event.reply)).strip()
        if said:
            self._said(said, "assistant")
            self._line("done", _first(said), remember=False)

    def session_end(self) -> None:
        self._record = replace(self._record, ended=True)
        self._line("session", f"ended ({self.event.reason or 'unknown'})", remember=False)

    # The book, or what stands in for it

    def _book(self) -> Scope | None:
        try:
            return self._open(self.settings, self._namespace)
        except (StoreError, KeyringError, LookupError) as fault:
            self._degraded(fault)
            return None

    def _observe(self, scope: Scope, said: str, role: Role, metadata: Mapping[str, Any] | None = None) -> str | None:
        message = Message(said, role=role, at=self._clock.now(), metadata=metadata)
        kept = Gateway(scope).observe([message], session=self.event.session, then=spool.learn_later(scope)).kept
        return kept[0].id if kept else None

    def _said(self, said: str, role: Role, metadata: Mapping[str, Any] | None = None) -> None:
        """Keep something as an episode, or spool it."""

        def keep(scope: Scope) -> None:
            self._observe(scope, said, role, metadata)

        if not self._with_book(keep):
            self._spool("observe", self._spoken(said, role, metadata))

    def _line(self, kind: str, text: str, *, remember: bool = True) -> None:
        """A line in the log of the day; as a memory too where it is worth finding again."""
        said = admission.clean(text, max_text=self.settings.max_text).text
        written = self._pages.log(kind, said)
        if not remember:
            return
        data = {"text": said, "category": KINDS[kind], "metadata": {FILE: written.file, LINE: written.line, KIND: kind}}
        self._spool("remember", {**data, "source": "tool", "person": False})

    def _with_book(self, act: Callable[[Scope], None]) -> bool:
        scope = self._book()
        if scope is None:
            return False
        try:
            act(scope)
        except (StoreError, KeyringError) as fault:
            self._degraded(fault)
            return False
        return True

    def _aside(self, said: str) -> None:
        """The same as with the book, as far as files and the spool go."""
        self._spool("observe", self._spoken(said, "user"))
        for one in _scan(said):
            if one.kind not in NOTED:
                continue
            try:
                text = admission.clean(one.quote, max_text=self.settings.max_text).text
            except Refused:
                continue
            line = self._pages.note(one.kind, text)
            metadata = {FILE: line.file, LINE: line.line, KIND: one.kind}
            self._spool("remember", {"text": text, "category": KINDS[one.kind], "metadata": metadata})

    def _spoken(self, said: str, role: Role, metadata: Mapping[str, Any] | None = None) -> dict[str, Any]:
        at = self._clock.now().isoformat()
        message = {"text": said, "role": role, "at": at, "metadata": dict(metadata or {})}
        return {"messages": [message], "session": self.event.session}

    def _spool(self, what: str, data: Mapping[str, Any]) -> None:
        spool.spool_of(self.settings).put(
            self._clock, owner=self.settings.owner, namespace=self._namespace, what=what, data=data
        )

    def _drain(self, scope: Scope) -> None:
        if not spool.waits(self.settings):
            return
        made = spool.drain(scope, spool.spool_of(self.settings))
        if made.kept:
            self.notices.append(f"{made.kept} writes that had waited are in the book now")
        if made.damaged:
            self.notices.append(f"{made.damaged} waiting writes could not be opened; see `commonplace doctor`")

    def _degraded(self, fault: Exception) -> None:
        self.notices.append(f"memory is degraded, new notes are kept aside: {fault}")

    # Pages

    def _profile(self, scope: Scope) -> Page:
        # the graph is read for this page only
        from commonplace.context.compose import Composer

        return Composer(scope, lambda asked: (), relations=True, hints=True, timezone=self.settings.timezone).context(
            None, tokens=PROFILE_TOKENS, limit=1
        )

    def _page_of_files(self) -> None:
        """Without the book nobody can tell what was forgotten or corrected, so the files are named and not shown."""
        names = [self._pages.places.name(path) for path in self._pages.places.files()]
        if names:
            self.context = "The project's notebook cannot be checked now; it stands in " + ", ".join(names) + "."

    def _unclosed(self) -> list[str]:
        """What a hook could not do at the end of an earlier session."""
        found = self._records.abandoned(self._pages.places.root, self._clock.now(), but=self._record.key)
        for record in found:
            self._records.keep(replace(record, ended=True))
        return [
            f"Note: the session that began {record.started[:16].replace('T', ' ')} UTC was never closed: it has no "
            "closing entry in the log, and its next steps may be missing."
            for record in found
        ]

    def _beginning(self) -> str | None:
        """How the transcript begins, to tell a summary from the whole."""
        if self.event.transcript is None:
            return None
        try:
            with open(self.event.transcript, encoding="utf-8", errors="replace") as file:  # noqa: PTH123  any path
                return file.read(HEAD)
        except (OSError, ValueError):
            return None

    def _clock_free_hash(self, text: str) -> str:
        return self._records.of(text, self._pages.places.root, self._clock.now()).key


EVENTS: dict[str, Callable[[Hook], tuple[str, ...] | None]] = {
    "session-start": Hook.session_start,
    "prompt": Hook.prompt,
    "tool": Hook.tool,
    "pre-compact": Hook.pre_compact,
    "post-compact": Hook.post_compact,
    "stop": Hook.stop,
    "session-end": Hook.session_end,
}


def _scan(text: str) -> "Sequence[Trigger]":
    # the rules of five languages: only a prompt is read for triggers
    from commonplace.extraction.triggers import scan

    return scan(text)


def bounded(text: str) -> str:
    """A page that no host cuts: its own bounds hold already, this is the last word."""
    text = cut(text, MOST_TOKENS)
    return text if len(text) <= MOST_CHARACTERS else text[:MOST_CHARACTERS]


def _first(said: str) -> str:
    """The first sentence of an answer, for the log."""
    spans = sentences(said)
    first = spans[0].text if spans else said
    return first if len(first) <= DONE else first[:DONE].rsplit(" ", 1)[0] + " …"


def _subject(event: Event) -> str | None:
    """What a tool worked on: a command or a file."""
    for name in ("command", "file_path", "path", "notebook_path"):
        value = event.tool_input.get(name)
        if isinstance(value, str) and value.strip():
            return " ".join(value.split())[:DONE]
    return None


def _failed(event: Event) -> bool:
    response = event.tool_response
    if event.called.lower() == "posttoolusefailure":
        return True
    if isinstance(response, dict):
        code = response.get("exit_code", response.get("exitCode", 0))
        return bool(response.get("is_error") or response.get("error") or response.get("interrupted")) or code not in (
            0,
            None,
        )
    return False
