"""Where the notebook's files lie in a project."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from commonplace.errors import Refused
from commonplace.settings import Settings
from commonplace.workplace import find_repository


@dataclass(frozen=True, slots=True)
class Places:
    """The files of one project. All stay inside ``root``, wherever links lead."""

    root: Path
    buffer: Path
    logs: Path
    long_term: Path
    todo: Path
    lessons: Path

    def log(self, day: date) -> Path:
        return self.logs / f"{day:%Y-%m-%d}.md"

    def days(self) -> list[date]:
        """The days that have a log, oldest first."""
        if not self.logs.is_dir():
            return []
        found = [_day(path) for path in self.logs.iterdir()]
        return sorted(day for day in found if day is not None)

    def files(self) -> Iterator[Path]:
        """Every file of the notebook that is there."""
        logs = (self.log(day) for day in self.days())
        for path in (self.buffer, self.long_term, self.todo, self.lessons, *logs):
            if path.is_file():
                yield path

    def name(self, path: Path) -> str:
        """A file as the project calls it, with slashes on every platform."""
        return path.relative_to(self.root).as_posix()

    def checked(self, path: Path) -> Path:
        """The file behind ``path``, or ``Refused`` if a link leads out of the project."""
        behind = path.resolve()
        if not behind.is_relative_to(self.root.resolve()):
            raise Refused(f"{self.name(path)} is a link that leads out of the project; it is neither read nor written")
        return behind


def places(folder: Path, settings: Settings) -> Places:
    """The notebook of the project around ``folder``: of its repository, else of the folder itself."""
    repository = find_repository(folder)
    root = (repository.root if repository else folder).absolute()
    return Places(
        root=root,
        buffer=root / settings.notebook_working_buffer,
        logs=root / settings.notebook_log_folder,
        long_term=root / settings.notebook_long_term,
        todo=root / settings.notebook_todo,
        lessons=root / settings.notebook_lessons,
    )


def _day(path: Path) -> date | None:
    if path.suffix != ".md" or len(path.stem) != len("2026-01-31"):
        return None
    try:
        return date.fromisoformat(path.stem)
    except ValueError:
        return None
