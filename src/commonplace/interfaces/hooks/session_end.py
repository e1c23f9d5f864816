"""The moment before a compaction, and the end of a session."""

from contextlib import suppress
from dataclasses import replace

from commonplace.errors import StoreBusy
from commonplace.interfaces.hooks.call import HookCall
from commonplace.memories.scope import Scope
from commonplace.notebook.answer_jobs import read_waiting
from commonplace.notebook.notebook import Notebook
from commonplace.notebook.session_log import FileWriter, SessionLog


def pre_compact(call: HookCall) -> None:
    """Read the answers that wait and bring the spool into the book, while the context is still whole."""
    call.pages.log("session", f"the host compacted the conversation ({call.event.reason or 'unknown'})")
    call.lines += call.pages.writes
    scope = call.book(can_wait=True)
    if scope is not None:
        with suppress(StoreBusy):  # another process reads them, or the next start
            call.drain(scope)
            read_waiting(scope, call.settings)
        if call.pages.writes:
            _log(call, scope).write_state(call.clock.now())


def session_end(call: HookCall) -> None:
    """Read the answers that wait; write state, open ends and the next step."""
    call.record = replace(call.record, ended=True)
    if not call.pages.writes:
        return
    scope = call.book(can_wait=True)
    if scope is not None:
        with suppress(StoreBusy):
            read_waiting(scope, call.settings)
            _notebook(call, scope).record_decisions()
    _log(call, scope).close(call.event.reason or "unknown", at=call.clock.now())


def _log(call: HookCall, scope: Scope | None) -> SessionLog:
    writer = FileWriter(call.pages, call.settings.max_text) if scope is None else _notebook(call, scope)
    return SessionLog(writer, language=call.settings.language)


def _notebook(call: HookCall, scope: Scope) -> Notebook:
    agent = scope.acting_as("notebook", source="assistant", person=False)
    return Notebook(agent, call.event.folder, call.settings)
