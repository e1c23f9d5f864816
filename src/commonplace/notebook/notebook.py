"""The notebook of one project: each line is in its file before anything else happens, and a memory in the book."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path
from typing import Any, Protocol

from commonplace.errors import Refused, Tombstoned
from commonplace.memories import admission
from commonplace.memories.admission import NewMemory
from commonplace.memories.forgetting import Forgetting
from commonplace.memories.gateway import Gateway
from commonplace.memories.reading import Reader
from commonplace.memories.scope import Scope
from commonplace.memories.work import working
from commonplace.model import CURRENT, Memory, Query, Receipt
from commonplace.notebook import corrections, distil, mentions, recovery, template
from commonplace.notebook.current import Current
from commonplace.notebook.distil import Distillation, Improve
from commonplace.notebook.lines import KINDS, Block
from commonplace.notebook.mentions import Edit
from commonplace.notebook.pages import Pages, Written, pages
from commonplace.notebook.recovery import Recovered
from commonplace.notebook.sync import FILE, KIND, LINE, REMOVED, Sync, Synced
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


@dataclass(frozen=True, slots=True)
class Status:
    """Which notebook this is, and how it stands."""

    namespace: str
    why: str
    root: str
    files: dict[str, int]
    """Each file that is there, and how many lines of content it has."""
    open_todos: int
    undistilled: tuple[date, ...]
    """Days whose log holds decisions that MEMORY.md does not."""
    problems: tuple[str, ...]


class Notebook:
    """``book.notebook``. Writes are durable in file and book when they return."""

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

    # Sessions

    def start(self, *, tokens: int = 2000, resuming: bool = True, opening: Sequence[str] = ()) -> Recovered:
        """The page to begin with: long-term memory, buffer, to-dos, lessons, and the logs when work is resumed."""
        synced = self.sync()
        said = [*opening, *self._said(synced), *self._proposal()]
        return self._page(tokens, said, young=resuming or None)

    def recover(self, *, tokens: int = 2000, context: str | None = None) -> Recovered:
        """The page after a compaction. ``context`` is what the agent still has, to tell whether it is all there."""
        why = recovery.summarised(context) if context else None
        page = self._page(tokens, [f"Note: {why}."] if why else [])
        return replace(page, summarised=why)

    def end(
        self,
        *,
        state: str | None = None,
        next: Sequence[str] = (),
        done: Sequence[str] = (),
        lessons: Sequence[str] = (),
        decisions: Sequence[str] = (),
        log: str | None = None,
    ) -> list[Note]:
        """Close a session: state and next steps into the buffer, items ticked, lessons, decisions, a log entry."""
        notes = [self.note(text, kind="decision") for text in decisions]
        notes += [self.lesson(text) for text in lessons]
        for item in done:
            self.tick(item)
            notes.append(self.log(item, kind="done"))
        if state:
            notes.append(self.note(state, kind="state"))
        notes += [self.note(text, kind="next") for text in next]
        notes.append(self.log(log or state or "session ended", kind="session"))
        return notes

    # Distil

    def distil(self, improve: Improve | None = None) -> Distillation:
        """What long-term memory would gain from the logs and the buffer; `write` makes it so."""
        shown = Current(self._scope).shown
        return distil.distil(self.pages, shown, ours=self._ours, decides=self._decides, improve=improve)

    def write(self, agreed: Distillation) -> None:
        """Write a distillation that somebody has seen and agreed to; the memories follow their lines."""
        mentions.make(self.pages, agreed.edits)
        self.sync()

    # Both ways

    def sync(self) -> Synced:
        """Bring what was edited in the files into the book."""
        return Sync(self._scope, self.pages, self._settings.notebook_deletions).run()

    def settle(self, ids: Sequence[str], *, forget: bool) -> Receipt | None:
        """Answer for lines that were taken out of a file: forget their memories for good, or keep them."""
        if forget:
            return Forgetting(self._scope).forget(ids)
        for memory in Reader(self._scope).get_many(ids):
            plain = {name: one for name, one in memory.metadata.items() if name not in (FILE, LINE, REMOVED)}
            self._gateway.revise(memory.id, metadata=plain, reason="kept without its line")
        return None

    def mentions_in_files(self, values: Sequence[str]) -> list[Edit]:
        """The edits that take what ``values`` say out of the files; `make` makes those that are agreed to."""
        return mentions.mentions(self.pages, values)

    def make(self, edits: Sequence[Edit]) -> str | None:
        """Make edits, and say what they do not reach."""
        mentions.make(self.pages, edits)
        return mentions.leftovers(self.pages)

    # Look

    def status(self) -> Status:
        """Which namespace and files are in use and why, and what waits."""
        counted, problems = {}, []
        for path in self.pages.places.files():
            name = self.pages.places.name(path)
            try:
                counted[name] = len(self.pages.blocks(path))
                if self.pages.read(path).conflicted:
                    problems.append(f"{name} has an unfinished merge")
            except Refused as fault:
                problems.append(str(fault))
        todo = self.pages.places.todo
        items = self.pages.blocks(todo) if self.pages.places.name(todo) in counted else []
        return Status(
            namespace=self._scope.namespace,
            why=self._why,
            root=str(self.pages.places.root),
            files=counted,
            open_todos=sum(block.done is False for block in items),
            undistilled=self._undistilled(),
            problems=tuple(problems),
        )

    def lay_out(self) -> list[Path]:
        """Make the files that are missing, with their headings; return those that were made."""
        places = self.pages.places
        wanted = {
            places.long_term: template.long_term(places.root.name),
            places.buffer: template.BUFFER,
            places.todo: template.TODO,
            places.lessons: template.LESSONS,
        }
        made = [path for path in wanted if not path.exists()]
        mentions.make(self.pages, [Edit(places.name(path), "", wanted[path]) for path in made])
        return made

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

    def _decides(self, block: Block) -> bool:
        """Whether a correction put a decision right, by what the book knows of it."""
        rows = self._rows(corrections.affirmed(block.text))
        found = Reader(self._scope).get_many([row.id for row in rows])
        return any(one.metadata.get(CORRECTS) in distil.DECIDED for one in found)

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

    def _ours(self, block: Block) -> bool:
        """Whether we wrote a line: it has our shape, and the book has it as a note rather than as an import."""
        text = corrections.affirmed(block.text) if block.kind == "correction" else block.text
        return block.stamped and any(row.source != "import" for row in self._rows(text))

    def _page(self, tokens: int, opening: Sequence[str], young: bool | None = None) -> Recovered:
        shown = Current(self._scope).shown
        return recovery.page(self.pages, shown, tokens=tokens, opening=opening, young=young)

    def _said(self, synced: Synced) -> list[str]:
        """What the files' changes need to be told about."""
        lines = [f"Note: {one}." for one in synced.problems]
        if synced.missing:
            lines.append(
                f"Note: {len(synced.missing)} lines were taken out of the notebook's files; their memories are kept. "
                "`commonplace session forget-removed` forgets them."
            )
        return lines

    def _proposal(self) -> list[str]:
        days = [day for day in self._undistilled() if day < self.pages.today()]
        if not days:
            return []
        name = self.pages.places.name(self.pages.places.long_term)
        return [f"Note: decisions of earlier days are not in {name} yet; `commonplace session distill` shows the edit."]

    def _undistilled(self) -> tuple[date, ...]:
        made = self.distil()
        return tuple(sorted({one.day for one in made.decisions}))
