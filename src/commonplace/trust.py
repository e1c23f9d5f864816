"""Which namespace belongs to which repository, and which project settings a person has approved.

Kept in the user's data folder, out of reach of any repository. A repository is recognised by the real path of its git
folder and by a random mark inside it, so that a renamed folder is still itself and a forged one is not.
"""

import json
import os
import time
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from commonplace.repository import Repository, lines_of, short_digest
from commonplace.text.normal import normal

FILE = "trust.json"
MARK = "commonplace"
"""The file in a git folder that holds the repository's marks: one line for each data folder that knows it."""
LOCK_SECONDS = 2.0
_MARK_DIGITS = 32
_MOST_MARKS = 16


@dataclass(frozen=True, slots=True)
class Grant:
    """What one repository, or one folder outside any repository, may use."""

    path: str
    """Real path of the shared git folder, or of the folder."""
    namespace: str
    mark: str | None = None
    """Digest of this data folder's mark in the git folder; None if that folder is not writable."""
    settings: str | None = None
    """Digest of the project settings that a person approved."""
    refused: str | None = None
    """The namespace that it asked for and was refused."""
    notified: str | None = None
    """Digest of the last notice that a hook has shown."""
    approved: bool = False
    """Whether a person ran ``commonplace trust`` here."""

    @property
    def exists(self) -> bool:
        """Whether the repository is still where it was last seen."""
        return Path(self.path).is_dir() and self.bears(marks_of(Path(self.path)))

    def bears(self, marks: Collection[str]) -> bool:
        """Whether ``marks`` identify the repository that this grant belongs to."""
        return self.mark in marks if self.mark is not None else not marks


class Registry:
    """The grants of one data folder. Reads never fail: a missing or damaged file grants nothing."""

    def __init__(self, home: Path) -> None:
        self._file = home / FILE

    def all(self) -> list[Grant]:
        try:
            return [Grant(**entry) for entry in json.loads(self._file.read_text("utf-8"))["grants"]]
        except (OSError, ValueError, TypeError, KeyError):
            return []

    def find(self, path: Path) -> Grant | None:
        """The grant of the repository at ``path``: by path and mark, or by mark alone if it has moved."""
        marks, grants = marks_of(path), self.all()
        for grant in grants:
            if grant.path == str(path):
                return grant if grant.bears(marks) else None
        moved = (grant for grant in grants if grant.mark in marks and not grant.exists)
        return next(moved, None)

    def holders(self, namespace: str) -> list[Grant]:
        """The existing repositories that use ``namespace``."""
        return [grant for grant in self.all() if same_name(grant.namespace, namespace) and grant.exists]

    def put(self, build: Callable[[], Grant]) -> Grant:
        """Store the grant that ``build`` returns; it replaces earlier ones for its path or mark.

        ``build`` runs under the lock. Raises ``OSError`` if the data folder cannot be written.
        """
        with self._locked():
            grant = build()
            conflicting = [
                approval
                for approval in self.all()
                if approval.path != grant.path and (grant.mark is None or approval.mark != grant.mark)
            ]
            self._write([*conflicting, grant])
            return grant

    def revoke(self, path: Path) -> Grant | None:
        """Remove the grant of ``path`` and return it, or None."""
        with self._locked():
            grants = self.all()
            revoked = next((grant for grant in grants if grant.path == str(path)), None)
            if revoked is not None:
                self._write([grant for grant in grants if grant is not revoked])
            return revoked

    def _write(self, grants: list[Grant]) -> None:
        draft = self._file.with_name(f"{FILE}.{os.getpid()}")
        descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            json.dump({"grants": [asdict(grant) for grant in grants]}, file, indent=1)
            file.flush()
            os.fsync(file.fileno())
        draft.replace(self._file)

    @contextmanager
    def _locked(self) -> Iterator[None]:
        """One writer at a time. A lock left behind by a killed process is broken after two seconds."""
        self._file.parent.mkdir(parents=True, exist_ok=True)
        lock = self._file.with_name(FILE + ".lock")
        deadline = time.monotonic() + LOCK_SECONDS
        while True:
            try:
                os.close(os.open(lock, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
                break
            except FileExistsError:
                if time.monotonic() > deadline:
                    lock.unlink(missing_ok=True)
                time.sleep(0.01)
        try:
            yield
        finally:
            lock.unlink(missing_ok=True)


def marks_of(git_folder: Path) -> list[str]:
    """The digests of the marks in a git folder."""
    return [short_digest(mark) for mark in _marks(git_folder)]


def _marks(git_folder: Path) -> list[str]:
    lines = lines_of(git_folder / MARK)[:_MOST_MARKS]
    return [line for line in lines if len(line) == _MARK_DIGITS and not set(line) - set("0123456789abcdef")]


def make_mark(repository: Repository, grants: Sequence[Grant] = ()) -> str | None:
    """Write a fresh mark into the git folder and return its digest; None if it is not writable.

    Marks of other data folders stay. Those of ``grants`` are removed: they came with a copy of another repository.
    """
    if repository.common is None:
        return None
    ours = {grant.mark for grant in grants}
    others = [mark for mark in _marks(repository.common) if short_digest(mark) not in ours]
    mark = os.urandom(_MARK_DIGITS // 2).hex()
    draft = repository.common / f"{MARK}.{mark}"
    try:
        descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            file.write("".join(f"{line}\n" for line in [mark, *others][:_MOST_MARKS]))
        draft.replace(repository.common / MARK)  # a link in its place is replaced, not followed
    except OSError:
        with suppress(OSError):
            draft.unlink(missing_ok=True)
        return None
    return short_digest(mark)


def settings_digest(values: Mapping[str, Any]) -> str | None:
    """Digest of the values that a person approved; None if there are none."""
    return short_digest(json.dumps(dict(values), sort_keys=True, default=str)) if values else None


def same_name(first: str, second: str) -> bool:
    """Whether two names mean the same namespace: case, accents and look-alike letters do not count."""
    return normal(first) == normal(second)


__all__ = ["Grant", "Registry", "make_mark", "marks_of", "same_name", "settings_digest"]
