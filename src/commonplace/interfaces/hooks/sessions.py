"""What is known of each running session between two calls of a hook: ids and times, no words."""

import json
import os
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, replace
from datetime import datetime, timedelta
from hashlib import blake2b
from pathlib import Path

FOLDER = "sessions"
KEPT = timedelta(days=14)
QUIET = timedelta(hours=8)
"""After so long without a word a session is taken for dead, not for one in another terminal."""
MOST = 2_000


@dataclass(frozen=True, slots=True)
class Record:
    """``seen``: the memories that this session's context already holds."""

    key: str
    place: str
    """Which project, as a hash."""
    started: str
    last: str
    ended: bool = False
    seen: tuple[str, ...] = ()
    failed: tuple[str, ...] = ()
    """Hashes of what a tool failed at and has not succeeded at since."""


class Records:
    def __init__(self, home: Path) -> None:
        self._folder = home / FOLDER

    def of(self, session: str | None, root: Path, now: datetime) -> Record:
        """The session's record, or a fresh one."""
        key = _hash(f"{root}\0{session or 'nameless'}")
        found = self._read(self._folder / key)
        stamp = now.isoformat(timespec="seconds")
        return replace(found, last=stamp) if found else Record(key, _hash(str(root)), stamp, stamp)

    def keep(self, record: Record, *, shown: Iterable[str] = ()) -> None:
        """Lost with the machine's power, at worst, and then something is shown twice: not worth an fsync."""
        record = replace(record, seen=tuple(dict.fromkeys((*record.seen, *shown)))[-MOST:])
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            part = self._folder / f"{record.key}.{os.getpid()}"
            part.write_text(json.dumps(asdict(record)), encoding="utf-8")
            part.replace(self._folder / record.key)
        except OSError:
            # A full disk must not cost the person their prompt; the write that matters raises by itself.
            return

    def abandoned(self, root: Path, now: datetime, *, but: str) -> list[Record]:
        """Sessions of this project that fell silent without an end; old records go."""
        found = []
        for record in self._all():
            quiet = now - datetime.fromisoformat(record.last)
            if quiet > KEPT:
                (self._folder / record.key).unlink(missing_ok=True)
            elif record.place == _hash(str(root)) and not record.ended and quiet > QUIET and record.key != but:
                found.append(record)
        return found

    def _all(self) -> Iterator[Record]:
        for path in self._folder.iterdir() if self._folder.is_dir() else ():
            record = self._read(path)
            if record is not None:
                yield record

    def _read(self, path: Path) -> Record | None:
        try:
            plain = json.loads(path.read_bytes())
            return Record(**{**plain, "seen": tuple(plain["seen"]), "failed": tuple(plain["failed"])})
        except (OSError, ValueError, TypeError, KeyError):
            return None


def _hash(text: str) -> str:
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=12).hexdigest()
