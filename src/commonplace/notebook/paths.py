"""The notebook's paths in a project, and which paths are refused.

A cloned repository may set the paths, so they are always checked: Markdown files inside the project, no dotfiles,
nothing under ``.git``, no symbolic links.
"""

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from commonplace.errors import Refused, SettingsError
from commonplace.repository import find_repository
from commonplace.settings import Settings, path_problem


@dataclass(frozen=True, slots=True)
class NotebookPaths:
    """The files of one project, all inside ``root``."""

    root: Path
    buffer: Path
    logs: Path
    long_term: Path
    todo: Path
    lessons: Path

    def log(self, day: date) -> Path:
        return self.logs / f"{day:%Y-%m-%d}.md"

    def days(self) -> list[date]:
        """The days with a log, oldest first."""
        days = []
        for path in self.logs.glob("????-??-??.md"):
            with suppress(ValueError):
                days.append(date.fromisoformat(path.stem))
        return sorted(days)

    def files(self) -> Iterator[Path]:
        """Every existing file of the notebook."""
        logs = (self.log(day) for day in self.days())
        for path in (self.buffer, self.long_term, self.todo, self.lessons, *logs):
            if path.is_file():
                yield path

    def name(self, path: Path) -> str:
        """A file's path relative to the project, with slashes on every platform."""
        return path.relative_to(self.root).as_posix()

    def checked(self, path: Path) -> Path:
        """Return ``path``; raises ``Refused`` if a part of it below the project is a symbolic link."""
        folder = self.root
        for part in path.relative_to(self.root).parts:
            folder = folder / part
            if folder.is_symlink():
                raise Refused(
                    f"{self.name(folder)} is a symbolic link, which the notebook does not use; replace it by a file"
                )
        return path


def notebook_paths(folder: Path, settings: Settings) -> NotebookPaths:
    """The notebook of the project around ``folder``: of its repository, else of the folder itself.

    Raises ``SettingsError`` for a forbidden path.
    """
    repository = find_repository(folder)
    root = (repository.root if repository else folder).absolute()

    def inside(name: str, *, is_folder: bool = False) -> Path:
        relative = str(getattr(settings, name))
        problem = path_problem(relative, is_folder=is_folder)
        if problem:
            origin = settings.origins.get(name, "the call")
            raise SettingsError(f"{name} = {relative[:80]!r} (set by {origin}): {problem}")
        return root / relative

    return NotebookPaths(
        root=root,
        buffer=inside("notebook_working_buffer"),
        logs=inside("notebook_log_folder", is_folder=True),
        long_term=inside("notebook_long_term"),
        todo=inside("notebook_todo"),
        lessons=inside("notebook_lessons"),
    )
