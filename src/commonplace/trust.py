"""Which namespace belongs to which repository, and which project settings a person has approved.

Kept in the user's data folder, out of reach of any repository. A repository is recognised by the real path of its git
folder and by a random mark inside it, so that a renamed folder is still itself and a forged one is not.
"""

import json
import os
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from commonplace.repository import Repository, first_line, short_digest
from commonplace.text.normal import normal

FILE = "trust.json"
MARK = "commonplace"
"""The file in a git folder that holds the repository's mark."""
LOCK_SECONDS = 2.0
_MARK_DIGITS = 32


@dataclass(frozen=True, slots=True)
class Grant:
    """What one repository, or one folder outside any repository, may use."""

    path: str
    """Real path of the shared git folder, or of the folder."""
    namespace: str
    mark: str | None = None
    """Digest of the mark in the git folder; None where nothing can be written there."""
    settings: str | None = None
    """Digest of the project settings that a person approved."""
    refused: str | None = None
    """The namespace that it asked for and did not get."""
    notified: str | None = None
    """Digest of the last notice that a hook has shown."""
    approved: bool = False
    """Whether a person ran ``commonplace trust`` here."""

    @property
    def exists(self) -> bool:
        """Whether the repository is still where it was seen last."""
        return Path(self.path).is_dir() and self.mark == mark_of(Path(self.path))


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
        """The grant of the repository at ``path``: by its place and mark, or by its mark alone if it has moved."""
        mark, grants = mark_of(path), self.all()
        for grant in grants:
            if grant.path == str(path):
                return grant if grant.mark == mark else None
        moved = (grant for grant in grants if mark is not None and grant.mark == mark and not grant.exists)
        return next(moved, None)

    def holders(self, namespace: str) -> list[Grant]:
        """The repositories that are still there and use ``namespace``."""
        return [grant for grant in self.all() if same_name(grant.namespace, namespace) and grant.exists]

    def put(self, build: Callable[[], Grant]) -> Grant:
        """Store the grant that ``build`` returns, in place of earlier ones for its path or mark.

        ``build`` runs while no other process can write. Raises ``OSError`` where the data folder cannot be written.
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
        """Remove the grant of ``path`` and return it."""
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


def mark_of(git_folder: Path) -> str | None:
    """The digest of the mark in a git folder, or None without one."""
    mark = first_line(git_folder / MARK)
    return short_digest(mark) if len(mark) == _MARK_DIGITS and not set(mark) - set("0123456789abcdef") else None


def make_mark(repository: Repository) -> str | None:
    """Write a fresh mark into the git folder and return its digest; None where that cannot be written."""
    if repository.common is None:
        return None
    mark = os.urandom(_MARK_DIGITS // 2).hex()
    draft = repository.common / f"{MARK}.{mark}"
    try:
        descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            file.write(mark + "\n")
        draft.replace(repository.common / MARK)  # a link in its place is replaced, not followed
    except OSError:
        with suppress(OSError):
            draft.unlink(missing_ok=True)
        return None
    return short_digest(mark)


def settings_digest(values: Mapping[str, Any]) -> str | None:
    """Stands for the values that a person approved; None if there are none."""
    return short_digest(json.dumps(dict(values), sort_keys=True, default=str)) if values else None


def same_name(first: str, second: str) -> bool:
    """Whether the book takes two names for one namespace, whatever their case, accents and look-alike letters."""
    return normal(first) == normal(second)


__all__ = ["Grant", "Registry", "make_mark", "mark_of", "same_name", "settings_digest"]
