"""Set a project up for a host, and undo exactly that: first the plan, then the writing."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from difflib import unified_diff
from hashlib import blake2b
from pathlib import Path

from commonplace.errors import Invalid
from commonplace.interfaces.hosts.guidance import MARK, NAME, Programs
from commonplace.interfaces.hosts.shapes import HOSTS, Host, HostFile
from commonplace.notebook.files import write_whole
from commonplace.notebook.notebook import Notebook
from commonplace.repository import find_repository

RECORDS = "setups"
DAY = "[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9].md"
"""A daily log, as git's pattern."""


@dataclass(frozen=True, slots=True)
class FileEdit:
    """What becomes of one file. ``before`` None: it is made; ``after`` None: it goes."""

    path: Path
    before: str | None
    after: str | None
    what: str

    @property
    def diff(self) -> str:
        before, after = (self.before or "").splitlines(), (self.after or "").splitlines()
        rows = unified_diff(before, after, str(self.path), str(self.path), n=2)
        return "\n".join(row.rstrip("\n") for row in rows)

    @property
    def counts(self) -> tuple[int, int]:
        """How many lines are added, and how many removed."""
        rows = self.diff.splitlines()[2:]  # the first two name the file
        return sum(row.startswith("+") for row in rows), sum(row.startswith("-") for row in rows)


def programs(*, tools: bool) -> Programs:
    """Bare names where every shell finds them, else the scripts beside this Python.

    The folder of a virtual environment is on the path of one shell only: the agent is often started from another.
    """
    folder = Path(sys.executable).parent
    alone = sys.prefix != sys.base_prefix
    commands = {}
    for name in (MARK, NAME):
        beside, reached = shutil.which(name, path=str(folder)), shutil.which(name)
        elsewhere = reached is not None and not (alone and Path(reached).parent == folder)
        commands[name] = name if elsewhere or beside is None else beside
    return Programs(hook=commands[MARK], server=commands[NAME], tools=tools)


def installed(root: Path, home: Path) -> list[Host]:
    """The hosts that the project or this machine shows signs of."""
    return [
        host
        for host in HOSTS.values()
        if any((place / folder).is_dir() for folder in host.folders for place in (root, home))
        or (host.program is not None and shutil.which(host.program) is not None)
    ]


def plan(
    root: Path,
    home: Path,
    hosts: Iterable[Host],
    notebook: Notebook,
    *,
    programs: Programs,
    user: bool = False,
    shared: bool = False,
    with_notebook: bool = False,
    commit_notebook: bool = False,
) -> list[FileEdit]:
    """Every file that would be written. Nothing, where all is set up already.

    Files that we make in a repository are listed in git's local exclude file, unless they are to be shared. Shared
    files name our programs without a path, which is another one on each machine.
    """
    bare = Programs(tools=programs.tools)
    missing = notebook.missing() if with_notebook else {}
    edits = {path: FileEdit(path, None, text, "notebook") for path, text in missing.items()}
    for host in hosts:
        for file in host.user if user else (shared and host.shared) or host.project:
            path = (home if user or file.in_home else root) / file.path
            planned = edits.get(path)
            before = planned.before if planned else _read(path)
            text = (planned.after if planned else before) or ""
            try:
                after = file.install(text, bare if shared and path.is_relative_to(root) else programs)
            except Invalid as fault:
                raise Invalid(f"{path}: {fault}") from fault
            if after != text:
                what = f"{planned.what}, {file.what}" if planned else f"{host.name}: {file.what}"
                edits[path] = FileEdit(path, before, after, what)
    new = [edit.path for edit in edits.values() if edit.before is None and edit.what != "notebook"]
    ours = [] if shared else new
    names = [f"/{path.relative_to(root).as_posix()}" for path in ours if path.is_relative_to(root)]
    if not commit_notebook:  # its files that the person does not have yet
        paths = notebook.pages.paths
        names += [f"/{paths.name(path)}" for path in notebook.missing()] + [f"/{paths.name(paths.logs)}/{DAY}"]
    return [*edits.values(), *_excluded(root, names)]


def _excluded(root: Path, names: Sequence[str]) -> list[FileEdit]:
    """Keeps what is ours alone out of git, without touching the project's own .gitignore."""
    repository = find_repository(root)
    if repository is None or repository.common is None:
        return []
    path = repository.common / "info" / "exclude"
    before = _read(path)
    missing = [name for name in dict.fromkeys(names) if name not in (before or "").splitlines()]
    if not missing:
        return []
    joint = "" if not before or before.endswith("\n") else "\n"
    after = f"{before or ''}{joint}" + "".join(f"{name}\n" for name in missing)
    return [FileEdit(path, before, after, "git: not shared")]


def committable(edits: Iterable[FileEdit], root: Path) -> list[str]:
    """Files that existed before and that git has or would add: a commit of them reaches everybody on the project."""
    names = [edit.path.relative_to(root).as_posix() for edit in edits if edit.path.is_relative_to(root) and edit.before]
    git = shutil.which("git")
    if not names or git is None:
        return []
    options = ("--cached", "--others", "--exclude-standard", "-z", "--")
    listing = subprocess.run(
        [git, "-C", str(root), "ls-files", *options, *names], capture_output=True, check=False, text=True
    )
    return [name for name in listing.stdout.split("\0") if name]


def carry_out(edits: Sequence[FileEdit], root: Path, data: Path) -> None:
    """Write the files, and keep beside the book what they were before."""
    kept = _record(root, data)
    for edit in edits:
        assert edit.after is not None
        key = str(edit.path)
        within = next(folder for folder in edit.path.parents if folder.is_dir())
        first = kept.get(key) or {"before": edit.before, "within": str(within)}
        kept[key] = {**first, "after": _digest(edit.after)}
    for edit in edits:
        edit.path.parent.mkdir(parents=True, exist_ok=True)
    # before the files: a crash in between leaves nothing that cannot be taken out
    write_whole(_record_path(root, data), json.dumps(kept).encode())
    for edit in edits:
        _write(edit.path, edit.after)


def unplan(root: Path, home: Path, hosts: Iterable[Host], data: Path) -> list[FileEdit]:
    """Undo: files that were not changed since are restored; from others only our part is removed.

    A file that cannot be read stops us only where we wrote in it.
    """
    kept = _record(root, data)
    parts: dict[Path, dict[str, HostFile]] = {}
    for host in hosts:
        places = [((home if file.in_home else root) / file.path, file) for file in (*host.project, *host.shared)]
        for path, file in [*places, *((home / file.path, file) for file in host.user)]:
            parts.setdefault(path, {})[file.what] = file
    edits = []
    for path in dict.fromkeys([*map(Path, kept), *parts]):
        before, ours = kept.get(str(path)), parts.get(path, {})
        try:
            now = rest = _read(path)
            for file in reversed(ours.values()):
                rest = file.remove(rest or "")
        except Invalid as fault:
            if before is None:
                continue
            raise fault if str(path) in str(fault) else Invalid(f"{path}: {fault}") from fault
        if now is None:
            continue
        if before is not None and before["after"] == _digest(now):
            after: str | None = before["before"]
        elif rest is not None and ours:
            made = before is not None and before["before"] is None
            after = None if made and rest.strip() in ("", "{}") else rest
        else:
            continue  # a notebook file that has been written in, or git's list: it is the person's now
        if after != now:
            what = ", ".join(ours) or ("git" if path.name == "exclude" else "notebook")
            edits.append(FileEdit(path, now, after, what))
    return edits


def take_out(edits: Sequence[FileEdit], root: Path, home: Path, data: Path) -> None:
    """Write the edits of ``unplan``; folders that we made and that are empty then go, too."""
    kept = _record(root, data)
    for edit in edits:
        if edit.after is None:
            edit.path.unlink(missing_ok=True)
            folder, within = edit.path.parent, kept.get(str(edit.path), {}).get("within")
            end = Path(within or (root if edit.path.is_relative_to(root) else home))
            while folder != end and folder.is_relative_to(end) and folder.is_dir() and not any(folder.iterdir()):
                folder.rmdir()
                folder = folder.parent
        else:
            _write(edit.path, edit.after)
    _record_path(root, data).unlink(missing_ok=True)


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
    mode = path.stat().st_mode & 0o777 if path.exists() else 0o755 if text.startswith("#!") else 0o644
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
        record: dict[str, dict[str, str | None]] = json.loads(_record_path(root, data).read_bytes())
    except (OSError, ValueError):
        return {}
    return record


def _digest(text: str) -> str:
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()
