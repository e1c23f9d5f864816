"""The git repository around a folder, read from its files.

Starting ``git`` would be too slow for a hook. A repository may come from a stranger, so a path in its files is only
followed to a place that points back at the repository.
"""

import hashlib
import os
import re
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import unquote, urlsplit

LONGEST = 128
"""Maximum characters of a name made from an address; also the limit of a namespace's name."""
MOST_TEXT = 200_000
"""Maximum characters read of one of git's files; the rest is ignored."""

_SECTION = re.compile(r'^\s*\[\s*([\w.-]+)\s*(?:"((?:[^"\\]|\\.)*)")?\s*\]')
_ENTRY = re.compile(r"^\s*([A-Za-z][\w-]*)\s*=(.*)$")
_SCP = re.compile(r"^(?:[^@/\s]+@)?([^:/\s]{2,}):(?!//)(.+)$")


@dataclass(frozen=True, slots=True)
class Repository:
    """A working tree, and the git folder that all its worktrees share.

    ``common`` is None where ``.git`` is a link or names a folder that does not point back at this working tree.
    """

    root: Path
    common: Path | None

    @property
    def identity(self) -> Path:
        """The real path that identifies the repository: the same for all its worktrees."""
        return (self.common or self.root).resolve()


def find_repository(folder: Path) -> Repository | None:
    """The repository around ``folder``; None if there is none or its ``.git`` leads nowhere."""
    for root in (folder.absolute(), *folder.absolute().parents):
        dot_git = root / ".git"
        if dot_git.is_symlink():
            return Repository(root, None) if dot_git.exists() else None
        if dot_git.is_dir():
            return Repository(root, dot_git) if (dot_git / "HEAD").exists() else None
        if dot_git.is_file():
            target = first_line(dot_git).removeprefix("gitdir:").strip()
            git_folder = root / target
            return Repository(root, _verified(git_folder, root)) if target and git_folder.is_dir() else None
    return None


def remote_of(repository: Repository) -> str | None:
    """The normalised address of ``origin``, else of the first remote by name."""
    if repository.common is None:
        return None
    remotes = {name: url for (section, name, key), url in _entries(repository.common) if (section, key) == _REMOTE_URL}
    if not remotes:
        return None
    address = remotes.get("origin") or remotes[min(remotes)]
    return normal_remote(address, repository.root)


_REMOTE_URL = ("remote", "url")


def normal_remote(address: str, root: Path) -> str | None:
    """``git@Host:a/b.git``, ``https://user:key@host/a/b`` and ``ssh://host:22/a/b/`` all become ``host/a/b``.

    The port is dropped too: a server has a different one for each protocol. A path on this machine becomes ``file/…``.
    """
    if "://" in address:
        parts = urlsplit(address)
        if parts.scheme == "file":
            return _local(Path(unquote(parts.path)), root)
        return _joined(_host(parts.netloc), unquote(parts.path))
    scp = _SCP.match(address)
    if scp:
        return _joined(scp[1], scp[2])
    return _local(Path(address), root) if address else None


def bounded_name(name: str) -> str:
    """Printable and at most ``LONGEST`` characters; a name that is cut stays distinct by its digest."""
    clean = "".join(letter if letter.isprintable() else "?" for letter in name)
    if len(clean) <= LONGEST:
        return clean
    return f"{clean[: LONGEST - 17]}-{short_digest(name)}"


def short_digest(text: str) -> str:
    """The first sixteen hexadecimal digits of the text's hash."""
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()


def lines_of(path: Path) -> list[str]:
    """The lines of a regular file; empty if there is none. Links are not followed."""
    return [line.strip() for line in _text(path).splitlines()]


def first_line(path: Path) -> str:
    """The first line of a regular file; empty if there is none. Links are not followed."""
    return _text(path).partition("\n")[0].strip()


def _verified(git_folder: Path, root: Path) -> Path | None:
    """The shared git folder that a ``gitdir:`` file names, if it points back at ``root``; else None.

    Git writes such a file for worktrees, whose folder names the ``.git`` file it belongs to, and for submodules, whose
    configuration names their working tree. Any other target may be an unrelated folder.
    """
    real = git_folder.resolve()
    if not (real / "HEAD").is_file():
        return None
    back = first_line(real / "gitdir")
    if back:
        common = real.parent.parent
        shared = (real / first_line(real / "commondir")).resolve() == common and real.parent.name == "worktrees"
        return common if shared and (real / back).resolve() == (root / ".git").resolve() else None
    worktrees = [value for (section, _, key), value in _entries(real) if (section, key) == ("core", "worktree")]
    return real if worktrees and (real / worktrees[-1]).resolve() == root.resolve() else None


def _entries(git_folder: Path) -> list[tuple[tuple[str, str, str], str]]:
    """Git's configuration as ((section, subsection, key), value); the first of equal keys comes first."""
    entries: dict[tuple[str, str, str], str] = {}
    section = ("", "")
    for line in _text(git_folder / "config").splitlines():
        header = _SECTION.match(line)
        if header:
            section = (header[1].lower(), header[2] or "")
        entry = _ENTRY.match(line)
        if entry:
            entries.setdefault((*section, entry[1].lower()), _unquoted(entry[2].strip()))
    return list(entries.items())


def _unquoted(value: str) -> str:
    """Remove git's quoting, as far as addresses use it; outside quotes, ; or # begins a comment."""
    if value.startswith('"'):
        return value[1:].partition('"')[0]
    return re.split(r"\s[;#]", value, maxsplit=1)[0].strip()


def _host(netloc: str) -> str:
    # Not `hostname`: that refuses some addresses git takes, and its error would show the password.
    host = netloc.rpartition("@")[2]
    return host if host.startswith("[") and host.endswith("]") else re.sub(r":\d*$", "", host)


def _joined(host: str, path: str) -> str | None:
    name = f"{host}/{_bare(path)}".lower()
    return bounded_name(name) if host and _bare(path) else None


def _local(path: Path, root: Path) -> str:
    full_path = (root / path).resolve().as_posix()
    return bounded_name("file/" + _bare(full_path))


def _bare(path: str) -> str:
    return path.replace("\\", "/").strip("/").removesuffix(".git").strip("/")


def _text(path: Path) -> str:
    try:
        descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0))
        with os.fdopen(descriptor, encoding="utf-8", errors="replace") as file:
            return file.read(MOST_TEXT)
    except OSError:
        return ""
