"""A prompt: its triggers are written down, the message is kept, and what its words find is added."""

from commonplace.errors import KeyringError, Refused, StoreError
from commonplace.interfaces.hooks.answer import observe, plain, spool_message
from commonplace.interfaces.hooks.call import HookCall
from commonplace.interfaces.hooks.recalled import recalled
from commonplace.learning.triggers import scan
from commonplace.light.recall import search
from commonplace.memories import admission
from commonplace.notebook.lines import FILE, KIND, KINDS, LINE
from commonplace.notebook.session_log import SessionLog
from commonplace.notebook.triggers import find_triggers
from commonplace.notebook.writer import NOTED, NotebookWriter, written

RECALL_TOKENS, RECALL_LIMIT = 800, 6


def prompt(call: HookCall) -> tuple[str, ...]:
    """The ids of the memories that the model was given."""
    text = plain(call.event.prompt)
    if not text:
        return ()
    scope = call.book()
    if scope is None:
        _without_book(call, text)
        return ()
    try:
        writer = NotebookWriter(scope, call.event.folder, call.settings, scan=scan, files=call.pages.writes)
        writer.catch(text, session=call.event.session, observe=lambda: observe(call, scope, text, "user"))
        if call.pages.writes:
            SessionLog(writer, language=call.settings.language).hear(text, at=call.clock.now())
        page = recalled(
            scope,
            call.settings,
            text,
            tokens=RECALL_TOKENS,
            limit=RECALL_LIMIT,
            skip=call.record.seen,
            session=call.event.session,
            find=call.find or search,
        )
    except (StoreError, KeyringError) as fault:
        call.degraded(fault)
        _without_book(call, text)
        return ()
    call.context = page.text
    return page.ids


def _without_book(call: HookCall, text: str) -> None:
    """Write the triggers to their files, which need no key, then spool the message and the memories of the lines."""
    memories = []
    for trigger in find_triggers(text, [(hit.kind, hit.quote) for hit in scan(text) if hit.kind in NOTED]):
        try:
            clean = admission.clean(trigger.quote, max_text=call.settings.max_text).text
            line = written(call.pages, trigger.kind, clean)
        except Refused:
            continue
        except StoreError as fault:
            call.notices.append(str(fault))
            continue
        call.lines += call.pages.writes
        place = {FILE: line.file, LINE: line.line} if line.file else {}
        metadata = {**place, KIND: line.kind}
        memories.append({"text": clean, "category": KINDS[line.kind], "metadata": metadata})
    spool_message(call, text, "user")
    for memory in memories:
        call.spool_or_tell("remember", memory)
