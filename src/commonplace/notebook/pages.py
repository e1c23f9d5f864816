"""The notebook's files alone: every write goes here first, whether the book can be reached or not."""

from dataclasses import dataclass
from datetime import date, datetime, tzinfo
from pathlib import Path

from commonplace.clock import Clock, zone
from commonplace.errors import Invalid, NotFound
from commonplace.notebook import files, lines
from commonplace.notebook.files import Text
from commonplace.notebook.lines import KINDS, Block, blocks
from commonplace.notebook.places import Places, places
from commonplace.settings import Settings
from commonplace.text.normal import normal

NEAR = 8
"""By how many characters two spellings of one line may differ."""
HEADINGS = {"buffer": "Working buffer", "todo": "To do", "lessons": "Lessons"}


@dataclass(frozen=True, slots=True)
class Written:
    """A line that stands in a file, durable."""

    file: str
    line: int
    kind: str
    text: str
    at: datetime
    new: bool
    """False if the same line stood there already."""


@dataclass(frozen=True, slots=True)
class Pages:
    """Writes and reads for one project. ``home`` holds the locks."""

    places: Places
    home: Path
    clock: Clock
    zone: tzinfo | None = None

    def now(self) -> datetime:
        return self.clock.now().astimezone(self.zone)

    def today(self) -> date:
        return self.now().date()

    def note(self, kind: str, text: str, *, at: datetime | None = None) -> Written:
        """A line in the working buffer."""
        return self._entry(self.places.buffer, HEADINGS["buffer"], kind, text, at, dated=True)

    def log(self, kind: str, text: str, *, at: datetime | None = None) -> Written:
        """A line in the log of the day."""
        moment = (at or self.clock.now()).astimezone(self.zone)
        return self._entry(self.places.log(moment.date()), f"{moment:%Y-%m-%d}", kind, text, at, dated=False)

    def lesson(self, text: str, *, at: datetime | None = None) -> Written:
        return self._entry(self.places.lessons, HEADINGS["lessons"], "lesson", text, at, dated=True)

    def todo(self, text: str, *, done: bool = False) -> Written:
        """A line in the checklist."""
        return self._write(self.places.todo, HEADINGS["todo"], "task", text, lines.todo(text, done=done), self.now())

    def tick(self, wanted: str) -> str:
        """Tick the open item that says ``wanted``, or the only one that contains it; return what it says."""
        text = self.read(self.places.todo).text
        block = _item(blocks(text), wanted)
        rows = text.split("\n")
        rows[block.line - 1] = rows[block.line - 1].replace("[ ]", "[x]", 1)
        files.replace(self.places, self.home, self.places.todo, text, "\n".join(rows))
        return block.text

    def read(self, path: Path) -> Text:
        return files.read(self.places, path)

    def blocks(self, path: Path) -> list[Block]:
        return blocks(self.read(path).text)

    def day_of(self, path: Path) -> date | None:
        """The day that a log is of."""
        return next((day for day in self.places.days() if self.places.log(day) == path), None)

    def _entry(self, path: Path, heading: str, kind: str, text: str, at: datetime | None, *, dated: bool) -> Written:
        if kind not in KINDS:
            raise Invalid(f"unknown kind of line {kind[:40]!r}; one of {', '.join(KINDS)}")
        moment = (at or self.clock.now()).astimezone(self.zone)
        return self._write(path, heading, kind, text, lines.entry(kind, text, moment, dated=dated), moment)

    def _write(self, path: Path, heading: str, kind: str, text: str, line: str, at: datetime) -> Written:
        """Append, unless the same was written that day already: a hook may be run twice for one message."""
        said, wanted = lines.one_line(text), normal(text)
        standing: list[Block] = []

        def fresh(found: Text) -> list[str]:
            standing.extend(
                block
                for block in blocks(found.text)
                if block.day in (None, at.date()) and block.done is not True and _alike(block.text, said, wanted)
            )
            return [] if standing else [line]

        number, _ = files.append(self.places, self.home, path, fresh, heading=heading)
        name = self.places.name(path)
        if standing:
            return Written(name, standing[-1].line, standing[-1].kind or kind, said, at, new=False)
        return Written(name, number, kind, said, at, new=True)


def _alike(text: str, said: str, wanted: str) -> bool:
    """Whether two lines say the same; a look at their lengths saves most of the work in a long file."""
    return text == said or (abs(len(text) - len(said)) <= NEAR and normal(text) == wanted)


def pages(folder: Path, settings: Settings, clock: Clock) -> Pages:
    """The files of the project around ``folder``, on the owner's clock."""
    return Pages(places(folder, settings), settings.home, clock, zone_of(settings))


def zone_of(settings: Settings) -> tzinfo | None:
    """The owner's time zone; None is the machine's."""
    return zone(settings.timezone)


def _item(found: list[Block], wanted: str) -> Block:
    still = [block for block in found if block.done is False]
    exact = [block for block in still if normal(block.text) == normal(wanted)]
    near = exact or [block for block in still if normal(wanted) in normal(block.text)]
    if not near:
        raise NotFound("open to-do item", wanted[:60])
    if len(near) > 1:
        raise Invalid(f"{len(near)} open items say that; write more of the one you mean")
    return near[0]
