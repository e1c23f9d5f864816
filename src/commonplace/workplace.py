"""Which namespace belongs to a folder, and why.

A repository cannot choose freely. The first one that asks for a name nobody uses gets it; a name that another folder or
the book already uses needs a person's approval (``commonplace trust``). Until then the repository works on a namespace
of its own.
"""

import re
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from commonplace.clock import SystemClock
from commonplace.errors import CommonplaceError
from commonplace.repository import Repository, bounded_name, find_repository, first_line, remote_of, short_digest
from commonplace.settings import Settings
from commonplace.trust import MARK, Grant, Registry, make_mark, same_name, settings_digest

DEFAULT = "default"
_RESERVED = (DEFAULT, "personal")
_EARLIER_MARK = re.compile(r".+-[0-9a-f]{8}")

Exists = Callable[[str], bool]
"""Whether the book has a namespace of that name; may raise ``CommonplaceError`` if the book is not reachable."""


class Workplace(NamedTuple):
    namespace: str
    why: str
    notice: str | None = None
    """What the project's files ask for and need approval for."""


class Request(NamedTuple):
    """A namespace that the project's files ask for."""

    namespace: str
    origin: str


class Project(NamedTuple):
    """A repository, or a folder outside any repository that has a ``commonplace.toml``."""

    path: Path
    """The real path that identifies it: the git folder that all worktrees share, or the folder."""
    repository: Repository | None
    request: Request | None
    settings: Settings

    @property
    def label(self) -> str:
        """The name shown to a person."""
        return (self.path.parent if self.path.name == ".git" else self.path).name.lower()[:60] or "repository"


def namespace_for(folder: Path, settings: Settings, exists: Exists | None = None) -> Workplace:
    """The namespace for work in ``folder``.

    A namespace set by the person wins. Else the repository decides: by ``commonplace.toml``, else by its remote's
    address without credentials, else by a generated name. Outside any repository: ``default``. ``exists`` is called at
    most once, when a repository is first seen; without it a requested name counts as taken.
    """
    if settings.namespace:
        origin = settings.origins.get("namespace", "the call")
        return Workplace(settings.namespace, f"set by {origin}", _notice(settings, None))
    project = project_at(folder, settings)
    if project is None or (project.repository is None and project.request is None):
        why = "no namespace is set, and the folder is not in a repository"
        return Workplace(DEFAULT, why, _notice(settings, None))
    registry = Registry(settings.home)
    grant = registry.find(project.path)
    if grant is None:
        return _first_contact(project, registry, exists)
    if grant.path != str(project.path):
        grant = replace(grant, path=str(project.path))
        with suppress(OSError):
            registry.put(lambda: grant)
    return _granted(project, grant)


def project_at(folder: Path, settings: Settings) -> Project | None:
    """The project around ``folder``, with the namespace that its files ask for."""
    repository = find_repository(folder)
    request = _request(repository, settings)
    if repository is not None:
        return Project(repository.identity, repository, request, settings)
    if settings.project_file is not None and settings.risky:
        return Project(settings.project_file.parent.resolve(), None, request, settings)
    return None


def approve(project: Project) -> Grant:
    """Give a project the namespace and the settings that its files ask for. Only a person may call this."""
    registry, settings = Registry(project.settings.home), project.settings
    earlier = registry.find(project.path)
    requested = project.request.namespace if project.request else None
    own_name = _own_name(project) if project.repository else DEFAULT
    namespace = requested or (earlier.namespace if earlier else own_name)
    grant = Grant(
        path=str(project.path),
        namespace=namespace,
        mark=earlier.mark if earlier else _mark(project, registry),
        settings=settings_digest(settings.risky),
        approved=True,
    )
    return registry.put(lambda: grant)


def once(project: Project | None, notice: str | None) -> str | None:
    """Return the notice only the first time for this project."""
    if project is None or notice is None:
        return notice
    registry, digest = Registry(project.settings.home), short_digest(notice)
    grant = registry.find(project.path)
    if grant is None or grant.notified == digest:
        return None if grant else notice
    with suppress(OSError):
        registry.put(lambda: replace(grant, notified=digest))
    return notice


def _request(repository: Repository | None, settings: Settings) -> Request | None:
    name = settings.withheld.get("namespace")
    if name and not any(same_name(name, reserved) for reserved in _RESERVED):
        return Request(name, "set by commonplace.toml")
    if repository is None or repository.common is None:
        return None
    earlier = first_line(repository.common / MARK)
    if _EARLIER_MARK.fullmatch(earlier):
        return Request(bounded_name(earlier), "the name kept in this repository's git folder")
    remote = remote_of(repository)
    return Request(remote, "the remote of the repository") if remote else None


def _first_contact(project: Project, registry: Registry, exists: Exists | None) -> Workplace:
    """Give a new project the name it asks for if nobody uses it, else a generated one."""
    request = project.request
    is_taken = False if request is None else _taken(request.namespace, registry, exists)
    if is_taken is None:
        assert request is not None
        why = "the repository's path; the book is not reachable to check whether its name is free"
        return Workplace(_place_name(project), why, _refusal(request))

    def build() -> Grant:
        earlier = registry.find(project.path)
        if earlier is not None:
            return earlier
        mark = _mark(project, registry)
        if request is not None and not is_taken and not registry.holders(request.namespace):
            return Grant(str(project.path), request.namespace, mark=mark)
        own_name = _own_name(project) if mark else _place_name(project)
        return Grant(str(project.path), own_name, mark=mark, refused=request.namespace if request else None)

    try:
        return _granted(project, registry.put(build))
    except OSError:
        why = "the repository's path, as the data folder is read-only"
        return Workplace(_place_name(project), why, _notice(project.settings, None))


def _granted(project: Project, grant: Grant) -> Workplace:
    request = project.request
    if request and same_name(request.namespace, grant.namespace):
        why = request.origin
    else:
        why = "a name made for this repository" if request is None or grant.refused else "the name it already has"
    refused = _refusal(request) if request and request.namespace == grant.refused else None
    if grant.approved:
        why += ", approved"
    return Workplace(grant.namespace, why, _notice(project.settings, grant) or refused)


def _taken(namespace: str, registry: Registry, exists: Exists | None) -> bool | None:
    """Whether the name is taken; None if the book is not reachable."""
    if registry.holders(namespace):
        return True
    if exists is None:
        return None
    try:
        return exists(namespace)
    except CommonplaceError:
        return None


def _notice(settings: Settings, grant: Grant | None) -> str | None:
    granted = grant is not None and same_name(grant.namespace, settings.withheld.get("namespace", ""))
    names = sorted(name for name in settings.withheld if not (granted and name == "namespace"))
    if not names:
        return None
    ignored = f"{settings.project_file}: ignored {', '.join(names)}"
    reasons = ["a project may not set such paths"] if names != ["namespace"] else []
    reasons += ["review it with `commonplace trust`"] if "namespace" in names else []
    return "; ".join([ignored, *reasons])


def _refusal(request: Request) -> str:
    return (
        f"this repository asks for the namespace {request.namespace} ({request.origin}), which is not its own; "
        "until you approve it with `commonplace trust` it works on a namespace of its own"
    )


def _own_name(project: Project) -> str:
    return bounded_name(f"{project.label}-{SystemClock().new_id()[-8:]}")


def _place_name(project: Project) -> str:
    return bounded_name(f"{project.label}-{short_digest(project.path.as_posix())[:8]}")


def _mark(project: Project, registry: Registry) -> str | None:
    return make_mark(project.repository, registry.all()) if project.repository else None
