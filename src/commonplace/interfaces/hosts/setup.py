"""Setting a project up for a host, and taking exactly that out again: first the plan, then the deed."""

import json
import os
import shutil
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from difflib import unified_diff
from hashlib import blake2b
from pathlib import Path

from commonplace.errors import Invalid
from commonplace.interfaces.hosts.shapes import MARK, NAME, Host, Part, Programs
from commonplace.notebook.files import write_whole
from commonplace.notebook.notebook import Notebook

RECORDS = "setups"


@dataclass(frozen=True, slots=True)
class FileEdit:
    """What becomes of one file. ``before`` None: it is made; ``after`` None: it goes."""

    path: Path
    before: str | None
    after: str | None
    what: str

    @property
    def diff(self) -> str:
        rows = unified_diff(
            (self.before or "").splitlines(),
            (self.after or "").splitlines(),
            str(self.path),
            str(self.path),
            "",
            "",
            n=2,
        )
        return "\n".join(row.rstrip("\n") for row in rows)


def programs(*, tools: bool) -> Programs:
    """Bare names where the shell finds them, else the scripts beside this Python."""
    folder = Path(sys.executable).parent
    found = {}
    for name in (MARK, NAME):
        beside = shutil.which(name, path=str(folder))
        found[name] = name if shutil.which(name) or beside is None else beside
    return Programs(hook=found[MARK], server=found[NAME], tools=tools)


def plan(
    root: Path, home: Path, hosts: Iterable[Host], notebook: Notebook, *, user: bool, made: Programs
) -> list[FileEdit]:
    """Every file that would be written. Nothing, where all is set up already."""
    edits = [FileEdit(path, None, text, "notebook") for path, text in notebook.missing().items()]
    for one in hosts:
        for part in one.user if user else one.project:
            path = (home if user else root) / part.path
            before = _read(path)
            after = _edited(part, path, before or "", made)
            if after != (before or ""):
                edits.append(FileEdit(path, before, after, f"{one.name}: {part.what}"))
    return edits


def _edited(part: Part, path: Path, before: str, made: Programs) -> str:
    try:
        return part.install(before, made)
    except Invalid as fault:
        raise Invalid(f"{path}: {fault}") from fault


def carry_out(edits: Sequence[FileEdit], root: Path, data: Path) -> None:
    """Write the files, and keep beside the book what they were before."""
    kept = _record(root, data)
    for edit in edits:
        assert edit.after is not None
        edit.path.parent.mkdir(parents=True, exist_ok=True)
        key = str(edit.path)
        first = kept[key]["before"] if key in kept else edit.before
        kept[key] = {"before": first, "after": _digest(edit.after)}
    _keep(root, data, kept)  # before the files: a crash in between leaves nothing that cannot be taken out
    for edit in edits:
        _write(edit.path, edit.after)


def unplan(root: Path, home: Path, hosts: Iterable[Host], data: Path) -> list[FileEdit]:
    """The way back: files that nobody touched since become what they were; from others only our part is taken out."""
    kept = _record(root, data)
    parts: dict[Path, Part] = {}
    for one in hosts:
        parts |= {root / part.path: part for part in one.project} | {home / part.path: part for part in one.user}
    edits = []
    for path in dict.fromkeys([*map(Path, kept), *parts]):
        now = _read(path)
        if now is None:
            continue
        known, part = kept.get(str(path)), parts.get(path)
        if known is not None and known["after"] == _digest(now):
            after: str | None = known["before"]
        elif part is not None:
            after = _rest(part.remove(now), made=known is not None and known["before"] is None)
        else:
            continue  # a notebook file that has been written in: it is the person's now
        if after != now:
            edits.append(FileEdit(path, now, after, part.what if part else "notebook"))
    return edits


def take_out(edits: Sequence[FileEdit], root: Path, data: Path) -> None:
    for edit in edits:
        if edit.after is None:
            edit.path.unlink(missing_ok=True)
            _drop_empty(edit.path.parent, root)
        else:
            _write(edit.path, edit.after)
    _record_path(root, data).unlink(missing_ok=True)


def _rest(text: str, *, made: bool) -> str | None:
    """What is left of a file; nothing, if we made it and only empty braces remain."""
    return None if made and text.strip() in ("", "{}") else text


def _drop_empty(folder: Path, root: Path) -> None:
    while folder != root and folder.is_relative_to(root) and folder.is_dir() and not any(folder.iterdir()):
        folder.rmdir()
        folder = folder.parent


def _read(path: Path) -> str | None:
    try:
        with path.open(encoding="utf-8", newline="") as file:
            return file.read()
    except FileNotFoundError:
        return None
    except (OSError, UnicodeDecodeError) as fault:
        raise Invalid(f"{path} cannot be read; put it right first") from fault


def _write(path: Path, text: str | None) -> None:
    assert text is not None
    mode = path.stat().st_mode & 0o777 if path.exists() else 0o644
    part = path.with_name(f".{path.name}.part")
    with part.open("w", encoding="utf-8", newline="") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    part.chmod(mode)
    part.replace(path)


def _record_path(root: Path, data: Path) -> Path:
    return data / RECORDS / blake2b(str(root).encode("utf-8", "surrogatepass"), digest_size=12).hexdigest()


def _record(root: Path, data: Path) -> dict[str, dict[str, str | None]]:
    try:
        found: dict[str, dict[str, str | None]] = json.loads(_record_path(root, data).read_bytes())
    except (OSError, ValueError):
        return {}
    return found


def _keep(root: Path, data: Path, kept: dict[str, dict[str, str | None]]) -> None:
    write_whole(_record_path(root, data), json.dumps(kept).encode())


def _digest(text: str) -> str:
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()
