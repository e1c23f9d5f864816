"""The notebook's files: every write goes here first, whether the book is reachable or not."""

from dataclasses import dataclass
from datetime import date, datetime, tzinfo
from pathlib import Path

from commonplace.clock import Clock, zone
from commonplace.errors import Invalid, NotFound
from commonplace.notebook import files, lines
from commonplace.notebook.files import Text
from commonplace.notebook.lines import KINDS, Block, blocks
from commonplace.notebook.paths import NotebookPaths, notebook_paths
from commonplace.settings import Settings
from commonplace.text.normal import normal

NEAR = 8
"""Maximum difference in characters of two spellings of one line."""
HEADINGS = {"buffer": "Working buffer", "todo": "To do", "lessons": "Lessons"}


@dataclass(frozen=True, slots=True)
class Written:
    """A line in a file, durable. Without a notebook ``file`` is empty."""

    file: str
    line: int
    kind: str
    text: str
    at: datetime
    new: bool
    """False if the same line was there already."""


@dataclass(frozen=True, slots=True)
class Pages:
    """Reads and writes of one project. ``home`` has the locks."""

    paths: NotebookPaths
    home: Path
    clock: Clock
    zone: tzinfo | None = None
    writes: bool = True
    """If False, lines are not written to files, because the project has no notebook."""

    @property
    def asked_for(self) -> bool:
        """Whether the project has a notebook: `init --notebook` or a `session` command created its working buffer."""
        return self.paths.buffer.exists()

    def now(self) -> datetime:
        return self.clock.now().astimezone(self.zone)

    def today(self) -> date:
        return self.now().date()

    def note(self, kind: str, text: str, *, at: datetime | None = None) -> Written:
        """Add a line to the working buffer."""
        return self._entry(self.paths.buffer, HEADINGS["buffer"], kind, text, at, dated=True)

    def log(self, kind: str, text: str, *, at: datetime | None = None) -> Written:
        """Add a line to the log of the day."""
        moment = (at or self.clock.now()).astimezone(self.zone)
        return self._entry(self.paths.log(moment.date()), f"{moment:%Y-%m-%d}", kind, text, at, dated=False)

    def lesson(self, text: str, *, at: datetime | None = None) -> Written:
        return self._entry(self.paths.lessons, HEADINGS["lessons"], "lesson", text, at, dated=True)

    def todo(self, text: str, *, done: bool = False) -> Written:
        """Add a line to the checklist."""
        return self._write(self.paths.todo, HEADINGS["todo"], "task", text, lines.todo(text, done=done), self.now())

    def tick(self, item_text: str) -> str:
        """Tick the open item with this text, or the only one that contains it; return its text."""
        text, form = self.read(self.paths.todo).text, normal(item_text)
        still = [block for block in blocks(text) if block.done is False]
        matching = [block for block in still if normal(block.text) == form]
        matching = matching or [block for block in still if form in normal(block.text)]
        if not matching:
            raise NotFound("open to-do item", item_text[:60])
        if len(matching) > 1:
            raise Invalid(f"{len(matching)} open items contain that; write more of the item's text")
        block, rows = matching[0], text.split("\n")
        rows[block.line - 1] = rows[block.line - 1].replace("[ ]", "[x]", 1)
        files.replace(self.paths, self.home, self.paths.todo, text, "\n".join(rows))
        return block.text

    def read(self, path: Path) -> Text:
        return files.read(self.paths, path)

    def blocks(self, path: Path) -> list[Block]:
        return blocks(self.read(path).text)

    def day_of(self, path: Path) -> date | None:
        """The day of a log file."""
        return next((day for day in self.paths.days() if self.paths.log(day) == path), None)

    def _entry(self, path: Path, heading: str, kind: str, text: str, at: datetime | None, *, dated: bool) -> Written:
        if kind not in KINDS:
            raise Invalid(f"unknown kind of line {kind[:40]!r}; one of {', '.join(KINDS)}")
        moment = (at or self.clock.now()).astimezone(self.zone)
        return self._write(path, heading, kind, text, lines.entry(kind, text, moment, dated=dated), moment)

    def _write(self, path: Path, heading: str, kind: str, text: str, line: str, at: datetime) -> Written:
        """Append, unless the same line was written that day already: a hook may run twice for one message."""
        line_text, text_form = lines.one_line(text), normal(text)
        if not self.writes:
            return Written("", 0, kind, line_text, at, new=True)
        standing: list[Block] = []

        def fresh(current: Text) -> list[str]:
            standing.extend(
                block
                for block in blocks(current.text)
                if block.day in (None, at.date())
                and block.done is not True
                # comparing lengths first saves most of the work in a long file
                and abs(len(block.text) - len(line_text)) <= NEAR
                and normal(block.text) == text_form
            )
            return [] if standing else [line]

        number, _ = files.append(self.paths, self.home, path, fresh, heading=heading)
        name = self.paths.name(path)
        if standing:
            return Written(name, standing[-1].line, standing[-1].kind or kind, line_text, at, new=False)
        return Written(name, number, kind, line_text, at, new=True)


def pages(folder: Path, settings: Settings, clock: Clock) -> Pages:
    """The files of the project around ``folder``, on the owner's clock."""
    return Pages(notebook_paths(folder, settings), settings.home, clock, zone_of(settings))


def zone_of(settings: Settings) -> tzinfo | None:
    """The owner's time zone; None is the machine's."""
    return zone(settings.timezone)
