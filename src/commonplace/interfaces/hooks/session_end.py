"""The moment before a compaction, and the end of a session."""

from dataclasses import replace

from commonplace.interfaces.hooks.call import HookCall
from commonplace.notebook.answer_jobs import read_waiting
from commonplace.notebook.notebook import Notebook
from commonplace.notebook.session_log import FileWriter, SessionLog
from commonplace.notebook.spool import waits


def pre_compact(call: HookCall) -> None:
    """Read the answers that wait and bring the spool into the book, while the context is still whole."""
    call.pages.log("session", f"the host compacted the conversation ({call.event.reason or 'unknown'})")
    call.lines += call.pages.writes
    scope = call.reachable()
    if scope is not None:
        if waits(call.settings):
            call.drain(scope)
        read_waiting(scope, call.settings)


def session_end(call: HookCall) -> None:
    """Read the answers that wait; write state, open ends and the next step."""
    call.record = replace(call.record, ended=True)
    if not call.pages.writes:
        return
    scope = call.reachable()
    writer: Notebook | FileWriter = FileWriter(call.pages, call.settings.max_text)
    if scope is not None:
        read_waiting(scope, call.settings)
        agent = scope.acting_as("notebook", source="assistant", person=False)
        writer = Notebook(agent, call.event.folder, call.settings)
        writer.record_decisions()
    SessionLog(writer, language=call.settings.language).close(call.event.reason or "unknown", at=call.clock.now())
