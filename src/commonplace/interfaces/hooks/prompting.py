"""A prompt: what it decides or corrects is written ahead, it is kept, and what its words find is added."""

from commonplace.errors import KeyringError, Refused, StoreError
from commonplace.extraction.triggers import scan
from commonplace.interfaces.hooks.answering import aside, observe, plain
from commonplace.interfaces.hooks.call import Hook
from commonplace.interfaces.hooks.recall import recalled, search
from commonplace.memories import admission
from commonplace.notebook.lines import FILE, KIND, KINDS, LINE
from commonplace.notebook.notes import NOTED, Notes

RECALL_TOKENS, RECALL_LIMIT = 800, 6


def prompt(hook: Hook) -> tuple[str, ...]:
    """The ids of what the model was given."""
    said = plain(hook.event.prompt)
    if not said:
        return ()
    scope = hook.book()
    if scope is None:
        _aside(hook, said)
        return ()
    try:
        Notes(scope, hook.event.folder, hook.settings, scan=scan).catch(
            said, session=hook.event.session, observe=lambda: observe(hook, scope, said, "user")
        )
        found = recalled(
            scope,
            hook.settings,
            said,
            tokens=RECALL_TOKENS,
            limit=RECALL_LIMIT,
            skip=hook.record.seen,
            session=hook.event.session,
            find=hook.find or search,
        )
    except (StoreError, KeyringError) as fault:
        hook.degraded(fault)
        _aside(hook, said)
        return ()
    hook.context = found.text
    return found.ids


def _aside(hook: Hook, said: str) -> None:
    """The same as with the book, as far as files and the spool go; the files first, which need no key."""
    noted = []
    for one in scan(said):
        if one.kind not in NOTED:
            continue
        try:
            text = admission.clean(one.quote, max_text=hook.settings.max_text).text
            line = hook.pages.note(one.kind, text)
        except Refused:
            continue
        except StoreError as fault:
            hook.notices.append(str(fault))
            continue
        hook.lines += 1
        metadata = {FILE: line.file, LINE: line.line, KIND: one.kind}
        noted.append({"text": text, "category": KINDS[one.kind], "metadata": metadata})
    aside(hook, said, "user")
    for data in noted:
        hook.kept_aside("remember", data)
