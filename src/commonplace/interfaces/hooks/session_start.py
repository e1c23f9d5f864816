"""The start of a session, or its new start after a compaction: the profile, then the notebook's page."""

from contextlib import suppress
from dataclasses import replace
from datetime import datetime
from functools import partial
from pathlib import Path

from commonplace import plans
from commonplace.context.agenda import due_lines
from commonplace.context.compose import Composer
from commonplace.context.render import Page
from commonplace.errors import StoreBusy
from commonplace.interfaces.hooks.call import HookCall
from commonplace.interfaces.hooks.payloads import HOSTS, MOST_TOKENS
from commonplace.memories.reading import Reader
from commonplace.memories.scope import Scope
from commonplace.model import Query
from commonplace.notebook.answer_jobs import read_waiting
from commonplace.notebook.answers import EDITED, shortened
from commonplace.notebook.notebook import Notebook
from commonplace.notebook.requests import last_requests
from commonplace.notebook.session_log import SessionLog
from commonplace.plans import Feature
from commonplace.settings import home_folder
from commonplace.text.tokens import count

PROFILE_TOKENS = 600
SPARE = 140
"""Tokens kept free for what joins two pages, and for the guidance."""
GUIDANCE = (
    "Commonplace keeps memories between sessions. Its tools are not set up here; use the command line: "
    '`commonplace recall "…"` finds what is known, `commonplace remember "…"` keeps a fact, '
    "`commonplace revise` corrects a memory."
)
NOTING = ' `commonplace session note "…" --kind decision` writes down a decision, a blocker or the next step.'
WITHOUT_END = ("vscode", "opencode", "windsurf")
"""Hosts that do not tell when a session ends."""
MAX_CONFIG = 2_000_000
HEAD = 20_000
RECENT = 200
"""Memories looked at for what is due."""


def start(call: HookCall) -> tuple[str, ...]:
    """The ids of the memories that the model was given."""
    compacted = call.event.source == "compact"
    if compacted or call.event.source in ("clear", "startup"):
        call.record = replace(call.record, seen=())
    scope = call.book()
    if scope is None:
        # the files are named, not shown: without the book it is unknown what was forgotten or corrected
        names = ", ".join(call.pages.paths.name(path) for path in call.pages.paths.files())
        unchecked = f"The project's notebook cannot be checked against the book now. Its files: {names}."
        call.context = unchecked if names else ""
        return ()
    with suppress(StoreBusy):  # somebody writes, such as the process that reads answers: the page waits for nobody
        call.drain(scope)
        read_waiting(scope, call.settings)
    profile = _profile(call, scope)
    notebook = Notebook(scope, call.event.folder, call.settings)
    if call.pages.writes:  # a session that was killed did not say how far it was
        _log_unanswered(call)
        SessionLog(notebook, language=call.settings.language).write_state(call.clock.now())
    space = MOST_TOKENS - count(profile.text) - SPARE
    resumed = compacted or call.event.source == "resume"
    asked = last_requests(scope, session=call.event.session, resumed=resumed)
    if compacted:
        page = notebook.recover(tokens=space, context=_beginning(call), opening=asked)
    else:
        query = Query(kinds=("associative",), categories=("context",), limit=RECENT)
        due = due_lines(Reader(scope).page(query), call.pages.today())
        page = notebook.start(tokens=space, opening=[*due, *_unclosed(call), *asked])
    call.notices += page.problems
    facts = _without(profile.text, page.text)
    call.context = "\n\n".join(text for text in (facts, page.text, _guidance(call)) if text)
    return profile.ids


def _log_unanswered(call: HookCall) -> None:
    """Log what tools edited and no answer told of, because its session was killed or interrupted."""
    for record in call.records.unanswered(call.pages.paths.root):
        text = shortened(EDITED + ", ".join(record.edited))
        call.pages.log("done", text, at=datetime.fromisoformat(record.last))
    call.record = replace(call.record, edited=())


def _without(profile: str, page: str) -> str:
    """The profile without facts that stand on the page below it, and without headings that are left alone."""
    rows = [row for row in profile.split("\n") if not (row.startswith("- ") and row[2:] in page)]
    kept = [row for row, below in zip(rows, [*rows[1:], ""], strict=True) if row[:3] != "## " or below[:2] == "- "]
    return "\n".join(kept) if any(row.startswith("- ") for row in kept) else ""


def _guidance(call: HookCall) -> str:
    """How to use the book by commands, where the host has none of our MCP tools."""
    project, home = HOSTS["tool_files"].get(call.event.host, ((), ()))
    files = [*(call.root / name for name in project), *(home_folder() / name for name in home)]
    for path in files:
        with suppress(OSError), path.open("rb") as file:
            if b"commonplace" in file.read(MAX_CONFIG):
                return ""
    return "" if call.event.from_plugin else GUIDANCE + (NOTING if call.pages.writes else "")


def _profile(call: HookCall, scope: Scope) -> Page:
    with scope.store.read(scope.owner) as tx:
        plan = tx.owners.get().plan or call.settings.plan
    composer = Composer(
        scope,
        lambda query: (),
        relations=plans.has(plan, Feature.RELATIONS),
        hints=plans.has(plan, Feature.PROACTIVE),
        allows=partial(plans.allows_relation, plan),
    )
    return composer.context(None, tokens=PROFILE_TOKENS, limit=1)


def _unclosed(call: HookCall) -> list[str]:
    """Sessions that ended without a session-end event; none where the host has no such event."""
    if call.event.host in WITHOUT_END:
        return []
    abandoned = call.records.abandoned(call.pages.paths.root, call.clock.now(), but=call.record.key)
    for record in abandoned:
        call.records.keep(replace(record, ended=True))
    return [
        f"Note: the session that began {record.started[:16].replace('T', ' ')} UTC was never closed: the log has "
        "no closing entry for it."
        for record in abandoned
    ]


def _beginning(call: HookCall) -> str | None:
    """The beginning of the transcript, which tells a summary from a whole conversation."""
    with suppress(OSError, ValueError), Path(call.event.transcript or "").open("rb") as file:
        return file.read(4 * HEAD).decode("utf-8", "replace")[:HEAD]
    return None
