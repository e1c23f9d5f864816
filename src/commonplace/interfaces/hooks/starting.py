"""The start of a session, and its new start after a compaction: the profile, then the notebook's page."""

from dataclasses import replace
from functools import partial

from commonplace import plans
from commonplace.context.compose import Composer
from commonplace.context.render import Page
from commonplace.interfaces.hooks.call import Hook
from commonplace.interfaces.hooks.payloads import MOST_TOKENS
from commonplace.memories.scope import Scope
from commonplace.notebook.notebook import Notebook
from commonplace.notebook.spool import waits
from commonplace.plans import Feature
from commonplace.text.tokens import count

PROFILE_TOKENS = 600
SPARE = 40
"""Tokens left for the joints between two pages."""
HEAD = 20_000


def start(hook: Hook) -> tuple[str, ...]:
    """The ids of what the model was given."""
    compacted = hook.event.source == "compact"
    if compacted or hook.event.source in ("clear", "startup"):
        hook.record = replace(hook.record, seen=())
    scope = hook.book()
    if scope is None:
        _name_files(hook)
        return ()
    if waits(hook.settings):
        hook.drain(scope)
    profile = _profile(hook, scope)
    notebook = Notebook(scope, hook.event.folder, hook.settings)
    room = MOST_TOKENS - count(profile.text) - SPARE
    if compacted:
        made = notebook.recover(tokens=room, context=_beginning(hook))
    else:
        made = notebook.start(tokens=room, opening=_unclosed(hook))
    hook.notices += made.problems
    hook.context = "\n\n".join(one for one in (profile.text, made.text) if one)
    return profile.ids


def _profile(hook: Hook, scope: Scope) -> Page:
    with scope.store.read(scope.owner) as tx:
        plan = tx.owners.get().plan or hook.settings.plan
    composer = Composer(
        scope,
        lambda asked: (),
        relations=plans.has(plan, Feature.RELATIONS),
        hints=plans.has(plan, Feature.PROACTIVE),
        allows=partial(plans.allows_relation, plan),
    )
    return composer.context(None, tokens=PROFILE_TOKENS, limit=1)


def _name_files(hook: Hook) -> None:
    """Without the book nobody can tell what was forgotten or corrected, so the files are named and not shown."""
    names = [hook.pages.places.name(path) for path in hook.pages.places.files()]
    if names:
        hook.context = "The project's notebook cannot be checked now; it stands in " + ", ".join(names) + "."


def _unclosed(hook: Hook) -> list[str]:
    """What a hook could not do at the end of an earlier session."""
    found = hook.records.abandoned(hook.pages.places.root, hook.clock.now(), but=hook.record.key)
    for record in found:
        hook.records.keep(replace(record, ended=True))
    return [
        f"Note: the session that began {record.started[:16].replace('T', ' ')} UTC was never closed: it has no "
        "closing entry in the log, and its next steps may be missing."
        for record in found
    ]


def _beginning(hook: Hook) -> str | None:
    """How the transcript begins, to tell a summary from the whole."""
    if hook.event.transcript is None:
        return None
    try:
        with open(hook.event.transcript, encoding="utf-8", errors="replace") as file:  # noqa: PTH123  any path
            return file.read(HEAD)
    except (OSError, ValueError):
        return None
