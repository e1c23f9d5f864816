"""What is known of each running session between two calls of a hook: ids, times and edited files, no words."""

import json
import os
from collections.abc import Iterable
from dataclasses import asdict, dataclass, replace
from datetime import datetime, timedelta
from hashlib import blake2b
from pathlib import Path

FOLDER = "sessions"
KEPT = timedelta(days=14)
QUIET = timedelta(hours=8)
"""A session that is silent for longer counts as dead, not as one in another terminal."""
MOST = 2_000


@dataclass(frozen=True, slots=True)
class SessionRecord:
    """``seen``: the memories that this session's context already holds."""

    key: str
    place: str
    """Which project, as a hash."""
    started: str
    last: str
    ended: bool = False
    seen: tuple[str, ...] = ()
    edited: tuple[str, ...] = ()
    """Files that tools changed since the last answer; only with ``hook_tools``."""


class SessionRecords:
    def __init__(self, home: Path) -> None:
        self._folder = home / FOLDER

    def of(self, session: str | None, root: Path, now: datetime) -> SessionRecord:
        """The session's record, or a fresh one."""
        key = self.key(session or "nameless", root)
        record = self._read(self._folder / key)
        stamp = now.isoformat(timespec="seconds")
        return replace(record, last=stamp) if record else SessionRecord(key, _hash(str(root)), stamp, stamp)

    def key(self, name: str, root: Path) -> str:
        """A hash of a name and the project it belongs to."""
        return _hash(f"{root}\0{name}")

    def keep(self, record: SessionRecord, *, shown: Iterable[str] = ()) -> None:
        """Write a record, without an fsync: a lost one costs no more than a memory shown twice."""
        record = replace(record, seen=tuple(dict.fromkeys((*record.seen, *shown)))[-MOST:])
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            part = self._folder / f"{record.key}.{os.getpid()}"
            part.write_text(json.dumps(asdict(record)), encoding="utf-8")
            part.replace(self._folder / record.key)
        except OSError:
            # A full disk must not cost the person their prompt; the write that matters raises by itself.
            return

    def abandoned(self, root: Path, now: datetime, *, but: str) -> list[SessionRecord]:
        """Sessions of this project that have been silent for long without an end; deletes old records."""
        abandoned = []
        records = map(self._read, self._folder.iterdir() if self._folder.is_dir() else ())
        for record in (record for record in records if record is not None):
            quiet = now - datetime.fromisoformat(record.last)
            if quiet > KEPT:
                (self._folder / record.key).unlink(missing_ok=True)
            elif record.place == _hash(str(root)) and not record.ended and quiet > QUIET and record.key != but:
                abandoned.append(record)
        return abandoned

    def unanswered(self, root: Path) -> list[SessionRecord]:
        """Sessions of this project whose edits no answer has told of; now they count as told."""
        records = map(self._read, self._folder.iterdir() if self._folder.is_dir() else ())
        place = _hash(str(root))
        unanswered = [record for record in records if record and record.place == place and record.edited]
        for record in unanswered:
            self.keep(replace(record, edited=()))
        return sorted(unanswered, key=lambda record: record.last)

    def _read(self, path: Path) -> SessionRecord | None:
        try:
            fields = json.loads(path.read_bytes())
            lists = {name: tuple(fields.get(name, ())) for name in ("seen", "edited")}
            return SessionRecord(**{**fields, **lists})
        except (OSError, ValueError, TypeError, AttributeError):
            return None


def _hash(text: str) -> str:
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=12).hexdigest()
