"""Writing things down: each line is in its file before anything else happens, and a memory in the book."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from commonplace.errors import Refused, Tombstoned
from commonplace.memories import admission
from commonplace.memories.admission import NewMemory
from commonplace.memories.gateway import Gateway
from commonplace.memories.reading import Reader
from commonplace.memories.scope import Scope
from commonplace.memories.work import working
from commonplace.model import CURRENT, Memory, Query
from commonplace.notebook import corrections
from commonplace.notebook.lines import FILE, KIND, KINDS, LINE
from commonplace.notebook.pages import Pages, Written, pages
from commonplace.settings import Settings
from commonplace.store.rows import Filter, MemoryRow

CORRECTS = "corrects"
RECENT = 200
"""Notes looked at for the one that a correction means."""


class Found(Protocol):
    """A clause of a message that is worth a note."""

    @property
    def kind(self) -> str: ...
    @property
    def quote(self) -> str: ...


Scan = Callable[[str], Sequence[Found]]
NOTED = ("correction", "decision", "architecture", "priority", "name", "value", "preference", "routine")


@dataclass(frozen=True, slots=True)
class Note:
    """A line in its file, and the memory that it is."""

    written: Written
    memory: str | None
    """Its id; None if the book did not let it in (see ``word``)."""
    corrects: str | None = None
    """The id of the memory whose value it took the place of."""
    word: str | None = None


class Notes:
    """The writing half of a notebook: all that a hook needs at a prompt. Durable in file and book when it returns."""

    def __init__(
        self, scope: Scope, folder: Path, settings: Settings, *, scan: Scan | None = None, why: str = ""
    ) -> None:
        self._scope, self._settings, self._scan, self._why = scope, settings, scan, why
        self.pages: Pages = pages(folder, settings, scope.clock)
        self._gateway = Gateway(scope)

    # Write

    def note(
        self, text: str, *, kind: str = "note", session: str | None = None, evidence: Iterable[tuple[str, str]] = ()
    ) -> Note:
        """Write a line into the working buffer, then keep it as a memory; a correction also takes back what it means.

        ``evidence``: episodes and the words in them. Raises ``Refused`` before anything is written if the text is
        empty, nothing but a secret, or was forgotten before.
        """
        said = self._admitted(text)
        corrected = self._meant(said) if kind == "correction" and self._scope.person else None
        return self._keep(self.pages.note(kind, said), evidence=evidence, session=session, corrected=corrected)

    def log(self, text: str, *, kind: str = "done") -> Note:
        """Write a line into the log of the day: what was done, tried or failed."""
        return self._keep(self.pages.log(kind, self._admitted(text)))

    def todo(self, text: str) -> Note:
        """Put something on the checklist."""
        return self._keep(self.pages.todo(self._admitted(text)))

    def tick(self, text: str) -> str:
        """Tick an open item off and return what it said; it is no longer true that it is to be done."""
        said = self.pages.tick(text)
        for row in self._rows(said):
            if row.status in CURRENT:
                self._gateway.end(row.id, reason="ticked off")
        return said

    def lesson(self, text: str) -> Note:
        """Write down a mistake not to repeat."""
        return self._keep(self.pages.lesson(self._admitted(text)))

    def scan(self, text: str) -> list[Found]:
        """The corrections, decisions, architecture choices, priorities, names and values in a message."""
        return [] if self._scan is None else [one for one in self._scan(text) if one.kind in NOTED]

    def catch(
        self, text: str, *, session: str | None = None, observe: Callable[[], str | None] | None = None
    ) -> list[Note]:
        """Scan a message and write ahead what is found; what the book refuses is left out.

        ``observe`` keeps the message itself and returns its episode's id: asked once the lines are in their file.
        """
        written: list[tuple[Written, str, Memory | None]] = []
        for one in self.scan(text):
            kind, corrected = self._kind_of(one, text)
            try:
                written.append((self.pages.note(kind, self._admitted(one.quote)), one.quote, corrected))
            except Refused:
                continue
        episode = observe() if observe else None
        return [
            self._keep(line, evidence=[(episode, quote)] if episode else (), session=session, corrected=corrected)
            for line, quote, corrected in written
        ]

    def _kind_of(self, found: Found, message: str) -> tuple[str, Memory | None]:
        """What a find is noted as: a correction, where it is said to put an earlier note right and one fits."""
        at = max(message.find(found.quote), 0)
        puts_right = corrections.withdrawn(found.quote) or corrections.sounds_like_one(message, at)
        if not self._scope.person or not (found.kind == "correction" or puts_right):
            return found.kind, None
        corrected = self._meant(found.quote)
        return ("correction" if corrected else found.kind), corrected

    # Inside

    def _admitted(self, text: str) -> str:
        """The text as it may be written down: no secret, nothing private, nothing forgotten before."""
        said = admission.clean(text, max_text=self._scope.max_text).text
        scope = self._scope
        with scope.store.read(scope.owner) as tx:
            row = tx.namespaces.by_label(scope.vault.label("namespace", scope.namespace))
            found = tx.tombstones.among(row.id, [scope.vault.fingerprint(row.id, said)]) if row else []
        if found:
            raise Tombstoned(found[0].reason)
        return said

    def _keep(
        self,
        written: Written,
        *,
        evidence: Iterable[tuple[str, str]] = (),
        session: str | None = None,
        corrected: Memory | None = None,
    ) -> Note:
        metadata: dict[str, Any] = {FILE: written.file, LINE: written.line, KIND: written.kind}
        if session:
            metadata["session"] = session
        if corrected is not None:
            metadata[CORRECTS] = corrected.metadata.get(KIND)
        text = corrections.affirmed(written.text) if written.kind == "correction" else written.text
        category = KINDS[written.kind]
        new = NewMemory(text=text, category=category, metadata=metadata)  # type: ignore[arg-type]  # a table
        with working(self._scope, "NOTE") as work:
            held = self._gateway.admit(work, new, evidence=evidence)
            if corrected is not None and corrected.id != held.id:
                self._gateway.reject_within(work, work.held(corrected.id), "corrected by a later note")
            work.receipt()
        return Note(written, held.id, corrects=corrected.id if corrected else None)

    def _meant(self, correction: str) -> Memory | None:
        """The current note that a correction is about."""
        found = Reader(self._scope).page(Query(kinds=("associative",), limit=RECENT))
        notes = {one.id: one for one in found if one.metadata.get(KIND) in NOTED}
        id = corrections.meant(correction, ((one.id, one.text) for one in notes.values()), self._scope.language)
        return notes[id] if id else None

    def _rows(self, text: str) -> list[MemoryRow]:
        """The memories that say exactly this, of any status."""
        scope = self._scope
        with scope.store.read(scope.owner) as tx:
            space = tx.namespaces.by_label(scope.vault.label("namespace", scope.namespace))
            if space is None:
                return []
            filter = Filter(
                namespaces=(space.id,), kinds=("associative",), fingerprint=scope.vault.fingerprint(space.id, text)
            )
            return tx.memories.find(filter)
