"""``status``, ``settings``, ``agenda`` and ``trust``: which book, what is set where, what is due, what is approved."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from textwrap import wrap
from typing import Any

from commonplace.context.agenda import AgendaItem
from commonplace.errors import Invalid, NotFound
from commonplace.interfaces.cli.call import Call
from commonplace.interfaces.cli.show import Paper
from commonplace.notebook.pausing import why_off
from commonplace.providers.embed.choose import sent_to
from commonplace.security.master import exposed
from commonplace.settings import Settings, help_and_defaults, without_credentials
from commonplace.trust import Registry
from commonplace.upkeep.keys import copied
from commonplace.upkeep.learning_jobs import last_failure
from commonplace.upkeep.provider_check import provider_problems
from commonplace.workplace import Project, approve, project_at


def settings(call: Call) -> None:
    origins, meanings = call.settings.origins, help_and_defaults()
    fields = {
        name: value
        for name, value in call.settings.public().items()
        if (call.given.name in (None, name)) and (name in origins or not call.given.changed)
    }
    if call.given.name is not None and not fields and call.given.name not in meanings:
        raise NotFound("setting", call.given.name)
    call.answer(
        [
            {"id": name, "value": value, "from": origins.get(name), "help": meanings[name][0]}
            for name, value in fields.items()
        ],
        lambda paper: _setting_lines(
            paper, [(name, value, origins.get(name, "default"), meanings[name][0]) for name, value in fields.items()]
        ),
    )


def _setting_lines(paper: Paper, rows: Sequence[tuple[str, object, str, str]]) -> Iterator[str]:
    """A table; on a terminal, where the meaning would be cut, each meaning below its setting."""
    if paper.width is None:
        yield from paper.table(("setting", "value", "from", "meaning"), rows)
        return
    indent = " " * 4
    for name, value, origin, meaning in rows:
        shown = "" if value in (None, "") else f"  {value}"
        yield (
            paper.paint(name, "bold") + shown + ("" if origin == "default" else paper.paint(f"  from {origin}", "dim"))
        )
        lines = wrap(meaning, paper.width, initial_indent=indent, subsequent_indent=indent)
        yield from (paper.paint(line, "dim") for line in lines)


def status(call: Call) -> None:
    book, settings = call.book, call.settings
    namespace, why, notice = call.place
    memories, jobs = _counts(call)
    state: dict[str, Any] = {
        "book": without_credentials(settings.book_url),
        "engine": "remote" if call.remote else call.parts.store.engine,
        "home": str(settings.home),
        "owner": book.owner,
        "plan": book.plan,
        "namespace": namespace,
        "why": why,
        "memories": memories,
        "jobs": jobs,
        "embedder": settings.embedder,
        "llm": settings.llm,
        "paused": why_off(settings),
        "notice": notice,
    }
    state["attention"] = _attention(call, state)
    call.answer({"id": namespace, **state}, lambda paper: paper.facts(_shown(state)))


def _counts(call: Call) -> tuple[dict[str, int], dict[str, int]]:
    """The owner's memories by status and jobs by state, in every namespace. `stats` says more, and takes longer."""
    if call.remote:
        stats = call.book.stats()
        return dict(stats.statuses), dict(stats.jobs)
    with call.parts.store.read(call.settings.owner) as tx:
        memories, jobs = tx.memories.counts(), tx.jobs.counts()
    by_status: Counter[str] = Counter()
    for _, _, _, status, number, _, _ in memories:
        by_status[status] += number
    by_state: Counter[str] = Counter()
    for (_, state), number in jobs.items():
        by_state[state] += number
    return dict(by_status), dict(by_state)


def _attention(call: Call, state: dict[str, Any]) -> list[str]:
    """What a person should know, each with what to do."""
    notices = [state["paused"]] if state["paused"] else []
    notices += [state["notice"]] if state["notice"] else []
    dead, file = state["jobs"].get("dead", 0), call.settings.master_key_file
    if dead:
        notices.append(f"{dead} jobs failed for good: `commonplace jobs list --state dead` says why")
    if state["memories"].get("candidate"):
        notices.append("some memories wait for a person: `commonplace review list`")
    if not call.remote:
        scope = call.parts.scope(call.settings.owner, "default")
        problems = [f"{problem.what}; {problem.remedy}" for problem in provider_problems(call.parts, scope)]
        trouble = last_failure(scope) if call.settings.llm and not problems else None
        notices += [*problems, *([trouble] if trouble else [])]
    if call.settings.embedder == "none":
        notices.append("nothing is found by meaning, as embedder is none")
    if host := sent_to(call.settings.embedder, call.settings.embed_url):
        notices.append(f"texts and questions are sent to {host} for embedding")
    if file.exists() and exposed(file):
        notices.append(f"others on this machine may read {file}: chmod 600 {file}")
    if state["memories"] and not call.remote and not copied(call.parts):
        notices.append("there is no copy of the master key: `commonplace keys recovery`")
    return notices


def _shown(state: dict[str, Any]) -> dict[str, Any]:
    def listed(counts: dict[str, int]) -> str:
        return ", ".join(f"{number:,} {name}" for name, number in sorted(counts.items()))

    return {
        "book": state["book"],
        "owner": f"{state['owner']}, plan {state['plan']}",
        "namespace": state["namespace"],
        "why": state["why"],
        "memories": listed(state["memories"]) or "none",
        "jobs": listed(state["jobs"]) or "none",
        "embedder": state["embedder"],
        "model": state["llm"] or "none (rules only)",
        "capture": "off" if state["paused"] else "on",
        "attention": "; ".join(state["attention"]),
    }


def agenda_lines(paper: Paper, items: Sequence[AgendaItem]) -> Iterable[str]:
    rows = ((item.kind, item.day, item.text) for item in items)
    return paper.table(("kind", "when", "what"), rows) if items else ["Nothing is owed or due."]


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
