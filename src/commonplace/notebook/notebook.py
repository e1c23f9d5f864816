"""The notebook of one project: sessions, recovery, distilling, and synchronisation with files that people edit."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path

from commonplace.errors import ProviderError, Refused, StoreBusy
from commonplace.memories.forgetting import Forgetting
from commonplace.memories.reading import Reader
from commonplace.memories.scope import Scope
from commonplace.model import Memory, Receipt
from commonplace.notebook import corrections, distil, mentions, recovery, template
from commonplace.notebook.answer_jobs import read_waiting
from commonplace.notebook.answers import Labeller
from commonplace.notebook.current import Current
from commonplace.notebook.distil import Distillation, DistilledDecision, Improve, KnownLines, Reword
from commonplace.notebook.lines import FILE, LINE, Block, blocks
from commonplace.notebook.mentions import Edit
from commonplace.notebook.recovery import Recovered
from commonplace.notebook.sync import FOUND, REMOVED, Sync, Synced
from commonplace.notebook.writer import CORRECTS, NotebookWriter, NotedLine, Scan
from commonplace.settings import Settings
from commonplace.text.normal import normal

DISTILLED = "distilled"
"""Metadata key: the wording in the table, if it differs."""


@dataclass(frozen=True, slots=True)
class Status:
    """Which notebook this is, and its state."""

    namespace: str
    why: str
    root: str
    files: dict[str, int]
    """Each existing file with its number of content lines."""
    open_todos: int
    undistilled: tuple[date, ...]
    """Days whose log has decisions that are not in MEMORY.md."""
    problems: tuple[str, ...]


class Notebook(NotebookWriter):
    """``book.notebook``: writes lines, builds pages, and synchronises the files with the book."""

    def __init__(
        self,
        scope: Scope,
        folder: Path,
        settings: Settings,
        *,
        scan: Scan | None = None,
        why: str = "",
        reword: Reword | None = None,
        labeller: Labeller | None = None,
    ) -> None:
        super().__init__(scope, folder, settings, scan=scan, why=why, labeller=labeller)
        self._reword = reword

    # Sessions

    def start(self, *, tokens: int = 2000, resuming: bool = True, opening: Sequence[str] = ()) -> Recovered:
        """The page for a session's start: long-term memory, buffer, to-dos, lessons, and logs when work is resumed."""
        try:
            synced = self.sync()
        except StoreBusy:
            synced = Synced(problems=("the book is busy; edits of the files are read at the next start",))
        notes = [f"Note: {problem}." for problem in synced.problems]
        if synced.missing:
            notes.append(
                f"Note: {len(synced.missing)} lines were removed from the notebook's files; their memories are kept. "
                "Run `commonplace session forget-removed` to forget them."
            )
        return self._page(tokens, [*opening, *notes, *self.proposals()], young=resuming or None)

    def recover(self, *, tokens: int = 2000, context: str | None = None, opening: Sequence[str] = ()) -> Recovered:
        """The page after a compaction. ``context`` is what the agent still has, to detect whether it is complete."""
        why = recovery.summarised(context) if context else None
        page = self._page(tokens, [*([f"Note: {why}."] if why else []), *opening])
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
    ) -> list[NotedLine]:
        """End a session: state and next steps into the buffer, ticked items, lessons, decisions, a log entry.

        Decisions go into the buffer and, as last rows, into the table of long-term memory. Raises ``Refused`` if the
        table cannot be written; everything else is stored by then.
        """
        notes = [self.note(text, kind="decision") for text in decisions]
        decided = [note.written.text for note in notes]
        notes += [self.lesson(text) for text in lessons]
        for item in done:
            self.tick(item)
            notes.append(self.log(item, kind="done"))
        if state:
            notes.append(self.note(state, kind="state"))
        notes += [self.note(text, kind="next") for text in next]
        notes.append(self.log(log or state or "session ended", kind="session"))
        self._into_table(decided)
        return notes

    def record_decisions(self) -> None:
        """Add today's decisions in the buffer that have a reason to the table, if the long-term file exists."""
        if not self.pages.paths.long_term.is_file():
            return
        today = self.pages.today()
        noted = [block for block in self.pages.blocks(self.pages.paths.buffer) if block.kind in distil.DECIDED]
        fresh = [block.text for block in noted if block.stamped and block.day == today and not self._settled(block)]
        allowed = Current(self._scope).shown(fresh)
        self._into_table([text for text in fresh if allowed[text] == text and distil.rationale(text)[1]])

    def _into_table(self, decisions: Sequence[str]) -> None:
        """Add rows for decisions that are not in the table; nothing else in the file changes."""
        paths = self.pages.paths
        before = self.pages.read(paths.long_term).text
        standing = {normal(whole) for block in blocks(before) for whole in block.wholes}
        fresh = [
            distil.decided(decision, self.pages.today()) for decision in decisions if normal(decision) not in standing
        ]
        if fresh:
            after = distil.with_rows(before or template.long_term(paths.root.name), fresh)
            mentions.make(self.pages, [Edit(paths.name(paths.long_term), before, after)])
            for memory in [memory for item in fresh for memory in self._memories(item.said)]:
                moved = {**memory.metadata, FILE: paths.name(paths.long_term)}
                self._gateway.revise(memory.id, metadata=moved, reason="recorded in the table")
            self.sync()

    # Distil

    def distil(self, improve: Improve | None = None) -> Distillation:
        """The proposed changes to long-term memory from logs and buffer; `write` applies them.

        Decisions are worded by ``improve`` or by the configured model; if that fails, by the rules, and ``word`` says
        why.
        """
        lines = self._known()
        try:
            return distil.distil(self.pages, lines, improve or (self._by_model if self._reword else None))
        except ProviderError as fault:
            by_rules = distil.distil(self.pages, lines)
            return replace(by_rules, word=f"the model could not help, so the rules did: {fault}")

    def _by_model(self, decisions: Sequence[DistilledDecision]) -> list[DistilledDecision]:
        """The decisions in a model's words, except those that would repeat a withdrawn value."""
        assert self._reword is not None
        allow = Current(self._scope).shown
        reworded = self._reword(
            [(decision.text, decision.rationale) for decision in decisions], distil.told(self.pages, allow)
        )
        allowed = allow([part for item in reworded for part in item])
        return [
            replace(decision, text=text, rationale=why)
            if allowed[text] == text and (not why or allowed[why] == why)
            else decision
            for decision, (text, why) in zip(decisions, reworded, strict=True)
        ]

    def write(self, agreed: Distillation) -> None:
        """Write a confirmed distillation; the memories are updated with their lines."""
        mentions.make(self.pages, agreed.edits)
        for decision in agreed.decisions:
            # so that the book connects the decision with its wording in the table, and no longer with its own line
            for memory in self._memories(decision.said) if decision.reworded else ():
                plain = {name: item for name, item in memory.metadata.items() if name not in (FILE, LINE)}
                self._gateway.revise(memory.id, metadata={**plain, DISTILLED: decision.text}, reason="distilled")
        self.sync()

    def proposals(self) -> list[str]:
        """Notes that decisions of earlier days can be distilled; empty if there are none."""
        if not self._undistilled(before=self.pages.today()):
            return []
        name = self.pages.paths.name(self.pages.paths.long_term)
        return [f"Note: decisions of earlier days are not in {name} yet; `commonplace session distill` shows the edit."]

    # Synchronisation

    @property
    def watched(self) -> bool:
        """Whether long-running processes should watch the files for edits."""
        return self._settings.notebook_watch

    def sync(self) -> Synced:
        """Bring edits of the files into the book."""
        return Sync(self._scope, self.pages, self._settings.notebook_deletions).run()

    def read_waiting(self) -> int:
        """Read the messages that hooks stored for later, with the judge if it is installed; returns how many."""
        return read_waiting(self._scope, self._settings, self._labeller, self._scan) if self.pages.asked_for else 0

    def settle(self, ids: Sequence[str], *, forget: bool) -> Receipt | None:
        """Decide about lines that were removed from a file: forget their memories for good, or keep them."""
        if forget:
            return Forgetting(self._scope).forget(ids)
        for memory in Reader(self._scope).get_many(ids):
            plain = {name: item for name, item in memory.metadata.items() if name not in (FILE, LINE, REMOVED)}
            self._gateway.revise(memory.id, metadata=plain, reason="kept without its line")
        return None

    def mentions_in_files(self, values: Sequence[str]) -> list[Edit]:
        """The edits that remove ``values`` from the files; `make` applies those that are confirmed."""
        return mentions.mentions(self.pages, values)

    def make(self, edits: Sequence[Edit]) -> str | None:
        """Make edits; returns a note on what they cannot remove."""
        mentions.make(self.pages, edits)
        return mentions.leftovers(self.pages)

    # Status

    def status(self) -> Status:
        """The namespace and files in use, why, and what is pending."""
        counted, problems = {}, []
        for path in self.pages.paths.files():
            name = self.pages.paths.name(path)
            try:
                counted[name] = len(self.pages.blocks(path))
                if self.pages.read(path).conflicted:
                    problems.append(f"{name} has an unfinished merge")
            except Refused as fault:
                problems.append(str(fault))
        todo = self.pages.paths.todo
        items = self.pages.blocks(todo) if self.pages.paths.name(todo) in counted else []
        return Status(
            namespace=self._scope.namespace,
            why=self._why,
            root=str(self.pages.paths.root),
            files=counted,
            open_todos=sum(block.done is False for block in items),
            undistilled=self._undistilled(),
            problems=tuple(problems),
        )

    def missing(self) -> dict[Path, str]:
        """The missing files, with the initial content of each."""
        paths = self.pages.paths
        contents = {
            paths.long_term: template.long_term(paths.root.name),
            paths.buffer: template.BUFFER,
            paths.todo: template.TODO,
            paths.lessons: template.LESSONS,
        }
        return {path: text for path, text in contents.items() if not path.exists()}

    # Inside

    def _known(self) -> KnownLines:
        return KnownLines(Current(self._scope).shown, self._ours, self._decides, self._settled)

    def _memories(self, text: str) -> Sequence[Memory]:
        """The memories with exactly this text."""
        return Reader(self._scope).get_many([row.id for row in self._rows(text)])

    def _noted(self, block: Block) -> Sequence[Memory]:
        """The memories of a line; a correction is stored without what it withdraws."""
        return self._memories(corrections.affirmed(block.text) if block.kind == "correction" else block.text)

    def _settled(self, block: Block) -> bool:
        """Whether the table has the decision in other words."""
        return any(DISTILLED in memory.metadata for memory in self._noted(block))

    def _decides(self, block: Block) -> bool:
        """Whether the note that a correction replaced was a decision."""
        return any(memory.metadata.get(CORRECTS) in distil.DECIDED for memory in self._noted(block))

    def _ours(self, block: Block) -> bool:
        """Whether we wrote a line: it has our format, and did not come into the book from the file."""
        return block.stamped and any(FOUND not in memory.metadata for memory in self._noted(block))

    def _page(self, tokens: int, opening: Sequence[str], young: bool | None = None) -> Recovered:
        allow = Current(self._scope).shown
        return recovery.page(self.pages, allow, tokens=tokens, opening=opening, young=young)

    def _undistilled(self, before: date | None = None) -> tuple[date, ...]:
        try:
            decisions = distil.undistilled(self.pages, self._known(), before=before)
        except Refused:  # the page itself names a file that cannot be read
            return ()
        return tuple(sorted({decision.day for decision in decisions}))


__all__ = ["Notebook", "NotedLine", "Status"]
