"""``trust``: approve what a project's files ask for, list what was approved, take it back."""

from pathlib import Path
from typing import Any

from commonplace.errors import Invalid, NotFound
from commonplace.interfaces.cli.call import Call
from commonplace.interfaces.cli.show import Paper
from commonplace.settings import Settings
from commonplace.trust import Registry
from commonplace.workplace import Project, approve, project_at


def trust(call: Call) -> None:
    if call.given.list:
        _list(call)
        return
    folder = Path(call.given.folder).expanduser().absolute()
    project = project_at(folder, Settings.load(start=folder, overrides={"home": call.settings.home}))
    if project is None:
        raise Invalid(f"{folder} is not in a repository and has no commonplace.toml; there is nothing to approve")
    if call.given.revoke:
        revoked = Registry(project.settings.home).revoke(project.path)
        if revoked is None:
            raise NotFound("approval", str(project.path))
        call.answer(
            {"id": revoked.namespace, "path": revoked.path, "approved": False},
            [f"Revoked. {revoked.path} no longer uses the namespace {revoked.namespace}."],
        )
        return
    request = _request(call, project)
    if not call.json:
        for line in call.paper.facts(request):
            print(line)
    call.agreed("Approve this?")
    grant = approve(project)
    call.answer(
        {"id": grant.namespace, "path": grant.path, "approved": True},
        [f"Approved. {grant.path} works on the namespace {grant.namespace}."],
    )


def _request(call: Call, project: Project) -> dict[str, Any]:
    """What would be approved, and whose it is now."""
    settings, registry = project.settings, Registry(project.settings.home)
    grant = registry.find(project.path)
    namespace = project.request.namespace if project.request else None
    holders = (
        [holder.path for holder in registry.holders(namespace) if holder.path != str(project.path)] if namespace else []
    )
    risky = {name: value for name, value in settings.risky.items() if name != "namespace"}
    return {
        "project": str(project.path),
        "namespace now": grant.namespace if grant else None,
        "asks for": f"{namespace} ({project.request.origin})" if project.request else None,
        "used by": ", ".join(holders) or None,
        **risky,
    }


def _list(call: Call) -> None:
    grants = Registry(call.settings.home).all()

    def lines(paper: Paper) -> list[str]:
        rows = ((grant.namespace, "yes" if grant.approved else "first to use it", grant.path) for grant in grants)
        return list(paper.table(("namespace", "approved", "project"), rows))

    call.answer([{"id": grant.namespace, "path": grant.path, "approved": grant.approved} for grant in grants], lines)
