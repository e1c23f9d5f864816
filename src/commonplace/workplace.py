"""Which namespace belongs to a folder: one repository is one workplace, wherever it lies and whatever it is called.

Git's files are read directly: starting ``git`` would cost a hook more than all its other work.
"""

import hashlib
import os
import re
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import unquote, urlsplit

from commonplace.clock import SystemClock
from commonplace.settings import Settings

DEFAULT = "default"
MARK = "commonplace"
LONGEST = 200

_SECTION = re.compile(r'^\s*\[\s*([\w.-]+)\s*(?:"((?:[^"\\]|\\.)*)")?\s*\]')
_ENTRY = re.compile(r"^\s*([A-Za-z][\w-]*)\s*=\s*(.*?)\s*$")
_GIVEN = re.compile(r".+-[0-9a-f]{8}")
_SCP = re.compile(r"^(?:[^@/\s]+@)?([^:/\s]{2,}):(?!//)(.+)$")


@dataclass(frozen=True, slots=True)
class Repository:
    """A working tree and the folder of its history, which all worktrees of a repository share."""

    root: Path
    common: Path


def namespace_for(folder: Path, settings: Settings) -> tuple[str, str]:
    """The namespace of work done in ``folder``, and why it is that one.

    A set namespace wins. Else a repository decides: by the name it was once given here, else by its remote's address
    (without credentials), else by a name given now and kept inside ``.git``, which survives a rename, is shared by
    worktrees and still holds when a remote is added later. Outside any repository: ``default``.
    """
    if settings.namespace:
        return settings.namespace, f"set by {settings.origins.get('namespace', 'the call')}"
    repository = find_repository(folder)
    if repository is None:
        return DEFAULT, "no namespace is set and the folder is in no repository"
    marked = _marked(repository)
    if marked:
        return marked, "the name kept in this repository's git folder"
    remote = remote_of(repository)
    if remote:
        return remote, "the remote of the repository"
    return _mark(repository)


def find_repository(folder: Path) -> Repository | None:
    """The repository around ``folder``; a ``.git`` that leads nowhere counts as none."""
    for root in (folder.absolute(), *folder.absolute().parents):
        dot_git = root / ".git"
        if dot_git.is_dir():
            return Repository(root, _common(dot_git)) if (dot_git / "HEAD").exists() else None
        if dot_git.is_file():
            target = _line(dot_git).removeprefix("gitdir:").strip()
            git_folder = root / target
            return Repository(root, _common(git_folder)) if target and git_folder.is_dir() else None
    return None


def remote_of(repository: Repository) -> str | None:
    """The address of ``origin``, else of the first remote by name, as one name for all ways to write it."""
    remotes = _remotes(repository.common / "config")
    if not remotes:
        return None
    address = remotes.get("origin") or remotes[min(remotes)]
    return normal_remote(address, repository.root)


def normal_remote(address: str, root: Path) -> str | None:
    """``git@Host:a/b.git``, ``https://user:key@host/a/b`` and ``ssh://host:22/a/b/`` all become ``host/a/b``.

    The port goes too: one server has another for each protocol. A path on this machine becomes ``file/…``.
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


def _host(netloc: str) -> str:
    # Not `hostname`: that refuses some addresses git takes, and its error would show the password.
    host = netloc.rpartition("@")[2]
    return host if host.startswith("[") and host.endswith("]") else re.sub(r":\d*$", "", host)


def _joined(host: str, path: str) -> str | None:
    name = f"{host}/{_bare(path)}".lower()
    return _tidy(name) if host and _bare(path) else None


def _local(path: Path, root: Path) -> str:
    whole = (root / path).resolve().as_posix()
    return _tidy("file/" + _bare(whole))


def _bare(path: str) -> str:
    return path.replace("\\", "/").strip("/").removesuffix(".git").strip("/")


def _tidy(name: str) -> str:
    """Printable and not endless; what is cut off is still told apart by its digest."""
    clean = "".join(letter if letter.isprintable() else "?" for letter in name)
    if len(clean) <= LONGEST:
        return clean
    return f"{clean[: LONGEST - 17]}-{_digest(name)}"


def _digest(text: str) -> str:
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()


def _common(git_folder: Path) -> Path:
    """Worktrees name the folder they share in a file ``commondir``; everything else is its own."""
    shared = git_folder / "commondir"
    return (git_folder / _line(shared)).resolve() if shared.is_file() else git_folder


def _remotes(config: Path) -> dict[str, str]:
    remotes: dict[str, str] = {}
    current: str | None = None
    for line in _text(config).splitlines():
        section = _SECTION.match(line)
        if section:
            current = section[2] if section[1].lower() == "remote" else None
        entry = _ENTRY.match(line)
        if entry and current and entry[1].lower() == "url":
            remotes.setdefault(current, _unquoted(entry[2]))
    return remotes


def _unquoted(value: str) -> str:
    """Git's quoting, as far as addresses use it; a comment begins at ; or # outside quotes."""
    if value.startswith('"'):
        return value[1:].partition('"')[0]
    return re.split(r"\s[;#]", value, maxsplit=1)[0].strip()


def _marked(repository: Repository) -> str | None:
    # Only of the shape that we give: an unpacked archive may bring its .git along, and must not choose freely.
    name = _line(repository.common / MARK)
    return _tidy(name) if _GIVEN.fullmatch(name) else None


def _mark(repository: Repository) -> tuple[str, str]:
    """Give the repository a name of its own and keep it in its git folder; of two processes the first one wins."""
    folder = repository.common.parent.name if repository.common.name == ".git" else repository.root.name
    fresh = SystemClock().new_id()
    name = _tidy(f"{folder.lower()[:60] or 'repository'}-{fresh[-8:]}")
    draft = repository.common / f"{MARK}.{fresh}"
    try:
        draft.write_text(name + "\n", encoding="utf-8")
        try:
            os.link(draft, repository.common / MARK)
        except FileExistsError:
            return _marked(repository) or name, "the name kept in this repository's git folder"
        finally:
            draft.unlink()
    except OSError:
        # A read-only folder, or one that knows no links: the place must do, and a rename then starts afresh.
        path = repository.common.as_posix()
        return _tidy(
            f"{folder.lower()[:60]}-{_digest(path)[:8]}"
        ), "the repository's place, as its git folder is read-only"
    return name, "a name given to this repository, which has no remote, and kept in its git folder"


def _line(path: Path) -> str:
    return _text(path).partition("\n")[0].strip()


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""
