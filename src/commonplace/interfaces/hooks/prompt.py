"""A prompt: its triggers are written down, the message is kept, and what its words find is added."""

from collections.abc import Collection
from dataclasses import replace

from commonplace.context.render import Page, Section, hit_line, page
from commonplace.context.uses import record
from commonplace.errors import KeyringError, Refused, StoreError
from commonplace.interfaces.hooks.answer import observe, plain, spool_message
from commonplace.interfaces.hooks.call import HookCall, Search
from commonplace.learning.triggers import scan
from commonplace.light.recall import POOL, search
from commonplace.memories import admission
from commonplace.memories.scope import Scope
from commonplace.model import Memory
from commonplace.notebook.current import Current
from commonplace.notebook.lines import FILE, KIND, KINDS, LINE
from commonplace.notebook.pages import zone_of
from commonplace.notebook.session_log import SessionLog
from commonplace.notebook.triggers import find_triggers
from commonplace.notebook.writer import NOTED, NotebookWriter, written
from commonplace.settings import Settings
from commonplace.text.normal import normal
from commonplace.text.sentences import sentences

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
        seen, session, find = call.record.seen, call.event.session, call.find or search
        page = recalled(scope, call.settings, text, skip=seen, session=session, find=find)
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


def recalled(
    scope: Scope, settings: Settings, prompt: str, *, skip: Collection[str], session: str | None, find: Search
) -> Page:
    """A page of what the words of a prompt find and this session has not seen; empty if that is nothing."""
    memories = find(scope, prompt, POOL)
    # each thing once, and none that only asks: somebody else's question answers nothing
    unique: dict[str, Memory] = {}
    for memory in memories:
        asks = memory.turn is not None and all(span.text.endswith("?") for span in sentences(memory.text))
        if not asks and normal(memory.text) != normal(prompt):
            unique.setdefault(normal(memory.text), memory)
    origins = ((item, item.turn.session if item.turn else item.metadata.get("session")) for item in unique.values())
    memories = [item for item, origin in origins if item.id not in skip and (session is None or origin != session)]
    memories = memories[: 2 * RECALL_LIMIT]
    allowed = Current(scope).shown([item.text for item in memories])
    memories = [replace(item, text=text) for item in memories if (text := allowed[item.text]) is not None]
    zone = zone_of(settings) or scope.clock.now().astimezone().tzinfo
    assert zone is not None
    lines = tuple((hit_line(item, zone), item.id) for item in memories[:RECALL_LIMIT])
    rendered = page([Section("Recalled for this turn", lines)], tokens=RECALL_TOKENS) if lines else Page("", ())
    if rendered.ids:
        record(scope, rendered.ids)
    return rendered
