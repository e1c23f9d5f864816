"""Writes lines: each is durable in its file first, then stored as a memory in the book."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Any, Protocol

from commonplace.errors import Refused
from commonplace.memories import admission
from commonplace.memories.gateway import Gateway
from commonplace.memories.reading import Reader
from commonplace.memories.scope import Scope
from commonplace.memories.trust import OWN_WORK
from commonplace.memories.unit_of_work import write_transaction
from commonplace.model import CURRENT, Memory, Message, NewMemory, Query
from commonplace.notebook import corrections
from commonplace.notebook.answers import Labeller
from commonplace.notebook.current import refuse_withdrawn
from commonplace.notebook.lines import FILE, KIND, KINDS, LINE, LOG_KINDS
from commonplace.notebook.pages import Pages, Written, pages
from commonplace.notebook.triggers import NotedSentence, find_triggers
from commonplace.settings import Settings
from commonplace.store.rows import Filter, MemoryRow

CORRECTS = "corrects"
RECENT = 200
"""Number of notes to search for the one that a correction means."""
NOTED = ("correction", "decision", "architecture", "priority", "name", "value", "preference", "routine")
"""Kinds found by the language rules that belong into the buffer."""


class RuleHit(Protocol):
    """A clause of a message that a language rule matched."""

    @property
    def kind(self) -> str: ...
    @property
    def quote(self) -> str: ...


Scan = Callable[[str], Sequence[RuleHit]]


@dataclass(frozen=True, slots=True)
class NotedLine:
    """A line in its file, and its memory."""

    written: Written
    memory: str | None
    """The memory's id; None if the book refused it."""
    corrects: str | None = None
    """The id of the memory that it replaced."""
    word: str | None = None


class NotebookWriter:
    """Writes to the notebook for hooks. Durable in file and book when a method returns."""

    def __init__(
        self,
        scope: Scope,
        folder: Path,
        settings: Settings,
        *,
        scan: Scan | None = None,
        why: str = "",
        labeller: Labeller | None = None,
        files: bool = True,
    ) -> None:
        """Without ``files``, notes become memories only."""
        self._scope, self._settings, self._scan, self._why = scope, settings, scan, why
        self._labeller = labeller
        self.pages: Pages = replace(pages(folder, settings, scope.clock), writes=files)
        self._gateway = Gateway(scope)

    # Writing

    def note(
        self, text: str, *, kind: str = "note", session: str | None = None, evidence: Iterable[tuple[str, str]] = ()
    ) -> NotedLine:
        """Write a line into the working buffer, then store it as a memory; a correction also replaces its note.

        ``evidence``: episodes and their quotes. Raises ``Refused`` before anything is written if the text is empty,
        only a secret, or was forgotten before.
        """
        admitted = self.admitted(text)
        corrected = self._corrected_note(admitted) if kind == "correction" and self._scope.person else None
        return self._keep(self.pages.note(kind, admitted), evidence=evidence, session=session, corrected=corrected)

    def log(self, text: str, *, kind: str = "done", at: datetime | None = None) -> NotedLine:
        """Write a line into the log of the day. What was done, tried or failed is stored as an episode of that day."""
        written = self.pages.log(kind, self.admitted(text), at=at)
        if kind not in LOG_KINDS:
            return self._keep(written)
        message = Message(written.text, role="assistant", at=written.at, metadata={KIND: kind})
        episodes = self._gateway.observe([message]).kept
        return NotedLine(written, episodes[0].id if episodes else None)

    def todo(self, text: str) -> NotedLine:
        return self._keep(self.pages.todo(self.admitted(text)))

    def tick(self, text: str) -> str:
        """Tick an open item and return its text; its memory is ended."""
        item = self.pages.tick(text)
        for row in self._rows(item):
            if row.status in CURRENT:
                self._gateway.end(row.id, reason="ticked off")
        return item

    def lesson(self, text: str) -> NotedLine:
        """Write down a mistake not to repeat."""
        return self._keep(self.pages.lesson(self.admitted(text)))

    def scan(self, text: str) -> list[NotedSentence]:
        """The corrections, decisions, priorities, values, tasks and rules in a message."""
        if self._scan is None:
            return []
        hits = [(hit.kind, hit.quote) for hit in self._scan(text) if hit.kind in NOTED]
        return find_triggers(text, hits, labeller=self._labeller)

    def catch(
        self,
        text: str,
        *,
        session: str | None = None,
        observe: Callable[[], str | None] | None = None,
        evidence: str | None = None,
        at: datetime | None = None,
    ) -> list[NotedLine]:
        """Scan a message and write the triggers down, except what the book refuses or the files already have.

        ``observe`` stores the message itself and returns its episode's id; it is called once the lines are written.
        ``evidence`` is that id if the message is stored already, ``at`` is its time.
        """
        lines: list[tuple[Written, str, Memory | None]] = []
        for trigger in self.scan(text):
            kind, corrected = self._kind_of(trigger, text)
            try:
                line = written(self.pages, kind, self.admitted(trigger.quote), at=at)
            except Refused:
                continue
            if line.new or evidence is None:
                lines.append((line, trigger.quote, corrected))
        episode = observe() if observe else evidence
        return [
            self._keep(line, evidence=[(episode, quote)] if episode else (), session=session, corrected=corrected)
            for line, quote, corrected in lines
        ]

    def admitted(self, text: str) -> str:
        """The text without secrets and private parts. Raises ``Refused`` if it was forgotten."""
        clean = admission.clean(text, max_text=self._scope.max_text).text
        refuse_withdrawn(self._scope, clean)
        return clean

    def remembers(self, text: str) -> bool:
        """Whether a memory has exactly this text."""
        return bool(self._rows(text))

    # Helpers

    def _kind_of(self, trigger: NotedSentence, message: str) -> tuple[str, Memory | None]:
        """The kind of a trigger: a correction only if the earlier note that it corrects is found."""
        at = max(message.find(trigger.quote), 0)
        corrects = corrections.withdrawn(trigger.quote) or corrections.sounds_like_one(message, at)
        if not self._scope.person or not (trigger.kind == "correction" or corrects):
            return trigger.kind, None
        corrected = self._corrected_note(trigger.quote)
        return ("correction" if corrected else trigger.kind), corrected

    def _keep(
        self,
        written: Written,
        *,
        evidence: Iterable[tuple[str, str]] = (),
        session: str | None = None,
        corrected: Memory | None = None,
    ) -> NotedLine:
        metadata: dict[str, Any] = {KIND: written.kind}
        if written.file:
            metadata |= {FILE: written.file, LINE: written.line}
        if session:
            metadata["session"] = session
        if written.kind in ("task", "lesson") and not self._scope.person:
            metadata[OWN_WORK] = True
        if corrected is not None:
            metadata[CORRECTS] = corrected.metadata.get(KIND)
        text = corrections.affirmed(written.text) if written.kind == "correction" else written.text
        category = KINDS[written.kind]
        new = NewMemory(text=text, category=category, metadata=metadata)  # type: ignore[arg-type]  # a table
        with write_transaction(self._scope, "NOTE") as work:
            stored = self._gateway.admit(work, new, evidence=evidence)
            if corrected is not None and corrected.id != stored.id:
                self._gateway.reject_within(work, work.load(corrected.id), "corrected by a later note")
            work.receipt()
        return NotedLine(written, stored.id, corrects=corrected.id if corrected else None)

    def _corrected_note(self, correction: str) -> Memory | None:
        """The current note that a correction means."""
        recent = Reader(self._scope).page(Query(kinds=("associative",), limit=RECENT))
        notes = {memory.id: memory for memory in recent if memory.metadata.get(KIND) in NOTED}
        id = corrections.meant(correction, ((note.id, note.text) for note in notes.values()), self._scope.language)
        return notes[id] if id else None

    def _rows(self, text: str) -> list[MemoryRow]:
        """The memories with exactly this text, of any status."""
        scope = self._scope
        with scope.store.read(scope.owner) as tx:
            space = tx.namespaces.by_label(scope.vault.label("namespace", scope.namespace))
            if space is None:
                return []
            filter = Filter(
                namespaces=(space.id,), kinds=("associative",), fingerprint=scope.vault.fingerprint(space.id, text)
            )
            return tx.memories.find(filter)


def written(pages: Pages, kind: str, text: str, at: datetime | None = None) -> Written:
    """Write a trigger to the file of its kind: the to-do list, the lessons, or the buffer."""
    if kind == "task":
        return pages.todo(text)
    return pages.lesson(text, at=at) if kind == "lesson" else pages.note(kind, text, at=at)
